"""Collision tests, as `klampt.model.collide` has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from .._advice import Advised, module_getattr
from .._geometry import Geometry3D
from .._link import RobotModelLink
from .._objects import RigidObjectModel, TerrainModel
from .._robot import RobotModel
from .._types import Vector
from .._world import WorldModel
from ..math import vectorops

Box = tuple[list[float], list[float]]
Body = RobotModelLink | RigidObjectModel | TerrainModel
Filter = Callable[[Any], bool]


def bb_create(*ptlist: Vector) -> Box:
    """The box (minimum, maximum) of points; empty without points."""
    if not ptlist:
        return [float("inf")] * 3, [-float("inf")] * 3
    return [min(x) for x in zip(*ptlist)], [max(x) for x in zip(*ptlist)]


def bb_empty(bb: Box) -> bool:
    """Whether a box holds no point."""
    return any(a > b for a, b in zip(*bb))


def bb_intersect(a: Box, b: Box) -> bool:
    """Whether two boxes overlap."""
    return all(p <= q for p, q in zip(a[0], b[1])) and all(p <= q for p, q in zip(b[0], a[1]))


def bb_contains(bb: Box, x: Vector) -> bool:
    """Whether a point (3) is in a box."""
    return all(a <= v <= b for a, v, b in zip(bb[0], x, bb[1]))


def bb_intersection(*bbs: Box) -> Box:
    """The box that all boxes share."""
    return [max(x) for x in zip(*(b[0] for b in bbs))], [min(x) for x in zip(*(b[1] for b in bbs))]


def bb_union(*bbs: Box) -> Box:
    """The smallest box around boxes."""
    return [min(x) for x in zip(*(b[0] for b in bbs))], [max(x) for x in zip(*(b[1] for b in bbs))]


def self_collision_iter(geomlist: Sequence[Geometry3D], pairs: Any = "all") -> Iterator[tuple[int, int]]:
    """Pairs of indices of shapes that collide: of all pairs, of those that a function accepts, or of a list."""
    if pairs == "all" or callable(pairs):
        every = ((i, j) for i in range(len(geomlist)) for j in range(i + 1, len(geomlist)))
        pairs = every if pairs == "all" else (pair for pair in every if pairs(*pair))
    return ((i, j) for i, j in pairs if geomlist[i].collides(geomlist[j]))


def group_collision_iter(
    geomlist1: Sequence[Geometry3D], geomlist2: Sequence[Geometry3D], pairs: Any = "all"
) -> Iterator[tuple[int, int]]:
    """Pairs (index in the first list, index in the second) of shapes that collide."""
    if pairs == "all" or callable(pairs):
        every = ((i, j) for i in range(len(geomlist1)) for j in range(len(geomlist2)))
        pairs = every if pairs == "all" else (pair for pair in every if pairs(*pair))
    return ((i, j) for i, j in pairs if geomlist1[i].collides(geomlist2[j]))


def ray_cast(geomlist: Iterable[Geometry3D], s: Vector, d: Vector) -> tuple[int, list[float]] | None:
    """The index of the first shape that a ray hits, and where; ``None`` where it hits none."""
    best = None
    for i, shape in enumerate(geomlist):
        hit, point = shape.rayCast(s, d)
        along = vectorops.dot(d, vectorops.sub(point, s))
        if hit and (best is None or along < best[0]):
            best = along, i, point
    return None if best is None else (best[1], best[2])


class WorldCollider(Advised):
    """Which elements of a world are tested for collision with which others, and tests of them.

    ``geomList`` has pairs (element, shape), ``mask`` for each the indices of those that it is tested with.
    """

    def __init__(self, world: WorldModel, ignore: Sequence[Any] = ()) -> None:
        self.world = world
        self.geomList: list[tuple[Any, Geometry3D]] = []
        self.terrains = [self._add(terrain) for terrain in world.terrains]
        self.rigidObjects = [self._add(body) for body in world.rigidObjects]
        self.robots = [[self._add(link) for link in robot.links] for robot in world.robots]
        self.mask: list[set[int]] = [set() for _ in self.geomList]
        self._fill()
        for item in ignore:
            self.ignoreCollision(item)

    def _add(self, element: Any) -> int:
        shape = element.geometry()
        if shape.empty():
            return -1
        self.geomList.append((element, shape))
        return len(self.geomList) - 1

    def _enable(self, i: int, j: int) -> None:
        if i >= 0 and j >= 0:
            self.mask[i].add(j)
            self.mask[j].add(i)

    def _fill(self) -> None:
        for t in self.terrains:
            for o in self.rigidObjects:
                self._enable(t, o)
        for n, o in enumerate(self.rigidObjects):
            for other in self.rigidObjects[:n]:
                self._enable(o, other)
        for n, (robot, links) in enumerate(zip(self.world.robots, self.robots)):
            for i, link in enumerate(links):
                fixed = robot.link(i).getParent() < 0
                for other in [*([] if fixed else self.terrains), *self.rigidObjects, *sum(self.robots[:n], [])]:
                    self._enable(link, other)
                for j in range(i):
                    if robot.selfCollisionEnabled(i, j):
                        self._enable(link, links[j])

    def _indices(self, item: Any) -> list[int]:
        if isinstance(item, RobotModel):
            return [i for link in item.links for i in self._indices(link)]
        found = [i for i, (element, _) in enumerate(self.geomList) if element is item]
        return found

    def ignoreCollision(self, ign: Any) -> None:
        """Turns off tests of an element with all others, or of a pair of elements."""
        if isinstance(ign, tuple):
            for i in self._indices(ign[0]):
                for j in self._indices(ign[1]):
                    self.mask[i].discard(j)
                    self.mask[j].discard(i)
            return
        for i in self._indices(ign):
            self.mask[i].clear()
            for others in self.mask:
                others.discard(i)

    def isCollisionEnabled(self, obj_or_pair: Any) -> bool:
        """Whether an element is tested at all, or a pair of elements with each other."""
        if isinstance(obj_or_pair, tuple):
            a, b = (self._indices(item) for item in obj_or_pair)
            return any(j in self.mask[i] for i in a for j in b)
        return any(self.mask[i] for i in self._indices(obj_or_pair))

    def collisionTests(
        self, filter1: Filter | None = None, filter2: Filter | None = None, bb_reject: bool = True
    ) -> Iterator[tuple[tuple[Any, Geometry3D], tuple[Any, Geometry3D]]]:
        """Pairs ((element, shape), (element, shape)) that may collide."""
        boxes = [shape.getBB() for _, shape in self.geomList] if bb_reject else []
        for i, first in enumerate(self.geomList):
            for j in sorted(self.mask[i]):
                second = self.geomList[j]
                if j < i or (bb_reject and not bb_intersect(boxes[i], boxes[j])):
                    continue
                if filter1 is None:
                    yield first, second
                elif filter2 is None:
                    if filter1(first[0]) and filter1(second[0]):
                        yield first, second
                elif filter1(first[0]) and filter2(second[0]):
                    yield first, second
                elif filter2(first[0]) and filter1(second[0]):
                    yield second, first

    def collisions(self, filter1: Filter | None = None, filter2: Filter | None = None) -> Iterator[tuple[Any, Any]]:
        """Pairs of elements that collide."""
        for a, b in self.collisionTests(filter1, filter2):
            if a[1].collides(b[1]):
                yield a[0], b[0]

    def _hits(self, first: Iterable[int], second: Iterable[int]) -> Iterator[tuple[Any, Any]]:
        others = [j for j in second if j >= 0]
        for i in first:
            for j in others:
                if i >= 0 and j in self.mask[i] and self.geomList[i][1].collides(self.geomList[j][1]):
                    yield self.geomList[i][0], self.geomList[j][0]

    def _links(self, robot: RobotModel | int) -> list[int]:
        return self.robots[robot.index if isinstance(robot, RobotModel) else robot]

    @staticmethod
    def _chosen(indices: list[int], item: Any) -> list[int]:
        if item is None:
            return indices
        return [indices[item if isinstance(item, int) else item.index]]

    def robotSelfCollisions(self, robot: RobotModel | int | None = None) -> Iterator[tuple[Any, Any]]:
        """Pairs of links of a robot, or of each robot, that collide."""
        for links in self.robots if robot is None else [self._links(robot)]:
            for n, i in enumerate(links):
                yield from self._hits([i], links[:n])

    def robotObjectCollisions(self, robot: RobotModel | int, object: Any = None) -> Iterator[tuple[Any, Any]]:
        """Pairs of a link and a rigid object that collide."""
        for o in self._chosen(self.rigidObjects, object):
            yield from self._hits(self._links(robot), [o])

    def robotTerrainCollisions(self, robot: RobotModel | int, terrain: Any = None) -> Iterator[tuple[Any, Any]]:
        """Pairs of a link and a terrain that collide."""
        for t in self._chosen(self.terrains, terrain):
            yield from self._hits(self._links(robot), [t])

    def objectTerrainCollisions(self, object: Any, terrain: Any = None) -> Iterator[tuple[Any, Any]]:
        """Pairs of a rigid object and a terrain that collide."""
        yield from self._hits(self._chosen(self.rigidObjects, object), self._chosen(self.terrains, terrain))

    def objectObjectCollisions(self, object: Any, object2: Any = None) -> Iterator[tuple[Any, Any]]:
        """Pairs of rigid objects that collide."""
        yield from self._hits(self._chosen(self.rigidObjects, object), self._chosen(self.rigidObjects, object2))

    def rayCast(self, s: Vector, d: Vector, indices: Sequence[int] | None = None) -> tuple[Any, list[float]] | None:
        """The first element that a ray hits, and where."""
        chosen = self.geomList if indices is None else [self.geomList[i] for i in indices if i >= 0]
        hit = ray_cast([shape for _, shape in chosen], s, d)
        return None if hit is None else (chosen[hit[0]][0], hit[1])

    def rayCastRobot(self, robot: RobotModel | int, s: Vector, d: Vector) -> tuple[Any, list[float]] | None:
        """The first link of a robot that a ray hits, and where."""
        return self.rayCast(s, d, self._links(robot))


__getattr__ = module_getattr("model.collide")
