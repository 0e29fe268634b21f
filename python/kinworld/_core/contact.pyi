"""
Contacts with friction.
"""

from . import ContactPair, State
from _typeshed import SupportsGetItem
from kinworld._core import Link
from numpy import float64
from numpy.typing import ArrayLike, NDArray
from typing import SupportsFloat, SupportsIndex, final

__all__ = ["ContactPoint", "Equilibrium", "FrictionCone", "RobotEquilibrium", "SupportPolygon", "closure_margin", "equilibrium", "force_closure", "grasp_matrix", "joint_forces", "level_support", "net_wrench", "robot_equilibrium", "support_polygon"]

@final
class ContactPoint:
    """
    A point contact on a body: a point (3) in the world, the normal (3) into the body, the coefficient of friction.
    """
    def __new__(cls, /, point: ArrayLike, normal: ArrayLike, friction: SupportsFloat | SupportsIndex) -> ContactPoint: ...
    def __repr__(self, /) -> str: ...
    @staticmethod
    def between(pair: ContactPair, friction: SupportsFloat | SupportsIndex) -> ContactPoint:
        """
        The contact on the first shape of a pair that collision detection found.
        """
    @property
    def cone(self, /) -> FrictionCone:
        """
        The friction cone.
        """
    @property
    def friction(self, /) -> float:
        """
        Coefficient of friction.
        """
    @property
    def normal(self, /) -> NDArray[float64]:
        """
        The unit normal (3), into the body.
        """
    @property
    def point(self, /) -> NDArray[float64]:
        """
        The point (3), m.
        """
    def reflected(self, /) -> ContactPoint:
        """
        The contact on the other body.
        """

@final
class Equilibrium:
    """
    Contact forces that balance a load.
    """
    def __bool__(self, /) -> bool: ...
    def __repr__(self, /) -> str: ...
    @property
    def error(self, /) -> float:
        """
        Size of the residual relative to the load.
        """
    @property
    def forces(self, /) -> NDArray[float64]:
        """
        Forces (k × 3) of the contacts, N.
        """
    @property
    def holds(self, /) -> bool:
        """
        Whether the load is balanced.
        """
    @property
    def residual(self, /) -> NDArray[float64]:
        """
        The part (6) of the load that is not balanced, moment first.
        """

@final
class FrictionCone:
    """
    Coulomb's friction cone: forces that push along ``normal`` (3) with a tangential part of at most ``friction`` times
    the normal part.
    """
    def __new__(cls, /, normal: ArrayLike, friction: SupportsFloat | SupportsIndex) -> FrictionCone: ...
    def __repr__(self, /) -> str: ...
    @property
    def angle(self, /) -> float:
        """
        Angle between the normal and the surface of the cone, rad.
        """
    def contains(self, /, force: ArrayLike) -> bool:
        """
        Whether a force (3) is within the cone.
        """
    def edges(self, /, n: SupportsIndex) -> NDArray[float64]:
        """
        Edges (n × 3) of an inscribed pyramid.
        """
    def excess(self, /, force: ArrayLike) -> float:
        """
        How far a force (3) is outside the cone, N; 0 or less within.
        """
    @property
    def friction(self, /) -> float:
        """
        Coefficient of friction.
        """
    @property
    def normal(self, /) -> NDArray[float64]:
        """
        The unit normal (3).
        """
    def project(self, /, force: ArrayLike) -> NDArray[float64]:
        """
        The nearest force (3) within the cone.
        """
    def reflected(self, /) -> FrictionCone:
        """
        The cone of the opposite normal: of the reaction.
        """
    @property
    def tangents(self, /) -> NDArray[float64]:
        """
        Two unit vectors (2 × 3) at right angles to the normal and each other.
        """

@final
class RobotEquilibrium:
    """
    Contact forces and motor forces that hold a robot in gravity.
    """
    def __bool__(self, /) -> bool: ...
    def __repr__(self, /) -> str: ...
    @property
    def drivers(self, /) -> NDArray[float64]:
        """
        Forces of the drivers, N·m or N.
        """
    @property
    def effort(self, /) -> float:
        """
        Largest driver force relative to its limit.
        """
    @property
    def error(self, /) -> float:
        """
        Size of the residual relative to gravity.
        """
    @property
    def forces(self, /) -> NDArray[float64]:
        """
        Forces (k × 3) of the contacts, N.
        """
    @property
    def holds(self, /) -> bool:
        """
        Whether gravity is balanced.
        """
    @property
    def residual(self, /) -> NDArray[float64]:
        """
        Joint forces (n) that are not balanced.
        """

@final
class SupportPolygon:
    """
    Horizontal positions of the centre of mass in static equilibrium.
    """
    def __repr__(self, /) -> str: ...
    @property
    def area(self, /) -> float:
        """
        Area, m².
        """
    def contains(self, /, x: SupportsFloat | SupportsIndex, y: SupportsFloat | SupportsIndex) -> bool:
        """
        Whether (x, y) is inside.
        """
    @property
    def is_bounded(self, /) -> bool:
        """
        Whether the polygon is bounded.
        """
    def margin(self, /, x: SupportsFloat | SupportsIndex, y: SupportsFloat | SupportsIndex) -> float:
        """
        Distance of (x, y) from the edge, m; negative outside.
        """
    @property
    def vertices(self, /) -> NDArray[float64]:
        """
        The corners (k × 2), counterclockwise, m.
        """

def closure_margin(contacts: SupportsGetItem[int, ContactPoint], *, normal: ArrayLike | None = None) -> float:
    """
    How far the contacts are from losing force closure; 0 or less without it.
    """

def equilibrium(contacts: SupportsGetItem[int, ContactPoint], load: ArrayLike, about: ArrayLike = ..., *, pyramid: SupportsIndex | None = None) -> Equilibrium:
    """
    Contact forces that balance a load (6): a wrench about the point ``about``, moment first, in world axes.

    The cones are exact, or pyramids with ``pyramid`` edges.
    """

def force_closure(contacts: SupportsGetItem[int, ContactPoint], *, normal: ArrayLike | None = None) -> bool:
    """
    Whether the contacts resist every load: in space, or in the plane of a ``normal`` (3).
    """

def grasp_matrix(contacts: SupportsGetItem[int, ContactPoint], about: ArrayLike = ...) -> NDArray[float64]:
    """
    The matrix (6 × 3k) from contact forces to their wrench about a point, moment first.
    """

def joint_forces(state: State, contacts: SupportsGetItem[int, tuple[int | str | Link, ContactPoint]], forces: ArrayLike) -> NDArray[float64]:
    """
    Joint forces (n) of contact forces (k × 3) on links: the sum of Jᵀ f. ``contacts`` are pairs of a link and a
    ``ContactPoint``.
    """

def level_support(contacts: SupportsGetItem[int, ContactPoint]) -> SupportPolygon:
    """
    The support polygon of contacts on level ground: their convex hull.
    """

def net_wrench(contacts: SupportsGetItem[int, ContactPoint], forces: ArrayLike, about: ArrayLike = ...) -> NDArray[float64]:
    """
    The wrench (6) of contact forces (k × 3) about a point, moment first.
    """

def robot_equilibrium(state: State, contacts: SupportsGetItem[int, tuple[int | str | Link, ContactPoint]], *, gravity: ArrayLike = ..., pyramid: SupportsIndex | None = None) -> RobotEquilibrium:
    """
    Contact forces and driver forces within their limits that hold a robot in gravity.
    """

def support_polygon(contacts: SupportsGetItem[int, ContactPoint], *, pyramid: SupportsIndex | None = None) -> SupportPolygon:
    """
    The support polygon of contacts on any ground.
    """
