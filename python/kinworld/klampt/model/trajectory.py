"""Piecewise linear, cubic and geodesic trajectories, as `klampt.model.trajectory` has them."""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from .._advice import Advised, module_getattr
from .._robot import RobotModel
from .._types import RigidTransform, Vector
from ..math import vectorops
from ..math.geodesic import GeodesicSpace, SE3Space, SO3Space

Self = TypeVar("Self", bound="Trajectory")
Metric = Callable[[Vector, Vector], float]


class Trajectory(Advised):
    """Milestones at times, with straight lines between them."""

    def __init__(self, times: Sequence[float] | None = None, milestones: Sequence[Any] | None = None) -> None:
        self.milestones: list[Any] = [] if milestones is None else milestones  # type: ignore[assignment]
        self.times: list[float] = list(range(len(self.milestones))) if times is None else times  # type: ignore[assignment]

    def constructor(self: Self) -> Callable[[Sequence[float], Sequence[Any]], Self]:
        """What makes a trajectory of the same kind from times and milestones."""
        return type(self)

    def load(self, fn: str) -> None:
        """Reads lines of a time, a count and that many numbers."""
        with open(fn) as file:
            rows = [[float(word) for word in line.split()] for line in file if line.strip()]
        self.times, self.milestones = [row[0] for row in rows], [row[2:] for row in rows]

    def save(self, fn: str) -> None:
        """Writes the lines that `load` reads."""
        with open(fn, "w") as file:
            for t, q in zip(self.times, self.milestones):
                file.write(f"{t!r}\t{len(q)} {' '.join(str(x) for x in q)}\n")

    def startTime(self) -> float:
        """The first time, s; 0 where empty."""
        return self.times[0] if len(self.times) else 0.0

    def endTime(self) -> float:
        """The last time, s; 0 where empty."""
        return self.times[-1] if len(self.times) else 0.0

    def duration(self) -> float:
        """The last time less the first, s."""
        return self.endTime() - self.startTime()

    def checkValid(self) -> None:
        """Raises where times and milestones do not fit."""
        if len(self.times) != len(self.milestones):
            raise ValueError(f"expected as many times as milestones, found {len(self.times)} and {len(self.milestones)}")
        if not len(self.times):
            raise ValueError("the trajectory is empty")
        if any(a > b for a, b in zip(self.times, self.times[1:])):
            raise ValueError("the times go back")
        if len({len(q) for q in self.milestones}) > 1:
            raise ValueError("the milestones have different sizes")

    def getSegment(self, t: float, endBehavior: str = "halt") -> tuple[int, float]:
        """The segment at a time and the place in it (0 to 1); -1 before the first milestone."""
        if not len(self.times):
            raise ValueError("the trajectory is empty")
        if t > self.times[-1] and endBehavior == "loop":
            t = t % self.times[-1] if self.times[-1] else 0.0
        if len(self.times) == 1:
            return -1, 0
        if t >= self.times[-1]:
            return len(self.milestones) - 1, 0
        if t <= self.times[0]:
            return -1, 0
        i = bisect.bisect_right(self.times, t) - 1
        return i, (t - self.times[i]) / (self.times[i + 1] - self.times[i])

    def waypoint(self, state: Vector) -> Vector:
        """The configuration of a milestone: here the milestone itself."""
        return state

    def eval(self, t: float, endBehavior: str = "halt") -> Any:
        """The configuration at a time."""
        i, u = self.getSegment(t, endBehavior)
        if i < 0:
            return self.milestones[0]
        if i + 1 >= len(self.milestones):
            return self.milestones[-1]
        return self.interpolate_state(self.milestones[i], self.milestones[i + 1], u, self.times[i + 1] - self.times[i])

    def deriv(self, t: float, endBehavior: str = "halt") -> Any:
        """The velocity at a time; 0 before and after the trajectory."""
        i, u = self.getSegment(t, endBehavior)
        if i < 0 or i + 1 >= len(self.milestones):
            return [0.0] * len(self.milestones[0])
        return self.difference_state(self.milestones[i + 1], self.milestones[i], u, self.times[i + 1] - self.times[i])

    eval_state = eval
    deriv_state = deriv

    def interpolate_state(self, a: Vector, b: Vector, u: float, dt: float) -> list[float]:
        """The state on the way from ``a`` (u = 0) to ``b`` (u = 1)."""
        return vectorops.interpolate(a, b, u)

    def difference_state(self, a: Vector, b: Vector, u: float, dt: float) -> list[float]:
        """The velocity that leads from ``b`` to ``a`` in a time ``dt``, s."""
        return vectorops.mul(vectorops.sub(a, b), 1.0 / dt)

    def concat(self: Self, suffix: Trajectory, relative: bool = False, jumpPolicy: str = "strict") -> Self:
        """This trajectory and then another; with ``relative`` its times start at the end of this one."""
        if type(self) is not type(suffix):
            raise ValueError(f"expected a {type(self).__name__} to append, found a {type(suffix).__name__}")
        offset = self.times[-1] if relative and len(self.times) else 0
        times, milestones = list(self.times), list(self.milestones)
        if times and len(suffix.times):
            start = suffix.times[0] + offset
            if start < times[-1]:
                raise ValueError(f"the trajectory to append starts at {start} s, before this one ends at {times[-1]} s")
            if start == times[-1]:
                same = list(suffix.milestones[0]) == list(milestones[-1])
                if jumpPolicy == "strict" and not same:
                    raise ValueError("the trajectory to append starts elsewhere; see `jumpPolicy`")
                if jumpPolicy != "jump":
                    times.pop(), milestones.pop()
        return self.constructor()([*times, *(t + offset for t in suffix.times)], [*milestones, *suffix.milestones])

    def insert(self, time: float) -> int:
        """Adds a milestone on the trajectory; the index of it."""
        if not len(self.times):
            self.times, self.milestones = [time], [[]]
            return 0
        if time in self.times:
            return list(self.times).index(time)
        q = list(self.eval(time))
        i = bisect.bisect_right(self.times, time)
        self.times.insert(i, time)
        self.milestones.insert(i, q)
        return i

    def split(self: Self, time: float) -> tuple[Self, Self]:
        """The part before a time and the part after it."""
        make, times, rows = self.constructor(), list(self.times), list(self.milestones)
        if time <= times[0]:
            return make([time], [rows[0]]), make([time, *times], [rows[0], *rows])
        if time >= times[-1]:
            return make([*times, time], [*rows, rows[-1]]), make([time], [rows[-1]])
        i = bisect.bisect_right(times, time)
        q = self.eval(time)
        on = times[i - 1] == time
        front = make(times[:i], rows[:i]) if on else make([*times[:i], time], [*rows[:i], q])
        return front, make([time, *times[i:]], [q, *rows[i:]])

    def before(self: Self, time: float) -> Self:
        """The part before a time."""
        return self.split(time)[0]

    def after(self: Self, time: float) -> Self:
        """The part after a time."""
        return self.split(time)[1]

    def splice(
        self: Self, suffix: Trajectory, time: float | None = None, relative: bool = False, jumpPolicy: str = "strict"
    ) -> Self:
        """This trajectory up to a time, and then another."""
        offset = self.times[-1] if relative and len(self.times) else 0
        start: float = suffix.times[0] if time is None else time
        return self.before(start + offset).concat(suffix, relative, jumpPolicy)

    def length(self, metric: Metric | None = None) -> float:
        """Sum of the distances between milestones."""
        distance = metric or self._metric
        return math.fsum(distance(a, b) for a, b in zip(self.milestones, self.milestones[1:]))

    def _metric(self, a: Vector, b: Vector) -> float:
        return vectorops.distance(a, b)

    def discretize(self: Self, dt: float) -> Self:
        """The same with milestones at steps of ``dt``, s; the end stays."""
        if dt <= 0:
            raise ValueError(f"expected a positive step, found {dt}")
        t, times, rows = self.times[0], [self.times[0]], [list(self.milestones[0])]
        while t + dt < self.times[-1]:
            t += dt
            times.append(t)
            rows.append(self.eval(t))
        if abs(t - self.times[-1]) > 1e-6:
            times.append(self.times[-1])
            rows.append(list(self.milestones[-1]))
        else:
            times[-1], rows[-1] = self.times[-1], list(self.milestones[-1])
        return self.constructor()(times, rows)

    discretize_state = discretize

    def extractDofs(self, dofs: Sequence[int]) -> Trajectory:
        """The trajectory of some coordinates."""
        return Trajectory(self.times, [[q[i] for i in dofs] for q in self.milestones])

    def stackDofs(self, trajs: Iterable[Trajectory], strict: bool = True) -> None:
        """Becomes trajectories of equal times, their coordinates one after the other."""
        parts = list(trajs)
        if strict and any(list(part.times) != list(parts[0].times) for part in parts):
            raise ValueError("the trajectories have different times")
        self.times = list(parts[0].times)
        self.milestones = [[x for part in parts for x in part.eval(t)] for t in self.times]


