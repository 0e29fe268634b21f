"""Many configurations at once, on all cores: rows in, rows out."""

from ._core import batch as _batch

bias_forces = _batch.bias_forces
forward_dynamics = _batch.forward_dynamics
forward_dynamics_derivatives = _batch.forward_dynamics_derivatives
inverse_dynamics = _batch.inverse_dynamics
inverse_dynamics_derivatives = _batch.inverse_dynamics_derivatives
inverse_kinematics = _batch.inverse_kinematics
jacobians = _batch.jacobians
mass_matrices = _batch.mass_matrices
poses = _batch.poses
poses_f32 = _batch.poses_f32

__all__ = [
    "bias_forces",
    "forward_dynamics",
    "forward_dynamics_derivatives",
    "inverse_dynamics",
    "inverse_dynamics_derivatives",
    "inverse_kinematics",
    "jacobians",
    "mass_matrices",
    "poses",
    "poses_f32",
]
