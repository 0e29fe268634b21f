// Poses of links: arrays of 12 numbers, the first three rows of a matrix.

export const IDENTITY = Object.freeze([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);

/** The product of two poses. */
export function product(a, b, out = new Array(12)) {
  for (let r = 0; r < 12; r += 4) {
    const [x, y, z, t] = [a[r], a[r + 1], a[r + 2], a[r + 3]];
    for (let c = 0; c < 4; c++) {
      out[r + c] = x * b[c] + y * b[4 + c] + z * b[8 + c] + (c === 3 ? t : 0);
    }
  }
  return out;
}

/** The pose of a link at q relative to its pose at 0: a turn by q·axis, or a step along it. */
export function motion(link, q) {
  const [x, y, z] = link.axis.map((a) => a * q);
  if (link.slides) return [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z];
  const angle = Math.hypot(x, y, z);
  if (angle === 0) return IDENTITY;
  const [ux, uy, uz] = [x / angle, y / angle, z / angle];
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  const k = 1 - c;
  return [
    ux * ux * k + c, ux * uy * k - uz * s, ux * uz * k + uy * s, 0,
    ux * uy * k + uz * s, uy * uy * k + c, uy * uz * k - ux * s, 0,
    ux * uz * k - uy * s, uy * uz * k + ux * s, uz * uz * k + c, 0,
  ];
}

/** The poses of all links of a robot in the world; parents come before their children. */
export function linkPoses(robot, q) {
  const poses = [];
  for (const link of robot.links) {
    let pose = link.placement ?? IDENTITY;
    if (link.parent !== null) pose = product(poses[link.parent], pose);
    if (link.dof !== undefined) pose = product(pose, motion(link, q[link.dof]));
    poses.push(pose);
  }
  return poses;
}

/** Sets a degree of freedom, and those that a mimic joint couples with it. */
export function setDof(robot, q, dof, value) {
  q[dof] = value;
  for (const { dofs, scale, offset } of robot.couplings) {
    const k = dofs.indexOf(dof);
    if (k < 0 || scale[k] === 0) continue;
    const u = (value - offset[k]) / scale[k];
    dofs.forEach((other, i) => {
      if (other !== dof) q[other] = scale[i] * u + offset[i];
    });
  }
}

/** A pose from a position and a quaternion w, x, y, z. */
export function fromQuaternion([x, y, z], [w, i, j, k]) {
  return [
    1 - 2 * (j * j + k * k), 2 * (i * j - k * w), 2 * (i * k + j * w), x,
    2 * (i * j + k * w), 1 - 2 * (i * i + k * k), 2 * (j * k - i * w), y,
    2 * (i * k - j * w), 2 * (j * k + i * w), 1 - 2 * (i * i + j * j), z,
  ];
}

/** Roll, pitch and yaw of a pose: turns about the fixed x, y and z axes. */
export function rollPitchYaw(m) {
  const level = Math.hypot(m[0], m[4]);
  if (level < 1e-9) return [Math.atan2(-m[6], m[5]), Math.atan2(-m[8], level), 0];
  return [Math.atan2(m[9], m[10]), Math.atan2(-m[8], level), Math.atan2(m[4], m[0])];
}

/** A point in the frame of a pose, in the world. */
export function apply(m, [x, y, z]) {
  return [0, 4, 8].map((r) => m[r] * x + m[r + 1] * y + m[r + 2] * z + m[r + 3]);
}
