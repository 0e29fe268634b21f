"""Fastest motions along random splines, beside toppra: `python splines.py [COUNT [INTERVALS]]`.

Needs kinworld, numpy and toppra. The same splines, limits and points of the grid; of each program the process time of one solution, without the spline.
Prints ratios of durations, times, and the largest part of a limit that is used at ten points of each interval.
"""

from __future__ import annotations

import logging
import sys
import time

import numpy as np
import toppra
from toppra import algorithm, constraint

import kinworld as kw

PANDA = (np.array([2.175] * 4 + [2.61] * 3), np.array([15, 7.5, 10, 12.5, 15, 20, 20.0]))
UR5 = (np.full(6, 3.15), np.full(6, 8.0))


def theirs(path: toppra.SplineInterpolator, grid: np.ndarray, v: np.ndarray, a: np.ndarray) -> toppra.interpolator.AbstractGeometricPath:
    limits = [
        constraint.JointVelocityConstraint(np.c_[-v, v]),
        constraint.JointAccelerationConstraint(np.c_[-a, a], discretization_scheme=constraint.DiscretizationType.Interpolation),
    ]
    solver = algorithm.TOPPRA(limits, path, gridpoints=grid, parametrizer="ParametrizeConstAccel", solver_wrapper="seidel")
    return solver.compute_trajectory(0, 0)


def used(state, duration: float, v: np.ndarray, a: np.ndarray, count: int) -> float:
    states = [state(t) for t in np.linspace(0, duration, count)]
    return max(max(np.max(np.abs(dq) / v), np.max(np.abs(ddq) / a)) for dq, ddq in states)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    intervals = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    logging.getLogger("toppra").setLevel(logging.ERROR)
    random = np.random.default_rng(1)
    rows = []
    for case in range(count):
        v, a = PANDA if case % 2 == 0 else UR5
        knots = int(random.integers(3, 8))
        s, q = np.linspace(0, 1, knots), random.uniform(-2, 2, (knots, len(v)))
        spline = toppra.SplineInterpolator(s, q)
        grid = np.unique(np.concatenate([np.linspace(0, 1, intervals + 1), s]))
        start = time.process_time()
        their = theirs(spline, grid, v, a)
        their_time = time.process_time() - start
        path = kw.GeometricPath.hermite(s, q, spline(s, 1))
        limits = kw.MotionLimits(len(v)).with_velocity(v).with_acceleration(a)
        start = time.process_time()
        our = path.time_optimal(limits, grid=grid)
        our_time = time.process_time() - start
        points = 10 * intervals
        rows.append(
            (
                our.duration / their.duration - 1,
                1e3 * our_time,
                1e3 * their_time,
                used(lambda t, our=our: our.state_at(t)[1:], our.duration, v, a, points),
                used(lambda t, their=their: (their(t, 1), their(t, 2)), their.duration, v, a, points),
            )
        )
    ratio, ours, toppras, our_use, their_use = np.array(rows).T
    print(f"duration less that of toppra: median {np.median(ratio):.2e}, from {ratio.min():.2e} to {ratio.max():.2e}")
    print(f"ms: {np.median(ours):.3f}, toppra {np.median(toppras):.3f}, ratio {np.median(toppras) / np.median(ours):.0f}")
    print(f"largest part of a limit: {our_use.max():.9f}, toppra {their_use.max():.4f}")


if __name__ == "__main__":
    main()
