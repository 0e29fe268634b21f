"""Configurations, each labelled as free or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._core import Robot, World  # of the fields of Job, too
from . import _blocks
from ._job import Columns, Job


@dataclass(frozen=True, eq=False)
class LabelledConfigs(Job):
    """Random configurations, each with the label whether it is within the limits and free of collisions.

    Columns: ``sample`` (int64), its number; ``q`` (n, float64), rad or m; ``free`` (bool).
    """

    kind: ClassVar[str] = "labels"

    def block(self, index: int) -> Columns:
        q = self.configs(index)[: _blocks.rows(self.samples, index)]
        return self.cut(index, {"q": q, "free": self.space.are_free(q)})

    def empty(self) -> Columns:
        n = self.body.n_dofs
        return {"sample": np.zeros(0, dtype=np.int64), "q": np.zeros((0, n)), "free": np.zeros(0, dtype=np.bool_)}
