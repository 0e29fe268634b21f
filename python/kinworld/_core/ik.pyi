"""
Inverse kinematics.
"""

from . import Robot, Space, State
from _typeshed import SupportsGetItem, SupportsLenAndGetItem
from collections.abc import Sequence
from kinworld._core import Link, Robot as Robot2, State as State2
from kinworld._core.ik import Objective as Objective2
from numpy import float64
from numpy.typing import ArrayLike, NDArray
from typing import Any, SupportsFloat, SupportsIndex, final

__all__ = ["Objective", "Solution", "VelocitySolution", "VelocityTask", "analytic", "differential", "joint_velocity_task", "objective", "position_barrier", "residual", "residual_jacobian", "solve", "solve_batch", "solve_nearby", "solve_path", "subdivide", "towards", "velocity", "velocity_task"]

@final
class Objective:
    """
    A goal for the pose of a link: position, rotation, or both. Functions of `kinworld.ik` look up the link by name.
    """
    def __repr__(self, /) -> str: ...
    def closest(self, /, robot: Robot, near: ArrayLike) -> NDArray[float64]:
        """
        The pose (4 × 4) of the link that satisfies the goal and is nearest to ``near`` (4 × 4), as goals in the world.
        """
    @property
    def rows(self, /) -> int:
        """
        Number of equations.
        """
    def sample(self, /, robot: Robot, near: ArrayLike, radius: SupportsFloat | SupportsIndex, seed: SupportsIndex) -> NDArray[float64]:
        """
        A random pose (4 × 4) of the link that satisfies the goal, about ``radius`` m from ``near`` (4 × 4) where it is free.
        """

@final
class Solution:
    """
    Best configuration that a search found.
    """
    def __bool__(self, /) -> bool: ...
    def __repr__(self, /) -> str: ...
    @property
    def active_limits(self, /) -> list[tuple[str, str]]:
        """
        The joints at a limit, each with ``"lower"`` or ``"upper"``.
        """
    @property
    def iterations(self, /) -> int:
        """
        Number of iterations.
        """
    @property
    def position_error(self, /) -> float:
        """
        Largest position error, m.
        """
    @property
    def q(self, /) -> NDArray[float64]:
        """
        The configuration (n).
        """
    @property
    def residual(self, /) -> NDArray[float64]:
        """
        The residual (m or rad) of each equation.
        """
    @property
    def rotation_error(self, /) -> float:
        """
        Largest rotation error, rad.
        """
    @property
    def solved(self, /) -> bool:
        """
        Whether the goals are reached.
        """
    @property
    def starts(self, /) -> int:
        """
        Number of start configurations.
        """
    @property
    def termination(self, /) -> str:
        """
        ``"reached"``, ``"infeasible"``, ``"no progress"`` or ``"out of iterations"``.
        """

@final
class VelocitySolution:
    """
    Joint velocity, and what it achieves.
    """
    def __repr__(self, /) -> str: ...
    @property
    def active_constraints(self, /) -> list[int]:
        """
        Indices of the constraints that hold with equality.
        """
    @property
    def active_limits(self, /) -> list[tuple[str, str]]:
        """
        The joints at a velocity limit, or slowed by a position limit, each with ``"lower"`` or ``"upper"``.
        """
    @property
    def dq(self, /) -> NDArray[float64]:
        """
        The velocity (n), rad/s or m/s.
        """
    @property
    def feasible(self, /) -> bool:
        """
        Whether every constraint is satisfied.
        """
    @property
    def is_optimal(self, /) -> bool:
        """
        Whether every level is at its minimum; otherwise rounding ended a search early, with all limits and constraints kept.
        """
    @property
    def residual(self, /) -> NDArray[float64]:
        """
        Achieved minus target velocity: of each link task, linear rows first, then of each joint task.
        """
    @property
    def violated_constraints(self, /) -> list[int]:
        """
        Indices of the constraints that cannot be met together within the limits.
        """
    @property
    def violation(self, /) -> float:
        """
        Largest ``row · dq − bound`` of the violated constraints; 0 where there are none.
        """

@final
class VelocityTask:
    """
    A target velocity of a link or of the joints, for `velocity`.
    """
    def __repr__(self, /) -> str: ...

def analytic(robot: Robot2 | State2, link: int | str | Link, pose: ArrayLike, near: ArrayLike | None = None) -> NDArray[float64]:
    """
    All configurations (k × n) of an arm with a spherical wrist that put a link at a pose (4 × 4), by closed formulas.

    Raises where the arm has no such solution: it needs six joints, an ortho-parallel base and a spherical wrist.
    """

