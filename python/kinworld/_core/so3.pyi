"""
Rotations: 3 × 3 arrays.
"""

from numpy import float64
from numpy.typing import ArrayLike, NDArray
from typing import SupportsFloat, SupportsIndex

__all__ = ["align", "distance", "error", "exp", "from_axis_angle", "from_rpy", "from_uniform", "from_wxyz", "from_xyz", "from_xyzw", "identity", "interpolate", "inverse", "log", "skew", "to_axis_angle", "to_rpy", "to_wxyz", "to_xyz", "to_xyzw"]

def align(a: ArrayLike, b: ArrayLike) -> NDArray[float64]:
    """
    The rotation (3 × 3) nearest to the identity that turns direction ``a`` (3) to ``b`` (3).
    """

def distance(a: ArrayLike, b: ArrayLike) -> float:
    """
    Angle between two rotations, rad.
    """

def error(a: ArrayLike, b: ArrayLike) -> NDArray[float64]:
    """
    The rotation vector (3), rad, from ``b`` to ``a`` in the axes of the world.
    """

def exp(vector: ArrayLike) -> NDArray[float64]:
    """
    Exponential map: rotation (3 × 3) of a rotation vector (3), rad.
    """

def from_axis_angle(axis: ArrayLike, angle: SupportsFloat | SupportsIndex) -> NDArray[float64]:
    """
    Rotation (3 × 3) by an angle (rad) about an axis (3).
    """

def from_rpy(rpy: ArrayLike) -> NDArray[float64]:
    """
    Rotation (3 × 3) by roll, pitch and yaw (3), rad: about the fixed axes x, y, z in turn, as in URDF.
    """

def from_uniform(numbers: ArrayLike) -> NDArray[float64]:
    """
    A rotation (3 × 3), uniform over all rotations, from three numbers between 0 and 1.
    """

def from_wxyz(quaternion: ArrayLike) -> NDArray[float64]:
    """
    Rotation (3 × 3) of a quaternion (w, x, y, z).
    """

def from_xyz(angles: ArrayLike) -> NDArray[float64]:
    """
    Rotation (3 × 3) by angles (3) about x, then the new y, then the new z, rad.
    """

def from_xyzw(quaternion: ArrayLike) -> NDArray[float64]:
    """
    Rotation (3 × 3) of a quaternion (x, y, z, w).
    """

def identity() -> NDArray[float64]:
    """
    The identity (3 × 3).
    """

def interpolate(a: ArrayLike, b: ArrayLike, u: SupportsFloat | SupportsIndex) -> NDArray[float64]:
    """
    Rotation (3 × 3) on the way from ``a`` (u = 0) to ``b`` (u = 1).
    """

def inverse(rotation: ArrayLike) -> NDArray[float64]:
    """
    The inverse (3 × 3) of a rotation.
    """

def log(rotation: ArrayLike) -> NDArray[float64]:
    """
    Logarithm: rotation vector (3) of a rotation (3 × 3), rad.
    """

def skew(vector: ArrayLike) -> NDArray[float64]:
    """
    The matrix (3 × 3) of the cross product with a vector (3).
    """

def to_axis_angle(rotation: ArrayLike) -> tuple[NDArray[float64], float]:
    """
    Axis (3) and angle (rad, 0 to π) of a rotation (3 × 3).
    """

def to_rpy(rotation: ArrayLike) -> NDArray[float64]:
    """
    Roll, pitch and yaw (3) of a rotation (3 × 3), rad.
    """

def to_wxyz(rotation: ArrayLike) -> NDArray[float64]:
    """
    Quaternion (w, x, y, z) of a rotation (3 × 3).
    """

def to_xyz(rotation: ArrayLike) -> NDArray[float64]:
    """
    Angles (3) about x, the new y and the new z of a rotation (3 × 3), rad.
    """

def to_xyzw(rotation: ArrayLike) -> NDArray[float64]:
    """
    Quaternion (x, y, z, w) of a rotation (3 × 3).
    """
