// The model: what is shown, where it is, and how it is marked.

import {
  Box3, BoxGeometry, BufferGeometry, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial,
  MeshStandardMaterial, Raycaster, SphereGeometry, Vector2, Vector3, EdgesGeometry,
} from 'three';
import { IDENTITY, apply, linkPoses, product, setDof } from './kinematics.js';
import { Shapes, matrix } from './shapes.js';

const RED = new MeshStandardMaterial({ color: 0xe5382c, roughness: 0.6, emissive: 0x5a0a06 });
const CHOSEN = new MeshStandardMaterial({ color: 0x3d8bfd, roughness: 0.6, emissive: 0x0a2a5a });
const COLLISION = new MeshStandardMaterial({ color: 0xf2a33c, transparent: true, opacity: 0.42, depthWrite: false, roughness: 0.9 });
const COLLISION_RED = new MeshStandardMaterial({ color: 0xe5382c, transparent: true, opacity: 0.6, depthWrite: false, roughness: 0.9 });

/** Extent of a terrain, as a multiple of that of robots and objects, beyond which it is a ground. */
const GROUND = 20;

export class Model {
  constructor(data, stage) {
    this.data = data;
    this.stage = stage;
    this.robots = data.robots;
    this.q = data.robots.map((robot) => Float64Array.from(robot.q));
    this.group = new Group();
    stage.scene.add(this.group);
    this.shapes = new Shapes(data);
    this.show = { visual: true, collision: false, frames: false, com: false, inertia: false };
    this.red = new Set();
    this.chosen = null;
    this.bodies = data.shapes.map((shapes, i) => this.body(i, shapes));
    this.objectPoses = data.objects.map((object) => object.pose ?? IDENTITY);
    this.update();
    stage.frame(this.boxes());
    this.markers();
    this.update();
  }

  /** Takes everything off the stage. */
  remove() {
    this.stage.scene.remove(this.group, this.center);
    this.group.traverse(({ geometry }) => geometry?.dispose());
  }

  /** Boxes around all shapes but those of grounds, which are large beside all else; around the origins of bodies where there are none. */
  boxes() {
    this.group.updateMatrixWorld(true);
    const around = (bodies) => {
      const shapes = bodies.flatMap((body) => body.visual).map((object) => new Box3().setFromObject(object));
      return shapes.filter((box) => !box.isEmpty());
    };
    const extent = (box) => box.getSize(new Vector3()).length();
    const found = around(this.bodies.filter((body) => body.kind !== 'terrain'));
    const all = found.reduce((all, one) => all.union(one), new Box3());
    const largest = found.length ? GROUND * extent(all) : Infinity;
    found.push(...around(this.bodies.filter((body) => body.kind === 'terrain')).filter((box) => extent(box) <= largest));
    if (found.length) return found;
    const origins = this.bodies.map(({ pose }) => new Vector3(pose[3], pose[7], pose[11]));
    return origins.length > 1 ? [new Box3().setFromPoints(origins).expandByScalar(0.05)] : [];
  }

  /** Number of bodies that are links. */
  get firstObject() {
    return this.robots.reduce((n, robot) => n + robot.links.length, 0);
  }

  body(index, shapes) {
    const node = new Group();
    node.matrixAutoUpdate = false;
    const body = { index, node, pose: IDENTITY, visual: [], collision: [], frame: null, com: null, box: null, shapes, ...this.describe(index) };
    for (const shape of shapes.visual) {
      const object = this.shapes.object(shape);
      object.userData = { body, paint: object.material };
      body.visual.push(object);
      node.add(object);
    }
    this.group.add(node);
    return body;
  }

  /** Names and mass of a body. */
  describe(index) {
    const robot = this.robots.find(({ first, links }) => index >= first && index < first + links.length);
    if (robot) {
      const link = robot.links[index - robot.first];
      return { kind: 'link', name: link.name, robot, link, inertia: link.inertia };
    }
    const object = this.data.objects[index - this.firstObject];
    return { kind: object.kind, name: object.name, robot: null, link: null, inertia: object.inertia ?? null };
  }

