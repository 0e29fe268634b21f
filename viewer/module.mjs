// Makes dist/module.wasm.z of wasm/: the library for pages that answer without a server. With --check it compares the answers of
// the one that is checked in with those of a module that is made without optimisation, which answers the same and takes a fifth of
// the time to make; where the target is not installed it says that this did not run.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateSync, inflateSync } from 'node:zlib';

const TARGET = 'wasm32-unknown-unknown';
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const run = (program, args, options = {}) => execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...options }).trim();
const checked = at('dist/module.wasm.z');

const checks = process.argv.includes('--check');
const libraries = run('rustc', ['--print', 'target-libdir', '--target', TARGET]);
if (!existsSync(libraries)) {
  const what = `the target ${TARGET} is not installed: rustup target add ${TARGET}`;
  if (!checks) throw new Error(what);
  console.log(`NOT RUN: the module of live pages made again; ${what}`);
  process.exit(0);
}

// what is checked shares what it depends on with the test `wasm`
const target = `${process.env.CARGO_TARGET_DIR ?? at('../target')}/${checks ? 'tmp/wasm' : 'page-module'}`;
// the same bytes wherever the sources lie
const flags = checks ? [] : [`--remap-path-prefix=${at('..')}=.`, `--remap-path-prefix=${process.env.CARGO_HOME ?? `${process.env.HOME}/.cargo`}=cargo`];
run('cargo', ['build', '--quiet', ...(checks ? [] : ['--release']), '--locked', '--target', TARGET, '--target-dir', target], {
  cwd: at('wasm'),
  env: { ...process.env, CARGO_INCREMENTAL: '0', CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f') },
});
const made = readFileSync(`${target}/${TARGET}/${checks ? 'debug' : 'release'}/kinworld_page.wasm`);

if (!checks) {
  const packed = deflateSync(made, { level: 9 });
  writeFileSync(checked, packed);
  console.log(`dist/module.wasm.z: ${(made.length / 1e6).toFixed(2)} MB, ${(packed.length / 1e6).toFixed(2)} MB deflated, ${((4 * packed.length) / 3e6).toFixed(2)} MB in a page`);
} else {
  const { REQUESTS, answersOf, worldOf, differences } = await import('./test/module.mjs');
  const world = worldOf('data/worlds/cell.xml');
  const [now, before] = await Promise.all([made, inflateSync(readFileSync(checked))].map((code) => answersOf(code, world, REQUESTS)));
  const found = differences(before, now);
  if (found.length) {
    console.error(`viewer/dist/module.wasm.z answers otherwise than what viewer/wasm makes: run \`npm run module\` in viewer/\n${found.join('\n')}`);
    process.exitCode = 1;
  } else console.log('dist/module.wasm.z answers as what wasm makes');
}
