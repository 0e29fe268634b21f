// The page in a browser: what it shows is what the library says, and it asks nobody for anything.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { answersOfTool } from './module.mjs';
import { browser, kinworld, noBrowser, open, out, page, root } from './tools.mjs';

const skip = noBrowser;
const shots = `${out}/pictures`;
mkdirSync(shots, { recursive: true });
const arm = `${root}data/robots/arm6.urdf`;
let chromium;

before(async () => {
  if (!skip) chromium = await browser();
});
after(() => chromium?.close());

/** The pose of a link in the page. */
const poseOf = (tab, name) => tab.evaluate((name) => window.kinworld.model.bodies.find((body) => body.name === name).pose, name);

/** The pose of a link by the tool. */
function expected(file, q, name) {
  const { links } = JSON.parse(kinworld('fk', file, '--config', q.join(','), '--json'));
  const { rotation, translation } = links.find((link) => link.name === name);
  return rotation.flatMap((row, k) => [...row, translation[k]]);
}

function near(found, wanted, allowed = 1e-6) {
  found.forEach((x, k) => assert.ok(Math.abs(x - wanted[k]) <= allowed, `${found} and ${wanted}`));
}

const configOf = (tab) => tab.evaluate(() => Array.from(window.kinworld.model.q[0]));

/** Pixels of the canvas that are clearly red, as a part of all. */
const redPart = (tab) =>
  tab.evaluate(async () => {
    const image = await createImageBitmap(await window.kinworld.stage.png());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, image.width, image.height);
    let red = 0;
    for (let i = 0; i < data.length; i += 4) red += data[i] > 120 && data[i] > 2 * data[i + 1] && data[i] > 2 * data[i + 2];
    return red / (data.length / 4);
  });

test('opens from disk, asks for nothing and says nothing', { skip }, async () => {
  const path = page('arm', arm, '--config', '0.5,1,0,0,0,0');
  const { tab, said, requests, close } = await open(chromium, path);
  assert.deepEqual(said, []);
  assert.deepEqual(requests, [`file://${path}`]);
  assert.equal(await tab.title(), 'arm6');
  near(await poseOf(tab, 'flange'), expected(arm, [0.5, 1, 0, 0, 0, 0], 'flange'));
  await tab.screenshot({ path: `${shots}/arm.png` });
  await close();
});

test('a script that the page does not know is not run', { skip }, async () => {
  const path = page('policy', arm);
  const text = readFileSync(path, 'utf8').replace('</body>', '<script>window.foreign = true</script><img src="https://example.org/x.png"></body>');
  writeFileSync(path, text);
  const { tab, said, blocked, close } = await open(chromium, path);
  assert.equal(await tab.evaluate(() => window.foreign), undefined);
  assert.deepEqual(blocked, ['https://example.org/x.png csp']);
  assert.ok(said.some((line) => line.includes('Content Security Policy')));
  await close();
});

test('a slider moved by mouse and by keyboard moves the link where the library says', { skip }, async () => {
  const { tab, close } = await open(chromium, page('sliders', arm));
  const slider = tab.locator('input[data-joint="axis2"]');
  const box = await slider.boundingBox();
  await tab.mouse.click(box.x + box.width * 0.7, box.y + box.height / 2);
  let q = await configOf(tab);
  assert.notEqual(q[1], 0);
  near(await poseOf(tab, 'flange'), expected(arm, q, 'flange'));
  const before = q[1];
  await slider.focus();
  await tab.keyboard.press('ArrowRight');
  q = await configOf(tab);
  assert.ok(q[1] > before);
  near(await poseOf(tab, 'flange'), expected(arm, q, 'flange'));
  // a number in degrees
  await tab.locator('#degrees').check();
  const value = tab.getByLabel('axis3, value');
  await value.fill('30');
  await value.press('Enter');
  q = await configOf(tab);
  assert.ok(Math.abs(q[2] - Math.PI / 6) < 1e-12);
  near(await poseOf(tab, 'flange'), expected(arm, q, 'flange'));
  await tab.getByRole('button', { name: 'reset' }).click();
  assert.deepEqual(await configOf(tab), [0, 0, 0, 0, 0, 0]);
  await close();
});

