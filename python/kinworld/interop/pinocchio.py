"""Robots as models of Pinocchio, and back.

Both go through a URDF. Pinocchio orders joints by its own rules and has other coordinates:

=====================  ======================================  ==================================================
joint                  Pinocchio: q and v                      kinworld: q and dq
=====================  ======================================  ==================================================
revolute, prismatic    the same numbers, in another order      one dof
continuous             q: cosine, sine; v: the rate            one dof, the angle; turns are lost on the way back
planar                 q: x, y, cosine, sine; v: vx, vy, wz    three dofs: x, y, angle and their rates
                       in the axes of the moving link
floating               q: x, y, z, quaternion (x, y, z, w);    six dofs: x, y, z, yaw, pitch, roll and their rates
                       v: linear, angular, both in the axes
                       of the moving link
=====================  ======================================  ==================================================

A floating base that kinworld puts under a URDF's root is the ``root_joint`` of Pinocchio. Links that kinworld keeps as a
degree of freedom without play, such as those of a weld of Klampt, are fixed in Pinocchio.

With v = T(q) dq, the mass matrix is Tᵀ M T and joint forces are Tᵀ τ. Six-vectors of Pinocchio have their linear part
first, those of kinworld their angular part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy import float64
from numpy.typing import ArrayLike, NDArray

from .. import Error, Robot, State, se3
from .._optional import need
from ._from_pinocchio import urdf_of
from ._urdf import UrdfJoint, joints_of, text_of, without_shapes

Kind = Literal["scalar", "angle", "planar", "floating"]

# rows of a twist in the link's axes, angular first, in the order of Pinocchio's v
_ROWS = {"planar": [3, 4, 2], "floating": [3, 4, 5, 0, 1, 2]}
_SIZES: dict[tuple[int, int], Kind] = {(1, 1): "scalar", (2, 1): "angle", (4, 3): "planar", (7, 6): "floating"}


@dataclass(frozen=True)
class _Joint:
    """A joint of both: where its numbers are, and for several dofs the link that moves and the frame it starts from."""

    kind: Kind
    idx_q: int
    idx_v: int
    dofs: list[int]
    name: str | None
    link: str
    origin: NDArray[float64]


@dataclass(frozen=True)
class PinocchioModel:
    """A model of Pinocchio with the maps of its coordinates to those of a robot; see `kinworld.interop.pinocchio`.

    n is the number of the robot's dofs, nq and nv are Pinocchio's. Links have their names in both: the pose of a link is
    that of the body frame of its name.

    >>> import kinworld as kw
    >>> from kinworld import interop
    >>> ferry = kw.Robot.load("data/robots/ferry.urdf")
    >>> pin = interop.to_pinocchio(ferry)                                                       # doctest: +SKIP
    >>> pin.model.nq, pin.model.nv, ferry.n_dofs                                                # doctest: +SKIP
    (12, 10, 10)
    """

    robot: Robot
    """The robot."""
    model: Any
    """The ``pinocchio.Model``."""
    fixed_dofs: list[int]
    """The robot's dofs without play, which Pinocchio does not have."""
    _joints: list[_Joint]

    def __repr__(self) -> str:
        return f"PinocchioModel of {self.robot!r}: nq {self.model.nq}, nv {self.model.nv}"

    def q(self, q: ArrayLike) -> NDArray[float64]:
        """Pinocchio's configuration (nq) of a configuration (n)."""
        given = self._vector(q, self.robot.n_dofs, "q")
        self._check_fixed(given)
        out = np.empty(self.model.nq)
        for joint in self._joints:
            i = joint.idx_q
            if joint.kind == "scalar":
                out[i] = given[joint.dofs[0]]
            elif joint.kind == "angle":
                out[i : i + 2] = np.cos(given[joint.dofs[0]]), np.sin(given[joint.dofs[0]])
            else:
                position, quaternion = se3.to_xyzw(se3.inverse(joint.origin) @ self._joint_pose(joint, given))
                if joint.kind == "floating":
                    out[i : i + 7] = *position, *quaternion
                else:
                    angle = 2 * np.arctan2(quaternion[2], quaternion[3])
                    out[i : i + 4] = *position[:2], np.cos(angle), np.sin(angle)
        return out

    def config(self, q: ArrayLike) -> NDArray[float64]:
        """The configuration (n) of Pinocchio's (nq). Angles of continuous joints are within ±π."""
        given = self._vector(q, self.model.nq, "Pinocchio's q")
        out = self.robot.clamp_to_limits(np.zeros(self.robot.n_dofs))
        for joint in self._joints:
            i = joint.idx_q
            if joint.kind == "scalar":
                out[joint.dofs[0]] = given[i]
            elif joint.kind == "angle":
                out[joint.dofs[0]] = np.arctan2(given[i + 1], given[i])
            else:
                if joint.kind == "floating":
                    pose = se3.from_xyzw(given[i : i + 3], given[i + 3 : i + 7])
                else:
                    pose = se3.from_rpy([*given[i : i + 2], 0], [0, 0, np.arctan2(given[i + 3], given[i + 2])])
                out = self._with_joint_pose(joint, joint.origin @ pose, out)
        return out

    def tangent(self, q: ArrayLike) -> NDArray[float64]:
        """T (nv × n): Pinocchio's velocity is T dq. The columns of ``fixed_dofs`` are zero."""
        given = self._vector(q, self.robot.n_dofs, "q")
        out = np.zeros((self.model.nv, self.robot.n_dofs))
        for joint in self._joints:
            if len(joint.dofs) == 1:
                out[joint.idx_v, joint.dofs[0]] = 1
            else:
                rows = slice(joint.idx_v, joint.idx_v + len(joint.dofs))
                out[rows, joint.dofs] = self._block(self._alone(joint, given), joint)
        return out

    def v(self, q: ArrayLike, dq: ArrayLike) -> NDArray[float64]:
        """Pinocchio's velocity (nv) of a velocity (n) at a configuration (n)."""
        return self.tangent(q) @ self._vector(dq, self.robot.n_dofs, "dq")

    def velocity(self, q: ArrayLike, v: ArrayLike) -> NDArray[float64]:
        """The velocity (n) of Pinocchio's (nv) at a configuration (n).

        Raises where three angles cannot express it: at a pitch of ±90° of a floating joint.
        """
        return self._solve(q, self._vector(v, self.model.nv, "v"))

    def a(self, q: ArrayLike, dq: ArrayLike, ddq: ArrayLike) -> NDArray[float64]:
        """Pinocchio's acceleration (nv) of an acceleration (n)."""
        return self.tangent(q) @ self._vector(ddq, self.robot.n_dofs, "ddq") + self._drift(q, dq)

    def acceleration(self, q: ArrayLike, dq: ArrayLike, a: ArrayLike) -> NDArray[float64]:
        """The acceleration (n) of Pinocchio's (nv); raises where ``velocity`` does."""
        return self._solve(q, self._vector(a, self.model.nv, "a") - self._drift(q, dq))

    def forces(self, q: ArrayLike, tau: ArrayLike) -> NDArray[float64]:
        """Joint forces (n) with the power of Pinocchio's (nv): Tᵀ tau; zero at ``fixed_dofs``."""
        return self.tangent(q).T @ self._vector(tau, self.model.nv, "tau")

    def mass_matrix(self, q: ArrayLike, mass_matrix: ArrayLike) -> NDArray[float64]:
        """The mass matrix (n × n) of Pinocchio's (nv × nv): Tᵀ M T; zero at ``fixed_dofs``."""
        tangent = self.tangent(q)
        return np.asarray(tangent.T @ np.asarray(mass_matrix, dtype=float64) @ tangent)

    def _drift(self, q: ArrayLike, dq: ArrayLike) -> NDArray[float64]:
        given = self._vector(q, self.robot.n_dofs, "q")
        rates = self._vector(dq, self.robot.n_dofs, "dq")
        out = np.zeros(self.model.nv)
        for joint in self._joints:
            if len(joint.dofs) > 1:
                state = self._alone(joint, given, rates)
                twist = state.jacobian(joint.link) @ state.velocity
                change = state.jacobian_dot_times_velocity(joint.link)
                # the link's axes turn with it
                change[3:] -= np.cross(twist[:3], twist[3:])
                out[joint.idx_v : joint.idx_v + len(joint.dofs)] = _in_link(state, joint, change)
        return out

    def _block(self, state: State, joint: _Joint) -> NDArray[float64]:
        return _in_link(state, joint, state.jacobian(joint.link)[:, joint.dofs])

    def _alone(self, joint: _Joint, q: NDArray[float64], dq: NDArray[float64] | None = None) -> State:
        """A state in which only this joint is away from zero and moves, so that its base rests."""
        only_q, only_dq = np.zeros_like(q), np.zeros_like(q)
        only_q[joint.dofs] = q[joint.dofs]
        if dq is not None:
            only_dq[joint.dofs] = dq[joint.dofs]
        return self.robot.state(only_q, only_dq)

    def _solve(self, q: ArrayLike, values: NDArray[float64]) -> NDArray[float64]:
        tangent = self.tangent(q)
        out = np.zeros(self.robot.n_dofs)
        for joint in self._joints:
            rows = slice(joint.idx_v, joint.idx_v + len(joint.dofs))
            block = tangent[rows][:, joint.dofs]
            if np.linalg.cond(block) > 1e12:
                raise Error(
                    f"the velocity of {joint.link!r} has no rates of yaw, pitch and roll at a pitch of ±90°; "
                    "move the robot away from there, or stay in Pinocchio's coordinates"
                )
            out[joint.dofs] = np.linalg.solve(block, values[rows])
        return out

    def _check_fixed(self, q: NDArray[float64]) -> None:
        for dof in self.fixed_dofs:
            if abs(q[dof]) > 1e-12:
                raise Error(
                    f"dof {dof} ({self.robot.dof_names[dof]!r}) is fixed at 0 in Pinocchio's model, but q has {q[dof]:g}; set it to 0"
                )

    def _joint_pose(self, joint: _Joint, q: NDArray[float64]) -> NDArray[float64]:
        return self.robot.pose(q, joint.link) if joint.name is None else self.robot.joint_pose(joint.name, q)

    def _with_joint_pose(self, joint: _Joint, pose: NDArray[float64], q: NDArray[float64]) -> NDArray[float64]:
        return self.robot.set_joint_pose(joint.link if joint.name is None else joint.name, pose, q)

    @staticmethod
    def _vector(values: ArrayLike, size: int, name: str) -> NDArray[float64]:
        array = np.asarray(values, dtype=float64)
        if array.shape != (size,):
            raise Error(f"{name}: expected {size} numbers, found an array of shape {array.shape}")
        return array


