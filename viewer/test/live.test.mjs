// The live page in a browser: what it shows is what `query` answers, and what is done in it is done in the session.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { settled, view, visit } from './live.mjs';
import { browser, kinworld, noBrowser, out, root } from './tools.mjs';

const skip = noBrowser;
const shots = `${out}/pictures`;
mkdirSync(shots, { recursive: true });
const arm = `${root}data/robots/arm6.urdf`;
const cell = [arm, `${root}data/terrains/table.env`, `${root}data/objects/crate.obj`];
const quadruped = `${root}data/robots/quadruped.rob`;
const named = ['--srdf', `${root}data/srdf/arm6.srdf`];
let chromium;

before(async () => {
  if (!skip) chromium = await browser();
});
after(() => chromium?.close());

const configOf = (tab, r = 0) => tab.evaluate((r) => Array.from(window.kinworld.model.q[r]), r);
const poseOf = (tab, name) => tab.evaluate((name) => Array.from(window.kinworld.model.bodies.find((body) => body.name === name).pose), name);
const ask = (tab, request) => tab.evaluate((request) => window.kinworld.link.ask(request), request);
function near(found, wanted, allowed = 1e-6) {
  assert.equal(found.length, wanted.length);
  found.forEach((x, k) => assert.ok(Math.abs(x - wanted[k]) <= allowed, `${found} and ${wanted}`));
}

/** Moves a slider by the keyboard, as far as a value. */
async function slide(tab, joint, value) {
  await tab.locator(`input[data-joint="${joint}"]`).fill(String(value));
  await settled(tab);
  await unharmed(tab);
}

/** Nothing went wrong that the page would say. */
const unharmed = async (tab) => assert.equal(await tab.locator('#problem').textContent(), '');

/** Runs a test with a view that ends with it. */
const live = (name, files, act) =>
  test(name, { skip, timeout: 180_000 }, async () => {
    const server = await view(...files);
    try {
      await act(server);
    } finally {
      await server.end();
    }
  });

live('pictures of a move are coarse where a processor draws them, and fine again after it', cell, async (server) => {
  const { tab, said, close } = await visit(chromium, server);
  const stage = () => tab.evaluate(() => {
    const { isSoftware, fineness, canvas, sun, floor } = window.kinworld.stage;
    return { isSoftware, fineness, part: canvas.width / canvas.clientWidth, shadows: sun.castShadow && floor.visible };
  });
  const isFine = () => tab.waitForFunction(() => {
    const { fineness, fitted, pending } = window.kinworld.stage;
    return fineness === 1 && fitted === 1 && !pending;
  });
  const fine = { isSoftware: true, fineness: 1, part: 1, shadows: true };
  await isFine();
  assert.deepEqual(await stage(), fine);
  await tab.evaluate(() => {
    const { stage } = window.kinworld;
    const draw = stage.drawNow;
    window.seen = [];
    stage.drawNow = () => {
      draw.call(stage);
      window.seen.push(stage.canvas.width / stage.canvas.clientWidth);
    };
  });
  await slide(tab, 'axis2', 0.5);
  await isFine();
  const seen = await tab.evaluate(() => window.seen);
  assert.ok(seen[0] < 0.5, `${seen}`);
  assert.equal(seen.at(-1), 1);
  assert.deepEqual(await stage(), fine);
  assert.deepEqual(said, []);
  await close();
});

live('a slider is answered with the collisions and distances of query', cell, async (server) => {
  const { tab, said, close } = await visit(chromium, server);
  assert.match(await tab.locator('#collisions').textContent(), /no collision/);
  await slide(tab, 'axis2', 1);
  const q = (await configOf(tab)).join(',');
  const { pairs } = JSON.parse(kinworld('collide', ...cell, '--config', q, '--json'));
  assert.ok(pairs.length > 0);
  const short = ([a, b]) => [a, b].map((name) => name.replace(/.*\[(.*)\]/, '$1')).join(' and ');
  assert.deepEqual(await tab.locator('#collisions li').allTextContents(), pairs.map(short));
  const red = await tab.evaluate(() => [...window.kinworld.model.red].map((index) => window.kinworld.model.bodies[index].name));
  assert.deepEqual(new Set(red), new Set(pairs.map(short).flatMap((pair) => pair.split(' and '))));
  const nearest = JSON.parse(kinworld('distance', ...cell, '--config', q, '--nearest', '6', '--json')).pairs;
  const rows = await tab.locator('#distances li').allTextContents();
  assert.equal(rows.length, nearest.length);
  nearest.forEach(({ pair: [a, b], distance }, k) => {
    assert.ok(rows[k].endsWith(`${a} and ${b}`), rows[k]);
    assert.ok(Math.abs(parseFloat(rows[k]) - distance * 1000) < 0.06, `${rows[k]} and ${distance}`);
  });
  assert.equal(await tab.locator('#clearance').textContent(), 'clearance 0 mm');
  await tab.screenshot({ path: `${shots}/live.png` });
  await slide(tab, 'axis2', 0);
  assert.match(await tab.locator('#collisions').textContent(), /no collision/);
  assert.deepEqual(said, []);
  await close();
});

