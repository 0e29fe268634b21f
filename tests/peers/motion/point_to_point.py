"""Motions from state to state, beside Ruckig: `python point_to_point.py [COUNT]`.

Needs kinworld, numpy and ruckig. The same states and limits, seven degrees of freedom: of the Panda from rest to rest, of random limits
and states that move. Prints differences of durations, the largest part of a limit that is used, and the process time of a
solution of each program, with its objects.
"""

from __future__ import annotations

import sys
import time

import numpy as np
import ruckig

import kinworld as kw

N = 7
PANDA = [np.array([2.175] * 4 + [2.61] * 3), np.array([15, 7.5, 10, 12.5, 15, 20, 20.0]), np.full(N, 500.0)]


def moving(random: np.random.Generator, v: np.ndarray, a: np.ndarray, j: np.ndarray) -> list[np.ndarray]:
    """Velocities and accelerations, before and after which velocities are within limits, too."""
    out = [np.zeros(N), np.zeros(N)]
    for i in range(N):
        while True:
            speed, rate = random.uniform(-v[i], v[i]), random.uniform(-a[i], a[i])
            if abs(speed) + rate * rate / (2 * j[i]) < 0.999 * v[i]:
                break
        out[0][i], out[1][i] = speed, rate
    return out


def theirs(limits: list[np.ndarray], start: list[np.ndarray], goal: list[np.ndarray]) -> float:
    given = ruckig.InputParameter(N)
    given.current_position, given.current_velocity, given.current_acceleration = start
    given.target_position, given.target_velocity, given.target_acceleration = goal
    given.max_velocity, given.max_acceleration, given.max_jerk = limits
    motion = ruckig.Trajectory(N)
    result = ruckig.Ruckig(N).calculate(given, motion)
    assert result in (ruckig.Result.Working, ruckig.Result.Finished), result
    return motion.duration


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    random = np.random.default_rng(1)
    for kind in ("rest to rest", "moving"):
        rows, refused = [], 0
        for _ in range(count):
            if kind == "moving":
                a = random.uniform(0.5, 10, N)
                limits = [random.uniform(0.2, 3, N), a, a * random.uniform(0.5, 20, N)]
                ends = [moving(random, *limits) for _ in range(2)]
            else:
                limits, ends = PANDA, [[np.zeros(N), np.zeros(N)]] * 2
            q = random.uniform(-2, 2, (2, N))
            held = kw.MotionLimits(N).with_velocity(limits[0]).with_acceleration(limits[1]).with_jerk(limits[2])
            begin = time.process_time_ns()
            our = kw.SmoothTrajectory.point_to_point(
                q[0], q[1], held, start_velocity=ends[0][0], start_acceleration=ends[0][1], goal_velocity=ends[1][0], goal_acceleration=ends[1][1]
            )
            our_time = time.process_time_ns() - begin
            most = max(max(row) for row in our.utilization(held)[:3])
            begin = time.process_time_ns()
            try:
                their = theirs(limits, [q[0], *ends[0]], [q[1], *ends[1]])
            except ruckig.RuckigError:
                refused += 1
                continue
            rows.append((our.duration - their, most, our_time / 1e3, (time.process_time_ns() - begin) / 1e3))
        off, most, our_us, their_us = np.array(rows).T
        print(f"{kind}: {len(rows)} motions, {refused} that Ruckig does not find; longer than Ruckig's by {off.max():.1e} s at most, shorter by {-off.min():.1e} s")
        print(f"  largest part of a limit {most.max():.9f}; µs, median and 95th percentile: {np.percentile(our_us, [50, 95]).round(1)}, Ruckig {np.percentile(their_us, [50, 95]).round(1)}")


if __name__ == "__main__":
    main()
