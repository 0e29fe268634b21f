"""To and from other libraries: Pinocchio, trimesh, Open3D, yourdfpy, robot_descriptions. Each is imported when it is used.

>>> import kinworld as kw
>>> from kinworld import interop
>>> arm = kw.Robot.load("data/robots/arm6.urdf")
>>> there = interop.to_pinocchio(arm)                                                           # doctest: +SKIP
>>> there.model.nq                                                                              # doctest: +SKIP
6
"""

from __future__ import annotations

import os
import tempfile
import warnings
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._core import Geometry, LoadOptions, Robot
from ._errors import Error, LoadWarning
from ._optional import need

__all__ = [
    "PinocchioRobot",
    "from_description",
    "from_open3d",
    "from_trimesh",
    "from_yourdfpy",
    "to_open3d",
    "to_pinocchio",
    "to_trimesh",
]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PinocchioRobot:
    """A robot in Pinocchio, and the way between both libraries' coordinates, see `to_pinocchio`."""

    robot: Robot
    """The robot here."""
    model: Any
    """The ``pinocchio.Model``."""
    data: Any
    """Its ``pinocchio.Data``."""
    q_index: list[int]
    """For each degree of freedom here, the index of its first number in a configuration of Pinocchio; −1 for a weld."""
    v_index: list[int]
    """For each degree of freedom here, its index in a velocity of Pinocchio; −1 for a weld."""
    circle: list[bool]
    """Which of them are a cosine and a sine in a configuration of Pinocchio: joints that turn without limits."""

    def q(self, q: ArrayLike) -> Floats:
        """Pinocchio's configuration (nq) of ours (n)."""
        out = np.zeros(self.model.nq)
        for value, at, circle in zip(self._values(q), self.q_index, self.circle, strict=True):
            if at < 0:
                continue
            out[at] = np.cos(value) if circle else value
            if circle:
                out[at + 1] = np.sin(value)
        return out

    def from_q(self, q: ArrayLike) -> Floats:
        """Our configuration (n) of Pinocchio's (nq); joints that turn without limits are between −π and π, welds as they are."""
        there = np.asarray(q, dtype=np.float64)
        out = self.robot.initial_config
        for dof, (at, circle) in enumerate(zip(self.q_index, self.circle, strict=True)):
            if at >= 0:
                out[dof] = np.arctan2(there[at + 1], there[at]) if circle else there[at]
        return out

    def v(self, v: ArrayLike) -> Floats:
        """Pinocchio's velocity, acceleration or joint forces (nv) of ours (n)."""
        out = np.zeros(self.model.nv)
        moving = np.flatnonzero(np.array(self.v_index) >= 0)
        out[np.array(self.v_index)[moving]] = self._values(v)[moving]
        return out

    def from_v(self, v: ArrayLike) -> Floats:
        """Our velocity, acceleration or joint forces (n) of Pinocchio's (nv)."""
        padded = np.append(np.asarray(v, dtype=np.float64), 0.0)
        return padded[self.v_index]

    def matrix(self, m: ArrayLike) -> Floats:
        """Our matrix (n × n) of one of Pinocchio (nv × nv), such as the mass matrix; zero for welds."""
        padded = np.pad(np.asarray(m, dtype=np.float64), ((0, 1), (0, 1)))
        return padded[np.ix_(self.v_index, self.v_index)]

    def frame(self, link: str) -> int:
        """The number of the frame of a link."""
        pin = need("pinocchio", "pin")
        return int(self.model.getFrameId(link, pin.FrameType.BODY))

    def _values(self, values: ArrayLike) -> Floats:
        out = np.asarray(values, dtype=np.float64)
        if out.shape != (self.robot.n_dofs,):
            raise Error(f"expected {self.robot.n_dofs} numbers, one per degree of freedom; got an array of shape {out.shape}")
        return out


