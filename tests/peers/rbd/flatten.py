#!/usr/bin/env python3
"""Flattens a URDF with Pinocchio, so that `pinbench` times the same joint tree as our benches.

    flatten.py arm6.urdf > arm6.txt

Fixed joints are merged. One line per joint, in Pinocchio's order, parent 0 being the world:

    joint NAME PARENT TYPE  R (9, row by row)  p (3)  mass  com (3)  Ixx Ixy Iyy Ixz Iyz Izz (about the com)
"""

import sys
from pathlib import Path

import pinocchio as pin

TYPES = {f"JointModel{kind}{axis}": kind + axis for kind in "RP" for axis in "XYZ"}


def lines(path):
    model = pin.buildModelFromUrdf(path)
    yield f"model {Path(path).stem}"
    for j in range(1, model.njoints):
        kind = TYPES.get(model.joints[j].shortname())
        if kind is None:
            sys.exit(f"{path}: joint {model.names[j]} is a {model.joints[j].shortname()}, only {sorted(TYPES.values())} are known")
        placement, inertia = model.jointPlacements[j], model.inertias[j]
        moment = inertia.inertia
        numbers = [*placement.rotation.flatten(), *placement.translation, inertia.mass, *inertia.lever]
        numbers += [moment[r, c] for r, c in ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))]
        yield f"joint {model.names[j]} {model.parents[j]} {kind} " + " ".join(repr(float(x)) for x in numbers)


if __name__ == "__main__":
    print("\n".join(lines(sys.argv[1])))
