"""Data set of the dynamics of a robot."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from .. import batch
from .._core import Robot, World  # of the fields of Job, too
from . import _blocks
from ._job import Columns, Job


@dataclass(frozen=True, eq=False)
class DynamicsData(Job):
    """Random states and accelerations, with the joint forces that belong to them.

    Velocities and accelerations are within the limits of the robot; ``max_velocity`` (rad/s, m/s) and ``max_acceleration``
    (rad/s², m/s²) bound joints that have none.

    Columns: ``sample`` (int64); ``q``, ``dq``, ``ddq``, ``tau`` (n, float64); with ``mass_matrix``, ``mass_matrix`` (n × n).
    """

    kind: ClassVar[str] = "dynamics"

    gravity: tuple[float, float, float] = field(default=(0.0, 0.0, -9.81), kw_only=True)
    max_velocity: float = field(default=1.0, kw_only=True)
    max_acceleration: float = field(default=10.0, kw_only=True)
    mass_matrix: bool = field(default=False, kw_only=True)

    def block(self, index: int) -> Columns:
        body, limits = self.body, self.body.limits
        n = body.n_dofs
        q = self.configs(index)
        v_max = np.where(np.isfinite(limits.velocity), limits.velocity, self.max_velocity)
        a_max = np.where(np.isfinite(limits.acceleration), limits.acceleration, self.max_acceleration)
        dq = _blocks.uniform(self.seed, index, _blocks.VELOCITIES, n) * v_max
        ddq = _blocks.uniform(self.seed, index, _blocks.ACCELERATIONS, n) * a_max
        tau = batch.inverse_dynamics(body, q, dq, ddq, gravity=self.gravity)
        columns = {"q": q, "dq": dq, "ddq": ddq, "tau": tau}
        if self.mass_matrix:
            columns["mass_matrix"] = batch.mass_matrices(body, q)
        return self.cut(index, columns)

    def empty(self) -> Columns:
        n = self.body.n_dofs
        columns: Columns = {"sample": np.zeros(0, dtype=np.int64)}
        columns |= {name: np.zeros((0, n)) for name in ("q", "dq", "ddq", "tau")}
        if self.mass_matrix:
            columns["mass_matrix"] = np.zeros((0, n, n))
        return columns
