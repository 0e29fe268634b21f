"""Klampt's ways to write vectors, rotations and poses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = Sequence[float]
Rotation = Sequence[float]  # nine numbers, column by column
RigidTransform = tuple[Sequence[float], Sequence[float]]
Array = NDArray[np.float64]
Json = dict[str, Any]


def pose_of(transform: RigidTransform) -> Array:
    """Pose (4 × 4) of Klampt's pair (R, t)."""
    rotation, translation = transform
    pose = np.eye(4)
    pose[:3, :3] = np.reshape(np.asarray(rotation, dtype=float), (3, 3)).T
    pose[:3, 3] = translation
    return pose


def transform_of(pose: Array) -> tuple[list[float], list[float]]:
    """Klampt's pair (R, t) of a pose (4 × 4)."""
    rotation: list[float] = pose[:3, :3].T.ravel().tolist()
    translation: list[float] = pose[:3, 3].tolist()
    return rotation, translation


def floats(values: Array) -> list[float]:
    """A list of floats from an array of one dimension."""
    numbers: list[float] = values.tolist()
    return numbers
