"""Many configurations at once, on all cores: rows in, rows out."""

from ._core.batch import (
    bias_forces,
    forward_dynamics,
    forward_dynamics_derivatives,
    inverse_dynamics,
    inverse_dynamics_derivatives,
    jacobians,
    mass_matrices,
    poses,
)

__all__ = [
    "bias_forces",
    "forward_dynamics",
    "forward_dynamics_derivatives",
    "inverse_dynamics",
    "inverse_dynamics_derivatives",
    "jacobians",
    "mass_matrices",
    "poses",
]
