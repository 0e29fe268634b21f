// Shapes of bodies as objects of three.js: each mesh once.

import { BufferAttribute, BufferGeometry, Color, DoubleSide, FrontSide, Matrix4, Mesh, MeshStandardMaterial, Points, PointsMaterial, SRGBColorSpace } from 'three';
import { unpack } from './data.js';
import { withNormals } from './normals.js';

export class Shapes {
  constructor(data) {
    this.data = data;
    this.geometries = new Map();
    this.materials = new Map();
    this.triangles = 0;
  }

  /** The geometry of a mesh, and the materials of its groups; -1 is that of the body. */
  geometry(index) {
    let known = this.geometries.get(index);
    if (!known) {
      known = this.build(this.data.meshes[index]);
      this.geometries.set(index, known);
    }
    return known;
  }

  build(mesh) {
    const { positions, indices, colors } = unpack(this.data.numbers, mesh);
    this.triangles += mesh.triangles;
    const geometry = new BufferGeometry();
    const isCloud = mesh.triangles === 0;
    let source = null;
    if (isCloud) {
      geometry.setAttribute('position', new BufferAttribute(positions, 3));
    } else {
      const split = withNormals(positions, indices);
      source = split.source;
      geometry.setAttribute('position', new BufferAttribute(split.positions, 3));
      geometry.setAttribute('normal', new BufferAttribute(split.normals, 3));
      geometry.setIndex(new BufferAttribute(indices, 1));
      mesh.runs.forEach(([start, n], k) => geometry.addGroup(3 * start, 3 * n, k));
    }
    if (colors) {
      const n = geometry.attributes.position.count;
      const light = new Float32Array(4 * n);
      const color = new Color();
      for (let i = 0; i < n; i++) {
        const at = 4 * (source ? source[i] : i);
        color.setRGB(colors[at] / 255, colors[at + 1] / 255, colors[at + 2] / 255, SRGBColorSpace);
        light.set([color.r, color.g, color.b, colors[at + 3] / 255], 4 * i);
      }
      geometry.setAttribute('color', new BufferAttribute(light, 4));
    }
    return { geometry, isCloud, own: mesh.runs.map((run) => run[2] ?? -1), hasColors: Boolean(colors) };
  }

  material(index, hasColors) {
    const key = `${index} ${hasColors}`;
    let known = this.materials.get(key);
    if (!known) {
      const [r, g, b, a] = hasColors ? [1, 1, 1, 1] : this.data.materials[index];
      known = new MeshStandardMaterial({
        color: new Color().setRGB(r, g, b, SRGBColorSpace),
        opacity: a,
        transparent: a < 1,
        depthWrite: a >= 0.5,
        roughness: 0.62,
        metalness: 0.05,
        side: a < 1 ? FrontSide : DoubleSide,
        vertexColors: hasColors,
      });
      this.materials.set(key, known);
    }
    return known;
  }

  /** An object for a shape of a body; `paint` replaces all its materials. */
  object(shape, paint = null) {
    const { geometry, isCloud, own, hasColors } = this.geometry(shape.mesh);
    let object;
    if (isCloud) {
      const [r, g, b] = this.data.materials[shape.material];
      const color = new Color().setRGB(r, g, b, SRGBColorSpace);
      object = new Points(geometry, new PointsMaterial({ color: hasColors ? 0xffffff : color, vertexColors: hasColors, size: 2, sizeAttenuation: false }));
    } else {
      const material = (index) => this.material(index < 0 || shape.covers ? shape.material : index, hasColors && !shape.covers);
      const painted = paint ?? (own.length === 1 ? material(own[0]) : own.map(material));
      object = new Mesh(geometry, painted);
      object.castShadow = object.receiveShadow = !paint;
    }
    object.matrixAutoUpdate = false;
    if (shape.placement) object.matrix.copy(matrix(shape.placement));
    return object;
  }
}

/** The matrix of a pose of 12 numbers. */
export function matrix(m, out = new Matrix4()) {
  return out.set(...m, 0, 0, 0, 1);
}
