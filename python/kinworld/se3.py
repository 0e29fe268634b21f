"""Poses: 4 x 4 arrays, and their conversions."""

from ._core.se3 import (
    error,
    exp,
    from_klampt,
    from_parts,
    from_rpy,
    from_translation,
    from_wxyz,
    from_xyzw,
    identity,
    interpolate,
    inverse,
    log,
    to_klampt,
    to_wxyz,
    to_xyzw,
)

__all__ = [
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
]
