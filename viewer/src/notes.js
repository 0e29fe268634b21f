// Notes: answers, diagnostics and collisions. Names of elements in them are buttons that choose these.

import { element } from './text.js';

/** The texts of the page, with names as buttons. */
export function notes(data, model, place, choose) {
  const named = names(model);
  for (const note of data.notes) {
    const card = element('article', { class: `note ${['error', 'warning'].includes(note.severity) ? note.severity : ''}` });
    const body = element('p', {});
    if (note.severity) body.append(element('strong', {}, `${note.severity}: `));
    if (note.element && !note.text.startsWith(note.element)) body.append(...linked(note.element, named, choose), ': ');
    body.append(...linked(note.text, named, choose));
    card.append(body);
    if (note.place) card.append(element('p', { class: 'place' }, note.place));
    if (note.excerpt) card.append(element('pre', { class: 'excerpt' }, note.excerpt.replace(/\n$/, '')));
    if (note.help) card.append(element('p', { class: 'help' }, ...linked(note.help, named, choose)));
    place.append(card);
  }
  for (const text of data.left_out) place.append(element('article', { class: 'note' }, `not drawn: ${text}`));
}

/** Bodies by the names of links, joints, robots, objects and terrains. */
function names(model) {
  const named = new Map();
  const add = (name, body) => name && !named.has(name) && named.set(name, body);
  for (const body of model.bodies) {
    add(body.name, body);
    if (body.robot) add(`${body.robot.name}[${body.name}]`, body);
  }
  for (const body of model.bodies) add(body.link?.joint, body);
  for (const robot of model.robots) add(robot.name, model.bodies[robot.first]);
  return named;
}

/** Text in which each name between backticks is a button. */
function linked(text, named, choose) {
  return text.split('`').map((part, i) => {
    const body = i % 2 ? named.get(part) : null;
    if (body) return button(part, body, choose);
    return i % 2 ? element('code', {}, part) : element('span', {}, ...bare(part, named, choose));
  });
}

/** Text in which each word that can only be a name, such as `link_3`, is a button. */
function bare(text, named, choose) {
  return text.split(/([\w.-]*[\d_][\w-]*)/).map((word, i) => {
    const body = i % 2 ? named.get(word) : null;
    return body ? button(word, body, choose) : word;
  });
}

function button(text, body, choose) {
  return element('button', { type: 'button', class: 'link', onclick: () => choose(body) }, text);
}

/** The list of pairs that collide; null where that is not known. */
export class Collisions {
  constructor(model, place, choose) {
    this.model = model;
    this.place = place;
    this.choose = choose;
    this.last = undefined;
  }

  show(pairs) {
    if (JSON.stringify(pairs) === this.last) return;
    this.last = JSON.stringify(pairs);
    this.model.collide(pairs);
    this.place.hidden = pairs === undefined;
    if (pairs === undefined) return;
    if (pairs === null) {
      this.place.replaceChildren(element('p', { class: 'dim' }, 'collisions are known for what was exported only: press reset, or move the scrubber'));
      return;
    }
    const name = (index) => {
      const body = this.model.bodies[index];
      return element('button', { type: 'button', class: 'link', onclick: () => this.choose(body) }, body.name || body.kind);
    };
    const head = pairs.length === 0 ? 'no collision' : pairs.length === 1 ? '1 pair collides' : `${pairs.length} pairs collide`;
    const list = pairs.slice(0, 50).map(([a, b]) => element('li', {}, name(a), ' and ', name(b)));
    this.place.replaceChildren(element('p', { class: pairs.length ? 'hit' : 'free' }, head), element('ul', {}, ...list));
  }
}
