"""
Many configurations at once.
"""

from . import Robot
from _typeshed import SupportsGetItem
from kinworld._core import Link
from numpy import bool_, float32, float64
from numpy.typing import ArrayLike, NDArray
from typing import SupportsFloat, SupportsIndex

__all__ = ["bias_forces", "forward_dynamics", "forward_dynamics_derivatives", "inverse_dynamics", "inverse_dynamics_derivatives", "inverse_kinematics", "jacobians", "mass_matrices", "poses", "poses_f32"]

def bias_forces(robot: Robot, q: ArrayLike, dq: ArrayLike, *, gravity: ArrayLike = ..., out: NDArray[float64] | None = None) -> NDArray[float64]:
    """
    Coriolis, centrifugal and gravity forces (N × n) at ``q`` and ``dq`` (N × n each).
    """

def forward_dynamics(robot: Robot, q: ArrayLike, dq: ArrayLike, tau: ArrayLike, *, gravity: ArrayLike = ..., out: NDArray[float64] | None = None) -> NDArray[float64]:
    """
    Accelerations (N × n) for joint forces ``tau`` at ``q`` and ``dq`` (N × n each).
    """

def forward_dynamics_derivatives(robot: Robot, q: ArrayLike, dq: ArrayLike, tau: ArrayLike, *, gravity: ArrayLike = ..., out: NDArray[float64] | None = None) -> NDArray[float64]:
    """
    Derivatives (N × 3 × n × n) of the forward dynamics: by q, by dq, by tau.
    """

def inverse_dynamics(robot: Robot, q: ArrayLike, dq: ArrayLike, ddq: ArrayLike, *, gravity: ArrayLike = ..., out: NDArray[float64] | None = None) -> NDArray[float64]:
    """
    Joint forces (N × n) for accelerations ``ddq`` at ``q`` and ``dq`` (N × n each).
    """

def inverse_dynamics_derivatives(robot: Robot, q: ArrayLike, dq: ArrayLike, ddq: ArrayLike, *, gravity: ArrayLike = ..., out: NDArray[float64] | None = None) -> NDArray[float64]:
    """
    Derivatives (N × 3 × n × n) of the inverse dynamics: by q, by dq, by ddq.
    """

def inverse_kinematics(robot: Robot, link: int | str | Link, poses: ArrayLike, starts: ArrayLike | None = None, *, tolerance: SupportsFloat | SupportsIndex = 1e-9, iterations: SupportsIndex = 100, restarts: SupportsIndex = 100, seed: SupportsIndex = 0) -> tuple[NDArray[float64], NDArray[bool_], NDArray[float64]]:
    """
    Solves inverse kinematics for N poses (N × 4 × 4) of a link, from ``starts`` (N × n), by default the initial
    configuration, then from random ones.

    Returns the configurations (N × n), whether each reaches its pose (N), and the errors (N × 2) that are left, m and rad.
    Each problem has the answer of `kinworld.ik.solve`, which has all options.

    >>> import kinworld as kw
    >>> arm = kw.Robot.load("data/robots/arm6.urdf")
    >>> goals = kw.batch.poses(arm, arm.sample(0, 100), [arm.links[-1].name])[:, 0]
    >>> q, solved, errors = kw.batch.inverse_kinematics(arm, arm.links[-1].name, goals)
    >>> q.shape, bool(solved.all()), bool((errors < 1e-8).all())
    ((100, 6), True, True)
    """

def jacobians(robot: Robot, q: ArrayLike, link: int | str | Link, p: ArrayLike = ..., *, out: NDArray[float64] | None = None) -> NDArray[float64]:
    """
    Jacobians (N × 6 × n) of the point ``p`` of a link at configurations ``q`` (N × n), angular rows first.
    """

def mass_matrices(robot: Robot, q: ArrayLike, *, out: NDArray[float64] | None = None) -> NDArray[float64]:
    """
    Mass matrices (N × n × n) at configurations ``q`` (N × n).
    """

def poses(robot: Robot, q: ArrayLike, links: SupportsGetItem[int, int | str | Link] | None = None, *, out: NDArray[float64] | None = None) -> NDArray[float64]:
    """
    Poses (N × L × 4 × 4) of links, all by default, at configurations ``q`` (N × n).

    >>> import kinworld as kw
    >>> arm = kw.Robot.load("data/robots/planar3R.rob")
    >>> kw.batch.poses(arm, arm.sample(0, 1000), ["link2"]).shape
    (1000, 1, 4, 4)
    """

def poses_f32(robot: Robot, q: ArrayLike, links: SupportsGetItem[int, int | str | Link] | None = None) -> NDArray[float32]:
    """
    Poses (N × L × 4 × 4) of links in single precision, for pictures and learning: twice as many per second.
    """
