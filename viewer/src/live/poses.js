// Poses of the page, 12 numbers, and of the server, rotation and translation.

export const poseOf = ({ rotation: [a, b, c], translation: [x, y, z] }) => [...a, x, ...b, y, ...c, z];

export const rowsOf = (m) => ({ rotation: [m.slice(0, 3), m.slice(4, 7), m.slice(8, 11)].map((row) => Array.from(row)), translation: [m[3], m[7], m[11]] });

/** The pose with roll, pitch and yaw about the fixed axes x, y and z. */
export function ofAngles([x, y, z], [r, p, w]) {
  const [cr, sr, cp, sp, cw, sw] = [Math.cos(r), Math.sin(r), Math.cos(p), Math.sin(p), Math.cos(w), Math.sin(w)];
  return [
    cw * cp, cw * sp * sr - sw * cr, cw * sp * cr + sw * sr, x,
    sw * cp, sw * sp * sr + cw * cr, sw * sp * cr - cw * sr, y,
    -sp, cp * sr, cp * cr, z,
  ];
}

/** The pose of an object of three.js. */
export function ofMatrix({ elements: e }) {
  return [e[0], e[4], e[8], e[12], e[1], e[5], e[9], e[13], e[2], e[6], e[10], e[14]];
}
