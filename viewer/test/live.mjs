// A view for the tests of the live page: the tool, and a page of it in a browser.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { binary, root } from './tools.mjs';

/** A view of files: its address, and its end. */
export async function view(...args) {
  const child = spawn(binary, ['view', '--no-open', ...args], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = await once(child.stdout, 'data');
  const address = String(line).trim();
  return {
    address,
    end: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}

/** A tab with the page of a view, ready and connected, with what it said. */
export async function visit(instance, { address }, options = {}) {
  const context = await instance.newContext({ viewport: { width: 1200, height: 860 }, ...options });
  const tab = await context.newPage();
  const said = [];
  tab.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  tab.on('pageerror', (error) => said.push(String(error)));
  await tab.goto(address);
  await tab.waitForFunction(() => document.body.dataset.ready && document.body.dataset.live === 'true', null, { timeout: 120_000 });
  await settled(tab);
  return { tab, said, close: () => context.close() };
}

/** Waits until the page has its answers. */
export const settled = (tab) =>
  tab.waitForFunction(() => {
    const { world, move, link } = window.kinworld;
    return !world.running && !world.missed && !move.running && link.waiting.size === 0;
  }, null, { timeout: 60_000 });
