#!/usr/bin/env python3
"""Writes the small files of `data/formats/` that are not written by hand. Needs Python 3 and nothing else.

    python3 data/make_formats.py

One shape in every mesh format: a wedge, 2 m long (x), 1 m wide (y), 1 m high at x = 0, of 6 corners and 5 faces, two of them
triangles. One cloud of four points in every way to write a PCD, and one hill as an image of 3 by 2 pixels.
"""

import base64
import json
import struct
import zlib
from pathlib import Path

OUT = Path(__file__).parent / "formats"

CORNERS = [(0, 0, 0), (2, 0, 0), (2, 1, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1)]
FACES = [(0, 3, 2, 1), (0, 1, 4), (2, 3, 5), (0, 4, 5, 3), (1, 2, 5, 4)]
TRIANGLES = [t for f in FACES for t in ((f[0], f[i], f[i + 1]) for i in range(1, len(f) - 1))]
COLORS = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255), (0, 0, 0), (51, 102, 153)]


def write(name, content):
    path = OUT / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def ply(encoding):
    """With colours at the corners, normals that nobody needs, and an element that is neither."""
    order = {"ascii": None, "binary_little_endian": "<", "binary_big_endian": ">"}[encoding]
    head = f"""ply
format {encoding} 1.0
comment a wedge
element vertex {len(CORNERS)}
property float x
property float y
property double z
property short nx
property uchar red
property uchar green
property uchar blue
element face {len(FACES)}
property uchar flags
property list uchar int vertex_indices
property list ushort float texcoord
element edge 1
property int vertex1
property int vertex2
end_header
"""
    rows = [("ffdhBBB", (*p, 7, *c)) for p, c in zip(CORNERS, COLORS)]
    rows += [("BB" + "i" * len(f) + "Hf", (9, len(f), *f, 1, 0.5)) for f in FACES]
    rows.append(("ii", (0, 1)))
    if order is None:
        return head + "".join(" ".join(map(str, row)) + "\n" for _, row in rows)
    return head.encode() + b"".join(struct.pack(order + kinds, *row) for kinds, row in rows)


