"""Planning with OMPL: spaces, validity, motions and goals of kinworld's robots.

OMPL asks for a motion with one call, and kinworld checks all of it: a Python function that OMPL calls for each configuration on
the way costs several times as much.

>>> import kinworld as kw
>>> from kinworld.ompl import simple_setup                                                      # doctest: +SKIP
>>> world = kw.load("data/robots/arm6.urdf", "data/terrains/table.env")
>>> setup = simple_setup(world, "arm6")                                                         # doctest: +SKIP
>>> setup.set_start([0, 0, 0, 0, 0, 0])                                                         # doctest: +SKIP
>>> setup.set_goal([1, 0.3, 0, 0, 0, 0])                                                        # doctest: +SKIP
>>> setup.plan(5.0).shape                                                                       # doctest: +SKIP
(2, 6)

Needs ``pip install 'kinworld[ompl]'``. All planners of ``ompl.geometric`` can be given to ``setup.setPlanner``. OMPL 2 is what is
tested first; OMPL 1.7 has AIT*, EIT* and others that OMPL 2 leaves out of its package, but can crash when the interpreter ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import ik
from ._core import MotionLimits, Robot, SmoothTrajectory, Space, World
from ._optional import need

ob: Any = need("ompl.base", "ompl")
og: Any = need("ompl.geometric", "ompl")

__all__ = ["GoalRegion", "LinkProjection", "MotionValidator", "PlannedMotion", "RobotStateSpace", "Setup", "ValidityChecker", "simple_setup"]


class RobotStateSpace:
    """The state space of OMPL for a configuration space of a robot, and the way between their states and arrays.

    Joints that turn without limits are circles (``SO2StateSpace``), all others intervals; joints that are not active in
    ``space`` stay where they are and are no part of a state. The metric is the Euclidean one; where there are circles OMPL
    adds the lengths of the parts. ``bounds`` gives (lower, upper) for dofs that have no limits, by index: OMPL needs some.
    """

    space: Space
    """The configuration space."""
    robot: Robot
    """The robot that moves."""
    dofs: list[int]
    """The indices, in a configuration, of the coordinates of a state."""
    circles: list[bool]
    """Which of them are circles."""
    limits: NDArray[np.float64]
    """Lower and upper bound of each of them (k × 2)."""
    ompl: Any
    """The ``ompl.base.StateSpace``."""
    read: Callable[[Any], list[float]]
    """The configuration (n values) of a state of OMPL."""

    def __init__(self, space: Space, robot: Robot, *, bounds: dict[int, tuple[float, float]] | None = None) -> None:
        n = robot.n_dofs
        if space.n_dofs != n:
            raise ValueError(f"the space has {space.n_dofs} coordinates, robot `{robot.name}` has {n}: give a space of this robot alone")
        self.space, self.robot = space, robot
        limits = np.array(space.bounds)
        for dof, pair in (bounds or {}).items():
            limits[dof] = pair
        self.dofs = np.flatnonzero(limits[:, 0] < limits[:, 1]).tolist()
        spins = {dof for joint in robot.joints if joint.kind == "spin" for dof in joint.dofs}
        self.circles = [dof in spins for dof in self.dofs]
        self.limits = limits[self.dofs]
        for dof, circle, pair in zip(self.dofs, self.circles, self.limits):
            if not circle and not np.isfinite(pair).all():
                name = robot.dof_names[dof]
                raise ValueError(f"joint `{name}` has no limits and OMPL needs some: give bounds={{{dof}: (lower, upper)}}")
        if not self.dofs:
            raise ValueError(f"no joint of robot `{robot.name}` can move")
        self.ompl, places = self._parts()
        self.ompl.setup()
        values = [repr(value) for value in np.asarray(space.current).tolist()]
        for dof, place in zip(self.dofs, places):
            values[dof] = place
        # written out for n: a loop over a state of OMPL costs several times as much, and list(state) reads beyond its end
        names: dict[str, Any] = {"__builtins__": {}}
        self.read = eval(f"lambda s: [{', '.join(values)}]", names)
        exec("def write(s, q):\n " + "\n ".join(f"{place} = q[{dof}]" for dof, place in zip(self.dofs, places)), names)
        self._write: Callable[[Any, list[float]], None] = names["write"]

    def _parts(self) -> tuple[Any, list[str]]:
        """The space of OMPL, and an expression for each coordinate of its state ``s``."""
        n = len(self.dofs)
        if not any(self.circles):
            return self._interval(range(n)), [f"s[{i}]" for i in range(n)]
        whole, at = ob.CompoundStateSpace(), 0
        places: list[str] = []
        while at < n:
            part = whole.getSubspaceCount()
            if self.circles[at]:
                whole.addSubspace(ob.SO2StateSpace(), 1.0)
                places.append(f"s[{part}].value")
                at += 1
                continue
            end = at
            while end < n and not self.circles[end]:
                end += 1
            whole.addSubspace(self._interval(range(at, end)), 1.0)
            places += [f"s[{part}][{i}]" for i in range(end - at)]
            at = end
        whole.lock()
        return whole, places

    def _interval(self, coordinates: range) -> Any:
        space, bounds = ob.RealVectorStateSpace(len(coordinates)), ob.RealVectorBounds(len(coordinates))
        for i, coordinate in enumerate(coordinates):
            bounds.setLow(i, float(self.limits[coordinate, 0]))
            bounds.setHigh(i, float(self.limits[coordinate, 1]))
        space.setBounds(bounds)
        return space

    def write(self, state: Any, q: ArrayLike) -> None:
        """Sets a state of OMPL to a configuration (n)."""
        values: list[float] = np.asarray(q, dtype=np.float64).reshape(-1).tolist()
        if len(values) != self.robot.n_dofs:
            raise ValueError(f"a configuration needs {self.robot.n_dofs} values, got {len(values)}")
        for dof, circle in zip(self.dofs, self.circles):
            if circle:
                values[dof] = math.remainder(values[dof], 2 * math.pi)
        self._write(state, values)

    def state(self, q: ArrayLike) -> Any:
        """A new state of OMPL at a configuration (n)."""
        state = self.ompl.allocState()
        self.write(state, q)
        return state

    def path(self, path: Any) -> NDArray[np.float64]:
        """The configurations (k × n) of a path of OMPL."""
        return np.array([self.read(state) for state in path.getStates()])

    def __repr__(self) -> str:
        return f"RobotStateSpace of '{self.robot.name}': {len(self.dofs)} moving dofs, {sum(self.circles)} of them circles"


class ValidityChecker(ob.StateValidityChecker):  # type: ignore[misc]
    """Whether a state is within the limits and free of collisions."""

    def __init__(self, information: Any, states: RobotStateSpace) -> None:
        super().__init__(information)
        self._read = states.read
        self._is_free: Callable[[list[float]], bool] = states.space.is_free

    def isValid(self, state: Any) -> bool:
        """Whether the state is valid."""
        return self._is_free(self._read(state))


class MotionValidator(ob.MotionValidator):  # type: ignore[misc]
    """Whether a motion is free at all samples of the resolution of the space: one call for all of it."""

    def __init__(self, information: Any, states: RobotStateSpace) -> None:
        super().__init__(information)
        self._states = states
        self._is_edge_free: Callable[[list[float], list[float]], bool] = states.space.is_edge_free
        self.checked = 0

    def checkMotion(self, a: Any, b: Any, last: Any = None) -> bool:
        """Whether the motion from ``a`` to ``b`` is valid.

        Some planners of OMPL 1 give ``last``, a pair, for a state up to which the motion is valid and its position (0 to 1): of a
        motion that is not valid it gets the start.
        """
        self.checked += 1
        start = self._states.read(a)
        is_free = self._is_edge_free(start, self._states.read(b))
        if last is not None and not is_free:
            last.second = 0.0
            if last.first is not None:
                self._states.write(last.first, start)
        return is_free


class LinkProjection(ob.ProjectionEvaluator):  # type: ignore[misc]
    """The position (3) of a link, which planners such as KPIECE use to see where they have been, in cubes of ``cell`` (m)."""

    def __init__(self, states: RobotStateSpace, link: int | str, *, cell: float = 0.1) -> None:
        super().__init__(states.ompl)
        self._read, self._state, self._link = states.read, states.robot.state(), states.robot.link(link).index
        for axis in range(3):
            self.setCellSizes(axis, cell)

    def getDimension(self) -> int:
        """Number of coordinates of a projection."""
        return 3

    def project(self, state: Any, projection: NDArray[np.float64]) -> None:
        """Writes the position of the link."""
        self._state.set_config(self._read(state))
        projection[:] = self._state.world_position(self._link)


class GoalRegion(ob.GoalSampleableRegion):  # type: ignore[misc]
    """All configurations that reach objectives of inverse kinematics.

    Samples are free solutions from random starts, of which up to ``count`` are found, when they are wanted; the distance of a
    configuration is the norm of its residual (m and rad), the region reaches as far as ``threshold``.
    """

    def __init__(
        self,
        information: Any,
        states: RobotStateSpace,
        objectives: ik.Objective | Sequence[ik.Objective],
        *,
        count: int = 16,
        seed: int = 0,
        threshold: float = 1e-6,
    ) -> None:
        super().__init__(information)
        if count < 1:
            raise ValueError(f"count is a number of at least 1, got {count}")
        self._states, self._objectives, self._count, self._seed = states, objectives, count, seed
        self._state = states.robot.state()
        self._next = self._tried = 0
        self.found: list[NDArray[np.float64]] = []
        self.setThreshold(threshold)
        self._find()
        if not self.found:
            raise ValueError("inverse kinematics found no configuration that reaches the goal within the limits and free of collisions")

    def _find(self) -> None:
        """Looks for one more solution."""
        states, start = self._states, np.array(self._states.space.current)
        for _ in range(10):
            seed = self._seed * 1_000_003 + self._tried
            if self._tried:
                start[states.dofs] = states.robot.sample(seed)[states.dofs]
            self._tried += 1
            goal = self._objectives
            tolerance = 0.1 * self.getThreshold()
            found = ik.solve(states.robot, goal, start, space=states.space, tolerance=tolerance, seed=seed, active=states.dofs)
            if found.solved and states.space.is_free(found.q):
                self.found.append(found.q)
                return

    def sampleGoal(self, state: Any) -> None:
        """Sets a state to a sample of the region."""
        if self._next == len(self.found) and self._next < self._count:
            self._find()
        self._states.write(state, self.found[self._next % len(self.found)])
        self._next = (self._next + 1) % self._count

    def maxSampleCount(self) -> int:
        """Number of different samples."""
        return self._count

    def distanceGoal(self, state: Any) -> float:
        """Norm of the residual of the objectives, m and rad."""
        self._state.set_config(self._states.read(state))
        return float(np.linalg.norm(ik.residual(self._state, self._objectives)))


class PlannedMotion(NamedTuple):
    """A path and a motion beside it."""

    path: NDArray[np.float64]
    """The configurations (k × n) of the path."""
    motion: SmoothTrajectory
    """The fastest motion within the limits; it is free where ``Space.motion_collision`` checks it."""
    is_smooth: bool | None
    """Whether it follows a smooth curve; ``False`` where none is free and corners are rounded, ``None`` where none was asked for."""


class Setup(og.SimpleSetup):  # type: ignore[misc]
    """OMPL's ``SimpleSetup`` for a robot of a world, with starts, goals and paths as arrays. All of its methods are there."""

    states: RobotStateSpace
    motion_validator: MotionValidator

    def __init__(self, states: RobotStateSpace) -> None:
        super().__init__(states.ompl)
        self.states = states
        information = self.getSpaceInformation()
        self.setStateValidityChecker(ValidityChecker(information, states))
        self.motion_validator = MotionValidator(information, states)
        information.setMotionValidator(self.motion_validator)

    def set_start(self, q: ArrayLike) -> None:
        """The configuration (n) at which a path begins."""
        self._require_free(q, "start")
        problem = self.getProblemDefinition()
        problem.clearStartStates()
        problem.addStartState(self.states.state(q))

    def set_goal(self, q: ArrayLike) -> None:
        """The configuration (n) at which a path ends, or several of them (k × n)."""
        rows = np.atleast_2d(np.asarray(q, dtype=np.float64))
        goal = ob.GoalStates(self.getSpaceInformation())
        for i, row in enumerate(rows):
            self._require_free(row, "goal" if len(rows) == 1 else f"goal {i}")
            goal.addState(self.states.state(row))
        self.setGoal(goal)

    def set_goal_region(self, objectives: ik.Objective | Sequence[ik.Objective], *, count: int = 16, seed: int = 0) -> GoalRegion:
        """Ends paths where objectives of inverse kinematics are reached, such as a link at a pose."""
        goal = GoalRegion(self.getSpaceInformation(), self.states, objectives, count=count, seed=seed)
        self.setGoal(goal)
        return goal

    def setup(self) -> None:
        """Prepares the planner. OMPL itself would crash where there is no goal."""
        if self.getGoal() is None:
            raise ValueError("there is no goal yet: call set_goal or set_goal_region first")
        super().setup()

    def solve(self, time: Any = 1.0) -> Any:
        """Plans for ``time`` (s), or until a termination condition of OMPL; returns OMPL's status."""
        if self.getGoal() is None:
            raise ValueError("there is no goal yet: call set_goal or set_goal_region first")
        return super().solve(time)

    def plan(self, time: float = 5.0, *, simplify: bool = True) -> NDArray[np.float64] | None:
        """The configurations (k × n) of a path that OMPL finds within ``time`` (s); ``None`` where it finds none."""
        if not self.solve(time) or not self.haveExactSolutionPath():
            return None
        if simplify:
            self.simplifySolution()
        return self.states.path(self.getSolutionPath())

    def plan_motion(
        self,
        limits: MotionLimits,
        time: float = 5.0,
        *,
        smooth: float | None = None,
        deviation: float = 0.05,
        torque: bool = False,
        simplify: bool = True,
    ) -> PlannedMotion | None:
        """The fastest motion within limits along a path that OMPL finds within ``time`` (s); ``None`` where it finds none.

        ``smooth`` is the margin (m) of a smooth curve beside the path, which is rounded at its corners by ``deviation`` (rad or m)
        otherwise; with ``torque`` limits of torque count, with gravity and friction. OMPL checks at samples alone: what collides
        between them is an error here, and a space of a finer ``resolution`` helps.
        """
        path = self.plan(time, simplify=simplify)
        if path is None:
            return None
        space, robot = self.states.space, self.states.robot if torque else None
        motion, is_smooth = space.fastest_motion_along(path, limits, smooth=smooth, deviation=deviation, robot=robot)
        return PlannedMotion(path, motion, None if smooth is None else is_smooth)

    def _require_free(self, q: ArrayLike, what: str) -> None:
        reason = self.states.space.why_not(q)
        if reason is not None:
            raise ValueError(f"the {what} is not free: {reason}")


def simple_setup(
    world: World,
    robot: int | str = 0,
    *,
    active: Sequence[int | str] | None = None,
    resolution: float | None = None,
    bounds: dict[int, tuple[float, float]] | None = None,
    link: int | str | None = None,
    **filters: Any,
) -> Setup:
    """OMPL's ``SimpleSetup`` for a robot of a world, whose other robots and objects stay where they are.

    ``active`` are the joints that move, by name or dof index, all by default; ``resolution`` is the distance between checks
    along a motion; ``bounds`` are for dofs that have no limits, (lower, upper) by index. ``link`` gives planners such as KPIECE
    its position as their projection. ``filters`` are those of ``World.space``: ``ignore``, ``margin``, ``allow_missing_geometry``.
    """
    space = world.space(robot, resolution=resolution, active=active, **filters)
    states = RobotStateSpace(space, world.robots[robot].robot, bounds=bounds)
    if link is not None:
        states.ompl.registerDefaultProjection(LinkProjection(states, link))
    return Setup(states)
