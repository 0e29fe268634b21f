"""Shapes that can collide, at a current pose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._core import Geometry
from .._errors import LoadError
from ._advice import Advised
from ._queries import ContactQueryResult, DistanceQueryResult, DistanceQuerySettings
from ._shapes import ConvexHull, GeometricPrimitive, PointCloud, TriangleMesh
from ._types import Array, RigidTransform, Rotation, Vector, pose_of, transform_of

if TYPE_CHECKING:
    from ._objects import Owner

_TYPES = {
    "primitive": "GeometricPrimitive",
    "mesh": "TriangleMesh",
    "hull": "ConvexHull",
    "cloud": "PointCloud",
    "group": "Group",
}
Box = tuple[list[float], list[float]]
Data = GeometricPrimitive | TriangleMesh | PointCloud | ConvexHull


def _cloud(shape: Geometry) -> Array:
    """The points (N × 3) of a cloud."""
    points = shape.points
    return np.zeros((0, 3)) if points is None else points


class Geometry3D(Advised):
    """A shape on its own, or that of a link, a rigid object or a terrain, which it then follows.

    ``native`` is the `kinworld.Geometry`, or ``None`` where it is empty.
    """

    def __init__(self, data: Geometry3D | Data | Geometry | None = None, _owner: Owner | None = None) -> None:
        self._owner = _owner
        self._pose: Array = np.eye(4)
        self._shape: Geometry | None = None
        if isinstance(data, Geometry3D):
            self._shape, self._pose = data.native, data._at().copy()
        elif data is not None:
            self._shape = data if isinstance(data, Geometry) else data.shape()

    @property
    def native(self) -> Geometry | None:
        """The native shape in its own frame."""
        return self._shape if self._owner is None else self._owner._get_shape()

    def _some(self) -> Geometry:
        shape = self.native
        if shape is None:
            raise ValueError("the geometry is empty; set it, for example by `geometry.set(other)` or `loadFile(path)`")
        return shape

    def _set(self, shape: Geometry | None) -> None:
        if self._owner is None:
            self._shape = shape
        else:
            self._owner._set_shape(shape)

    def _at(self) -> Array:
        return self._pose if self._owner is None else self._owner._get_pose()

    def type(self) -> str:
        """``"GeometricPrimitive"``, ``"TriangleMesh"``, ``"ConvexHull"``, ``"PointCloud"``, ``"Group"``; empty: ``""``."""
        shape = self.native
        return "" if shape is None else _TYPES[shape.kind]

    def empty(self) -> bool:
        """Whether there is no shape."""
        return self.native is None

    def isStandalone(self) -> bool:
        """Whether the shape belongs to no element of a world."""
        return self._owner is None

    def copy(self) -> Geometry3D:
        """A copy on its own, at the same pose."""
        return Geometry3D(self)

    def set(self, other: Geometry3D) -> None:
        """Takes the shape of another."""
        self._set(other.native)
        if self._owner is None:
            self._pose = other._at().copy()

    def free(self) -> None:
        """Lets go of the shape: an element's own shape stays with it."""
        self._owner, self._shape, self._pose = None, None, np.eye(4)

    def loadFile(self, fn: str) -> bool:
        """Loads a shape. False where the file cannot be used; the reason is a warning."""
        from ._world import report

        try:
            self._set(Geometry.load(fn))
        except LoadError as problem:
            return report(problem)
        return True

    def saveFile(self, fn: str) -> bool:
        """Saves the shape as a mesh."""
        self._some().save(fn, force=True)
        return True

    def _expect(self, kind: str) -> Geometry:
        if self.type() != kind:
            raise RuntimeError(f"expected a {kind}, found a {self.type() or 'geometry without a shape'}; see convert()")
        return self._some()

    def getGeometricPrimitive(self) -> GeometricPrimitive:
        """The primitive, as a copy."""
        return GeometricPrimitive.of(self._expect("GeometricPrimitive"))

    def getTriangleMesh(self) -> TriangleMesh:
        """The mesh, as a copy."""
        return TriangleMesh(*self._expect("TriangleMesh").to_mesh())

    def getPointCloud(self) -> PointCloud:
        """The points, as a copy."""
        return PointCloud(_cloud(self._expect("PointCloud")))

    def getConvexHull(self) -> ConvexHull:
        """The hull, as a copy."""
        return ConvexHull(self._expect("ConvexHull").to_mesh()[0])

    def setGeometricPrimitive(self, data: GeometricPrimitive) -> None:
        """Becomes a primitive."""
        self._set(data.shape())

    def setTriangleMesh(self, data: TriangleMesh) -> None:
        """Becomes a mesh."""
        self._set(data.shape())

    def setPointCloud(self, data: PointCloud) -> None:
        """Becomes a point cloud."""
        self._set(data.shape())

    def setConvexHull(self, data: ConvexHull) -> None:
        """Becomes a convex hull."""
        self._set(data.shape())

    def convert(self, type: str, param: float = 0) -> Geometry3D:
        """The shape as another type, at the same pose. ``param`` is ignored: meshes keep their own resolution."""
        shape = self._some()
        if type == self.type():
            return self.copy()
        if type == "TriangleMesh":
            shape = Geometry.mesh(*shape.to_mesh())
        elif type == "PointCloud":
            shape = Geometry.point_cloud(shape.to_mesh()[0])
        elif type == "ConvexHull":
            shape = shape.to_hull()
        else:
            self.__getattr__(f"set{type}")
        out = Geometry3D(shape)
        out._pose = self._at().copy()
        return out

    def numElements(self) -> int:
        """Number of triangles, points, or 1."""
        shape = self.native
        if shape is None:
            return 0
        kinds = {"mesh": lambda: shape.n_triangles, "cloud": lambda: len(_cloud(shape))}
        kinds["hull"] = lambda: len(shape.to_mesh()[0])
        return int(kinds.get(shape.kind, lambda: 1)())

    def setCurrentTransform(self, R: Rotation, t: Vector) -> None:
        """Moves the shape; that of an element moves with the element only."""
        if self._owner is not None:
            raise ValueError("the shape belongs to an element; move the element, or a `copy()` of the shape")
        self._pose = pose_of((R, t))

    def getCurrentTransform(self) -> RigidTransform:
        """The pose as a pair (R, t)."""
        return transform_of(self._at())

    def getCollisionMargin(self) -> float:
        """Distance that still counts as touching, m."""
        return self._some().margin

    def setCollisionMargin(self, margin: float) -> None:
        """Sets the distance that still counts as touching, m."""
        self._set(self._some().with_margin(margin))

    def transform(self, R: Rotation, t: Vector) -> None:
        """Moves the shape in its own frame."""
        self._set(self._some().transformed(pose_of((R, t))))

    def translate(self, t: Vector) -> None:
        """Moves the shape in its own frame."""
        self.transform([1, 0, 0, 0, 1, 0, 0, 0, 1], t)

    def rotate(self, R: Rotation) -> None:
        """Rotates the shape in its own frame."""
        self.transform(R, [0, 0, 0])

    def scale(self, sx: float, sy: float | None = None, sz: float | None = None) -> None:
        """Scales the shape along its axes."""
        self._set(self._some().scaled([sx, sx if sy is None else sy, sx if sz is None else sz]))

    def getBB(self) -> Box:
        """A box along the axes of the world, from the box along the axes of the shape's own frame."""
        box = self._some().aabb_tight()
        if box is None:
            return [float("inf")] * 3, [-float("inf")] * 3
        corners = np.array([[box[i, 0], box[j, 1], box[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
        pose = self._at()
        corners = corners @ pose[:3, :3].T + pose[:3, 3]
        return corners.min(axis=0).tolist(), corners.max(axis=0).tolist()

    def getBBTight(self) -> Box:
        """The smallest box along the axes of the world, with the margin around it."""
        shape = self._some()
        box = shape.aabb_tight(self._at())
        if box is None:
            return [float("inf")] * 3, [-float("inf")] * 3
        return (box[0] - shape.margin).tolist(), (box[1] + shape.margin).tolist()

    def _with(self, other: Geometry3D) -> tuple[Geometry, dict[str, Any]]:
        return other._some(), {"pose": self._at(), "other_pose": other._at()}

    def collides(self, other: Geometry3D) -> bool:
        """Whether two shapes touch or overlap; an empty one never does."""
        if self.empty() or other.empty():
            return False
        shape, poses = self._with(other)
        return self._some().collides(shape, **poses)

    def withinDistance(self, other: Geometry3D, tol: float) -> bool:
        """Whether two shapes are within a distance, m."""
        shape, poses = self._with(other)
        return self._some().within_distance(shape, tol, **poses)

    def distance_simple(self, other: Geometry3D, relErr: float = 0, absErr: float = 0) -> float:
        """Distance of two shapes, m; 0 where they overlap."""
        shape, poses = self._with(other)
        return self._some().distance(shape, **poses)

    def distance(self, other: Geometry3D) -> DistanceQueryResult:
        """Distance of two shapes, m, with their nearest points; 0 where they overlap."""
        shape, poses = self._with(other)
        points = self._some().nearest_points(shape, **poses)
        if points is None:
            return DistanceQueryResult(0.0)
        a, b = np.asarray(points[0]), np.asarray(points[1])
        return DistanceQueryResult(float(np.linalg.norm(a - b)), a.tolist(), b.tolist())

    def distance_ext(self, other: Geometry3D, settings: DistanceQuerySettings) -> DistanceQueryResult:
        """The same; distances are never larger than ``settings.upperBound``."""
        found = self.distance(other)
        return found if found.d <= settings.upperBound else DistanceQueryResult(settings.upperBound)

    def distance_point(self, pt: Vector) -> DistanceQueryResult:
        """Distance from a point (3) of the world, m."""
        primitive = GeometricPrimitive()
        primitive.setPoint(pt)
        return self.distance(Geometry3D(primitive))

    def contacts(self, other: Geometry3D, padding1: float, padding2: float, maxContacts: int = 0) -> ContactQueryResult:
        """Contacts of two shapes with paddings, m."""
        shape, poses = self._with(other)
        padding = padding1 + padding2
        out = ContactQueryResult()
        for pair in self._some().contacts(shape, **poses, prediction=padding, max=maxContacts or 1000):
            out.depths.append(pair.depth + padding)
            out.normals.append(pair.normal.tolist())
            out.points1.append(pair.point_a.tolist())
            out.points2.append(pair.point_b.tolist())
            out.elems1.append(-1)
            out.elems2.append(-1)
        return out

    def contains_point(self, pt: Vector) -> bool:
        """Whether a point (3) of the world is inside."""
        return self._some().contains_point(pt, pose=self._at())

    def support(self, dir: Vector) -> list[float]:
        """The farthest point (3) along a direction (3)."""
        point = self._some().support(dir, pose=self._at())
        if point is None:
            raise ValueError("the geometry is empty; there is no farthest point")
        numbers: list[float] = point.tolist()
        return numbers

    def rayCast(self, s: Vector, d: Vector) -> tuple[bool, list[float]]:
        """Whether a ray from ``s`` (3) along ``d`` (3) hits, and where."""
        hit = self._some().ray_cast(s, d, pose=self._at())
        return (False, [0.0, 0.0, 0.0]) if hit is None else (True, hit[1].tolist())
