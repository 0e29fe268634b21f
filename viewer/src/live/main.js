// The page of `view`: the page of `export`, with a server that answers; or with the library in it, which answers as the server does.

import { read, unpacked } from '../data.js';
import { $, Page, start } from '../page.js';
import { element } from '../text.js';
import { Contacts } from './contacts.js';
import { Distances } from './distances.js';
import { Elements } from './elements.js';
import { files } from './files.js';
import { Hold } from './hold.js';
import { Link } from './link.js';
import { Local, unpackedLocal } from './local.js';
import { Move } from './move.js';
import { Plan } from './plan.js';
import { Spheres } from './spheres.js';
import { World } from './world.js';

/** Time after which numbers are written without an answer, in ms. */
const LATE = 50;

const token = new URLSearchParams(location.search).get('token') ?? '';

/** The scene of the server: its number, and the data of the page. */
async function fetched() {
  const response = await fetch(`/scene?token=${encodeURIComponent(token)}`);
  if (!response.ok) throw new Error((await response.text()).trim());
  const { scene, data } = await response.json();
  return { scene, data: await unpacked(data) };
}

class LivePage extends Page {
  /** A page of a scene that a server has, or that a link in the page has. */
  constructor(scene, data, local = null) {
    // these are asked for, always anew
    super(Object.assign(data, { collisions: null, contacts: null, forces: null }));
    const section = (id) => {
      const made = element('section', { id });
      $('made').before(made);
      return made;
    };
    this.status = element('p', { id: 'status', role: 'status' });
    $('stage').append(this.status);
    this.files = element('section', { id: 'files', 'aria-live': 'polite', 'aria-label': 'files', hidden: true });
    $('panel').prepend(this.files);
    this.connected(false);
    this.local = local;
    this.link = local ?? new Link(token, { event: (event) => this.event(event), state: (isOpen) => this.connected(isOpen) });
    this.world = new World(this, this.link);
    this.world.scene = scene;
    this.distances = new Distances(this, this.world, section('distances'));
    this.move = new Move(this, this.world, section('move'));
    this.plan = new Plan(this, this.world, section('planning'));
    this.hold = new Hold(this, this.world, section('hold'));
    this.elements = new Elements(this, this.world, section('elements'));
    this.contacts = new Contacts(this.stage);
    this.spheres = new Spheres(this, this.world);
    this.toggle('show-contacts', 'contact points', (on) => {
      this.world.contacts = on;
      this.world.check();
    });
    this.toggle('show-spheres', 'sphere covers', (on) => this.spheres.toggle(on).catch((error) => this.failed(error)));
    // what answers comes first
    $('collisions').after($('distances'));
    this.choose = (body) => {
      this.inspector.choose(body);
      this.move.choose(body);
    };
    this.bind();
    this.world.onanswer = (answers) => this.answered(answers);
    this.world.onerror = (error) => this.failed(error);
    if (local) {
      this.connected(true);
      this.world.check();
    }
  }

  /** A box among those of what is shown. */
  toggle(id, label, changed) {
    const box = element('input', { type: 'checkbox', id });
    box.addEventListener('change', () => changed(box.checked));
    $('toggles').append(element('label', { class: 'check' }, box, label));
  }

  /** The list of bodies chooses as a click does. */
  bind() {
    const list = $('bodies');
    list.onchange = () => this.choose(list.value === '' ? null : this.model.bodies[Number(list.value)]);
  }

  moved(robot) {
    this.world.moved(robot);
    this.player?.play(false);
    // numbers are written with the answer, which would wait while the browser lays them out; but not much later
    this.late ??= setTimeout(() => this.write(), LATE);
  }

  /** Writes the numbers of what was moved. */
  write() {
    clearTimeout(this.late);
    this.late = null;
    this.joints.refresh();
    this.inspector.refresh();
    this.move.settle();
  }

  answered({ collide, distances, contacts }) {
    this.failed(null);
    const pairs = collide.ids.map((ids) => ids.map((id) => this.world.body(id)));
    this.collisions.show(pairs);
    this.distances.show(distances);
    this.contacts.show(contacts);
    this.hold.refresh();
    this.write();
    // lays out now, while nothing waits for it
    void document.body.offsetHeight;
  }

  /** Says what the server refused; nothing once it answers again. */
  failed(error) {
    if (error && !this.link.isOpen) {
      if (!this.local) return;
      this.connected(false);
    }
    $('problem').hidden = !error;
    $('problem').textContent = error?.message ?? '';
  }

  connected(isOpen) {
    this.status.textContent = isOpen ? 'live' : this.local ? 'stopped' : 'no connection: is kinworld still running?';
    this.status.className = isOpen ? 'on' : 'off';
    document.body.dataset.live = String(isOpen);
    if (!isOpen) return;
    this.world?.run();
    this.link?.ask({ op: 'info' }).then(({ robots }) => this.named(robots), () => {});
  }

  named(robots) {
    this.move.setGroups(robots);
    this.plan.setGroups(robots);
  }

  event(event) {
    if (event.event === 'files') files(event, this.files);
    else if (event.event === 'state' && !this.world.take(event)) this.reload();
  }

  /** Shows the scene of the server anew, seen from the same place. */
  async reload() {
    if (this.reloading) {
      this.stale = true;
      return;
    }
    this.reloading = true;
    try {
      do {
        this.stale = false;
        const { scene, data } = await fetched();
        const { camera, controls } = this.stage;
        const [eye, target] = [camera.position.clone(), controls.target.clone()];
        const [chosen, shown] = [this.inspector.body, this.model.show];
        this.move.choose(null);
        this.show(data);
        this.bind();
        this.world.scene = scene;
        camera.position.copy(eye);
        controls.target.copy(target);
        controls.update();
        for (const [what, on] of Object.entries(shown)) this.model.toggle(what, on);
        this.stage.grid.visible = $('show-grid').checked;
        const same = (body) => body.name === chosen?.name && body.robot?.name === chosen?.robot?.name;
        this.choose(chosen ? this.model.bodies.find(same) ?? null : null);
        this.plan.show();
        this.spheres.toggle(this.spheres.on).catch((error) => this.failed(error));
        this.hold.show();
        this.elements.show();
        const { robots } = await this.link.ask({ op: 'info' });
        this.named(robots);
        const state = await this.link.ask({ op: 'state' });
        this.world.take(state);
      } while (this.stale);
    } catch (error) {
      this.failed(error);
    }
    this.reloading = false;
  }
}

start(async () => {
  if ($('module')) {
    const [data, parts] = await Promise.all([read($('data')), unpackedLocal($('module'), $('world'))]);
    const local = new Local(parts);
    await local.start();
    return new LivePage(null, data, local);
  }
  const { scene, data } = await fetched();
  return new LivePage(scene, data);
});