live('a dragged gizmo is followed by inverse kinematics', cell, async (server) => {
  const { tab, said, close } = await visit(chromium, server);
  await slide(tab, 'axis3', 0.6);
  await tab.locator('#bodies').selectOption({ label: 'flange' });
  const before = await poseOf(tab, 'flange');
  // a point on the arrow along x, and one further along
  const [from, to] = await tab.evaluate(() => {
    const { move, stage } = window.kinworld;
    const { camera, canvas } = stage;
    const at = move.handle.position;
    const size = (at.distanceTo(camera.position) * Math.min(1.9 * Math.tan((Math.PI * camera.fov) / 360), 7) * 0.8) / 4;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    return [0.4, 0.9].map((part) => {
      const point = at.clone();
      point.x += part * size;
      point.project(camera);
      return [left + ((point.x + 1) / 2) * width, top + ((1 - point.y) / 2) * height];
    });
  });
  await tab.mouse.move(...from);
  // the mouse meets what is drawn, and without a graphics card that takes its time
  await tab.waitForTimeout(1500);
  await tab.mouse.down();
  await tab.mouse.move(...to, { steps: 8 });
  const wanted = await tab.evaluate(() => window.kinworld.move.handle.position.toArray());
  await settled(tab);
  const found = await poseOf(tab, 'flange');
  near([found[3], found[7], found[11]], wanted, 1e-5);
  assert.ok(wanted[0] - before[3] > 0.02, `${wanted} and ${before}`);
  near([found[7], found[11]], [before[7], before[11]], 1e-5);
  // the orientation stays
  near([0, 1, 2, 4, 5, 6].map((k) => found[k]), [0, 1, 2, 4, 5, 6].map((k) => before[k]), 1e-5);
  await tab.screenshot({ path: `${shots}/live_gizmo.png` });
  await tab.mouse.up();
  await settled(tab);
  // the camera stayed, the choice too, and the server knows
  assert.match(await tab.locator('#chosen').textContent(), /flange/);
  const { robots } = await ask(tab, { op: 'state' });
  near(robots.arm6, await configOf(tab), 1e-12);
  // out of reach: as near as it comes, and it says so
  await tab.locator('#task summary').click();
  await tab.locator('input[data-task="z"]').fill('3');
  await settled(tab);
  assert.match(await tab.locator('#reached').textContent(), /not reached: .* m and/);
  await tab.locator('input[data-task="x"]').focus();
  assert.deepEqual(said, []);
  await close();
});

live('what one page does another shows', cell, async (server) => {
  const [one, two] = [await visit(chromium, server), await visit(chromium, server)];
  await slide(one.tab, 'axis1', 0.7);
  await two.tab.waitForFunction((q) => window.kinworld.model.q[0][0] === q, (await configOf(one.tab))[0]);
  near(await poseOf(two.tab, 'flange'), await poseOf(one.tab, 'flange'), 0);
  // an object is moved by its sliders
  await two.tab.locator('#bodies').selectOption({ label: 'crate' });
  await two.tab.locator('#task summary').click();
  await two.tab.locator('input[data-task="z"]').fill('0.9');
  await settled(two.tab);
  const crate = await poseOf(two.tab, 'crate');
  assert.ok(Math.abs(crate[11] - 0.9) < 0.01);
  await one.tab.waitForFunction((z) => Math.abs(window.kinworld.model.bodies.find((body) => body.name === 'crate').pose[11] - z) < 1e-9, crate[11]);
  // an element that goes is gone from both, and the camera stays
  const eye = await one.tab.evaluate(() => window.kinworld.stage.camera.position.toArray());
  await ask(two.tab, { op: 'remove', element: 'table' });
  for (const { tab } of [one, two]) {
    await tab.waitForFunction(() => !window.kinworld.model.bodies.some((body) => body.name === 'table') && !window.kinworld.reloading);
    await settled(tab);
  }
  near(await one.tab.evaluate(() => window.kinworld.stage.camera.position.toArray()), eye, 1e-9);
  near(await poseOf(one.tab, 'crate'), crate, 1e-9);
  near(await configOf(one.tab), await configOf(two.tab), 0);
  assert.deepEqual([...one.said, ...two.said], []);
  await one.close();
  await two.close();
});

