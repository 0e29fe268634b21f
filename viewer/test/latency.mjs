// Times from a slider's event to its answer in the live page, as a script that prints them: `node test/latency.mjs FILE…`.
//
// A mouse drags a slider, in a browser as it is on a computer without a graphics card: it composes the page in software, and WebGL
// is drawn in software as well. As it is; without pictures, which a graphics card would draw; and both without a server. Also times
// of pictures, fine ones and the coarse ones of a move.

import { view, visit, settled } from './live.mjs';
import { browser, open, page, root } from './tools.mjs';

const given = process.argv.slice(2);
const files = given.length ? given : [`${root}data/robots/arm6.urdf`, `${root}data/terrains/table.env`];
const N = Number(process.env.N ?? 300);

const part = (all, p) => [...all].sort((a, b) => a - b)[Math.min(all.length - 1, Math.floor(p * all.length))];
const words = (all) => `median ${part(all, 0.5).toFixed(2)}, 95th percentile ${part(all, 0.95).toFixed(2)}, most ${Math.max(...all).toFixed(2)} ms`;

/** Drags the second slider to and fro; times of the answers. */
async function drag(tab) {
  const slider = tab.locator('input[data-joint]').nth(1);
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  const to = (part) => tab.mouse.move(box.x + box.width * part, box.y + box.height / 2);
  await settled(tab);
  await tab.evaluate(() => (window.kinworld.world.latencies.length = 0));
  await to(0.5);
  await tab.mouse.down();
  for (let k = 0; k < N; k++) {
    await to(0.5 + 0.4 * Math.sin(k / 7));
    await new Promise((done) => setTimeout(done, 16));
  }
  await tab.mouse.up();
  await settled(tab);
  return tab.evaluate(() => [...window.kinworld.world.latencies]);
}

async function report(name, tab) {
  for (const pictures of ['with pictures', 'without pictures']) {
    if (pictures === 'without pictures') await tab.evaluate(() => (window.kinworld.stage.drawNow = () => {}));
    const times = await drag(tab);
    console.log(`${name}, ${pictures}: ${times.length} answers, ${words(times)}`);
  }
}

/** Times of pictures until they are done, fine ones and those of a move. */
async function pictures(name, tab) {
  for (const kind of ['fine', 'coarse']) {
    const times = await tab.evaluate(async (kind) => {
      const { stage, world } = window.kinworld;
      stage.fineness = kind === 'fine' ? 1 : world.frames.coarse;
      const all = [];
      for (let k = 0; k < 31; k++) {
        const began = performance.now();
        stage.drawNow();
        while (!stage.isDrawn()) await new Promise((done) => setTimeout(done, 0));
        all.push(performance.now() - began);
      }
      stage.fineness = 1;
      // the first one compiles
      return all.slice(1);
    }, kind);
    console.log(`${name}, ${kind} pictures: ${words(times)}`);
  }
}

const server = await view(...files);
const chromium = await browser([]);
try {
  const live = await visit(chromium, server);
  await pictures('with a server', live.tab);
  await report('with a server', live.tab);
  await live.close();
  const alone = await open(chromium, page('latency', ...files, '--live'));
  await settled(alone.tab);
  await report('without a server', alone.tab);
  await alone.close();
} finally {
  await chromium.close();
  await server.end();
}
