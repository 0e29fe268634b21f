"""Rotations: 3 x 3 arrays, and their conversions."""

from ._core import so3 as _so3

align = _so3.align
distance = _so3.distance
exp = _so3.exp
from_axis_angle = _so3.from_axis_angle
from_rpy = _so3.from_rpy
from_wxyz = _so3.from_wxyz
from_xyzw = _so3.from_xyzw
identity = _so3.identity
interpolate = _so3.interpolate
inverse = _so3.inverse
log = _so3.log
to_rpy = _so3.to_rpy
to_wxyz = _so3.to_wxyz
to_xyzw = _so3.to_xyzw

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
