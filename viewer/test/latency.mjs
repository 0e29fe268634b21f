// Times from a slider's event to its answer in the live page, as a script that prints them: `node test/latency.mjs FILE…`.
//
// As it is; with a canvas of 64 × 64 pixels; without pictures, which a graphics card would draw. Beside each: what the script of the
// page itself takes of it, before the question is sent and after the answers came, and the same without a server.

import { view, visit, settled } from './live.mjs';
import { browser, open, page, root } from './tools.mjs';

const given = process.argv.slice(2);
const files = given.length ? given : [`${root}data/robots/arm6.urdf`, `${root}data/terrains/table.env`];
const N = Number(process.env.N ?? 200);

const part = (all, p) => [...all].sort((a, b) => a - b)[Math.min(all.length - 1, Math.floor(p * all.length))];
const words = (all) => `median ${part(all, 0.5).toFixed(2)}, 95th percentile ${part(all, 0.95).toFixed(2)}, most ${Math.max(...all).toFixed(2)} ms`;

/** Moves sliders as a mouse does, once per picture; in the browser. */
async function move([n, prepare]) {
  // a script of the test, not of the page
  const { world, link, stage } = window.kinworld;
  if (prepare === 'small') stage.renderer.setSize(64, 64, false);
  if (prepare === 'none') stage.drawNow = () => {};
  const own = [];
  let spent = 0;
  const timed = (object, name) => {
    const before = object[name].bind(object);
    object[name] = (...args) => {
      const began = performance.now();
      const result = before(...args);
      spent += performance.now() - began;
      return result;
    };
  };
  timed(link, 'ask');
  if (link.take) timed(link, 'take');
  world.latencies.length = 0;
  const sliders = [...document.querySelectorAll('input[data-joint]')].slice(0, 6);
  for (let k = 0; k < n; k++) {
    const slider = sliders[k % sliders.length];
    slider.value = String(Number(slider.min) + (Number(slider.max) - Number(slider.min)) * (0.5 + 0.3 * Math.sin(k)));
    spent = 0;
    const began = performance.now();
    slider.dispatchEvent(new Event('input'));
    spent = performance.now() - began;
    await new Promise((done) => requestAnimationFrame(done));
    while (world.running) await new Promise((done) => setTimeout(done));
    own.push(spent);
  }
  return [[...world.latencies], own];
}

const server = await view(...files);
const chromium = await browser();
try {
  for (const [name, prepare] of [['as it is', ''], ['64 × 64 pixels', 'small'], ['no pictures', 'none']]) {
    const { tab, close } = await visit(chromium, server);
    const [times, own] = await tab.evaluate(move, [N, prepare]);
    console.log(`${name}: ${times.length} answers, ${words(times)}; of that the page: ${words(own)}`);
    await close();
  }
  const { tab, close } = await open(chromium, page('latency', ...files, '--live'));
  await settled(tab);
  const [times] = await tab.evaluate(move, [N, 'none']);
  console.log(`without a server, no pictures: ${times.length} answers, ${words(times)}`);
  await close();
} finally {
  await chromium.close();
  await server.end();
}