def to_pinocchio(robot: Robot) -> PinocchioModel:
    """The model of Pinocchio of a robot, with the maps of its coordinates. Needs ``pip install 'kinworld[pinocchio]'``.

    >>> import kinworld as kw
    >>> from kinworld import interop
    >>> scara = kw.Robot.load("data/robots/scara.urdf")
    >>> pin = interop.to_pinocchio(scara)                                                       # doctest: +SKIP
    >>> pin.q([0, 0, 0, 0, 3.141592653589793, 0, 0])[3:5]                                       # doctest: +SKIP
    array([0., 0.])
    """
    pinocchio = need("pinocchio", "pinocchio")
    text = without_shapes(text_of(robot))
    joints = joints_of(text)
    children = {joint.child for joint in joints.values()}
    roots = [link for link in robot.links if link.name not in children and link.name in _links_of(text)]
    floats = len(roots) == 1 and roots[0].motion != "fixed" and _floats(robot, roots[0].name)
    if floats:
        model = pinocchio.buildModelFromXML(text, pinocchio.JointModelFreeFlyer())
    else:
        model = pinocchio.buildModelFromXML(text)
    result = _pair(robot, model, joints, roots[0].name if floats else None)
    _compare(pinocchio, result)
    return result


def from_pinocchio(model: Any) -> PinocchioModel:
    """The robot of a model of Pinocchio, with the maps of its coordinates; ``.robot`` is the robot.

    Joints must be those of URDF: revolute, prismatic, continuous, planar, floating. Bodies that Pinocchio merged stay one
    link; its body and operational frames become massless links. Shapes are not part of a model.
    """
    pinocchio = need("pinocchio", "pinocchio")
    text = urdf_of(pinocchio, model)
    result = _pair(Robot.from_urdf(text), model, joints_of(text), None)
    _compare(pinocchio, result)
    return result