test('a motion is scrubbed, played and plotted', { skip }, async () => {
  const motion = `${root}data/motions/swing.csv`;
  const robot = `${root}data/robots/planar3R.rob`;
  const table = readFileSync(motion, 'utf8').trim().split('\n').filter((line) => !line.startsWith('#'));
  const rows = table.filter((line) => /^[-\d.]/.test(line)).map((line) => line.split(',').map(Number));
  const { tab, said, close } = await open(chromium, page('swing', robot, '--motion', motion));
  const scrubber = tab.locator('#scrubber');
  await scrubber.focus();
  await tab.keyboard.press('ArrowRight');
  const time = await tab.evaluate(() => window.kinworld.player.time);
  assert.ok(Math.abs(time - rows[1][0]) < 1e-9, `${time}`);
  near(await poseOf(tab, 'link2'), expected(robot, rows[1].slice(1, 4), 'link2'));
  await tab.keyboard.press('End');
  near(await poseOf(tab, 'link2'), expected(robot, rows.at(-1).slice(1, 4), 'link2'));
  // a click in the middle of the plot
  const plot = await tab.locator('.u-over').boundingBox();
  await tab.mouse.click(plot.x + plot.width / 2, plot.y + plot.height / 2);
  const middle = await tab.evaluate(() => window.kinworld.player.time);
  assert.ok(middle > rows[0][0] && middle < rows.at(-1)[0]);
  assert.deepEqual(await tab.locator('#plot option').allTextContents(), ['position [rad]', 'velocity [rad/s]', 'acceleration [rad/s²]']);
  await tab.locator('#plot').selectOption('1');
  await tab.locator('#play').click();
  await tab.waitForFunction((from) => window.kinworld.player.time !== from, middle);
  await tab.locator('#canvas').focus();
  await tab.keyboard.press(' ');
  assert.equal(await tab.locator('#play').getAttribute('aria-label'), 'play');
  await tab.screenshot({ path: `${shots}/swing.png` });
  assert.deepEqual(said, []);
  await close();
});

test('links that collide are red, as long as that is known', { skip }, async () => {
  const scene = [arm, `${root}data/terrains/table.env`, `${root}data/objects/crate.obj`];
  const { tab, close } = await open(chromium, page('collision', ...scene, '--config', '0.5,1,0,0,0,0', '--collisions'));
  const { pairs } = JSON.parse(kinworld('collide', ...scene, '--config', '0.5,1,0,0,0,0', '--json'));
  assert.equal(await tab.locator('#collisions li').count(), pairs.length);
  assert.ok((await redPart(tab)) > 0.005);
  await tab.screenshot({ path: `${shots}/collision.png` });
  await tab.locator('input[data-joint="axis2"]').focus();
  await tab.keyboard.press('ArrowLeft');
  assert.match(await tab.locator('#collisions').textContent(), /exported only/);
  assert.ok((await redPart(tab)) < 0.001);
  await close();
});

test('toggles show frames, masses, inertia, collision shapes and the grid', { skip }, async () => {
  const { tab, close } = await open(chromium, page('toggles', arm));
  const count = () => tab.evaluate(() => {
    window.kinworld.stage.renderer.shadowMap.needsUpdate = true;
    window.kinworld.stage.drawNow();
    return window.kinworld.stage.renderer.info.render.calls;
  });
  for (const what of ['frames', 'com', 'inertia', 'collision']) {
    const before = await count();
    await tab.locator(`#show-${what}`).check();
    assert.ok((await count()) > before, what);
  }
  await tab.screenshot({ path: `${shots}/toggles.png` });
  for (const what of ['grid', 'visual']) {
    const before = await count();
    await tab.locator(`#show-${what}`).uncheck();
    assert.ok((await count()) < before, what);
  }
  await close();
});

test('a click shows name, pose and mass, and so does the list', { skip }, async () => {
  const { tab, close } = await open(chromium, page('click', arm));
  const [x, y] = await tab.evaluate(() => {
    const { model, stage } = window.kinworld;
    const shape = model.bodies.find((body) => body.visual.length).visual[0];
    shape.geometry.computeBoundingSphere();
    const point = shape.geometry.boundingSphere.center.clone().applyMatrix4(shape.matrixWorld).project(stage.camera);
    const { left, top, width, height } = stage.canvas.getBoundingClientRect();
    return [left + ((point.x + 1) / 2) * width, top + ((1 - point.y) / 2) * height];
  });
  await tab.mouse.click(x, y);
  assert.match(await tab.locator('#chosen').textContent(), /link.*position.*mass.*kg/);
  await tab.locator('#bodies').selectOption({ label: 'flange' });
  assert.match(await tab.locator('#chosen').textContent(), /flange/);
  await tab.locator('#canvas').focus();
  await tab.keyboard.press('Escape');
  assert.equal(await tab.locator('#chosen').isVisible(), false);
  await close();
});

