"""Reachability map: where a link gets, and in which directions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from .. import batch
from .._core import Link, Robot, World  # of the fields of Job, too
from . import _blocks
from ._job import Columns, Job

DIRECTIONS = 54
"""Bins of a direction: nine on each face of a cube."""


@dataclass(frozen=True, eq=False)
class ReachMap(Job):
    """Counts of the positions of a point of a link, in cubic cells, and the directions of one of its axes there.

    The grid is a cube around the base of the robot with edges of ``2 * half`` (m), by default large enough for all positions.
    In a world, only configurations that are free of collisions count, and positions are in the world.

    Columns: ``cell`` (3, int32), the position of a cell in the grid; ``count`` (int64); ``directions`` (uint64), one bit for
    each of 54 bins of directions: nine on each face of a cube, in the order +x, -x, +y, -y, +z, -z. Positions that are not in
    the grid count in the cell (-1, -1, -1). The lower corner of cell (i, j, k) is ``origin + cell * (i, j, k)``; the
    description of the job has ``origin`` and ``cell``.
    """

    kind: ClassVar[str] = "reach"
    folds: ClassVar[bool] = True

    link: int | str = field(kw_only=True)
    cell: float = field(default=0.05, kw_only=True)
    half: float | None = field(default=None, kw_only=True)
    point: tuple[float, float, float] = field(default=(0.0, 0.0, 0.0), kw_only=True)
    axis: tuple[float, float, float] = field(default=(0.0, 0.0, 1.0), kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.body.link(self.link)
        if not (self.cell > 0 and math.isfinite(self.cell)):
            raise ValueError(f"cell is the edge of a cell in m, above 0, got {self.cell}")
        if self.cells > 2**20:
            raise ValueError(f"{self.cells} cells along each axis are too many: give a larger `cell` or a smaller `half`")

    @cached_property
    def cells(self) -> int:
        """Number of cells along each axis."""
        return math.ceil(2 * self.half_edge / self.cell)

    @cached_property
    def half_edge(self) -> float:
        """Half of the edge of the grid, m."""
        if self.half is not None:
            if not (self.half > 0 and math.isfinite(self.half)):
                raise ValueError(f"half is half the edge of the grid in m, above 0, got {self.half}")
            return self.half
        reach = float(np.linalg.norm(self.point))
        link: Link | None = self.body.link(self.link)
        limits = self.body.limits
        while link is not None:
            if link.motion == "prismatic":
                reach += float(max(abs(limits.lower[link.dof]), abs(limits.upper[link.dof])))
            if link.parent is not None:
                reach += float(np.linalg.norm(link.placement[:3, 3]))
            link = link.parent
        if not math.isfinite(reach):
            raise ValueError(f"link {self.link!r} has no limit to its reach: give `half`, half the edge of the grid in m")
        return max(reach, self.cell)

    @cached_property
    def origin(self) -> NDArray[np.float64]:
        """The lower corner (3) of the grid, m."""
        root = self.body.link(self.link)
        while root.parent is not None:
            root = root.parent
        corner: NDArray[np.float64] = root.placement[:3, 3] - 0.5 * self.cell * self.cells
        return corner

    def derived(self) -> dict[str, Any]:
        return {"origin": self.origin.tolist(), "cells": self.cells, "half": self.half_edge}

    def block(self, index: int) -> Columns:
        q = self.configs(index)[: _blocks.rows(self.samples, index)]
        if isinstance(self.model, World):
            q = q[self.space.are_free(q)]
        poses = batch.poses(self.body, q, [self.link])[:, 0]
        position = poses[:, :3, 3] + _rotated(poses, self.point)
        at = np.floor((position - self.origin) / self.cell)
        at[~((at >= 0) & (at < self.cells)).all(axis=1)] = -1
        bits = np.uint64(1) << _direction(_rotated(poses, self.axis))
        return _folded(at.astype(np.int64), np.ones(len(q), dtype=np.int64), bits)

    def fold(self, parts: Sequence[Columns]) -> Columns:
        return folded_cells(parts)

    def empty(self) -> Columns:
        return _empty()


def _empty() -> Columns:
    return {
        "cell": np.zeros((0, 3), dtype=np.int32),
        "count": np.zeros(0, dtype=np.int64),
        "directions": np.zeros(0, dtype=np.uint64),
    }


def folded_cells(parts: Iterable[Columns]) -> Columns:
    """Cells of several results as one, few of them in memory at a time."""
    total, rows = _empty(), 0
    waiting: list[Columns] = []
    for part in parts:
        waiting.append(part)
        rows += len(part["count"])
        if rows > 2 * len(total["count"]) + (1 << 20):
            total, waiting, rows = _sum([total, *waiting]), [], 0
    return _sum([total, *waiting])


def _sum(parts: Sequence[Columns]) -> Columns:
    cell, count, directions = (np.concatenate([part[name] for part in parts]) for name in ("cell", "count", "directions"))
    return _folded(cell.astype(np.int64), count, directions)


def _rotated(poses: NDArray[np.float64], v: Sequence[float]) -> NDArray[np.float64]:
    # sums in a fixed order: a matrix product may add up otherwise on another processor
    return poses[:, :3, 0] * v[0] + poses[:, :3, 1] * v[1] + poses[:, :3, 2] * v[2]


def _direction(d: NDArray[np.float64]) -> NDArray[np.uint64]:
    """The bin (0 to 53) of each direction (N × 3)."""
    rows = np.arange(len(d))
    axis = np.abs(d).argmax(axis=1)
    main = d[rows, axis]
    face = 2 * axis + (main < 0)
    u, v = d[rows, (axis + 1) % 3] / np.abs(main), d[rows, (axis + 2) % 3] / np.abs(main)
    i, j = (np.clip(np.floor(1.5 * (x + 1)), 0, 2).astype(np.int64) for x in (u, v))
    bins: NDArray[np.uint64] = (9 * face + 3 * i + j).astype(np.uint64)
    return bins


def _folded(cell: NDArray[np.int64], count: NDArray[np.int64], directions: NDArray[np.uint64]) -> Columns:
    """Rows of the same cell become one, ordered by cell."""
    key = ((cell[:, 0] + 1) << 42) | ((cell[:, 1] + 1) << 21) | (cell[:, 2] + 1)
    order = np.argsort(key, kind="stable")
    key = key[order]
    first = np.flatnonzero(np.diff(key, prepend=-1))
    if len(first):
        count = np.add.reduceat(count[order], first)
        directions = np.bitwise_or.reduceat(directions[order], first)
    return {"cell": cell[order][first].astype(np.int32), "count": count, "directions": directions}
