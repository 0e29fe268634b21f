// A scene that is quick to draw: its meshes are coarse, its materials matte.

import { MeshLambertMaterial } from 'three';
import { coarse } from './coarse.js';

const made = new WeakMap();

/** A material of the same color and opacity that shines nowhere; itself if it is no standard material. */
export function matte(material) {
  if (!material.isMeshStandardMaterial) return material;
  let known = made.get(material);
  if (!known) {
    const { color, emissive, opacity, transparent, depthWrite, side, vertexColors } = material;
    known = new MeshLambertMaterial({ color, emissive, opacity, transparent, depthWrite, side, vertexColors });
    made.set(material, known);
  }
  return known;
}

/** Makes a scene quick to draw; what it returns makes it again what it was. */
export function quicken(scene) {
  const were = [];
  scene.traverseVisible((object) => {
    if (!object.isMesh) return;
    const { geometry, material } = object;
    were.push({ object, geometry, material });
    object.geometry = coarse(geometry);
    object.material = Array.isArray(material) ? material.map(matte) : matte(material);
  });
  return () => were.forEach(({ object, geometry, material }) => Object.assign(object, { geometry, material }));
}
