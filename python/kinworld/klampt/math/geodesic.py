"""Spaces with shortest paths, as `klampt.math.geodesic` has them."""

from __future__ import annotations

from .._advice import module_getattr
from .._types import RigidTransform, Vector
from . import se3, so2, so3, vectorops


class GeodesicSpace:
    """A space of coordinates with distances and shortest paths; this one is Cartesian."""

    def distance(self, a: Vector, b: Vector) -> float:
        """Length of the shortest path."""
        return vectorops.norm(self.difference(a, b))

    def interpolate(self, a: Vector, b: Vector, u: float) -> list[float]:
        """The point on the shortest path from ``a`` (u = 0) to ``b`` (u = 1)."""
        return vectorops.interpolate(a, b, u)

    def difference(self, a: Vector, b: Vector) -> list[float]:
        """The velocity at ``b`` that leads to ``a`` in unit time."""
        return vectorops.sub(a, b)

    def integrate(self, x: Vector, d: Vector) -> list[float]:
        """The point after moving from ``x`` with the velocity ``d`` for unit time."""
        return vectorops.add(x, d)


class CartesianSpace(GeodesicSpace):
    """Vectors of ``d`` numbers."""

    def __init__(self, d: int) -> None:
        self.d = d

    def intrinsicDimension(self) -> int:
        """Number of degrees of freedom."""
        return self.d

    def extrinsicDimension(self) -> int:
        """Number of coordinates."""
        return self.d


class SO2Space(GeodesicSpace):
    """Angles, as lists of one number."""

    def difference(self, a: Vector, b: Vector) -> list[float]:
        return [so2.diff(a[0], b[0])]

    def interpolate(self, a: Vector, b: Vector, u: float) -> list[float]:
        return [so2.interp(a[0], b[0], u)]

    def integrate(self, x: Vector, d: Vector) -> list[float]:
        return [so2.normalize(x[0] + d[0])]


class SO3Space(GeodesicSpace):
    """Rotations (9); velocities are skew-symmetric matrices (9)."""

    def intrinsicDimension(self) -> int:
        """Number of degrees of freedom."""
        return 3

    def extrinsicDimension(self) -> int:
        """Number of coordinates."""
        return 9

    def distance(self, a: Vector, b: Vector) -> float:
        return so3.distance(a, b)

    def interpolate(self, a: Vector, b: Vector, u: float) -> list[float]:
        return so3.interpolate(a, b, u)

    def difference(self, a: Vector, b: Vector) -> list[float]:
        return so3.cross_product(so3.apply(b, so3.error(a, b)))

    def integrate(self, x: Vector, d: Vector) -> list[float]:
        return so3.mul(so3.from_rotation_vector(so3.apply(so3.inv(x), so3.deskew(d))), x)


class SE3Space(GeodesicSpace):
    """Poses as rotation (9) and translation (3)."""

    def intrinsicDimension(self) -> int:
        """Number of degrees of freedom."""
        return 6

    def extrinsicDimension(self) -> int:
        """Number of coordinates."""
        return 12

    def to_se3(self, x: Vector) -> RigidTransform:
        """The pair (R, t) of twelve numbers."""
        return list(x[:9]), list(x[9:])

    def from_se3(self, T: RigidTransform) -> list[float]:
        """The twelve numbers of a pair (R, t)."""
        return list(T[0]) + list(T[1])

    def distance(self, a: Vector, b: Vector) -> float:
        return vectorops.norm(se3.error(self.to_se3(a), self.to_se3(b)))

    def interpolate(self, a: Vector, b: Vector, u: float) -> list[float]:
        return self.from_se3(se3.interpolate(self.to_se3(a), self.to_se3(b), u))

    def difference(self, a: Vector, b: Vector) -> list[float]:
        return SO3Space().difference(a[:9], b[:9]) + vectorops.sub(a[9:], b[9:])

    def integrate(self, x: Vector, d: Vector) -> list[float]:
        turn = so3.from_rotation_vector(so3.apply(so3.inv(x[:9]), so3.deskew(d[:9])))
        return so3.mul(x[:9], turn) + vectorops.add(x[9:], d[9:])


__getattr__ = module_getattr("math.geodesic")
