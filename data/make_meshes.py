#!/usr/bin/env python3
"""Writes every mesh under `data/meshes/`. Needs Python 3 and nothing else.

    python3 data/make_meshes.py

Each mesh is a list of closed parts (boxes, lathed profiles, balls), so that the same few lines give an
arm's link, a foot or a table. Coordinates are in metres, rounded to 0.1 mm, and outward faces are
counter-clockwise. Formats are mixed on purpose: OFF, Wavefront OBJ, STL in text and STL in binary.
"""

import math
import struct
from pathlib import Path

OUT = Path(__file__).parent / "meshes"


# --- parts: (vertices, faces) with faces of three or more vertex numbers --------------------------------------


def box(low, high):
    """An axis-aligned box of 12 triangles."""
    corners = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]


def lathe(profile, axis="z", at=(0, 0, 0), n=16):
    """A profile of (radius, height) pairs, from bottom to top, turned about an axis through `at`.

    The ends are closed with a fan. The vertices start half a step off the x axis, so that flat sides,
    not edges, face along the axes.
    """
    vertices, faces = [], []
    for radius, height in profile:
        for k in range(n):
            angle = 2 * math.pi * (k + 0.5) / n
            vertices.append((radius * math.cos(angle), radius * math.sin(angle), height))
    for ring in range(len(profile) - 1):
        for k in range(n):
            a, b = ring * n + k, ring * n + (k + 1) % n
            faces += [(a, b, b + n), (a, b + n, a + n)]
    bottom, top = len(vertices), len(vertices) + 1
    vertices += [(0, 0, profile[0][1]), (0, 0, profile[-1][1])]
    last = (len(profile) - 1) * n
    for k in range(n):
        faces += [(bottom, (k + 1) % n, k), (top, last + k, last + (k + 1) % n)]
    return shift(turn(vertices, axis), at), faces


def tube(radius, start, end, axis="z", at=(0, 0, 0), n=16):
    """A cylinder with slightly rounded ends, from `start` to `end` along an axis through `at`."""
    bevel = min(0.3 * radius, 0.3 * (end - start))
    profile = [(radius - bevel, start), (radius, start + bevel), (radius, end - bevel), (radius - bevel, end)]
    return lathe(profile, axis, at, n)


def ball(radius, at=(0, 0, 0), steps=2):
    """A sphere: an icosahedron whose triangles are quartered `steps` times."""
    g = (1 + math.sqrt(5)) / 2
    vertices = [p for s in (1, -1) for t in (g, -g) for p in ((0, s, t), (s, t, 0), (t, 0, s))]
    vertices = [unit(v) for v in vertices]
    edge = min(math.dist(vertices[0], v) for v in vertices[1:]) * 1.01
    n = len(vertices)
    close = lambda i, j: math.dist(vertices[i], vertices[j]) < edge
    faces = [
        outward(vertices, (i, j, k))
        for i in range(n) for j in range(i + 1, n) for k in range(j + 1, n)
        if close(i, j) and close(j, k) and close(i, k)
    ]
    for _ in range(steps):
        middles, finer = {}, []

        def middle(i, j):
            key = (min(i, j), max(i, j))
            if key not in middles:
                middles[key] = len(vertices)
                vertices.append(unit([a + b for a, b in zip(vertices[i], vertices[j])]))
            return middles[key]

        for a, b, c in faces:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            finer += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        faces = finer
    return shift([[radius * x for x in v] for v in vertices], at), faces


def ramp(length, width, height):
    """A wedge that rises along +x. Its sides are polygons, not triangles."""
    w = width / 2
    vertices = [(0, -w, 0), (length, -w, 0), (length, -w, height), (0, w, 0), (length, w, 0), (length, w, height)]
    return vertices, [(0, 1, 2), (3, 5, 4), (0, 3, 4, 1), (1, 4, 5, 2), (0, 2, 5, 3)]


def patch(low, high, cells, height):
    """An open surface over a rectangle of the plane, `height(x, y)` high."""
    at = lambda k, i: low[i] + (high[i] - low[i]) * k / cells
    vertices = [(at(i, 0), at(j, 1), height(at(i, 0), at(j, 1))) for i in range(cells + 1) for j in range(cells + 1)]
    faces = []
    for i in range(cells):
        for j in range(cells):
            a = i * (cells + 1) + j
            b = a + cells + 1
            faces += [(a, b, b + 1), (a, b + 1, a + 1)]
    return vertices, faces


