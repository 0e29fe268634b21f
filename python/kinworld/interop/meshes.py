"""Shapes as meshes of trimesh and Open3D, and back.

Vertices keep their order and are not merged. A primitive becomes a mesh of triangles, a cloud of points stays one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import Error, Geometry
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
    trimesh = need("trimesh", "trimesh")
    if isinstance(mesh, trimesh.Scene):
        mesh = mesh.to_mesh()
    if isinstance(mesh, trimesh.PointCloud):
        return Geometry.point_cloud(np.asarray(mesh.vertices))
    if not isinstance(mesh, trimesh.Trimesh):
        raise Error(f"expected a Trimesh, a PointCloud or a Scene of trimesh, found {type(mesh).__name__}")
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
    open3d = need("open3d", "open3d")
    if isinstance(mesh, open3d.geometry.PointCloud):
        return Geometry.point_cloud(np.asarray(mesh.points))
    if not isinstance(mesh, open3d.geometry.TriangleMesh):
        raise Error(f"expected a TriangleMesh or a PointCloud of open3d.geometry, found {type(mesh).__name__}")
    return Geometry.mesh(np.asarray(mesh.vertices), np.asarray(mesh.triangles))