def differential(state: State, link: int | str | Link, twist: ArrayLike, *, dt: SupportsFloat | SupportsIndex | None = None, damping: SupportsFloat | SupportsIndex | None = None, velocity_limits: SupportsGetItem[int, SupportsLenAndGetItem[SupportsFloat | SupportsIndex]] | None = None, active: SupportsGetItem[int, int | str] | None = None) -> NDArray[float64]:
    """
    Joint velocities (n) that move a link with a twist (6, angular first, world axes) within the limits.

    ``dt`` is the time for which positions stay within their limits; ``velocity_limits`` (n × 2) replace those of the
    robot. `towards` gives the twist to a goal.
    """

def joint_velocity_task(dq: ArrayLike, *, weights: ArrayLike | None = None, level: SupportsIndex = 0) -> VelocityTask:
    """
    A target velocity of the joints (n), such as a return to a posture, for `velocity`; ``weights`` (n) of 0 leave a joint out.
    """

def objective(link: int | str | Link, *, pose: ArrayLike | None = None, position: ArrayLike | None = None, local: ArrayLike = ..., line: tuple[ArrayLike, ArrayLike] | None = None, plane: tuple[ArrayLike, ArrayLike] | None = None, points: SupportsGetItem[int, tuple[ArrayLike, ArrayLike]] | None = None, rotation: ArrayLike | None = None, axis: tuple[ArrayLike, ArrayLike] | None = None, relative_to: int | str | Link | None = None, frame: ArrayLike | None = None, weights: tuple[SupportsFloat | SupportsIndex, SupportsFloat | SupportsIndex] = ...) -> Objective:
    """
    A goal for the pose of a link.

    - ``pose`` (4 × 4): the pose of the link, position and rotation.
    - ``position`` (3): the position of the point ``local`` (3) of the link.
    - ``line`` (point, direction) or ``plane`` (point, normal): that point is on a line or in a plane.
    - ``points``: pairs of a point of the link (3) and its position (3).
    - ``rotation`` (3 × 3): the rotation of the link.
    - ``axis`` (direction of the link, direction of the world): two directions are parallel.

    Targets are in the world, in the frame of the link ``relative_to``, or in ``frame`` (4 × 4).

    >>> import kinworld as kw
    >>> arm = kw.Robot.load("data/robots/planar3R.rob")
    >>> goal = kw.ik.objective("link2", position=(1.5, 0, 1), local=(1, 0, 0))
    >>> kw.ik.solve(arm, goal).solved
    True
    """

def position_barrier(state: State, link: int | str | Link, normal: ArrayLike, offset: SupportsFloat | SupportsIndex, *, local: ArrayLike = ..., gain: SupportsFloat | SupportsIndex = 10.0) -> tuple[NDArray[float64], float]:
    """
    The row (n) and the bound of a constraint for `velocity`, which keeps the point ``local`` of a link in the half-space ``normal · p
    ≥ offset`` of the world.

    The distance falls no faster than ``gain`` (1/s) times itself, and rises at that rate where it is negative.
    """

def residual(state: State, objectives: Objective2 | Sequence[Objective2]) -> NDArray[float64]:
    """
    Residual (k) of objectives at a state, m and rad.
    """

def residual_jacobian(state: State, objectives: Objective2 | Sequence[Objective2]) -> NDArray[float64]:
    """
    Jacobian (k × n) of the residual of objectives at a state.
    """

def solve(robot: Robot2 | State2, objectives: Objective2 | Sequence[Objective2], start: ArrayLike | None = None, *, space: Space | None = None, tolerance: SupportsFloat | SupportsIndex = 1e-9, iterations: SupportsIndex = 100, restarts: SupportsIndex = 100, seed: SupportsIndex = 0, active: SupportsGetItem[int, int | str] | None = None, posture: ArrayLike | None = None, secondary: Objective2 | Sequence[Objective2] | None = None, limits: SupportsGetItem[int, SupportsLenAndGetItem[SupportsFloat | SupportsIndex]] | None = None, progress: Any | None = None) -> Solution:
    """
    Solves inverse kinematics within the limits, from ``start`` or where the state is, then from random configurations.

    Where the goals cannot be reached, the best configuration is returned and ``solved`` is false. With ``space``, the
    solution is also free of collisions. ``active`` names the joints that move; ``posture`` (n) is a configuration to stay
    near, ``secondary`` are goals of lower priority; ``limits`` (n × 2) replace those of the robot.
    """

