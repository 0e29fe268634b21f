"""URDF text of robots, and its joints."""

from __future__ import annotations

import tempfile
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from .. import Robot, se3


@dataclass(frozen=True)
class UrdfJoint:
    """A joint of a URDF: its name, its type, the link that it moves and its origin (4 × 4) in the parent link."""

    name: str
    type: str
    child: str
    origin: NDArray[float64]


def text_of(robot: Robot) -> str:
    """The URDF of a robot, as ``Robot.save`` writes it. Names of mesh files in it are of no use."""
    with tempfile.TemporaryDirectory(prefix="kinworld-") as folder:
        path = Path(folder) / "robot.urdf"
        robot.save(path)
        return path.read_text(encoding="utf-8")


def without_shapes(text: str) -> str:
    """A URDF without collision and visual shapes."""
    root = ElementTree.fromstring(text)
    for link in root.iter("link"):
        for shape in link.findall("collision") + link.findall("visual"):
            link.remove(shape)
    return ElementTree.tostring(root, encoding="unicode")


def joints_of(text: str) -> dict[str, UrdfJoint]:
    """The joints of a URDF by name."""
    joints = {}
    for element in ElementTree.fromstring(text).findall("joint"):
        name, child, origin = element.get("name"), element.find("child"), element.find("origin")
        if name is None or child is None:
            continue
        values = {} if origin is None else origin.attrib
        xyz, rpy = (np.array(values.get(key, "0 0 0").split(), dtype=float64) for key in ("xyz", "rpy"))
        joints[name] = UrdfJoint(name, element.get("type", ""), child.get("link", ""), se3.from_rpy(xyz, rpy))
    return joints
