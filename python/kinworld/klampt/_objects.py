"""Rigid objects and terrains of a world, and what all elements share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._core import Geometry, RigidObject, RigidObjectView, Terrain, TerrainView
from ._advice import Advised
from ._appearance import Appearance
from ._geometry import Geometry3D
from ._mass import Mass
from ._types import Array, RigidTransform, Rotation, Vector, pose_of, transform_of

if TYPE_CHECKING:
    from ._world import WorldModel


class Owner(Advised):
    """An element with a shape."""

    _appearance: Appearance | None = None

    def _get_shape(self) -> Geometry | None:
        raise NotImplementedError

    def _set_shape(self, shape: Geometry | None) -> None:
        raise NotImplementedError

    def _get_pose(self) -> Array:
        raise NotImplementedError

    def geometry(self) -> Geometry3D:
        """The shape, which follows the element."""
        return Geometry3D(_owner=self)

    def appearance(self) -> Appearance:
        """The colour."""
        if self._appearance is None:
            self._appearance = Appearance()
        return self._appearance


class Element(Owner):
    """A rigid object or a terrain: a handle that stays valid when others are removed."""

    native: Any

    def __init__(self, world: WorldModel, native: Any, id: int) -> None:
        self.world = world
        self.native = native
        self.id = id

    def getName(self) -> str:
        """The name."""
        name: str = self.native.name
        return name

    def setName(self, name: str) -> None:
        """Renames the element."""
        self.world.native.rename(self.native.entity, name)

    @property
    def name(self) -> str:
        """The name."""
        return self.getName()

    @name.setter
    def name(self, name: str) -> None:
        self.setName(name)

    def getID(self) -> int:
        """A number that stays with the element."""
        return self.id

    @property
    def index(self) -> int:
        """The place among the elements of its kind."""
        return self.world._index(self)

    def _get_shape(self) -> Geometry | None:
        shape: Geometry | None = self.native.geometry
        return shape

    def __repr__(self) -> str:
        return f"{type(self).__name__} '{self.getName()}'"


class RigidObjectModel(Element):
    """A free rigid body."""

    native: RigidObjectView

    def _set_shape(self, shape: Geometry | None) -> None:
        self.native.set_geometry(shape)

    def _get_pose(self) -> Array:
        return self.native.pose

    def getTransform(self) -> RigidTransform:
        """The pose as a pair (R, t)."""
        return transform_of(self.native.pose)

    def setTransform(self, R: Rotation, t: Vector) -> None:
        """Moves the object."""
        self.native.set_pose(pose_of((R, t)))

    @property
    def transform(self) -> RigidTransform:
        """The pose as a pair (R, t)."""
        return self.getTransform()

    @transform.setter
    def transform(self, T: RigidTransform) -> None:
        self.setTransform(*T)

    def getVelocity(self) -> tuple[list[float], list[float]]:
        """Angular and linear velocity (3 each)."""
        return self.native.angular_velocity.tolist(), self.native.velocity.tolist()

    def setVelocity(self, angularVelocity: Vector, velocity: Vector) -> None:
        """Sets angular and linear velocity (3 each)."""
        self.native.set_velocity(angularVelocity, velocity)

    def getMass(self) -> Mass:
        """Mass, centre of mass and moments."""
        native = self.native
        return Mass(native.mass, native.com.tolist(), np.asarray(native.moment).ravel().tolist())

    def setMass(self, mass: Mass) -> None:
        """Sets mass, centre of mass and moments. The handle stays valid; attachments end."""
        native = self.native
        body = RigidObject(
            native.name, native.geometry, mass=mass.mass, com=mass.com, moment=mass.moment(), pose=native.pose
        )
        self.world._replace(self, body)


class TerrainModel(Element):
    """A static shape."""

    native: TerrainView

    def _set_shape(self, shape: Geometry | None) -> None:
        self.world._replace(self, Terrain(self.native.name, shape))

    def _get_pose(self) -> Array:
        return np.eye(4)
