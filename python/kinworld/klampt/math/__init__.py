"""Klampt's vectors, rotations and poses, as lists."""

from . import geodesic, se3, so2, so3, vectorops

__all__ = ["geodesic", "se3", "so2", "so3", "vectorops"]
