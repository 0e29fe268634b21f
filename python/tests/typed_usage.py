"""A program that `mypy --strict` has to accept, with the types that it has to infer. `test_package.py` checks it."""

from __future__ import annotations

from pathlib import Path
from typing import assert_type

import numpy as np
from numpy import float64
from numpy.typing import NDArray

import kinworld as kw

DATA = Path(__file__).parents[2] / "data"


def main() -> None:
    arm = kw.Robot.load(DATA / "robots/panda.urdf")
    assert_type(arm, kw.Robot)
    assert_type(arm.limits.lower, NDArray[float64])
    assert_type([link.name for link in arm], list[str])

    state = arm.state([0, -0.785, 0, -2.356, 0, 1.571, 0.785], dq=np.zeros(7))
    assert_type(state.pose("tool"), NDArray[float64])
    assert_type(state.jacobian(arm.link("tool"), (0, 0, 0.1)), NDArray[float64])
    assert_type(state.inverse_dynamics(ddq=[0] * 7), NDArray[float64])

    goal = kw.ik.objective("tool", position=(0.4, 0.1, 0.5))
    solution = kw.ik.solve(state, goal)
    assert_type(solution.q, NDArray[float64])
    assert_type(solution.solved, bool)

    world = kw.load(DATA / "robots/arm6.urdf", str(DATA / "terrains/table.env"))
    assert_type(world.robots["arm6"], kw.RobotView)
    assert_type(world.terrains[0].geometry, kw.Geometry | None)
    assert_type(world.diagnostics, list[kw.Diagnostic])
    collider = world.collider(ignore=["table"])
    assert_type(collider.pairs(q=[0.5, 1, 0, 0, 0, 0]), list[tuple[kw.Entity, kw.Entity]])
    plan = world.space().plan([0] * 6, [1, 0.3, 0, 0, 0, 0], progress=print)
    if plan.path is not None:
        assert_type(plan.path, NDArray[float64])
        kw.Trajectory.from_path(plan.path).at(0.5)

    assert_type(kw.batch.poses(arm, arm.sample(0, 10), ["tool"]), NDArray[float64])
    recording = kw.sim.simulate(arm, 0.01, sensors=[kw.sim.Sensor("tip", "tool"), "energy"])
    assert_type(recording.times, NDArray[float64])

    try:
        arm.link("elbow")
    except kw.NotFoundError as problem:
        assert_type(problem, kw.NotFoundError)


if __name__ == "__main__":
    main()