live('contact points and sphere covers are those of query', cell, async (server) => {
  const { tab, said, close } = await visit(chromium, server);
  await slide(tab, 'axis2', 1);
  await tab.locator('#show-contacts').check();
  await tab.locator('#show-spheres').check();
  await tab.waitForFunction(() => window.kinworld.spheres.meshes.length > 0);
  await settled(tab);
  const { contacts } = await ask(tab, { op: 'contacts' });
  const points = contacts.flatMap(({ points }) => points);
  assert.ok(points.length > 0);
  const shown = await tab.evaluate(() => Array.from(window.kinworld.contacts.points.geometry.attributes.position.array));
  near(shown, points.flatMap(({ on_b }) => on_b), 1e-6);
  const { links } = JSON.parse(kinworld('spherize', arm, '--spheres', '16', '--json'));
  const n = await tab.evaluate(() => window.kinworld.spheres.meshes.reduce((sum, mesh) => sum + mesh.count, 0));
  assert.equal(n, links.reduce((sum, { outer }) => sum + outer.length, 0));
  await tab.screenshot({ path: `${shots}/live_spheres.png` });
  await slide(tab, 'axis2', 0);
  assert.equal(await tab.evaluate(() => window.kinworld.contacts.count), 0);
  await tab.locator('#show-spheres').uncheck();
  assert.equal(await tab.evaluate(() => window.kinworld.spheres.meshes.length), 0);
  assert.deepEqual(said, []);
  await close();
});

