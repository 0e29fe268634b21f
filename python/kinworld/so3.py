"""Rotations: 3 x 3 arrays, and their conversions."""

from ._core.so3 import (
    align,
    distance,
    exp,
    from_axis_angle,
    from_rpy,
    from_wxyz,
    from_xyzw,
    identity,
    interpolate,
    inverse,
    log,
    to_rpy,
    to_wxyz,
    to_xyzw,
)

__all__ = [
    "align",
    "distance",
    "exp",
    "from_axis_angle",
    "from_rpy",
    "from_wxyz",
    "from_xyzw",
    "identity",
    "interpolate",
    "inverse",
    "log",
    "to_rpy",
    "to_wxyz",
    "to_xyzw",
]
