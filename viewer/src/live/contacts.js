// Contact points of pairs that collide: where they touch, and how deep.

import { BufferGeometry, Float32BufferAttribute, LineBasicMaterial, LineSegments, Points, PointsMaterial } from 'three';

const COLOR = 0xffd000;

export class Contacts {
  constructor(stage) {
    this.stage = stage;
    this.points = new Points(new BufferGeometry(), new PointsMaterial({ color: COLOR, size: 7, sizeAttenuation: false, depthTest: false, transparent: true }));
    this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: COLOR, depthTest: false, transparent: true }));
    for (const object of [this.points, this.lines]) {
      object.renderOrder = 6;
      object.frustumCulled = false;
      stage.scene.add(object);
    }
    this.show(null);
  }

  /** Shows the answer of `contacts`: a point each, and a line along the normal, as long as it is deep. */
  show(answer) {
    const all = (answer?.contacts ?? []).flatMap(({ points }) => points);
    const shortest = this.stage.radius * 0.04;
    const from = all.flatMap(({ on_b: b }) => b);
    const lines = all.flatMap(({ on_b: b, normal, depth }) => [...b, ...b.map((x, k) => x + normal[k] * Math.max(depth, shortest))]);
    this.points.geometry.setAttribute('position', new Float32BufferAttribute(from, 3));
    this.lines.geometry.setAttribute('position', new Float32BufferAttribute(lines, 3));
    this.points.visible = this.lines.visible = all.length > 0;
    this.count = all.length;
    this.stage.draw();
  }
}
