"""Shapes as meshes of trimesh and Open3D, and back.

Vertices keep their order and are not merged. A primitive becomes a mesh of triangles, a cloud of points stays one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .. import Geometry
from .._optional import need


def to_trimesh(geometry: Geometry) -> Any:
    """A ``trimesh.Trimesh`` of a shape, or a ``trimesh.PointCloud`` of a cloud. Needs ``pip install 'kinworld[trimesh]'``.

    >>> import kinworld as kw
    >>> from kinworld import interop
    >>> interop.to_trimesh(kw.Geometry.box((1, 2, 3))).volume                                   # doctest: +SKIP
    6.0
    """
    trimesh = need("trimesh", "trimesh")
    points = geometry.points
    if points is not None:
        return trimesh.PointCloud(points)
    vertices, triangles = geometry.to_mesh()
    return trimesh.Trimesh(vertices=vertices, faces=triangles.astype(np.int64), process=False, validate=False)


def from_trimesh(mesh: Any) -> Geometry:
    """The shape of a ``trimesh.Trimesh``, a ``trimesh.PointCloud``, or of all meshes of a ``trimesh.Scene`` where they are."""
    wanted = "a Trimesh, a PointCloud or a Scene of trimesh"
    _refuse(mesh, "trimesh", wanted)
    trimesh = need("trimesh", "trimesh")
    if isinstance(mesh, trimesh.Scene):
        mesh = mesh.to_mesh()
    if isinstance(mesh, trimesh.PointCloud):
        return Geometry.point_cloud(np.asarray(mesh.vertices))
    if not isinstance(mesh, trimesh.Trimesh):
        raise _wrong(mesh, wanted)
    return Geometry.mesh(np.asarray(mesh.vertices), np.asarray(mesh.faces))


def to_open3d(geometry: Geometry) -> Any:
    """An ``open3d.geometry.TriangleMesh`` of a shape, or a ``PointCloud`` of a cloud. Needs ``pip install 'kinworld[open3d]'``."""
    open3d = need("open3d", "open3d")
    points = geometry.points
    if points is not None:
        return open3d.geometry.PointCloud(open3d.utility.Vector3dVector(points))
    vertices, triangles = geometry.to_mesh()
    return open3d.geometry.TriangleMesh(
        open3d.utility.Vector3dVector(vertices), open3d.utility.Vector3iVector(triangles.astype(np.int32))
    )


def from_open3d(mesh: Any) -> Geometry:
    """The shape of an ``open3d.geometry.TriangleMesh`` or ``PointCloud``."""
    wanted = "a TriangleMesh or a PointCloud of open3d.geometry"
    _refuse(mesh, "open3d", wanted)
    open3d = need("open3d", "open3d")
    if isinstance(mesh, open3d.geometry.PointCloud):
        return Geometry.point_cloud(np.asarray(mesh.points))
    if not isinstance(mesh, open3d.geometry.TriangleMesh):
        raise _wrong(mesh, wanted)
    return Geometry.mesh(np.asarray(mesh.vertices), np.asarray(mesh.triangles))


def _refuse(mesh: Any, package: str, wanted: str) -> None:
    """Refuses what is of another package, before that package is needed."""
    modules = {parent.__module__.partition(".")[0] for parent in type(mesh).__mro__}
    if package not in modules:
        raise _wrong(mesh, wanted)


def _wrong(found: Any, wanted: str) -> TypeError:
    if isinstance(found, (np.ndarray, list, tuple)):
        advice = "; arrays are for Geometry.mesh(vertices, triangles) and Geometry.point_cloud(points)"
    elif isinstance(found, Geometry):
        advice = ", which is a shape of kinworld already"
    elif isinstance(found, (str, Path)):
        advice = "; Geometry.load(path) reads files"
    else:
        advice = ""
    return TypeError(f"expected {wanted}, got {type(found).__module__}.{type(found).__qualname__}{advice}")
