"""Configuration spaces from Python functions, and plans in them, as `klampt.plan.cspace` has them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from .._advice import Advised, missing, module_getattr
from .._types import Vector
from ..math import vectorops

Path = list[list[float]]


class CSpace(Advised):
    """A space of configurations: a subclass sets ``bound`` and ``eps`` and says what is `feasible`."""

    def __init__(self) -> None:
        self.eps = 1e-2
        self.bound: list[tuple[float, float]] = [(0.0, 1.0)]
        self.feasibilityTests: list[Callable[[Any], bool]] = []
        self.feasibilityTestNames: list[str] = []

    def setBounds(self, bound: Sequence[tuple[float, float]]) -> None:
        """Sets the lower and upper bound of each coordinate."""
        self.bound = [(float(a), float(b)) for a, b in bound]

    def setup(self, reinit: bool = False) -> None:
        """Nothing to do: a space is ready at once."""

    def close(self) -> None:
        """Nothing to do: Python frees a space."""

    def sample(self) -> list[float]:
        """A configuration within the bounds, from Python's `random`."""
        return [random.uniform(a, b) for a, b in self.bound]

    def sampleneighborhood(self, c: Vector, r: float) -> list[float]:
        """A configuration within the bounds, at most ``r`` from ``c`` in each coordinate."""
        return [random.uniform(max(a, x - r), min(b, x + r)) for x, (a, b) in zip(c, self.bound)]

    def addFeasibilityTest(self, func: Callable[[Any], bool], name: str | None = None, dependencies: Any = None) -> None:
        """Adds a test that a feasible configuration must pass; tests run in the order of adding."""
        self.feasibilityTests.append(func)
        self.feasibilityTestNames.append(name or f"test_{len(self.feasibilityTests) - 1}")

    def inBounds(self, x: Vector) -> bool:
        """Whether a configuration is within the bounds."""
        return all(a <= v <= b for v, (a, b) in zip(x, self.bound))

    def feasible(self, x: Vector) -> bool:
        """Whether a configuration is within the bounds and passes all tests."""
        return self.inBounds(x) and all(test(x) for test in self.feasibilityTests)

    def isFeasible(self, x: Vector) -> bool:
        """The same as `feasible`."""
        return self.feasible(x)

    def distance(self, a: Vector, b: Vector) -> float:
        """Distance of two configurations."""
        return vectorops.distance(a, b)

    def interpolate(self, a: Vector, b: Vector, u: float) -> list[float]:
        """The configuration on the way from ``a`` (u = 0) to ``b`` (u = 1)."""
        return vectorops.interpolate(a, b, u)

    def visible(self, a: Vector, b: Vector) -> bool:
        """Whether the edge between two feasible configurations is feasible at steps of ``eps``."""
        steps = int(self.distance(a, b) / self.eps) + 1
        return all(self.feasible(self.interpolate(a, b, i / steps)) for i in range(1, steps))

    def isVisible(self, x: Vector, y: Vector) -> bool:
        """The same as `visible`."""
        return self.visible(x, y)

    def getStats(self) -> dict[str, float]:
        """No figures are kept."""
        return {}

    def _search(self, start: Vector, goal: Vector, iterations: int) -> Path | None:
        """A path by RRT-Connect and shortcuts."""
        span = max(sum((b - a) ** 2 for a, b in self.bound) ** 0.5, self.eps)
        path = _Connect(self, start, goal, span / 10).run(iterations)
        return path and _shorter(self, path)


