"""The configuration space of a robot among obstacles, as `klampt.plan.robotcspace` has it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from ..._core import Space
from .._advice import module_getattr
from .._robot import RobotModel
from .._types import Vector
from ..model.collide import WorldCollider
from .cspace import CSpace, Path


class RobotCSpace(CSpace):
    """The configurations of a robot that are within limits and free of collisions.

    The world counts as it is at the first test. ``native`` is the `kinworld.Space` that decides.
    """

    def __init__(
        self, robot: RobotModel, collider: WorldCollider | None = None, _moving: Sequence[int] | None = None
    ) -> None:
        super().__init__()
        self.robot = robot
        self.collider = collider
        self._moving = _moving
        self.bound = list(zip(*robot.getJointLimits()))

    @cached_property
    def native(self) -> Space:
        """The native space; pairs that the collider ignores are ignored."""
        dofs = None if self._moving is None else [d for i in self._moving if (d := self.robot._dofs[i]) is not None]
        world = self.robot.world.native
        return world.space(
            self.robot.native.name, resolution=self.eps, active=dofs, allow_missing_geometry=True
        )  # fmt: skip

    def addConstraint(self, checker: Callable[[Any], bool], name: str | None = None) -> None:
        """Adds a test that a feasible configuration must pass."""
        self.addFeasibilityTest(checker, name)

    def _why(self, q: Vector) -> str:
        return self.native.why_not(self.robot._less(q, "configuration")) or "a constraint that was added"

    def inJointLimits(self, x: Vector) -> bool:
        """Whether a configuration is within the limits."""
        return self.inBounds(x)

    def feasible(self, x: Vector) -> bool:
        """Whether a configuration is within limits, free of collisions and passes all tests."""
        free = self._free(x) if self.collider is not None else self.native.is_free(self.robot._less(x, "configuration"))
        return free and all(test(x) for test in self.feasibilityTests)

    def _free(self, x: Vector) -> bool:
        """The same by the tests of the collider."""
        return self.inBounds(x) and not self.selfCollision(x) and not self.envCollision(x)

    def selfCollision(self, x: Vector | None = None) -> bool:
        """Whether links collide with each other."""
        if x is not None:
            self.robot.setConfig(x)
        if self.collider is None:
            return self.robot.selfCollides()
        return any(True for _ in self.collider.robotSelfCollisions(self.robot))

    def envCollision(self, x: Vector | None = None) -> bool:
        """Whether links collide with objects or terrains."""
        if x is not None:
            self.robot.setConfig(x)
        collider = self.collider or WorldCollider(self.robot.world)
        pairs = [collider.robotObjectCollisions(self.robot), collider.robotTerrainCollisions(self.robot)]
        return any(True for hits in pairs for _ in hits)

    def distance(self, a: Vector, b: Vector) -> float:
        """Distance in the metric of the robot."""
        return self.robot.distance(a, b)

    def interpolate(self, a: Vector, b: Vector, u: float) -> list[float]:
        """The configuration on the robot's way from ``a`` (u = 0) to ``b`` (u = 1)."""
        return self.robot.interpolate(a, b, u)

    def sample(self) -> list[float]:
        """A configuration within the limits, from Python's `random`; links that do not move stay."""
        q = self.robot.getConfig()
        self.robot.randomizeConfig()
        new = self.robot.getConfig()
        self.robot.setConfig(q)
        return new if self._moving is None else [new[i] if i in self._moving else x for i, x in enumerate(q)]

    def _search(self, start: Vector, goal: Vector, iterations: int) -> Path | None:
        if self.feasibilityTests or self.collider is not None:
            return super()._search(start, goal, iterations)
        less = self.robot._less
        ends = less(start, "configuration"), less(goal, "configuration")
        plan = self.native.plan(*ends, seed=random.getrandbits(32), iterations=iterations)
        return None if plan.path is None else [self.robot._full(q, self.robot._fixed) for q in plan.path]


__getattr__ = module_getattr("plan")
