"""Trajectories, as `klampt.model.trajectory` has them."""

from __future__ import annotations

import bisect
import os
from collections.abc import Sequence
from typing import Any

from ..._core import Trajectory as Native
from .._advice import Advised, module_getattr
from .._robot import RobotModel
from .._types import Vector
from ..math import vectorops


class Trajectory(Advised):
    """Milestones at times, with straight lines in between. Times are seconds."""

    def __init__(self, times: Sequence[float] | None = None, milestones: Sequence[Vector] | None = None) -> None:
        self.milestones: list[Vector] = [] if milestones is None else list(milestones)
        self.times: list[float] = [float(i) for i in range(len(self.milestones))] if times is None else list(times)

    @property
    def native(self) -> Native:
        """The trajectory of kinworld."""
        return Native(self.times, self.milestones)

    def load(self, fn: str | os.PathLike[str]) -> None:
        """Reads a file: ``.traj`` or CSV."""
        found = Native.load(fn)
        self.times, self.milestones = found.times.tolist(), found.milestones.tolist()

    def save(self, fn: str | os.PathLike[str]) -> None:
        """Writes a file; the suffix is the format."""
        self.native.save(fn)

    def startTime(self) -> float:
        """Time of the first milestone."""
        return self.times[0] if self.times else 0.0

    def endTime(self) -> float:
        """Time of the last milestone."""
        return self.times[-1] if self.times else 0.0

    def duration(self) -> float:
        """Time between the first and the last milestone."""
        return self.endTime() - self.startTime()

    def checkValid(self) -> None:
        """Raises where times are not sorted or as many as milestones."""
        if len(self.times) != len(self.milestones):
            raise ValueError(f"{len(self.times)} times and {len(self.milestones)} milestones: give as many")
        if any(a > b for a, b in zip(self.times, self.times[1:])):
            raise ValueError("times have to increase")

    def _at(self, t: float, endBehavior: str) -> float:
        """A time within the trajectory."""
        if endBehavior == "loop" and self.duration() > 0:
            return self.startTime() + (t - self.startTime()) % self.duration()
        return min(max(t, self.startTime()), self.endTime())

    def getSegment(self, t: float, endBehavior: str = "halt") -> tuple[int, float]:
        """The index of the segment at a time, and the parameter on it, 0 to 1."""
        if not self.times:
            raise ValueError("the trajectory is empty")
        t = self._at(t, endBehavior)
        i = min(max(bisect.bisect_right(self.times, t) - 1, 0), max(len(self.times) - 2, 0))
        if len(self.times) == 1 or self.times[i + 1] == self.times[i]:
            return i, 0.0
        return i, (t - self.times[i]) / (self.times[i + 1] - self.times[i])

    def eval(self, t: float, endBehavior: str = "halt") -> list[float]:
        """The state at a time."""
        i, u = self.getSegment(t, endBehavior)
        if len(self.milestones) == 1:
            return list(self.milestones[0])
        return list(self.interpolate_state(self.milestones[i], self.milestones[i + 1], u, self.times[i + 1] - self.times[i]))

    def deriv(self, t: float, endBehavior: str = "halt") -> list[float]:
        """The velocity at a time; zero outside of a trajectory that halts."""
        outside = t < self.startTime() or t > self.endTime()
        if len(self.milestones) < 2 or (outside and endBehavior == "halt"):
            return [0.0] * len(self.milestones[0]) if self.milestones else []
        i, _ = self.getSegment(t, endBehavior)
        dt = self.times[i + 1] - self.times[i]
        difference = self.difference_state(self.milestones[i + 1], self.milestones[i], 1.0, dt)
        return [x / dt for x in difference] if dt else [0.0] * len(difference)

    def interpolate_state(self, a: Vector, b: Vector, u: float, dt: float) -> Sequence[float]:
        """The state on the way from a (u = 0) to b (u = 1)."""
        return vectorops.interpolate(a, b, u)

    def difference_state(self, a: Vector, b: Vector, u: float, dt: float) -> Sequence[float]:
        """The velocity that leads from b to a in unit time."""
        return vectorops.sub(a, b)

    def length(self, metric: Any = None) -> float:
        """The sum of the distances of milestones."""
        distance = metric or vectorops.distance
        return float(sum(distance(a, b) for a, b in zip(self.milestones, self.milestones[1:])))

    def concat(self, suffix: Trajectory, relative: bool = False, jumpPolicy: str = "strict") -> Trajectory:
        """This trajectory, then another; ``relative`` shifts its times to the end of this one."""
        shift = self.endTime() - suffix.startTime() if relative and self.times else 0.0
        times = [t + shift for t in suffix.times]
        if self.times and times and times[0] < self.endTime():
            raise ValueError("the second trajectory starts before the end of the first; pass relative=True")
        skip = 1 if times and self.times and times[0] == self.times[-1] and suffix.milestones[0] == self.milestones[-1] else 0
        if self.times and times and times[0] == self.times[-1] and not skip and jumpPolicy == "strict":
            raise ValueError("the trajectories do not meet; pass jumpPolicy='jump'")
        return self._like(self.times + times[skip:], [*self.milestones, *suffix.milestones[skip:]])

    def discretize(self, dt: float) -> Trajectory:
        """The trajectory with a milestone every ``dt`` seconds, and one at its end."""
        if not dt > 0:
            raise ValueError(f"dt is {dt} s, it must be positive")
        n = int((self.endTime() - self.startTime()) / dt)
        times = [self.startTime() + i * dt for i in range(n + 1)]
        if times[-1] < self.endTime():
            times.append(self.endTime())
        return self._like(times, [self.eval(t) for t in times])

    def _like(self, times: list[float], milestones: list[Vector]) -> Trajectory:
        return Trajectory(times, milestones)


class RobotTrajectory(Trajectory):
    """A trajectory of a robot, interpolated joint by joint: spin joints take the short way."""

    def __init__(
        self, robot: RobotModel, times: Sequence[float] | None = None, milestones: Sequence[Vector] | None = None
    ) -> None:
        super().__init__(times, milestones)
        self.robot = robot

    def interpolate_state(self, a: Vector, b: Vector, u: float, dt: float) -> Sequence[float]:
        """The configuration on the way from a (u = 0) to b (u = 1)."""
        return self.robot.interpolate(a, b, u)

    def difference_state(self, a: Vector, b: Vector, u: float, dt: float) -> Sequence[float]:
        """The velocity that leads from b to a in unit time."""
        return self.robot.interpolateDeriv(b, a)

    def length(self, metric: Any = None) -> float:
        """The sum of the distances of milestones in the metric of the robot."""
        return super().length(metric or self.robot.distance)

    def _like(self, times: list[float], milestones: list[Vector]) -> Trajectory:
        return RobotTrajectory(self.robot, times, milestones)


def path_to_trajectory(path: Any, speed: float = 1.0, dt: float | None = None, **options: Any) -> Trajectory:
    """A trajectory through milestones at a constant speed in the metric of the path; options of profiles are not here."""
    if options:
        raise TypeError(f"path_to_trajectory has no {', '.join(options)} here; `kinworld.Trajectory.time_scaled` changes times")
    source = path if isinstance(path, Trajectory) else Trajectory(None, path)
    distance = source.robot.distance if isinstance(source, RobotTrajectory) else vectorops.distance
    times = [0.0]
    for a, b in zip(source.milestones, source.milestones[1:]):
        times.append(times[-1] + distance(a, b) / speed)
    out = source._like(times, list(source.milestones))
    return out if dt is None else out.discretize(dt)


__getattr__ = module_getattr("model.trajectory")