live('a path is planned from a mark to here, and played', [...cell, ...named], async (server) => {
  const { tab, said, close } = await visit(chromium, server);
  await slide(tab, 'axis1', -0.8);
  await slide(tab, 'axis2', 0.6);
  await tab.locator('#mark').click();
  const start = await configOf(tab);
  await slide(tab, 'axis1', 0.8);
  const goal = await configOf(tab);
  await tab.locator('#plan').click();
  await tab.waitForFunction(() => document.querySelector('#planned').className !== 'dim');
  assert.match(await tab.locator('#planned').textContent(), /a path of \d+ configurations/);
  await tab.screenshot({ path: `${shots}/live_plan.png` });
  await tab.evaluate(() => window.kinworld.player.play(false));
  await tab.locator('#scrubber').focus();
  await tab.keyboard.press('Home');
  await settled(tab);
  near(await configOf(tab), start, 1e-9);
  await tab.locator('#play').click();
  await tab.waitForFunction(() => window.kinworld.player.time === window.kinworld.player.motion.end, null, { timeout: 60_000 });
  await settled(tab);
  near(await configOf(tab), goal, 1e-9);
  near((await ask(tab, { op: 'state' })).robots.arm6, goal, 1e-9);
  await tab.locator('#end').click();
  assert.equal(await tab.locator('#timeline').isVisible(), false);
  await tab.locator('#back').click();
  await settled(tab);
  near(await configOf(tab), start, 1e-9);
  // a link along a line, as `cartesian` of `query` has it
  await tab.locator('#bodies').selectOption({ label: 'flange' });
  await slide(tab, 'axis1', start[0] + 0.3);
  const there = await poseOf(tab, 'flange');
  await tab.locator('#line').click();
  await tab.waitForFunction(() => document.querySelector('#planned').className !== 'dim');
  const line = { rotation: [0, 4, 8].map((k) => there.slice(k, k + 3)), position: [there[3], there[7], there[11]] };
  const along = await ask(tab, { op: 'cartesian', link: 'flange', from: start, pieces: [{ line }] });
  assert.ok(along.path.length > 10 && !along.reason);
  assert.equal(await tab.locator('#planned').textContent(), `flange moves ${Number(along.length.toFixed(3))} m along a line`);
  await tab.waitForFunction(() => window.kinworld.player.time === window.kinworld.player.motion.end, null, { timeout: 60_000 });
  await settled(tab);
  near(await configOf(tab), along.path.at(-1), 1e-9);
  near(await poseOf(tab, 'flange'), there, 1e-6);
  await tab.locator('#end').click();
  // as a screw, and on an arc through a point, which does not turn it
  const follow = async (what) => {
    await tab.locator('#line').click();
    await tab.waitForFunction(() => document.querySelector('#planned').className !== 'dim');
    assert.match(await tab.locator('#planned').textContent(), new RegExp(`^flange moves [0-9.]+ m along ${what}$`));
    await tab.waitForFunction(() => window.kinworld.player.time === window.kinworld.player.motion.end, null, { timeout: 60_000 });
    await settled(tab);
    const pose = await poseOf(tab, 'flange');
    await tab.locator('#end').click();
    return pose;
  };
  await slide(tab, 'axis1', start[0] + 0.3);
  await tab.getByLabel('path of the link').selectOption('screw');
  near(await follow('a screw'), there, 1e-6);
  await tab.locator('#back').click();
  await settled(tab);
  // away from where the axes of the wrist align
  await slide(tab, 'axis5', 0.8);
  await tab.locator('#mark').click();
  const first = await poseOf(tab, 'flange');
  await tab.getByLabel('path of the link').selectOption('arc');
  assert.equal(await tab.locator('#line').isDisabled(), true);
  await slide(tab, 'axis1', start[0] + 0.1);
  await tab.locator('#via').click();
  await slide(tab, 'axis1', start[0] + 0.2);
  const last = await poseOf(tab, 'flange');
  const onArc = await follow('an arc');
  for (const k of [3, 7, 11]) near([onArc[k]], [last[k]], 1e-6);
  for (const k of [0, 1, 2, 4, 5, 6, 8, 9, 10]) near([onArc[k]], [first[k]], 1e-6);
  // named states and groups
  await tab.getByLabel('named states of arm6').selectOption({ label: 'arm: ready' });
  await settled(tab);
  const { states } = (await ask(tab, { op: 'info' })).robots[0];
  const ready = states.find(({ name }) => name === 'ready');
  assert.ok(ready);
  assert.deepEqual(await tab.locator('#plan-group option').allTextContents(), ['all joints move', 'group arm', 'group wrist', 'group shoulder']);
  assert.deepEqual(said, []);
  await close();
});

live('two links move along lines at the same time', [quadruped], async (server) => {
  const { tab, said, close } = await visit(chromium, server);
  await tab.locator('#mark').click();
  const start = await configOf(tab);
  await slide(tab, 'fl_thigh', 0.9);
  await slide(tab, 'fr_shin', -1);
  const there = [await poseOf(tab, 'fl_shin'), await poseOf(tab, 'fr_shin')];
  const bodies = tab.locator('#bodies');
  for (const label of ['hl_shin', 'fr_shin']) {
    await bodies.selectOption({ label });
    await tab.locator('#with').click();
  }
  const together = tab.locator('#together button');
  assert.deepEqual(await together.allTextContents(), ['hl_shin ×', 'fr_shin ×']);
  await together.first().click();
  assert.deepEqual(await together.allTextContents(), ['fr_shin ×']);
  await bodies.selectOption({ label: 'fl_shin' });
  await tab.locator('#line').click();
  await tab.waitForFunction(() => document.querySelector('#planned').className !== 'dim');
  const piece = (pose) => [{ line: { rotation: [0, 4, 8].map((k) => pose.slice(k, k + 3)), position: [pose[3], pose[7], pose[11]] } }];
  const also = [{ link: 'fr_shin', pieces: piece(there[1]) }];
  const along = await ask(tab, { op: 'cartesian', link: 'fl_shin', from: start, pieces: piece(there[0]), also });
  assert.ok(along.path.length > 5 && !along.reason);
  assert.equal(await tab.locator('#planned').textContent(), `fl_shin and fr_shin move ${Number(along.length.toFixed(3))} m along lines`);
  await tab.screenshot({ path: `${shots}/live_together.png` });
  await tab.waitForFunction(() => window.kinworld.player.time === window.kinworld.player.motion.end, null, { timeout: 60_000 });
  await settled(tab);
  near(await configOf(tab), along.path.at(-1), 1e-9);
  near(await poseOf(tab, 'fl_shin'), there[0], 1e-5);
  near(await poseOf(tab, 'fr_shin'), there[1], 1e-5);
  await tab.locator('#end').click();
  // the start is where both are; then one of them moves, and the other stays
  await tab.locator('#mark').click();
  assert.deepEqual(await together.allTextContents(), ['fr_shin ×']);
  await tab.locator('#line').click();
  await tab.waitForFunction(() => document.querySelector('#planned').className !== 'dim');
  assert.equal(await tab.locator('#planned').textContent(), 'fl_shin and fr_shin are where they were at the start');
  const before = await poseOf(tab, 'fl_shin');
  await slide(tab, 'fr_shin', -1.1);
  const after = await poseOf(tab, 'fr_shin');
  await tab.locator('#line').click();
  await tab.waitForFunction(() => /^fr_shin and fl_shin move 0\.\d+ m along lines$/.test(document.querySelector('#planned').textContent));
  await tab.waitForFunction(() => window.kinworld.player?.time === window.kinworld.player?.motion.end, null, { timeout: 60_000 });
  await settled(tab);
  near(await poseOf(tab, 'fl_shin'), before, 1e-5);
  near(await poseOf(tab, 'fr_shin'), after, 1e-5);
  assert.deepEqual(said, []);
  await close();
});