test('the camera turns, moves and zooms by keys and by the mouse', { skip }, async () => {
  const { tab, close } = await open(chromium, page('camera', arm));
  const camera = () => tab.evaluate(() => window.kinworld.stage.camera.position.toArray());
  const moved = async (act) => {
    const before = await camera();
    await act();
    const now = await camera();
    assert.ok(Math.hypot(...now.map((x, k) => x - before[k])) > 1e-3, `${before} and ${now}`);
  };
  await tab.locator('#canvas').focus();
  for (const key of ['ArrowLeft', 'ArrowUp', 'Shift+ArrowRight', '+', 'f']) await moved(() => tab.keyboard.press(key));
  await tab.mouse.move(800, 400);
  await moved(() => tab.mouse.wheel(0, -200));
  await moved(async () => {
    await tab.mouse.down();
    await tab.mouse.move(900, 430, { steps: 4 });
    await tab.mouse.up();
  });
  await close();
});

test('the button saves a PNG of the picture', { skip }, async () => {
  const { tab, close } = await open(chromium, page('png', arm, '--title', 'my <arm>'));
  const [download] = await Promise.all([tab.waitForEvent('download'), tab.locator('#png').click()]);
  assert.equal(download.suggestedFilename(), 'my_arm_.png');
  const bytes = readFileSync(await download.path());
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
  assert.ok(bytes.length > 10_000);
  await close();
});

test('names that are markup stay text', { skip }, async () => {
  const evil = '<img src=x onerror=window.harmed=true></script><script>window.harmed=true</script>';
  const escaped = evil.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const file = `${out}/evil.urdf`;
  writeFileSync(file, `<robot name="${escaped}"><link name="${escaped}"/><link name="b"/><joint name="${escaped}" type="continuous"><parent link="${escaped}"/><child link="b"/><axis xyz="0 0 1"/></joint></robot>`);
  const { tab, said, requests, close } = await open(chromium, page('evil', file));
  assert.equal(await tab.title(), evil);
  assert.equal(await tab.locator('#title').textContent(), evil);
  assert.equal(await tab.locator('.joint label').textContent(), evil);
  await tab.locator('#bodies').selectOption({ index: 1 });
  assert.ok((await tab.locator('#chosen').textContent()).includes(evil));
  assert.equal(await tab.evaluate(() => window.harmed), undefined);
  assert.equal(await tab.locator('img').count(), 0);
  assert.equal(requests.length, 1);
  assert.deepEqual(said, []);
  await close();
});

for (const [kind, file] of [['MuJoCo', 'data/mjcf/scene.xml'], ['SDF', 'data/sdf/yard.sdf']]) {
  test(`a world of ${kind} is shown, and its joints move as in the library`, { skip }, async () => {
    const { tab, said, close } = await open(chromium, page('foreign', root + file));
    const joint = tab.locator('input[data-joint]').first();
    await joint.fill('0.4');
    const [robot, value] = [await joint.getAttribute('data-robot'), await joint.inputValue()];
    const [q, poses] = await tab.evaluate((name) => {
      const { model } = window.kinworld;
      const r = model.robots.findIndex((robot) => robot.name === name);
      return [Array.from(model.q[r]), model.bodies.filter((body) => body.robot === model.robots[r]).map((body) => Array.from(body.pose))];
    }, robot);
    assert.ok(q.some((x) => x === Number(value) && x !== 0), `${q} and ${value}`);
    const [{ links }] = answersOfTool([{ op: 'fk', robot, q }], root + file);
    links.forEach(({ rotation, translation }, i) => near(poses[i], rotation.flatMap((row, k) => [...row, translation[k]]), 1e-5));
    assert.ok(await tab.evaluate(() => window.kinworld.model.bodies.some((body) => body.visual.length)));
    await tab.screenshot({ path: `${shots}/${kind}.png` });
    assert.deepEqual(said, []);
    await close();
  });
}

