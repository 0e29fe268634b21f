// The world of the server and that of the page, kept the same; collisions and distances of it.

import { Frames } from './frames.js';
import { poseOf, rowsOf } from './poses.js';

export class World {
  constructor(page, link) {
    this.page = page;
    this.link = link;
    this.frames = new Frames(page.stage);
    this.scene = null;
    this.robots = new Set();
    this.objects = new Set();
    this.asked = false;
    this.running = false;
    this.missed = false;
    this.distances = true;
    this.contacts = false;
    /** Times from a change to its answer, in ms: the last 1000. */
    this.latencies = [];
    this.onanswer = () => {};
    this.onerror = () => {};
  }

  /** A robot was moved in the page. */
  moved(robot) {
    this.began ??= performance.now();
    this.robots.add(robot);
    this.run();
  }

  /** A rigid object was moved in the page. */
  movedObject(body) {
    this.began ??= performance.now();
    this.objects.add(body);
    this.run();
  }

  /** Asks again for what collides. */
  check() {
    this.asked = true;
    this.run();
  }

  /** Sends what has changed and asks what follows from it: one question at a time, always about the latest. */
  async run() {
    if (this.running || !this.link.isOpen) return;
    this.running = true;
    while ((this.robots.size || this.objects.size || this.asked) && this.link.isOpen) {
      const began = this.began;
      this.began = null;
      try {
        this.frames.hold();
        if (this.robots.size || this.objects.size) this.frames.move();
        const answers = await this.turn();
        if (began !== null && began !== undefined) {
          this.latencies.push(performance.now() - began);
          if (this.latencies.length > 1000) this.latencies.shift();
        }
        this.onanswer(answers);
        this.onerror(null);
      } catch (error) {
        this.onerror(error);
      }
      this.frames.release();
    }
    this.running = false;
    if (this.missed && this.link.isOpen) {
      this.missed = false;
      this.link.ask({ op: 'state' }).then((state) => this.take(state), () => {});
    }
  }

  async turn() {
    const { model } = this.page;
    const requests = [];
    if (this.robots.size || this.objects.size) {
      const robots = Object.fromEntries([...this.robots].map((r) => [model.robots[r].name, Array.from(model.q[r])]));
      const objects = Object.fromEntries([...this.objects].map((index) => [model.bodies[index].name, rowsOf(model.bodies[index].pose)]));
      requests.push({ op: 'set', robots, objects });
    }
    this.robots.clear();
    this.objects.clear();
    this.asked = false;
    requests.push({ op: 'collide' });
    if (this.distances) requests.push({ op: 'distance', nearest: 6 });
    if (this.contacts) requests.push({ op: 'contacts' });
    const answers = await this.link.askAll(requests);
    const of = (op) => answers[requests.findIndex((request) => request.op === op)] ?? null;
    return { collide: of('collide'), distances: of('distance'), contacts: of('contacts') };
  }

  /** Takes the state of the server; false if it is one of another scene. */
  take(state) {
    if (state.scene !== undefined && state.scene !== this.scene) return false;
    // an own change is on its way: the server has the last word after it
    if (this.running || this.robots.size || this.objects.size) {
      this.missed = true;
      return true;
    }
    const { model, data } = this.page;
    model.robots.forEach((robot, r) => {
      const q = state.robots[robot.name];
      if (q?.length === robot.dofs.length) model.setConfig(r, q);
    });
    data.objects.forEach((object, i) => {
      const now = state.objects[object.name];
      if (!now || object.kind === 'terrain') return;
      const on = now.attached;
      const robot = on ? model.robots.findIndex(({ name }) => name === on.robot) : -1;
      object.attached = robot < 0 ? null : { robot, link: on.index, placement: poseOf(on) };
      model.setObject(model.firstObject + i, poseOf(now));
    });
    model.update();
    this.page.joints.refresh();
    this.page.inspector.refresh();
    this.check();
    return true;
  }

  /** The body of a number of `query`: terrains come first, then objects, then robots, each before its links. */
  body(id) {
    const { model, data } = this.page;
    const first = model.firstObject;
    const terrains = data.objects.flatMap((object, i) => (object.kind === 'terrain' ? [first + i] : []));
    const objects = data.objects.flatMap((object, i) => (object.kind === 'terrain' ? [] : [first + i]));
    let at = id - terrains.length - objects.length;
    if (at < 0) return [...terrains, ...objects][id];
    for (const robot of model.robots) {
      if (at <= robot.links.length) return robot.first + Math.max(at - 1, 0);
      at -= robot.links.length + 1;
    }
    return undefined;
  }
}
