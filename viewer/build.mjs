// Makes dist/page.html and dist/live.html of src: files with everything but the data. With --check it only compares.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const text = (path) => readFileSync(at(path), 'utf8');

const bundled = async (entry) => {
  const made = await build({
    entryPoints: [at(entry)],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    loader: { '.css': 'css' },
    write: false,
  });
  return made.outputFiles[0].text.trim();
};

// what is bundled, with its licence: the terms of all that share them once
const licence = (name) => {
  const { version } = JSON.parse(text(`node_modules/${name}/package.json`));
  const lines = text(`node_modules/${name}/LICENSE`).trim();
  const [, owner, terms] = lines.match(/^The MIT License[^\n]*\n+(Copyright[^\n]*)\n+([^]*)$/) ?? [null, name, lines];
  return { head: `${name} ${version}, MIT licence. ${owner}`, terms: terms.replace(/\s+/g, ' ') };
};

const hash = (content) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
const all = ['three', 'uplot'].map(licence);
const shared = [...new Set(all.map(({ terms }) => terms))].map((terms) => [...all.filter((one) => one.terms === terms).map(({ head }) => head), terms].join('\n\n'));
const licences = ['This page was made by kinworld, MIT OR Apache-2.0. It holds:', ...shared].join('\n\n').replaceAll('--', '- -');

/** A page of a script and a style that loads nothing, but for what `connect` names. */
const made = async (entry, styles, connect = null) => {
  const script = (await bundled(entry)).replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  const style = [text('node_modules/uplot/dist/uPlot.min.css').trim(), ...(await Promise.all(styles.map(bundled)))].join('\n');
  const policy = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    ...(connect ? [`connect-src ${connect}`] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  let page = text('src/page.html');
  // a live page asks for its data, or has it where it has the library as well
  if (connect) page = page.replace(/<script type="application\/json".*/, '@@KINWORLD@LOCAL@@');
  const parts = { POLICY: policy, LICENCES: licences, STYLE: style, SCRIPT: script };
  for (const [name, part] of Object.entries(parts)) page = page.replace(`@@${name}@@`, () => part);
  return page;
};

const pages = {
  'dist/page.html': await made('src/main.js', ['src/style.css']),
  'dist/live.html': await made('src/live/main.js', ['src/style.css', 'src/live/live.css'], '@@KINWORLD@SERVER@@'),
};
for (const [path, page] of Object.entries(pages)) {
  if (!process.argv.includes('--check')) {
    writeFileSync(at(path), page);
    console.log(`${path}: ${(page.length / 1024).toFixed(0)} KiB`);
  } else if (existsSync(at(path)) && text(path) === page) {
    console.log(`${path} is what src makes`);
  } else {
    console.error(`viewer/${path} is not what src makes: run \`npm run build\` in viewer/`);
    process.exitCode = 1;
  }
}
