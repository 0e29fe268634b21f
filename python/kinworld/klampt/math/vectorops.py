"""Vectors as lists, as `klampt.math.vectorops` has them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from .._advice import module_getattr
from .._types import Vector

Operand = Sequence[float] | float


def _check(a: Vector, b: Vector) -> None:
    if len(a) != len(b):
        raise RuntimeError(f"Vector dimensions not equal: {len(a)} and {len(b)}")


def _each(op: Callable[[float, float], float], a: Vector, b: Operand) -> list[float]:
    """One number per element, with a vector of the same length or with one number."""
    if not hasattr(b, "__len__"):
        factor: Any = b
        return [op(x, factor) for x in a]
    other: Any = b
    _check(a, other)
    return [op(x, y) for x, y in zip(a, other)]


def add(*items: Vector) -> list[float]:
    """Sum of vectors of one length."""
    if not items:
        return []
    for other in items[1:]:
        _check(items[0], other)
    return [sum(values) for values in zip(*items)]


def madd(a: Vector, b: Vector, c: Operand) -> list[float]:
    """a + b·c."""
    return add(a, mul(b, c))


def sub(a: Vector, b: Operand) -> list[float]:
    """a - b."""
    return _each(lambda x, y: x - y, a, b)


def mul(a: Vector, b: Operand) -> list[float]:
    """Product with a number, or element by element."""
    return _each(lambda x, y: x * y, a, b)


def div(a: Vector, b: Operand) -> list[float]:
    """Quotient with a number, or element by element."""
    return _each(lambda x, y: x / y, a, b)


def maximum(a: Vector, b: Operand) -> list[float]:
    """The larger of each two elements."""
    return _each(max, a, b)


def minimum(a: Vector, b: Operand) -> list[float]:
    """The smaller of each two elements."""
    return _each(min, a, b)


def dot(a: Vector, b: Vector) -> float:
    """Dot product."""
    _check(a, b)
    return sum(x * y for x, y in zip(a, b))


def normSquared(a: Vector) -> float:
    """Square of the Euclidean norm."""
    return sum(x * x for x in a)


def norm(a: Vector) -> float:
    """Euclidean norm."""
    return math.sqrt(normSquared(a))


norm_L2 = norm


def norm_L1(a: Vector) -> float:
    """Sum of magnitudes."""
    return sum(abs(x) for x in a)


def norm_Linf(a: Vector) -> float:
    """Largest magnitude."""
    return max(abs(x) for x in a)


def unit(a: Vector, epsilon: float = 1e-5) -> Vector:
    """The vector at unit length; unchanged where its length is at most ``epsilon``."""
    length = norm(a)
    return mul(a, 1.0 / length) if length > epsilon else a[:]


def distanceSquared(a: Vector, b: Vector) -> float:
    """Square of the Euclidean distance."""
    return normSquared(sub(a, b))


def distance(a: Vector, b: Vector) -> float:
    """Euclidean distance."""
    return math.sqrt(distanceSquared(a, b))


def cross(a: Vector, b: Vector) -> Any:
    """Cross product: three numbers in space, one number in the plane."""
    _check(a, b)
    if len(a) == 3:
        return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    if len(a) == 2:
        return a[0] * b[1] - a[1] * b[0]
    raise RuntimeError(f"Vectors must be 2D or 3D, found {len(a)} numbers")


def interpolate(a: Vector, b: Vector, u: float) -> list[float]:
    """The point on the way from ``a`` (u = 0) to ``b`` (u = 1)."""
    return madd(a, sub(b, a), u)


__getattr__ = module_getattr("math.vectorops")
