// Contact points and forces: arrows at points of the world, for each time of a motion or for the world as loaded.

import {
  BufferGeometry, ConeGeometry, Float32BufferAttribute, Group, InstancedMesh, LineBasicMaterial, LineSegments, MeshBasicMaterial, Object3D, Points,
  PointsMaterial, Vector3,
} from 'three';

const UP = new Vector3(0, 1, 0);

export class Arrows {
  /** Arrows of the data: the longest is as long as a part of what is seen, and none is shorter than another part. */
  constructor(stage, numbers, { starts, rows }, { color, longest, shortest }) {
    Object.assign(this, { stage, starts, longest, shortest });
    this.rows = numbers.singles(rows, 6 * starts.at(-1));
    this.most = 0;
    for (let k = 0; k < this.rows.length; k += 6) this.most = Math.max(this.most, Math.hypot(...this.rows.subarray(k + 3, k + 6)));
    const most = Math.max(...starts.slice(1).map((end, k) => end - starts[k]));
    const look = { color, depthTest: false, transparent: true };
    this.points = new Points(new BufferGeometry(), new PointsMaterial({ ...look, size: 7, sizeAttenuation: false }));
    this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial(look));
    this.heads = new InstancedMesh(new ConeGeometry(0.35, 1, 12).translate(0, -0.5, 0), new MeshBasicMaterial(look), most);
    this.group = new Group();
    this.group.add(this.points, this.lines, this.heads);
    for (const object of this.group.children) {
      object.renderOrder = 6;
      object.frustumCulled = false;
    }
    stage.scene.add(this.group);
    this.isOn = true;
    this.show(null);
  }

  toggle(on) {
    this.isOn = on;
    this.group.visible = on && this.count > 0;
    this.stage.draw();
  }

  /** Shows those of a sample; nothing where they are not known. */
  show(sample) {
    const [from, to] = sample === null ? [0, 0] : [this.starts[sample], this.starts[sample + 1]];
    this.count = to - from;
    this.group.visible = this.isOn && this.count > 0;
    const { radius } = this.stage;
    const [points, lines] = [[], []];
    const place = new Object3D();
    for (let k = from; k < to; k++) {
      const [x, y, z, ...along] = this.rows.subarray(6 * k, 6 * k + 6);
      const size = Math.hypot(...along) || 1;
      const length = Math.max((size / (this.most || 1)) * this.longest, this.shortest) * radius;
      const tip = [x, y, z].map((value, i) => value + (along[i] / size) * length);
      points.push(x, y, z);
      lines.push(x, y, z, ...tip);
      place.position.set(...tip);
      place.quaternion.setFromUnitVectors(UP, new Vector3(...along).divideScalar(size));
      place.scale.setScalar(Math.min(0.3 * length, 0.06 * radius));
      place.updateMatrix();
      this.heads.setMatrixAt(k - from, place.matrix);
    }
    this.heads.count = this.count;
    this.heads.instanceMatrix.needsUpdate = true;
    this.points.geometry.setAttribute('position', new Float32BufferAttribute(points, 3));
    this.lines.geometry.setAttribute('position', new Float32BufferAttribute(lines, 3));
    this.stage.draw();
  }

  remove() {
    this.stage.scene.remove(this.group);
    for (const object of this.group.children) object.geometry.dispose();
  }
}
