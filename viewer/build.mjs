// Makes dist/page.html of src: one file with everything but the data. With --check it only compares.

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

// what is bundled, with its licence
const licence = (name) => {
  const { version } = JSON.parse(text(`node_modules/${name}/package.json`));
  return `${name} ${version}\n\n${text(`node_modules/${name}/LICENSE`).trim()}`;
};

const script = (await bundled('src/main.js')).replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
const style = `${text('node_modules/uplot/dist/uPlot.min.css').trim()}\n${await bundled('src/style.css')}`;
const hash = (content) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
const licences = ['This page was made by kinworld, MIT OR Apache-2.0. It holds:', licence('three'), licence('uplot')].join('\n\n').replaceAll('--', '- -');

const parts = { POLICY: policy, LICENCES: licences, STYLE: style, SCRIPT: script };
let page = text('src/page.html');
for (const [name, part] of Object.entries(parts)) page = page.replace(`@@${name}@@`, () => part);

if (process.argv.includes('--check')) {
  if (!existsSync(at('dist/page.html')) || text('dist/page.html') !== page) {
    console.error('viewer/dist/page.html is not what src makes: run `npm run build` in viewer/');
    process.exit(1);
  }
  console.log('dist/page.html is what src makes');
} else {
  writeFileSync(at('dist/page.html'), page);
  console.log(`dist/page.html: ${(page.length / 1024).toFixed(0)} KiB`);
}
