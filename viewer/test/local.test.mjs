// A page with the library in it, opened from disk: it answers as the tool does, and asks nobody.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { settled } from './live.mjs';
import { browser, kinworld, noBrowser, open, out, page, root } from './tools.mjs';

const skip = noBrowser;
const shots = `${out}/pictures`;
mkdirSync(shots, { recursive: true });
const cell = [`${root}data/robots/arm6.urdf`, `${root}data/terrains/table.env`, `${root}data/objects/crate.obj`];
let chromium;

before(async () => {
  if (!skip) chromium = await browser();
});
after(() => chromium?.close());

const configOf = (tab) => tab.evaluate(() => Array.from(window.kinworld.model.q[0]));
const poseOf = (tab, name) => tab.evaluate((name) => Array.from(window.kinworld.model.bodies.find((body) => body.name === name).pose), name);

test('a page with the library answers collisions, distances and inverse kinematics from disk', { skip, timeout: 180_000 }, async () => {
  const path = page('local', ...cell, '--live');
  const { tab, said, requests, close } = await open(chromium, path);
  await settled(tab);
  assert.match(await tab.locator('#collisions').textContent(), /no collision/);
  await tab.locator('input[data-joint="axis2"]').fill('1');
  await settled(tab);
  const q = (await configOf(tab)).join(',');
  const { pairs } = JSON.parse(kinworld('collide', ...cell, '--config', q, '--json'));
  assert.ok(pairs.length > 0);
  const short = ([a, b]) => [a, b].map((name) => name.replace(/.*\[(.*)\]/, '$1')).join(' and ');
  assert.deepEqual(await tab.locator('#collisions li').allTextContents(), pairs.map(short));
  const nearest = JSON.parse(kinworld('distance', ...cell, '--config', q, '--nearest', '6', '--json')).pairs;
  const rows = await tab.locator('#distances li').allTextContents();
  assert.equal(rows.length, nearest.length);
  nearest.forEach(({ distance }, k) => assert.ok(Math.abs(parseFloat(rows[k]) - distance * 1000) < 0.06, `${rows[k]} and ${distance}`));
  await tab.screenshot({ path: `${shots}/local.png` });

  // the flange follows its handle
  await tab.locator('input[data-joint="axis2"]').fill('0.2');
  await tab.locator('input[data-joint="axis3"]').fill('0.6');
  await settled(tab);
  await tab.locator('#bodies').selectOption({ label: 'flange' });
  const wanted = await tab.evaluate(() => {
    const { move } = window.kinworld;
    move.handle.position.x += 0.05;
    move.handle.position.z -= 0.04;
    move.gizmo.dispatchEvent({ type: 'objectChange' });
    return move.handle.position.toArray();
  });
  await settled(tab);
  const found = await poseOf(tab, 'flange');
  wanted.forEach((x, k) => assert.ok(Math.abs(found[3 + 4 * k] - x) < 1e-5, `${found} and ${wanted}`));
  assert.equal(await tab.locator('#problem').textContent(), '');

  // a plan, an attached object
  await tab.locator('#mark').click();
  await tab.locator('input[data-joint="axis1"]').fill('0.5');
  await settled(tab);
  await tab.locator('#plan').click();
  await tab.waitForFunction(() => /a path of \d+ configurations/.test(document.querySelector('#planned').textContent));
  await tab.locator('#attach').click();
  await tab.waitForFunction(() => document.querySelector('#attach').textContent === 'detach');
  await settled(tab);
  assert.deepEqual(requests, [`file://${path}`]);
  assert.deepEqual(said, []);
  await close();
});
