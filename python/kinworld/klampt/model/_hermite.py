"""Cubic trajectories through points with velocities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._types import Vector
from .trajectory import Trajectory

Numbers = NDArray[np.float64]


class HermiteTrajectory(Trajectory):
    """Milestones (x, dx) at times, with cubic curves between them; `eval` is x, `deriv` dx, `eval_accel` its rate.

    ``dmilestones`` are the velocities where the milestones are points only.
    """

    def __init__(
        self,
        times: Sequence[float] | None = None,
        milestones: Sequence[Any] | None = None,
        dmilestones: Sequence[Any] | None = None,
    ) -> None:
        if dmilestones is not None:
            if milestones is None or len(milestones) != len(dmilestones):
                raise ValueError("expected as many velocities as milestones")
            milestones = [[*x, *dx] for x, dx in zip(milestones, dmilestones)]
        super().__init__(times, milestones)

    def constructor(self) -> Callable[[Sequence[float], Sequence[Any]], Any]:
        return HermiteTrajectory

    def _cubic(self, t: float, endBehavior: str) -> tuple[Numbers, Numbers, Numbers]:
        """Point, velocity and acceleration; those of the first or last milestone beyond the ends."""
        self.checkValid()
        n = len(self.milestones[0]) // 2
        i, u = self.getSegment(t, endBehavior)
        if i < 0 or i + 1 >= len(self.milestones):
            state = np.asarray(self.milestones[0 if i < 0 else -1], dtype=float)
            return state[:n], state[n:], np.zeros(n)
        start, end = (np.asarray(self.milestones[k], dtype=float) for k in (i, i + 1))
        dt = self.times[i + 1] - self.times[i]
        if dt <= 0:
            return end[:n], end[n:], np.zeros(n)
        (a, da), (b, db) = (start[:n], dt * start[n:]), (end[:n], dt * end[n:])
        # x = a + da u + p u² + q u³
        p, q = 3 * (b - a) - 2 * da - db, 2 * (a - b) + da + db
        point = a + u * (da + u * (p + u * q))
        return point, (da + u * (2 * p + 3 * u * q)) / dt, (2 * p + 6 * u * q) / dt**2

    def eval(self, t: float, endBehavior: str = "halt") -> list[float]:
        """The point at a time."""
        return list(self._cubic(t, endBehavior)[0].tolist())

    def deriv(self, t: float, endBehavior: str = "halt") -> list[float]:
        """The velocity at a time."""
        return list(self._cubic(t, endBehavior)[1].tolist())

    def eval_accel(self, t: float, endBehavior: str = "halt") -> list[float]:
        """The acceleration at a time."""
        return list(self._cubic(t, endBehavior)[2].tolist())

    def eval_state(self, t: float, endBehavior: str = "halt") -> list[float]:
        """The point and the velocity at a time, one list."""
        point, velocity, _ = self._cubic(t, endBehavior)
        return [*point.tolist(), *velocity.tolist()]

    def waypoint(self, state: Vector) -> Vector:
        """The point of a milestone."""
        return state[: len(state) // 2]

    def discretize(self, dt: float) -> Any:
        """The points every ``dt`` s or more often, with straight lines between them."""
        self.checkValid()
        count = max(1, int(np.ceil(self.duration() / dt)))
        times = sorted({*np.linspace(self.startTime(), self.endTime(), count + 1).tolist(), *self.times})
        return Trajectory(times, [self.eval(t) for t in times])

    def length(self, metric: Any = None) -> float:
        """An upper bound of the length: that of the control polygons, or with a metric that of the milestones' points."""
        if metric is not None:
            return self.configTrajectory().length(metric)
        total, states = 0.0, np.asarray(self.milestones, dtype=float)
        n = states.shape[1] // 2
        for start, end, dt in zip(states, states[1:], np.diff(self.times)):
            first, last = start[:n] + dt * start[n:] / 3, end[:n] - dt * end[n:] / 3
            total += float(sum(map(np.linalg.norm, (first - start[:n], last - first, end[:n] - last))))
        return total

    def configTrajectory(self) -> Trajectory:
        """The points, with straight lines between them."""
        return Trajectory(list(self.times), [list(self.waypoint(state)) for state in self.milestones])

    def makeSpline(self, waypointTrajectory: Trajectory, preventOvershoot: bool = True, loop: bool = False) -> None:
        """Velocities for the points of another trajectory, so that the curve is smooth."""
        points = np.asarray(waypointTrajectory.milestones, dtype=float)
        times = [float(t) for t in waypointTrajectory.times]
        if loop and not np.array_equal(points[0], points[-1]):
            raise ValueError("a loop has to end where it starts")
        velocities = _natural_velocities(np.asarray(times), points, preventOvershoot, loop)
        self.times, self.milestones = times, [[*x, *dx] for x, dx in zip(points.tolist(), velocities.tolist())]

    def makeBezier(self, times: Sequence[float], controlPoints: Sequence[Vector]) -> None:
        """Bezier curves: points 0 to 3 are those of the first segment, 3 to 6 of the second, and so on."""
        if 3 * (len(times) - 1) + 1 != len(controlPoints):
            raise ValueError(f"{len(times)} times need {3 * (len(times) - 1) + 1} points, found {len(controlPoints)}")
        points = np.asarray(controlPoints, dtype=float)
        knots: list[tuple[float, Numbers, Numbers]] = []
        for i in range(len(times) - 1):
            a, b, c, d = points[3 * i : 3 * i + 4]
            dt = times[i + 1] - times[i]
            if dt <= 0:
                raise ValueError("times have to increase")
            leaves = 3 * (b - a) / dt
            # a corner needs its knot twice
            if not knots or np.linalg.norm(leaves - knots[-1][2]) > 1e-4:
                knots.append((float(times[i]), a, leaves))
            knots.append((float(times[i + 1]), d, 3 * (d - c) / dt))
        self.times = [t for t, _, _ in knots]
        self.milestones = [[*x.tolist(), *dx.tolist()] for _, x, dx in knots]


