"""Poses as pairs (R, t), as `klampt.math.se3` has them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._advice import module_getattr
from .._types import Array, RigidTransform, Rotation, Vector
from . import so3, vectorops

Transform = tuple[list[float], list[float]]


def identity() -> Transform:
    """The identity."""
    return so3.identity(), [0.0, 0.0, 0.0]


def inv(T: RigidTransform) -> Transform:
    """The inverse."""
    R = so3.inv(T[0])
    return R, vectorops.mul(so3.apply(R, T[1]), -1)


def apply(T: RigidTransform, point: Vector) -> list[float]:
    """A point (3), moved."""
    return vectorops.add(so3.apply(T[0], point), T[1])


def apply_rotation(T: RigidTransform, point: Vector) -> list[float]:
    """A direction (3), rotated."""
    return so3.apply(T[0], point)


def rotation(T: RigidTransform) -> Rotation:
    """The rotation."""
    return T[0]


def from_rotation(mat: list[list[float]]) -> Transform:
    """The pose of a rotation matrix (3 × 3)."""
    return so3.from_matrix(mat), [0.0, 0.0, 0.0]


def translation(T: RigidTransform) -> Vector:
    """The translation (3)."""
    return T[1]


def from_translation(t: Vector) -> tuple[list[float], Vector]:
    """The pose of a translation (3)."""
    return so3.identity(), t


def homogeneous(T: RigidTransform) -> list[list[float]]:
    """The matrix (4 × 4), row by row."""
    rows = [row + [x] for row, x in zip(so3.matrix(T[0]), T[1])]
    return [*rows, [0.0, 0.0, 0.0, 1.0]]


def from_homogeneous(mat: list[list[float]]) -> Transform:
    """The pose of a matrix (4 × 4)."""
    return so3.from_matrix(mat), [mat[i][3] for i in range(3)]


def ndarray(T: RigidTransform) -> Array:
    """The matrix (4 × 4)."""
    return np.array(homogeneous(T))


def from_ndarray(mat: Array) -> Transform:
    """The pose of a matrix (4 × 4)."""
    return from_homogeneous(np.asarray(mat, dtype=float).tolist())


def mul(T1: RigidTransform, T2: RigidTransform) -> Transform:
    """The pose T2, seen from T1."""
    if len(T1) != 2 or len(T2) != 2:
        raise ValueError("expected two pairs (R, t); for a point use se3.apply")
    return so3.mul(T1[0], T2[0]), vectorops.add(so3.apply(T1[0], T2[1]), T1[1])


def distance(
    T1: RigidTransform, T2: RigidTransform, Rweight: float = 1.0, tweight: float = 1.0
) -> float:
    """Weighted sum of the angle (rad) and the distance (m) of two poses."""
    return Rweight * so3.distance(T1[0], T2[0]) + tweight * vectorops.distance(T1[1], T2[1])


def error(T1: RigidTransform, T2: RigidTransform) -> list[float]:
    """Difference (6) of two poses: rotation vector first, then translation."""
    return so3.error(T1[0], T2[0]) + vectorops.sub(T1[1], T2[1])


def interpolate(T1: RigidTransform, T2: RigidTransform, u: float) -> Transform:
    """The pose on the way from T1 (u = 0) to T2 (u = 1)."""
    return so3.interpolate(T1[0], T2[0], u), vectorops.interpolate(T1[1], T2[1], u)


def interpolator(T1: RigidTransform, T2: RigidTransform) -> Callable[[float], Transform]:
    """The function of u that `interpolate` is."""
    turn = so3.interpolator(T1[0], T2[0])
    return lambda u: (turn(u), vectorops.interpolate(T1[1], T2[1], u))


__getattr__ = module_getattr("math.se3")
