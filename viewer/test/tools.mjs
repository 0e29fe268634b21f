// What the tests share: the tool, pages made by it, and a browser.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const out = process.env.KINWORLD_PAGES ?? `${root}target/viewer`;
mkdirSync(out, { recursive: true });

export const binary = process.env.KINWORLD ?? `${root}target/debug/kinworld`;

/** What the tool prints. */
export function kinworld(...args) {
  return execFileSync(binary, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 });
}

/** The path of a page of these arguments. */
export function page(name, ...args) {
  const path = `${out}/${name}.html`;
  kinworld('export', ...args, path);
  return path;
}

/** The data in a page. */
export function dataOf(path) {
  const text = readFileSync(path, 'utf8');
  const [, data] = text.match(/<script type="application\/json" id="data">([^<]*)<\/script>/);
  return JSON.parse(data);
}

const chromium = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable'].find((path) => path && existsSync(path));

/** Why there is no browser to test with; false where there is one. */
export const noBrowser = chromium ? false : 'no Chromium is installed: `apt-get install chromium`, or set CHROMIUM to its path';

/** A browser; what it composes is drawn as WebGL is, in software, if not said otherwise. */
export async function browser(args = ['--use-angle=swiftshader']) {
  const { chromium: driver } = await import('playwright-core');
  return driver.launch({ executablePath: chromium, args: ['--no-sandbox', '--enable-unsafe-swiftshader', ...args] });
}

/** A page that is open and ready, with what it said and asked for. */
export async function open(instance, path, options = {}) {
  const context = await instance.newContext({ viewport: { width: 1200, height: 760 }, acceptDownloads: true, ...options });
  const tab = await context.newPage();
  const said = [];
  const requests = [];
  tab.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  tab.on('pageerror', (error) => said.push(String(error)));
  const blocked = [];
  tab.on('requestfailed', (request) => blocked.push(`${request.url()} ${request.failure().errorText}`));
  tab.on('request', (request) => requests.push(request.url()));
  await tab.goto(`file://${path}`);
  await tab.waitForFunction(() => document.body.dataset.ready, null, { timeout: 120_000 });
  return { tab, said, requests, blocked, close: () => context.close() };
}
