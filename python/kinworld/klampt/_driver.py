"""Drivers: what moves one or several links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._advice import Advised
from ._types import Vector

if TYPE_CHECKING:
    from ._robot import RobotModel


class RobotModelDriver(Advised):
    """A driver of a robot: a motor, or one value for several links."""

    def __init__(self, robot: RobotModel, index: int, data: dict[str, Any]) -> None:
        self._robot = robot
        self.index = index
        self._name: str = data["name"]
        self._limits = data["limits"]
        kind, where = next(iter(data["kind"].items()))
        self._type: str = kind.lower()
        links = where.get("links", [where["link"]] if "link" in where else [])
        self._affected: list[int] = [link - robot._hidden for link in links]
        self._scale: list[float] = where.get("scale", [1.0] * len(links))
        self._offset: list[float] = where.get("offset", [0.0] * len(links))

    def getName(self) -> str:
        """The name."""
        return self._name

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    def robot(self) -> RobotModel:
        """The robot."""
        return self._robot

    def getType(self) -> str:
        """``"normal"``, ``"affine"``, ``"rotation"``, ``"translation"`` or ``"custom"``."""
        return self._type

    @property
    def type(self) -> str:
        """The kind of the driver."""
        return self._type

    def getAffectedLink(self) -> int:
        """The link that is moved, or the first of several."""
        return self._affected[0]

    def getAffectedLinks(self) -> list[int]:
        """The links that are moved."""
        return list(self._affected)

    def getAffineCoeffs(self) -> tuple[list[float], list[float]]:
        """Scale and offset of each link: its position is scale · value + offset."""
        return list(self._scale), list(self._offset)

    def getValue(self) -> float:
        """The value, rad or m."""
        return float(self._robot.native.driver_values[self.index])

    def setValue(self, val: float) -> None:
        """Sets the value, rad or m, and moves the links."""
        values = self._robot.native.driver_values
        values[self.index] = val
        self._robot.native.set_driver_values(values)

    def _of(self, velocity: Vector) -> float:
        """The velocity that explains those of its links best."""
        square = sum(scale * scale for scale in self._scale)
        weighted: float = sum(scale * velocity[link] for scale, link in zip(self._scale, self._affected))
        return weighted / square

    def getVelocity(self) -> float:
        """The velocity, rad/s or m/s."""
        return self._of(self._robot.getVelocity())

    def setVelocity(self, val: float) -> None:
        """Sets the velocity, rad/s or m/s."""
        velocity = self._robot.getVelocity()
        for link, scale in zip(self._affected, self._scale):
            velocity[link] = scale * val
        self._robot.setVelocity(velocity)

    def getLimits(self) -> tuple[float, float]:
        """Smallest and largest value."""
        if self._limits is not None:
            low, high = self._limits["position"]
            return low, high
        lower, upper = self._robot.getJointLimits()
        return lower[self._affected[0]], upper[self._affected[0]]

    def getVelocityLimits(self) -> tuple[float, float]:
        """Smallest and largest velocity."""
        if self._limits is not None:
            low, high = self._limits["velocity"]
            return low, high
        largest = self._robot.getVelocityLimits()[self._affected[0]]
        return -largest, largest

    value = property(getValue, lambda self, val: self.setValue(val), doc="The value, rad or m.")
    velocity = property(getVelocity, lambda self, val: self.setVelocity(val), doc="The velocity, rad/s or m/s.")

    def __repr__(self) -> str:
        return f"RobotModelDriver '{self._name}' of links {self._affected}"