live('an object is attached and moves with its link', cell, async (server) => {
  const { tab, said, close } = await visit(chromium, server);
  await tab.locator('#hold-link').selectOption({ label: 'flange' });
  await tab.locator('#attach').click();
  await tab.waitForFunction(() => document.querySelector('#attach').textContent === 'detach');
  await settled(tab);
  const before = await poseOf(tab, 'crate');
  await slide(tab, 'axis1', 1);
  const moved = await poseOf(tab, 'crate');
  assert.ok(Math.hypot(moved[3] - before[3], moved[7] - before[7]) > 0.1);
  const { translation } = (await ask(tab, { op: 'state' })).objects.crate;
  near([moved[3], moved[7], moved[11]], translation, 1e-9);
  await tab.locator('#attach').click();
  await tab.waitForFunction(() => document.querySelector('#attach').textContent === 'attach');
  await settled(tab);
  await slide(tab, 'axis1', 0);
  near(await poseOf(tab, 'crate'), moved, 1e-9);
  assert.deepEqual(said, []);
  await close();
});

live('files are loaded and elements removed by buttons', [arm], async (server) => {
  const { tab, said, close } = await visit(chromium, server);
  const names = () => tab.locator('#remove-element option').allTextContents();
  assert.deepEqual(await names(), ['arm6']);
  await tab.locator('#load-file').fill('data/objects/crate.obj');
  await tab.locator('#load-file').press('Enter');
  await tab.waitForFunction(() => window.kinworld.model.bodies.some((body) => body.name === 'crate') && !window.kinworld.reloading);
  await settled(tab);
  assert.match(await tab.locator('#loaded').textContent(), /added: crate/);
  assert.deepEqual(await names(), ['arm6', 'crate']);
  await tab.screenshot({ path: `${shots}/live_loaded.png` });
  // what cannot be loaded is said, and changes nothing
  await tab.locator('#load-file').fill('data/objects/crat.obj');
  await tab.locator('#load').click();
  await tab.waitForFunction(() => document.querySelector('#loaded').className === 'hit');
  assert.match(await tab.locator('#loaded').textContent(), /cannot open `data\/objects\/crat\.obj`/);
  await tab.locator('#remove-element').selectOption('crate');
  await tab.locator('#remove').click();
  await tab.waitForFunction(() => !window.kinworld.model.bodies.some((body) => body.name === 'crate') && !window.kinworld.reloading);
  await settled(tab);
  assert.deepEqual(await names(), ['arm6']);
  assert.deepEqual(said, []);
  await close();
});

