"""Inverse kinematics."""

from ._core import ik as _ik

Objective = _ik.Objective
Solution = _ik.Solution
VelocitySolution = _ik.VelocitySolution
VelocityTask = _ik.VelocityTask
analytic = _ik.analytic
differential = _ik.differential
joint_velocity_task = _ik.joint_velocity_task
objective = _ik.objective
position_barrier = _ik.position_barrier
residual = _ik.residual
residual_jacobian = _ik.residual_jacobian
solve = _ik.solve
solve_batch = _ik.solve_batch
solve_nearby = _ik.solve_nearby
solve_path = _ik.solve_path
subdivide = _ik.subdivide
towards = _ik.towards
velocity = _ik.velocity
velocity_task = _ik.velocity_task

__all__ = [
    "Objective",
    "Solution",
    "VelocitySolution",
    "VelocityTask",
    "analytic",
    "differential",
    "joint_velocity_task",
    "objective",
    "position_barrier",
    "residual",
    "residual_jacobian",
    "solve",
    "solve_batch",
    "solve_nearby",
    "solve_path",
    "subdivide",
    "towards",
    "velocity",
    "velocity_task",
]
