// Plans, and lines, arcs and screws of links: from a marked start to here, played as a motion.

import { Group, Mesh, MeshStandardMaterial } from 'three';
import { linkPoses } from '../kinematics.js';
import { Motion } from '../motion.js';
import { Player } from '../player.js';
import { $ } from '../page.js';
import { matrix } from '../shapes.js';
import { element, number } from '../text.js';
import { arc, line, screw, stays } from './paths.js';

const GHOST = new MeshStandardMaterial({ color: 0x3d8bfd, transparent: true, opacity: 0.28, depthWrite: false });

/** Speeds of a path: rad/s, m/s. */
const [TURNS, SLIDES] = [1, 0.5];

/** Longest time of a search, in s. */
const PATIENCE = 20;
/** Most steps of a search of the page itself, which stands still meanwhile and has no clock. */
const TRIES = 3000;

/** Paths of links. */
const PATHS = ['line', 'arc', 'screw'];

export class Plan {
  constructor(page, world, place) {
    Object.assign(this, { page, world, start: null, via: null, ghost: null, others: [] });
    const button = (id, label, act) => element('button', { type: 'button', class: 'small', id, onclick: act }, label);
    this.robot = element('select', { id: 'plan-robot', 'aria-label': 'robot that plans' });
    this.group = element('select', { id: 'plan-group', 'aria-label': 'joints that move' });
    this.robot.addEventListener('change', () => this.choose());
    this.groups = new Map();
    this.mark = button('mark', 'start here', () => this.set());
    this.back = button('back', 'back to the start', () => this.goBack());
    this.find = button('plan', 'plan to here', () => this.plan());
    this.path = element('select', { id: 'path', 'aria-label': 'path of the link' }, ...PATHS.map((kind) => element('option', { value: kind }, kind)));
    this.path.addEventListener('change', () => this.enable());
    this.middle = button('via', 'via here', () => this.pass());
    this.middle.title = 'a point of the arc between its start and its end';
    this.line = button('line', 'to here', () => this.along());
    this.line.title = 'the link that is chosen, or the last one, along a line, an arc without turning, or a screw';
    this.with = button('with', 'with this link', () => this.join());
    this.with.title = 'the link that is chosen moves at the same time, to where it is here';
    this.together = element('div', { id: 'together', class: 'tools wrap', 'aria-label': 'links that move at the same time' });
    this.end = button('end', 'close the path', () => this.close());
    this.said = element('p', { id: 'planned', 'aria-live': 'polite' });
    place.append(element('h2', {}, 'Plan'), element('div', { class: 'tools' }, this.robot, this.group), element('div', { class: 'tools wrap' }, this.mark, this.find, this.back, this.end), element('div', { class: 'tools wrap' }, this.path, this.middle, this.line, this.with), this.together, this.said);
    this.section = place;
    this.show();
  }

  /** Shows the robots of the page. */
  show() {
    const { robots } = this.page.model;
    const chosen = this.robot.value;
    this.close();
    this.forget();
    this.robot.replaceChildren(...robots.map(({ name }, i) => element('option', { value: String(i) }, name)));
    if (robots[Number(chosen)]) this.robot.value = chosen;
    this.robot.hidden = robots.length < 2;
    this.section.hidden = robots.length === 0;
    this.choose();
  }

  setGroups(robots) {
    this.groups = new Map(robots.map(({ name, groups }) => [name, (groups ?? []).map((group) => group.name)]));
    this.choose();
  }

  get r() {
    return Number(this.robot.value);
  }

  choose() {
    const robot = this.page.model.robots[this.r];
    const groups = (robot && this.groups.get(robot.name)) ?? [];
    this.group.hidden = !groups.length;
    this.group.replaceChildren(element('option', { value: '' }, 'all joints move'), ...groups.map((name) => element('option', { value: name }, `group ${name}`)));
    this.forget();
  }

  forget() {
    this.start = this.via = null;
    this.others = [];
    this.showOthers();
    this.removeGhost();
    this.enable();
    this.said.textContent = '';
  }

  /** Enables what can be done, unless something is being planned. */
  enable(isBusy = false) {
    const isArc = this.path.value === 'arc';
    this.middle.hidden = !isArc;
    this.back.disabled = this.middle.disabled = !this.start;
    this.find.disabled = isBusy || !this.start;
    this.line.disabled = this.find.disabled || (isArc && !this.via);
  }

  removeGhost() {
    if (this.ghost) this.page.stage.scene.remove(this.ghost);
    this.ghost = null;
    this.page.stage.draw();
  }

  /** Marks the configuration of the robot as the start. */
  set() {
    const { model, stage } = this.page;
    this.start = Array.from(model.q[this.r]);
    this.via = null;
    this.removeGhost();
    const robot = model.robots[this.r];
    const ghost = new Group();
    linkPoses(robot, this.start).forEach((pose, i) => {
      const node = new Group();
      node.matrixAutoUpdate = false;
      matrix(pose, node.matrix);
      for (const shape of model.bodies[robot.first + i].visual.filter((object) => object.isMesh)) {
        const mesh = new Mesh(shape.geometry, GHOST);
        mesh.matrixAutoUpdate = false;
        mesh.matrix.copy(shape.matrix);
        node.add(mesh);
      }
      ghost.add(node);
    });
    this.ghost = ghost;
    stage.scene.add(ghost);
    stage.draw();
    this.enable();
    this.said.className = 'dim';
    this.said.textContent = 'the start is marked: move the robot to its goal';
  }

  goBack() {
    this.close();
    this.page.joints.setAll(this.r, this.start);
  }

