"""Worlds."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._core import LoadOptions, RigidObject, Terrain, World
from .._errors import LoadError, LoadWarning, NotFoundError
from ._advice import Advised
from ._objects import Element, RigidObjectModel, TerrainModel
from ._robot import RobotModel

if TYPE_CHECKING:
    from .._core import Diagnostic


def report(problem: LoadError) -> bool:
    """Warns about a file that cannot be used: Klampt prints and returns false."""
    warnings.warn(LoadWarning(str(problem)), stacklevel=4)
    return False


class WorldModel(Advised):
    """A world. ``native`` is the `kinworld.World`, ``diagnostics`` what the loaders reported."""

    def __init__(self, world: WorldModel | None = None) -> None:
        self.native: World = World() if world is None else world.native
        self.diagnostics: list[Diagnostic] = []
        self._next = 0
        self._robots: list[RobotModel] = []
        self._objects: list[RigidObjectModel] = []
        self._terrains: list[TerrainModel] = []
        if world is not None:
            self._next = world._next
            self._robots, self._objects, self._terrains = world._robots, world._objects, world._terrains

    def _sync(self) -> None:
        """Gives a handle to each element that has none."""
        every: tuple[tuple[list[Any], Any, Any], ...] = (
            (self._robots, self.native.robots, RobotModel),
            (self._objects, self.native.rigid_objects, RigidObjectModel),
            (self._terrains, self.native.terrains, TerrainModel),
        )
        for lists, natives, kind in every:
            known = {element.getName() for element in lists}
            for name in natives.names():
                if name not in known:
                    lists.append(kind(self, natives[name], self._next))
                    self._next += 1

    def _list(self, element: Any) -> list[Any]:
        every: tuple[list[Any], ...] = (self._robots, self._objects, self._terrains)
        for elements in every:
            if element in elements:
                return elements
        raise NotFoundError(f"`{element!r}` is not an element of this world; it may have been removed")

    def _index(self, element: Any) -> int:
        return self._list(element).index(element)

    def _replace(self, element: Element, body: Any) -> None:
        """Puts another object or terrain behind a handle."""
        self._list(element)
        name = element.native.name
        self.native.remove(element.native.entity)
        self.native.add(body, name)
        kind = self.native.rigid_objects if isinstance(element, RigidObjectModel) else self.native.terrains
        element.native = kind[name]

    def readFile(self, fn: str) -> bool:
        """Adds all of a file: a world, a robot, an object or a terrain. False where it cannot be used."""
        return self.loadElement(fn) >= 0

    loadFile = readFile

    def loadElement(self, fn: str) -> int:
        """Adds all of a file. The number of the first element that was added, or -1."""
        first = self._next
        try:
            self._load(fn)
        except LoadError as problem:
            self.diagnostics = [*self.native.diagnostics, *problem.diagnostics]
            report(problem)
            return -1
        self.diagnostics = list(self.native.diagnostics)
        self._sync()
        return first

    def _load(self, fn: str) -> None:
        """Loads a file; a URDF without Klampt's element and without a link `world` floats, as in Klampt."""
        path = Path(fn)
        options = None
        if path.suffix == ".urdf" and path.is_file():
            text = path.read_text(errors="replace")
            fixed = 'link name="world"' in text or "<klampt" in text
            options = None if fixed else LoadOptions(base="floating")
        self.native.add(path, options=options)

    def saveFile(self, fn: str, elementDir: str | None = None) -> bool:
        """Saves the world with its meshes, in a folder beside the file."""
        Path(fn).parent.mkdir(parents=True, exist_ok=True)
        self.native.save(fn, force=True)
        return True

    def copy(self) -> WorldModel:
        """A world of its own with the same contents."""
        out = WorldModel()
        out.native = self.native.copy()
        out._sync()
        return out

    def add(self, name: str, item: Any) -> Any:
        """Adds a copy of an element of another world."""
        natives = {"RobotModel": "robot", "RigidObjectModel": "rigid object", "TerrainModel": "terrain"}
        kind = type(item).__name__
        if kind == "RobotModel":
            self.native.add(item.native.robot, name)
        elif kind == "RigidObjectModel":
            native = item.native
            body = RigidObject(name, native.geometry, mass=native.mass, com=native.com, moment=native.moment)
            self.native.add(body, name)
        elif kind == "TerrainModel":
            self.native.add(Terrain(name, item.native.geometry), name)
        else:
            raise TypeError(f"expected one of {', '.join(natives)}, found {kind}")
        self._sync()
        return (self._robots if kind == "RobotModel" else self._objects if kind == "RigidObjectModel" else self._terrains)[-1]

    def makeRigidObject(self, name: str) -> RigidObjectModel:
        """Adds a rigid object without a shape."""
        self.native.add(RigidObject(name), name)
        self._sync()
        return self._objects[-1]

    def makeTerrain(self, name: str) -> TerrainModel:
        """Adds a terrain without a shape."""
        self.native.add(Terrain(name), name)
        self._sync()
        return self._terrains[-1]

    def remove(self, obj: Any) -> None:
        """Removes an element; handles of others stay valid."""
        elements = self._list(obj)
        self.native.remove(obj.native.entity)
        elements.remove(obj)

    def _find(self, elements: list[Any], key: int | str, what: str) -> Any:
        if isinstance(key, str):
            for element in elements:
                if element.getName() == key:
                    return element
        elif 0 <= key < len(elements):
            return elements[key]
        names = ", ".join(element.getName() for element in elements) or "none"
        raise NotFoundError(f"no {what} `{key}`; there are: {names}")

    def robot(self, index: int | str) -> RobotModel:
        """A robot, by index or name."""
        robot: RobotModel = self._find(self._robots, index, "robot")
        return robot

    def rigidObject(self, index: int | str) -> RigidObjectModel:
        """A rigid object, by index or name."""
        found: RigidObjectModel = self._find(self._objects, index, "rigid object")
        return found

    def terrain(self, index: int | str) -> TerrainModel:
        """A terrain, by index or name."""
        found: TerrainModel = self._find(self._terrains, index, "terrain")
        return found

    def numRobots(self) -> int:
        """Number of robots."""
        return len(self._robots)

    def numRigidObjects(self) -> int:
        """Number of rigid objects."""
        return len(self._objects)

    def numTerrains(self) -> int:
        """Number of terrains."""
        return len(self._terrains)

    def numRobotLinks(self, robot: int) -> int:
        """Number of links of a robot."""
        return self.robot(robot).numLinks()

    def numIDs(self) -> int:
        """Number of robots, links, rigid objects and terrains."""
        links = sum(robot.numLinks() for robot in self._robots)
        return len(self._robots) + len(self._objects) + len(self._terrains) + links

    def enableInitCollisions(self, enabled: bool) -> None:
        """Nothing to do: what collisions need is prepared when it is needed."""

    @property
    def robots(self) -> list[RobotModel]:
        """The robots."""
        return list(self._robots)

    @property
    def rigidObjects(self) -> list[RigidObjectModel]:
        """The rigid objects."""
        return list(self._objects)

    @property
    def terrains(self) -> list[TerrainModel]:
        """The terrains."""
        return list(self._terrains)

    def __repr__(self) -> str:
        return f"WorldModel: {self.numRobots()} robots, {self.numRigidObjects()} rigid objects, {self.numTerrains()} terrains"
