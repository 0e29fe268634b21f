"""Boxes and spheres, as `klampt.model.create` makes them."""

from __future__ import annotations

import math
from typing import Any

from .._advice import module_getattr
from .._geometry import Geometry3D
from .._mass import Mass
from .._shapes import GeometricPrimitive
from .._types import Rotation, Vector
from .._world import WorldModel

__all__ = ["GeometricPrimitive", "Geometry3D", "Mass", "bbox", "box", "sphere"]


def _make(
    primitive: GeometricPrimitive, type: str, R: Rotation | None, t: Vector | None, world: WorldModel | None,
    name: str, mass: float,
) -> Any:  # fmt: skip
    """A shape, or with a world a rigid object or (mass infinite) a terrain of that shape."""
    shape = Geometry3D(primitive)
    if type != "GeometricPrimitive":
        shape = shape.convert(type)
    pose = None if R is None or t is None else (R, t)
    if world is None:
        if pose is not None:
            shape.setCurrentTransform(*pose)
        return shape
    if math.isinf(mass):
        terrain = world.makeTerrain(name)
        if pose is not None:
            shape.transform(*pose)
        terrain.geometry().set(shape)
        return terrain
    body = world.makeRigidObject(name)
    body.geometry().set(shape)
    estimate = Mass()
    estimate.estimate(Geometry3D(primitive), mass)
    body.setMass(estimate)
    if pose is not None:
        body.setTransform(*pose)
    return body


def box(
    width: float, depth: float, height: float, center: Vector | None = None, R: Rotation | None = None,
    t: Vector | None = None, world: WorldModel | None = None, name: str | None = None, mass: float = math.inf,
    type: str = "TriangleMesh",
) -> Any:  # fmt: skip
    """A box of three sizes around ``center``: a shape, or with ``world`` a rigid object or a terrain."""
    half, middle = (width / 2, depth / 2, height / 2), center or (0.0, 0.0, 0.0)
    low, high = [c - h for c, h in zip(middle, half)], [c + h for c, h in zip(middle, half)]
    return bbox(low, high, R, t, world, name, mass, type)


def bbox(
    bmin: Vector, bmax: Vector, R: Rotation | None = None, t: Vector | None = None, world: WorldModel | None = None,
    name: str | None = None, mass: float = math.inf, type: str = "TriangleMesh",
) -> Any:  # fmt: skip
    """A box from ``bmin`` (3) to ``bmax`` (3)."""
    primitive = GeometricPrimitive()
    primitive.setAABB(bmin, bmax)
    return _make(primitive, type, R, t, world, name or "box", mass)


def sphere(
    radius: float, center: Vector | None = None, R: Rotation | None = None, t: Vector | None = None,
    world: WorldModel | None = None, name: str | None = None, mass: float = math.inf, resolution: float = 0.0,
    type: str = "TriangleMesh",
) -> Any:  # fmt: skip
    """A sphere around ``center``: a shape, or with ``world`` a rigid object or a terrain."""
    primitive = GeometricPrimitive()
    primitive.setSphere(center or (0.0, 0.0, 0.0), radius)
    return _make(primitive, type, R, t, world, name or "sphere", mass)


__getattr__ = module_getattr("model.create")