test('an edit with an error shows the line, and keeps the world', { skip, timeout: 180_000 }, async () => {
  const file = `${out}/edited.urdf`;
  const good = readFileSync(`${root}data/robots/snake30.urdf`, 'utf8');
  writeFileSync(file, good);
  const server = await view(file);
  const { tab, said, close } = await visit(chromium, server);
  await slide(tab, 'bend01', 0.5);
  const q = await configOf(tab);
  writeFileSync(file, good.replace('<axis xyz="0 0 1"/>', '<axis xyz="0 0 <b>1"/>'));
  await tab.waitForSelector('#files .error');
  assert.match(await tab.locator('#files .excerpt').textContent(), /<axis xyz="0 0 <b>1"\/>[^]*\^/);
  assert.match(await tab.locator('#files .place').textContent(), /edited\.urdf:\d+:\d+/);
  assert.match(await tab.locator('#files').textContent(), /the world as it was/);
  await tab.screenshot({ path: `${shots}/live_error.png` });
  await slide(tab, 'bend02', 0.25);
  assert.notEqual((await configOf(tab))[2], 0);
  // mended, with a link that is longer: the joints stay
  writeFileSync(file, good.replace('<robot name="snake30"', '<robot  name="snake30"'));
  await tab.waitForFunction(() => document.querySelectorAll('#files .error').length === 0 && window.kinworld.world.scene === 1 && !window.kinworld.reloading);
  await settled(tab);
  assert.equal((await configOf(tab))[1], q[1]);
  assert.deepEqual(said, []);
  await close();
  await server.end();
});

live('a lost connection is shown, and found again', cell, async (server) => {
  const { tab, close } = await visit(chromium, server);
  assert.equal(await tab.locator('#status').textContent(), 'live');
  // the connection may be back before a busy browser is asked
  await tab.evaluate(() => {
    window.shown = [];
    const take = () => window.shown.push(document.querySelector('#status').textContent);
    new MutationObserver(take).observe(document.body, { attributeFilter: ['data-live'] });
    window.kinworld.link.socket.close();
  });
  await tab.waitForFunction(() => window.shown.length > 0);
  assert.match((await tab.evaluate(() => window.shown))[0], /no connection/);
  // moved meanwhile: it is sent once there is somebody to take it
  await tab.locator('input[data-joint="axis1"]').fill('0.5');
  await tab.waitForFunction(() => document.body.dataset.live === 'true');
  await settled(tab);
  near((await ask(tab, { op: 'state' })).robots.arm6, await configOf(tab), 1e-12);
  await server.end();
  await tab.waitForFunction(() => document.body.dataset.live === 'false');
  await tab.screenshot({ path: `${shots}/live_lost.png` });
  await close();
});

test('names that are markup stay text in the live page', { skip, timeout: 180_000 }, async () => {
  const evil = '<img src=x onerror=window.harmed=true></script><script>window.harmed=true</script>';
  const escaped = evil.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const file = `${out}/evil_live.urdf`;
  const box = '<collision><geometry><box size="1 1 1"/></geometry></collision>';
  writeFileSync(file, `<robot name="${escaped}"><link name="${escaped}">${box}</link><link name="b"/><link name="c">${box}</link><joint name="${escaped}" type="continuous"><parent link="${escaped}"/><child link="b"/><axis xyz="0 0 1"/></joint><joint name="j" type="fixed"><parent link="b"/><child link="c"/></joint></robot>`);
  const server = await view(file);
  const { tab, said, close } = await visit(chromium, server);
  assert.equal(await tab.locator('#title').textContent(), evil);
  assert.ok((await tab.locator('#panel').textContent()).includes(evil));
  assert.equal(await tab.evaluate(() => window.harmed), undefined);
  assert.equal(await tab.locator('img').count(), 0);
  assert.deepEqual(said, []);
  await close();
  await server.end();
});

live('several robots, dark, light and a phone', [arm, `${root}data/robots/scara.urdf@0.9,0.5,0`], async (server) => {
  const dark = await visit(chromium, server, { colorScheme: 'dark' });
  assert.equal(await dark.tab.locator('.robot').count(), 2);
  const joints = await dark.tab.evaluate(() => window.kinworld.model.robots[1].dofs.filter((dof) => !dof.weld).map((dof) => dof.name));
  await slide(dark.tab, joints[0], 0.4);
  const { robots } = await ask(dark.tab, { op: 'state' });
  near(robots.scara ?? Object.values(robots)[1], await configOf(dark.tab, 1), 1e-12);
  await dark.tab.screenshot({ path: `${shots}/live_dark.png` });
  await dark.close();
  const phone = await visit(chromium, server, { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 });
  await phone.tab.screenshot({ path: `${shots}/live_phone.png` });
  await phone.tab.locator('#menu').tap();
  assert.ok(await phone.tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await phone.tab.screenshot({ path: `${shots}/live_phone_panel.png` });
  await phone.close();
});
