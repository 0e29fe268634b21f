#!/usr/bin/env python3
"""Writes the meshes, hulls and poses on which `measure.py` compares kinworld with Coal.

    python prepare.py DATA --corpus CORPUS

Meshes are those of the pip package `example-robot-data` and of Klampt's examples (the folder CORPUS/klampt). Coordinates are
rounded to single precision, so that every library sees the same shapes, and triangles without area are left out. A
mesh is a file of two u32 (vertices, triangles), f64 coordinates and u32 indices; the hull of `x` is `h_x`. For each pair there are
200 poses of the second mesh in each of four classes: overlapping, nearer than 2 cm, 2 to 10 cm, farther. A line is: class,
quaternion w x y z and translation of the second mesh in the frame of the first, distance as Coal sees it.
"""

import argparse
import time
from pathlib import Path

import coal
import numpy as np
import trimesh

ROBOTS = Path(coal.__file__).parents[4] / "share" / "example-robot-data" / "robots"
PANDA, UR5 = ROBOTS / "panda_description" / "meshes", ROBOTS / "ur_description" / "meshes" / "ur5"
CLASSES, POSES = 4, 200


def meshes(corpus):
    klampt = corpus / "klampt"
    return {
        "p_link5": PANDA / "collision" / "link5.stl",
        "p_hand": PANDA / "collision" / "hand.stl",
        "ur_fore": UR5 / "collision" / "forearm.stl",
        "ur_upper": UR5 / "collision" / "upperarm.stl",
        "pv_link5": PANDA / "visual" / "link5.dae",
        "pv_link6": PANDA / "visual" / "link6.dae",
        "pv_hand": PANDA / "visual" / "hand.dae",
        "mug": klampt / "objects" / "srimugsmooth.off",
        "drc": klampt / "terrains" / "drc_rough_terrain.stl",
    }


PAIRS = [
    ("p_hand", "p_link5"),
    ("ur_fore", "ur_upper"),
    ("pv_hand", "pv_link5"),
    ("pv_link6", "mug"),
    ("drc", "pv_hand"),
]


def load(path):
    mesh = trimesh.load(path, force="mesh")
    mesh.merge_vertices(merge_tex=True, merge_norm=True)
    vertices = mesh.vertices.astype(np.float32).astype(np.float64)
    a, b, c = (vertices[mesh.faces[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return vertices, mesh.faces[area >= 1e-14]


def write(path, vertices, faces):
    header = np.array([len(vertices), len(faces)], dtype=np.uint32)
    parts = [header, np.ascontiguousarray(vertices, dtype=np.float64), np.ascontiguousarray(faces, dtype=np.uint32)]
    path.write_bytes(b"".join(part.tobytes() for part in parts))


def bvh(vertices, faces):
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(faces), len(vertices))
    model.addVertices(vertices)
    model.addTriangles(faces.astype(np.int64))
    model.endModel()
    return model


def rotation(q):
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def poses(first, second, is_terrain, random):
    """The wanted number of poses of each class, or fewer after two minutes."""
    (a, at_a), (b, at_b) = (bvh(*first), first[0]), (bvh(*second), second[0])
    middle = lambda points: (points.max(0) + points.min(0)) / 2
    radius = lambda points: np.linalg.norm(points - middle(points), axis=1).max()
    found, start = [[] for _ in range(CLASSES)], time.time()
    while min(map(len, found)) < POSES and time.time() - start < 120:
        q = random.normal(size=4)
        q /= np.linalg.norm(q)
        r = rotation(q)
        if is_terrain:
            center = at_a[random.integers(len(at_a))] + random.normal(size=3) * 0.1
            center[2] += random.uniform(-0.1, 0.6)
        else:
            way = random.normal(size=3)
            reach = random.uniform(0, 1.0 if random.random() < 0.7 else 2.5)
            center = middle(at_a) + way / np.linalg.norm(way) * reach * (radius(at_a) + radius(at_b))
        t = center - r @ middle(at_b)
        here, there = coal.Transform3s(), coal.Transform3s(r, t)
        hit = coal.CollisionResult()
        coal.collide(a, here, b, there, coal.CollisionRequest(), hit)
        if hit.isCollision():
            kind, distance = 0, 0.0
        else:
            distance = coal.distance(a, here, b, there, coal.DistanceRequest(), coal.DistanceResult())
            kind = 1 if distance < 0.02 else 2 if distance < 0.1 else 3
        if len(found[kind]) < POSES:
            found[kind].append((kind, *map(float, q), *map(float, t), float(distance)))
    return [line for lines in found for line in lines]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("data", type=Path, help="the folder to write into")
    arguments.add_argument("--corpus", type=Path, required=True, help="the folder that holds `klampt`")
    options = arguments.parse_args()
    for folder in ("mesh", "pairs", "res"):
        (options.data / folder).mkdir(parents=True, exist_ok=True)
    shapes = {name: load(path) for name, path in meshes(options.corpus).items()}
    for name, (vertices, faces) in shapes.items():
        write(options.data / "mesh" / f"{name}.bin", vertices, faces)
        hull = trimesh.Trimesh(vertices, faces, process=False).convex_hull
        write(options.data / "mesh" / f"h_{name}.bin", hull.vertices, hull.faces)
        print(f"{name}: {len(faces)} triangles, hull of {len(hull.vertices)} vertices", flush=True)
    random = np.random.default_rng(1)
    for a, b in PAIRS:
        lines = poses(shapes[a], shapes[b], a == "drc", random)
        text = "".join(" ".join(map(repr, line)) + "\n" for line in lines)
        (options.data / "pairs" / f"{a}__{b}.txt").write_text(text)
        print(f"{a} {b}: {len(lines)} poses", flush=True)


if __name__ == "__main__":
    main()
