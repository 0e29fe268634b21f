"""Inverse kinematics."""

from ._core import ik as _ik

Objective = _ik.Objective
Solution = _ik.Solution
analytic = _ik.analytic
differential = _ik.differential
objective = _ik.objective
residual = _ik.residual
residual_jacobian = _ik.residual_jacobian
solve = _ik.solve
solve_batch = _ik.solve_batch
solve_nearby = _ik.solve_nearby
solve_path = _ik.solve_path
subdivide = _ik.subdivide
towards = _ik.towards

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
    "subdivide",
    "towards",
]