test('the picture of render is that of the page', { skip }, async () => {
  const { tab, close } = await open(chromium, page('beside', arm, `${root}data/terrains/table.env`, '--config', '0.5,0.4,-0.3,0,0.4,0'));
  const { eye, target, fov, width, height } = await tab.evaluate(() => {
    const { stage } = window.kinworld;
    stage.grid.visible = false;
    stage.renderer.setPixelRatio(1);
    stage.renderer.setSize(600, 400, false);
    stage.camera.aspect = 1.5;
    stage.camera.updateProjectionMatrix();
    const { camera, controls } = stage;
    return { eye: camera.position.toArray(), target: controls.target.toArray(), fov: camera.fov, width: 600, height: 400 };
  });
  const file = `${out}/beside.png`;
  kinworld('render', arm, `${root}data/terrains/table.env`, file, '--config', '0.5,0.4,-0.3,0,0.4,0', `--camera=${[...eye, ...target].join(',')}`, '--fov', String(fov), '--size', `${width}x${height}`);
  const found = await tab.evaluate(similarity, readFileSync(file).toString('base64'));
  writeFileSync(`${shots}/beside_page.png`, Buffer.from(found.page, 'base64'));
  console.log(`structural similarity of render and the page: ${found.all.toFixed(4)}, on what is drawn ${found.drawn.toFixed(4)}`);
  assert.ok(found.all > 0.95 && found.drawn > 0.85, `${found.all} ${found.drawn}`);
  await close();
});

/** Structural similarity (Wang et al. 2004, windows of 8 × 8, luma) of the canvas and a PNG; in the browser. */
async function similarity(png) {
  const blob = await window.kinworld.stage.png();
  const luma = async (blob) => {
    const image = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, image.width, image.height);
    const gray = new Float64Array(image.width * image.height);
    for (let i = 0; i < gray.length; i++) gray[i] = 0.299 * data[4 * i] + 0.587 * data[4 * i + 1] + 0.114 * data[4 * i + 2];
    return { gray, width: image.width, height: image.height };
  };
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const [a, b] = [await luma(blob), await luma(new Blob([bytes], { type: 'image/png' }))];
  if (a.width !== b.width || a.height !== b.height) throw new Error(`${a.width} × ${a.height} and ${b.width} × ${b.height}`);
  const [c1, c2, n] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2, 8];
  let [all, count, drawn, countDrawn] = [0, 0, 0, 0];
  for (let y = 0; y + n <= a.height; y += 4) {
    for (let x = 0; x + n <= a.width; x += 4) {
      let [sa, sb, saa, sbb, sab] = [0, 0, 0, 0, 0];
      for (let j = y; j < y + n; j++) {
        for (let i = x; i < x + n; i++) {
          const [p, q] = [a.gray[j * a.width + i], b.gray[j * a.width + i]];
          sa += p;
          sb += q;
          saa += p * p;
          sbb += q * q;
          sab += p * q;
        }
      }
      const m = n * n;
      const [ma, mb] = [sa / m, sb / m];
      const [va, vb, cov] = [saa / m - ma * ma, sbb / m - mb * mb, sab / m - ma * mb];
      const s = ((2 * ma * mb + c1) * (2 * cov + c2)) / ((ma * ma + mb * mb + c1) * (va + vb + c2));
      all += s;
      count++;
      if (va > 4 || vb > 4) {
        drawn += s;
        countDrawn++;
      }
    }
  }
  const url = await new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.readAsDataURL(blob);
  });
  return { all: all / count, drawn: drawn / countDrawn, page: url.split(',')[1] };
}

