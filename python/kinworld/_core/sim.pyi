"""
Simulation.
"""

from . import RigidObject, Robot
from _typeshed import SupportsGetItem, SupportsLenAndGetItem
from kinworld._core import Link
from numpy import float64
from numpy.typing import ArrayLike, NDArray
from os import PathLike
from typing import Any, SupportsFloat, SupportsIndex, final

__all__ = ["MultibodySystem", "PlanarBody", "Plot", "Recording", "Sensor", "integrate", "methods", "simulate", "tableau"]

@final
class MultibodySystem:
    """
    Rigid bodies in redundant coordinates, connected by joints, rods, couplings and springs; loops are welcome.

    A frame is ``None`` for the ground's, a link for its own, or ``(link, point)`` or ``(link, pose)`` for one on a
    link; ``(None, pose)`` is one on the ground. Links and joints are named or counted.

    >>> import kinworld as kw
    >>> system = kw.sim.MultibodySystem(gravity=(0, 0, -9.81))
    >>> system.add_body("bob", mass=2.0, moment=[[.1, 0, 0], [0, .1, 0], [0, 0, .1]], pose=kw.se3.from_translation((1, 0, 0)))
    0
    >>> system.add_distance("rod", None, "bob", 1.0)
    >>> end = kw.sim.simulate(system, 0.5, step=1e-3)
    >>> system.residual(end)[0] < 1e-9
    True
    """
    def __new__(cls, /, *, gravity: ArrayLike = ...) -> MultibodySystem: ...
    def __repr__(self, /) -> str: ...
    def add_body(self, /, name: str, *, mass: SupportsFloat | SupportsIndex, moment: ArrayLike, com: ArrayLike = ..., pose: ArrayLike | None = None) -> int:
        """
        Adds a body and returns its index. ``com`` (3) is in its frame, ``moment`` (3 × 3) about the centre of mass.
        """
    def add_coupling(self, /, name: str, terms: SupportsGetItem[int, tuple[int | str | Link, SupportsIndex, SupportsFloat | SupportsIndex]], value: SupportsFloat | SupportsIndex = 0.0) -> None:
        """
        Adds a gear: the sum of factor × position over ``terms`` of (joint, dof of the joint, factor) stays ``value``.
        """
    def add_distance(self, /, name: str, a: tuple[int | str | Link | None, ArrayLike] | int | str | Link | None, b: tuple[int | str | Link | None, ArrayLike] | int | str | Link | None, length: SupportsFloat | SupportsIndex) -> None:
        """
        Adds a massless rod: a constant distance between the origins of two frames, m.
        """
    def add_drive(self, /, joint: int | str | Link, dof: SupportsIndex = 0, *, p: SupportsFloat | SupportsIndex = 0.0, d: SupportsFloat | SupportsIndex = 0.0, position: SupportsFloat | SupportsIndex = 0.0, velocity: SupportsFloat | SupportsIndex = 0.0, force: SupportsFloat | SupportsIndex = 0.0, inertia: SupportsFloat | SupportsIndex = 0.0) -> int:
        """
        Adds an actuator of a joint and returns its index:
        force + p (position − q) + d (velocity − dq) − inertia · ddq.
        """
    def add_frame(self, /, name: str, at: tuple[int | str | Link | None, ArrayLike] | int | str | Link | None) -> int:
        """
        Adds a frame on a link or on the ground and returns its index, for sensors.
        """
    def add_joint(self, /, name: str, axes: str | tuple[SupportsLenAndGetItem[bool], SupportsLenAndGetItem[bool]], a: tuple[int | str | Link | None, ArrayLike] | int | str | Link | None, b: tuple[int | str | Link | None, ArrayLike] | int | str | Link | None) -> int:
        """
        Adds a joint between two frames and returns its index.

        ``axes`` is ``"revolute"`` (about z), ``"prismatic"`` (along z), ``"fixed"``, ``"cylindrical"``,
        ``"universal"``, ``"spherical"``, ``"planar"``, ``"free"``, or the free translations and rotations as booleans.
        """
    def add_load(self, /, link: int | str | Link, *, point: ArrayLike = ..., force: ArrayLike = ..., moment: ArrayLike = ...) -> None:
        """
        Adds an external force and moment (3 each) in world axes at a point (3) of a link, N and N·m.
        """
    def add_object(self, /, object: RigidObject) -> int:
        """
        Adds a rigid object as a body, with its velocity, and returns its index.
        """
    def add_spring(self, /, a: tuple[int | str | Link | None, ArrayLike] | int | str | Link | None, b: tuple[int | str | Link | None, ArrayLike] | int | str | Link | None, length: SupportsFloat | SupportsIndex, *, stiffness: SupportsFloat | SupportsIndex = 0.0, damping: SupportsFloat | SupportsIndex = 0.0) -> None:
        """
        Adds a spring and damper between the origins of two frames; ``length`` at rest, m, N/m, N·s/m.
        """
    def copy(self, /) -> MultibodySystem:
        """
        A system of its own with the same parts.
        """
    @staticmethod
    def from_robot(robot: Robot) -> MultibodySystem:
        """
        The bodies and joints of a robot; ``simulate`` then takes ``q`` and ``dq`` (n) of the robot.
        """
    @property
    def gravity(self, /) -> NDArray[float64]:
        """
        Gravity (3), m/s² in world axes.
        """
    @gravity.setter
    def gravity(self, /, gravity: ArrayLike) -> None: ...
    def initial_values(self, /) -> NDArray[float64]:
        """
        The values of the integrator at the start, which satisfy all constraints.
        """
    def joint_dof(self, /, dof: SupportsIndex) -> tuple[int, int] | None:
        """
        The joint and its dof that a robot's dof became; ``None`` for one that is constant.
        """
    def joint_id(self, /, name: str) -> int:
        """
        The index of a joint.
        """
    @property
    def joint_names(self, /) -> list[str]:
        """
        The names of the joints.
        """
    def link_id(self, /, name: str) -> int:
        """
        The index of a link.
        """
    @property
    def n_bodies(self, /) -> int:
        """
        Number of bodies.
        """
    @property
    def n_constraints(self, /) -> int:
        """
        Number of constraints.
        """
    def pose(self, /, at: Recording | ArrayLike, link: int | str | Link) -> NDArray[float64]:
        """
        Pose (4 × 4) of a link at the end of a recording, or at values of the integrator.
        """
    def redundancies(self, /, at: Recording | ArrayLike) -> list[tuple[str, int]]:
        """
        Constraints that follow from others there: names and numbers of rows.
        """
    def residual(self, /, at: Recording | ArrayLike) -> tuple[float, float, str]:
        """
        Largest violation of the constraints: of positions, of velocities, and the constraint's name.
        """
    def set_base(self, /, base: ArrayLike | Any) -> None:
        """
        Moves the ground: to a pose (4 × 4), or by a function of time that returns one, or a pose with its velocity and
        acceleration (6 each, angular first).
        """
    def set_velocity(self, /, link: int | str | Link, angular: ArrayLike, linear: ArrayLike) -> None:
        """
        Sets the initial velocities (3 each) of a body, in world axes: angular, and of its origin.
        """
    def velocity(self, /, at: Recording | ArrayLike, link: int | str | Link) -> NDArray[float64]:
        """
        Velocity (6) of a link at the end of a recording, or at values of the integrator: angular first, world axes.
        """

