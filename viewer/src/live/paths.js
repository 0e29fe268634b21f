// Pieces of paths of a link that end at a pose: lines, arcs and screws, for `cartesian`. Poses are 12 numbers, row by row.

import { rowsOf } from './poses.js';

const sub = (a, b) => a.map((x, i) => x - b[i]);
const add = (a, b) => a.map((x, i) => x + b[i]);
const scaled = (a, s) => a.map((x) => x * s);
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];
const norm = (a) => Math.hypot(...a);
const at = (pose) => [pose[3], pose[7], pose[11]];

/** Angles below this are none, rad, and ratios below it are those of points on a line. */
const LEAST = 1e-6;

/** Whether a pose is another one. */
export function stays(from, to) {
  return from.every((x, i) => Math.abs(x - to[i]) < LEAST);
}

/** The straight line to a pose. */
export function line(to) {
  const { rotation, translation: position } = rowsOf(to);
  return { line: { position, rotation } };
}

/** The screw from one pose to another: every motion of a body is one (Chasles). */
export function screw(from, to) {
  const rows = [from, to].map((pose) => rowsOf(pose).rotation);
  const turn = [0, 1, 2].map((i) => [0, 1, 2].map((j) => dot(rows[1][i], rows[0][j])));
  const skew = [turn[2][1] - turn[1][2], turn[0][2] - turn[2][0], turn[1][0] - turn[0][1]];
  const angle = Math.atan2(norm(skew), turn[0][0] + turn[1][1] + turn[2][2] - 1);
  if (angle < LEAST) return line(to);
  const axis = Math.PI - angle > 1e-3 ? scaled(skew, 1 / norm(skew)) : halfTurn(turn, skew);
  const step = sub(at(to), at(from));
  const shift = dot(axis, step);
  const across = sub(step, scaled(axis, shift));
  const middle = add(at(from), scaled(across, 0.5));
  const through = add(middle, scaled(cross(axis, across), 0.5 / Math.tan(angle / 2)));
  return { screw: { through, axis, angle, shift } };
}

/** The axis of a rotation by nearly half a turn: the longest column of its symmetric part, in the direction of its skew part. */
function halfTurn(turn, skew) {
  const cosine = (turn[0][0] + turn[1][1] + turn[2][2] - 1) / 2;
  const columns = [0, 1, 2].map((j) => [0, 1, 2].map((i) => (turn[i][j] + turn[j][i]) / 2 - (i === j ? cosine : 0)));
  const longest = columns.reduce((a, b) => (norm(a) >= norm(b) ? a : b));
  return scaled(longest, (dot(longest, skew) < 0 ? -1 : 1) / norm(longest));
}

/** The arc of a link's frame from its pose through one point to another, which does not turn it. */
export function arc(from, via, to) {
  const [a, b, c] = [at(from), via, at(to)];
  const [ab, ac] = [sub(b, a), sub(c, a)];
  const normal = cross(ab, ac);
  if (norm(normal) <= LEAST * norm(ab) * norm(ac)) throw new Error('start, via and end are on one line');
  const across = sub(scaled(cross(normal, ab), dot(ac, ac)), scaled(cross(normal, ac), dot(ab, ab)));
  const center = add(a, scaled(across, 0.5 / dot(normal, normal)));
  const axis = scaled(normal, 1 / norm(normal));
  const [first, last] = [sub(a, center), sub(c, center)];
  const angle = Math.atan2(dot(axis, cross(first, last)), dot(first, last));
  return { arc: { center, axis, angle: angle > 0 ? angle : angle + 2 * Math.PI } };
}
