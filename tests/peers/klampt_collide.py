#!/usr/bin/env python3
"""Times Klampt's collision check of the arm in `data/scenes/arm6_cell.txt`, as a planner in Python would call it.

    pip install klampt==0.10.1.post1
    python3 tests/peers/klampt_collide.py

The configurations are those of the golden file, which our bench `collide` uses too: those that collide with nothing
(every pair has to be checked) and those that collide (`hit`). Prints scene,set,median_ns for `WorldCollider`, stopped at
the first collision; a bare loop over `Geometry3D.collides` is slower. Every call sets the configuration first.
"""

import json
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCENE = ROOT / "data" / "scenes" / "arm6_cell.txt"
GOLDEN = ROOT / "data" / "golden" / "klampt" / "arm6_cell.txt.json"
ROUNDS = 201

sys.path.insert(0, str(ROOT / "data" / "golden" / "make"))


def first_collision(world):
    """Returns a function that checks a configuration with Klampt's `WorldCollider`, up to the first collision."""
    from klampt.model.collide import WorldCollider

    robot = world.robot(0)
    collider = WorldCollider(world)
    tests = (collider.robotSelfCollisions, collider.robotTerrainCollisions, collider.robotObjectCollisions)

    def check(q):
        robot.setConfig(q)
        return any(next(iter(test(0)), None) is not None for test in tests)

    return check


def median_ns(call, configs):
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter_ns()
        for q in configs:
            call(q)
        times.append((time.perf_counter_ns() - start) / len(configs))
    return statistics.median(times)


def main():
    from klampt_worlds import load

    world = load(SCENE)
    cases = json.loads(GOLDEN.read_text())["cases"]
    sets = {
        "free": [case["q"] for case in cases if not case["colliding"]],
        "hit": [case["q"] for case in cases if case["colliding"]],
    }
    check = first_collision(world)
    for name, configs in sets.items():
        if any(check(q) != (name == "hit") for q in configs):
            sys.exit(f"Klampt disagrees with its own golden file on a configuration of `{name}`")
        print(f"arm6_cell,{name},{median_ns(check, configs):.0f}", flush=True)


if __name__ == "__main__":
    main()
