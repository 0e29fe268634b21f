"""Plans of a robot, as `klampt.plan.robotplanning` has them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..._core import Plan, Space
from .._advice import Advised, missing, module_getattr
from .._link import RobotModelLink
from .._robot import RobotModel
from .._types import Vector
from .._world import WorldModel
from ..model.collide import WorldCollider


class MotionPlan(Advised):
    """A search from a configuration to another. ``planMore`` searches on, ``getPath`` gives what was found."""

    def __init__(self, robot: RobotModel, space: Space, start: Vector, goal: Vector) -> None:
        self.robot, self.space = robot, space
        self._start, self._goal = list(start), list(goal)
        self._samples = 0
        self._plan: Plan | None = None

    def planMore(self, iterations: int) -> None:
        """Searches with so many samples more; a path that was found stays."""
        if self._plan is not None and self._plan.found:
            return
        self._samples += iterations
        start, goal = (self.robot._less(q, "configuration") for q in (self._start, self._goal))
        self._plan = self.space.plan(start, goal, iterations=self._samples)

    def getPath(self) -> list[list[float]] | None:
        """The milestones of the path; ``None`` where none was found."""
        if self._plan is None or self._plan.path is None:
            return None
        return [self.robot._full(q) for q in self._plan.path]

    def getStats(self) -> dict[str, float]:
        """Figures of the search."""
        return {"iterations": 0.0 if self._plan is None else float(self._plan.iterations)}

    def close(self) -> None:
        """Does nothing: there is nothing to free."""


def make_space(
    world: WorldModel,
    robot: RobotModel,
    edgeCheckResolution: float = 1e-2,
    extraConstraints: Sequence[Callable[[Any], bool]] = (),
    **options: Any,
) -> Space:
    """The configuration space of a robot in a world, of kinworld: `is_free`, `is_edge_free`, `plan`."""
    if extraConstraints or options:
        missing("plan.robotplanning", "make_space with constraints")
    return world.native.space(robot.getName(), resolution=edgeCheckResolution)


def plan_to_config(
    world: WorldModel,
    robot: RobotModel,
    target: Vector,
    edgeCheckResolution: float = 1e-2,
    extraConstraints: Sequence[Callable[[Any], bool]] = (),
    equalityConstraints: Sequence[Any] = (),
    equalityTolerance: float = 1e-3,
    ignoreCollisions: Sequence[Any] = (),
    movingSubset: Sequence[int | str | RobotModelLink] | str | None = None,
    **planOptions: Any,
) -> MotionPlan | None:
    """A search from where the robot is to a configuration; ``None`` where one of the two is not free.

    ``planOptions`` name planners of Klampt and are not used: the search is RRT-Connect with shortcuts.
    """
    if extraConstraints or equalityConstraints:
        missing("plan.robotplanning", "plan_to_config with constraints")
    ignore = [tuple(_name(x) for x in e) if isinstance(e, (tuple, list)) else _name(e) for e in ignoreCollisions]
    active = None
    if movingSubset is not None and movingSubset != "all":
        native = robot.native.robot
        if isinstance(movingSubset, str):
            start = robot.getConfig()
            moving = [i for i, (a, b) in enumerate(zip(start, target)) if a != b]
        else:
            moving = [robot.link(x).index if not isinstance(x, RobotModelLink) else x.index for x in movingSubset]
        active = [dof for dof in (native.link(i).dof for i in moving) if dof is not None]
    space = world.native.space(robot.getName(), resolution=edgeCheckResolution, ignore=ignore, active=active)
    plan = MotionPlan(robot, space, robot.getConfig(), target)
    if not all(space.is_free(robot._less(q, "configuration")) for q in (plan._start, plan._goal)):
        return None
    return plan


def _name(element: Any) -> Any:
    """The name of an element, as kinworld wants it."""
    if isinstance(element, RobotModelLink):
        return (element.robot().getName(), element.getName())
    return element.getName() if hasattr(element, "getName") else element


__all__ = ["MotionPlan", "WorldCollider", "make_space", "plan_to_config"]

__getattr__ = module_getattr("plan.robotplanning")
