// Elements of the page: what names say is text, never markup.

/** An element with attributes, properties and children; strings become text. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (name in made && typeof value !== 'string') made[name] = value;
    else if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** A number with so many digits that matter, without trailing zeros. */
export function number(x, digits = 4) {
  if (!Number.isFinite(x)) return '–';
  if (Math.abs(x) < 1e-9) return '0';
  const text = Math.abs(x) >= 1e5 || (x !== 0 && Math.abs(x) < 1e-4) ? x.toExponential(2) : x.toFixed(digits);
  const short = text.includes('e') ? text : text.replace(/\.?0+$/, '');
  return short === '-0' || short === '' ? '0' : short.replace('-', '−');
}