# --- vectors ---------------------------------------------------------------------------------------------------


def unit(v):
    length = math.hypot(*v)
    return [x / length for x in v]


def shift(vertices, by):
    return [tuple(x + d for x, d in zip(v, by)) for v in vertices]


def turn(vertices, axis):
    """Brings +z to `axis` by a cyclic exchange, which keeps the handedness."""
    return [{"x": (z, x, y), "y": (y, z, x), "z": (x, y, z)}[axis] for x, y, z in vertices]


def outward(vertices, face):
    a, b, c = (vertices[i] for i in face)
    u, v = [q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)]
    normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    return face if sum(n * x for n, x in zip(normal, a)) > 0 else (face[0], face[2], face[1])


# --- files -----------------------------------------------------------------------------------------------------


def joined(parts):
    vertices, faces = [], []
    for part_vertices, part_faces in parts:
        faces += [tuple(i + len(vertices) for i in face) for face in part_faces]
        vertices += [tuple(round(x, 4) + 0.0 for x in v) for v in part_vertices]
    return vertices, faces


def triangles(vertices, faces):
    for face in faces:
        for k in range(1, len(face) - 1):
            yield [vertices[face[i]] for i in (0, k, k + 1)]


def normal_of(a, b, c):
    u, v = [q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)]
    return unit((u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]))


def text(numbers):
    return " ".join(f"{x:g}" for x in numbers)


def write_off(path, vertices, faces):
    lines = ["OFF", f"{len(vertices)} {len(faces)} 0", *map(text, vertices)]
    lines += [f"{len(face)} " + " ".join(map(str, face)) for face in faces]
    path.write_text("\n".join(lines) + "\n")


def write_obj(path, vertices, faces):
    lines = [f"o {path.stem}", *("v " + text(v) for v in vertices)]
    lines += ["f " + " ".join(str(i + 1) for i in face) for face in faces]
    path.write_text("\n".join(lines) + "\n")


def write_ascii_stl(path, vertices, faces):
    lines = [f"solid {path.stem}"]
    for corners in triangles(vertices, faces):
        lines += [f"  facet normal {text(round(x, 6) for x in normal_of(*corners))}", "    outer loop"]
        lines += [f"      vertex {text(v)}" for v in corners]
        lines += ["    endloop", "  endfacet"]
    path.write_text("\n".join([*lines, f"endsolid {path.stem}"]) + "\n")


def write_binary_stl(path, vertices, faces):
    all_corners = list(triangles(vertices, faces))
    with path.open("wb") as file:
        file.write(b"binary STL".ljust(80, b"\0") + struct.pack("<I", len(all_corners)))
        for corners in all_corners:
            file.write(struct.pack("<12fH", *normal_of(*corners), *(x for v in corners for x in v), 0))


WRITERS = {"off": write_off, "obj": write_obj, "ascii.stl": write_ascii_stl, "stl": write_binary_stl}


def table(x, y, z, top, legs):
    """A table top of `top` = (length, width, thickness) centred at (x, y), its upper face at z, on four legs."""
    length, width, thickness = top
    parts = [box((x - length / 2, y - width / 2, z - thickness), (x + length / 2, y + width / 2, z))]
    for sx in (-1, 1):
        for sy in (-1, 1):
            cx, cy = x + sx * (length / 2 - legs), y + sy * (width / 2 - legs)
            parts.append(box((cx - legs / 2, cy - legs / 2, 0), (cx + legs / 2, cy + legs / 2, z - thickness)))
    return parts


def shelf(x, y, width, depth, boards, side):
    """Boards at the given heights between two sides and a back, open towards −y."""
    low, high = x - width / 2, x + width / 2
    parts = [box((low, y, z), (high, y + depth, z + side)) for z in boards]
    top = boards[-1] + side
    parts += [box((low - side, y, 0), (low, y + depth, top)), box((high, y, 0), (high + side, y + depth, top))]
    return [*parts, box((low, y + depth, 0), (high, y + depth + side, top))]


