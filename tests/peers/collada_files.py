#!/usr/bin/env python3
"""Compares every COLLADA file of the pip package `example-robot-data` with trimesh: triangles, boxes and areas.

    pip install example-robot-data==6.0.0 trimesh pycollada
    cargo build --release -p kinworld-cli
    python3 tests/peers/collada_files.py [--kinworld target/release/kinworld] [NAME...]

Our numbers are those of `kinworld check --json`. Exit code 1 if a file is refused, or differs.
"""

import argparse
import io
import json
import logging
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pinocchio as pin
import trimesh

ROBOTS = Path(pin.__file__).parents[4] / "share" / "example-robot-data" / "robots"


def theirs(path):
    """Triangles of all nodes of the scene, with the unit applied, as in ROS."""
    # without materials: trimesh drops geometry whose material is missing
    text = re.sub(rb"<bind_material>.*?</bind_material>", b"", path.read_bytes(), flags=re.DOTALL)
    scene = trimesh.load_scene(io.BytesIO(text), file_type="dae", process=False)
    meshes = scene.dump() if scene.geometry else []
    return np.concatenate([mesh.triangles for mesh in meshes if hasattr(mesh, "triangles")])


def ours(binary, path):
    run = subprocess.run([binary, "check", "--json", str(path)], capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(run.stderr.strip())
    return json.loads(run.stdout)


def difference(ours, theirs):
    """The difference, or None."""
    if ours["n_tris"] != len(theirs):
        return f"{ours['n_tris']} triangles, trimesh {len(theirs)}"
    box = np.abs(np.subtract(ours["aabb"], [theirs.min((0, 1)), theirs.max((0, 1))])).max()
    if box > 1e-6:
        return f"the boxes differ by {box} m"
    a, b, c = theirs.transpose(1, 0, 2)
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2
    if abs(ours["area"] - area) > 1e-6 * area:
        return f"area {ours['area']}, trimesh {area}"
    return None


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--kinworld", default="target/release/kinworld")
    arguments.add_argument("names", nargs="*", help="only files whose path contains one of these")
    options = arguments.parse_args()
    logging.disable(logging.CRITICAL)
    files = [f for f in sorted(ROBOTS.rglob("*")) if f.suffix.lower() == ".dae"]
    files = [f for f in files if not options.names or any(n in str(f) for n in options.names)]
    same, bad = 0, 0
    for path in files:
        try:
            problem = difference(ours(options.kinworld, path), theirs(path))
        except (RuntimeError, ValueError) as error:
            problem = str(error)
        same, bad = same + (problem is None), bad + (problem is not None)
        if problem:
            print(f"BAD {path.relative_to(ROBOTS)}: {problem}", flush=True)
    print(f"{same} of {len(files)} as in trimesh")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
