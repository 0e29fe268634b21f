"""Angles in the plane, as `klampt.math.so2` has them."""

from __future__ import annotations

import math

from .._advice import module_getattr
from .._types import Vector


def identity() -> float:
    """No rotation."""
    return 0.0


def inv(a: float) -> float:
    """The opposite rotation."""
    return -a


def apply(a: float, pt: Vector) -> list[float]:
    """A point (2) rotated by an angle."""
    c, s = math.cos(a), math.sin(a)
    return [c * pt[0] - s * pt[1], s * pt[0] + c * pt[1]]


def normalize(a: float) -> float:
    """The same angle in [0, 2π)."""
    return a % (2 * math.pi)


def diff(a: float, b: float) -> float:
    """The shortest way from ``b`` to ``a``, in [-π, π]."""
    d = normalize(a) - normalize(b)
    if d < -math.pi:
        return d + 2 * math.pi
    return d - 2 * math.pi if d > math.pi else d


def interp(a: float, b: float, u: float) -> float:
    """The angle on the shortest way from ``a`` (u = 0) to ``b`` (u = 1)."""
    return normalize(a + u * diff(b, a))


def compose(a: float, b: float) -> float:
    """Sum of two angles."""
    return a + b


def matrix(a: float) -> list[list[float]]:
    """Rotation matrix (2 × 2), row by row."""
    c, s = math.cos(a), math.sin(a)
    return [[c, -s], [s, c]]


def from_matrix(R: list[list[float]]) -> float:
    """Angle of a rotation matrix (2 × 2)."""
    return math.atan2(R[1][0], R[0][0])


__getattr__ = module_getattr("math.so2")
