// The module of live pages in Node, and its answers beside others.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { Local } from '../src/live/local.js';
import { binary, page, root } from './tools.mjs';

/** Requests about the cell: an arm, a table and a crate. */
export const REQUESTS = [
  { op: 'collide' },
  { op: 'set', robots: { arm: [0.5, 1, 0, 0, 0, 0] } },
  { op: 'collide' },
  { op: 'contacts' },
  { op: 'distance', nearest: 5 },
  { op: 'ik', link: 'flange', position: [0.3, 0.2, 0.6], q: [0, 0.3, 0.5, 0, 0.2, 0], starts: 1, tolerance: 1e-9 },
  { op: 'ik', link: 'flange', position: [9, 0, 0], starts: 1 },
  { op: 'fk' },
  { op: 'state' },
  { op: 'set', robots: { arm: [0, 0, 0, 0, 0, 0] } },
  { op: 'clearance' },
  { op: 'plan', from: [0, 0, 0, 0, 0, 0], to: [1, 0.1, 0, 0, 0, 0] },
  { op: 'spheres', max: 4 },
  { op: 'info' },
  { op: 'set', robots: { arm7: [0] } },
  { op: 'colide' },
  { op: 'load', file: 'arm6.urdf' },
];

const textOf = (html, id) => html.match(new RegExp(`id="${id}">([^<]*)</script>`))[1];
const bytesOf = (text) => new Uint8Array(inflateSync(Buffer.from(text, 'base64')));

/** Module and world of a page. */
export function partsOf(path) {
  const html = readFileSync(path, 'utf8');
  return { code: bytesOf(textOf(html, 'module')), data: bytesOf(textOf(html, 'world')) };
}

/** The world of files, as pages hold it. */
export const worldOf = (...files) => partsOf(page('module_world', ...files, '--live')).data;

/** Answers of a module to requests about a world; errors as they are. */
export async function answersOf(code, data, requests) {
  const local = new Local({ code: await WebAssembly.compile(code), data });
  await local.start();
  const answers = [];
  for (const request of requests) answers.push(await local.ask(request).catch((error) => ({ ok: false, error: error.message })));
  return answers;
}

/** Answers of `kinworld query`. */
export const answersOfTool = (requests, ...files) => answersIn(process.env, requests, ...files);

/** Answers of `kinworld query` without kernels for AVX, which the module lacks too. */
export const baselineAnswersOfTool = (requests, ...files) => answersIn({ ...process.env, KINWORLD_SIMD: 'baseline' }, requests, ...files);

function answersIn(env, requests, ...files) {
  const input = requests.map((request) => JSON.stringify(request)).join('\n');
  const text = execFileSync(binary, ['query', ...files], { cwd: root, env, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] });
  return text.trim().split('\n').map((line) => JSON.parse(line));
}

/** Where answers differ: numbers beyond 1e-9 of their size, and all else that is not the same. */
export function differences(before, now, where = 'answers') {
  if (typeof before === 'number' && typeof now === 'number') {
    return Math.abs(before - now) <= 1e-9 * (1 + Math.abs(before)) ? [] : [`${where}: ${before} and ${now}`];
  }
  if (before && now && typeof before === 'object' && typeof now === 'object') {
    const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
    return names.flatMap((name) => differences(before[name], now[name], `${where}.${name}`));
  }
  return before === now ? [] : [`${where}: ${JSON.stringify(before)} and ${JSON.stringify(now)}`];
}
