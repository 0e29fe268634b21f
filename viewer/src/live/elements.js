// Elements come and go: files that are loaded into the world, and elements that are removed from it.

import { element } from '../text.js';

export class Elements {
  constructor(page, world, place) {
    Object.assign(this, { page, world });
    this.file = element('input', { type: 'text', id: 'load-file', placeholder: 'file, such as crate.obj', 'aria-label': 'file to load', spellcheck: 'false', autocomplete: 'off' });
    this.add = element('button', { type: 'button', class: 'small', id: 'load', onclick: () => this.load() }, 'load');
    this.one = element('select', { id: 'remove-element', 'aria-label': 'element to remove' });
    this.away = element('button', { type: 'button', class: 'small', id: 'remove', onclick: () => this.remove() }, 'remove');
    this.said = element('p', { id: 'loaded', 'aria-live': 'polite' });
    this.file.addEventListener('keydown', (event) => event.key === 'Enter' && this.load());
    place.append(
      element('h2', {}, 'Load and remove'),
      element('div', { class: 'tools' }, this.file, this.add),
      element('div', { class: 'tools' }, this.one, this.away),
      this.said,
    );
    // a page without a server has no files
    place.hidden = Boolean(page.local);
    this.show();
  }

  /** Lists the elements of the page. */
  show() {
    const { robots, objects } = this.page.data;
    const names = [...robots, ...objects].map(({ name }) => name);
    this.one.replaceChildren(...names.map((name) => element('option', { value: name }, name)));
    this.one.disabled = this.away.disabled = names.length === 0;
  }

  async load() {
    const file = this.file.value.trim();
    if (!file) return;
    await this.ask({ op: 'load', file }, ({ added, warnings }) => {
      this.file.value = '';
      return [`added: ${added.join(', ')}`, ...warnings].join('\n');
    });
  }

  async remove() {
    await this.ask({ op: 'remove', element: this.one.value }, () => '');
  }

  async ask(request, words) {
    this.add.disabled = this.away.disabled = true;
    try {
      this.said.textContent = words(await this.world.link.ask(request));
      this.said.className = 'dim';
    } catch (error) {
      this.said.textContent = error.message;
      this.said.className = 'hit';
    }
    this.add.disabled = false;
    this.show();
  }
}
