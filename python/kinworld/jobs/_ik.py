"""Data set of inverse kinematics."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from .. import batch, ik, se3
from .._core import Robot, World  # of the fields of Job, too
from . import _blocks
from ._job import Columns, Job


@dataclass(frozen=True, eq=False)
class IkData(Job):
    """Poses of a link that can be reached, each with a configuration that inverse kinematics found for it.

    A pose is that of a random configuration; the search begins at another one and has up to ``restarts`` more.

    Columns: ``sample`` (int64); ``position`` (3) and ``rotation_xyzw`` (4), the pose of the link in m and as a quaternion;
    ``start`` and ``q`` (n), where the search began and what it found; ``solved`` (bool); ``position_error`` (m),
    ``rotation_error`` (rad) and ``iterations`` (int32).
    """

    kind: ClassVar[str] = "ik"

    link: int | str = field(kw_only=True)
    tolerance: float = field(default=1e-9, kw_only=True)
    restarts: int = field(default=20, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.body.link(self.link)

    def block(self, index: int) -> Columns:
        rows, body = _blocks.rows(self.samples, index), self.body
        starts = self.configs(index, _blocks.STARTS)[:rows]
        poses = batch.poses(body, self.configs(index)[:rows], [self.link])[:, 0]
        problems = [(ik.objective(self.link, pose=pose), start) for pose, start in zip(poses, starts)]
        found = ik.solve_batch(body, problems, tolerance=self.tolerance, restarts=self.restarts, seed=self.seed)
        columns: Columns = {
            "position": poses[:, :3, 3],
            "rotation_xyzw": np.array([se3.to_xyzw(pose)[1] for pose in poses]).reshape(rows, 4),
            "start": starts,
            "q": np.array([solution.q for solution in found]).reshape(rows, body.n_dofs),
            "solved": np.array([solution.solved for solution in found], dtype=np.bool_),
            "position_error": np.array([solution.position_error for solution in found]),
            "rotation_error": np.array([solution.rotation_error for solution in found]),
            "iterations": np.array([solution.iterations for solution in found], dtype=np.int32),
        }
        return self.cut(index, columns)

    def empty(self) -> Columns:
        n = self.body.n_dofs
        return {
            "sample": np.zeros(0, dtype=np.int64),
            "position": np.zeros((0, 3)),
            "rotation_xyzw": np.zeros((0, 4)),
            "start": np.zeros((0, n)),
            "q": np.zeros((0, n)),
            "solved": np.zeros(0, dtype=np.bool_),
            "position_error": np.zeros(0),
            "rotation_error": np.zeros(0),
            "iterations": np.zeros(0, dtype=np.int32),
        }
