"""Klampt's vectors, rotations and poses, as lists."""

from .._advice import module_getattr
from . import geodesic, se3, so2, so3, vectorops

__all__ = ["geodesic", "se3", "so2", "so3", "vectorops"]

__getattr__ = module_getattr("math")
