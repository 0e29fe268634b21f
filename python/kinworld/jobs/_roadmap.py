"""Probabilistic road map: free configurations and free edges between near ones."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .._core import Robot, World  # of the fields of Job, too
from . import _blocks
from ._job import Columns, Job

_TOGETHER = 1 << 22
"""Distances that are computed at once."""


@dataclass(frozen=True, eq=False)
class RoadMap(Job):
    """Free configurations, each with its nearest ones among those of smaller number, as far as the edge to them is free.

    ``neighbors`` is how many edges a node tries; by default it grows with the logarithm of the number of nodes as PRM* needs
    (Karaman and Frazzoli, 2011). ``resolution`` is the distance between checks along an edge. Each shard labels all samples,
    so that shards need nothing of each other; with N samples the search for neighbours takes time proportional to N².

    Columns: ``sample`` (int64), the number of a node; ``q`` (n); ``neighbors`` (k, int64), numbers of nodes that an edge leads
    to, then -1; ``costs`` (k, float64), lengths of these edges, then NaN. Each edge is there once.
    """

    kind: ClassVar[str] = "roadmap"

    neighbors: int | None = field(default=None, kw_only=True)
    resolution: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.neighbors is not None and self.neighbors < 1:
            raise ValueError(f"neighbors is a number of at least 1, got {self.neighbors}")

    def tried(self, nodes: int) -> int:
        """How many edges a node tries where there are so many nodes before it."""
        if self.neighbors is not None:
            return min(self.neighbors, nodes)
        dofs: int = self.body.n_dofs
        return min(nodes, math.ceil(math.e * (1 + 1 / dofs) * math.log(max(nodes, 2))))

    @cached_property
    def width(self) -> int:
        """Number of columns for neighbours, k."""
        return max(1, self.tried(self.samples - 1))

    @cached_property
    def nodes(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The numbers (m) and configurations (m × n) of all free samples."""
        numbers, configs = [], []
        for block in range(self.n_blocks):
            q = self.configs(block)[: _blocks.rows(self.samples, block)]
            free = np.flatnonzero(self.space.are_free(q))
            numbers.append(free + block * _blocks.BLOCK)
            configs.append(q[free])
        return np.concatenate(numbers), np.concatenate(configs)

    def block(self, index: int) -> Columns:
        numbers, nodes = self.nodes
        first, last = np.searchsorted(numbers, [index * _blocks.BLOCK, (index + 1) * _blocks.BLOCK])
        count = int(last - first)
        near = np.full((count, self.width), -1, dtype=np.int64)
        step = max(1, _TOGETHER // max(1, int(last)))
        for i in range(int(first), int(last), step):
            self._nearest(nodes, i, min(i + step, int(last)), near[i - first :])
        space = self.space if self.resolution is None else self.space.with_resolution(self.resolution)
        row, column = np.nonzero(near >= 0)
        a, b = row + first, near[row, column]
        free = space.are_edges_free(nodes[a], nodes[b]) if len(a) else np.zeros(0, dtype=np.bool_)
        neighbors = np.full_like(near, -1)
        costs = np.full(near.shape, np.nan)
        place = np.zeros(count, dtype=np.int64)
        for r, i, j in zip(row[free], a[free], b[free]):
            neighbors[r, place[r]] = numbers[j]
            costs[r, place[r]] = space.distance(nodes[i], nodes[j])
            place[r] += 1
        return {"sample": numbers[first:last], "q": nodes[first:last], "neighbors": neighbors, "costs": costs}

    def _nearest(self, nodes: NDArray[np.float64], first: int, last: int, out: NDArray[np.int64]) -> None:
        """Indices of the nearest earlier nodes of the nodes from ``first`` to ``last``, nearest first."""
        square = np.zeros((last - first, last))
        turns = {dof for joint in self.body.joints if joint.kind == "spin" for dof in joint.dofs}
        for dof in range(self.body.n_dofs):
            d = np.abs(nodes[first:last, dof, None] - nodes[None, :last, dof])
            if dof in turns:
                d = np.remainder(d, 2 * np.pi)
                d = np.minimum(d, 2 * np.pi - d)
            square += d * d
        for i in range(first, last):
            before = square[i - first, :i]
            k = self.tried(i)
            if k:
                found = np.argpartition(before, k - 1)[:k] if k < i else np.arange(i)
                out[i - first, :k] = found[np.lexsort((found, before[found]))]

    def empty(self) -> Columns:
        k, n = self.width, self.body.n_dofs
        return {
            "sample": np.zeros(0, dtype=np.int64),
            "q": np.zeros((0, n)),
            "neighbors": np.zeros((0, k), dtype=np.int64),
            "costs": np.zeros((0, k)),
        }
