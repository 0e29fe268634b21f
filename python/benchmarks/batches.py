"""Batches from Python beside the same of the library in Rust, in turns: `python batches.py RUST_BINARY [ROWS]`.

The binary is `cargo build --release --manifest-path python/Cargo.toml --example batches`. The figures are the medians over
rounds of the time of a whole call, the rows of Python over those of Rust; `new` calls make a new array for the result,
`out` ones fill one that is there, as the binary does.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

import kinworld as kw
from kinworld import batch, ik

DATA = Path(__file__).parents[2] / "data"
ROUNDS = 31
Call = Callable[[], object]


def calls(rows: int) -> dict[str, tuple[Call, Call | None]]:
    """Of each batch a call that makes a new array, and one that fills an array."""
    robot = kw.Robot.load(DATA / "robots/panda.urdf")
    q, dq, ddq = (robot.sample(seed, rows) for seed in (1, 2, 3))
    n, few = robot.n_dofs, rows // 10
    world = kw.load(DATA / "robots/arm6.urdf", DATA / "terrains/table.env")
    space = world.space()
    ends = world.robots[0].robot.sample(5, few + 1)
    goals = batch.poses(robot, q[:few], ["tool"])[:, 0]
    starts = np.ascontiguousarray(dq[:few])
    problems = [(ik.objective("tool", pose=pose), start) for pose, start in zip(goals, dq, strict=False)]

    def both(function: Callable[..., object], shape: tuple[int, ...], *arguments: object) -> tuple[Call, Call]:
        out = np.zeros((rows, *shape))
        return lambda: function(robot, *arguments), lambda: function(robot, *arguments, out=out)

    return {
        "poses": both(batch.poses, (1, 4, 4), q, ["tool"]),
        "Jacobians": both(batch.jacobians, (6, n), q, "tool"),
        "mass matrices": both(batch.mass_matrices, (n, n), q),
        "bias forces": both(batch.bias_forces, (n,), q, dq),
        "inverse dynamics": both(batch.inverse_dynamics, (n,), q, dq, ddq),
        "forward dynamics": both(batch.forward_dynamics, (n,), q, dq, ddq),
        "derivatives of inverse dynamics": both(batch.inverse_dynamics_derivatives, (3, n, n), q, dq, ddq),
        "derivatives of forward dynamics": both(batch.forward_dynamics_derivatives, (3, n, n), q, dq, ddq),
        "Space.are_free": (lambda: space.are_free(ends[:few]), None),
        "Space.are_edges_free": (lambda: space.are_edges_free(ends[:few], ends[1:]), None),
        "ik.solve_batch": (lambda: ik.solve_batch(robot, problems), None),
        "inverse kinematics": (lambda: batch.inverse_kinematics(robot, "tool", goals, starts), None),
    }


def clock(call: Call) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def main() -> None:
    binary, rows = sys.argv[1], int(float(sys.argv[2])) if len(sys.argv) > 2 else 100_000
    table = calls(rows)
    rust: list[list[float]] = []
    python: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in table}
    with subprocess.Popen([binary, str(DATA), str(rows)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as theirs:
        assert theirs.stdin is not None and theirs.stdout is not None
        for _ in range(ROUNDS + 1):
            theirs.stdin.write("\n")
            theirs.stdin.flush()
            rust.append([float(word) for word in theirs.stdout.readline().split()])
            for name, (new, out) in table.items():
                python[name][0].append(clock(new))
                if out is not None:
                    python[name][1].append(clock(out))
        theirs.stdin.close()
    print(f"{rows} rows, {rows // 10} of spaces and searches; medians of {ROUNDS} rounds, Python / Rust")
    for k, name in enumerate(table):
        count = rows if table[name][1] is not None else rows // 10
        base = statistics.median(times[k] for times in rust[1:])
        # of a pair of calls that lie side by side in time, which a busy machine slows alike
        ratios = [
            statistics.median(mine / times[k] for mine, times in zip(kind[1:], rust[1:], strict=True)) for kind in python[name] if kind
        ]
        words = ", ".join(f"{what} {ratio:.3f}" for what, ratio in zip(("new", "out"), ratios, strict=False))
        print(f"{name:>32}: {1e9 * base / count:9.1f} ns a row in Rust; {words}")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
