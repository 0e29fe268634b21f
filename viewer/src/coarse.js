// Coarse meshes: vertices that share a cell of a grid become one.

import { BufferAttribute, BufferGeometry } from 'three';

/** Meshes of fewer triangles stay as they are. */
const FEW = 500;
/** Cells along the longest side of a mesh. */
const CELLS = 20;

const made = new WeakMap();

/** A geometry with the vertices of another and fewer triangles; itself where these are few. */
export function coarse(geometry) {
  if (!geometry.index || geometry.index.count < 3 * FEW) return geometry;
  let known = made.get(geometry);
  if (!known) {
    known = merged(geometry);
    made.set(geometry, known);
    geometry.addEventListener('dispose', () => known.dispose());
  }
  return known;
}

function merged(geometry) {
  const { position } = geometry.attributes;
  geometry.computeBoundingBox();
  const { min, max } = geometry.boundingBox;
  const size = Math.max(max.x - min.x, max.y - min.y, max.z - min.z) / CELLS || 1;
  const cell = (x, from) => Math.floor((x - from) / size);
  // the number of a cell: there are CELLS + 1 along a side, with that of the largest coordinates
  const key = (i) => cell(position.getX(i), min.x) + (CELLS + 1) * (cell(position.getY(i), min.y) + (CELLS + 1) * cell(position.getZ(i), min.z));
  // of the vertices of a cell the one nearest to their mean stands for all
  const numbers = new Map();
  const cells = [];
  const own = new Uint32Array(position.count);
  for (let i = 0; i < position.count; i++) {
    const at = key(i);
    if (!numbers.has(at)) {
      numbers.set(at, cells.length);
      cells.push({ n: 0, x: 0, y: 0, z: 0, best: i, distance: Infinity });
    }
    own[i] = numbers.get(at);
    const sum = cells[own[i]];
    sum.n++;
    sum.x += position.getX(i);
    sum.y += position.getY(i);
    sum.z += position.getZ(i);
  }
  for (let i = 0; i < position.count; i++) {
    const sum = cells[own[i]];
    const distance = Math.hypot(position.getX(i) - sum.x / sum.n, position.getY(i) - sum.y / sum.n, position.getZ(i) - sum.z / sum.n);
    if (distance < sum.distance) Object.assign(sum, { best: i, distance });
  }
  const out = new BufferGeometry();
  for (const [name, attribute] of Object.entries(geometry.attributes)) out.setAttribute(name, attribute);
  const from = geometry.index.array;
  const indices = [];
  const groups = geometry.groups.length ? geometry.groups : [{ start: 0, count: from.length, materialIndex: 0 }];
  for (const { start, count, materialIndex } of groups) {
    const begin = indices.length;
    for (let k = start; k < start + count; k += 3) {
      const [a, b, c] = [0, 1, 2].map((corner) => cells[own[from[k + corner]]].best);
      if (a !== b && b !== c && c !== a) indices.push(a, b, c);
    }
    out.addGroup(begin, indices.length - begin, materialIndex);
  }
  out.setIndex(new BufferAttribute(new Uint32Array(indices), 1));
  out.boundingSphere = geometry.boundingSphere;
  out.boundingBox = geometry.boundingBox;
  return out;
}
