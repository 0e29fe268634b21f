#!/usr/bin/env python3
"""Compares poses, Jacobians, masses and centres of mass with Pinocchio on every URDF of the pip package `example-robot-data`.

    pip install pin==4.1.0 example-robot-data==6.0.0
    cargo build --release -p kinworld-cli
    python3 tests/peers/example_robots.py [--kinworld target/release/kinworld] [NAME...]

Each robot is loaded by `kinworld query` with its meshes and compared at three seeded configurations, to 1e-12.
Files that one side cannot load are listed with the reason. Exit code 1 if anything differs.
"""

import argparse
import json
import math
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pinocchio as pin

TOLERANCE = 1e-12
CONFIGURATIONS = 3
POINT = [0.1, -0.2, 0.3]
AXES = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
ROBOTS = Path(pin.__file__).parents[4] / "share" / "example-robot-data" / "robots"


class Kinworld:
    """One `kinworld query` with a file loaded."""

    def __init__(self, binary, path, *arguments):
        command = [binary, "query", *(arguments or ("--base", "fixed")), path]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)

    def ask(self, op, **fields):
        try:
            self.process.stdin.write(json.dumps({"op": op, **fields}) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(self.process.stderr.read().strip())
        answer = json.loads(line)
        if not answer["ok"]:
            raise RuntimeError(answer["error"])
        return answer

    def close(self):
        """Ends the process and returns the lines of its stderr."""
        self.process.stdin.close()
        said = self.process.stderr.read()
        self.process.wait()
        return said.splitlines()


def to_pinocchio(model, q):
    """Pinocchio's configuration for ours: an angle without limits becomes a point on the unit circle."""
    if model.nv != len(q):
        raise RuntimeError(f"{len(q)} coordinates, Pinocchio has {model.nv}")
    parts = [[]]
    for joint in list(model.joints)[1:]:
        part = q[joint.idx_v : joint.idx_v + joint.nv]
        on_circle = (joint.nq, joint.nv) == (2, 1)
        parts.append([math.cos(part[0]), math.sin(part[0])] if on_circle else part)
    return np.concatenate(parts)


def largest_difference(model, ours, rand):
    data = model.createData()
    info = ours.ask("info")["robots"][0]
    names = [link["name"] for link in info["links"]]
    bodies = {f.name: f for f in model.frames if f.type == pin.FrameType.BODY}
    missing = set(bodies) - set(names)
    if missing:
        raise RuntimeError(f"links are missing: {sorted(missing)}")
    differences = [0.0]

    def compare(ours, theirs):
        differences.append(np.abs(np.subtract(ours, theirs)).max())

    total = sum(inertia.mass for inertia in model.inertias)
    for _ in range(CONFIGURATIONS):
        q = [rand.uniform(-2, 2) for _ in info["dofs"]]
        at = to_pinocchio(model, q)
        pin.framesForwardKinematics(model, data, at)
        for link in ours.ask("fk", q=q)["links"]:
            if link["name"] in bodies:
                pose = data.oMf[model.getFrameId(link["name"], pin.FrameType.BODY)]
                compare(link["rotation"], pose.rotation)
                compare(link["translation"], pose.translation)
        com = ours.ask("com", q=q)
        compare(com["mass"], total)
        if total > 0:
            compare(com["com"], centre_of_mass(model, data, at))
        if not q:
            continue
        for name in (names[len(names) // 2], names[-1]):
            answer = ours.ask("jacobian", q=q, link=name, point=POINT)["jacobian"]
            point = model.getFrameId("point of " + name)
            theirs = pin.computeFrameJacobian(model, data, at, point, AXES)
            compare(answer, np.vstack([theirs[3:], theirs[:3]]))
    return np.max(differences)  # NaN, if there is one


def centre_of_mass(model, data, at):
    """Pinocchio's value, with the links that are fixed to the world, which it excludes."""
    moving, fixed = pin.computeTotalMass(model), model.inertias[0]
    if moving == 0:
        return fixed.lever  # Pinocchio's is NaN
    return (moving * pin.centerOfMass(model, data, at) + fixed.mass * fixed.lever) / (moving + fixed.mass)


def add_points(model):
    """Adds a frame at `POINT` of every body, named `point of BODY`."""
    # copies: adding a frame invalidates references to the others
    bodies = [(f.name, f.parentJoint, f.placement.copy()) for f in model.frames if f.type == pin.FrameType.BODY]
    for name, joint, placement in bodies:
        placement = placement * pin.SE3(np.eye(3), np.array(POINT))
        model.addFrame(pin.Frame("point of " + name, joint, 0, placement, pin.FrameType.OP_FRAME))


def compare(binary, path):
    """A row of the report, and whether both agree; `None` where Pinocchio cannot load the file."""
    try:
        model = pin.buildModelFromUrdf(str(path))
    except Exception as refusal:  # Pinocchio's messages depend on its version
        model, reason = None, str(refusal).strip().splitlines()[0]
    ours = Kinworld(binary, str(path))
    try:
        if model is None:
            ours.ask("info")
            return None, f"loads; Pinocchio refuses it: {reason}"
        add_points(model)
        worst = largest_difference(model, ours, random.Random(path.name))
        warnings = ours.close()
        fine = worst <= TOLERANCE
        return fine, f"{worst:.1e}  n={model.nv}, {len(warnings)} warnings"
    except RuntimeError as problem:
        return None if model is None else False, f"refused: {problem}"
    finally:
        ours.process.kill()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--kinworld", default="target/release/kinworld")
    arguments.add_argument("names", nargs="*", help="only files whose path contains one of these")
    options = arguments.parse_args()
    files = [f for f in sorted(ROBOTS.rglob("*.urdf")) if not options.names or any(n in str(f) for n in options.names)]
    count = {True: 0, False: 0, None: 0}
    for path in files:
        fine, row = compare(options.kinworld, path)
        count[fine] += 1
        mark = {True: "ok ", False: "BAD", None: "-- "}[fine]
        print(f"{mark} {path.relative_to(ROBOTS)}: {row}", flush=True)
    print(f"{count[True]} agree to {TOLERANCE}, {count[False]} do not, {count[None]} cannot be compared")
    sys.exit(count[False] > 0)


if __name__ == "__main__":
    main()