MESHES = {
    # planar3R: exact in single precision, so that every reader gets the same numbers
    "thin_cube.off": [box((0, -0.0625, -0.0625), (1, 0.0625, 0.0625))],
    # arm6: each in the frame of its link
    "arm6/shoulder.off": [tube(0.09, -0.05, 0.1), tube(0.08, -0.09, 0.09, "y", (0.05, 0, 0.15), 20)],
    "arm6/upper_arm.off": [
        tube(0.07, -0.05, 0.05, "y", n=20), tube(0.055, 0.05, 0.40), tube(0.065, -0.05, 0.05, "y", (0, 0, 0.45), 20),
    ],
    "arm6/elbow.obj": [tube(0.06, -0.08, 0.08, "y"), box((0.01, -0.05, 0.005), (0.1, 0.05, 0.115))],
    "arm6/forearm.stl": [
        tube(0.05, 0.005, 0.28, "x"),
        box((0.28, -0.065, -0.03), (0.37, -0.045, 0.03)), box((0.28, 0.045, -0.03), (0.37, 0.065, 0.03)),
    ],
    "arm6/wrist.off": [tube(0.035, -0.04, 0.04, "z", n=12), box((0, -0.025, -0.025), (0.075, 0.025, 0.025))],
    "arm6/flange.off": [tube(0.04, 0, 0.03, "z", n=12)],
    # gripper
    "gripper/palm.off": [box((-0.02, -0.06, -0.03), (0.06, 0.06, 0.03))],
    "gripper/finger.off": [box((0, -0.008, -0.012), (0.06, 0.008, 0.012)), box((0.05, -0.008, -0.02), (0.09, 0.0, 0.02))],
    "gripper/thumb.off": [tube(0.01, 0, 0.06, "x", n=8)],
    # quadruped
    "quadruped/trunk.off": [box((-0.3, -0.1, -0.06), (0.3, 0.1, 0.06)), tube(0.05, 0.3, 0.36, "x", n=12)],
    "quadruped/hip.off": [tube(0.045, -0.04, 0.04, "x", n=12)],
    "quadruped/thigh.off": [tube(0.03, -0.25, -0.01, n=10)],
    "quadruped/shin.off": [tube(0.018, -0.25, -0.02, n=8), ball(0.025, (0, 0, -0.25), 1)],
    # mobile base
    "mobile/base.off": [tube(0.28, 0.05, 0.25, n=24), tube(0.05, 0.25, 0.6)],
    "mobile/carriage.off": [box((0.06, -0.06, -0.06), (0.16, 0.06, 0.06))],
    "mobile/arm.off": [tube(0.04, 0.02, 0.32, "x", n=12)],
    "mobile/camera.ascii.stl": [box((-0.02, -0.05, -0.015), (0.02, 0.05, 0.015)), tube(0.012, 0.01, 0.03, "x", n=8)],
    # things that URDFs with a <klampt> element use
    "drone/body.off": [box((-0.08, -0.08, -0.03), (0.08, 0.08, 0.03)), box((-0.2, -0.01, -0.005), (0.2, 0.01, 0.005))],
    "drone/rotor.off": [box((-0.09, -0.008, 0), (0.09, 0.008, 0.004))],
    "scara/link.off": [tube(0.06, -0.04, 0.04, n=14), box((0, -0.04, -0.03), (0.3, 0.04, 0.03))],
    "scara/spindle.off": [tube(0.015, -0.2, 0.1, n=10)],
    # objects
    "cube.off": [box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))],
    "can.stl": [tube(0.033, 0, 0.12, n=24)],
    "ball.obj": [ball(0.05, (0, 0, 0), 2)],
    "bracket.ascii.stl": [box((0, -0.03, 0), (0.12, 0.03, 0.02)), box((0, -0.03, 0.02), (0.02, 0.03, 0.1))],
    # terrains: they have no pose of their own, so they are modelled where they stand
    "floor.off": [patch((-2, -2), (2, 2), 1, lambda x, y: 0)],
    "hills.off": [patch((-2, -2), (2, 2), 24, lambda x, y: 0.08 * (math.sin(3 * x) * math.cos(2 * y) - 1))],
    "pedestal.off": [tube(0.12, 0, 0.14, n=20)],
    "table.off": table(0.75, 0, 0.2, (0.6, 1.2, 0.04), 0.06),
    "shelf.ascii.stl": shelf(0.3, 0.7, 0.8, 0.3, (0.1, 0.4, 0.7, 1.0), 0.02),
    "ramp.off": [ramp(1.0, 0.8, 0.2)],
}


def main():
    for name, parts in MESHES.items():
        path = OUT / name.replace(".ascii", "")
        path.parent.mkdir(parents=True, exist_ok=True)
        WRITERS[name.split(".", 1)[1]](path, *joined(parts))


if __name__ == "__main__":
    main()
