"""
Denavit-Hartenberg tables.
"""

from . import Inertia, Robot
from _typeshed import SupportsGetItem, SupportsLenAndGetItem
from kinworld._core import Link
from numpy import float64
from numpy.typing import ArrayLike, NDArray
from typing import SupportsFloat, SupportsIndex, final

__all__ = ["DhRow", "DhTable", "Parameters", "modified", "row_dofs", "row_values", "standard"]

@final
class DhRow:
    """
    A row of a table: a joint and its link. ``parent`` is ``"previous"``, ``"base"`` or the index of a row.
    """
    def __new__(cls, /, name: str, parameters: Parameters, *, prismatic: bool = False, parent: str | SupportsIndex | None = None, inertia: Inertia | None = None, limits: SupportsLenAndGetItem[SupportsFloat | SupportsIndex] | None = None, velocity: SupportsFloat | SupportsIndex | None = None, acceleration: SupportsFloat | SupportsIndex | None = None, torque: SupportsFloat | SupportsIndex | None = None, initial: SupportsFloat | SupportsIndex = 0.0, gains: SupportsLenAndGetItem[SupportsFloat | SupportsIndex] | None = None) -> DhRow: ...
    def __repr__(self, /) -> str: ...
    @property
    def inertia(self, /) -> Inertia:
        """
        Mass properties of the link.
        """
    @property
    def name(self, /) -> str:
        """
        The name.
        """
    @property
    def parameters(self, /) -> Parameters:
        """
        The numbers.
        """
    @property
    def prismatic(self, /) -> bool:
        """
        Whether the joint is prismatic.
        """

@final
class DhTable:
    """
    A robot as a Denavit-Hartenberg table.

    >>> import kinworld as kw
    >>> row = lambda name: kw.dh.DhRow(name, kw.dh.Parameters.standard(a=1.0))
    >>> kw.dh.DhTable("scara", [row("upper"), row("lower")]).link_frames([0, 0])[1][:3, 3]
    array([2., 0., 0.])
    """
    def __len__(self, /) -> int: ...
    def __new__(cls, /, name: str, rows: SupportsGetItem[int, DhRow], *, base: ArrayLike | None = None, tool: ArrayLike | None = None) -> DhTable: ...
    def __repr__(self, /) -> str: ...
    @property
    def array(self, /) -> NDArray[float64]:
        """
        The numbers (k × 4) in the order of the convention; fails where a row is general.
        """
    @property
    def base(self, /) -> NDArray[float64]:
        """
        Pose (4 × 4) of the base in the world.
        """
    def build(self, /) -> Robot:
        """
        The robot: two links per row, the massless one that the joint moves and the one that carries the mass.
        """
    def com_frames(self, /, q: ArrayLike) -> NDArray[float64]:
        """
        Frames (k × 4 × 4) of the centres of mass at the rows' values (k), in the world.
        """
    @property
    def is_serial(self, /) -> bool:
        """
        Whether each row is the child of the one before.
        """
    def joint_frames(self, /, q: ArrayLike) -> NDArray[float64]:
        """
        Frames (k × 4 × 4) of the joints at the rows' values (k), in the world.
        """
    def link_frames(self, /, q: ArrayLike) -> NDArray[float64]:
        """
        Frames (k × 4 × 4) of the links at the rows' values (k), in the world.
        """
    @property
    def name(self, /) -> str:
        """
        The name.
        """
    def row_links(self, /, row: SupportsIndex) -> tuple[int, int] | None:
        """
        The indices of the two links that a row becomes.
        """
    @property
    def rows(self, /) -> list[DhRow]:
        """
        The rows.
        """
    @property
    def tool(self, /) -> NDArray[float64] | None:
        """
        Pose (4 × 4) of the tool in the last link, if there is one.
        """
    @property
    def tool_link(self, /) -> int | None:
        """
        The index of the link of the tool.
        """

@final
class Parameters:
    """
    Numbers of a row: standard (theta, d, a, alpha), modified (alpha, d, theta, r), or a general joint.

    The standard convention is Rz(theta) Tz(d) Tx(a) Rx(alpha), the modified one Rx(alpha) Tx(d) Rz(theta) Tz(r); the
    joint's value adds to theta or, where the joint is prismatic, to d or r.
    """
    def __repr__(self, /) -> str: ...
    @property
    def array(self, /) -> NDArray[float64] | None:
        """
        The four numbers in the order of their convention; ``None`` for a general joint.
        """
    @property
    def convention(self, /) -> str:
        """
        ``"standard"``, ``"modified"`` or ``"general"``.
        """
    @staticmethod
    def from_craig(*, alpha: SupportsFloat | SupportsIndex = 0.0, a: SupportsFloat | SupportsIndex = 0.0, d: SupportsFloat | SupportsIndex = 0.0, theta: SupportsFloat | SupportsIndex = 0.0) -> Parameters:
        """
        Modified parameters in Craig's symbols: alpha and a of the link before, d and theta of the joint.
        """
    @staticmethod
    def general(*, before: ArrayLike | None = None, axis: ArrayLike = ..., after: ArrayLike | None = None) -> Parameters:
        """
        A joint about or along any axis (3) between two constant frames (4 × 4).
        """
    @staticmethod
    def modified(*, alpha: SupportsFloat | SupportsIndex = 0.0, d: SupportsFloat | SupportsIndex = 0.0, theta: SupportsFloat | SupportsIndex = 0.0, r: SupportsFloat | SupportsIndex = 0.0) -> Parameters:
        """
        Modified parameters, rad and m.
        """
    @staticmethod
    def standard(*, theta: SupportsFloat | SupportsIndex = 0.0, d: SupportsFloat | SupportsIndex = 0.0, a: SupportsFloat | SupportsIndex = 0.0, alpha: SupportsFloat | SupportsIndex = 0.0) -> Parameters:
        """
        Standard parameters, rad and m.
        """

def modified(robot: Robot, end: int | str | Link) -> DhTable:
    """
    The modified table of the chain from the world to a link of a robot.
    """

def row_dofs(robot: Robot, end: int | str | Link) -> list[int]:
    """
    The degrees of freedom of a robot that the rows of its table have.
    """

def row_values(robot: Robot, end: int | str | Link, q: ArrayLike) -> NDArray[float64]:
    """
    The values (k) of the rows of a robot's table at a configuration (n).
    """

def standard(robot: Robot, end: int | str | Link) -> DhTable:
    """
    The standard table of the chain from the world to a link of a robot.
    """
