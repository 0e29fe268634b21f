"""Plans of a robot in a world, as `klampt.plan.robotplanning` makes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .._advice import missing, module_getattr
from .._robot import RobotModel
from .._types import Vector
from .._world import WorldModel
from ..model.collide import WorldCollider
from .cspace import MotionPlan
from .robotcspace import RobotCSpace


def make_space(
    world: WorldModel,
    robot: RobotModel,
    edgeCheckResolution: float = 1e-2,
    extraConstraints: Sequence[Callable[[Any], bool]] = (),
    equalityConstraints: Sequence[Any] = (),
    equalityTolerance: float = 1e-3,
    ignoreCollisions: Sequence[Any] = (),
    movingSubset: Any = None,
) -> RobotCSpace:
    """The space of a robot in a world."""
    if equalityConstraints:
        missing("plan", "equalityConstraints; `world.native.space(robot).constrained(objectives)` plans along objectives")
    moving = None if movingSubset in (None, "all", "auto") else [robot.link(i).index for i in movingSubset]
    space = RobotCSpace(robot, WorldCollider(world, ignoreCollisions) if ignoreCollisions else None, moving)
    space.eps = edgeCheckResolution
    for constraint in extraConstraints:
        space.addConstraint(constraint)
    return space


def plan_to_config(
    world: WorldModel,
    robot: RobotModel,
    target: Vector,
    edgeCheckResolution: float = 1e-2,
    extraConstraints: Sequence[Callable[[Any], bool]] = (),
    equalityConstraints: Sequence[Any] = (),
    equalityTolerance: float = 1e-3,
    ignoreCollisions: Sequence[Any] = (),
    movingSubset: Any = "auto",
    verbose: bool = True,
    **planOptions: Any,
) -> MotionPlan | None:
    """A plan from the robot's configuration to a target; ``None`` where one of them is not feasible.

    With ``movingSubset="auto"`` the links that have another position at the target move.
    """
    start = robot.getConfig()
    if len(target) != len(start):
        raise ValueError(f"expected a target of {len(start)} numbers, one per link; found {len(target)}")
    if isinstance(movingSubset, str) and movingSubset == "auto":
        movingSubset = [i for i, (a, b) in enumerate(zip(start, target)) if a != b]
    space = make_space(
        world, robot, edgeCheckResolution, extraConstraints, equalityConstraints, equalityTolerance, ignoreCollisions,
        movingSubset,
    )  # fmt: skip
    plan = MotionPlan(space, **planOptions)
    try:
        plan.setEndpoints(start, target)
    except RuntimeError as problem:
        if verbose:
            print(problem)
        return None
    return plan


__getattr__ = module_getattr("plan")