  /** Frames, centres of mass and boxes of inertia, all hidden. */
  markers() {
    const size = this.stage.radius * 0.09;
    const axes = new BufferGeometry();
    axes.setAttribute('position', new Float32BufferAttribute([0, 0, 0, size, 0, 0, 0, 0, 0, 0, size, 0, 0, 0, 0, 0, 0, size], 3));
    axes.setAttribute('color', new Float32BufferAttribute([0.9, 0.1, 0.1, 0.9, 0.1, 0.1, 0.1, 0.65, 0.1, 0.1, 0.65, 0.1, 0.15, 0.35, 1, 0.15, 0.35, 1], 3));
    const lines = new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true });
    const ball = new SphereGeometry(1, 20, 14);
    const gold = new MeshBasicMaterial({ color: 0xffb000, depthTest: false, transparent: true, opacity: 0.9 });
    const edge = new LineBasicMaterial({ color: 0x8a5cf6, depthTest: false, transparent: true });
    const fill = new MeshBasicMaterial({ color: 0x8a5cf6, transparent: true, opacity: 0.16, depthWrite: false });
    const total = Math.max(1e-9, ...this.bodies.map((body) => body.inertia?.mass ?? 0));
    for (const body of this.bodies) {
      if (body.kind !== 'terrain') {
        body.frame = new LineSegments(axes, lines);
        body.frame.renderOrder = 3;
      }
      if (body.inertia) {
        body.com = new Mesh(ball, gold);
        body.com.position.set(...body.inertia.com);
        body.com.scale.setScalar(this.stage.radius * 0.03 * Math.max(0.25, Math.cbrt(body.inertia.mass / total)));
        body.com.renderOrder = 2;
        if (body.inertia.box) {
          const box = new BoxGeometry(...body.inertia.box.size.map((x) => Math.max(x, 1e-4)));
          body.box = new Group();
          body.box.matrixAutoUpdate = false;
          body.box.matrix.copy(matrix(body.inertia.box.placement));
          body.box.add(new Mesh(box, fill), new LineSegments(new EdgesGeometry(box), edge));
        }
      }
      for (const marker of [body.frame, body.com, body.box]) {
        if (marker) {
          marker.visible = false;
          body.node.add(marker);
        }
      }
    }
    this.center = new Mesh(ball, new MeshBasicMaterial({ color: 0xd6336c, depthTest: false, transparent: true, opacity: 0.9 }));
    this.center.scale.setScalar(this.stage.radius * 0.022);
    this.center.renderOrder = 4;
    this.center.visible = false;
    this.stage.scene.add(this.center);
  }

  /** Shows or hides a kind of thing. */
  toggle(what, on) {
    this.show[what] = on;
    if (what === 'grid') this.stage.grid.visible = on;
    if (what === 'collision' && on) this.makeCollision();
    for (const body of this.bodies) {
      for (const object of body.visual) object.visible = this.show.visual;
      for (const object of body.collision) object.visible = this.show.collision;
      if (body.frame) body.frame.visible = this.show.frames;
      if (body.com) body.com.visible = this.show.com;
      if (body.box) body.box.visible = this.show.inertia;
    }
    this.center.visible = this.show.com;
    this.paint();
    this.stage.draw(true);
  }

  makeCollision() {
    if (this.hasCollision) return;
    this.hasCollision = true;
    for (const body of this.bodies) {
      for (const shape of body.shapes.collision) {
        const object = this.shapes.object(shape, COLLISION);
        object.userData = { body };
        object.renderOrder = 1;
        body.collision.push(object);
        body.node.add(object);
      }
    }
  }

  /** Sets a degree of freedom and what is coupled with it. */
  set(robot, dof, value) {
    setDof(this.robots[robot], this.q[robot], dof, value);
    this.update();
  }

  setConfig(robot, q) {
    this.q[robot].set(q);
  }

  setObject(body, pose) {
    this.objectPoses[body - this.firstObject] = pose;
  }

  /** Moves everything to the configurations. */
  update() {
    const poses = this.robots.map((robot, r) => {
      const all = linkPoses(robot, this.q[r]);
      all.forEach((pose, i) => this.place(robot.first + i, pose));
      return all;
    });
    this.data.objects.forEach((object, i) => {
      const on = object.attached;
      const pose = on ? product(poses[on.robot][on.link], on.placement) : this.objectPoses[i];
      this.place(this.firstObject + i, pose);
    });
    if (this.center) {
      let [mass, sum] = [0, [0, 0, 0]];
      for (const body of this.bodies) {
        if (body.kind !== 'link' || !body.inertia) continue;
        mass += body.inertia.mass;
        apply(body.pose, body.inertia.com).forEach((x, k) => (sum[k] += x * body.inertia.mass));
      }
      if (mass > 0) this.center.position.set(...sum.map((x) => x / mass));
      else this.center.scale.setScalar(0);
    }
    this.stage.draw(true);
  }

  place(index, pose) {
    const body = this.bodies[index];
    body.pose = pose;
    matrix(pose, body.node.matrix);
    body.node.matrixWorldNeedsUpdate = true;
  }

  /** Marks the bodies of pairs that collide. */
  collide(pairs) {
    this.red = new Set((pairs ?? []).flat());
    this.paint();
  }

  choose(body) {
    this.chosen = body;
    this.paint();
  }

  paint() {
    for (const body of this.bodies) {
      const red = this.red.has(body.index);
      const paint = red ? RED : body === this.chosen ? CHOSEN : null;
      for (const object of body.visual) if (object.isMesh) object.material = paint ?? object.userData.paint;
      for (const object of body.collision) if (object.isMesh) object.material = red ? COLLISION_RED : COLLISION;
    }
    this.stage.draw();
  }

  /** The body under a point of the canvas, from -1 to 1 each way; null for none. */
  pick(x, y) {
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(x, y), this.stage.camera);
    const seen = this.bodies.flatMap((body) => [...body.visual, ...body.collision]).filter((object) => object.visible);
    return ray.intersectObjects(seen, false)[0]?.object.userData.body ?? null;
  }
}
