// Arcs and screws of the page end where they should.

import assert from 'node:assert/strict';
import test from 'node:test';
import { ofAngles } from '../src/live/poses.js';
import { arc, line, screw } from '../src/live/paths.js';

/** A vector turned about a unit axis (Rodrigues). */
function turned(v, [x, y, z], angle) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const along = (x * v[0] + y * v[1] + z * v[2]) * (1 - c);
  return [v[0] * c + (y * v[2] - z * v[1]) * s + x * along, v[1] * c + (z * v[0] - x * v[2]) * s + y * along, v[2] * c + (x * v[1] - y * v[0]) * s + z * along];
}
const about = (p, center, axis, angle) => turned(p.map((x, i) => x - center[i]), axis, angle).map((x, i) => x + center[i]);
const near = (a, b) => a.forEach((x, i) => assert.ok(Math.abs(x - b[i]) < 1e-7, `${a} is not ${b}`));
const position = (m) => [m[3], m[7], m[11]];
const column = (m, j) => [m[j], m[4 + j], m[8 + j]];

test('a screw brings a pose to another', () => {
  const poses = [
    [[0.1, -0.4, 0.7], [0.3, -1.1, 2.2]],
    [[1.2, 0.5, -0.3], [-0.8, 0.4, 0.1]],
    [[-0.6, 0.2, 0.4], [3.1, 0.2, -2]],
    [[0, 0, 0], [0, 0, 0]],
    [[0.2, 0.1, 0], [Math.PI, 0, 0]],
    [[0.2, 0.1, 0], [1e-3 - Math.PI, 0, 0]],
  ].map((pose) => ofAngles(...pose));
  for (const from of poses) {
    for (const to of poses) {
      const piece = screw(from, to);
      if (piece.line) {
        assert.deepEqual(piece, line(to));
        near([0, 1, 2].flatMap((j) => column(from, j)), [0, 1, 2].flatMap((j) => column(to, j)));
        continue;
      }
      const { through, axis, angle, shift } = piece.screw;
      assert.ok(angle > 0 && angle <= Math.PI);
      near(about(position(from), through, axis, angle).map((x, i) => x + shift * axis[i]), position(to));
      for (const j of [0, 1, 2]) near(turned(column(from, j), axis, angle), column(to, j));
    }
  }
});

test('an arc goes through a point to another', () => {
  const [a, b, c] = [[0.5, 0.1, 0.3], [0.2, 0.7, 0.4], [-0.3, 0.2, 0.9]];
  const at = (p) => ofAngles(p, [0.3, 0.2, 0.1]);
  for (const [from, via, to] of [[a, b, c], [c, b, a], [b, a, c], [b, c, a]]) {
    const { center, axis, angle } = arc(at(from), via, at(to)).arc;
    near(about(from, center, axis, angle), to);
    // the point between them is passed before the end
    const between = [...Array(20001).keys()].map((k) => about(from, center, axis, (angle * k) / 20000));
    assert.ok(Math.min(...between.map((p) => Math.hypot(...p.map((x, i) => x - via[i])))) < 1e-4);
  }
  assert.throws(() => arc(at(a), [0, 0, 0], at([-0.5, -0.1, -0.3])), /on one line/);
});