@final
class PlanarBody:
    """
    A rigid body that moves in the plane z = 0: q = (x, y, angle). Its centre of mass may be anywhere in it.

    ``inertia`` is about the reference point, or about the centre of mass with ``about_com``, kg·m². ``forces`` are
    pairs of a point in the body and a force in world axes (2 each), ``torque`` is about z.

    >>> import kinworld as kw
    >>> body = kw.sim.PlanarBody(1.0, 2.0)
    >>> kw.sim.simulate(body, 1.0, q=(1.5, 1, 0), dq=(0.5, 0, 1), step=0.1).config
    array([2., 1., 1.])
    """
    def __new__(cls, /, mass: SupportsFloat | SupportsIndex, inertia: SupportsFloat | SupportsIndex, com: SupportsLenAndGetItem[SupportsFloat | SupportsIndex] = ..., *, about_com: bool = False, gravity: SupportsLenAndGetItem[SupportsFloat | SupportsIndex] = ..., forces: SupportsGetItem[int, tuple[SupportsLenAndGetItem[SupportsFloat | SupportsIndex], SupportsLenAndGetItem[SupportsFloat | SupportsIndex]]] = ..., torque: SupportsFloat | SupportsIndex = 0.0, reference: SupportsLenAndGetItem[SupportsFloat | SupportsIndex] = ...) -> PlanarBody: ...
    def __repr__(self, /) -> str: ...
    def coriolis_forces(self, /, theta: SupportsFloat | SupportsIndex, omega: SupportsFloat | SupportsIndex) -> NDArray[float64]:
        """
        Coriolis and centrifugal forces (3) at an angle and an angular velocity.
        """
    def gravity_force(self, /, theta: SupportsFloat | SupportsIndex) -> NDArray[float64]:
        """
        Gravity force (3) at an angle, on the right-hand side of the equation of motion.
        """
    def mass_matrix(self, /, theta: SupportsFloat | SupportsIndex) -> NDArray[float64]:
        """
        Mass matrix (3 × 3) at an angle, rad.
        """
    def position_jacobian(self, /, theta: SupportsFloat | SupportsIndex, point: SupportsLenAndGetItem[SupportsFloat | SupportsIndex]) -> NDArray[float64]:
        """
        Jacobian (3 × 3) of a point (2) of the body at an angle.
        """
    def rotation_jacobian(self, /) -> NDArray[float64]:
        """
        Jacobian (3 × 3) of the rotation.
        """