class RobotTrajectory(Trajectory):
    """A trajectory of a robot's configurations, with the robot's interpolation between them."""

    def __init__(
        self, robot: RobotModel, times: Sequence[float] | None = None, milestones: Sequence[Any] | None = None
    ) -> None:
        if not isinstance(robot, RobotModel):
            raise ValueError(f"expected a robot, found {type(robot).__name__}")
        super().__init__(times, milestones)
        self.robot = robot

    def constructor(self) -> Callable[[Sequence[float], Sequence[Any]], Any]:
        return lambda times, milestones: RobotTrajectory(self.robot, times, milestones)

    def interpolate_state(self, a: Vector, b: Vector, u: float, dt: float) -> list[float]:
        return self.robot.interpolate(a, b, u)

    def difference_state(self, a: Vector, b: Vector, u: float, dt: float) -> list[float]:
        return vectorops.mul(self.robot.interpolateDeriv(b, a), 1.0 / dt)

    def _metric(self, a: Vector, b: Vector) -> float:
        return self.robot.distance(a, b)

    def getLinkTrajectory(self, link: int | str, discretization: float | None = None) -> SE3Trajectory:
        """The trajectory of a link's pose."""
        if discretization is not None:
            finer: RobotTrajectory = self.discretize(discretization)
            return finer.getLinkTrajectory(link)
        q, poses = self.robot.getConfig(), []
        for milestone in self.milestones:
            self.robot.setConfig(milestone)
            poses.append(self.robot.link(link).getTransform())
        self.robot.setConfig(q)
        return SE3Trajectory(self.times, poses)


