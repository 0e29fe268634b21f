"""Inverse kinematics, collisions, trajectories and shapes, as in Klampt."""

from .._advice import module_getattr
from . import collide, config, coordinates, create, ik, trajectory

__all__ = ["collide", "config", "coordinates", "create", "ik", "trajectory"]

__getattr__ = module_getattr("model")
