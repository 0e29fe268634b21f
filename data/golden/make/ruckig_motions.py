#!/usr/bin/env python3
"""Durations of Ruckig's motions from state to state.

    pip install ruckig==0.19.4
    python3 data/golden/make/ruckig_motions.py

Problems have one, two or seven degrees of freedom, a fifth of them from rest to rest; some have distances of a hundredth, for
which velocities and accelerations have to turn.
"""

import json
import pathlib
import random

from ruckig import InputParameter, Result, Ruckig, Trajectory

OUT = pathlib.Path(__file__).resolve().parents[1] / "ruckig.json"
COUNT = 120
LATER = 30


def rates(rng, velocity, acceleration, jerk, rest):
    """A velocity and an acceleration within limits, before and after which the velocity is within limits, too."""
    while not rest:
        v, a = rng.uniform(-velocity, velocity), rng.uniform(-acceleration, acceleration)
        turn = a * abs(a) / (2 * jerk)
        if max(abs(v + turn), abs(v - turn)) < 0.999 * velocity:
            return round(v, 6), round(a, 6)
    return 0.0, 0.0


def problem(rng, n, rest):
    keys = ["velocity", "acceleration", "jerk", "start", "goal"]
    keys += [f"{end}_{rate}" for end in ("start", "goal") for rate in ("velocity", "acceleration")]
    out = {key: [] for key in keys}
    for _ in range(n):
        acceleration = round(rng.uniform(0.5, 10), 3)
        jerk = round(acceleration * rng.uniform(0.5, 20), 3)
        velocity = round(rng.uniform(0.2, 3), 3)
        start = round(rng.uniform(-2, 2), 6)
        far = rng.random() < 0.7
        goal = round(rng.uniform(-2, 2) if far else start + rng.uniform(-0.01, 0.01), 6)
        for key, value in zip(keys, [velocity, acceleration, jerk, start, goal]):
            out[key].append(value)
        for end in ("start", "goal"):
            v, a = rates(rng, velocity, acceleration, jerk, rest)
            out[f"{end}_velocity"].append(v)
            out[f"{end}_acceleration"].append(a)
    return out


def solve(problem, n, least=None):
    given = InputParameter(n)
    given.current_position, given.target_position = problem["start"], problem["goal"]
    given.current_velocity, given.target_velocity = problem["start_velocity"], problem["goal_velocity"]
    given.current_acceleration = problem["start_acceleration"]
    given.target_acceleration = problem["goal_acceleration"]
    given.max_velocity, given.max_acceleration = problem["velocity"], problem["acceleration"]
    given.max_jerk = problem["jerk"]
    given.minimum_duration = least
    motion = Trajectory(n)
    result = Ruckig(n).calculate(given, motion)
    assert result in (Result.Working, Result.Finished), result
    return motion.duration


def solved(rng, n, rest):
    one = problem(rng, n, rest)
    one["duration"] = solve(one, n)
    one["least"] = round(one["duration"] * rng.uniform(1, 2), 6)
    one["longer"] = solve(one, n, one["least"])
    return one


def main():
    rng = random.Random(5)
    problems = [solved(rng, [1, 1, 2, 7][i % 4], rng.random() < 0.2) for i in range(COUNT)]
    # times that are too long to go on, and too short to turn back: the motion takes the next one that is not
    while len(problems) < COUNT + LATER:
        one = solved(rng, rng.choice([1, 2]), False)
        if one["longer"] > one["least"] + 1e-3:
            problems.append(one)
    lines = ",\n".join(json.dumps(one) for one in problems)
    OUT.write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