test('contact points and forces are shown, as exported', { skip }, async () => {
  const still = await open(chromium, page('touch', arm, `${root}data/terrains/table.env`, '--config', '0,1.2,0.4,0,0,0', '--collisions'));
  const [{ contacts }] = answersOfTool([{ op: 'contacts', q: [0, 1.2, 0.4, 0, 0, 0], max: 8 }], arm, `${root}data/terrains/table.env`);
  const points = contacts.flatMap(({ points }) => points.flatMap(({ on_b: b }) => b));
  assert.ok(points.length > 0);
  const shown = await still.tab.evaluate(() => Array.from(window.kinworld.arrows[0].points.geometry.attributes.position.array));
  assert.equal(shown.length, points.length);
  near(shown, points, 1e-6);
  await still.tab.screenshot({ path: `${shots}/contacts.png` });
  await still.tab.locator('input[data-joint="axis1"]').fill('0.3');
  assert.equal(await still.tab.evaluate(() => window.kinworld.arrows[0].count), 0);
  await still.close();

  const motion = `${out}/swing.csv`;
  writeFileSync(motion, 'time,q1,q2,q3,q4,q5,q6\n0,0,0,0,0,0,0\n0.5,0.4,0.2,0,0,0,0\n1,0.8,0.4,0,0,0,0\n');
  const wrenches = JSON.parse(kinworld('wrench', arm, '--motion', motion, '--json', '--html', `${out}/wrench.html`)).wrenches;
  const { tab, said, close } = await open(chromium, `${out}/wrench.html`);
  const rows = await tab.evaluate(() => Array.from(window.kinworld.arrows[0].rows));
  assert.equal(rows.length, 6 * wrenches.length);
  wrenches.forEach(({ joint }, k) => near(rows.slice(6 * k + 3, 6 * k + 6), joint.slice(3), 1e-3));
  assert.ok(await tab.evaluate(() => window.kinworld.arrows[0].group.visible));
  await tab.screenshot({ path: `${shots}/forces.png` });
  await tab.locator('#show-forces').uncheck();
  assert.equal(await tab.evaluate(() => window.kinworld.arrows[0].group.visible), false);
  assert.deepEqual(said, []);
  await close();
});

test('check shows the lines beside the picture', { skip }, async () => {
  const file = `${out}/checked.urdf`;
  // its meshes lie elsewhere
  writeFileSync(file, readFileSync(arm));
  kinworld('check', file, '--html', `${out}/checked.html`);
  const { tab, close } = await open(chromium, `${out}/checked.html`);
  assert.match(await tab.locator('#notes .excerpt').first().textContent(), /\d+ \| .*shoulder\.off[^]*\^/);
  await tab.locator('#notes button.link').first().click();
  assert.ok(await tab.locator('#chosen').isVisible());
  await tab.screenshot({ path: `${shots}/check.png` });
  await close();
});

test('dark, light and a phone', { skip }, async () => {
  const path = page('themes', arm, `${root}data/terrains/table.env`, '--motion', writeSwing());
  const dark = await open(chromium, path, { colorScheme: 'dark' });
  const theme = (tab) => tab.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(dark.tab), 'dark');
  await dark.tab.screenshot({ path: `${shots}/dark.png` });
  await dark.tab.locator('#theme').click();
  assert.equal(await theme(dark.tab), 'light');
  await dark.close();
  const phone = await open(chromium, path, { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 });
  const inside = () => phone.tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  assert.ok(await inside());
  assert.equal(await phone.tab.locator('#panel').isVisible(), false);
  await phone.tab.screenshot({ path: `${shots}/phone.png` });
  await phone.tab.locator('#menu').tap();
  assert.ok(await phone.tab.locator('#panel').isVisible());
  assert.ok(await inside());
  const canvas = await phone.tab.locator('#canvas').boundingBox();
  assert.ok(canvas.height > 200, `${canvas.height}`);
  await phone.tab.screenshot({ path: `${shots}/phone_panel.png` });
  await phone.close();
});

test('every control is reached by the tabulator', { skip }, async () => {
  const { tab, close } = await open(chromium, page('keyboard', arm, '--motion', writeSwing()));
  const reached = new Set();
  for (let k = 0; k < 60; k++) {
    await tab.keyboard.press('Tab');
    reached.add(await tab.evaluate(() => document.activeElement.id || document.activeElement.dataset.joint || ''));
  }
  for (const id of ['canvas', 'menu', 'fit', 'theme', 'png', 'show-frames', 'bodies', 'axis1', 'axis6', 'plot', 'play', 'scrubber', 'speed', 'loop']) assert.ok(reached.has(id), id);
  await close();
});

/** A path of six joints in the format of `plan`. */
function writeSwing() {
  const path = `${out}/swing.json`;
  writeFileSync(path, JSON.stringify({ path: [[0, 0, 0, 0, 0, 0], [0.8, 0.4, -0.5, 0, 0.6, 0], [0, 0, 0, 0, 0, 0]] }));
  return path;
}
