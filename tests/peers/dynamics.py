#!/usr/bin/env python3
"""Compares masses and forces with Pinocchio: random trees, the pip package's URDFs, and robots of a reference file.

    pip install pin==4.1.0 example-robot-data==6.0.0
    cargo build --release -p kinworld-cli
    python3 tests/peers/dynamics.py [--kinworld target/release/kinworld] [--refs ROBOTS.json --corpus DIR] [NAME...]

Every robot is loaded by `kinworld query` and moved in three seeded ways. Mass matrix, Coriolis and gravity forces and
torques must agree to 1e-11 of their largest entry; an acceleration must solve Pinocchio's equation of motion that well.
URDFs are compared with a fixed base and with a floating one, whose dofs are x, y, z, and angles about z, y, x
on both sides. A reference file names robots of any format, as `{"robots": [{"file": …}]}`: Pinocchio's model is built from
the links that kinworld reads, in which every link has a dof. Where the rotations of a file are orthonormal to fewer digits,
the results agree to as many. Exit code 1 if anything differs.
"""

import argparse
import json
import random
import sys
import tempfile
from pathlib import Path

import numpy as np
import pinocchio as pin

from example_robots import ROBOTS, Kinworld, to_pinocchio

TOLERANCE = 1e-11
MOTIONS = 3
TREES = 64
GRAVITY = np.array([0.8, -1.7, -9.6])


def random_tree(rand, n):
    """A URDF of `n` links: from chains to stars, with joints of every kind along any axis."""

    def triple(size):
        return " ".join(repr(rand.uniform(-size, size)) for _ in range(3))

    def inertial():
        x, y, z = (rand.uniform(0.05, 0.5) ** 2 for _ in range(3))
        mass = rand.uniform(0.1, 5)
        moment = f'ixx="{mass * (y + z)}" iyy="{mass * (z + x)}" izz="{mass * (x + y)}" ixy="0" ixz="0" iyz="0"'
        return f'<inertial><origin xyz="{triple(0.3)}" rpy="{triple(3)}"/><mass value="{mass}"/><inertia {moment}/></inertial>'

    parts = [f'<link name="l{i:02}">{inertial()}</link>' for i in range(n)]
    shape = rand.choice(["chain", "star", "any"])
    for i in range(1, n):
        parent = {"chain": i - 1, "star": 0, "any": rand.randrange(i)}[shape]
        kind = rand.choice(["revolute", "revolute", "continuous", "prismatic", "fixed"])
        parts.append(
            f'<joint name="j{i:02}" type="{kind}"><parent link="l{parent:02}"/><child link="l{i:02}"/>'
            f'<origin xyz="{triple(0.5)}" rpy="{triple(3)}"/><axis xyz="{triple(1)}"/>'
            '<limit lower="-4" upper="4" velocity="9" effort="999"/></joint>'
        )
    return f'<robot name="tree">{"".join(parts)}</robot>'


def floating_base():
    """A joint with the dofs of a floating base in kinworld."""
    joint = pin.JointModelComposite()
    joint.addJoint(pin.JointModelTranslation())
    joint.addJoint(pin.JointModelSphericalZYX())
    return joint


def of_links(ours):
    """Pinocchio's model of the links that kinworld reads, each with a dof and an axis whose length multiplies it."""
    model, scales, defect = pin.Model(), [], 0.0
    for i, link in enumerate(ours.ask("info")["robots"][0]["links"]):
        axis = np.array(link["axis"])
        length = np.linalg.norm(axis)
        unit = axis / length if length else np.array([0.0, 0.0, 1.0])
        kind = pin.JointModelPrismaticUnaligned if link["kind"] == "prismatic" else pin.JointModelRevoluteUnaligned
        rotation = np.array(link["rotation"])
        defect = max(defect, np.abs(rotation.T @ rotation - np.eye(3)).max())
        placement = pin.SE3(rotation, np.array(link["translation"]))
        parent = 0 if link["parent"] is None else link["parent"] + 1
        joint = model.addJoint(parent, kind(unit), placement, f"link {i}")
        inertia = pin.Inertia(link["mass"], np.array(link["com"]), np.array(link["inertia"]))
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
        scales.append(length)
    return model, np.array(scales), max(TOLERANCE, 2 * defect)


def relative(ours, theirs, size=0.0):
    """The largest difference, in units of the largest entry."""
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    if ours.size == 0:
        return 0.0
    return np.abs(ours - theirs).max() / max(np.abs(theirs).max(), size, 1e-3)


