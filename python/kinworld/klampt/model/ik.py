"""Inverse kinematics, as `klampt.model.ik` has it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ... import ik as _native
from .._advice import missing, module_getattr
from .._ik import IKObjective, IKSolver
from .._link import RobotModelLink
from .._types import Array, RigidTransform, Rotation, Vector
from ..math import se3, so3, vectorops

Objectives = IKObjective | Sequence[IKObjective]
Secondary = Objectives | tuple[Callable[[Vector], float], Callable[[Vector], Vector]]


def _points(value: Any) -> list[Vector]:
    """One point or several, as a list."""
    return list(value) if hasattr(value[0], "__iter__") else [value]


def objective(
    body: RobotModelLink,
    ref: RobotModelLink | None = None,
    local: Any = None,
    world: Any = None,
    R: Rotation | None = None,
    t: Vector | None = None,
) -> IKObjective:
    """A goal for a link: points ``local`` at ``world``, or the pose (R, t), in the world or in the link ``ref``."""
    if not isinstance(body, RobotModelLink) or not isinstance(ref, (RobotModelLink, type(None))):
        missing("klampt", "GeneralizedIKObjective")
    out = IKObjective()
    out.robot = body.robot()
    dest = -1 if ref is None else ref.index
    if local is not None and world is not None:
        out.setRelativePoints(body.index, dest, _points(local), _points(world))
    elif R is not None and t is not None:
        if local is not None:
            t = vectorops.sub(t, so3.apply(R, local))
        out.setRelativeTransform(body.index, dest, R, t)
    else:
        raise RuntimeError("Need to specify either local and world or R and t")
    return out


def _relative(link: RobotModelLink, ref: RobotModelLink | None) -> RigidTransform:
    return link.getTransform() if ref is None else se3.mul(se3.inv(ref.getTransform()), link.getTransform())


def fixed_objective(
    link: RobotModelLink, ref: RobotModelLink | None = None, local: Any = None, world: Any = None
) -> IKObjective:
    """Keeps a link where it is: its pose, or points of it."""
    T = _relative(link, ref)
    if local is None and world is None:
        return objective(link, ref, R=T[0], t=T[1])
    if local is not None and world is not None:
        raise ValueError("ik.fixed_objective takes `local` or `world`, not both")
    if local is None:
        world = _points(world)
        local = [se3.apply(se3.inv(T), p) for p in world]
    else:
        local = _points(local)
        world = [se3.apply(T, p) for p in local]
    return objective(link, ref, local=local, world=world)


def fixed_rotation_objective(
    link: RobotModelLink,
    ref: RobotModelLink | None = None,
    local_axis: Vector | None = None,
    world_axis: Vector | None = None,
) -> IKObjective:
    """Keeps the orientation of a link, or lets it turn about an axis only."""
    R = _relative(link, ref)[0]
    out = IKObjective()
    out.robot = link.robot()
    out.setLinks(link.index, -1 if ref is None else ref.index)
    if local_axis is not None and world_axis is not None:
        raise ValueError("ik.fixed_rotation_objective takes `local_axis` or `world_axis`, not both")
    if local_axis is not None:
        out.setAxialRotConstraint(local_axis, so3.apply(R, local_axis))
    elif world_axis is not None:
        out.setAxialRotConstraint(so3.apply(so3.inv(R), world_axis), world_axis)
    else:
        out.setFixedRotConstraint(R)
    return out


def solver(
    objectives: Objectives, iters: int | None = None, tol: float | None = None, secondary: Objectives | None = None
) -> IKSolver:
    """A solver for objectives of one robot."""
    goals = [objectives] if isinstance(objectives, IKObjective) else list(objectives)
    if not goals:
        raise ValueError("expected at least one objective")
    robots = {id(goal.robot): goal.robot for goal in goals}
    if len(robots) > 1:
        names = ", ".join(robot.getName() for robot in robots.values())
        raise ValueError(f"the objectives are of several robots ({names}); solve those of each robot on their own")
    out = IKSolver(goals[0].robot)
    for goal in goals:
        out.add(goal)
    if secondary is not None:
        for goal in [secondary] if isinstance(secondary, IKObjective) else secondary:
            out.addSecondary(goal)
    if iters is not None:
        out.setMaxIters(iters)
    if tol is not None:
        out.setTolerance(tol)
    return out


class _Search:
    """A solver, and the function that it minimizes, if any."""

    def __init__(
        self, objectives: Objectives, iters: int, tol: float, active: Sequence[int | str] | None, secondary: Secondary | None
    ) -> None:
        self.function: tuple[Any, ...] = ()
        if isinstance(secondary, tuple) and len(secondary) == 2 and callable(secondary[0]) and callable(secondary[1]):
            self.function, secondary = secondary, None
        self.solver = solver(objectives, iters, tol, secondary)
        if active is not None:
            self.solver.setActiveDofs([self.solver.robot.link(key).index for key in active])

    def solve(self) -> bool:
        return self.solver.minimize(*self.function) if self.function else self.solver.solve()


def solve(
    objectives: Objectives,
    iters: int = 1000,
    tol: float = 1e-3,
    activeDofs: Sequence[int | str] | None = None,
    secondary: Secondary | None = None,
) -> bool:
    """Searches from the robot's configuration; puts the robot at the best that was found.

    ``secondary`` objectives, or a function of the configuration and its gradient, are met or minimized as far as the others
    leave freedom.
    """
    return _Search(objectives, iters, tol, activeDofs, secondary).solve()


def solve_global(
    objectives: Objectives,
    iters: int = 1000,
    tol: float = 1e-3,
    activeDofs: Sequence[int | str] | None = None,
    secondary: Secondary | None = None,
    numRestarts: int = 100,
    feasibilityCheck: Callable[[], bool] | None = None,
    startRandom: bool = False,
) -> bool:
    """Searches from the robot's configuration, then from random ones, until ``feasibilityCheck`` is true."""
    search = _Search(objectives, iters, tol, activeDofs, secondary)
    for attempt in range(numRestarts + 1):
        if attempt or startRandom:
            search.solver.sampleInitial()
        if search.solve() and (feasibilityCheck is None or feasibilityCheck()):
            return True
    return False


