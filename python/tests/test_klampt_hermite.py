"""Cubic trajectories of `kinworld.klampt`: against their definition, and against Klampt where it is installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kinworld.klampt.model.trajectory import HermiteTrajectory, Trajectory

TIMES = [0, 1, 1.5, 3, 4]
POINTS = [[0.0, 1, 2], [1, 0.5, 2], [1.2, -1, 2.5], [0.5, -0.5, 4], [0, 1, 2]]
VELOCITIES = [[0.0, 1, 0], [0.5, -1, 1], [1, 0, 0], [0, 0, -1], [0.3, 0.2, 0.1]]


def test_curves_pass_milestones_and_derivatives_are_those_of_differences() -> None:
    curve = HermiteTrajectory(TIMES, POINTS, VELOCITIES)
    for t, x, dx in zip(TIMES, POINTS, VELOCITIES):
        np.testing.assert_allclose(curve.eval(t), x, atol=1e-12)
        np.testing.assert_allclose(curve.deriv(t), dx, atol=1e-12)
    step = 1e-5
    for t in (0.2, 0.7, 1.1, 1.4, 2.2, 3.9):
        before, after = np.array(curve.eval(t - step)), np.array(curve.eval(t + step))
        np.testing.assert_allclose(curve.deriv(t), (after - before) / (2 * step), atol=1e-7)
        second = (before - 2 * np.array(curve.eval(t)) + after) / step**2
        np.testing.assert_allclose(curve.eval_accel(t), second, atol=1e-4)
        assert curve.eval_state(t) == [*curve.eval(t), *curve.deriv(t)]
    assert curve.length() >= curve.discretize(0.001).length() > 0


def test_natural_velocities_do_not_overshoot() -> None:
    curve = HermiteTrajectory()
    curve.makeSpline(Trajectory([0, 1, 2, 3], [[0], [1], [1], [2]]))
    values = [curve.eval(t)[0] for t in np.linspace(0, 3, 301)]
    assert min(values) >= -1e-12 and max(values) <= 2 + 1e-12 and np.all(np.diff(values) >= -1e-12)


def test_numbers_are_those_of_klampt() -> None:
    theirs: Any = pytest.importorskip("klampt.model.trajectory", reason="Klampt")
    loop = [*POINTS[:-1], POINTS[0]]
    pairs = [(HermiteTrajectory(TIMES, POINTS, VELOCITIES), theirs.HermiteTrajectory(TIMES, POINTS, VELOCITIES))]
    for points, limited, closed in ((POINTS, True, False), (POINTS, False, False), (loop, True, True), (loop, False, True), (POINTS[:2], True, False)):
        mine, other = HermiteTrajectory(), theirs.HermiteTrajectory()
        times = TIMES[: len(points)]
        mine.makeSpline(Trajectory(times, points), limited, closed)
        other.makeSpline(theirs.Trajectory(times, points), limited, closed)
        pairs.append((mine, other))
    control = [[0.0, 0], [1, 0], [1, 1], [2, 1], [3, 1], [3, 2], [4, 2]]
    mine, other = HermiteTrajectory(), theirs.HermiteTrajectory()
    mine.makeBezier([0, 1, 3], control)
    other.makeBezier([0, 1, 3], control)
    pairs.append((mine, other))
    for mine, other in pairs:
        np.testing.assert_allclose(mine.times, other.times)
        np.testing.assert_allclose(mine.milestones, other.milestones, atol=1e-12)
        for t in np.linspace(mine.startTime() - 0.5, mine.endTime() + 0.5, 41):
            np.testing.assert_allclose(mine.eval(t), other.eval(t), atol=1e-9)
            np.testing.assert_allclose(mine.deriv(t), other.deriv(t), atol=1e-9)
        # `eval_accel` of Klampt 0.10 is not the rate of its `deriv`; ours is
        h = 1e-6
        for t in np.linspace(mine.startTime() + 0.01, mine.endTime() - 0.01, 20):
            rate = (np.array(other.deriv(t + h)) - other.deriv(t - h)) / (2 * h)
            np.testing.assert_allclose(mine.eval_accel(t), rate, atol=1e-6)
