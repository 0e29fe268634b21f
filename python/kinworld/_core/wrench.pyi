"""
Wrenches and their balances.
"""

from . import Robot, State
from _typeshed import SupportsGetItem
from kinworld._core import Link
from numpy import float64
from numpy.typing import ArrayLike, NDArray
from typing import Any, SupportsFloat, SupportsIndex, final

__all__ = ["AppliedWrench", "Balance", "Frame", "Frames", "Segment", "balance", "chain", "limb", "table"]

@final
class AppliedWrench:
    """
    A wrench about a point, in the axes of a frame. ``Frames.wrench`` makes one.
    """
    def __add__(self, other: object, /) -> AppliedWrench: ...
    def __mul__(self, factor: object, /) -> AppliedWrench: ...
    def __neg__(self, /) -> AppliedWrench: ...
    def __repr__(self, /) -> str: ...
    def __rmul__(self, factor: object, /) -> AppliedWrench: ...
    def __sub__(self, other: object, /) -> AppliedWrench: ...
    @property
    def array(self, /) -> NDArray[float64]:
        """
        Moment and force (6).
        """
    def equate(self, /, others: SupportsGetItem[int, AppliedWrench]) -> AppliedWrench:
        """
        The wrench that is missing to make the others sum up to this one.
        """
    def expressed(self, /, frame: Frame | int | str | Link | None, frames: Frames) -> AppliedWrench:
        """
        The same wrench in the axes of another frame.
        """
    @property
    def force(self, /) -> NDArray[float64]:
        """
        Force (3), N.
        """
    @property
    def moment(self, /) -> NDArray[float64]:
        """
        Moment (3), N·m.
        """
    def translated(self, /, point: tuple[Frame | int | str | Link | None, ArrayLike] | Frame | int | str | Link | None, frames: Frames) -> AppliedWrench:
        """
        The same wrench about another site.
        """

@final
class Balance:
    """
    The wrenches on a link about its origin, in the axes of the observer; ``balance["gravity"]`` is one of them.

    ``dynamic``, the rate of the momentum that the observer measures, is the sum of the others: ``joint``, ``gravity``,
    ``tip``, ``external``, and the fictitious ``dalembert``, ``euler``, ``centrifugal``, ``coriolis``.
    """
    def __getitem__(self, name: str, /) -> AppliedWrench: ...
    def __iter__(self, /) -> Any: ...
    def __len__(self, /) -> int: ...
    def __repr__(self, /) -> str: ...
    def __str__(self, /) -> str: ...
    def keys(self, /) -> list[str]:
        """
        The names of the wrenches.
        """
    @property
    def link(self, /) -> str:
        """
        The name of the link.
        """

@final
class Frame:
    """
    A frame that ``Frames.add`` made.
    """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __repr__(self, /) -> str: ...

@final
class Frames:
    """
    Frames of a robot at one instant of a motion, and others that move independently.

    A frame is ``None`` for the world, a link, or what ``add`` returned. A site is a frame, for its origin, or
    ``(frame, point)``; as an observer it has the axes of the frame.

    >>> import kinworld as kw
    >>> arm = kw.Robot.load("data/robots/planar3R.rob")
    >>> frames = kw.wrench.Frames(arm.state([0, 0, 0], [1, 0, 0]))
    >>> frames.relative("link2", None)[1]
    array([0., 2., 0.])
    """
    def __new__(cls, /, state: State, ddq: ArrayLike | None = None) -> Frames: ...
    def __repr__(self, /) -> str: ...
    def add(self, /, pose: ArrayLike, *, velocity: ArrayLike = ..., acceleration: ArrayLike = ...) -> Frame:
        """
        Adds a frame with a pose (4 × 4) in the world, velocity and acceleration (6 each, angular first, world axes).
        """
    def angular(self, /, of: Frame | int | str | Link | None, seen_from: Frame | int | str | Link | None) -> tuple[NDArray[float64], NDArray[float64]]:
        """
        Angular velocity and acceleration (3 each) of a frame as another sees them, in the axes of the other.
        """
    def between(self, /, source: tuple[Frame | int | str | Link | None, ArrayLike] | Frame | int | str | Link | None, to: tuple[Frame | int | str | Link | None, ArrayLike] | Frame | int | str | Link | None, axes: Frame | int | str | Link | None) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
        """
        Position, velocity and acceleration (3 each) of one point minus those of another, in the axes of a frame.
        """
    def inertia(self, /, link: int | str | Link, about: tuple[Frame | int | str | Link | None, ArrayLike] | Frame | int | str | Link | None, axes: Frame | int | str | Link | None) -> NDArray[float64]:
        """
        Moment of inertia (3 × 3) of a link about a site in the axes of a frame, kg·m².
        """
    def motion(self, /, frame: Frame | int | str | Link | None) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
        """
        Pose (4 × 4), velocity and acceleration (6 each, angular first) of a frame in world axes.
        """
    def position(self, /, point: tuple[Frame | int | str | Link | None, ArrayLike] | Frame | int | str | Link | None) -> NDArray[float64]:
        """
        Position (3) of a site in the world.
        """
    def relative(self, /, point: tuple[Frame | int | str | Link | None, ArrayLike] | Frame | int | str | Link | None, observer: tuple[Frame | int | str | Link | None, ArrayLike] | Frame | int | str | Link | None) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
        """
        Position, velocity and acceleration (3 each) of a point as an observer sees them, in the observer's axes.
        """
    @property
    def robot(self, /) -> Robot:
        """
        The robot.
        """
    def rotation(self, /, to: Frame | int | str | Link | None, source: Frame | int | str | Link | None) -> NDArray[float64]:
        """
        The rotation (3 × 3) that expresses vectors of one frame in another.
        """
    def wrench(self, /, *, force: ArrayLike = ..., moment: ArrayLike = ..., at: tuple[Frame | int | str | Link | None, ArrayLike] | Frame | int | str | Link | None = None, axes: Frame | int | str | Link | None = None) -> AppliedWrench:
        """
        A wrench about a site, in the axes of a frame: a moment and a force (3 each), N·m and N.
        """

@final
class Segment:
    """
    A segment of a limb along y from its upper joint: m, kg; ``center`` is the place of the centre of mass relative to
    the length, ``moment`` (3 × 3) is about it.
    """
    def __new__(cls, /, name: str, length: SupportsFloat | SupportsIndex, mass: SupportsFloat | SupportsIndex, *, center: SupportsFloat | SupportsIndex = 0.5, moment: ArrayLike | None = None) -> Segment: ...
    def __repr__(self, /) -> str: ...

def balance(frames: Frames, link: int | str | Link, *, observer: tuple[Frame | int | str | Link | None, ArrayLike] | Frame | int | str | Link | None = None, gravity: ArrayLike = ..., external: SupportsGetItem[int, tuple[int | str | Link, AppliedWrench]] | None = None) -> Balance:
    """
    The wrench balance of a link, as an observer sees it.
    """

def chain(frames: Frames, *, observer: tuple[Frame | int | str | Link | None, ArrayLike] | Frame | int | str | Link | None = None, gravity: ArrayLike = ..., external: SupportsGetItem[int, tuple[int | str | Link, AppliedWrench]] | None = None) -> list[Balance]:
    """
    The wrench balances of all links, as an observer sees them.
    """

def limb(name: str, segments: SupportsGetItem[int, Segment], *, joint: str = "normal") -> Robot:
    """
    A limb attached to the world: planar (``"normal"`` joints about z) or spatial (``"ballandsocket"``).
    """

def table(balances: SupportsGetItem[int, Balance]) -> str:
    """
    Balances as a table to read.
    """
