"""Data of shapes: primitives, meshes, point clouds and hulls, in the frame of the geometry."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from .._core import Geometry
from . import _data
from ._advice import Advised
from ._types import Array, Rotation, Vector

Self = TypeVar("Self", bound="_Copied")

#: Number of numbers of each primitive; a polygon has any multiple of three.
SIZES = {"point": 3, "sphere": 4, "segment": 6, "triangle": 9, "aabb": 6, "box": 15}


class _Copied(Advised):
    def copy(self: Self) -> Self:
        """A copy of its own."""
        return copy.deepcopy(self)

    def isStandalone(self) -> bool:
        """Always true: data of shapes is a copy."""
        return True


class GeometricPrimitive(_Copied):
    """A point, sphere, segment, triangle, polygon, axis-aligned box or box.

    ``type`` is its kind, ``properties`` its numbers.
    """

    def __init__(self, type: str = "", properties: Sequence[float] = ()) -> None:
        self.type = type
        self.properties: Array = np.asarray(properties, dtype=float)

    def _set(self, type: str, *parts: Sequence[float]) -> None:
        numbers = [float(x) for part in parts for x in part]
        if type in SIZES and len(numbers) != SIZES[type]:
            raise ValueError(f"a {type} has {SIZES[type]} numbers, found {len(numbers)}")
        self.type, self.properties = type, np.array(numbers)

    def getType(self) -> str:
        """The kind: ``"point"``, ``"sphere"``, ``"segment"``, …"""
        return self.type

    def getProperties(self) -> Array:
        """The numbers of the primitive."""
        return self.properties

    def setPoint(self, pt: Vector) -> None:
        """A point (3)."""
        self._set("point", pt)

    def setSphere(self, c: Vector, r: float) -> None:
        """A sphere of a centre (3) and a radius."""
        self._set("sphere", c, [r])

    def setSegment(self, a: Vector, b: Vector) -> None:
        """A segment from ``a`` (3) to ``b`` (3)."""
        self._set("segment", a, b)

    def setTriangle(self, a: Vector, b: Vector, c: Vector) -> None:
        """A triangle of three points (3 each)."""
        self._set("triangle", a, b, c)

    def setPolygon(self, verts: Vector) -> None:
        """A planar polygon: the coordinates of its corners, one after the other."""
        if len(verts) < 9 or len(verts) % 3:
            raise ValueError(f"a polygon has at least three points of three numbers, found {len(verts)} numbers")
        self._set("polygon", verts)

    def setAABB(self, bmin: Vector, bmax: Vector) -> None:
        """An axis-aligned box from ``bmin`` (3) to ``bmax`` (3)."""
        self._set("aabb", bmin, bmax)

    def setBox(self, ori: Vector, R: Rotation, dims: Vector) -> None:
        """A box of sizes ``dims`` (3) along the axes of ``R`` (9), with one corner at ``ori`` (3)."""
        self._set("box", ori, R, dims)

    def loadString(self, str: str) -> bool:
        """Reads ``"Sphere 0 0 0  1"`` and the like. False where the text is none of them."""
        words = str.split()
        try:
            kind, numbers = words[0].lower(), [float(word) for word in words[1:]]
            self._set("polygon" if kind == "polygon" else kind, numbers[kind == "polygon" :])
        except (IndexError, ValueError):
            return False
        return self.type in SIZES or self.type == "polygon"

    def saveString(self) -> str:
        """The text that `loadString` reads."""
        name = "AABB" if self.type == "aabb" else self.type.capitalize()
        count = [str(len(self.properties) // 3)] if self.type == "polygon" else []
        return " ".join([name, *count, *(f"{x:.12g}" for x in self.properties)])

    def shape(self) -> Geometry:
        """The native shape."""
        p: list[float] = self.properties.tolist()
        kinds: dict[str, Any] = {
            "point": lambda: {"Point": p},
            "sphere": lambda: {"Sphere": {"center": p[:3], "radius": p[3]}},
            "segment": lambda: {"Segment": {"a": p[:3], "b": p[3:]}},
            "triangle": lambda: {"Triangle": {"a": p[:3], "b": p[3:6], "c": p[6:]}},
            "polygon": lambda: {"Polygon": {"vertices": [p[i : i + 3] for i in range(0, len(p), 3)]}},
            "aabb": lambda: {"Aabb": {"min": p[:3], "max": p[3:]}},
            "box": lambda: {"Box": {"pose": {"rotation": p[3:12], "translation": _box_centre(p)}, "size": p[12:]}},
        }
        if self.type not in kinds:
            raise ValueError("the primitive is empty; set it, for example by `setSphere(centre, radius)`")
        return _data.build(Geometry, {"shape": {"Primitive": kinds[self.type]()}, "margin": 0.0, "solid": False})

    @staticmethod
    def of(shape: Geometry) -> GeometricPrimitive:
        """The primitive of a native shape."""
        kind, data = next(iter(_data.fields(shape)["shape"]["Primitive"].items()))
        out = GeometricPrimitive()
        if kind == "Box":
            rotation, size = data["pose"]["rotation"], data["size"]
            half = np.reshape(rotation, (3, 3)).T @ np.asarray(size) / 2
            out.setBox((np.asarray(data["pose"]["translation"]) - half).tolist(), rotation, size)
        elif kind == "Point":
            out.setPoint(data)
        elif kind == "Polygon":
            out.setPolygon([x for vertex in data["vertices"] for x in vertex])
        elif kind in ("Aabb", "Sphere", "Segment", "Triangle"):
            out._set(kind.lower(), *(v if isinstance(v, list) else [v] for v in data.values()))
        else:
            raise ValueError(f"Klampt has no primitive for a {kind.lower()}; `convert('TriangleMesh')` gives its mesh")
        return out


def _box_centre(p: list[float]) -> list[float]:
    centre = np.array(p[:3]) + np.reshape(p[3:12], (3, 3)).T @ np.array(p[12:]) / 2
    numbers: list[float] = centre.tolist()
    return numbers


class TriangleMesh(_Copied):
    """Triangles: ``vertices`` (V × 3) and ``indices`` (T × 3)."""

    def __init__(self, vertices: ArrayLike = (), indices: ArrayLike = ()) -> None:
        self.vertices: Array = np.reshape(np.asarray(vertices, dtype=float), (-1, 3))
        self.indices: Any = np.reshape(np.asarray(indices, dtype=np.int32), (-1, 3))

    def getVertices(self) -> Array:
        """Vertices (V × 3)."""
        return self.vertices

    def setVertices(self, vertices: ArrayLike) -> None:
        """Sets the vertices (V × 3)."""
        self.vertices = np.reshape(np.asarray(vertices, dtype=float), (-1, 3))

    def getIndices(self) -> Any:
        """Indices of vertices (T × 3)."""
        return self.indices

    def setIndices(self, indices: ArrayLike) -> None:
        """Sets the indices of vertices (T × 3)."""
        self.indices = np.reshape(np.asarray(indices, dtype=np.int32), (-1, 3))

    def addVertex(self, p: Vector) -> None:
        """Appends a vertex (3)."""
        self.vertices = np.vstack([self.vertices, np.asarray(p, dtype=float)])

    def addTriangleIndices(self, t: Sequence[int]) -> None:
        """Appends a triangle of three vertices."""
        self.indices = np.vstack([self.indices, np.asarray(t, dtype=np.int32)])

    def triangle(self, i: int) -> tuple[list[float], ...]:
        """The corners of a triangle."""
        return tuple(self.vertices[self.indices[i]].tolist())

    def translate(self, t: Vector) -> None:
        """Moves all vertices."""
        self.vertices = self.vertices + np.asarray(t)

    def transform(self, R: Rotation, t: Vector) -> None:
        """Rotates and moves all vertices."""
        self.vertices = self.vertices @ np.reshape(R, (3, 3)) + np.asarray(t)

    def shape(self) -> Geometry:
        """The native shape."""
        return Geometry.mesh(self.vertices, self.indices)


class ConvexHull(_Copied):
    """The convex hull of ``points`` (N × 3)."""

    def __init__(self, points: ArrayLike = ()) -> None:
        self.points: Array = np.reshape(np.asarray(points, dtype=float), (-1, 3))

    def getPoints(self) -> Array:
        """The points (N × 3)."""
        return self.points

    def setPoints(self, points: ArrayLike) -> None:
        """Sets the points (N × 3)."""
        self.points = np.reshape(np.asarray(points, dtype=float), (-1, 3))

    def addPoint(self, pt: Vector) -> None:
        """Appends a point (3)."""
        self.points = np.vstack([self.points, np.asarray(pt, dtype=float)])

    def translate(self, t: Vector) -> None:
        """Moves all points."""
        self.points = self.points + np.asarray(t)

    def transform(self, R: Rotation, t: Vector) -> None:
        """Rotates and moves all points."""
        self.points = self.points @ np.reshape(R, (3, 3)) + np.asarray(t)

    def shape(self) -> Geometry:
        """The native shape."""
        return Geometry.convex_hull(self.points)


class PointCloud(ConvexHull):
    """Points (N × 3), with values ``properties`` (N × k) for each."""

    def __init__(self, points: ArrayLike = ()) -> None:
        super().__init__(points)
        self.properties: Array = np.zeros((len(self.points), 0))

    def getPoint(self, index: int) -> list[float]:
        """A point (3)."""
        point: list[float] = self.points[index].tolist()
        return point

    def setPoint(self, index: int, p: Vector) -> None:
        """Sets a point (3)."""
        self.points[index] = p

    def shape(self) -> Geometry:
        return Geometry.point_cloud(self.points)
