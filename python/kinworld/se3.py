"""Poses: 4 x 4 arrays, and their conversions."""

from ._core import se3 as _se3

cross = _se3.cross
cross_force = _se3.cross_force
distance = _se3.distance
error = _se3.error
exp = _se3.exp
from_klampt = _se3.from_klampt
from_parts = _se3.from_parts
from_rpy = _se3.from_rpy
from_translation = _se3.from_translation
from_wxyz = _se3.from_wxyz
from_xyzw = _se3.from_xyzw
identity = _se3.identity
interpolate = _se3.interpolate
inverse = _se3.inverse
log = _se3.log
to_klampt = _se3.to_klampt
to_wxyz = _se3.to_wxyz
to_xyzw = _se3.to_xyzw
transform_motion = _se3.transform_motion
transform_wrench = _se3.transform_wrench

__all__ = [
    "cross",
    "cross_force",
    "distance",
    "error",
    "exp",
    "from_klampt",
    "from_parts",
    "from_rpy",
    "from_translation",
    "from_wxyz",
    "from_xyzw",
    "identity",
    "interpolate",
    "inverse",
    "log",
    "to_klampt",
    "to_wxyz",
    "to_xyzw",
    "transform_motion",
    "transform_wrench",
]
