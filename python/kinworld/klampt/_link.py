"""Links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._core import Geometry
from . import _data
from ._mass import Mass
from ._objects import Owner
from ._types import Array, RigidTransform, Vector, transform_of, floats

if TYPE_CHECKING:
    from ._robot import RobotModel
    from ._world import WorldModel

_ORIGIN = (0.0, 0.0, 0.0)


class RobotModelLink(Owner):
    """A link of a robot. Rows of orientation come first in its Jacobian, as in Klampt."""

    def __init__(self, robot: RobotModel, index: int) -> None:
        self._robot = robot
        self.index = index
        self._at = index + robot._hidden
        self._shape: tuple[Geometry | None] | None = None

    def robot(self) -> RobotModel:
        """The robot."""
        return self._robot

    @property
    def world(self) -> WorldModel:
        """The world."""
        return self._robot.world

    def getName(self) -> str:
        """The name."""
        return self._robot._link_names[self.index]

    @property
    def name(self) -> str:
        """The name."""
        return self.getName()

    def getIndex(self) -> int:
        """The index in a configuration."""
        return self.index

    def getID(self) -> tuple[int, int]:
        """A pair that stays with the link: the number of its robot and its index."""
        return self._robot.id, self.index

    def getParent(self) -> int:
        """The index of the parent, or -1."""
        parent = self._robot.native.robot.links[self._at].parent
        return -1 if parent is None else max(parent.index - self._robot._hidden, -1)

    getParentIndex = getParent

    def getParentLink(self) -> RobotModelLink | None:
        """The parent."""
        parent = self.getParent()
        return None if parent < 0 else self._robot._links[parent]

    @property
    def parent(self) -> int:
        """The index of the parent, or -1."""
        return self.getParent()

    def getAxis(self) -> list[float]:
        """The axis (3) of its motion in its own frame."""
        axis = self._robot.native.robot.links[self._at].axis
        return [0.0, 0.0, 1.0] if axis is None else axis.tolist()

    def isPrismatic(self) -> bool:
        """Whether it moves along its axis."""
        return self._robot.native.robot.links[self._at].motion == "prismatic"

    def isRevolute(self) -> bool:
        """Whether it turns about its axis."""
        return self._robot.native.robot.links[self._at].motion == "revolute"

    def getMass(self) -> Mass:
        """Mass, centre of mass and moments."""
        link = self._robot.native.robot.links[self._at]
        return Mass(link.mass, link.com.tolist(), np.asarray(link.moment).ravel().tolist())

    def setMass(self, mass: Mass) -> None:
        """Sets mass, centre of mass and moments."""
        self._robot._set_mass(self.index, mass)

    def _get_shape(self) -> Geometry | None:
        if self._shape is None:
            parts = self._robot._fields["links"][self._at]["collision"]
            shapes = [_placed(part) for part in parts]
            self._shape = (None if not shapes else shapes[0] if len(shapes) == 1 else _group(shapes),)
        return self._shape[0]

    def _set_shape(self, shape: Geometry | None) -> None:
        data = self._robot._fields
        eye = {"rotation": np.eye(3).ravel().tolist(), "translation": [0.0] * 3}
        part = {"name": "", "placement": eye, "appearance": None}
        parts = [] if shape is None else [{**part, "geometry": _data.fields(shape)}]
        data["links"][self._at]["collision"] = parts
        self._robot._edit(data)
        self._shape = (shape,)

    def _get_pose(self) -> Array:
        return self._robot.native.pose(self._at)

    def getTransform(self) -> RigidTransform:
        """The pose as a pair (R, t), with R column by column."""
        return transform_of(self._get_pose())

    @property
    def transform(self) -> RigidTransform:
        """The pose as a pair (R, t)."""
        return self.getTransform()

    def getParentTransform(self) -> RigidTransform:
        """The pose in the parent where the coordinate is zero."""
        return transform_of(self._robot.native.robot.links[self._at].placement)

    def getWorldPosition(self, plocal: Vector) -> list[float]:
        """Position (3) in the world of a point of the link."""
        return floats(self._robot.native.world_position(self._at, plocal))

    def getLocalPosition(self, pworld: Vector) -> list[float]:
        """Position (3) in the link of a point of the world."""
        return floats(self._robot.native.local_position(self._at, pworld))

    def getWorldDirection(self, vlocal: Vector) -> list[float]:
        """Direction (3) in the world of a direction of the link."""
        return floats(self._robot.native.world_direction(self._at, vlocal))

    def getLocalDirection(self, vworld: Vector) -> list[float]:
        """Direction (3) in the link of a direction of the world."""
        return floats(self._robot.native.local_direction(self._at, vworld))

    def getJacobian(self, plocal: Vector) -> Array:
        """Jacobian (6 × n) of a point of the link: orientation, then position."""
        return self._robot._spread(self._robot.native.jacobian(self._at, plocal), 1)

    def getPositionJacobian(self, plocal: Vector) -> Array:
        """Jacobian (3 × n) of the position of a point of the link."""
        return self._robot._spread(self._robot.native.position_jacobian(self._at, plocal), 1)

    def getOrientationJacobian(self) -> Array:
        """Jacobian (3 × n) of the angular velocity."""
        return self._robot._spread(self._robot.native.orientation_jacobian(self._at), 1)

    def getPositionHessian(self, plocal: Vector) -> Array:
        """Second derivatives (3 × n × n) of the position of a point of the link."""
        return self._robot._spread(self._robot.native.position_hessian(self._at, plocal), 1, 2)

    def getOrientationHessian(self) -> Array:
        """Derivatives (3 × n × n) of the orientation Jacobian."""
        return self._robot._spread(self._robot.native.orientation_hessian(self._at), 1, 2)

    def getVelocity(self) -> list[float]:
        """Velocity (3) of the origin, m/s."""
        return self.getPointVelocity(_ORIGIN)

    def getAngularVelocity(self) -> list[float]:
        """Angular velocity (3), rad/s."""
        return floats(self._robot.native.angular_velocity(self._at))

    def getPointVelocity(self, plocal: Vector) -> list[float]:
        """Velocity (3) of a point of the link, m/s."""
        return floats(self._robot.native.point_velocity(self._at, plocal))

    def getAcceleration(self, ddq: Vector) -> list[float]:
        """Acceleration (3) of the origin for joint accelerations, m/s²."""
        return self.getPointAcceleration(_ORIGIN, ddq)

    def getPointAcceleration(self, plocal: Vector, ddq: Vector) -> list[float]:
        """Acceleration (3) of a point of the link for joint accelerations, m/s²."""
        accelerations = self._robot._less(ddq, "acceleration")
        return floats(self._robot.native.point_acceleration(self._at, accelerations, plocal))

    def getAngularAcceleration(self, ddq: Vector) -> list[float]:
        """Angular acceleration (3) for joint accelerations, rad/s²."""
        return floats(self._robot.native.angular_acceleration(self._at, self._robot._less(ddq, "acceleration")))

    def __repr__(self) -> str:
        return f"RobotModelLink '{self.getName()}' ({self.index}) of '{self._robot.getName()}'"


def _pose(placement: dict[str, list[float]]) -> Array:
    pose = np.eye(4)
    pose[:3, :3] = np.reshape(placement["rotation"], (3, 3)).T
    pose[:3, 3] = placement["translation"]
    return pose


def _placed(part: dict[str, dict[str, list[float]]]) -> Geometry:
    """The shape of a part of a link, in the link's frame."""
    shape = _data.build(Geometry, part["geometry"])
    pose = _pose(part["placement"])
    return shape if np.array_equal(pose, np.eye(4)) else shape.transformed(pose)


def _group(shapes: list[Geometry]) -> Geometry:
    return Geometry.group([(np.eye(4), shape) for shape in shapes])