def solve_nearby(
    objectives: Objectives,
    maxDeviation: float,
    iters: int = 1000,
    tol: float = 1e-3,
    activeDofs: Sequence[int | str] | None = None,
    secondary: Secondary | None = None,
    numRestarts: int = 0,
    feasibilityCheck: Callable[[], bool] | None = None,
) -> bool:
    """Searches with each active link within ``maxDeviation`` of where it is."""
    search = _Search(objectives, iters, tol, activeDofs, secondary)
    solver, model = search.solver, search.solver.robot
    q = model.getConfig()
    if secondary is None:
        found = _native.solve_nearby(
            model.native.robot, solver._goals(), maxDeviation, model.native.config, tolerance=tol, iterations=iters,
            active=[dof for i in solver.getActiveDofs() if (dof := model._dofs[i]) is not None],
        )  # fmt: skip
        model.native.set_config(found.q)
        if solver.isSolved() and (feasibilityCheck is None or feasibilityCheck()):
            return True
    lower, upper = model.getJointLimits()
    for i in solver.getActiveDofs():
        lower[i], upper[i] = max(lower[i], q[i] - maxDeviation), min(upper[i], q[i] + maxDeviation)
    solver.setJointLimits(lower, upper)
    for attempt in range(0 if secondary is not None else 1, numRestarts + 1):
        if attempt:
            solver.sampleInitial()
        if search.solve() and (feasibilityCheck is None or feasibilityCheck()):
            return True
    return False


def residual(objectives: Objectives) -> list[float]:
    """Residual of objectives at the robot's configuration, m and rad."""
    return solver(objectives).getResidual()


def jacobian(objectives: Objectives) -> Array:
    """Jacobian of the residual: one column per link that moves a link of an objective."""
    return solver(objectives).getJacobian()


__getattr__ = module_getattr("model.ik")