def to_pinocchio(robot: Robot) -> PinocchioRobot:
    """The robot as a model of Pinocchio, through a URDF, with the maps of coordinates.

    Pinocchio sorts joints by name, so numbers move: use `PinocchioRobot.q`, `v` and their inverses. A joint that turns without
    limits is a cosine and a sine there. A floating base is six joints in both (x, y, z, then yaw, pitch and roll), not a
    free-flyer: there is no quaternion, and velocities are the rates of these six. What a URDF cannot hold is left out: the
    armature of rotors, and coupled drivers, which are independent joints there. Welds are fixed.
    """
    pin = need("pinocchio", "pin")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "robot.urdf"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LoadWarning)
            robot.save(path)
        tree = ElementTree.parse(path)
    for joint in tree.getroot().iter("joint"):
        for coupling in joint.findall("mimic"):
            joint.remove(coupling)
    model = pin.buildModelFromXML(ElementTree.tostring(tree.getroot(), encoding="unicode"))
    joints = {str(model.names[i]): model.joints[i] for i in range(1, model.njoints)}
    frames = {model.frames[i].name: model.frames[i] for i in range(model.nframes) if model.frames[i].type == pin.FrameType.BODY}
    q_index, v_index, circle = [], [], []
    for link in robot:
        if link.dof is None:
            continue
        moved_by = robot.joint_of(link)
        if moved_by is not None and moved_by.kind == "weld":
            q_index.append(-1)
            v_index.append(-1)
            circle.append(False)
            continue
        frame = frames.get(link.name)
        name = str(model.names[frame.parentJoint]) if frame is not None else ""
        found = joints.get(name)
        if found is None or found.nv != 1:
            raise Error(f"Pinocchio has no joint of one degree of freedom for link `{link.name}` of robot `{robot.name}`")
        q_index.append(int(found.idx_q))
        v_index.append(int(found.idx_v))
        circle.append(found.nq == 2)
    order = np.argsort([link.dof for link in robot if link.dof is not None])
    return PinocchioRobot(
        robot,
        model,
        model.createData(),
        [q_index[i] for i in order],
        [v_index[i] for i in order],
        [circle[i] for i in order],
    )


def to_trimesh(geometry: Geometry) -> Any:
    """The shape as a ``trimesh.Trimesh``."""
    trimesh = need("trimesh", "trimesh")
    vertices, triangles = geometry.to_mesh()
    return trimesh.Trimesh(vertices=vertices, faces=triangles, process=False)


def from_trimesh(mesh: Any) -> Geometry:
    """The mesh of a ``trimesh.Trimesh``; its vertices and faces are copied."""
    return Geometry.mesh(np.asarray(mesh.vertices), np.asarray(mesh.faces))


def to_open3d(geometry: Geometry) -> Any:
    """The shape as an ``open3d.geometry.TriangleMesh``, a cloud as an ``open3d.geometry.PointCloud``."""
    o3d = need("open3d", "open3d")
    points = geometry.points
    if points is not None:
        return o3d.geometry.PointCloud(o3d.utility.Vector3dVector(points))
    vertices, triangles = geometry.to_mesh()
    return o3d.geometry.TriangleMesh(
        o3d.utility.Vector3dVector(vertices), o3d.utility.Vector3iVector(triangles.astype(np.int32))
    )


def from_open3d(shape: Any) -> Geometry:
    """The shape of an ``open3d.geometry.TriangleMesh`` or ``PointCloud``."""
    if hasattr(shape, "triangles"):
        return Geometry.mesh(np.asarray(shape.vertices), np.asarray(shape.triangles))
    return Geometry.point_cloud(np.asarray(shape.points))


def from_yourdfpy(urdf: Any, folder: str | os.PathLike[str] = ".", *, options: LoadOptions | None = None) -> Robot:
    """The robot of a ``yourdfpy.URDF``; meshes are searched from ``folder``."""
    text = urdf.write_xml_string()
    return Robot.from_urdf(text if isinstance(text, str) else text.decode(), Path(folder), options=options)


def from_description(name: str, *, options: LoadOptions | None = None) -> Robot:
    """The robot of a module of ``robot_descriptions``, such as ``"panda_description"``, from that package's cache.

    The package itself downloads a description when its module is imported for the first time; nothing is downloaded here.
    """
    module = need(f"robot_descriptions.{name}", "robot_descriptions")
    path = getattr(module, "URDF_PATH", None)
    if path is None:
        kinds = [kind for kind in ("MJCF_PATH", "SDF_PATH", "XACRO_PATH") if hasattr(module, kind)]
        raise Error(f"robot_descriptions.{name} has no URDF, only {', '.join(kinds) or 'nothing that can be read'}")
    if options is None:
        options = LoadOptions(packages={Path(module.PACKAGE_PATH).name: module.PACKAGE_PATH}, roots=[module.PACKAGE_PATH])
    return Robot.load(path, options=options)
