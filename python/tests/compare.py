"""Numbers of other programs: files, comparison, poses."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

import kinworld as kw
from conftest import DATA

T = TypeVar("T")


def golden(file: str) -> Any:
    """A file of ``data/golden``."""
    return json.loads((DATA / "golden" / file).read_text())


def folder(variable: str, name: str) -> Path:
    """A folder below the one that an environment variable names; the test is skipped where it is not set."""
    root = os.environ.get(variable)
    if root is None:
        pytest.skip(f"{variable} is not set")
    path = Path(root) / name
    assert path.is_dir(), f"{variable} is set, but {path} is missing"
    return path


def corpus() -> Path:
    """Klampt's example files."""
    return folder("KINWORLD_CORPUS", "klampt")


@cache
def refs(file: str) -> Any:
    """Another program's answers about the corpus, such as ``klampt/robots.json``."""
    program, name = file.split("/")
    return json.loads((folder("KINWORLD_REFS", program) / name).read_text())


def quietly(load: Callable[[Path], T], path: Path) -> T:
    """What a loader makes of a file. Its warnings are compared by the tests of the library."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kw.LoadWarning)
        return load(path)


def close(what: str, ours: ArrayLike, theirs: ArrayLike, tolerance: float) -> int:
    """Asserts that no number differs by more than the tolerance, or from an infinite one at all; counts them.

    Of shapes only the size is compared: files have matrices row after row, with or without brackets.
    """
    a, b = np.asarray(ours, dtype=float).ravel(), np.asarray(theirs, dtype=float).ravel()
    assert a.size == b.size, f"{what}: {a.size} numbers, theirs {b.size}"
    np.testing.assert_allclose(a, b, rtol=0, atol=tolerance, equal_nan=False, err_msg=what)
    return int(a.size)


def largest(numbers: ArrayLike, least: float = 1e-3) -> float:
    """The largest size of a number: sums of numbers that cancel have no digits below ``least``."""
    return float(np.abs(np.asarray(numbers, dtype=float)).max(initial=least))


def pose(twelve: ArrayLike) -> NDArray[np.float64]:
    """Pose (4 x 4) of nine numbers of the rotation by rows and three of the translation, as they are."""
    numbers, out = np.asarray(twelve, dtype=float), np.eye(4)
    out[:3, :3], out[:3, 3] = numbers[:9].reshape(3, 3), numbers[9:]
    return out


def by_columns(twelve: ArrayLike) -> NDArray[np.float64]:
    """Pose (4 x 4) of nine numbers of the rotation by columns and three of the translation, as Klampt has them."""
    numbers = np.asarray(twelve, dtype=float)
    return pose([*numbers[:9].reshape(3, 3).T.ravel(), *numbers[9:]])


def skip_large(*shapes: kw.Geometry | None, triangles: int = 30_000) -> None:
    """Skips a test whose meshes take minutes to prepare for collisions where the library is not optimized."""
    count = sum(shape.n_triangles for shape in shapes if shape is not None)
    if count > triangles and "KINWORLD_FULL" not in os.environ:
        pytest.skip(f"{count} triangles; KINWORLD_FULL is not set")
