"""Pinocchio's terms of the equation of motion in `data/golden/terms`, on robots with the armature of the file."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import kinworld as kw
from compare import close, golden, largest, quietly
from conftest import DATA

FILES = sorted(path.name for path in (DATA / "golden/terms").glob("*.json"))

# relative to the largest number: both sides round, in another order
TOLERANCE = 1e-11


def with_armature(robot: kw.Robot, armature: list[float]) -> kw.Robot:
    """The robot with inertias of rotors, link by link."""
    values = iter(armature)
    builder = kw.RobotBuilder(robot.name)
    for link in robot:
        builder.add_link(
            link.name,
            parent=None if link.parent is None else link.parent.index,
            motion=link.motion,
            axis=(0, 0, 1) if link.axis is None else link.axis,
            placement=link.placement,
            inertia=link.inertia,
            armature=0.0 if link.dof is None else next(values),
        )
    built = builder.build()
    np.testing.assert_array_equal(built.armature, armature)
    return built


@pytest.mark.parametrize("file", FILES)
def test_terms(file: str) -> None:
    refs = golden(f"terms/{file}")
    robot = with_armature(quietly(kw.Robot.load, DATA / refs["file"]), refs["armature"])
    for case in refs["cases"]:
        check(robot, refs, case)


def check(robot: kw.Robot, refs: dict[str, Any], case: dict[str, Any]) -> None:
    gravity, restitution, damping = refs["gravity"], refs["restitution"], case["damping"]
    q, dq, ddq, tau = (np.array(case[key]) for key in ("q", "dq", "ddq", "tau"))
    state = robot.state(q, dq)

    def same(key: str, *ours: Any) -> None:
        for numbers in ours:
            close(f"{refs['file']}: {key}", numbers, case[key], TOLERANCE * largest(case[key]))

    terms = state.all_terms(gravity=gravity)
    many = kw.batch
    same("mass_matrix", state.mass_matrix(), terms["mass_matrix"], robot.mass_matrix(q), many.mass_matrices(robot, [q]))
    same("bias_forces", state.bias_forces(gravity), terms["bias_forces"])
    same("bias_forces", many.bias_forces(robot, [q], [dq], gravity=gravity))
    same("bias_forces", state.coriolis_forces() + state.gravity_forces(gravity))
    same("kinetic_energy", state.kinetic_energy(), terms["kinetic_energy"])
    same("inverse_dynamics", state.inverse_dynamics(ddq, gravity=gravity))
    same("inverse_dynamics", robot.inverse_dynamics(q, dq, ddq, gravity=gravity))
    same("inverse_dynamics", many.inverse_dynamics(robot, [q], [dq], [ddq], gravity=gravity))
    same("forward_dynamics", state.forward_dynamics(tau, gravity=gravity))
    same("forward_dynamics", robot.forward_dynamics(q, dq, tau, gravity=gravity))
    same("forward_dynamics", many.forward_dynamics(robot, [q], [dq], [tau], gravity=gravity))
    same("base_wrench", state.base_wrench(ddq, gravity=gravity))

    # Pinocchio's bodies are the links that move
    columns = np.concatenate([10 * robot.link(name).index + np.arange(10) for name in refs["moved"]])
    same("inertial_regressor", state.inertial_regressor(ddq, gravity=gravity)[:, columns])
    same("kinetic_energy_regressor", state.kinetic_energy_regressor()[columns])
    same("potential_energy_regressor", state.potential_energy_regressor(gravity)[columns])

    held, point = refs["held"], refs["point"]
    jacobian = state.position_jacobian(held, point)
    drift = state.jacobian_dot_times_velocity(held, point)[3:]
    accelerations, forces = state.constrained_dynamics(tau, jacobian, drift, gravity=gravity, damping=damping)
    same("held", accelerations)
    same("held_by", forces)
    after, blow = state.impulse_dynamics(jacobian, restitution=restitution, damping=damping)
    same("after", after)
    same("blow", blow)
    if damping == 0.0:
        felt = state.operational_space_inertia(jacobian)
        same("blow", felt @ jacobian @ dq * -(1.0 + restitution))