@final
class Plot:
    """
    Curves over time as SVG: a notebook shows them, ``str`` is the text.
    """
    def __repr__(self, /) -> str: ...
    def __str__(self, /) -> str: ...
    def _repr_svg_(self, /) -> str: ...
    def save(self, /, path: str | PathLike[str], *, force: bool = False) -> None:
        """
        Writes the SVG into a file; one that this call did not write before is replaced only if ``force`` is set.
        """
    @property
    def svg(self, /) -> str:
        """
        The SVG.
        """

@final
class Recording:
    """
    A table of numbers over time, and the end of the run.

    ``recording["q_link1"]`` is a column, ``recording["q"]`` all columns of the sensor ``q``.
    """
    def __contains__(self, name: str, /) -> bool: ...
    def __getitem__(self, name: str, /) -> Any: ...
    def __iter__(self, /) -> Any: ...
    def __len__(self, /) -> int: ...
    def __repr__(self, /) -> str: ...
    def _repr_html_(self, /) -> str: ...
    def _repr_svg_(self, /) -> str:
        """
        The plot of all columns, for notebooks.
        """
    @property
    def array(self, /) -> NDArray[float64]:
        """
        All numbers (k × c), a row per time.
        """
    @property
    def columns(self, /) -> list[str]:
        """
        The names of the columns (c), ``time`` first.
        """
    @property
    def config(self, /) -> NDArray[float64]:
        """
        The configuration (n) at the end.
        """
    @property
    def end_time(self, /) -> float:
        """
        Time at the end, s.
        """
    def plot(self, /, *columns: "str", backend: str = "svg") -> "Any":
        """
        The columns over time, a panel for up to seven columns of each sensor; all columns, or those of these names.

        A name is that of a column or of a sensor. ``backend="svg"`` needs nothing else and gives a `Plot`;
        ``"matplotlib"`` gives a ``matplotlib.figure.Figure`` with the same panels.
        """
    @property
    def rejected(self, /) -> int:
        """
        Number of rejected steps.
        """
    @property
    def steps(self, /) -> int:
        """
        Number of accepted steps.
        """
    @property
    def termination(self, /) -> str:
        """
        ``"end_time"``, ``"event"``, ``"requested"`` or ``"step_limit"``.
        """
    @property
    def times(self, /) -> NDArray[float64]:
        """
        The times (k), s.
        """
    def to_arrow(self, /) -> Any:
        """
        The table as a ``pyarrow.Table``; needs the package ``pyarrow``.
        """
    def to_csv(self, /) -> str:
        """
        The table as comma-separated values; numbers read back exactly.
        """
    def to_json(self, /) -> str:
        """
        The table as JSON: ``{"columns": [...], "rows": [[...], ...]}``.
        """
    def to_pandas(self, /) -> Any:
        """
        The table as a ``pandas.DataFrame``; needs the package ``pandas``.
        """
    @property
    def values(self, /) -> NDArray[float64]:
        """
        The values of the integrator at the end, as the mechanism has them.
        """
    @property
    def velocity(self, /) -> NDArray[float64]:
        """
        The velocity (n) at the end.
        """

@final
class Sensor:
    """
    Something that a run records: a quantity at a frame of a link.

    The quantities are ``"position"``, ``"displacement"``, ``"rotation"``, ``"rotation_matrix"``, ``"quaternion"``,
    ``"velocity"``, ``"acceleration"``, ``"angular_velocity"``, ``"angular_acceleration"``, and the last four with
    ``"_local"`` in the axes of the frame. ``frame`` (4 × 4) is in that of the link; with ``point`` (3), m, it has the axes
    of the link. The columns are named ``{name}_x`` and so on. `Robot.sensors` are those of the robot's file.

    >>> import kinworld as kw
    >>> kw.sim.Sensor("tip", "link2", "position", point=(1, 0, 0))
    Sensor 'tip': position
    """
    def __new__(cls, /, name: str, link: int | str | Link, quantity: str = "position", *, point: ArrayLike | None = None, frame: ArrayLike | None = None) -> Sensor: ...
    def __repr__(self, /) -> str: ...
    @property
    def frame(self, /) -> NDArray[float64]:
        """
        The frame (4 × 4) in that of the link.
        """
    @property
    def link(self, /) -> int | str:
        """
        The name or the index of the link.
        """
    @property
    def name(self, /) -> str:
        """
        The name.
        """
    @property
    def quantity(self, /) -> str:
        """
        The quantity.
        """

