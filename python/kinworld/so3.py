"""Rotations: 3 x 3 arrays, and their conversions."""

from ._core import so3 as _so3

align = _so3.align
distance = _so3.distance
error = _so3.error
exp = _so3.exp
from_axis_angle = _so3.from_axis_angle
from_rpy = _so3.from_rpy
from_uniform = _so3.from_uniform
from_wxyz = _so3.from_wxyz
from_xyz = _so3.from_xyz
from_xyzw = _so3.from_xyzw
identity = _so3.identity
interpolate = _so3.interpolate
inverse = _so3.inverse
log = _so3.log
skew = _so3.skew
to_axis_angle = _so3.to_axis_angle
to_rpy = _so3.to_rpy
to_wxyz = _so3.to_wxyz
to_xyz = _so3.to_xyz
to_xyzw = _so3.to_xyzw

__all__ = [
    "align",
    "distance",
    "error",
    "exp",
    "from_axis_angle",
    "from_rpy",
    "from_uniform",
    "from_wxyz",
    "from_xyz",
    "from_xyzw",
    "identity",
    "interpolate",
    "inverse",
    "log",
    "skew",
    "to_axis_angle",
    "to_rpy",
    "to_wxyz",
    "to_xyz",
    "to_xyzw",
]
