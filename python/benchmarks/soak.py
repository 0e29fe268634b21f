"""Memory over many calls: `python soak.py [CALLS]`, ten million by default. Fails where the memory grows by more than 1 MiB.

Every kind of call that makes arrays, raises or keeps memory is among them; the first tenth warms up.
"""

from __future__ import annotations

import resource
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

import kinworld as kw

DATA = Path(__file__).parents[2] / "data"


def resident() -> int:
    """Memory of the process in KiB: what it has now where the system tells, else the most it had."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    return pages * resource.getpagesize() // 1024


def refused(call: Callable[[], object]) -> None:
    try:
        call()
    except (kw.Error, TypeError, IndexError):
        return
    raise AssertionError("a wrong argument was taken")


def main() -> None:
    total = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kw.LoadWarning)
        world = kw.load(DATA / "worlds/cell.xml")
        robot = kw.Robot.load(DATA / "robots/panda.urdf")
    q, dq, ddq = robot.sample(1), robot.sample(2), robot.sample(3)
    state = robot.state(q, dq)
    collider = world.collider()
    arm = world.robots[0]
    p = arm.robot.sample(4)
    text, strided = [0.1] * 7, np.zeros((7, 2))[:, 0]
    calls: list[Callable[[], object]] = [
        lambda: state.set_config(q),
        lambda: state.set_config(text),
        lambda: state.set_config(strided),
        lambda: state.pose(7),
        lambda: state.jacobian(7),
        state.mass_matrix,
        lambda: state.inverse_dynamics(ddq),
        lambda: state.forward_dynamics(ddq),
        lambda: robot.mass_matrix(q),
        lambda: robot.pose(q, "tool"),
        lambda: state.config,
        lambda: robot.link("tool").name,
        lambda: arm.set_config(p),
        lambda: collider.collides(p),
        lambda: refused(lambda: state.pose("nobody")),
        lambda: refused(lambda: state.set_config([0])),
        lambda: refused(lambda: state.set_config("text")),  # type: ignore[arg-type]
        lambda: robot.state(q).copy(),
        lambda: robot.limits.lower,
        lambda: kw.ik.objective("tool", position=(0.4, 0.1, 0.5)),
    ]
    tenths, per_tenth = [], total // 10 // len(calls)
    for _ in range(10):
        for _ in range(per_tenth):
            for call in calls:
                call()
        tenths.append(resident())
        print(f"{per_tenth * len(calls) * len(tenths):>12,} calls  {tenths[-1]:>10,} KiB", flush=True)
    grown = tenths[-1] - tenths[0]
    print(f"grown by {grown} KiB after the first tenth")
    if grown > 1024:
        sys.exit("memory grows")


if __name__ == "__main__":
    main()