class GeodesicTrajectory(Trajectory):
    """A trajectory on a geodesic space."""

    def __init__(
        self, geodesic: GeodesicSpace, times: Sequence[float] | None = None, milestones: Sequence[Any] | None = None
    ) -> None:
        super().__init__(times, milestones)
        self.geodesic = geodesic

    def constructor(self) -> Callable[[Sequence[float], Sequence[Any]], Any]:
        return lambda times, milestones: GeodesicTrajectory(self.geodesic, times, milestones)

    def interpolate_state(self, a: Vector, b: Vector, u: float, dt: float) -> list[float]:
        return self.geodesic.interpolate(a, b, u)

    def difference_state(self, a: Vector, b: Vector, u: float, dt: float) -> list[float]:
        return vectorops.mul(self.geodesic.difference(a, b), 1.0 / dt)

    def _metric(self, a: Vector, b: Vector) -> float:
        return self.geodesic.distance(a, b)


class SO3Trajectory(GeodesicTrajectory):
    """A trajectory of rotations (9)."""

    def __init__(self, times: Sequence[float] | None = None, milestones: Sequence[Any] | None = None) -> None:
        super().__init__(SO3Space(), times, milestones)

    def constructor(self) -> Callable[[Sequence[float], Sequence[Any]], Any]:
        return SO3Trajectory


class SE3Trajectory(GeodesicTrajectory):
    """A trajectory of poses: pairs (R, t) or lists (12)."""

    def __init__(self, times: Sequence[float] | None = None, milestones: Sequence[Any] | None = None) -> None:
        rows = [[*q[0], *q[1]] if len(q) == 2 else q for q in milestones or []]
        super().__init__(SE3Space(), times, rows)

    def constructor(self) -> Callable[[Sequence[float], Sequence[Any]], Any]:
        return SE3Trajectory

    def to_se3(self, milestone: Vector) -> RigidTransform:
        """The pair (R, t) of a milestone (12)."""
        return milestone[:9], milestone[9:]

    def eval(self, t: float, endBehavior: str = "halt") -> Any:
        """The pose (R, t) at a time."""
        return self.to_se3(super().eval(t, endBehavior))

    def eval_state(self, t: float, endBehavior: str = "halt") -> Any:
        """The pose (12) at a time."""
        return super().eval(t, endBehavior)

    def getPositionTrajectory(self, localPt: Vector | None = None) -> Trajectory:
        """The trajectory of the origin, or of a point (3) that moves along."""
        from ..math import se3

        local = [0.0, 0.0, 0.0] if localPt is None else localPt
        return Trajectory(self.times, [se3.apply(self.to_se3(q), local) for q in self.milestones])


# after the classes that it derives from
from ._hermite import HermiteTrajectory as HermiteTrajectory  # noqa: E402

__getattr__ = module_getattr("model.trajectory")