  /** Searches a path to where the robot is. */
  plan() {
    const to = Array.from(this.page.model.q[this.r]);
    const limit = this.page.local ? { max_iterations: TRIES } : { max_seconds: PATIENCE };
    return this.ask({ op: 'plan', to, ...limit }, (path) => `a path of ${path.length} configurations`, 'no path was found');
  }

  /** Marks a configuration whose place the arc goes through. */
  pass() {
    this.via = Array.from(this.page.model.q[this.r]);
    this.enable();
    this.said.className = 'dim';
    this.said.textContent = 'the arc goes through here: move the link to its end';
  }

  /** The link that is chosen, or the last one of the robot. */
  get chosen() {
    const { model, inspector } = this.page;
    const robot = model.robots[this.r];
    return inspector.body?.robot === robot ? inspector.body : model.bodies[robot.first + robot.links.length - 1];
  }

  /** Has the link that is chosen move with the others. */
  join() {
    const { chosen } = this;
    if (!this.others.includes(chosen)) this.others.push(chosen);
    this.showOthers();
  }

  /** Shows the links that move at the same time, each as a button that takes it out. */
  showOthers() {
    const chip = (body) => {
      const act = () => {
        this.others = this.others.filter((other) => other !== body);
        this.showOthers();
      };
      return element('button', { type: 'button', class: 'small', title: 'moves at the same time; take it out', onclick: act }, `${body.name} ×`);
    };
    this.together.replaceChildren(...this.others.map(chip));
    this.together.hidden = this.others.length === 0;
  }

  /** Moves links along paths to where they are, as far as they go. */
  along() {
    const { model } = this.page;
    const robot = model.robots[this.r];
    const bodies = [this.chosen, ...this.others.filter((body) => body !== this.chosen)];
    const kind = this.path.value;
    const poses = [this.start, this.via].map((q) => q && linkPoses(robot, q));
    const piece = (body) => {
      const [start, via] = poses.map((all) => all?.[model.bodies.indexOf(body) - robot.first]);
      if (kind === 'arc') return arc(start, [via[3], via[7], via[11]], body.pose);
      return kind === 'screw' ? screw(start, body.pose) : line(body.pose);
    };
    // those that are where they were stay there, as the last ones
    const begin = poses[0];
    const rests = (body) => stays(begin[model.bodies.indexOf(body) - robot.first], body.pose);
    bodies.sort((a, b) => rests(a) - rests(b));
    const names = bodies.map(({ name }) => name).join(' and ');
    let links;
    try {
      if (bodies.every(rests)) throw new Error(`${names} ${bodies.length > 1 ? 'are where they were' : 'is where it was'} at the start`);
      links = bodies.map((body, i) => ({ link: body.link.name, pieces: i > 0 && rests(body) ? [] : [piece(body)] }));
    } catch (error) {
      this.said.className = 'hit';
      this.said.textContent = error.message;
      return undefined;
    }
    const [first, ...also] = links;
    const [move, what] = also.length ? ['move', `${kind}s`] : ['moves', kind === 'arc' ? 'an arc' : `a ${kind}`];
    const said = (_, { length }) => `${names} ${move} ${number(length, 3)} m along ${what}`;
    const request = { op: 'cartesian', ...first, ...(also.length && { also }) };
    return this.ask(request, said, `the ${kind} cannot be followed`);
  }

  /** Asks for a path from the start, and plays it; one that ends early as far as it goes. */
  async ask(request, said, otherwise) {
    const { model } = this.page;
    const r = this.r;
    this.close();
    Object.assign(request, { robot: model.robots[r].name, from: this.start });
    if (this.group.value) request.group = this.group.value;
    this.enable(true);
    this.said.className = 'dim';
    this.said.textContent = 'planning …';
    // seen before a search of the page itself begins
    if (this.page.local) await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    try {
      const answer = await this.world.link.ask(request);
      if (model !== this.page.model) return;
      const { path, reason } = answer;
      const isWhole = path && !reason;
      this.said.className = isWhole ? 'free' : 'hit';
      this.said.textContent = isWhole ? said(path, answer) : reason ?? otherwise;
      if (path?.length > 1) this.play(r, path);
    } catch (error) {
      this.said.className = 'hit';
      this.said.textContent = error.message;
    }
    this.enable();
  }

  /** Plays a path of a robot; the server follows. */
  play(r, path) {
    const { page, world } = this;
    const { dofs } = page.model.robots[r];
    const times = [0];
    for (let k = 1; k < path.length; k++) {
      const longest = dofs.map((dof, d) => {
        let step = path[k][d] - path[k - 1][d];
        if (dof.spins || (!dof.slides && dof.min === null && Math.abs(step) > Math.PI)) step -= 2 * Math.PI * Math.round(step / (2 * Math.PI));
        return Math.abs(step) / (dof.slides ? SLIDES : TURNS);
      });
      times.push(times[k - 1] + Math.max(1e-3, ...longest));
    }
    const columns = dofs.flatMap((_, d) => path.map((q) => q[d]));
    const motion = new Motion(times, page.model.robots.map((_, i) => (i === r ? columns : null)), page.model.robots.map((robot) => robot.dofs));
    $('timeline').hidden = false;
    $('fold').hidden = true;
    page.player = new Player(motion, $('player'), (time) => {
      page.model.setConfig(r, motion.config(r, time));
      page.model.update();
      page.joints.refresh();
      page.inspector.refresh();
      world.moved(r);
    });
    page.player.loop = false;
    $('loop').checked = false;
    page.player.show(0);
    page.player.play(true);
  }

  /** Ends the playing of a path. */
  close() {
    this.page.player?.play(false);
    this.page.player = null;
    $('player').replaceChildren();
    $('timeline').hidden = true;
  }
}