def gltf(name, binary):
    """y up: our (x, y, z) is its (x, z, −y). The wedge stands on a table of 1 m, and hangs mirrored below it."""
    points = b"".join(struct.pack("<3f", x, z, -y) for x, y, z in CORNERS)
    indices = b"".join(struct.pack("<3H", *t) for t in TRIANGLES)
    data = points + indices
    document = {
        "asset": {"version": "2.0", "generator": "make_formats.py"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [
            {"translation": [0, 1, 0], "children": [1, 2]},
            {"mesh": 0},
            {"mesh": 0, "scale": [1, -1, 1]},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "materials": [{"name": "clay", "pbrMetallicRoughness": {"baseColorFactor": [0.75, 0.5, 0.25, 1]}}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(CORNERS), "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 3 * len(TRIANGLES), "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(points)},
            {"buffer": 0, "byteOffset": len(points), "byteLength": len(indices)},
        ],
        "buffers": [{"byteLength": len(data)}],
    }
    if binary == "chunk":
        text = json.dumps(document).encode()
        text += b" " * (-len(text) % 4)
        data += b"\0" * (-len(data) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
        write(name, b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks)
        return
    if binary == "file":
        document["buffers"][0]["uri"] = "wedge%20buffer.bin"
        write("wedge buffer.bin", data)
    else:
        document["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    write(name, json.dumps(document, indent=1) + "\n")


# x, y, z, padding, intensity, two normals, and a colour in the bits of a float; one point was seen nowhere
CLOUD = [(0.0, 0.0, 0.5, 1, (0.0, 1.0), 0xFF0000), (1.0, 0.0, 0.5, 2, (1.0, 0.0), 0x00FF00),
         (float("nan"),) * 3 + (3, (0.0, 0.0), 0), (0.0, 1.0, 0.25, 65535, (0.5, 0.5), 0x0000FF)]


def pcd(data):
    head = f"""# .PCD v0.7 - Point Cloud Data file format
VERSION 0.7
FIELDS x y z _ intensity n rgb
SIZE 4 4 4 1 2 4 4
TYPE F F F U U F F
COUNT 1 1 1 3 1 2 1
WIDTH {len(CLOUD)}
HEIGHT 1
VIEWPOINT 0 0 0 1 0 0 0
POINTS {len(CLOUD)}
DATA {data}
"""
    def columns(point):
        x, y, z, intensity, (n0, n1), rgb = point
        return [struct.pack("<f", x), struct.pack("<f", y), struct.pack("<f", z), b"\0" * 3,
                struct.pack("<H", intensity), struct.pack("<2f", n0, n1), struct.pack("<I", rgb)]
    if data == "ascii":
        def row(point):
            x, y, z, intensity, (n0, n1), rgb = point
            color = struct.unpack("<f", struct.pack("<I", rgb))[0]
            return f"{x} {y} {z} 0 0 0 {intensity} {n0} {n1} {color:.9g}\n"
        return head + "".join(map(row, CLOUD))
    if data == "binary":
        return head.encode() + b"".join(b"".join(columns(p)) for p in CLOUD)
    plain = b"".join(b"".join(column) for column in zip(*map(columns, CLOUD)))
    packed = lzf(plain)
    return head.encode() + struct.pack("<II", len(packed), len(plain)) + packed


def lzf(plain):
    """Runs as they are, and copies of three bytes and more that came before."""
    out, run, i = b"", b"", 0

    def flush(run):
        return b"".join(bytes([len(run[k:k + 32]) - 1]) + run[k:k + 32] for k in range(0, len(run), 32))

    while i < len(plain):
        length, back = max(((next((n for n in range(min(20, len(plain) - i)) if plain[i + n] != plain[i - b + n]),
                                  min(20, len(plain) - i)), b) for b in range(1, min(i, 200) + 1)), default=(0, 0))
        if length < 3:
            run += plain[i:i + 1]
            i += 1
            continue
        out += flush(run)
        run = b""
        n, b = length - 2, back - 1
        out += bytes([min(n, 7) << 5 | b >> 8]) + (bytes([n - 7]) if n >= 7 else b"") + bytes([b & 255])
        i += length
    return out + flush(run)


def png(rows, depth):
    """Grey pixels; `depth` bits each."""
    raw = b"".join(b"\0" + b"".join(v.to_bytes(depth // 8, "big") for v in row) for row in rows)
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), depth, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")


def main():
    OUT.mkdir(exist_ok=True)
    for encoding in ("ascii", "binary_little_endian", "binary_big_endian"):
        write(f"wedge_{encoding}.ply", ply(encoding))
    gltf("wedge.glb", "chunk")
    gltf("wedge.gltf", "file")
    gltf("wedge_data.gltf", "data")
    numbers = [f"{len(CORNERS)}"] + ["%g %g %g" % p for p in CORNERS] + [f"{len(TRIANGLES)}"]
    write("wedge.tri", "\n".join(numbers + ["%d %d %d" % t for t in TRIANGLES]) + "\n")
    for data in ("ascii", "binary", "binary_compressed"):
        write(f"cloud_{data}.pcd", pcd(data))
    write("hill.png", png([(0, 13107, 26214), (39321, 52428, 65535)], 16))
    write("shade.png", png([(0, 51, 102), (153, 204, 255)], 8))
    hill = {"type": "Heightmap", "xsize": 4, "ysize": 1, "height_range": [1, 2], "heights": "hill.png"}
    write("hill.json", json.dumps({**hill, "colors": "shade.png", "#": "three by two pixels"}, indent=1) + "\n")
    depths = {"type": "Heightmap", "xfov": 1.5707963267948966, "yfov": 1.5707963267948966, "height_range": [1, 2],
              "heights": "hill.png", "orientation": [[0, 0, 1], [-1, 0, 0], [0, -1, 0]], "offset": [0, 0, 3]}
    write("depths.json", json.dumps(depths, indent=1) + "\n")


if __name__ == "__main__":
    main()
