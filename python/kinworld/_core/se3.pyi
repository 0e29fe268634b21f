"""
Poses: 4 × 4 arrays.
"""

from numpy import float64
from numpy.typing import ArrayLike, NDArray
from typing import SupportsFloat, SupportsIndex

__all__ = ["cross", "cross_force", "distance", "error", "exp", "from_klampt", "from_parts", "from_rpy", "from_translation", "from_wxyz", "from_xyzw", "identity", "interpolate", "inverse", "log", "to_klampt", "to_wxyz", "to_xyzw", "transform_motion", "transform_wrench"]

def cross(a: ArrayLike, b: ArrayLike) -> NDArray[float64]:
    """
    Cross product (6) of two motions (6 each, angular first): v × m.
    """

def cross_force(motion: ArrayLike, wrench: ArrayLike) -> NDArray[float64]:
    """
    Cross product (6, moment first) of a motion (6, angular first) and a wrench (6, moment first): v ×* f.
    """

def distance(a: ArrayLike, b: ArrayLike) -> float:
    """
    Distance of two poses: the angle between the rotations (rad) and the distance of the positions (m), as one number.
    """

def error(a: ArrayLike, b: ArrayLike) -> NDArray[float64]:
    """
    Difference (6, angular first) of two poses: the rotation vector from ``b`` to ``a``, and that of the positions.
    """

def exp(twist: ArrayLike) -> NDArray[float64]:
    """
    Exponential map: pose (4 × 4) after a twist (6, angular first) for unit time.
    """

def from_klampt(transform: tuple[ArrayLike, ArrayLike]) -> NDArray[float64]:
    """
    Pose (4 × 4) of Klampt's pair: nine numbers of the rotation by columns, three of the translation.
    """

def from_parts(position: ArrayLike, rotation: ArrayLike | None = None) -> NDArray[float64]:
    """
    Pose (4 × 4) of a position (3) and a rotation (3 × 3).
    """

def from_rpy(position: ArrayLike, rpy: ArrayLike) -> NDArray[float64]:
    """
    Pose (4 × 4) of a position (3) and roll, pitch, yaw (3), rad.
    """

def from_translation(position: ArrayLike) -> NDArray[float64]:
    """
    Pose (4 × 4) without a rotation.
    """

def from_wxyz(position: ArrayLike, quaternion: ArrayLike) -> NDArray[float64]:
    """
    Pose (4 × 4) of a position (3) and a quaternion (w, x, y, z).
    """

def from_xyzw(position: ArrayLike, quaternion: ArrayLike) -> NDArray[float64]:
    """
    Pose (4 × 4) of a position (3) and a quaternion (x, y, z, w).
    """

def identity() -> NDArray[float64]:
    """
    The identity (4 × 4).
    """

def interpolate(a: ArrayLike, b: ArrayLike, u: SupportsFloat | SupportsIndex) -> NDArray[float64]:
    """
    Pose (4 × 4) on the way from ``a`` (u = 0) to ``b`` (u = 1).
    """

def inverse(pose: ArrayLike) -> NDArray[float64]:
    """
    The inverse (4 × 4) of a pose.
    """

def log(pose: ArrayLike) -> NDArray[float64]:
    """
    Logarithm: twist (6, angular first) that leads from the identity to a pose (4 × 4) in unit time.
    """

def to_klampt(pose: ArrayLike) -> tuple[list[float], list[float]]:
    """
    Klampt's pair of a pose (4 × 4): nine numbers of the rotation by columns, three of the translation, as lists.
    """

def to_wxyz(pose: ArrayLike) -> tuple[NDArray[float64], NDArray[float64]]:
    """
    Position (3) and quaternion (w, x, y, z) of a pose (4 × 4).
    """

def to_xyzw(pose: ArrayLike) -> tuple[NDArray[float64], NDArray[float64]]:
    """
    Position (3) and quaternion (x, y, z, w) of a pose (4 × 4).
    """

def transform_motion(pose: ArrayLike, motion: ArrayLike) -> NDArray[float64]:
    """
    A motion (6, angular first) in a frame in which its own frame has the pose (4 × 4): X·v.
    """

def transform_wrench(pose: ArrayLike, wrench: ArrayLike) -> NDArray[float64]:
    """
    A wrench (6, moment first) in a frame in which its own frame has the pose (4 × 4): X*·f.
    """
