// Coarse meshes: fewer triangles, near those that they stand for.

import assert from 'node:assert/strict';
import test from 'node:test';
import { BoxGeometry, CylinderGeometry, Mesh, MeshBasicMaterial, MeshStandardMaterial, Scene, SphereGeometry } from 'three';
import { coarse } from '../src/coarse.js';
import { quicken } from '../src/quick.js';

/** Area of the triangles of each group. */
function areas(geometry) {
  const { position } = geometry.attributes;
  const index = geometry.index.array;
  const corner = (k) => [position.getX(index[k]), position.getY(index[k]), position.getZ(index[k])];
  return geometry.groups.map(({ start, count }) => {
    let sum = 0;
    for (let k = start; k < start + count; k += 3) {
      const [a, b, c] = [corner(k), corner(k + 1), corner(k + 2)];
      const [u, v] = [b.map((x, i) => x - a[i]), c.map((x, i) => x - a[i])];
      const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      sum += Math.hypot(...cross) / 2;
    }
    return sum;
  });
}

test('vertices of a cell become one, and the surface stays', () => {
  for (const made of [new SphereGeometry(1, 200, 120), new CylinderGeometry(1, 1, 2, 90, 60), new BoxGeometry(2, 1, 3, 60, 60, 60)]) {
    if (!made.groups.length) made.addGroup(0, made.index.count, 0);
    // two materials
    const { start, count, materialIndex } = made.groups[0];
    const half = 3 * Math.floor(count / 6);
    made.groups.splice(0, 1, { start, count: half, materialIndex }, { start: start + half, count: count - half, materialIndex: 7 });
    const few = coarse(made);
    assert.ok(few.index.count < 0.5 * made.index.count, `${few.index.count} of ${made.index.count}`);
    assert.deepEqual(few.groups.map((group) => group.materialIndex), made.groups.map((group) => group.materialIndex));
    assert.equal(few.groups.reduce((sum, group) => sum + group.count, 0), few.index.count);
    const [wanted, found] = [areas(made), areas(few)];
    wanted.forEach((area, k) => assert.ok(Math.abs(found[k] / area - 1) < 0.2, `${found[k]} and ${area}`));
    // made once
    assert.equal(coarse(made), few);
  }
});

test('a mesh of few triangles, or without an index, stays', () => {
  const box = new BoxGeometry(1, 1, 1);
  assert.equal(coarse(box), box);
  const loose = new SphereGeometry(1, 100, 60).toNonIndexed();
  assert.equal(coarse(loose), loose);
});

test('a coarse mesh goes with the one that it was made from', () => {
  const made = new SphereGeometry(1, 100, 60);
  let gone = 0;
  coarse(made).addEventListener('dispose', () => gone++);
  made.dispose();
  assert.equal(gone, 1);
});

test('a scene is quick to draw, and after it what it was', () => {
  const geometry = new SphereGeometry(1, 100, 60);
  const shiny = new MeshStandardMaterial({ color: 0x123456, emissive: 0x654321, opacity: 0.4, transparent: true, depthWrite: false, vertexColors: true, side: 2 });
  const flat = new MeshBasicMaterial({ color: 0x777777 });
  const meshes = [new Mesh(geometry, shiny), new Mesh(geometry, [shiny, flat]), new Mesh(geometry, shiny)];
  meshes[2].visible = false;
  const scene = new Scene();
  scene.add(...meshes);
  const restore = quicken(scene);
  const matte = meshes[0].material;
  assert.ok(matte.isMeshLambertMaterial);
  for (const key of ['opacity', 'transparent', 'depthWrite', 'vertexColors', 'side']) assert.equal(matte[key], shiny[key], key);
  assert.ok(matte.color.equals(shiny.color) && matte.emissive.equals(shiny.emissive));
  assert.deepEqual(meshes[1].material, [matte, flat]);
  assert.equal(meshes[0].geometry, coarse(geometry));
  assert.equal(meshes[2].material, shiny);
  restore();
  assert.deepEqual(meshes.map((mesh) => mesh.geometry), [geometry, geometry, geometry]);
  assert.equal(meshes[0].material, shiny);
  assert.deepEqual(meshes[1].material, [shiny, flat]);
});
