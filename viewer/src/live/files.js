// What was said of the files: warnings, and errors with the lines that they are about.

import { element } from '../text.js';

export function files(event, place) {
  const cards = event.diagnostics.map(({ severity, text, place: at, element: name, help, excerpt }) => {
    const kind = ['error', 'warning'].includes(severity) ? severity : '';
    const said = name && !text.includes(name) ? `${name}: ${text}` : text;
    return element(
      'article', { class: `note ${kind}` },
      element('p', {}, element('strong', {}, `${severity}: `), said),
      at ? element('p', { class: 'place' }, at) : null,
      excerpt ? element('pre', { class: 'excerpt' }, excerpt.replace(/\n$/, '')) : null,
      help ? element('p', { class: 'help' }, help) : null,
    );
  });
  if (!event.ok) cards.unshift(element('p', { class: 'hit' }, 'The files have an error: this is the world as it was.'));
  if (event.left_out) cards.push(element('p', { class: 'dim' }, `and ${event.left_out} more`));
  // warnings are folded away, errors are not
  const isFolded = event.ok && cards.length > 0;
  const title = `${event.diagnostics.length} ${event.diagnostics.length === 1 ? 'warning' : 'warnings'} about the files`;
  place.replaceChildren(...(isFolded ? [element('details', {}, element('summary', {}, title), ...cards)] : cards));
  place.hidden = cards.length === 0;
}
