// Moving what is chosen: a link by inverse kinematics, a rigid object by its pose; with a gizmo, or with sliders.

import { Matrix4, Object3D } from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { rollPitchYaw } from '../kinematics.js';
import { element, number } from '../text.js';
import { ofAngles, ofMatrix, rowsOf } from './poses.js';

const AXES = ['x', 'y', 'z', 'roll', 'pitch', 'yaw'];
const UNITS = ['m', 'm', 'm', '°', '°', '°'];

export class Move {
  constructor(page, world, place) {
    Object.assign(this, { page, world, body: null, running: false, target: null, groups: new Map() });
    const { stage } = page;
    this.handle = new Object3D();
    stage.scene.add(this.handle);
    this.gizmo = new TransformControls(stage.camera, stage.canvas);
    this.gizmo.setSize(0.8);
    stage.scene.add(this.gizmo.getHelper());
    this.gizmo.addEventListener('change', () => stage.draw());
    this.gizmo.addEventListener('dragging-changed', ({ value }) => {
      stage.controls.enabled = !value;
      page.busy = value;
      if (!value) this.settle();
    });
    // a click on the gizmo chooses nothing behind it
    stage.canvas.addEventListener('pointerdown', () => (page.busy = Boolean(this.gizmo.axis)), true);
    this.gizmo.addEventListener('objectChange', () => {
      this.handle.updateMatrixWorld();
      this.go(ofMatrix(this.handle.matrixWorld));
    });
    this.controls(place);
    this.choose(null);
  }

  controls(place) {
    const mode = (name, label) => {
      const button = element('button', { type: 'button', class: 'small', id: `gizmo-${name}`, 'aria-pressed': String(name === 'translate'), onclick: () => this.mode(name) }, label);
      return [name, button];
    };
    this.buttons = new Map([mode('translate', 'move'), mode('rotate', 'turn')]);
    this.space = element('select', { id: 'space', 'aria-label': 'axes' }, element('option', { value: 'world' }, 'axes of the world'), element('option', { value: 'local' }, 'own axes'));
    this.space.addEventListener('change', () => this.gizmo.setSpace(this.space.value));
    this.free = element('input', { type: 'checkbox', id: 'free-orientation' });
    this.group = element('select', { id: 'group', 'aria-label': 'joints that move' });
    this.freeLabel = element('label', { class: 'check' }, this.free, 'any orientation');
    this.said = element('p', { id: 'reached', 'aria-live': 'polite' });
    this.rows = AXES.map((axis, k) => {
      const slider = element('input', { type: 'range', step: 'any', 'aria-label': axis });
      slider.dataset.task = axis;
      const value = element('output', { class: 'value' });
      slider.addEventListener('input', () => this.slid());
      return { slider, value, row: element('div', { class: 'joint task' }, element('label', {}, axis), value, element('span', { class: 'unit' }, UNITS[k]), slider) };
    });
    this.empty = element('p', { class: 'dim' }, 'choose a link or a rigid object to move it');
    this.tools = element(
      'div', {},
      element('div', { class: 'tools' }, ...this.buttons.values(), this.space),
      this.freeLabel, this.group, this.said,
      element('details', { id: 'task' }, element('summary', {}, 'sliders of its pose'), ...this.rows.map(({ row }) => row)),
    );
    place.append(element('h2', {}, 'Move what is chosen'), this.empty, this.tools);
  }

  mode(name) {
    this.gizmo.setMode(name);
    for (const [other, button] of this.buttons) button.setAttribute('aria-pressed', String(other === name));
  }

  /** Groups of joints of robots, as `info` lists them. */
  setGroups(robots) {
    this.groups = new Map(robots.map(({ name, groups }) => [name, (groups ?? []).map((group) => group.name)]));
    this.choose(this.body);
  }

  /** Moves another body from now on; nothing for one that cannot be moved. */
  choose(body) {
    const object = body && !body.robot ? this.page.data.objects[body.index - this.page.model.firstObject] : null;
    this.body = body && body.kind !== 'terrain' && !object?.attached ? body : null;
    this.empty.hidden = Boolean(this.body);
    this.tools.hidden = !this.body;
    this.said.textContent = '';
    if (!this.body) {
      this.gizmo.detach();
      this.empty.textContent = object?.attached ? 'this object is attached: it moves with its link' : 'choose a link or a rigid object to move it';
      return;
    }
    const { robot } = this.body;
    const groups = robot ? this.groups.get(robot.name) ?? [] : [];
    this.freeLabel.hidden = !robot;
    this.group.hidden = !groups.length;
    this.group.replaceChildren(element('option', { value: '' }, 'all joints move'), ...groups.map((name) => element('option', { value: name }, `group ${name}`)));
    this.settle();
    this.gizmo.attach(this.handle);
  }

  /** Puts gizmo and sliders where the body is. */
  settle() {
    if (!this.body || this.gizmo.dragging) return;
    const m = this.body.pose;
    new Matrix4().set(...m, 0, 0, 0, 1).decompose(this.handle.position, this.handle.quaternion, this.handle.scale);
    this.handle.updateMatrixWorld();
    const reach = this.page.stage.radius * 2;
    const values = [m[3], m[7], m[11], ...rollPitchYaw(m).map((x) => (x * 180) / Math.PI)];
    this.rows.forEach(({ slider, value }, k) => {
      if (document.activeElement !== slider) {
        const center = [this.page.stage.box.getCenter(this.page.stage.box.min.clone()).toArray(), 0, 0, 0].flat()[k];
        const size = k < 3 ? reach : 180;
        slider.min = String(center - size);
        slider.max = String(center + size);
        slider.value = String(values[k]);
      }
      slider.style.setProperty('--part', `${(100 * (values[k] - slider.min)) / (slider.max - slider.min)}%`);
      value.textContent = number(values[k], k < 3 ? 3 : 1);
    });
    this.page.stage.draw();
  }

  slid() {
    const values = this.rows.map(({ slider }) => Number(slider.value));
    this.go(ofAngles(values.slice(0, 3), values.slice(3).map((x) => (x * Math.PI) / 180)));
  }

  /** Moves the body to a pose, or as near to it as its robot comes. */
  go(pose) {
    const { body } = this;
    if (!body) return;
    if (!body.robot) {
      this.page.model.setObject(body.index, pose);
      this.page.model.update();
      this.page.inspector.refresh();
      this.world.movedObject(body.index);
      this.settle();
      return;
    }
    this.target = pose;
    this.run();
  }

  /** Asks for one configuration at a time, always for the latest target. */
  async run() {
    if (this.running) return;
    this.running = true;
    while (this.target) {
      const { body, target } = this;
      this.target = null;
      const { model } = this.page;
      const r = model.robots.indexOf(body.robot);
      const { rotation, translation: position } = rowsOf(target);
      const request = { op: 'ik', robot: body.robot.name, link: body.link.name, position, q: Array.from(model.q[r]), starts: 1, tolerance: 1e-6 };
      if (!this.free.checked) request.rotation = rotation;
      if (this.group.value) request.group = this.group.value;
      try {
        const { success, q, reason } = await this.world.link.ask(request);
        if (model !== this.page.model) break;
        model.setConfig(r, q);
        model.update();
        this.page.joints.refresh();
        this.page.inspector.refresh();
        this.said.textContent = success ? '' : reason ?? 'the target is not reached';
        this.said.className = success ? '' : 'hit';
        this.world.moved(r);
        this.settle();
      } catch (error) {
        this.said.textContent = error.message;
        this.said.className = 'hit';
      }
    }
    this.running = false;
  }
}
