// Attach and detach: a rigid object moves with a link.

import { element } from '../text.js';

export class Hold {
  constructor(page, world, place) {
    Object.assign(this, { page, world });
    this.object = element('select', { id: 'hold-object', 'aria-label': 'rigid object' });
    this.link = element('select', { id: 'hold-link', 'aria-label': 'link' });
    this.button = element('button', { type: 'button', class: 'small', id: 'attach', onclick: () => this.act() }, 'attach');
    this.said = element('p', { id: 'held', class: 'hit', 'aria-live': 'polite' });
    this.object.addEventListener('change', () => this.refresh());
    place.append(element('h2', {}, 'Attach'), element('div', { class: 'hold' }, this.object, this.link, this.button), this.said);
    this.section = place;
    this.show();
  }

  /** Shows the objects and links of the page. */
  show() {
    const { model, data } = this.page;
    const before = this.object.value;
    const objects = data.objects.filter(({ kind }) => kind !== 'terrain');
    this.object.replaceChildren(...objects.map(({ name }) => element('option', { value: name }, name)));
    if (objects.some(({ name }) => name === before)) this.object.value = before;
    const groups = model.robots.map((robot, r) => {
      const group = element('optgroup', {}, ...robot.links.map((link, i) => element('option', { value: `${r} ${i}` }, link.name)));
      group.label = robot.name;
      return group;
    });
    this.link.replaceChildren(...groups);
    const last = model.robots[0]?.links.length - 1;
    if (last >= 0) this.link.value = `0 ${last}`;
    this.section.hidden = objects.length === 0 || model.robots.length === 0;
    this.refresh();
  }

  refresh() {
    const { model, data } = this.page;
    const object = data.objects.find(({ name, kind }) => kind !== 'terrain' && name === this.object.value);
    const on = object?.attached;
    if (on) this.link.value = `${on.robot} ${on.link}`;
    this.link.disabled = Boolean(on);
    this.button.textContent = on ? 'detach' : 'attach';
    this.button.dataset.does = on ? 'detach' : 'attach';
    this.model = model;
  }

  async act() {
    const { model } = this.page;
    const [r, i] = this.link.value.split(' ').map(Number);
    const robot = model.robots[r];
    const request = this.button.dataset.does === 'detach'
      ? { op: 'detach', object: this.object.value }
      : { op: 'attach', object: this.object.value, robot: robot.name, link: robot.links[i].name };
    try {
      await this.world.link.ask(request);
      this.said.textContent = '';
      this.world.missed = true;
      this.world.check();
    } catch (error) {
      this.said.textContent = error.message;
    }
  }
}
