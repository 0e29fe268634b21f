// The page: puts its parts together.

import { Arrows } from './arrows.js';
import { Inspector } from './inspect.js';
import { Joints } from './joints.js';
import { Model } from './model.js';
import { Motion } from './motion.js';
import { Collisions, notes } from './notes.js';
import { Player } from './player.js';
import { Plots } from './plots.js';
import { Stage } from './stage.js';
import { element } from './text.js';

export const $ = (id) => document.getElementById(id);

const TOGGLES = [
  ['visual', 'visual', true],
  ['collision', 'collision', false],
  ['frames', 'link frames', false],
  ['com', 'centres of mass', false],
  ['inertia', 'inertia boxes', false],
  ['grid', 'grid', true],
];

/** Arrows of the data: their name and how they look. */
const ARROWS = [
  ['contacts', 'contact points', { color: 0xffd000, longest: 0, shortest: 0.05 }],
  ['forces', 'forces', { color: 0x0f9d6b, longest: 0.6, shortest: 0 }],
];

export class Page {
  constructor(data) {
    this.stage = new Stage($('canvas'));
    this.degrees = false;
    this.player = null;
    this.plots = null;
    this.choose = (body) => this.inspector.choose(body);
    this.show(data);
    this.toggles();
    theme(this);
    $('fit').addEventListener('click', () => this.stage.look());
    $('png').addEventListener('click', () => save(this));
    $('menu').addEventListener('click', () => fold('panel', $('menu')));
    $('fold').addEventListener('click', () => fold('plots', $('fold')));
    // a phone begins with the picture
    if (matchMedia('(max-width: 700px)').matches) {
      fold('panel', $('menu'));
      if (this.plots) fold('plots', $('fold'));
    }
    pointing(this);
    keys(this);
    this.stage.resize();
    this.stage.look();
    this.model.toggle('visual', true);
  }

  /** Shows data, in place of what was shown. */
  show(data) {
    this.data = data;
    this.model?.remove();
    for (const id of ['notes', 'bodies', 'joints', 'player', 'plots']) $(id).replaceChildren();
    document.title = data.title;
    $('title').textContent = data.title;
    $('made').textContent = data.generator;
    this.model = new Model(data, this.stage);
    for (const arrows of this.arrows ?? []) arrows.remove();
    this.arrows = ARROWS.filter(([name]) => data[name]).map(([name, , look]) => new Arrows(this.stage, data.numbers, data[name], look));
    this.inspector = new Inspector(this.model, $('chosen'), $('bodies'));
    notes(data, this.model, $('notes'), (body) => this.choose(body));
    $('notes').hidden = !$('notes').hasChildNodes();
    this.collisions = new Collisions(this.model, $('collisions'), (body) => this.choose(body));
    this.joints = new Joints(this.model, $('joints'), (robot) => this.moved(robot));
    this.joints.degrees = this.degrees;
    this.motion = data.motion ? Motion.of(data) : null;
    if (this.motion) this.play();
    else {
      this.joints.refresh();
      for (const arrows of this.arrows) arrows.show(0);
      if (data.collisions) this.collisions.show(data.collisions);
    }
  }

  /** A joint was moved by hand. */
  moved() {
    this.player?.play(false);
    this.joints.refresh();
    this.inspector.refresh();
    const { data } = this;
    const isAsLoaded = this.model.q.every((q, r) => q.every((x, i) => x === data.robots[r].q[i]));
    if (data.collisions || this.motion?.collisions) this.collisions.show(data.collisions && isAsLoaded ? data.collisions : null);
    for (const arrows of this.arrows) arrows.show(isAsLoaded && !this.motion ? 0 : null);
  }

  toggles() {
    const add = (id, label, checked, changed) => {
      const box = element('input', { type: 'checkbox', id, checked });
      box.addEventListener('change', () => changed(box.checked));
      $('toggles').append(element('label', { class: 'check' }, box, label));
    };
    for (const [what, label, on] of TOGGLES) add(`show-${what}`, label, on, (checked) => this.model.toggle(what, checked));
    ARROWS.filter(([name]) => this.data[name]).forEach(([name, label], i) => add(`show-${name}`, label, true, (checked) => this.arrows[i].toggle(checked)));
    add('degrees', 'degrees', false, (checked) => {
      this.degrees = this.joints.degrees = checked;
      this.joints.refresh();
    });
  }