def largest_difference(model, ours, rand, scales=None):
    """Largest difference over all terms and motions, and the number of accelerations."""
    n = model.nv
    # axes have unit length in Pinocchio; in kinworld their length scales the dof
    scales = np.ones(n) if scales is None else scales
    model.gravity.linear = GRAVITY
    still = model.copy()
    still.gravity.linear = np.zeros(3)
    data, differences, accelerations = model.createData(), [0.0], 0
    for _ in range(MOTIONS):
        q, dq, ddq, tau = ([rand.uniform(-2, 2) for _ in range(n)] for _ in range(4))
        at, v, a = to_pinocchio(model, list(scales * q)), scales * dq, scales * ddq
        mass = pin.crba(model, data, at)
        mass = np.triu(mass) + np.triu(mass, 1).T
        mass = scales[:, None] * mass * scales
        coriolis = scales * pin.rnea(still, data, at, v, 0 * v)
        gravity = scales * pin.computeGeneralizedGravity(model, data, at)
        taken = scales * pin.rnea(model, data, at, v, a)

        fields = dict(q=q, dq=dq, gravity=list(GRAVITY))
        answer = ours.ask("dynamics", ddq=ddq, **fields)
        size = np.abs(taken).max(initial=0)
        differences.append(relative(answer["mass_matrix"], mass))
        differences.append(relative(answer["coriolis"], coriolis, size))
        differences.append(relative(answer["gravity_forces"], gravity, size))
        differences.append(relative(answer["tau"], taken))
        try:
            moves = np.array(ours.ask("dynamics", tau=tau, **fields)["ddq"], float)
        except RuntimeError:
            continue  # a dof without inertia
        terms = np.abs(mass).max(initial=0) * np.abs(moves).max(initial=0)
        differences.append(relative(mass @ moves + coriolis + gravity, tau, terms))
        accelerations += 1
    return np.max(differences), accelerations


class Tally:
    """Counts and prints the results."""

    def __init__(self, binary):
        self.binary, self.count = binary, {True: 0, False: 0, None: 0}

    def compare(self, name, path, build, arguments):
        ours = Kinworld(self.binary, str(path), *arguments)
        try:
            model, scales, tolerance = build(ours)
            if model.nv == 0:
                return
            worst, accelerations = largest_difference(model, ours, random.Random(name), scales)
            fine = bool(worst <= tolerance)
            said = f"{worst:.1e} of {tolerance:.1e}  n={model.nv}, {accelerations} accelerations"
        except (RuntimeError, ValueError) as problem:
            fine, said = None, f"cannot be compared: {str(problem).strip().splitlines()[-1]}"
        finally:
            ours.process.kill()
        self.count[fine] += 1
        print(f"{ {True: 'ok ', False: 'BAD', None: '-- '}[fine] } {name}: {said}", flush=True)


def urdf(path, floating):
    """The function that builds Pinocchio's model of a file."""
    return lambda _: (pin.buildModelFromUrdf(str(path), *([floating_base()] if floating else [])), None, TOLERANCE)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--kinworld", default="target/release/kinworld")
    arguments.add_argument("--refs", type=Path, help="a reference file")
    arguments.add_argument("--corpus", type=Path, help="the folder of its files")
    arguments.add_argument("names", nargs="*", help="only robots whose name contains one of these")
    options = arguments.parse_args()
    tally = Tally(options.kinworld)
    wanted = lambda name: not options.names or any(word in name for word in options.names)
    bases = [(floating, ["--base", "floating" if floating else "fixed", "--no-meshes"]) for floating in (False, True)]

    with tempfile.TemporaryDirectory() as folder:
        for k in range(TREES):
            rand = random.Random(k)
            path = Path(folder) / f"tree{k:02}.urdf"
            path.write_text(random_tree(rand, rand.randint(2, 60)))
            floating, flags = bases[k % 2]
            if wanted(path.stem):
                tally.compare(path.stem, path, urdf(path, floating), flags)
    for path in sorted(ROBOTS.rglob("*.urdf")):
        for floating, flags in bases:
            name = f"{path.relative_to(ROBOTS)}{', floating' if floating else ''}"
            if wanted(name):
                tally.compare(name, path, urdf(path, floating), flags)
    if options.refs:
        for robot in json.loads(options.refs.read_text())["robots"]:
            path = (options.corpus or options.refs.parent) / robot["file"]
            if path.exists() and wanted(robot["file"]):
                tally.compare(robot["file"], path, of_links, ["--base", "auto"])
    count = tally.count
    print(f"{count[True]} agree to {TOLERANCE}, {count[False]} do not, {count[None]} cannot be compared")
    sys.exit(count[False] > 0)


if __name__ == "__main__":
    main()
