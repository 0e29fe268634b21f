"""Inverse kinematics."""

from ._core.ik import (
    Objective,
    Solution,
    analytic,
    differential,
    objective,
    residual,
    residual_jacobian,
    solve,
    solve_batch,
    solve_nearby,
    solve_path,
)

__all__ = [
    "Objective",
    "Solution",
    "analytic",
    "differential",
    "objective",
    "residual",
    "residual_jacobian",
    "solve",
    "solve_batch",
    "solve_nearby",
    "solve_path",
]