  /** The motion of the data, with its plots. */
  play() {
    const { data, model, motion } = this;
    $('timeline').hidden = false;
    const move = (time) => {
      model.robots.forEach((_, r) => {
        const q = motion.config(r, time);
        if (q) model.setConfig(r, q);
      });
      for (const { body, pose } of motion.objectPoses(time)) model.setObject(body, pose);
      model.update();
    };
    // all places that the motion comes to are to be seen
    const boxes = [];
    for (let k = 0; k <= 12; k++) {
      move(motion.start + (k / 12) * (motion.end - motion.start));
      boxes.push(...model.boxes());
    }
    this.stage.frame(boxes);
    this.player = new Player(motion, $('player'), (time) => {
      move(time);
      this.joints.refresh();
      this.inspector.refresh();
      if (motion.collisions) this.collisions.show(motion.collisionsAt(time));
      for (const arrows of this.arrows) arrows.show(motion.sample(time));
      this.plots?.show(time);
    });
    if (data.plots.length) {
      $('plots').hidden = false;
      this.plots = new Plots(data, motion.times, $('plots'), (time) => this.player.show(time));
    }
    $('fold').hidden = !data.plots.length;
    this.player.show(motion.start);
  }
}

/** Makes the page, and says that it is there, or why not. */
export async function start(make) {
  try {
    const began = performance.now();
    const page = await make();
    window.kinworld = page;
    page.milliseconds = performance.now() - began;
    document.body.classList.remove('loading');
    requestAnimationFrame(() => requestAnimationFrame(() => (document.body.dataset.ready = 'true')));
  } catch (error) {
    const problem = $('problem');
    problem.hidden = false;
    problem.textContent = `This page cannot be shown here: ${error.message}. It needs a browser with WebGL 2, of 2023 or later.`;
    document.body.classList.remove('loading');
    console.error(error);
  }
}

/** Dark or light, as the system is, until the button is pressed. */
function theme(page) {
  const system = matchMedia('(prefers-color-scheme: dark)');
  let chosen = null;
  const apply = () => {
    const name = chosen ?? (system.matches ? 'dark' : 'light');
    document.documentElement.dataset.theme = name;
    page.stage.theme(name);
    page.plots?.retheme(name);
  };
  system.addEventListener('change', apply);
  $('theme').addEventListener('click', () => {
    chosen = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    apply();
  });
  apply();
}

async function save(page) {
  const blob = await page.stage.png();
  const name = page.data.title.replace(/[^\p{L}\p{N}_-]+/gu, '_') || 'picture';
  const link = element('a', { href: URL.createObjectURL(blob), download: `${name}.png` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function fold(id, button) {
  const closed = $(id).classList.toggle('closed');
  button.setAttribute('aria-expanded', String(!closed));
}

/** A click, not a drag, chooses what is under it. */
function pointing(page) {
  const { stage } = page;
  let down = null;
  stage.canvas.addEventListener('pointerdown', (event) => (down = [event.clientX, event.clientY]));
  stage.canvas.addEventListener('pointerup', (event) => {
    if (!down || page.busy || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
    const { left, top, width, height } = stage.canvas.getBoundingClientRect();
    page.choose(page.model.pick((2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height));
  });
}

function keys(page) {
  page.stage.canvas.addEventListener('keydown', (event) => {
    if (page.stage.key(event)) event.preventDefault();
  });
  addEventListener('keydown', (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA|BUTTON)$/.test(event.target.tagName) && event.target.type !== 'range';
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === ' ' && page.player) page.player.play(!page.player.playing);
    else if (event.key === 'f') page.stage.look();
    else if (event.key === 'Escape') page.choose(null);
    else return;
    event.preventDefault();
  });
}
