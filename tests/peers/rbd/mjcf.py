#!/usr/bin/env python3
"""Writes a flat joint tree as MuJoCo's MJCF: the same bodies, joints and inertias, nothing else.

    mjcf.py arm6.txt > arm6.xml   (arm6.txt written by flatten.py)
"""

import sys

import numpy as np
import pinocchio as pin

HEAD = """<mujoco model="{name}">
<compiler angle="radian" inertiafromgeom="false" balanceinertia="true" boundmass="1e-6" boundinertia="1e-9" autolimits="false"/>
<option gravity="0 0 -9.81"/>
<worldbody>"""


def words(numbers):
    return " ".join(f"{x:.17g}" for x in numbers)


def body(fields):
    """The start of a body element: pose, inertia, joint."""
    name, _, kind = fields[1:4]
    numbers = [float(x) for x in fields[4:]]
    axis, rotation, position = numbers[:3], np.reshape(numbers[3:12], (3, 3)), numbers[12:15]
    mass, com, (xx, xy, yy, xz, yz, zz) = numbers[15], numbers[16:19], numbers[19:25]
    x, y, z, w = pin.Quaternion(rotation).coeffs()
    joint = "<freejoint/>" if kind == "FF" else f'<joint type="{"hinge" if kind[0] == "R" else "slide"}" axis="{words(axis)}"/>'
    return (
        f'<body name="{name}" pos="{words(position)}" quat="{words((w, x, y, z))}">'
        f'<inertial pos="{words(com)}" mass="{max(mass, 1e-6):.17g}" fullinertia="{words((xx, yy, zz, xy, xz, yz))}"/>{joint}'
    )


def mjcf(lines):
    """The MJCF document for the lines of `flatten`."""
    name = lines[0].split()[1]
    joints = [line.split() for line in lines[1:]]
    children = {parent: [] for parent in range(len(joints) + 1)}
    for number, fields in enumerate(joints, 1):
        children[int(fields[2])].append(number)

    def subtree(number):
        return body(joints[number - 1]) + "".join(map(subtree, children[number])) + "</body>\n"

    return HEAD.format(name=name) + "".join(map(subtree, children[0])) + "</worldbody></mujoco>"


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        print(mjcf(file.read().splitlines()))
