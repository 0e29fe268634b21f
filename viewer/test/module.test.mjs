// The library in a page answers as `kinworld query`, here in Node, and is as small as it is said to be.

import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import test from 'node:test';
import { Local } from '../src/live/local.js';
import { REQUESTS, answersOf, baselineAnswersOfTool, differences, partsOf } from './module.mjs';
import { page, root } from './tools.mjs';

const cell = `${root}data/worlds/cell.xml`;

test('the module of a page answers as query', async () => {
  const { code, data } = partsOf(page('module', cell, '--live'));
  const [inPage, inTool] = [await answersOf(code, data, REQUESTS), baselineAnswersOfTool(REQUESTS, cell)];
  // what a page cannot do it refuses with a reason
  const [refused] = [inPage.pop(), inTool.pop()];
  assert.match(refused.error, /loads no files|cannot open/);
  // when a plan was found is not said where there is no clock
  for (const answers of [inPage, inTool]) for (const answer of answers) delete answer.seconds;
  assert.deepEqual(differences(inTool, inPage), []);
  assert.ok(inPage[2].pairs.length > 0 && inPage[5].success && !inPage[6].success && inPage[11].path.length > 1);
});

test('the module adds at most 2.2 MB', () => {
  const [plain, live] = [page('plain', cell), page('module', cell, '--live')].map((path) => statSync(path).size);
  assert.ok(live - plain < 2.2e6, `${live - plain} bytes more`);
  assert.equal(readFileSync(page('module', cell, '--live'), 'utf8').match(/http-equiv="Content-Security-Policy" content="([^"]*)"/)[1].includes('connect-src'), false);
});

test('requests that are no requests are refused, and the module goes on', async () => {
  const { code, data } = partsOf(page('module', cell, '--live'));
  const local = new Local({ code: await WebAssembly.compile(code), data });
  await local.start();
  for (const request of [null, [], 'x', {}, { op: 7 }, { op: 'set', robots: { arm: [1e300] } }, { op: 'ik', link: 99 }]) {
    await assert.rejects(local.ask(request), /./);
    assert.ok(local.isOpen, JSON.stringify(request));
  }
  assert.equal((await local.ask({ op: 'collide' })).ok, true);
  const broken = new Local({ code: local.code, data: data.subarray(0, data.length / 2) });
  await assert.rejects(broken.start(), /cannot be read/);
});