def _in_link(state: State, joint: _Joint, twist: NDArray[float64]) -> NDArray[float64]:
    """Rows of Pinocchio's velocity of a twist (6 or 6 × k) in world axes."""
    back = state.pose(joint.link)[:3, :3].T
    return np.concatenate([back @ twist[:3], back @ twist[3:]])[_ROWS[joint.kind]]


def _links_of(text: str) -> set[str]:
    import xml.etree.ElementTree as ElementTree

    return {link.get("name", "") for link in ElementTree.fromstring(text).findall("link")}


def _floats(robot: Robot, root: str) -> bool:
    joint = robot.joint_of(root)
    return joint is not None and joint.kind == "floating"


def _pair(robot: Robot, model: Any, joints: dict[str, UrdfJoint], root: str | None) -> PinocchioModel:
    paired = []
    for index in range(1, model.njoints):
        name = model.names[index]
        here = model.joints[index]
        kind = _SIZES.get((here.nq, here.nv))
        if kind is None:
            raise Error(f"joint {name!r}: joints of Pinocchio's kind {here.shortname()} are not supported")
        joint = joints[name] if name in joints else UrdfJoint(name, "floating", root or "", np.eye(4))
        link = robot.link(joint.child)
        moved = robot.joint_of(link)
        if here.nv == 1:
            dofs = [] if link.dof is None else [link.dof]
        else:
            dofs = [] if moved is None else moved.dofs
        if len(dofs) != here.nv:
            raise Error(f"joint {name!r}: {here.nv} degrees of freedom in Pinocchio, {len(dofs)} in kinworld")
        key = moved.name if here.nv > 1 and moved is not None and moved.base is not None else None
        paired.append(_Joint(kind, here.idx_q, here.idx_v, dofs, key, link.name, joint.origin))
    used = {dof for joint in paired for dof in joint.dofs}
    fixed = [dof for dof in range(robot.n_dofs) if dof not in used]
    return PinocchioModel(robot, model, fixed, paired)


def _compare(pinocchio: Any, result: PinocchioModel) -> None:
    """Raises where a body of Pinocchio is not where the link of kinworld is."""
    robot, model = result.robot, result.model
    q = robot.sample(1)
    q[result.fixed_dofs] = 0
    data = model.createData()
    pinocchio.framesForwardKinematics(model, data, result.q(q))
    for index, frame in enumerate(model.frames):
        if frame.type == pinocchio.FrameType.BODY and frame.name in robot:
            found, expected = data.oMf[index].homogeneous, robot.pose(q, frame.name)
            if not np.allclose(found, expected, rtol=0, atol=1e-8 * (1 + np.abs(expected).max())):
                raise Error(f"link {frame.name!r} is elsewhere in Pinocchio's model: its URDF reader differs; please report the robot")
