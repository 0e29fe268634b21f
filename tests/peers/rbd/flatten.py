#!/usr/bin/env python3
"""Flattens a URDF with Pinocchio, so that every peer times the same joint tree.

    flatten.py [--floating] arm6.urdf > arm6.txt

Fixed joints are merged. One line per joint, in Pinocchio's order, parent 0 being the world:

    joint NAME PARENT TYPE  axis (3)  R (9, row by row)  p (3)  mass  com (3)  Ixx Ixy Iyy Ixz Iyz Izz (about the com)

TYPE is `R` (an angle) or `P` (a length) with the letter of its axis or `U`, or `FF`, a floating base. Joints without
limits are angles like others.
"""

import argparse
from pathlib import Path

import pinocchio as pin

AXES = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}


def type_and_axis(joint):
    name = joint.shortname().removeprefix("JointModel")
    if name == "FreeFlyer":
        return "FF", (0.0, 0.0, 0.0)
    for kind, unaligned in (("R", "RevoluteUnaligned"), ("R", "RevoluteUnboundedUnaligned"), ("P", "PrismaticUnaligned")):
        if name == unaligned:
            return kind + "U", joint.extract().axis
    if name[:-1] in ("R", "P", "RUB") and name[-1] in AXES:
        return name[0] + name[-1], AXES[name[-1]]
    raise ValueError(f"unknown joint {joint.shortname()}")


def flatten(path, floating=False, name=None):
    """The lines of the file."""
    model = pin.buildModelFromUrdf(str(path), *([pin.JointModelFreeFlyer()] if floating else []))
    lines = [f"model {name or Path(path).stem}"]
    for j in range(1, model.njoints):
        kind, axis = type_and_axis(model.joints[j])
        placement, inertia = model.jointPlacements[j], model.inertias[j]
        moment = inertia.inertia
        numbers = [*axis, *placement.rotation.flatten(), *placement.translation, inertia.mass, *inertia.lever]
        numbers += [moment[r, c] for r, c in ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))]
        joint = model.names[j].replace(" ", "_")
        lines.append(f"joint {joint} {model.parents[j]} {kind} " + " ".join(repr(float(x)) for x in numbers))
    return lines


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--floating", action="store_true", help="the root moves freely")
    arguments.add_argument("urdf")
    options = arguments.parse_args()
    print("\n".join(flatten(options.urdf, options.floating)))


if __name__ == "__main__":
    main()