class _Connect:
    """Two trees that grow towards each other."""

    def __init__(self, space: CSpace, start: Vector, goal: Vector, step: float) -> None:
        self.space, self.step = space, step
        self.trees: list[list[tuple[list[float], int]]] = [[(list(start), -1)], [(list(goal), -1)]]

    def _grow(self, tree: list[tuple[list[float], int]], target: Vector) -> bool | None:
        """One step towards a target: true where it is reached, ``None`` where the way is blocked."""
        near = min(range(len(tree)), key=lambda i: self.space.distance(tree[i][0], target))
        q = tree[near][0]
        far = self.space.distance(q, target)
        new = list(target) if far <= self.step else self.space.interpolate(q, target, self.step / far)
        if not self.space.feasible(new) or not self.space.visible(q, new):
            return None
        tree.append((new, near))
        return far <= self.step

    def _branch(self, tree: list[tuple[list[float], int]]) -> Path:
        out, i = [], len(tree) - 1
        while i >= 0:
            out.append(tree[i][0])
            i = tree[i][1]
        return out

    def run(self, iterations: int) -> Path | None:
        """A path, or ``None`` after so many samples."""
        start, goal = self.trees[0][0][0], self.trees[1][0][0]
        if self.space.visible(start, goal):
            return [start, goal]
        for n in range(iterations):
            one, other = self.trees[n % 2], self.trees[1 - n % 2]
            if self._grow(one, self.space.sample()) is None:
                continue
            reached: bool | None = False
            while reached is False:
                reached = self._grow(other, one[-1][0])
            if reached:
                a, b = self._branch(self.trees[0]), self._branch(self.trees[1])
                return [*reversed(a), *b[1:]]
        return None


def _shorter(space: CSpace, path: Path, attempts: int = 100) -> Path:
    """A path without the milestones that can be left out."""
    for _ in range(attempts):
        if len(path) < 3:
            break
        i, j = sorted(random.sample(range(len(path)), 2))
        if j - i > 1 and space.visible(path[i], path[j]):
            path = path[: i + 1] + path[j:]
    return path


class MotionPlan(Advised):
    """A search for a path in a space. The planner is RRT-Connect, whatever ``type`` and options say."""

    def __init__(self, space: CSpace, type: str | None = None, **options: Any) -> None:
        self.space = space
        self._ends: tuple[list[float], list[float]] | None = None
        self._path: Path | None = None
        self._iterations = 0

    @staticmethod
    def setOptions(**opts: Any) -> None:
        """Options of Klampt's planners have no effect: there is one planner."""

    def setEndpoints(self, start: Vector, goal: Any) -> None:
        """Sets the start and the goal, a configuration each."""
        if callable(goal) or (len(goal) == 2 and callable(goal[0])):
            missing("plan", "MotionPlan.setEndpoints with a function as goal")
        for what, q in (("start", start), ("goal", goal)):
            if not self.space.feasible(q):
                raise RuntimeError(f"the {what} configuration is not feasible: {self._why(q)}")
        self._ends = [float(x) for x in start], [float(x) for x in goal]
        self._path = None

    def _why(self, q: Vector) -> str:
        why = getattr(self.space, "_why", None)
        if why is not None:
            return str(why(q))
        failed = [n for n, test in zip(self.space.feasibilityTestNames, self.space.feasibilityTests) if not test(q)]
        return ", ".join(failed) or "out of bounds"

    def planMore(self, iterations: int) -> None:
        """Searches with so many more samples, until there is a path."""
        if self._ends is None:
            raise RuntimeError("no endpoints; call `setEndpoints(start, goal)` before")
        self._iterations += iterations
        if self._path is None:
            self._path = self.space._search(*self._ends, iterations)

    def getPath(self, milestone1: int | None = None, milestone2: int | None = None) -> Path | None:
        """The path as configurations; ``None`` where there is none yet."""
        if milestone1 is not None or milestone2 is not None:
            missing("plan", "MotionPlan.getPath of milestones of a road map")
        return None if self._path is None else [list(q) for q in self._path]

    def pathCost(self, path: Path) -> float:
        """The length of a path in the metric of the space."""
        return sum(self.space.distance(a, b) for a, b in zip(path, path[1:]))

    def getStats(self) -> dict[str, float]:
        """The number of samples."""
        return {"numIterations": self._iterations}

    def close(self) -> None:
        """Nothing to do: Python frees a plan."""


__getattr__ = module_getattr("plan")
