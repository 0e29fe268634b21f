// The page: puts its parts together.

import { read } from './data.js';
import { Inspector } from './inspect.js';
import { Joints } from './joints.js';
import { Model } from './model.js';
import { Motion } from './motion.js';
import { Collisions, notes } from './notes.js';
import { Player } from './player.js';
import { Plots } from './plots.js';
import { Stage } from './stage.js';
import { element } from './text.js';

const $ = (id) => document.getElementById(id);

const TOGGLES = [
  ['visual', 'visual', true],
  ['collision', 'collision', false],
  ['frames', 'link frames', false],
  ['com', 'centres of mass', false],
  ['inertia', 'inertia boxes', false],
  ['grid', 'grid', true],
];

async function start() {
  const began = performance.now();
  const data = await read($('data'));
  document.title = data.title;
  $('title').textContent = data.title;
  $('made').textContent = data.generator;
  const stage = new Stage($('canvas'));
  const model = new Model(data, stage);
  const page = { data, stage, model, player: null, plots: null };

  const inspector = new Inspector(model, $('chosen'), $('bodies'));
  const choose = (body) => inspector.choose(body);
  notes(data, model, $('notes'), choose);
  $('notes').hidden = !$('notes').hasChildNodes();

  const collisions = new Collisions(model, $('collisions'), choose);
  const motion = data.motion ? new Motion(data) : null;
  const isAsLoaded = () => model.q.every((q, r) => q.every((x, i) => x === data.robots[r].q[i]));
  const changed = () => {
    page.player?.play(false);
    inspector.refresh();
    if (data.collisions || motion?.collisions) collisions.show(data.collisions && isAsLoaded() ? data.collisions : null);
  };
  const joints = new Joints(model, $('joints'), changed);

  for (const [what, label, on] of TOGGLES) {
    const box = element('input', { type: 'checkbox', id: `show-${what}`, checked: on });
    box.addEventListener('change', () => model.toggle(what, box.checked));
    $('toggles').append(element('label', { class: 'check' }, box, label));
  }
  const degrees = element('input', { type: 'checkbox', id: 'degrees' });
  degrees.addEventListener('change', () => {
    joints.degrees = degrees.checked;
    joints.refresh();
  });
  $('toggles').append(element('label', { class: 'check' }, degrees, 'degrees'));

  if (motion) {
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
    stage.frame(boxes);
    const shown = (time) => {
      move(time);
      joints.refresh();
      inspector.refresh();
      if (motion.collisions) collisions.show(motion.collisionsAt(time));
      page.plots?.show(time);
    };
    page.player = new Player(motion, $('player'), shown);
    if (data.plots.length) {
      $('plots').hidden = false;
      page.plots = new Plots(data, motion.times, $('plots'), (time) => page.player.show(time));
    }
    $('fold').hidden = !data.plots.length;
    page.player.show(motion.start);
  } else {
    joints.refresh();
    if (data.collisions) collisions.show(data.collisions);
  }

  theme(page);
  $('fit').addEventListener('click', () => stage.look());
  $('png').addEventListener('click', () => save(page));
  $('menu').addEventListener('click', () => fold('panel', $('menu')));
  $('fold').addEventListener('click', () => fold('plots', $('fold')));
  // a phone begins with the picture
  if (matchMedia('(max-width: 700px)').matches) {
    fold('panel', $('menu'));
    if (page.plots) fold('plots', $('fold'));
  }
  pointing(page, choose);
  keys(page, choose);
  stage.resize();
  stage.look();
  model.toggle('visual', true);
  window.kinworld = page;
  page.milliseconds = performance.now() - began;
  document.body.classList.remove('loading');
  requestAnimationFrame(() => requestAnimationFrame(() => (document.body.dataset.ready = 'true')));
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
function pointing({ stage, model }, choose) {
  let down = null;
  stage.canvas.addEventListener('pointerdown', (event) => (down = [event.clientX, event.clientY]));
  stage.canvas.addEventListener('pointerup', (event) => {
    if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
    const { left, top, width, height } = stage.canvas.getBoundingClientRect();
    choose(model.pick((2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height));
  });
}

function keys(page, choose) {
  page.stage.canvas.addEventListener('keydown', (event) => {
    if (page.stage.key(event)) event.preventDefault();
  });
  addEventListener('keydown', (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA|BUTTON)$/.test(event.target.tagName) && event.target.type !== 'range';
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === ' ' && page.player) page.player.play(!page.player.playing);
    else if (event.key === 'f') page.stage.look();
    else if (event.key === 'Escape') choose(null);
    else return;
    event.preventDefault();
  });
}

start().catch((error) => {
  const problem = $('problem');
  problem.hidden = false;
  problem.textContent = `This page cannot be shown here: ${error.message}. It needs a browser with WebGL 2, of 2023 or later.`;
  document.body.classList.remove('loading');
  console.error(error);
});
