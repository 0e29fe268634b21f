// What is chosen: name, pose, mass.

import { rollPitchYaw } from './kinematics.js';
import { element, number } from './text.js';

export class Inspector {
  constructor(model, place, list) {
    this.model = model;
    this.place = place;
    this.list = list;
    const option = (body) => element('option', { value: String(body.index) }, body.name || `(${body.kind} ${body.index})`);
    const groups = model.robots.map((robot) => {
      const group = element('optgroup', {}, ...model.bodies.filter((body) => body.robot === robot).map(option));
      group.label = robot.name;
      return group;
    });
    const others = model.bodies.filter((body) => !body.robot);
    if (others.length) {
      const group = element('optgroup', {}, ...others.map(option));
      group.label = 'objects and terrains';
      groups.push(group);
    }
    list.append(element('option', { value: '' }, 'nothing chosen'), ...groups);
    list.onchange = () => this.choose(list.value === '' ? null : model.bodies[Number(list.value)]);
    this.choose(null);
  }

  choose(body) {
    this.body = body;
    this.model.choose(body);
    this.list.value = body ? String(body.index) : '';
    this.refresh();
  }

  refresh() {
    const { body } = this;
    this.place.hidden = !body;
    if (!body) return;
    const rows = [];
    const row = (name, value) => rows.push(element('dt', {}, name), element('dd', {}, value));
    row(body.kind, body.name || '(no name)');
    if (body.robot) row('robot', body.robot.name);
    if (body.link?.joint) row('joint', body.link.joint);
    const list = (values, digits, unit) => `${values.map((x) => number(x, digits)).join(', ')} ${unit}`;
    row('position', list([3, 7, 11].map((k) => body.pose[k]), 4, 'm'));
    row('roll, pitch, yaw', list(rollPitchYaw(body.pose).map((x) => (x * 180) / Math.PI), 2, '°'));
    row('mass', body.inertia ? `${number(body.inertia.mass, 3)} kg` : 'none');
    if (body.inertia) row('centre of mass', list(body.inertia.com, 4, 'm'));
    this.place.replaceChildren(element('dl', {}, ...rows));
  }
}
