"""Configurations of any item as one list, as `klampt.model.config` has them."""

from __future__ import annotations

from typing import Any

from .._advice import module_getattr
from .._link import RobotModelLink
from .._objects import RigidObjectModel
from .._robot import RobotModel
from .._types import Vector
from ..math import se3, so3, vectorops


def _kind(item: Any) -> str:
    """``"robot"``, ``"se3"``, ``"so3"`` or ``"vector"``."""
    if isinstance(item, RobotModel):
        return "robot"
    if isinstance(item, (RigidObjectModel, RobotModelLink)):
        return "se3"
    if isinstance(item, (tuple, list)):
        if len(item) == 2 and hasattr(item[0], "__len__"):
            return "se3"
        return "so3" if len(item) == 9 and so3.is_rotation(item) else "vector"
    raise TypeError(f"expected a robot, link, rigid object, pose, rotation or vector, found {type(item).__name__}")


def _pose(q: Vector) -> tuple[Vector, Vector]:
    return q[:9], q[9:]


def get_config(item: Any) -> list[float]:
    """The configuration of an item; that of a pose is its rotation (9), then its translation (3)."""
    kind = _kind(item)
    if kind == "robot":
        numbers: list[float] = item.getConfig()
        return numbers
    if kind == "se3":
        R, t = item if isinstance(item, (tuple, list)) else item.getTransform()
        return [*R, *t]
    return list(item)


def set_config(item: Any, vector: Vector) -> None:
    """Moves a robot or a rigid object."""
    if isinstance(item, RobotModel):
        item.setConfig(vector)
    elif isinstance(item, RigidObjectModel):
        item.setTransform(*_pose(vector))
    else:
        raise TypeError(f"expected a robot or a rigid object, which can be moved; found {type(item).__name__}")


def num_config_params(item: Any) -> int:
    """Number of numbers of a configuration."""
    return len(get_config(item))


def get_config_names(item: Any) -> list[str]:
    """The name of each number of a configuration: links of a robot, entries of a pose."""
    if isinstance(item, RobotModel):
        return [link.getName() for link in item.links]
    rotation = [f"R{row}{column}" for column in "123" for row in "123"]
    names = {"se3": [*rotation, "tx", "ty", "tz"], "so3": rotation}
    return names.get(_kind(item), [f"[{i}]" for i in range(len(item))] if isinstance(item, (tuple, list)) else [])


def distance(item: Any, a: Vector, b: Vector) -> float:
    """Distance of two configurations of an item along geodesics."""
    kind = _kind(item)
    if kind == "robot":
        robot: RobotModel = item
        return robot.distance(a, b)
    if kind == "se3":
        return se3.distance(_pose(a), _pose(b))
    return so3.distance(a, b) if kind == "so3" else vectorops.distance(a, b)


def interpolate(item: Any, a: Vector, b: Vector, u: float) -> list[float]:
    """The configuration on the geodesic from ``a`` (u = 0) to ``b`` (u = 1)."""
    kind = _kind(item)
    if kind == "robot":
        robot: RobotModel = item
        return robot.interpolate(a, b, u)
    if kind == "se3":
        R, t = se3.interpolate(_pose(a), _pose(b), u)
        return [*R, *t]
    return so3.interpolate(a, b, u) if kind == "so3" else vectorops.interpolate(a, b, u)


__getattr__ = module_getattr("model.config")
