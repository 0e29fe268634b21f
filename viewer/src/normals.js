// Normals of a mesh without any: smooth, but not across sharp edges.

/** Cosine of the sharpest angle that still counts as round. */
const ROUND = Math.cos((38 * Math.PI) / 180);

/**
 * Splits the vertices of sharp edges. Returns positions and normals, and `source`, the old vertex of each new one; `indices` are
 * rewritten.
 */
export function withNormals(positions, indices) {
  const n = indices.length / 3;
  const faces = new Float32Array(3 * n);
  const areas = new Float32Array(n);
  const starts = new Uint32Array(positions.length / 3 + 1);
  for (let f = 0; f < n; f++) {
    const [a, b, c] = [3 * indices[3 * f], 3 * indices[3 * f + 1], 3 * indices[3 * f + 2]];
    const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1], uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1], vz = positions[c + 2] - positions[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    const length = Math.hypot(x, y, z);
    areas[f] = length;
    if (length > 0) faces.set([x / length, y / length, z / length], 3 * f);
    for (let k = 0; k < 3; k++) starts[indices[3 * f + k] + 1]++;
  }
  for (let i = 1; i < starts.length; i++) starts[i] += starts[i - 1];
  // the corners at each vertex
  const corners = new Uint32Array(3 * n);
  const fill = starts.slice(0, -1);
  for (let i = 0; i < 3 * n; i++) corners[fill[indices[i]]++] = i;

  const points = [], normals = [], source = [];
  for (let v = 0; v + 1 < starts.length; v++) {
    const own = corners.subarray(starts[v], starts[v + 1]);
    const made = [];
    for (const corner of own) {
      const f = 3 * Math.floor(corner / 3);
      let x = 0, y = 0, z = 0;
      for (const other of own) {
        const o = Math.floor(other / 3), g = 3 * o;
        const cos = faces[f] * faces[g] + faces[f + 1] * faces[g + 1] + faces[f + 2] * faces[g + 2];
        if (cos >= ROUND || other === corner) {
          x += areas[o] * faces[g];
          y += areas[o] * faces[g + 1];
          z += areas[o] * faces[g + 2];
        }
      }
      const length = Math.hypot(x, y, z) || 1;
      x /= length; y /= length; z /= length;
      let index = made.find((i) => Math.abs(normals[3 * i] - x) + Math.abs(normals[3 * i + 1] - y) + Math.abs(normals[3 * i + 2] - z) < 1e-4);
      if (index === undefined) {
        index = source.length;
        source.push(v);
        points.push(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
        normals.push(x, y, z);
        made.push(index);
      }
      indices[corner] = index;
    }
  }
  return { positions: new Float32Array(points), normals: new Float32Array(normals), source };
}