def _natural_velocities(times: Numbers, points: Numbers, prevent_overshoot: bool, loop: bool) -> Numbers:
    """Central differences in the middle, quadratic at the ends, limited so that no curve leaves the box of its points."""
    count = len(points)
    if count <= 2:
        if count < 2 or loop or times[1] == times[0]:
            return np.zeros_like(points)
        return np.repeat([(points[1] - points[0]) / (times[1] - times[0])], 2, axis=0)
    velocities = np.zeros_like(points)
    for i in range(0 if loop else 1, count if loop else count - 1):
        before = count - 2 if i == 0 else i - 1
        after = 1 if i == count - 1 else i + 1
        span = times[-1] - times[-2] if i == 0 else times[i] - times[before]
        ahead = times[1] - times[0] if i == count - 1 else times[after] - times[i]
        velocity = (points[after] - points[before]) / (span + ahead) if span + ahead > 0 else np.zeros_like(points[i])
        if prevent_overshoot:
            velocity = _limited(velocity, points[i], points[before], points[after], span, ahead)
        velocities[i] = velocity
    if not loop:
        first, last = times[1] - times[0], times[-1] - times[-2]
        # the second control point is that of a quadratic
        inner = points[1] - velocities[1] * first / 3 - (points[1] - points[0]) / 3
        velocities[0] = 3 * (inner - points[0]) / first
        inner = points[-2] + velocities[-2] * last / 3 - (points[-2] - points[-1]) / 3
        velocities[-1] = 3 * (points[-1] - inner) / last
    return velocities


def _limited(velocity: Numbers, x: Numbers, a: Numbers, b: Numbers, span: float, ahead: float) -> Numbers:
    """A velocity at x, between a and b, whose control points stay between them."""
    out = velocity.copy()
    for j, v in enumerate(velocity):
        if x[j] <= min(a[j], b[j]) or x[j] >= max(a[j], b[j]):
            out[j] = 0.0
        elif (v < 0 and x[j] - v * span / 3 >= a[j]) or (v > 0 and x[j] - v * span / 3 <= a[j]):
            out[j] = 3 * (x[j] - a[j]) / span
        elif (v < 0 and x[j] + v * ahead / 3 < b[j]) or (v > 0 and x[j] + v * ahead / 3 > b[j]):
            out[j] = 3 * (b[j] - x[j]) / ahead
    return out