def solve_batch(robot: Robot2 | State2, problems: SupportsGetItem[int, tuple[Objective2 | Sequence[Objective2], ArrayLike]], *, tolerance: SupportsFloat | SupportsIndex = 1e-9, iterations: SupportsIndex = 100, restarts: SupportsIndex = 100, seed: SupportsIndex = 0) -> list[Solution]:
    """
    Solves many problems on all cores: objectives and a start (n) each.
    """

def solve_nearby(robot: Robot2 | State2, objectives: Objective2 | Sequence[Objective2], deviation: SupportsFloat | SupportsIndex, start: ArrayLike | None = None, *, tolerance: SupportsFloat | SupportsIndex = 1e-9, iterations: SupportsIndex = 100, active: SupportsGetItem[int, int | str] | None = None) -> Solution:
    """
    Solves inverse kinematics with each joint within ``deviation`` of the start.
    """

def solve_path(robot: Robot2 | State2, link: int | str | Link, waypoints: SupportsGetItem[int, ArrayLike], start: ArrayLike | None = None, *, max_distance: SupportsFloat | SupportsIndex | None = None, max_angle: SupportsFloat | SupportsIndex | None = None, min_steps: SupportsIndex | None = None, max_change: SupportsFloat | SupportsIndex | None = None, max_halvings: SupportsIndex | None = None, tolerance: SupportsFloat | SupportsIndex = 1e-9) -> tuple[NDArray[float64], bool]:
    """
    Follows a path of poses (K × 4 × 4) with a link: configurations (m × n), and whether the end was reached.

    Steps are at most ``max_distance`` m and ``max_angle`` rad long, and at least ``min_steps`` between two waypoints. A
    step that moves a joint by more than ``max_change`` (rad or m) is halved, at most ``max_halvings`` times.
    """

def subdivide(a: ArrayLike, b: ArrayLike, max_angle: SupportsFloat | SupportsIndex, max_distance: SupportsFloat | SupportsIndex) -> NDArray[float64]:
    """
    Poses (k × 4 × 4) that divide the motion from ``a`` to ``b`` (4 × 4 each) into equal steps of at most ``max_angle``
    rad and ``max_distance`` m; without ``a``, with ``b``.
    """

def towards(now: ArrayLike, goal: ArrayLike, gain: SupportsFloat | SupportsIndex = 1.0) -> NDArray[float64]:
    """
    The twist (6, angular first, world axes) that moves a link from the pose ``now`` to ``goal`` (4 × 4 each).

    ``gain`` is the share of the error that is removed per second, 1/s.
    """

def velocity(state: State, tasks: SupportsGetItem[int, VelocityTask], *, constraints: tuple[ArrayLike, ArrayLike] | None = None, dt: SupportsFloat | SupportsIndex | None = None, damping: SupportsFloat | SupportsIndex | None = None, velocity_limits: SupportsGetItem[int, SupportsLenAndGetItem[SupportsFloat | SupportsIndex]] | None = None, active: SupportsGetItem[int, int | str] | None = None) -> VelocitySolution:
    """
    Joint velocity within all limits that best meets tasks, level by level, under constraints.

    ``tasks`` is a list of `velocity_task` and `joint_velocity_task`. ``constraints`` are rows (k × n) and bounds (k) with ``row · dq ≤
    bound``, as `position_barrier` and `kinworld.Space.distance_barrier` give them; they come before all tasks. Where they cannot be
    met together, the sum of the squares of what they are violated by is the least possible, and the solution says so.

    ``dt`` is the time after which positions are still within their limits; ``velocity_limits`` (n × 2) replace those of the robot.
    """

def velocity_task(link: int | str | Link, *, linear: ArrayLike | None = None, angular: ArrayLike | None = None, local: ArrayLike = ..., weight: SupportsFloat | SupportsIndex = 1.0, level: SupportsIndex = 0) -> VelocityTask:
    """
    A target velocity of a link, for `velocity`.

    ``linear`` is the velocity of the point ``local`` of the link, m/s, ``angular`` the angular velocity of the link, rad/s, both
    in world axes; what is not given is free. ``weight`` compares with tasks of the same level, and each ``level`` moves only what
    leaves those before it as they are.
    """
