"""Settings and results of queries between shapes."""

from __future__ import annotations

from ._advice import Advised


class DistanceQuerySettings(Advised):
    """Limits of a distance query; answers here are exact, and ``upperBound`` cuts them off."""

    def __init__(self) -> None:
        self.relErr = 0.0
        self.absErr = 0.0
        self.upperBound = float("inf")


class DistanceQueryResult(Advised):
    """A distance ``d`` and the nearest points ``cp1`` and ``cp2`` in the world."""

    def __init__(self, d: float, cp1: list[float] | None = None, cp2: list[float] | None = None) -> None:
        self.d = d
        self.hasClosestPoints = cp1 is not None and cp2 is not None
        self.cp1 = cp1 or []
        self.cp2 = cp2 or []
        self.hasGradients = False
        self.grad1: list[float] = []
        self.grad2: list[float] = []
        self.elem1 = self.elem2 = -1


class ContactQueryResult(Advised):
    """Contacts of two shapes: depths, normals from the first to the second, points on both."""

    def __init__(self) -> None:
        self.depths: list[float] = []
        self.normals: list[list[float]] = []
        self.points1: list[list[float]] = []
        self.points2: list[list[float]] = []
        self.elems1: list[int] = []
        self.elems2: list[int] = []
