// Sphere covers of links, as the planner and `spherize` have them.

import { Matrix4, InstancedMesh, MeshStandardMaterial, SphereGeometry } from 'three';

const BALL = new SphereGeometry(1, 20, 14);
const FILL = new MeshStandardMaterial({ color: 0x8a5cf6, transparent: true, opacity: 0.35, depthWrite: false, roughness: 0.9 });

export class Spheres {
  constructor(page, world) {
    Object.assign(this, { page, world, on: false, meshes: [] });
  }

  /** Shows or hides the spheres of all robots. */
  async toggle(on) {
    this.on = on;
    this.clear();
    if (!on) return;
    const { model } = this.page;
    for (const robot of model.robots) {
      const { links } = await this.world.link.ask({ op: 'spheres', robot: robot.name });
      if (!this.on || model !== this.page.model) return;
      links.forEach(({ outer }, i) => {
        if (!outer.length) return;
        const mesh = new InstancedMesh(BALL, FILL, outer.length);
        outer.forEach(({ center, radius }, k) => mesh.setMatrixAt(k, new Matrix4().makeScale(radius, radius, radius).setPosition(...center)));
        mesh.renderOrder = 1;
        model.bodies[robot.first + i].node.add(mesh);
        this.meshes.push(mesh);
      });
    }
    this.page.stage.draw();
  }

  clear() {
    for (const mesh of this.meshes) {
      mesh.removeFromParent();
      mesh.dispose();
    }
    this.meshes = [];
    this.page.stage.draw();
  }
}
