"""Rotations as nine numbers, column by column, as `klampt.math.so3` has them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np

from .._advice import module_getattr
from .._types import Array, Rotation, Vector
from . import vectorops


def identity() -> list[float]:
    """No rotation."""
    return [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]


def inv(R: Rotation) -> list[float]:
    """The inverse."""
    return [R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]]


def apply(R: Rotation, point: Vector) -> list[float]:
    """A point (3), rotated."""
    x, y, z = point
    return [R[i] * x + R[i + 3] * y + R[i + 6] * z for i in range(3)]


def matrix(R: Rotation) -> list[list[float]]:
    """The matrix (3 × 3), row by row."""
    return [[R[0], R[3], R[6]], [R[1], R[4], R[7]], [R[2], R[5], R[8]]]


def from_matrix(mat: list[list[float]]) -> list[float]:
    """The rotation of a matrix (3 × 3)."""
    return [mat[i][j] for j in range(3) for i in range(3)]


def ndarray(R: Rotation) -> Array:
    """The matrix (3 × 3)."""
    return np.array(matrix(R))


def from_ndarray(mat: Array) -> list[float]:
    """The rotation of a matrix (3 × 3)."""
    rotation: list[float] = np.asarray(mat, dtype=float).T.ravel().tolist()
    return rotation


def mul(R1: Rotation, R2: Rotation) -> list[float]:
    """The rotation R2, then R1."""
    return apply(R1, R2[0:3]) + apply(R1, R2[3:6]) + apply(R1, R2[6:9])


def trace(R: Rotation) -> float:
    """Trace of the matrix."""
    return R[0] + R[4] + R[8]


def diag(R: Rotation) -> list[float]:
    """Diagonal of the matrix."""
    return [R[0], R[4], R[8]]


def det(R: Rotation) -> float:
    """Determinant of the matrix."""
    return float(vectorops.dot(R[0:3], vectorops.cross(R[3:6], R[6:9])))


def deskew(R: Rotation) -> list[float]:
    """The vector (3) of the skew-symmetric part of the matrix."""
    return [0.5 * (R[5] - R[7]), 0.5 * (R[6] - R[2]), 0.5 * (R[1] - R[3])]


def cross_product(w: Vector) -> list[float]:
    """The skew-symmetric matrix of a vector (3)."""
    return [0.0, w[2], -w[1], -w[2], 0.0, w[0], w[1], -w[0], 0.0]


def angle(R: Rotation) -> float:
    """Angle of the rotation, rad, in [0, π]."""
    return math.atan2(vectorops.norm(deskew(R)), 0.5 * (trace(R) - 1.0))


def rotation(axis: Vector, angle: float) -> list[float]:
    """Rotation by an angle (rad) about a unit axis (3)."""
    c, s = math.cos(angle), math.sin(angle)
    R = vectorops.mul(cross_product(axis), s)
    for i in range(3):
        for j in range(3):
            R[3 * i + j] += axis[i] * axis[j] * (1.0 - c)
        R[4 * i] += c
    return R


def from_axis_angle(aa: tuple[Vector, float]) -> list[float]:
    """Rotation of a pair (axis, angle)."""
    return rotation(aa[0], aa[1])


def axis_angle(R: Rotation) -> tuple[Vector, float]:
    """The pair (axis, angle) of a rotation."""
    w = rotation_vector(R)
    return vectorops.unit(w), vectorops.norm(w)


def rotation_vector(R: Rotation) -> list[float]:
    """Rotation vector (3): the axis times the angle."""
    w, x, y, z = quaternion(R)
    if w < 0:
        w, x, y, z = -w, -x, -y, -z
    length = math.sqrt(x * x + y * y + z * z)
    scale = 2.0 * math.atan2(length, w) / length if length > 1e-12 else 2.0
    return [scale * x, scale * y, scale * z]


def from_rotation_vector(w: Vector) -> list[float]:
    """Rotation of a rotation vector (3)."""
    length = vectorops.norm(w)
    return identity() if length < 1e-14 else rotation(vectorops.mul(w, 1.0 / length), length)


moment = rotation_vector
from_moment = from_rotation_vector


def quaternion(R: Rotation) -> tuple[float, float, float, float]:
    """Unit quaternion (w, x, y, z), with w ≥ 0."""
    m = matrix(R)
    t = trace(R)
    if t > 0:
        s = 2.0 * math.sqrt(t + 1.0)
        q = [0.25 * s, (m[2][1] - m[1][2]) / s, (m[0][2] - m[2][0]) / s, (m[1][0] - m[0][1]) / s]
    else:
        i = max(range(3), key=lambda k: m[k][k])
        j, k = (i + 1) % 3, (i + 2) % 3
        s = 2.0 * math.sqrt(max(1.0 + m[i][i] - m[j][j] - m[k][k], 0.0))
        q = [(m[k][j] - m[j][k]) / s, 0.0, 0.0, 0.0]
        q[1 + i], q[1 + j], q[1 + k] = 0.25 * s, (m[j][i] + m[i][j]) / s, (m[k][i] + m[i][k]) / s
    scale = (-1.0 if q[0] < 0 else 1.0) / vectorops.norm(q)
    return q[0] * scale, q[1] * scale, q[2] * scale, q[3] * scale


def from_quaternion(q: Vector) -> list[float]:
    """Rotation of a unit quaternion (w, x, y, z)."""
    w, x, y, z = q
    return [
        1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y),
        2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
        2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y),
    ]  # fmt: skip


def rpy(R: Rotation) -> list[float]:
    """Roll, pitch and yaw, rad. Roll and yaw are in (0, 2 pi], as in Klampt: those of no rotation are 2 pi."""
    pitch = math.atan2(-R[2], math.hypot(R[0], R[1]))
    if math.hypot(R[0], R[1]) < 1e-9:
        return [0.0, pitch, math.atan2(-R[3], R[4])]
    roll, yaw = (a if a > 0 else a + 2 * math.pi for a in (math.atan2(R[5], R[8]), math.atan2(R[1], R[0])))
    return [roll, pitch, yaw]


def from_rpy(rollpitchyaw: Vector) -> list[float]:
    """Rotation by roll, pitch and yaw, rad: about the fixed axes x, y, z in turn."""
    r, p, y = rollpitchyaw
    return mul(rotation((0, 0, 1), y), mul(rotation((0, 1, 0), p), rotation((1, 0, 0), r)))


def distance(R1: Rotation, R2: Rotation) -> float:
    """Angle between two rotations, rad."""
    return angle(mul(R1, inv(R2)))


def error(R1: Rotation, R2: Rotation) -> list[float]:
    """Rotation vector (3) that leads from R2 to R1."""
    return rotation_vector(mul(R1, inv(R2)))


def canonical(v: Vector) -> list[float]:
    """A rotation whose x axis is the unit vector ``v``."""
    if abs(vectorops.normSquared(v) - 1.0) > 1e-4:
        raise RuntimeError(f"Nonunit vector supplied to canonical(): norm {vectorops.norm(v)}")
    x, y, z = v
    if x < -1.0 + 1e-5:
        return [-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0]
    s = 1.0 / (1.0 + x)
    return [x, y, z, -y, x + s * z * z, -s * y * z, -z, -s * y * z, x + s * y * y]


def align(a: Vector, b: Vector) -> list[float]:
    """The rotation by the smallest angle that turns ``a`` (3) to ``b`` (3)."""
    la, lb = vectorops.norm(a), vectorops.norm(b)
    if la < 1e-5 or lb < 1e-5:
        return identity()
    a, b = vectorops.mul(a, 1.0 / la), vectorops.mul(b, 1.0 / lb)
    c = vectorops.dot(a, b)
    if abs(c + 1.0) < 1e-5:
        v = vectorops.cross(a, [0, 0, 1])
        if vectorops.norm(v) < 1e-5:
            v = vectorops.cross(a, [0, 1, 0])
        return rotation(vectorops.unit(v), math.pi)
    skew = cross_product(vectorops.cross(a, b))
    return vectorops.madd(vectorops.add(identity(), skew), mul(skew, skew), 1.0 / (1.0 + c))


def interpolate(R1: Rotation, R2: Rotation, u: float) -> list[float]:
    """The rotation on the shortest way from R1 (u = 0) to R2 (u = 1)."""
    return interpolator(R1, R2)(u)


def interpolator(R1: Rotation, R2: Rotation) -> Callable[[float], list[float]]:
    """The function of u that `interpolate` is."""
    w = rotation_vector(mul(inv(R1), R2))
    return lambda u: mul(R1, from_rotation_vector(vectorops.mul(w, u)))


def is_rotation(R: Rotation, tol: float = 1e-5) -> bool:
    """Whether nine numbers are a rotation."""
    off = vectorops.sub(mul(R, inv(R)), identity())
    return all(abs(v) <= tol for v in off) and det(R) >= 0


def sample() -> list[float]:
    """A random rotation, from Python's `random`."""
    return from_quaternion(vectorops.unit([random.gauss(0, 1) for _ in range(4)]))


__getattr__ = module_getattr("math.so3")