def integrate(function: Any, y: ArrayLike, duration: SupportsFloat | SupportsIndex, *, dq: ArrayLike | None = None, t: SupportsFloat | SupportsIndex = 0.0, method: str = "dopri5", rho: SupportsFloat | SupportsIndex = 0.8, step: SupportsFloat | SupportsIndex | None = None, tolerance: tuple[SupportsFloat | SupportsIndex, SupportsFloat | SupportsIndex] | None = None, max_step: SupportsFloat | SupportsIndex | None = None, max_steps: SupportsIndex | None = None, period: SupportsFloat | SupportsIndex = 0.0, until: Any | None = None, progress: Any | None = None) -> Recording:
    """
    Integrates ``dy/dt = function(t, y)`` from ``y`` (n) for a duration, s; or ``ddq = function(t, q, dq)`` where the
    velocities ``dq`` (n) are given.

    The recording has the columns ``y_0``, ``y_1``, …; ``recording["y"]`` is (k × n), positions before velocities.
    ``method``, ``step``, ``tolerance``, ``max_step``, ``period`` and ``progress`` are those of ``simulate``;
    ``until(t, q, dq)`` ends the run where it crosses zero, ``dq`` is empty for an equation of first order.

    >>> import kinworld as kw
    >>> kw.sim.integrate(lambda t, y: -y, [1.0], 1.0).config.round(6)
    array([0.367879])
    """

def methods() -> list[tuple[str, int]]:
    """
    The names of all methods and their orders.
    """

def simulate(what: Any, duration: SupportsFloat | SupportsIndex, *, q: ArrayLike | None = None, dq: ArrayLike | None = None, t: SupportsFloat | SupportsIndex = 0.0, controller: Any | None = None, control_period: SupportsFloat | SupportsIndex | None = None, force: Any | None = None, pd: dict[str, ArrayLike] | None = None, joint: ArrayLike | None = None, loads: dict[Any, Any] | None = None, gravity: ArrayLike | None = None, friction: bool | SupportsFloat | SupportsIndex | None = None, stops: bool | tuple[SupportsFloat | SupportsIndex, SupportsFloat | SupportsIndex] | None = None, springs: bool = False, base: ArrayLike | Any | None = None, reference: ArrayLike | None = None, method: str = "dopri5", rho: SupportsFloat | SupportsIndex = 0.8, step: SupportsFloat | SupportsIndex | None = None, tolerance: tuple[SupportsFloat | SupportsIndex, SupportsFloat | SupportsIndex] | None = None, max_step: SupportsFloat | SupportsIndex | None = None, max_steps: SupportsIndex | None = None, sensors: SupportsGetItem[int, Sensor | str] | None = None, period: SupportsFloat | SupportsIndex = 0.0, until: Any | None = None, progress: Any | None = None) -> Recording:
    """
    Simulates a robot, a rigid object, a multibody system or a planar body for a duration, s.

    What is simulated: a ``Robot``, a ``State`` or a robot of a world from its configuration and velocity, a world with
    one robot, a ``RigidObject`` or one of a world, ``MultibodySystem``, ``PlanarBody``. It is left as it is; the
    recording has the end. Contact is not modelled.

    - ``q``, ``dq``: start (n), instead of the state's.
    - ``controller(t, q, dq)``: joint forces (n), held until the next call: at each step, or every ``control_period`` s.
    - ``force(t, q, dq)``: joint forces (n) at every evaluation, where a step is not fine enough.
    - ``pd``: dictionary with ``p``, ``d``, ``position``, ``velocity`` (n each). ``joint``: constant forces (n).
    - ``loads``: dictionary from links to wrenches (6), moment first. ``gravity`` (3), m/s².
    - ``friction``: ``True`` for the drivers' with the usual slip velocity, or that velocity.
    - ``stops``: ``True`` for compliant stops at the limits, or (stiffness, damping).
    - ``springs``: ``True`` for the springs of the joints.
    - ``base``: pose (4 × 4), or a function of time that returns one, or one with velocity and acceleration (6 each).
    - ``method``: see ``methods()``; ``step`` for fixed steps, s, or ``tolerance=(relative, absolute)``, ``max_step``.
    - ``sensors``: of ``"positions"``, ``"velocities"``, ``"accelerations"``, ``"force"``, ``"energy"`` and ``Sensor``,
      by default positions, velocities and `Robot.sensors`; every ``period`` s, or at each step for 0.
    - ``until(t, q, dq)``: the run ends where this number crosses zero. ``progress``: called with the number of steps.

    >>> import kinworld as kw
    >>> arm = kw.Robot.load("data/robots/planar3R.rob")
    >>> recording = kw.sim.simulate(arm, 1.0, sensors=["energy"], period=0.25)
    >>> recording
    Recording: 5 rows, 4 columns, to 1 s
    """

def tableau(method: str) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]] | None:
    """
    The Butcher tableau of an explicit method: A (s × s), b (s), c (s); ``None`` for the other methods.
    """
