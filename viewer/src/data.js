// The data of the page: text and numbers, unpacked by the browser.

/** Reads the data of an element of the page. */
export async function read(element) {
  const data = JSON.parse(element.textContent);
  element.remove();
  return unpacked(data);
}

/** Data with its numbers. */
export async function unpacked(data) {
  const buffer = await inflate(data.buffer);
  data.buffer = null;
  data.numbers = new Numbers(buffer);
  return data;
}

export async function inflate(base64) {
  const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).arrayBuffer();
}

/** Numbers in the buffer, by the offset of their first byte. */
class Numbers {
  constructor(buffer) {
    this.buffer = buffer;
  }

  doubles(at, n) {
    return new Float64Array(this.buffer, at, n);
  }

  singles(at, n) {
    return new Float32Array(this.buffer, at, n);
  }

  shorts(at, n) {
    return new Uint16Array(this.buffer, at, n);
  }

  longs(at, n) {
    return new Uint32Array(this.buffer, at, n);
  }

  bytes(at, n) {
    return new Uint8Array(this.buffer, at, n);
  }
}

/** Positions, indices and colours of a mesh. */
export function unpack(numbers, mesh) {
  const n = mesh.vertices;
  const steps = numbers.shorts(mesh.points, 3 * n);
  const positions = new Float32Array(3 * n);
  for (let axis = 0; axis < 3; axis++) {
    const [low, size] = [mesh.min[axis], mesh.max[axis] - mesh.min[axis]];
    let step = 0;
    for (let i = 0; i < n; i++) {
      step = (step + steps[axis * n + i]) & 0xffff;
      positions[3 * i + axis] = low + (step / 65535) * size;
    }
  }
  const count = 3 * mesh.triangles;
  const below = n <= 0xffff ? numbers.shorts(mesh.indices, count) : numbers.longs(mesh.indices, count);
  const indices = new Uint32Array(count);
  for (let i = 0, next = 0; i < count; i++) {
    indices[i] = next - below[i];
    if (indices[i] === next) next++;
  }
  const colors = mesh.colors === undefined ? null : numbers.bytes(mesh.colors, 4 * n);
  return { positions, indices, colors };
}
