// The nearest pairs, and a line between the nearest two.

import { BufferGeometry, Float32BufferAttribute, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, SphereGeometry } from 'three';
import { element, number } from '../text.js';

export class Distances {
  constructor(page, world, place) {
    this.page = page;
    this.world = world;
    this.list = element('ul', {});
    const box = element('input', { type: 'checkbox', id: 'show-distances', checked: true });
    box.addEventListener('change', () => {
      world.distances = box.checked;
      if (!box.checked) this.show(null);
      world.check();
    });
    this.clearance = element('p', { id: 'clearance' });
    place.append(element('h2', {}, 'Distances'), this.clearance, element('label', { class: 'check' }, box, 'nearest pairs'), this.list);
    const color = 0x12a37a;
    this.line = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color, depthTest: false, transparent: true }));
    const ball = new SphereGeometry(1, 12, 8);
    const fill = new MeshBasicMaterial({ color, depthTest: false, transparent: true });
    this.ends = [new Mesh(ball, fill), new Mesh(ball, fill)];
    for (const object of [this.line, ...this.ends]) {
      object.renderOrder = 5;
      object.visible = false;
      object.frustumCulled = false;
      page.stage.scene.add(object);
    }
  }

  show(answer) {
    const pairs = answer?.pairs ?? [];
    const items = pairs.map(({ pair: [a, b], distance }) => element('li', {}, `${number(distance * 1000, 1)} mm: ${a} and ${b}`));
    this.list.replaceChildren(...items);
    // that of a link: objects that lie on each other are always near
    const nearest = pairs.find(({ pair }) => pair.some((name) => name.endsWith(']')));
    this.clearance.textContent = nearest ? `clearance ${number(nearest.distance * 1000, 1)} mm` : '';
    this.clearance.className = nearest && !nearest.distance ? 'hit' : 'free';
    for (const object of [this.line, ...this.ends]) object.visible = Boolean(nearest?.on_a);
    // shapes that overlap have no nearest points
    if (nearest?.on_a) {
      const { on_a: a, on_b: b } = nearest;
      this.line.geometry.setAttribute('position', new Float32BufferAttribute([...a, ...b], 3));
      [a, b].forEach((point, k) => {
        this.ends[k].position.set(...point);
        this.ends[k].scale.setScalar(this.page.stage.radius * 0.006);
      });
    }
    this.page.stage.draw();
  }
}
