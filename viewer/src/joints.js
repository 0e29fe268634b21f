// Sliders of the joints, by robot.

import { element, number } from './text.js';

const DEGREE = Math.PI / 180;

export class Joints {
  constructor(model, place, changed) {
    this.model = model;
    this.changed = changed;
    this.degrees = false;
    this.rows = [];
    const n = model.robots.reduce((sum, robot) => sum + robot.dofs.length, 0);
    this.search = element('input', { type: 'search', id: 'search', placeholder: `find one of ${n} joints`, 'aria-label': 'find a joint', oninput: () => this.filter() });
    this.search.hidden = n < 9;
    place.append(this.search, ...model.robots.map((robot, r) => this.robot(robot, r)));
    if (n === 0) place.append(element('p', { class: 'empty' }, 'nothing here has a joint'));
  }

  robot(robot, r) {
    const group = element('details', { class: 'robot', open: true });
    const reset = element('button', { type: 'button', class: 'small', title: 'back to the configuration of the file', onclick: () => this.setAll(r, robot.q) }, 'reset');
    group.append(element('summary', {}, element('span', { class: 'name' }, robot.name), element('span', { class: 'count' }, `${robot.dofs.length} dof${robot.dofs.length === 1 ? '' : 's'}`)));
    const tools = element('div', { class: 'tools' }, reset);
    if (robot.states.length) tools.append(this.states(robot, r));
    group.append(tools);
    robot.dofs.forEach((dof, d) => {
      if (!dof.weld) group.append(this.row(robot, r, dof, d));
    });
    return group;
  }

  states(robot, r) {
    const options = robot.states.map((state, i) => element('option', { value: String(i) }, state.group ? `${state.group}: ${state.name}` : state.name));
    const select = element('select', { 'aria-label': `named states of ${robot.name}` }, element('option', { value: '' }, 'named state …'), ...options);
    select.addEventListener('change', () => {
      const state = robot.states[Number(select.value)];
      if (select.value === '' || !state) return;
      const q = Array.from(this.model.q[r]);
      for (const [dof, value] of state.values) q[dof] = value;
      this.setAll(r, q);
      select.value = '';
    });
    return select;
  }

  row(robot, r, dof, d) {
    const wide = dof.slides ? 1 : Math.PI;
    const [low, high] = [dof.min ?? Math.min(-wide, robot.q[d] - wide), dof.max ?? Math.max(wide, robot.q[d] + wide)];
    const slider = element('input', { type: 'range', min: String(low), max: String(high), step: String((high - low) / 1000 || 0.001), 'aria-label': dof.name });
    slider.dataset.joint = dof.name;
    slider.dataset.robot = robot.name;
    const box = element('input', { type: 'text', inputmode: 'decimal', class: 'value', 'aria-label': `${dof.name}, value` });
    const unit = element('span', { class: 'unit' });
    const row = element('div', { class: 'joint' }, element('label', { title: dof.name }, dof.name), box, unit, slider);
    slider.addEventListener('input', () => this.set(r, d, Number(slider.value)));
    slider.addEventListener('dblclick', () => this.set(r, d, robot.q[d]));
    box.addEventListener('change', () => {
      const value = Number(box.value.replace('−', '-').replace(',', '.'));
      if (Number.isFinite(value) && box.value.trim() !== '') this.set(r, d, this.degrees && !dof.slides ? value * DEGREE : value);
      else this.refresh();
    });
    this.rows.push({ row, slider, box, unit, r, d, dof, low, high, name: dof.name.toLowerCase() });
    return row;
  }

  set(r, d, value) {
    this.model.set(r, d, value);
    this.changed(r);
  }

  setAll(r, q) {
    this.model.setConfig(r, q);
    this.model.update();
    this.changed(r);
  }

  /** Shows the configurations of the model. */
  refresh() {
    for (const { slider, box, unit, r, d, dof, low, high } of this.rows) {
      const q = this.model.q[r][d];
      if (document.activeElement !== slider || Number(slider.value) !== q) slider.value = String(q);
      slider.style.setProperty('--part', `${(100 * (Math.min(Math.max(q, low), high) - low)) / (high - low || 1)}%`);
      slider.classList.toggle('beyond', q < low - 1e-9 || q > high + 1e-9);
      const angle = this.degrees && !dof.slides;
      if (document.activeElement !== box) box.value = number(angle ? q / DEGREE : q, angle ? 1 : 3);
      unit.textContent = dof.slides ? 'm' : this.degrees ? '°' : 'rad';
      slider.setAttribute('aria-valuetext', `${box.value} ${unit.textContent}`);
    }
  }

  filter() {
    const words = this.search.value.toLowerCase();
    for (const { row, name } of this.rows) row.hidden = !name.includes(words);
  }
}
