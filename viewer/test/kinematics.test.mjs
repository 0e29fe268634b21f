// Poses in the page are those of the library, for every robot of the project.

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import test from 'node:test';
import { linkPoses, product, rollPitchYaw, setDof } from '../src/kinematics.js';
import { inflate, unpack } from '../src/data.js';
import { answersOfTool } from './module.mjs';
import { dataOf, page, root } from './tools.mjs';

const below = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => /\.(rob|urdf)$/.test(name))
    .sort()
    .map((name) => `${folder}/${name}`);
const corpus = process.env.KINWORLD_CORPUS;
const real = corpus ? [`${corpus}/klampt/robots`, `${corpus}/motion_bench`].filter((folder) => existsSync(folder)).flatMap(below) : [];
const others = ['data/mjcf/arm.xml', 'data/mjcf/walker.xml', 'data/sdf/frames.sdf', 'data/sdf/joints.sdf'].map((path) => root + path);

/** Numbers between -1 and 1, the same in every run. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/** Files of the corpus that have an error. */
const WRONG = ['3cylinderhand.rob', 'blank.rob', 'sphere.rob'];

for (const file of [...below(`${root}data/robots`), ...others, ...real]) {
  test(`poses of ${file.replace(root, '').replace(corpus ?? root, 'corpus')}`, () => {
    if (file.startsWith(corpus) && WRONG.includes(basename(file))) {
      assert.throws(() => page('kinematics', file, '--no-meshes'));
      return;
    }
    const { robots } = dataOf(page('kinematics', file, '--no-meshes'));
    assert.ok(robots.length > 0);
    for (const robot of robots) {
      const next = random(7);
      const all = [0, 1, 2].map(() => robot.dofs.map(() => 2 * next()));
      const [{ answers }] = answersOfTool([{ op: 'fk', robot: robot.name, q: all }], file, '--no-meshes');
      all.forEach((q, k) => {
        const poses = linkPoses(robot, q);
        const { links } = answers[k];
        assert.equal(links.length, poses.length);
        links.forEach((link, i) => {
          const expected = link.rotation.flatMap((row, k) => [...row, link.translation[k]]);
          poses[i].forEach((x, j) => assert.ok(Math.abs(x - expected[j]) <= 1.2e-6 * (1 + Math.abs(expected[j])), `${link.name}: ${x} and ${expected[j]}`));
        });
      });
    }
  });
}

if (!corpus) test('poses of real robots', { skip: 'KINWORLD_CORPUS names no folder' }, () => {});

test('mimic joints move with the joint that they follow', () => {
  const robot = { couplings: [{ dofs: [0, 2], scale: [1, -0.5], offset: [0, 0.1] }] };
  const q = [0, 0, 0];
  setDof(robot, q, 0, 0.4);
  assert.deepEqual(q, [0.4, 0, -0.1]);
  setDof(robot, q, 2, 0.6);
  assert.ok(Math.abs(q[0] + 1) < 1e-12);
});

test('roll, pitch and yaw give their rotation back', () => {
  const turn = (k, a) => {
    const [s, c] = [Math.sin(a), Math.cos(a)];
    return [[1, 0, 0, 0, 0, c, -s, 0, 0, s, c, 0], [c, 0, s, 0, 0, 1, 0, 0, -s, 0, c, 0], [c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0]][k];
  };
  for (const [r, p, y] of [[0.3, -1.2, 2.8], [-3, 0.1, 0], [0, 0, 0]]) {
    const found = rollPitchYaw(product(turn(2, y), product(turn(1, p), turn(0, r))));
    [r, p, y].forEach((x, k) => assert.ok(Math.abs(x - found[k]) < 1e-12));
  }
});

test('a mesh comes out of the page as it went in', async () => {
  const data = dataOf(page('mesh', `${root}data/meshes/cube.off`));
  const buffer = await inflate(data.buffer);
  const numbers = { shorts: (at, n) => new Uint16Array(buffer, at, n), longs: (at, n) => new Uint32Array(buffer, at, n) };
  const [mesh] = data.meshes;
  const { positions, indices } = unpack(numbers, mesh);
  assert.equal(positions.length, 24);
  assert.equal(indices.length, 36);
  // the volume inside, by the divergence theorem
  let volume = 0;
  for (let i = 0; i < 36; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => Array.from(positions.subarray(3 * indices[i + k], 3 * indices[i + k] + 3)));
    volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6;
  }
  const size = [0, 1, 2].map((k) => mesh.max[k] - mesh.min[k]);
  assert.ok(Math.abs(volume - size[0] * size[1] * size[2]) < 1e-6 * volume);
});
