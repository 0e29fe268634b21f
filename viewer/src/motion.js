// Motions: configurations and poses of objects at any time, and what collides then.

import { fromQuaternion } from './kinematics.js';

export class Motion {
  constructor(times, robots, dofs, objects = [], collisions = null) {
    Object.assign(this, { n: times.length, times, robots, dofs, objects, collisions });
  }

  /** The motion in the data of a page. */
  static of({ motion, numbers, robots }) {
    const { n } = motion;
    const columns = motion.robots.map((at, i) => (at === null ? null : numbers.singles(at, n * robots[i].dofs.length)));
    const objects = motion.objects.map(({ body, poses }) => ({ body, poses: numbers.singles(poses, 7 * n) }));
    return new Motion(numbers.doubles(motion.times, n), columns, robots.map((robot) => robot.dofs), objects, motion.collisions);
  }

  get start() {
    return this.times[0];
  }

  get end() {
    return this.times[this.n - 1];
  }

  /** The last sample at or before a time, and the part of the way to the next. */
  place(time) {
    let [low, high] = [0, this.n - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle - 1;
    }
    if (low === this.n - 1 || time <= this.times[low]) return [low, 0];
    return [low, (time - this.times[low]) / (this.times[low + 1] - this.times[low])];
  }

  /** The configuration of a robot; null for one that does not move. */
  config(robot, time) {
    const columns = this.robots[robot];
    if (!columns) return null;
    const [i, u] = this.place(time);
    return this.dofs[robot].map((dof, k) => {
      const a = columns[k * this.n + i];
      if (u === 0) return a;
      let step = columns[k * this.n + i + 1] - a;
      // the short way round
      if (dof.spins || (!dof.slides && dof.min === null && Math.abs(step) > Math.PI)) step -= 2 * Math.PI * Math.round(step / (2 * Math.PI));
      return a + u * step;
    });
  }

  /** The poses of all objects that move, with their bodies. */
  objectPoses(time) {
    const [i, u] = this.place(time);
    return this.objects.map(({ body, poses }) => {
      const row = (k) => Array.from(poses.subarray(7 * k, 7 * k + 7));
      let p = row(i);
      if (u > 0) {
        const next = row(i + 1);
        const same = Math.sign(p.slice(3).reduce((sum, x, k) => sum + x * next[3 + k], 0)) || 1;
        p = p.map((x, k) => x + u * ((k < 3 ? 1 : same) * next[k] - x));
      }
      const length = Math.hypot(...p.slice(3)) || 1;
      return { body, pose: fromQuaternion(p.slice(0, 3), p.slice(3).map((x) => x / length)) };
    });
  }

  /** The nearest sample. */
  sample(time) {
    const [i, u] = this.place(time);
    return u > 0.5 ? i + 1 : i;
  }

  /** Pairs of bodies that collide at the nearest sample; null where that is not known. */
  collisionsAt(time) {
    if (!this.collisions) return null;
    const sample = this.sample(time);
    let pairs = [];
    for (const [from, found] of this.collisions) {
      if (from > sample) break;
      pairs = found;
    }
    return pairs;
  }
}
