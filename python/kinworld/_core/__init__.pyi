"""
The compiled part of kinworld.
"""

from . import batch as batch, contact as contact, dh as dh, ik as ik, io as io, se3 as se3, sim as sim, so3 as so3, wrench as wrench
from .ik import Solution
from .sim import Sensor
from _typeshed import SupportsGetItem, SupportsLenAndGetItem
from collections.abc import Iterator, Sequence
from kinworld._core import Diagnostic as Diagnostic2, Entity as Entity2, Link as Link2, RigidObjectView as RigidObjectView2, RobotView as RobotView2, TerrainView as TerrainView2
from kinworld._core.ik import Objective
from collections.abc import Mapping
from numpy import bool_, float32, float64, uint32, uint8
from numpy.typing import ArrayLike, NDArray
from os import PathLike
from typing import Any, Final, SupportsFloat, SupportsIndex, final
from typing_extensions import disjoint_base

__all__ = ["__version__", "Appearance", "Attachment", "Camera", "CameraSensor", "CartesianPath", "Collider", "ConstrainedSpace", "ContactPair", "Diagnostic", "Driver", "DriverSpace", "EndEffector", "Entity", "GeometricPath", "Geometry", "Hit", "Inertia", "Joint", "JointMotion", "Limits", "Link", "LinkMap", "LoadOptions", "LoopClosure", "MotionLimits", "Nearest", "Octree", "Picture", "Plan", "PrioritizedPlan", "Proof", "RigidObject", "RigidObjectSpace", "RigidObjectView", "RigidObjects", "RoadMap", "Robot", "RobotBuilder", "RobotView", "Robots", "SelfCollisionMask", "SmoothTrajectory", "Space", "State", "SubRobot", "Terrain", "TerrainView", "Terrains", "Trajectory", "World", "WorldPoses", "load", "batch", "contact", "dh", "ik", "io", "se3", "sim", "so3", "wrench"]

__version__: Final[str]
"""
The version, that of the library.
"""

@final
class Appearance:
    """
    The material of a shape.
    """
    def __repr__(self, /) -> str: ...
    @property
    def color(self, /) -> list[float] | None:
        """
        Red, green, blue and opacity, 0 to 1.
        """
    @property
    def name(self, /) -> str:
        """
        The name in the file.
        """
    @property
    def texture(self, /) -> str | None:
        """
        The file of the texture.
        """

@final
class Attachment:
    """
    A rigid object that is attached to a link.
    """
    def __repr__(self, /) -> str: ...
    @property
    def link(self, /) -> Entity:
        """
        The link.
        """
    @property
    def pose_in_link(self, /) -> NDArray[float64]:
        """
        Pose (4 × 4) of the object in the frame of the link.
        """
    @property
    def rigid_object(self, /) -> Entity:
        """
        The object.
        """
    @property
    def touch(self, /) -> list[Entity]:
        """
        The elements that the object may touch.
        """

@final
class Camera:
    """
    A pinhole camera: x to the right, y down, z ahead, as in OpenCV.

    A point (x, y, z) of its frame is seen at u = fx x / z + cx, v = fy y / z + cy, in pixels from the upper left corner.

    >>> import kinworld as kw
    >>> camera = kw.Camera.looking_at((2, 0, 1), (0, 0, 0.5), (320, 240))
    >>> camera.pose[:3, 3]
    array([2., 0., 1.])
    """
    def __new__(cls, /, pose: ArrayLike, size: tuple[SupportsIndex, SupportsIndex] = ..., *, field_of_view: SupportsFloat | SupportsIndex = 0.66, focal: SupportsLenAndGetItem[SupportsFloat | SupportsIndex] | None = None, center: SupportsLenAndGetItem[SupportsFloat | SupportsIndex] | None = None, range: tuple[SupportsFloat | SupportsIndex, SupportsFloat | SupportsIndex] = ...) -> Camera:
        """
        A camera at a pose (4 × 4) in the world, for a picture of (width, height) pixels.

        ``focal`` (fx, fy) and ``center`` (cx, cy) are in pixels; without them ``field_of_view`` is the vertical angle, rad,
        and the axis meets the middle. ``range`` is the smallest and the largest depth that is seen, m.
        """
    def __repr__(self, /) -> str: ...
    @property
    def center(self, /) -> list[float]:
        """
        Where the optical axis meets the picture, pixels.
        """
    @property
    def focal(self, /) -> list[float]:
        """
        Focal lengths along x and y, pixels.
        """
    @staticmethod
    def looking_at(eye: ArrayLike, target: ArrayLike, size: tuple[SupportsIndex, SupportsIndex] = ..., *, field_of_view: SupportsFloat | SupportsIndex = 0.66, range: tuple[SupportsFloat | SupportsIndex, SupportsFloat | SupportsIndex] = ...) -> Camera:
        """
        A camera at ``eye`` (3) that looks at ``target`` (3), with the z axis of the world upwards in the picture.
        """
    @staticmethod
    def of_world(world: World, size: tuple[SupportsIndex, SupportsIndex] = ...) -> Camera:
        """
        A camera that sees all of a world.
        """
    def points(self, /, picture: Picture) -> NDArray[float64]:
        """
        Points (height × width × 3) of the world that a picture of this camera shows, from its depths; NaN where there is
        nothing.

        >>> import kinworld as kw
        >>> world = kw.load("data/robots/arm6.urdf")
        >>> camera = kw.Camera.of_world(world, (60, 40))
        >>> camera.points(world.render(camera=camera)).shape
        (40, 60, 3)
        """
    @property
    def pose(self, /) -> NDArray[float64]:
        """
        Pose (4 × 4) in the world.
        """
    def project(self, /, point: ArrayLike) -> tuple[list[float], float] | None:
        """
        Pixel (2) at which a point (3) of the world is seen, and its depth, m; ``None`` for one that is not in front.

        >>> import kinworld as kw
        >>> camera = kw.Camera.looking_at((2, 0, 1), (0, 0, 1), (320, 240))
        >>> camera.project((0, 0, 1))
        ([160.0, 120.0], 2.0)
        """
    @property
    def range(self, /) -> list[float]:
        """
        Smallest and largest depth that is seen, m.
        """
    @property
    def size(self, /) -> tuple[int, int]:
        """
        Width and height of the picture, pixels.
        """
    def unproject(self, /, pixel: SupportsLenAndGetItem[SupportsFloat | SupportsIndex], depth: SupportsFloat | SupportsIndex) -> NDArray[float64]:
        """
        Point (3) of the world at a place of the picture, pixels, and a depth, m.

        >>> import kinworld as kw
        >>> camera = kw.Camera.looking_at((2, 0, 1), (0, 0, 1), (320, 240))
        >>> camera.unproject((160, 120), 2).round(6)
        array([0., 0., 1.])
        """

@final
class CameraSensor:
    """
    A simulated colour and depth camera, fixed in the world or to a link or an object that carries it.

    ``camera`` gives the lens; its pose is in the frame of the carrier: ``on``, a name, an entity, or a robot and a link.
    The standard deviation of a depth z is ``noise[0] + noise[1] * z**2``, in m; none by default. Equal seeds give equal
    errors; each picture has its own.

    >>> import kinworld as kw, numpy as np
    >>> world = kw.load("data/robots/arm6.urdf", "data/terrains/table.env")
    >>> lens = kw.Camera(np.eye(4), (64, 48), field_of_view=1.0, range=(0.05, 8))
    >>> sensor = kw.CameraSensor(world, lens, on=("arm6", "flange"), noise=(0.001, 0.002), seed=7)
    >>> world.robot("arm6").set_config([0, 1.2, 0.4, 0, 0, 0])
    >>> sensor.observe(world).depth.shape
    (48, 64)
    """
    def __new__(cls, /, world: World, camera: Camera, *, on: str | Entity2 | RobotView2 | RigidObjectView2 | TerrainView2 | tuple[Any, Any] | None = None, noise: tuple[SupportsFloat | SupportsIndex, SupportsFloat | SupportsIndex] = ..., seed: SupportsIndex = 0, shadows: bool = True, smooth_edges: bool = True) -> CameraSensor: ...
    def __repr__(self, /) -> str: ...
    def camera(self, /, world: World) -> Camera:
        """
        The camera in the world, where its carrier is now.
        """
    def observe(self, /, world: World) -> Picture:
        """
        What the camera sees now.
        """

@final
class CartesianPath:
    """
    A path of a link's frame: lines, arcs and screws, one after the other.

    Its parameter grows with the distance of the frame's origin, m, or with 0.2 m per rad where that is more.

    >>> import numpy as np, kinworld as kw
    >>> path = kw.CartesianPath(6, np.eye(4)).moved((0, 0, 0.2)).arc((0, 0.1, 0.2), (1, 0, 0), np.pi)
    >>> path.end[:3, 3].round(9).tolist()
    [0.0, 0.2, 0.2]
    """
    def __new__(cls, /, link: SupportsIndex, start: ArrayLike) -> CartesianPath:
        """
        A path of a link, by index, that begins at a pose (4 × 4) in the world.
        """
    def __repr__(self, /) -> str: ...
    def arc(self, /, center: ArrayLike, axis: ArrayLike, angle: SupportsFloat | SupportsIndex) -> CartesianPath:
        """
        On along an arc about an axis (3) through a point (3), by an angle in rad; the rotation stays.
        """
    def at(self, /, s: SupportsFloat | SupportsIndex) -> NDArray[float64]:
        """
        Pose (4 × 4) of the link at a parameter.
        """
    @property
    def end(self, /) -> NDArray[float64]:
        """
        Pose (4 × 4) of the link at the end.
        """
    @property
    def ends(self, /) -> NDArray[float64]:
        """
        Parameters at the ends of its pieces.
        """
    @property
    def length(self, /) -> float:
        """
        Length: the parameter at the end.
        """
    def line(self, /, to: ArrayLike) -> CartesianPath:
        """
        On along a straight line to a pose (4 × 4).
        """
    @property
    def link(self, /) -> int:
        """
        Index of the link.
        """
    def moved(self, /, by: ArrayLike) -> CartesianPath:
        """
        On along a straight line by a vector (3) in world axes, m.
        """
    def moved_locally(self, /, by: ArrayLike) -> CartesianPath:
        """
        On along a straight line by a vector (3) in the axes of the link, m.
        """
    def screw(self, /, through: ArrayLike, axis: ArrayLike, angle: SupportsFloat | SupportsIndex, advance: SupportsFloat | SupportsIndex) -> CartesianPath:
        """
        On by a screw about an axis (3) through a point (3): an angle in rad and a shift in m.
        """
    @property
    def stops(self, /) -> NDArray[float64]:
        """
        Parameters where a motion has to stop: corners that are not rounded, and the end.
        """
    def with_blend(self, /, radius: SupportsFloat | SupportsIndex) -> CartesianPath:
        """
        With rounded corners: within a radius in m of a corner along the path, at most half of each piece, the link goes over from
        one piece to the next on a curve, so that a motion need not stop there; 0 for corners as they are.

        Between straight lines the curve passes the corner at half of the radius at most.

        >>> import numpy as np, kinworld as kw
        >>> corner = kw.CartesianPath(6, np.eye(4)).moved((0.2, 0, 0)).moved((0, 0.2, 0))
        >>> corner.with_blend(0.05).stops, corner.stops
        (array([0.4]), array([0.2, 0.4]))
        """

@final
class Collider:
    """
    A snapshot of a world for collision queries, at any configuration, from any thread.

    Every query takes a configuration ``q`` of the first robot, or of ``robot``; without one, all is where it was when the
    snapshot was made. ``poses`` puts rigid objects elsewhere for one query.

    >>> import kinworld as kw
    >>> world = kw.load("data/robots/arm6.urdf", "data/terrains/table.env")
    >>> collider = world.collider()
    >>> collider.collides([0, 0, 0, 0, 0, 0]), collider.collides([0.5, 1, 0, 0, 0, 0])
    (False, True)
    """
    def __repr__(self, /) -> str: ...
    def are_free(self, /, q: ArrayLike, robot: int | str | None = None, *, poses: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | None" = None) -> NDArray[bool_]:
        """
        For each of N configurations (N × n) of a robot, whether nothing collides with the robot.
        """
    def clearance(self, /, q: ArrayLike | None = None, robot: int | str | None = None, *, poses: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | None" = None) -> Nearest | None:
        """
        Distance of a robot to the nearest obstacle or to itself; ``None`` where there is nothing to be near.
        """
    def collides(self, /, q: ArrayLike | None = None, robot: int | str | None = None, *, poses: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | None" = None) -> bool:
        """
        Whether anything collides: with ``q`` or ``robot``, anything with that robot.
        """
    def distance(self, /, a: str | Entity2 | RobotView2 | RigidObjectView2 | TerrainView2 | tuple[Any, Any], b: str | Entity2 | RobotView2 | RigidObjectView2 | TerrainView2 | tuple[Any, Any], q: ArrayLike | None = None, robot: int | str | None = None, *, poses: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | None" = None) -> Nearest:
        """
        Distance of two elements, or of two robots or links, with their nearest points.
        """
    @property
    def elements(self, /) -> list[Entity]:
        """
        The elements with collision geometry.
        """
    def first_collision(self, /, q: ArrayLike | None = None, robot: int | str | None = None, *, poses: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | None" = None) -> tuple[Entity, Entity] | None:
        """
        A pair that collides, or ``None``: with ``q`` or ``robot``, one of that robot.
        """
    def is_enabled(self, /, a: str | Entity2 | RobotView2 | RigidObjectView2 | TerrainView2 | tuple[Any, Any], b: str | Entity2 | RobotView2 | RigidObjectView2 | TerrainView2 | tuple[Any, Any]) -> bool:
        """
        Whether a pair of elements is tested.
        """
    @property
    def missing_geometry(self, /) -> list[tuple[Entity, str]]:
        """
        Elements without the collision geometry that they should have, each with the reason.
        """
    def nearest_pairs(self, /, n: SupportsIndex, q: ArrayLike | None = None, robot: int | str | None = None, *, poses: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | None" = None) -> list[Nearest]:
        """
        The ``n`` pairs with the least distance, nearest first; all pairs, where there are fewer.
        """
    def pairs(self, /, q: ArrayLike | None = None, robot: int | str | None = None, *, poses: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | None" = None) -> list[tuple[Entity, Entity]]:
        """
        All pairs that collide.
        """
    def ray_cast(self, /, origin: ArrayLike, direction: ArrayLike, q: ArrayLike | None = None, robot: int | str | None = None, *, poses: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | None" = None) -> Hit | None:
        """
        The first hit of a ray from ``origin`` (3) along ``direction`` (3), or ``None``.
        """

@final
class ConstrainedSpace:
    """
    The configurations of a space that keep goals of inverse kinematics: a hand that keeps a cup upright, or stays on a line.

    >>> import kinworld as kw
    >>> world = kw.load("data/robots/arm6.urdf")
    >>> upright = kw.ik.objective("flange", axis=((0, 0, 1), (0, 0, 1)))
    >>> space = world.space().constrained(upright)
    >>> start = space.project([0, -0.2, 0.3, 0, -1.6, 0])
    >>> goal = space.project([1.5, 0.3, 0, 0, -1.8, 1])
    >>> plan = space.plan(start, goal)
    >>> bool(space.error(space.discretized(plan.path)[3]) <= 1e-6)
    True
    """
    def __repr__(self, /) -> str: ...
    @property
    def ambient(self, /) -> Space:
        """
        The space without the constraint.
        """
    def discretized(self, /, path: ArrayLike) -> NDArray[float64]:
        """
        A path with the steps of its edges put into it: between them it leaves the constraint by the square of the step.
        """
    def error(self, /, q: ArrayLike) -> float:
        """
        Largest violation of the constraint at a configuration (n), m or rad.
        """
    def is_edge_free(self, /, a: ArrayLike, b: ArrayLike) -> bool:
        """
        Whether the edge between two configurations can be projected and is free.
        """
    def is_free(self, /, q: ArrayLike) -> bool:
        """
        Whether a configuration satisfies the constraint and is free.
        """
    @property
    def n_dofs(self, /) -> int:
        """
        Number of coordinates of a configuration, n.
        """
    def plan(self, /, start: ArrayLike, goal: ArrayLike, *, time: SupportsFloat | SupportsIndex | None = None, seed: SupportsIndex = 0, iterations: SupportsIndex | None = None, range: SupportsFloat | SupportsIndex = 1.0, shortcuts: SupportsIndex = 200, improve: SupportsIndex = 0, progress: Any | None = None) -> Plan:
        """
        A path from ``start`` (n) to ``goal`` (n), see `Space.plan`; both satisfy the constraint.
        """
    def project(self, /, q: ArrayLike) -> NDArray[float64] | None:
        """
        The configuration (n) near ``q`` that satisfies the constraint; ``None`` where a descent finds none.
        """
    @property
    def rows(self, /) -> int:
        """
        Number of equations of the constraint.
        """

@final
class ContactPair:
    """
    Points where two shapes touch, overlap or nearly touch.
    """
    def __repr__(self, /) -> str: ...
    @property
    def depth(self, /) -> float:
        """
        Depth of the overlap, m; negative where they are apart.
        """
    @property
    def normal(self, /) -> NDArray[float64]:
        """
        The normal (3), from the first shape to the second.
        """
    @property
    def point_a(self, /) -> NDArray[float64]:
        """
        The point (3) of the first shape in the world.
        """
    @property
    def point_b(self, /) -> NDArray[float64]:
        """
        The point (3) of the second shape in the world.
        """

@final
class Diagnostic:
    """
    A warning or an error of a loader, with its position in a file.
    """
    def __repr__(self, /) -> str: ...
    def __str__(self, /) -> str: ...
    def _repr_html_(self, /) -> str: ...
    @staticmethod
    def _table(all: SupportsGetItem[int, Diagnostic]) -> str:
        """
        The table of several.
        """
    @property
    def column(self, /) -> int | None:
        """
        The column, from 1.
        """
    @property
    def element(self, /) -> str | None:
        """
        The link, joint or other element that it is about.
        """
    @property
    def help(self, /) -> str | None:
        """
        What to do about it.
        """
    @property
    def line(self, /) -> int | None:
        """
        The line, from 1.
        """
    @property
    def message(self, /) -> str:
        """
        What is wrong.
        """
    @property
    def path(self, /) -> str | None:
        """
        The file.
        """
    @property
    def severity(self, /) -> str:
        """
        ``"warning"`` or ``"error"``.
        """

@final
class Driver:
    """
    A motor or transmission: one value u that moves one or more links.

    >>> import kinworld as kw
    >>> arm = kw.Robot.load("data/robots/planar3R.rob")
    >>> driver = arm.drivers[0]
    >>> driver.kind, driver.links
    ('normal', [0])
    """
    def __repr__(self, /) -> str: ...
    @property
    def acceleration(self, /) -> list[float]:
        """
        Range (lower, upper) of the acceleration, rad/s² or m/s².
        """
    @property
    def affected_links(self, /) -> list[int]:
        """
        The indices of all links involved: those that it drives, and the base of a thrust or torque.
        """
    @property
    def dry_friction(self, /) -> float:
        """
        Coulomb friction, N·m or N.
        """
    @property
    def gains(self, /) -> tuple[float, float, float]:
        """
        Proportional, integral and derivative gain.
        """
    @property
    def gear_ratio(self, /) -> float:
        """
        Rotation of the rotor per unit of the value.
        """
    @property
    def kind(self, /) -> str:
        """
        ``"normal"``, ``"affine"``, ``"translation"`` or ``"rotation"``.
        """
    @property
    def links(self, /) -> list[int]:
        """
        The indices of the links that it drives.
        """
    @property
    def name(self, /) -> str:
        """
        The name.
        """
    @property
    def offset(self, /) -> list[float]:
        """
        Offset of each link in ``links``, rad or m.
        """
    @property
    def position(self, /) -> list[float]:
        """
        Range (lower, upper) of the value, rad or m.
        """
    @property
    def reflected_inertia(self, /) -> float:
        """
        Inertia of the rotor reflected to the value: ``gear_ratio**2 * rotor_inertia``.
        """
    @property
    def rotor_inertia(self, /) -> float:
        """
        Moment of inertia of the rotor about its axis, kg·m².
        """
    @property
    def scale(self, /) -> list[float]:
        """
        Factor of each link in ``links``: its coordinate is ``scale * u + offset``.
        """
    @property
    def torque(self, /) -> list[float]:
        """
        Range (lower, upper) of the torque or force, N·m or N.
        """
    @property
    def velocity(self, /) -> list[float]:
        """
        Range (lower, upper) of the velocity, rad/s or m/s.
        """
    @property
    def viscous_friction(self, /) -> float:
        """
        Friction per velocity, N·m·s/rad or N·s/m.
        """

@final
class DriverSpace:
    """
    The independent degrees of freedom y (m) of a robot whose drivers couple its links: q = S y + q₀.
    """
    def __len__(self, /) -> int: ...
    def __new__(cls, /, robot: Robot) -> DriverSpace: ...
    def __repr__(self, /) -> str: ...
    def config(self, /, y: ArrayLike) -> NDArray[float64]:
        """
        The configuration (n) of values (m).
        """
    def dof_values(self, /, robot: Robot, q: ArrayLike) -> NDArray[float64]:
        """
        The values (m) of a configuration (n).
        """
    @property
    def dofs(self, /) -> list[tuple[str, int]]:
        """
        What each is: ``("driver", index)`` or ``("dof", index)``.
        """
    def forces(self, /, tau: ArrayLike) -> NDArray[float64]:
        """
        The forces (m) that have the power of joint forces (n): Sᵀ tau.
        """
    @property
    def matrix(self, /) -> NDArray[float64]:
        """
        S (n × m).
        """
    @property
    def offset(self, /) -> NDArray[float64]:
        """
        q₀ (n).
        """
    def velocity(self, /, dy: ArrayLike) -> NDArray[float64]:
        """
        The velocity (n) of rates (m).
        """

@final
class EndEffector:
    """
    An end effector that an SRDF names.
    """
    def __repr__(self, /) -> str: ...
    @property
    def group(self, /) -> str:
        """
        The group of its links, such as ``hand``.
        """
    @property
    def name(self, /) -> str:
        """
        The name.
        """
    @property
    def parent(self, /) -> int:
        """
        The index of the link that carries it.
        """
    @property
    def parent_group(self, /) -> str | None:
        """
        The group that moves it, such as ``arm``.
        """

@final
class Entity:
    """
    A robot, a link, a rigid object or a terrain of a world, with the name that it had.
    """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __repr__(self, /) -> str: ...
    def __str__(self, /) -> str: ...
    @property
    def kind(self, /) -> str:
        """
        ``"robot"``, ``"link"``, ``"rigid object"`` or ``"terrain"``.
        """
    @property
    def link(self, /) -> int | None:
        """
        The index of the link in its robot; ``None`` for other elements.
        """
    @property
    def name(self, /) -> str:
        """
        The name; of a link, ``robot[link]``.
        """

@final
class GeometricPath:
    """
    A path q(s) of piecewise polynomials, without time.

    >>> import kinworld as kw
    >>> path = kw.GeometricPath.blended([[0, 0], [3, 0], [3, 4]], 0.01)
    >>> limits = kw.MotionLimits(2).with_velocity([1, 1]).with_acceleration([2, 2])
    >>> motion = path.time_optimal(limits)
    >>> motion.check(limits) is None, 7.8 < motion.duration < 8
    (True, True)
    """
    def __repr__(self, /) -> str: ...
    def at(self, /, s: SupportsFloat | SupportsIndex) -> NDArray[float64]:
        """
        The configuration (n) at a parameter.
        """
    @staticmethod
    def blended(waypoints: ArrayLike, deviation: SupportsFloat | SupportsIndex) -> GeometricPath:
        """
        Straight lines through waypoints (k × n), with corners rounded by parabolas that leave them by ``deviation`` at most.
        """
    @property
    def breaks(self, /) -> NDArray[float64]:
        """
        Parameters at which pieces begin, and the end.
        """
    @property
    def coefficients(self, /) -> NDArray[float64]:
        """
        Coefficients of the pieces, as `polynomials` takes them.
        """
    @property
    def corners(self, /) -> NDArray[float64]:
        """
        Parameters at which a motion has to stop.
        """
    @property
    def degree(self, /) -> int:
        """
        Largest degree of the polynomials.
        """
    def derivative_at(self, /, s: SupportsFloat | SupportsIndex) -> NDArray[float64]:
        """
        The first derivative (n) at a parameter.
        """
    @staticmethod
    def hermite(parameters: ArrayLike, values: ArrayLike, derivatives: ArrayLike) -> GeometricPath:
        """
        Cubic pieces with these values and derivatives (k × n each) at these parameters (k).
        """
    @property
    def length(self, /) -> float:
        """
        Difference of the last and the first parameter.
        """
    @property
    def n_dofs(self, /) -> int:
        """
        Number of degrees of freedom.
        """
    @staticmethod
    def polyline(waypoints: ArrayLike) -> GeometricPath:
        """
        Straight lines through waypoints (k × n); the parameter is the length.
        """
    @staticmethod
    def polynomials(n_dofs: SupportsIndex, degree: SupportsIndex, breaks: ArrayLike, coefficients: ArrayLike) -> GeometricPath:
        """
        Polynomial pieces between ``breaks``: of each piece, of each dof, the coefficients from the constant up.
        """
    def second_derivative_at(self, /, s: SupportsFloat | SupportsIndex) -> NDArray[float64]:
        """
        The second derivative (n) at a parameter.
        """
    @staticmethod
    def spline(waypoints: ArrayLike) -> GeometricPath:
        """
        The natural cubic spline through waypoints (k × n).
        """
    @staticmethod
    def spline_at(parameters: ArrayLike, waypoints: ArrayLike) -> GeometricPath:
        """
        The natural cubic spline through waypoints (k × n) at these parameters (k).
        """
    def time_optimal(self, /, limits: MotionLimits, *, robot: Robot | None = None, gravity: ArrayLike = ..., friction: bool = True, payload: tuple[int | str | Link2, Inertia] | None = None, intervals: SupportsIndex | None = None, grid: ArrayLike | None = None, end_speeds: tuple[SupportsFloat | SupportsIndex, SupportsFloat | SupportsIndex] = ..., path_speed: SupportsFloat | SupportsIndex | None = None) -> SmoothTrajectory:
        """
        The fastest motion along the path within limits, from rest to rest or between path speeds.

        Limits of torque count with a ``robot``, whose joints may have ``friction`` and a link of which may carry a
        ``payload``: a link and an inertia in its frame. ``grid`` are parameters between which the path acceleration is
        constant; without it there are about ``intervals`` of them, and more where it jumps. ``path_speed`` bounds the speed of the
        parameter: of a path that `Space.follow` gives, that of the link, m/s.
        """

@final
class Geometry:
    """
    A shape that can collide, in its own frame: a primitive, a mesh, a convex hull, a point cloud or a group.

    >>> import kinworld as kw
    >>> box = kw.Geometry.box((0.2, 0.2, 0.2))
    >>> ball = kw.Geometry.sphere(0.1)
    >>> box.distance(ball, other_pose=kw.se3.from_translation((1, 0, 0)))
    0.8
    """
    def __reduce__(self, /) -> tuple[Any, tuple[bytes]]: ...
    def __repr__(self, /) -> str: ...
    @staticmethod
    def _from_bytes(bytes: bytes) -> Geometry: ...
    def aabb(self, /, pose: ArrayLike = ...) -> NDArray[float64] | None:
        """
        A box along the axes of the world around the shape with its margin, rows minimum and maximum (2 × 3).

        It is quick to make and may be larger than that of `aabb_tight`; ``None`` for an empty shape.
        """
    def aabb_tight(self, /, pose: ArrayLike = ...) -> NDArray[float64] | None:
        """
        The smallest box (2 × 3) along the axes of the world around the shape at a pose, without its margin.
        """
    def as_spheres(self, /) -> NDArray[float64] | None:
        """
        The spheres (k × 4, centre and radius) that the shape consists of; ``None`` where it is not made of spheres.
        """
    @staticmethod
    def box(size: ArrayLike, pose: ArrayLike = ...) -> Geometry:
        """
        A box of a size (3), m, centred at the pose (4 × 4).
        """
    @staticmethod
    def capsule(a: ArrayLike, b: ArrayLike, radius: SupportsFloat | SupportsIndex) -> Geometry:
        """
        A capsule: all points within ``radius`` of the segment from ``a`` to ``b``.
        """
    def collides(self, /, other: Geometry, *, pose: ArrayLike = ..., other_pose: ArrayLike = ...) -> bool:
        """
        Whether the shape at ``pose`` and another at ``other_pose`` touch or overlap.
        """
    def contacts(self, /, other: Geometry, *, pose: ArrayLike = ..., other_pose: ArrayLike = ..., prediction: SupportsFloat | SupportsIndex = 0.0, max: SupportsIndex = 100) -> list[ContactPair]:
        """
        Contacts of two shapes that are at most ``prediction`` apart, at most ``max`` of them.
        """
    def contains_point(self, /, point: ArrayLike, *, pose: ArrayLike = ...) -> bool:
        """
        Whether a point (3) of the world is inside the shape.
        """
    @staticmethod
    def convex_hull(points: ArrayLike) -> Geometry:
        """
        The convex hull of points (N × 3).
        """
    @staticmethod
    def cylinder(radius: SupportsFloat | SupportsIndex, height: SupportsFloat | SupportsIndex, center: ArrayLike = ..., axis: ArrayLike = ...) -> Geometry:
        """
        A cylinder around an axis (3), centred.
        """
    @property
    def degenerate_triangles(self, /) -> int | None:
        """
        Number of triangles of a mesh that have no area; ``None`` for other shapes.
        """
    def distance(self, /, other: Geometry, *, pose: ArrayLike = ..., other_pose: ArrayLike = ...) -> float:
        """
        Distance of two shapes, m; 0 where they touch or overlap.
        """
    @staticmethod
    def ellipsoid(radii: ArrayLike, pose: ArrayLike = ...) -> Geometry:
        """
        An ellipsoid with three radii, centred at the pose (4 × 4).
        """
    @staticmethod
    def group(members: SupportsGetItem[int, tuple[ArrayLike, Geometry]]) -> Geometry:
        """
        Several shapes, each at a pose (4 × 4).
        """
    def inner_spheres(self, /, count: SupportsIndex) -> NDArray[float64]:
        """
        At most ``count`` spheres inside the shape: rows of centre (3) and radius.
        """
    @property
    def is_closed(self, /) -> bool | None:
        """
        Whether a mesh is closed: each edge has a triangle on either side; ``None`` for other shapes.
        """
    @property
    def is_solid(self, /) -> bool:
        """
        Whether a closed mesh counts as solid.
        """
    @property
    def kind(self, /) -> str:
        """
        ``"primitive"``, ``"mesh"``, ``"hull"``, ``"cloud"`` or ``"group"``.
        """
    @staticmethod
    def load(path: str | PathLike[str], *, options: LoadOptions | None = None) -> Geometry:
        """
        Loads a mesh, a height map or a point cloud.
        """
    @property
    def margin(self, /) -> float:
        """
        Distance from the shape that still counts as touching, m.
        """
    def mass_properties(self, /, mass: SupportsFloat | SupportsIndex, surface_fraction: SupportsFloat | SupportsIndex = 0.0) -> tuple[NDArray[float64], NDArray[float64]]:
        """
        Centre of mass (3) and moment of inertia (3 × 3) about it for a mass, kg.

        ``surface_fraction`` of the mass is on the surface, the rest fills the volume.
        """
    @property
    def material_ranges(self, /) -> list[tuple[int, int, int]]:
        """
        Ranges of triangles of a mesh: first, one past the last, and the index in ``materials``.
        """
    @property
    def materials(self, /) -> list[Appearance]:
        """
        The materials of a mesh.
        """
    @staticmethod
    def mesh(vertices: ArrayLike, triangles: ArrayLike) -> Geometry:
        """
        A triangle mesh: vertices (V × 3) and indices of vertices (T × 3).
        """
    @property
    def n_triangles(self, /) -> int:
        """
        Number of triangles of a mesh, and of the meshes of a group.
        """
    def nearest_points(self, /, other: Geometry, *, pose: ArrayLike = ..., other_pose: ArrayLike = ...) -> tuple[NDArray[float64], NDArray[float64]] | None:
        """
        Nearest points (3 each) of two shapes in the world; ``None`` where they overlap.
        """
    def outer_spheres(self, /, count: SupportsIndex) -> NDArray[float64]:
        """
        At most ``count`` spheres that together contain the shape: rows of centre (3) and radius.
        """
    @staticmethod
    def point(p: ArrayLike) -> Geometry:
        """
        A point.
        """
    @staticmethod
    def point_cloud(points: ArrayLike, properties: dict[str, ArrayLike] | None = None) -> Geometry:
        """
        A cloud of points (N × 3), with properties of the points: name and N numbers each.
        """
    @property
    def point_properties(self, /) -> dict[str, NDArray[float64]]:
        """
        Properties of a point cloud by name, an array (N) each.
        """
    @property
    def points(self, /) -> NDArray[float64] | None:
        """
        The points (N × 3) of a cloud; ``None`` for other shapes.
        """
    @staticmethod
    def polygon(vertices: ArrayLike) -> Geometry:
        """
        A flat convex polygon with these vertices (N × 3) in turn.
        """
    def prepare(self, /) -> None:
        """
        Builds what queries need, which the first one would do otherwise.
        """
    def ray_cast(self, /, origin: ArrayLike, direction: ArrayLike, *, pose: ArrayLike = ..., max: SupportsFloat | SupportsIndex = ...) -> tuple[float, NDArray[float64], NDArray[float64]] | None:
        """
        Distance, point (3) and normal (3) of the first hit of a ray, or ``None``.
        """
    def save(self, /, path: str | PathLike[str], *, force: bool = False) -> list[Diagnostic2]:
        """
        Saves the shape as a mesh. Returns warnings about what is lost.
        """
    def scaled(self, /, factors: ArrayLike) -> Geometry:
        """
        The shape scaled along its axes.
        """
    @staticmethod
    def segment(a: ArrayLike, b: ArrayLike) -> Geometry:
        """
        The segment between two points.
        """
    @staticmethod
    def sphere(radius: SupportsFloat | SupportsIndex, center: ArrayLike = ...) -> Geometry:
        """
        A sphere.
        """
    def support(self, /, direction: ArrayLike, *, pose: ArrayLike = ...) -> NDArray[float64] | None:
        """
        The farthest point (3) of the shape along a direction (3); ``None`` for an empty shape.
        """
    def thinned(self, /, spacing: SupportsFloat | SupportsIndex) -> Geometry:
        """
        A cloud with fewer points: every one that is left out is within ``spacing`` metres of one that is kept.
        """
    def to_bounding_box(self, /) -> Geometry | None:
        """
        The bounding box along the axes of the shape's frame, as a shape; ``None`` for an empty shape.
        """
    def to_cloud(self, /) -> Geometry:
        """
        The vertices (N × 3) as a cloud.
        """
    def to_convex_parts(self, /, max_parts: SupportsIndex | None = None) -> list[Geometry]:
        """
        Convex parts that together contain the shape.
        """
    def to_hull(self, /) -> Geometry:
        """
        The convex hull.
        """
    def to_mesh(self, /) -> tuple[NDArray[float64], NDArray[uint32]]:
        """
        The shape as a mesh: vertices (V × 3) and indices of vertices (T × 3).
        """
    def transformed(self, /, pose: ArrayLike) -> Geometry:
        """
        The shape moved to a pose (4 × 4) in its own frame.
        """
    @staticmethod
    def triangle(a: ArrayLike, b: ArrayLike, c: ArrayLike) -> Geometry:
        """
        The triangle of three points.
        """
    @property
    def vertex_colors(self, /) -> NDArray[float64] | None:
        """
        Colours (V × 4) of the vertices of a mesh; ``None`` where it has none.
        """
    @property
    def volume(self, /) -> float | None:
        """
        Volume of a convex hull, m³; ``None`` for other shapes.
        """
    def with_margin(self, /, margin: SupportsFloat | SupportsIndex) -> Geometry:
        """
        The shape with another margin, m.
        """
    def with_solid(self, /, solid: bool) -> Geometry:
        """
        The shape as a solid, or as a surface.
        """
    def within_distance(self, /, other: Geometry, distance: SupportsFloat | SupportsIndex, *, pose: ArrayLike = ..., other_pose: ArrayLike = ...) -> bool:
        """
        Whether two shapes are within a distance, m.
        """

@final
class Hit:
    """
    Where a ray hits an element.
    """
    def __repr__(self, /) -> str: ...
    @property
    def distance(self, /) -> float:
        """
        Distance from the origin of the ray, m.
        """
    @property
    def entity(self, /) -> Entity:
        """
        The element.
        """
    @property
    def normal(self, /) -> NDArray[float64]:
        """
        The normal (3) of the surface, towards the origin of the ray.
        """
    @property
    def point(self, /) -> NDArray[float64]:
        """
        The point (3) in the world.
        """

@final
class Inertia:
    """
    Mass (kg), centre of mass (3, m) and moment of inertia about it (3 × 3, kg·m²) of a rigid body, in a frame.

    >>> import kinworld as kw
    >>> kw.Inertia.cuboid(12.0, (1, 1, 1)).moment
    array([[2., 0., 0.],
           [0., 2., 0.],
           [0., 0., 2.]])
    """
    def __add__(self, other: object, /) -> Inertia: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __new__(cls, /, mass: SupportsFloat | SupportsIndex = 0.0, com: ArrayLike = ..., moment: ArrayLike | None = None) -> Inertia: ...
    def __reduce__(self, /) -> tuple[Any, tuple[float, NDArray[float64], NDArray[float64]]]: ...
    def __repr__(self, /) -> str: ...
    @staticmethod
    def capsule(mass: SupportsFloat | SupportsIndex, radius: SupportsFloat | SupportsIndex, length: SupportsFloat | SupportsIndex) -> Inertia:
        """
        Of a capsule along z about its centre; ``length`` without the caps.
        """
    @property
    def com(self, /) -> NDArray[float64]:
        """
        Centre of mass (3), m.
        """
    @staticmethod
    def cuboid(mass: SupportsFloat | SupportsIndex, size: ArrayLike) -> Inertia:
        """
        Of a box with these side lengths (3), m, about its centre.
        """
    @staticmethod
    def cylinder(mass: SupportsFloat | SupportsIndex, radius: SupportsFloat | SupportsIndex, height: SupportsFloat | SupportsIndex) -> Inertia:
        """
        Of a cylinder along z about its centre.
        """
    @staticmethod
    def from_parameters(parameters: ArrayLike) -> Inertia:
        """
        From ten parameters, see ``parameters``.
        """
    def kinetic_energy(self, /, velocity: ArrayLike) -> float:
        """
        Kinetic energy at a spatial velocity (6), angular first, J.
        """
    @property
    def mass(self, /) -> float:
        """
        Mass, kg.
        """
    @property
    def matrix(self, /) -> NDArray[float64]:
        """
        The spatial inertia (6 × 6), angular first.
        """
    def merged(self, /, other: Inertia) -> Inertia:
        """
        The inertia of two bodies that are fixed to each other.
        """
    @property
    def moment(self, /) -> NDArray[float64]:
        """
        Moment of inertia (3 × 3) about the centre of mass, kg·m².
        """
    def moment_about(self, /, p: ArrayLike) -> NDArray[float64]:
        """
        Moment of inertia (3 × 3) about a point (3).
        """
    def momentum(self, /, velocity: ArrayLike) -> NDArray[float64]:
        """
        Momentum (6) at a spatial velocity (6), both angular first, about the frame's origin.
        """
    @property
    def parameters(self, /) -> NDArray[float64]:
        """
        The ten parameters in which the dynamics are linear: m, m·c (3), and the moment about the origin: xx, xy, yy, xz,
        yz, zz.
        """
    @staticmethod
    def rod(mass: SupportsFloat | SupportsIndex, length: SupportsFloat | SupportsIndex) -> Inertia:
        """
        Of a thin rod along z about its centre.
        """
    @staticmethod
    def sphere(mass: SupportsFloat | SupportsIndex, radius: SupportsFloat | SupportsIndex) -> Inertia:
        """
        Of a ball about its centre.
        """
    def transformed(self, /, pose: ArrayLike) -> Inertia:
        """
        The inertia in another frame, in which this frame has the pose (4 × 4).
        """

@final
class Joint:
    """
    A joint: links that move together with a common meaning.
    """
    def __repr__(self, /) -> str: ...
    @property
    def base(self, /) -> int | None:
        """
        The index of the link that it moves relative to.
        """
    @property
    def dofs(self, /) -> list[int]:
        """
        The indices of its degrees of freedom.
        """
    @property
    def kind(self, /) -> str:
        """
        ``"normal"``, ``"spin"``, ``"weld"``, ``"floating"``, …
        """
    @property
    def link(self, /) -> int:
        """
        The index of the last link that it moves.
        """
    @property
    def links(self, /) -> list[int]:
        """
        The indices of the links that it moves.
        """
    @property
    def name(self, /) -> str:
        """
        The name.
        """

@final
class JointMotion:
    """
    A motion of several robots on one clock, from 0 to its ``duration``: each moves in pieces, from rest to rest, and waits between.

    Configurations list the coordinates of the robots one after the other, as those of their space. Lists by robot are in the
    order of ``space.robots``.
    """
    def __repr__(self, /) -> str: ...
    @property
    def arrivals(self, /) -> list[float]:
        """
        Time at which each robot arrives, s.
        """
    def at(self, /, time: SupportsFloat | SupportsIndex) -> NDArray[float64]:
        """
        The configuration (n) at a time.
        """
    def check(self, /, limits: MotionLimits) -> str | None:
        """
        The first limit of velocity, acceleration or jerk that it violates, in words; ``None`` where it holds all.
        """
    def discretized(self, /, step: SupportsFloat | SupportsIndex) -> Trajectory:
        """
        A trajectory of all robots with a milestone every ``step`` s.
        """
    @property
    def duration(self, /) -> float:
        """
        Duration until the last robot arrives, s.
        """
    @property
    def knots(self, /) -> NDArray[float64]:
        """
        Times between which it is smooth, s.
        """
    @property
    def n_dofs(self, /) -> int:
        """
        Number of coordinates of all robots, n.
        """
    def state_at(self, /, time: SupportsFloat | SupportsIndex) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
        """
        Configuration, velocity and acceleration (n each) at a time.
        """
    def velocity_at(self, /, time: SupportsFloat | SupportsIndex) -> NDArray[float64]:
        """
        The velocity (n) at a time.
        """
    @property
    def waits(self, /) -> list[list[tuple[float, float]]]:
        """
        The waits of each robot before it arrives, from and to, s.
        """

@final
class Limits:
    """
    Limits of all degrees of freedom, arrays (n); infinite where there is no limit.
    """
    def __getitem__(self, key: SupportsIndex, /) -> tuple[float, float]:
        """
        The limits (lower, upper) of a degree of freedom.
        """
    def __len__(self, /) -> int: ...
    def __repr__(self, /) -> str: ...
    def _repr_html_(self, /) -> str: ...
    @property
    def acceleration(self, /) -> NDArray[float64]:
        """
        Largest magnitudes of accelerations (n), rad/s² or m/s².
        """
    @property
    def lower(self, /) -> NDArray[float64]:
        """
        Smallest positions (n), rad or m.
        """
    @property
    def power(self, /) -> NDArray[float64]:
        """
        Largest magnitudes of power (n), W.
        """
    @property
    def torque(self, /) -> NDArray[float64]:
        """
        Largest magnitudes of torques or forces (n), N·m or N.
        """
    @property
    def upper(self, /) -> NDArray[float64]:
        """
        Largest positions (n), rad or m.
        """
    @property
    def velocity(self, /) -> NDArray[float64]:
        """
        Largest velocities (n), rad/s or m/s.
        """

@final
class Link:
    """
    A link of a robot: its name, its place in the tree, its inertia.
    """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __index__(self, /) -> int: ...
    def __repr__(self, /) -> str: ...
    @property
    def appearances(self, /) -> list[Appearance | None]:
        """
        The materials of its visual shapes, in the order of ``visual``; ``None`` for a shape without one.
        """
    @property
    def axis(self, /) -> NDArray[float64] | None:
        """
        The axis (3) of its motion in its own frame; ``None`` for a fixed link.
        """
    @property
    def children(self, /) -> list[Link]:
        """
        The children.
        """
    @property
    def collision(self, /) -> list[tuple[NDArray[float64], Geometry]]:
        """
        Collision shapes: pairs of a pose (4 × 4) in the link's frame and a geometry.
        """
    @property
    def com(self, /) -> NDArray[float64]:
        """
        Centre of mass (3) in the link's frame, m.
        """
    @property
    def dof(self, /) -> int | None:
        """
        The index of its degree of freedom in a configuration; ``None`` for a fixed link.
        """
    @property
    def index(self, /) -> int:
        """
        The index in the robot's links.
        """
    @property
    def inertia(self, /) -> Inertia:
        """
        Mass, centre of mass and moment of inertia.
        """
    @property
    def joint_name(self, /) -> str | None:
        """
        The name of the joint that moves the link.
        """
    @property
    def limits(self, /) -> tuple[float, float] | None:
        """
        The limits (lower, upper) of its degree of freedom, rad or m; ``None`` for a fixed link.
        """
    @property
    def mass(self, /) -> float:
        """
        Mass, kg.
        """
    @property
    def missing_geometry(self, /) -> str | None:
        """
        Why the link lacks the collision geometry that it should have; ``None`` where it does not.
        """
    @property
    def moment(self, /) -> NDArray[float64]:
        """
        Moment of inertia (3 × 3) about the centre of mass in the link's axes, kg·m².
        """
    @property
    def motion(self, /) -> str:
        """
        ``"fixed"``, ``"revolute"`` or ``"prismatic"``.
        """
    @property
    def name(self, /) -> str:
        """
        The name.
        """
    @property
    def parent(self, /) -> Link | None:
        """
        The parent; ``None`` for a root.
        """
    @property
    def placement(self, /) -> NDArray[float64]:
        """
        Pose (4 × 4) in the parent where its coordinate is zero.
        """
    @property
    def shape(self, /) -> Geometry | None:
        """
        The shape for collisions in the link's frame.
        """
    @property
    def spring(self, /) -> tuple[float, float] | None:
        """
        Stiffness, N·m/rad or N/m, and value at rest, rad or m, of the spring of its joint; ``None`` without one.
        """
    @property
    def visual(self, /) -> list[tuple[NDArray[float64], Geometry]]:
        """
        Visual shapes: pairs of a pose (4 × 4) in the link's frame and a geometry.
        """

@final
class LinkMap:
    """
    Where the links of a robot are after an edit: ``map[old]`` is the index of the new link, or ``None``.
    """
    def __getitem__(self, old: SupportsIndex, /) -> int | None: ...
    def __len__(self, /) -> int: ...
    def __repr__(self, /) -> str: ...
    def image(self, /, old: SupportsIndex) -> tuple[int, NDArray[float64]] | None:
        """
        The new link that an old one is or is a part of, and its pose (4 × 4) in it; ``None`` for one that was removed.
        """

@final
class LoadOptions:
    """
    Options of loaders; the defaults load all contents of a file.

    - ``geometry``: whether meshes and shapes are loaded.
    - ``use_visual``: visual geometry stands in where collision geometry is missing.
    - ``packages``: folders of ROS packages by name, for ``package://`` addresses.
    - ``roots``: further folders whose files a model may name.
    - ``base``: ``"auto"``, ``"fixed"`` or ``"floating"``, the joint between world and root of a URDF.
    - ``fixed_joints``: ``"auto"``, ``"keep"`` or ``"merge"``.
    - ``srdf``: an SRDF for robots from URDF; ``robot_srdfs``: one for each robot by name.
    - ``states``: files with named configurations, each for the robot of a name or for all (``None``).
    - ``degrees``: angles of tables without a unit are degrees.
    - ``limits``: largest sizes by name, such as ``{"file_size": 1 << 30}``: ``file_size``, ``text_size`` (bytes),
      ``nesting``, ``elements``, ``vertices``, ``pairs``, ``links``, ``world_links``, ``mount_depth``, ``mounts``.
    - ``xacro_args``: arguments of xacro files.
    - ``strict``: warnings are errors.
    """
    def __new__(cls, /, *, geometry: bool = True, use_visual: bool = False, hulls: bool = False, packages: dict[str, str | PathLike[str]] | None = None, roots: SupportsGetItem[int, str | PathLike[str]] | None = None, base: str = "auto", fixed_joints: str = "auto", srdf: str | PathLike[str] | None = None, robot_srdfs: dict[str, str | PathLike[str]] | None = None, states: SupportsGetItem[int, tuple[str | None, str | PathLike[str]]] | None = None, xacro_args: dict[str, str] | None = None, degrees: bool = False, limits: dict[str, SupportsIndex] | None = None, strict: bool = False) -> LoadOptions: ...
    def __repr__(self, /) -> str: ...

@final
class LoopClosure:
    """
    A joint that closes a loop of a robot: it holds a frame ``a`` on one link to a frame ``b`` on another.
    """
    def __repr__(self, /) -> str: ...
    @property
    def a(self, /) -> int | None:
        """
        The index of the first link; ``None`` for the world.
        """
    @property
    def a_pose(self, /) -> NDArray[float64]:
        """
        The first frame (4 × 4) in its link.
        """
    @property
    def b(self, /) -> int | None:
        """
        The index of the second link; ``None`` for the world.
        """
    @property
    def b_pose(self, /) -> NDArray[float64]:
        """
        The second frame (4 × 4) in its link.
        """
    @property
    def kind(self, /) -> str:
        """
        ``"spherical"``, ``"revolute"`` (about z) or ``"fixed"``: what the two frames may still do.
        """
    @property
    def n_rows(self, /) -> int:
        """
        The number of locked motions.
        """
    @property
    def name(self, /) -> str:
        """
        The name in the file, often empty.
        """

@final
class MotionLimits:
    """
    Limits of velocity, acceleration, jerk and torque of each degree of freedom; infinite where there is none.

    >>> import kinworld as kw
    >>> limits = kw.MotionLimits.of(kw.Robot.load("data/robots/arm6.urdf"))
    >>> limits = limits.with_acceleration([10] * 6)
    >>> limits.acceleration[0], limits.torque[0]
    (np.float64(10.0), np.float64(240.0))
    """
    def __new__(cls, /, n: SupportsIndex) -> MotionLimits:
        """
        No limits, for n degrees of freedom.
        """
    def __repr__(self, /) -> str: ...
    @property
    def acceleration(self, /) -> NDArray[float64]:
        """
        Largest magnitudes of accelerations (n).
        """
    @property
    def jerk(self, /) -> NDArray[float64]:
        """
        Largest magnitudes of jerks (n).
        """
    @staticmethod
    def joined(parts: SupportsGetItem[int, MotionLimits]) -> MotionLimits:
        """
        The limits of several robots, one after the other.
        """
    @staticmethod
    def load(robot: Robot, path: str | PathLike[str]) -> MotionLimits:
        """
        The limits of a robot with those of a ``joint_limits.yaml`` in MoveIt's form.
        """
    @property
    def n_dofs(self, /) -> int:
        """
        Number of degrees of freedom.
        """
    @staticmethod
    def of(robot: Robot) -> MotionLimits:
        """
        The limits of a robot, as its file has them.
        """
    def scaled(self, /, speed: SupportsFloat | SupportsIndex) -> MotionLimits:
        """
        The limits of a motion that is slower: times ``speed``, its square for accelerations, its cube for jerks.
        """
    @property
    def torque(self, /) -> NDArray[float64]:
        """
        Largest magnitudes of torques (n).
        """
    @property
    def velocity(self, /) -> NDArray[float64]:
        """
        Smallest and largest velocities (n × 2).
        """
    def with_acceleration(self, /, limits: ArrayLike) -> MotionLimits:
        """
        The same with other limits of the magnitude of the acceleration (n).
        """
    def with_jerk(self, /, limits: ArrayLike) -> MotionLimits:
        """
        The same with other limits of the magnitude of the jerk (n).
        """
    def with_torque(self, /, limits: ArrayLike) -> MotionLimits:
        """
        The same with other limits of the magnitude of the torque (n).
        """
    def with_velocity(self, /, limits: ArrayLike) -> MotionLimits:
        """
        The same with other limits of the magnitude of the velocity (n).
        """

@final
class Nearest:
    """
    The distance of two elements, m, and their nearest points (3) in the world.
    """
    def __float__(self, /) -> float: ...
    def __repr__(self, /) -> str: ...
    @property
    def a(self, /) -> Entity:
        """
        One element.
        """
    @property
    def b(self, /) -> Entity:
        """
        The other.
        """
    @property
    def distance(self, /) -> float:
        """
        Distance, m; 0 where they overlap or touch.
        """
    @property
    def on_a(self, /) -> NDArray[float64] | None:
        """
        The nearest point (3) of ``a``; ``None`` where they overlap.
        """
    @property
    def on_b(self, /) -> NDArray[float64] | None:
        """
        The nearest point (3) of ``b``; ``None`` where they overlap.
        """

@final
class Octree:
    """
    What is known of space from range measurements: cubes that are occupied, free or unknown, as in OctoMap.

    >>> import kinworld as kw
    >>> map = kw.Octree(0.05)
    >>> map.insert_scan((0, 0, 0), [(2, 0, 0), (2, 0.1, 0), (2, 0, 0.1)])
    >>> map.probability([(2.01, 0.01, 0.01), (1, 0, 0), (3, 0, 0)]).round(2)
    array([0.7, 0.4, nan])
    >>> map.boxes().distance(kw.Geometry.sphere(0.1), other_pose=kw.se3.from_translation((2.025, 0.025, -1)))
    0.9
    """
    def __new__(cls, /, resolution: SupportsFloat | SupportsIndex) -> Octree:
        """
        An unknown space with finest cubes of a size, m.
        """
    def __repr__(self, /) -> str: ...
    def boxes(self, /) -> Geometry:
        """
        The occupied cubes as a group of boxes, for collision and distance.
        """
    def cloud(self, /) -> Geometry:
        """
        The occupied cubes as a cloud of the centres of finest cubes with a margin that encloses these, for the sphere pre-filter.
        """
    def insert_scan(self, /, origin: ArrayLike, points: ArrayLike, max_range: SupportsFloat | SupportsIndex = ...) -> None:
        """
        Inserts a scan: the points (N × 3) that a sensor at ``origin`` has measured, both in the frame of the map.

        Points beyond ``max_range``, m, only free what is within it.
        """
    def leaves(self, /) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
        """
        The known cubes that are not divided: centres (k × 3), sizes (k), probabilities (k).
        """
    @staticmethod
    def load(path: str | PathLike[str]) -> Octree:
        """
        Loads a ``.bt`` file of OctoMap.
        """
    @property
    def n_nodes(self, /) -> int:
        """
        Number of known and of divided cubes.
        """
    def probability(self, /, points: ArrayLike) -> NDArray[float64]:
        """
        Probability (N) that the cubes around points (N × 3) are occupied: occupied from 0.5 on, NaN where nothing is known.
        """
    @property
    def resolution(self, /) -> float:
        """
        Size of the finest cubes, m.
        """
    def save(self, /, path: str | PathLike[str]) -> None:
        """
        Saves a ``.bt`` file of OctoMap, which holds whether cubes are occupied or free, and not how surely.
        """

@final
class Picture:
    """
    A picture: colour, depth and element of each pixel, rows from the top.
    """
    def __repr__(self, /) -> str: ...
    def _repr_png_(self, /) -> bytes:
        """
        For notebooks: the picture.
        """
    @staticmethod
    def animation(pictures: SupportsGetItem[int, Picture], frames_per_second: SupportsFloat | SupportsIndex = 25.0) -> bytes:
        """
        Pictures of one size as an animated PNG, which browsers play again and again.
        """
    @property
    def depth(self, /) -> NDArray[float32]:
        """
        Distance along the optical axis (height × width), m; infinite where there is nothing.
        """
    @property
    def elements(self, /) -> list[Entity]:
        """
        The elements that ``segmentation`` counts.
        """
    def entity(self, /, x: SupportsIndex, y: SupportsIndex) -> Entity | None:
        """
        The element at a pixel: column and row; ``None`` where there is nothing.
        """
    @property
    def rgb(self, /) -> NDArray[uint8]:
        """
        Red, green and blue (height × width × 3), 0 to 255.
        """
    @property
    def segmentation(self, /) -> NDArray[uint32]:
        """
        Element (height × width): its place in ``elements`` plus 1, 0 where there is nothing.
        """
    @property
    def size(self, /) -> tuple[int, int]:
        """
        Width and height, pixels.
        """
    def to_png(self, /, of: str = "rgb") -> bytes:
        """
        The picture as PNG; ``of`` is ``"rgb"``, ``"depth"`` (16 bits, mm) or ``"segmentation"`` (16 bits).
        """

@final
class Plan:
    """
    Result of a search.
    """
    def __bool__(self, /) -> bool: ...
    def __repr__(self, /) -> str: ...
    def _repr_html_(self, /) -> str: ...
    @property
    def found(self, /) -> bool:
        """
        Whether there is a path.
        """
    @property
    def goal(self, /) -> int | None:
        """
        The index of the goal that the path reaches, of several.
        """
    @property
    def iterations(self, /) -> int:
        """
        Number of samples.
        """
    @property
    def path(self, /) -> NDArray[float64] | None:
        """
        The path (k × n); ``None`` where none was found.
        """
    @property
    def start(self, /) -> int | None:
        """
        The index of the start of the path, of several.
        """
    @property
    def termination(self, /) -> str:
        """
        ``"found"``, ``"iterations"``, ``"time"``, ``"cancelled"``, ``"too thin"`` or ``"no goal"``.
        """
    @property
    def unreached(self, /) -> list[tuple[int, Solution]]:
        """
        Goals that inverse kinematics does not reach: their indices, and how near it gets.
        """

@final
class PrioritizedPlan:
    """
    Result of ``space.plan_prioritized``.
    """
    def __bool__(self, /) -> bool: ...
    def __repr__(self, /) -> str: ...
    @property
    def failed(self, /) -> list[tuple[list[str], str]]:
        """
        Orders that failed before, up to the robot that found no motion, and why it found none.
        """
    @property
    def is_joint(self, /) -> bool:
        """
        Whether no order worked and the motion was planned in the joint space.
        """
    @property
    def iterations(self, /) -> int:
        """
        Number of samples.
        """
    @property
    def motion(self, /) -> JointMotion | None:
        """
        The motion of all robots; ``None`` where none was found.
        """
    @property
    def order(self, /) -> list[str]:
        """
        The names of the robots in the order in which they were planned; empty where they were planned in the joint space, or no
        motion was found.
        """
    @property
    def rounded(self, /) -> list[str]:
        """
        Names of the robots that go along lines with rounded corners in a part of their motion or in all of it, for no smooth curve
        is free there; empty where none was asked for.
        """
    @property
    def termination(self, /) -> str:
        """
        ``"found"``, ``"iterations"``, ``"time"``, ``"cancelled"`` or ``"too thin"``.
        """

@final
class Proof:
    """
    Outcome of a proof about all configurations of an edge.
    """
    def __bool__(self, /) -> bool: ...
    def __repr__(self, /) -> str: ...
    @property
    def nearest(self, /) -> Nearest | None:
        """
        The distance at a place that is too near.
        """
    @property
    def outcome(self, /) -> str:
        """
        ``"free"``, ``"collision"`` or ``"near"``.
        """
    @property
    def reason(self, /) -> str | None:
        """
        The obstacle, in words.
        """
    @property
    def t(self, /) -> float | None:
        """
        Position on the edge, 0 to 1, of a collision or of a place that is too near.
        """

@final
class RigidObject:
    """
    A free rigid body: a shape, a mass, a pose. `World.add` puts a copy into a world.
    """
    def __new__(cls, /, name: str, geometry: Geometry | None = None, *, mass: SupportsFloat | SupportsIndex = 1.0, com: ArrayLike = ..., moment: ArrayLike | None = None, pose: ArrayLike | None = None, friction: SupportsFloat | SupportsIndex = 0.5, restitution: SupportsFloat | SupportsIndex = 0.0) -> RigidObject: ...
    def __reduce__(self, /) -> tuple[Any, tuple[bytes]]: ...
    def __repr__(self, /) -> str: ...
    @staticmethod
    def _from_bytes(bytes: bytes) -> RigidObject: ...
    @property
    def angular_velocity(self, /) -> NDArray[float64]:
        """
        Angular velocity (3) in world axes, rad/s.
        """
    @property
    def contact(self, /) -> tuple[float, float, float, float]:
        """
        Friction, restitution, stiffness and damping of its surface, as files give them.
        """
    @property
    def geometry(self, /) -> Geometry | None:
        """
        The shape.
        """
    @property
    def inertia(self, /) -> Inertia:
        """
        Mass, centre of mass and moment of inertia.
        """
    @staticmethod
    def load(path: str | PathLike[str], *, options: LoadOptions | None = None) -> RigidObject:
        """
        Loads a rigid object; a mesh alone becomes one of 1 kg.
        """
    @property
    def mass(self, /) -> float:
        """
        Mass, kg.
        """
    @property
    def missing_geometry(self, /) -> str | None:
        """
        Why the object lacks the collision geometry that it should have; ``None`` where it does not.
        """
    @property
    def name(self, /) -> str:
        """
        The name.
        """
    @property
    def pose(self, /) -> NDArray[float64]:
        """
        Pose (4 × 4).
        """
    @property
    def properties(self, /) -> dict[str, str]:
        """
        Other properties of the file.
        """
    def save(self, /, path: str | PathLike[str], *, force: bool = False) -> list[Diagnostic2]:
        """
        Saves the object as a rigid-object file with its mesh. Returns warnings about what is lost.
        """
    @property
    def velocity(self, /) -> NDArray[float64]:
        """
        Velocity (3) of the frame's origin in world axes, m/s.
        """

@final
class RigidObjectSpace:
    """
    The poses of a rigid object: which are free, and paths between them.

    A configuration is (x, y, z, yaw, pitch, roll), m and rad; ``config`` and ``pose`` convert. ``space`` is the space of
    a robot with the object as its one body, which answers all else.

    >>> import kinworld as kw
    >>> world = kw.load("data/terrains/table.env", "data/objects/crate.obj")
    >>> crate = world.object_space("crate", [(0, 1.5), (-1, 1), (0, 1)])
    >>> goal = crate.config(kw.se3.from_translation((0.7, -0.4, 0.3)))
    >>> crate.space.plan(crate.current, goal).found
    True
    """
    def __repr__(self, /) -> str: ...
    def config(self, /, pose: ArrayLike) -> NDArray[float64]:
        """
        The configuration (6) of a pose (4 × 4).
        """
    @property
    def current(self, /) -> NDArray[float64]:
        """
        The configuration (6) of the object in the world.
        """
    def pose(self, /, q: ArrayLike) -> NDArray[float64]:
        """
        The pose (4 × 4) of a configuration (6).
        """
    @property
    def space(self, /) -> Space:
        """
        The space of a robot with the object as its one body.
        """

@final
class RigidObjectView:
    """
    A rigid object of a world.
    """
    def __repr__(self, /) -> str: ...
    @property
    def angular_velocity(self, /) -> NDArray[float64]:
        """
        Angular velocity (3) in world axes, rad/s.
        """
    @property
    def com(self, /) -> NDArray[float64]:
        """
        Centre of mass (3) in the object's frame, m.
        """
    @property
    def contact(self, /) -> tuple[float, float, float, float]:
        """
        Friction, restitution, stiffness and damping of its surface, as files give them.
        """
    @property
    def entity(self, /) -> Entity:
        """
        The object as an element of its world.
        """
    @property
    def geometry(self, /) -> Geometry | None:
        """
        The shape in the object's frame.
        """
    @property
    def inertia(self, /) -> Inertia:
        """
        Mass, centre of mass and moment of inertia.
        """
    @property
    def mass(self, /) -> float:
        """
        Mass, kg.
        """
    @property
    def moment(self, /) -> NDArray[float64]:
        """
        Moment of inertia (3 × 3) about the centre of mass in the object's axes, kg·m².
        """
    @property
    def name(self, /) -> str:
        """
        The name.
        """
    @property
    def pose(self, /) -> NDArray[float64]:
        """
        Pose (4 × 4) in the world.
        """
    @pose.setter
    def pose(self, /, pose: ArrayLike) -> None: ...
    def set_contact(self, /, friction: SupportsFloat | SupportsIndex, restitution: SupportsFloat | SupportsIndex, stiffness: SupportsFloat | SupportsIndex, damping: SupportsFloat | SupportsIndex) -> None:
        """
        Sets friction, restitution, stiffness and damping of its surface.
        """
    def set_geometry(self, /, geometry: Geometry | None) -> None:
        """
        Sets the shape, or takes it away.
        """
    def set_inertia(self, /, inertia: Inertia) -> None:
        """
        Sets mass, centre of mass and moment of inertia.
        """
    def set_pose(self, /, pose: ArrayLike) -> None:
        """
        Sets the pose (4 × 4) in the world.
        """
    def set_velocity(self, /, angular: ArrayLike, linear: ArrayLike) -> None:
        """
        Sets the velocities (3 each): angular, linear.
        """
    @property
    def velocity(self, /) -> NDArray[float64]:
        """
        Velocity (3) of the frame's origin in world axes, m/s.
        """

@final
class RigidObjects:
    """
    The rigid objects of a world, by name or index.
    """
    def __contains__(self, name: str, /) -> bool: ...
    def __getitem__(self, key: int | str, /) -> RigidObjectView: ...
    def __iter__(self, /) -> Iterator[RigidObjectView2]: ...
    def __len__(self, /) -> int: ...
    def __repr__(self, /) -> str: ...
    def names(self, /) -> list[str]:
        """
        The names.
        """

@final
class RoadMap:
    """
    A probabilistic road map: free configurations of a space and edges between near ones, kept for many plans in one scene.

    Edges are checked when a plan needs them, and what comes out is kept. Each call takes the space as it is now: after
    ``space.with_pose`` has moved an object, the map forgets what it knew about edges near it.

    >>> import kinworld as kw
    >>> world = kw.load("data/robots/arm6.urdf", "data/terrains/table.env", "data/objects/ball.obj")
    >>> space = world.space()
    >>> road_map = kw.RoadMap(space, seed=1)
    >>> road_map.grow(space, 100) == len(road_map)
    True
    >>> start, goal = [0, 0, 0, 0, 0, 0], [1, 0.3, 0, 0, 0, 0]
    >>> road_map.plan(space, start, goal).found
    True
    >>> moved = space.with_pose("ball", kw.se3.from_translation((0.4, 0.3, 0.6)))
    >>> road_map.plan(moved, start, goal).found
    True
    """
    def __len__(self, /) -> int: ...
    def __new__(cls, /, space: Space, seed: SupportsIndex = 0) -> RoadMap: ...
    def __repr__(self, /) -> str: ...
    def check_edges(self, /, space: Space, progress: Any | None = None) -> int:
        """
        Checks all edges about which nothing is known: returns how many. ``plan`` works at a quarter of the resolution of its
        space: for it, check in ``space.with_resolution(space.resolution / 4)``.
        """
    @property
    def edges(self, /) -> NDArray[uint32]:
        """
        The milestones that each edge joins (m × 2).
        """
    def forget(self, /) -> None:
        """
        Forgets what is known about all edges, and keeps the milestones.
        """
    def grow(self, /, space: Space, samples: SupportsIndex, progress: Any | None = None) -> int:
        """
        Draws so many samples more, and adds those that are free: returns how many. ``progress`` is called with the number of
        samples now and then.
        """
    @property
    def lengths(self, /) -> NDArray[float64]:
        """
        The length of each edge (m), in the metric of the space; 0 for a map that was loaded and not used.
        """
    @staticmethod
    def load(space: Space, path: str | PathLike[str]) -> RoadMap:
        """
        Loads the map that ``save`` wrote, for a space of the same robots. What it says about edges is forgotten with the first
        use, unless ``trust_states`` is called.
        """
    @property
    def milestones(self, /) -> NDArray[float64]:
        """
        The configurations of the milestones (k × n).
        """
    def plan(self, /, space: Space, start: ArrayLike, goal: ArrayLike, *, time: SupportsFloat | SupportsIndex | None = None, seed: SupportsIndex = 0, iterations: SupportsIndex | None = None, range: SupportsFloat | SupportsIndex = 1.0, shortcuts: SupportsIndex = 200, improve: SupportsIndex = 0, end_tolerance: SupportsFloat | SupportsIndex = 0.0, progress: Any | None = None) -> Plan:
        """
        A path from ``start`` (n), or any of several (k × n), to ``goal``, likewise, held to what ``Space.plan`` does: along the
        map, and where it does not join them by a search, which the map learns. The options are those of ``Space.plan``.
        """
    def repair(self, /, space: Space) -> tuple[int, int]:
        """
        Forgets what may not hold in the space as it is now: numbers of edges that stay known, and that do not. Every other call
        that takes a space begins with it.
        """
    def save(self, /, path: str | PathLike[str]) -> None:
        """
        Saves the map as JSON.
        """
    @property
    def states(self, /) -> list[str]:
        """
        What is known of each edge (m): ``"free"``, ``"blocked"`` or ``"unknown"``.
        """
    def trust_states(self, /) -> None:
        """
        Takes what was saved about edges to hold in the scene of the space that the map is used with first: it has to be the
        same, with all poses.
        """

@final
class Robot:
    """
    An articulated robot: links in topological order, joints, drivers, limits. It never changes and can be shared.

    >>> import kinworld as kw
    >>> arm = kw.Robot.load("data/robots/planar3R.rob")
    >>> arm
    Robot 'planar3R': 3 dofs, 3 links
    >>> state = arm.state([0, 0, 0])
    >>> state.pose("link2")[:3, 3]
    array([2., 0., 0.])
    """
    def __contains__(self, name: str, /) -> bool: ...
    def __copy__(self, /) -> Robot: ...
    def __deepcopy__(self, /, memo: Any) -> Robot: ...
    def __getitem__(self, key: int | str | Link2, /) -> Link: ...
    def __iter__(self, /) -> Iterator[Link2]: ...
    def __len__(self, /) -> int: ...
    def __reduce__(self, /) -> tuple[Any, tuple[bytes]]: ...
    def __repr__(self, /) -> str: ...
    @staticmethod
    def _from_bytes(bytes: bytes) -> Robot: ...
    def _repr_html_(self, /) -> str: ...
    def ancestors(self, /, link: int | str | Link2) -> list[int]:
        """
        The indices of the parent of a link, its parent, and so on to a root.
        """
    @property
    def armature(self, /) -> NDArray[float64]:
        """
        Inertia of rotors and gears at each degree of freedom (n), kg·m² or kg.
        """
    def beyond_limits(self, /, q: ArrayLike, tolerance: SupportsFloat | SupportsIndex = 0.0) -> list[str]:
        """
        The names of the joints that are beyond their limits.
        """
    def builder(self, /) -> RobotBuilder:
        """
        A builder with all that this robot has.
        """
    def clamp_to_limits(self, /, q: ArrayLike) -> NDArray[float64]:
        """
        The nearest configuration (n) within the limits.
        """
    def config_from(self, /, values: "Mapping[str, float]") -> NDArray[float64]:
        """
        A configuration (n) from values by joint name; the others have their initial values.
        """
    def config_from_mujoco(self, /, qpos: ArrayLike) -> NDArray[float64]:
        """
        The configuration (n) that is ``qpos`` in MuJoCo: the part of the model's that belongs to this robot.
        """
    def config_to_mujoco(self, /, q: ArrayLike) -> NDArray[float64]:
        """
        The ``qpos`` in MuJoCo of a configuration ``q`` (n): free and ball joints have quaternions, w first.
        """
    @property
    def diagnostics(self, /) -> list[Diagnostic2]:
        """
        The warnings of the loader.
        """
    def difference(self, /, a: ArrayLike, b: ArrayLike) -> NDArray[float64]:
        """
        The velocity (n) that leads from ``a`` to ``b`` in unit time: the inverse of [`integrate`].
        """
    def distance(self, /, a: ArrayLike, b: ArrayLike) -> float:
        """
        Distance between two configurations in the metric of the joints.
        """
    def dof_index(self, /, joint: int | str) -> int:
        """
        The index of a degree of freedom in a configuration, by the name of its joint.
        """
    @property
    def dof_names(self, /) -> list[str]:
        """
        The name of the joint of each degree of freedom (n).
        """
    def driver(self, /, key: int | str) -> Driver:
        """
        A driver, by name or index.
        """
    @property
    def drivers(self, /) -> list[Driver]:
        """
        The drivers.
        """
    @property
    def end_effectors(self, /) -> list[EndEffector]:
        """
        The end effectors that an SRDF names.
        """
    def force_from_mujoco(self, /, q: ArrayLike, qfrc: ArrayLike) -> NDArray[float64]:
        """
        The forces (n) at ``q`` that are ``qfrc`` in MuJoCo.
        """
    def force_to_mujoco(self, /, q: ArrayLike, tau: ArrayLike) -> NDArray[float64]:
        """
        The ``qfrc`` (n) in MuJoCo of forces at ``q``.
        """
    def forward_dynamics(self, /, q: ArrayLike, dq: ArrayLike, tau: ArrayLike, *, gravity: ArrayLike = ...) -> NDArray[float64]:
        """
        Accelerations (n) at ``q``, ``dq`` for joint forces ``tau`` (n each): the articulated-body algorithm.
        """
    @staticmethod
    def from_dh(rows: ArrayLike, convention: str = "standard", *, prismatic: SupportsGetItem[int, bool] | None = None, name: str = "robot", base: ArrayLike | None = None, tool: ArrayLike | None = None) -> Robot:
        """
        A robot of a table of numbers (k × 4) without masses: ``"standard"`` rows are theta, d, a, alpha, ``"modified"``
        ones alpha, d, theta, r. ``prismatic`` has an answer per row. ``kinworld.dh`` has tables with more.
        """
    @staticmethod
    def from_urdf(text: str, folder: str | PathLike[str] = ..., *, options: LoadOptions | None = None) -> Robot:
        """
        Reads a robot from the text of a URDF; meshes are searched from ``folder``.
        """
    def gravity_forces(self, /, q: ArrayLike, *, gravity: ArrayLike = ...) -> NDArray[float64]:
        """
        Joint forces (n) that hold the robot at rest at ``q`` (n) against gravity.
        """
    def group_dofs(self, /, name: str) -> list[int]:
        """
        The degrees of freedom of a group, as indices in a configuration.
        """
    @property
    def groups(self, /) -> list[str]:
        """
        The names of the groups of joints that an SRDF defines, such as ``arm``.
        """
    def in_limits(self, /, q: ArrayLike) -> bool:
        """
        Whether a configuration is within all limits.
        """
    @property
    def initial_config(self, /) -> NDArray[float64]:
        """
        The configuration (n) that a new state has, rad or m.
        """
    def integrate(self, /, q: ArrayLike, v: ArrayLike) -> NDArray[float64]:
        """
        The configuration (n) after moving from ``q`` with the velocity ``v`` for unit time.
        """
    def interpolate(self, /, a: ArrayLike, b: ArrayLike, u: SupportsFloat | SupportsIndex) -> NDArray[float64]:
        """
        The configuration (n) on the shortest path from ``a`` (u = 0) to ``b`` (u = 1).
        """
    def interpolate_deriv(self, /, a: ArrayLike, b: ArrayLike) -> NDArray[float64]:
        """
        The velocity (n) at ``a`` of the interpolation to ``b`` in unit time.
        """
    def inverse_dynamics(self, /, q: ArrayLike, dq: ArrayLike, ddq: ArrayLike, *, gravity: ArrayLike = ...) -> NDArray[float64]:
        """
        Joint forces τ (n) at ``q``, ``dq``, ``ddq`` (n each): recursive Newton-Euler.
        """
    def is_ancestor_or_self(self, /, ancestor: int | str | Link2, link: int | str | Link2) -> bool:
        """
        Whether ``ancestor`` is ``link`` or one of its ancestors.
        """
    def jacobian(self, /, q: ArrayLike, link: int | str | Link2, p: ArrayLike = ...) -> NDArray[float64]:
        """
        Jacobian (6 × n) of the point ``p`` of a link at ``q`` (n), in world axes: rows 0–2 angular, 3–5 linear.
        """
    def joint(self, /, key: int | str) -> Joint:
        """
        A joint, by name or index.
        """
    @property
    def joint_names(self, /) -> list[str]:
        """
        The names of the joints, in the order of the file.
        """
    def joint_of(self, /, link: int | str | Link2) -> Joint | None:
        """
        The joint that moves a link; ``None`` for a link without one.
        """
    def joint_pose(self, /, joint: int | str, q: ArrayLike) -> NDArray[float64]:
        """
        Pose (4 × 4) of the last link of a joint relative to its base at a configuration (n).
        """
    @property
    def joints(self, /) -> list[Joint]:
        """
        The joints: name, kind, and the names of the links that each moves.
        """
    @property
    def limits(self, /) -> Limits:
        """
        The limits of all degrees of freedom.
        """
    def link(self, /, key: int | str | Link2) -> Link:
        """
        The link of a name, of an index, or of the name of the joint that moves it.
        """
    @property
    def links(self, /) -> list[Link]:
        """
        The links, parents before children.
        """
    @staticmethod
    def load(path: str | PathLike[str], *, options: LoadOptions | None = None) -> Robot:
        """
        Loads a robot from a ``.rob``, URDF or xacro file.
        """
    @property
    def loop_closures(self, /) -> list[LoopClosure]:
        """
        The joints that close loops.
        """
    def lowest_common_ancestor(self, /, a: int | str | Link2, b: int | str | Link2) -> Link | None:
        """
        The link from which two links branch off; ``None`` for two trees.
        """
    @property
    def mass(self, /) -> float:
        """
        Total mass of all links, kg.
        """
    def mass_matrix(self, /, q: ArrayLike) -> NDArray[float64]:
        """
        Mass matrix (n × n) at ``q`` (n), kg·m² or kg.
        """
    @property
    def missing_geometry(self, /) -> list[tuple[int, str]]:
        """
        Links without the collision geometry that they should have: index and reason.
        """
    def mujoco_velocity_map(self, /, q: ArrayLike) -> NDArray[float64]:
        """
        E (n × n) with ``qvel = E dq`` in MuJoCo at a configuration ``q`` (n); forces are ``tau = E.T @ qfrc``.
        """
    @property
    def n_dofs(self, /) -> int:
        """
        Number of degrees of freedom, n.
        """
    @property
    def n_links(self, /) -> int:
        """
        Number of links, fixed and virtual ones included.
        """
    @property
    def name(self, /) -> str:
        """
        The name.
        """
    def named_config(self, /, name: str, group: str | None = None) -> NDArray[float64]:
        """
        The configuration (n) of a named state; joints that it does not name have their initial values.
        """
    @property
    def named_states(self, /) -> list[str]:
        """
        The names of the states that the file or its SRDF defines, such as ``home``.
        """
    def neutral(self, /) -> NDArray[float64]:
        """
        The configuration with all joints at zero, or at the nearest limit.
        """
    def pose(self, /, q: ArrayLike, link: int | str | Link2) -> NDArray[float64]:
        """
        Pose (4 × 4) of a link at a configuration ``q`` (n).

        These functions of ``q`` keep no state: one call instead of two, and safe from many threads. Several questions about
        one configuration are cheaper with a `State`.

        >>> import kinworld as kw
        >>> arm = kw.Robot.load("data/robots/planar3R.rob")
        >>> arm.pose([0, 0, 0], "link2")[:3, 3]
        array([2., 0., 0.])
        """
    @property
    def properties(self, /) -> dict[str, str]:
        """
        Other properties of the file.
        """
    def sample(self, /, seed: SupportsIndex, count: SupportsIndex | None = None, *, scale: SupportsFloat | SupportsIndex = 1.0) -> Any:
        """
        Random configurations within the limits, the same for the same seed: (n) or, with ``count``, (count, n).

        Coordinates without limits are drawn from a range of about ``scale``.
        """
    def save(self, /, path: str | PathLike[str], *, force: bool = False, format: str | None = None) -> list[Diagnostic2]:
        """
        Saves the robot; the suffix of the path is the format. Returns warnings about what is lost.

        A file that this call did not write before is replaced only if the path names it or ``force`` is set.
        ``format`` is ``"rob"``, ``"urdf"``, ``"mjcf"`` or ``"sdf"`` where the suffix does not tell, as that of an ``.xml``.
        """
    def self_collision_enabled(self, /, a: int | str | Link2, b: int | str | Link2) -> bool:
        """
        Whether a pair of links is tested for self-collision.
        """
    @property
    def self_collision_pairs(self, /) -> list[tuple[str, str]]:
        """
        The pairs of links that are tested for self-collision, as names.
        """
    @property
    def sensors(self, /) -> list[Sensor]:
        """
        The sensors that its file describes; `kinworld.sim.simulate` records them by default.
        """
    def set_joint_pose(self, /, joint: int | str, pose: ArrayLike, q: ArrayLike) -> NDArray[float64]:
        """
        The configuration (n) ``q`` with a joint at a pose (4 × 4): that of a floating base, of a ball-and-socket joint.
        """
    def set_named_state(self, /, name: str, q: ArrayLike, group: str | None = None) -> NDArray[float64]:
        """
        The configuration (n) ``q`` with the joints that a named state names at its values; the others stay.
        """
    def set_values(self, /, values: "Mapping[str, float]", q: ArrayLike) -> NDArray[float64]:
        """
        The configuration (n) ``q`` with some values by joint name; the others stay.
        """
    def spherized(self, /, spheres: SupportsIndex = 8, *, allow_missing_geometry: bool = False) -> Robot:
        """
        The robot with at most ``spheres`` spheres per link as its collision geometry.
        """
    def state(self, /, q: ArrayLike | None = None, dq: ArrayLike | None = None) -> State:
        """
        A state of the robot: at ``q`` or its initial configuration, with the velocity ``dq`` or at rest.
        """
    def subtree(self, /, link: int | str | Link2) -> list[Link]:
        """
        The links that move with a link, itself first.
        """
    def velocity_from_mujoco(self, /, q: ArrayLike, qvel: ArrayLike) -> NDArray[float64]:
        """
        The velocity (n) at ``q`` that is ``qvel`` in MuJoCo.
        """
    def velocity_to_mujoco(self, /, q: ArrayLike, dq: ArrayLike) -> NDArray[float64]:
        """
        The ``qvel`` (n) in MuJoCo of a velocity at ``q``: angular velocities of free and ball joints are in the frame of the body.
        """
    def with_payload(self, /, link: int | str | Link2, payload: Inertia) -> Robot:
        """
        The robot with a mass that is fixed to a link, in the link's frame.
        """

@final
class RobotBuilder:
    """
    A robot in the making: links, joints, drivers. ``build`` makes the robot; ``robot.builder()`` starts from one.

    >>> import kinworld as kw
    >>> builder = kw.RobotBuilder("arm")
    >>> upper = builder.add_link("upper", motion="revolute", axis=(0, 0, 1), inertia=kw.Inertia.sphere(1.0, 0.1))
    >>> builder.add_link("lower", parent="upper", motion="revolute", placement=kw.se3.from_translation((1, 0, 0)))
    1
    >>> builder.build()
    Robot 'arm': 2 dofs, 2 links
    """
    def __len__(self, /) -> int: ...
    def __new__(cls, /, name: str) -> RobotBuilder: ...
    def __repr__(self, /) -> str: ...
    def add_driver(self, /, name: str, links: SupportsGetItem[int, str | SupportsIndex | Link], *, scale: SupportsGetItem[int, SupportsFloat | SupportsIndex] | None = None, offset: SupportsGetItem[int, SupportsFloat | SupportsIndex] | None = None, kind: str | None = None, base: str | SupportsIndex | Link | None = None, position: SupportsLenAndGetItem[SupportsFloat | SupportsIndex] | None = None, velocity: SupportsLenAndGetItem[SupportsFloat | SupportsIndex] | None = None, acceleration: SupportsLenAndGetItem[SupportsFloat | SupportsIndex] | None = None, torque: SupportsLenAndGetItem[SupportsFloat | SupportsIndex] | None = None, gains: tuple[SupportsFloat | SupportsIndex, SupportsFloat | SupportsIndex, SupportsFloat | SupportsIndex] | None = None, dry_friction: SupportsFloat | SupportsIndex = 0.0, viscous_friction: SupportsFloat | SupportsIndex = 0.0, rotor_inertia: SupportsFloat | SupportsIndex = 0.0, gear_ratio: SupportsFloat | SupportsIndex = 1.0) -> None:
        """
        Adds a driver of a link, or of several with ``scale`` and ``offset`` each: q = scale · u + offset.

        - ``kind``: ``"translation"`` and ``"rotation"`` are a thrust and a torque along the axis of one link, relative to
          ``base``.
        - ``position``, ``velocity``, ``acceleration``, ``torque``: ranges (lower, upper); by default those of the links.
        - ``gains``: proportional, integral, derivative. ``dry_friction`` in N·m or N, ``viscous_friction`` per velocity.
        - ``rotor_inertia``, kg·m², and ``gear_ratio``: they add ``gear_ratio**2 * rotor_inertia`` to the armature.
        """
    def add_end_effector(self, /, name: str, group: str, parent: str | SupportsIndex | Link, parent_group: str | None = None) -> None:
        """
        Adds an end effector: a group of links that the link ``parent`` carries, moved by ``parent_group``.
        """
    def add_group(self, /, name: str, links: SupportsGetItem[int, str | SupportsIndex | Link]) -> None:
        """
        Adds a group of links, such as ``"arm"``: of the joints that move them.
        """
    def add_joint(self, /, kind: str, link: str | SupportsIndex | Link, base: str | SupportsIndex | Link | None = None) -> None:
        """
        Adds the joint of a link: ``"weld"``, ``"normal"``, ``"spin"``, ``"floating"``, ``"floatingplanar"``,
        ``"ballandsocket"`` or ``"closed"``. Without any, each link has the usual one.
        """
    def add_link(self, /, name: str, *, parent: str | SupportsIndex | Link | None = None, motion: str = "fixed", axis: ArrayLike = ..., placement: ArrayLike | None = None, inertia: Inertia | None = None, joint: str | None = None, limits: SupportsLenAndGetItem[SupportsFloat | SupportsIndex] | None = None, velocity: SupportsFloat | SupportsIndex | None = None, acceleration: SupportsFloat | SupportsIndex | None = None, torque: SupportsFloat | SupportsIndex | None = None, initial: SupportsFloat | SupportsIndex = 0.0, armature: SupportsFloat | SupportsIndex = 0.0, collision: SupportsGetItem[int, tuple[ArrayLike, Geometry]] | None = None, visual: SupportsGetItem[int, tuple[ArrayLike, Geometry]] | None = None) -> int:
        """
        Adds a link and returns its index. ``placement`` (4 × 4) is its pose in the parent at zero; ``collision`` and
        ``visual`` are lists of a pose (4 × 4) in the link and a geometry.
        """
    def add_loop_closure(self, /, kind: str, a: str | SupportsIndex | Link | None, b: str | SupportsIndex | Link | None = None, *, a_pose: ArrayLike | None = None, b_pose: ArrayLike | None = None, name: str = ...) -> None:
        """
        Adds a joint that closes a loop: ``"spherical"``, ``"revolute"`` (about z) or ``"fixed"``, between frames (4 × 4) on
        two links; ``None`` is the world.
        """
    def add_named_state(self, /, name: str, values: "Mapping[str, float] | Mapping[int, float]", group: str | None = None) -> None:
        """
        Adds a named state of a group, or of the robot: values of links, rad or m.
        """
    def add_payload(self, /, link: str | SupportsIndex | Link, payload: Inertia) -> None:
        """
        Adds a mass that is fixed to a link, in the link's frame.
        """
    def add_sensor(self, /, sensor: Sensor) -> None:
        """
        Adds a sensor at a frame of a link.
        """
    def add_virtual_chain(self, /, kind: str, name: str, *, parent: str | SupportsIndex | Link | None = None, placement: ArrayLike | None = None) -> int:
        """
        Adds the virtual links of a ``"floating"``, ``"floatingplanar"`` or ``"ballandsocket"`` joint; returns the last.
        """
    def build(self, /) -> Robot:
        """
        The robot.
        """
    def check(self, /) -> list[Diagnostic2]:
        """
        What ``build`` would refuse or warn about.
        """
    def ignore_pair(self, /, a: str | SupportsIndex | Link, b: str | SupportsIndex | Link) -> None:
        """
        Excludes a pair of links from tests for self-collision.
        """
    @property
    def link_names(self, /) -> list[str]:
        """
        The names of the links.
        """
    @staticmethod
    def merge(name: str, parts: SupportsGetItem[int, tuple[str | None, RobotBuilder]]) -> tuple[RobotBuilder, list[LinkMap]]:
        """
        Several robots side by side as one: pairs of a prefix of names, or ``None``, and a builder; and where their links are.
        """
    def mount(self, /, link: str | SupportsIndex | Link | None, other: RobotBuilder, *, placement: ArrayLike | None = None, prefix: str | None = None) -> LinkMap:
        """
        Mounts another robot on a link, or on the world, at a pose (4 × 4); returns where its links are.
        """
    @property
    def name(self, /) -> str:
        """
        The name.
        """
    def reduce(self, /) -> tuple[RobotBuilder, LinkMap]:
        """
        A robot without fixed links: each becomes a part of the link that carries it. Returns where the links are.
        """
    def set_property(self, /, name: str, value: str | None) -> None:
        """
        Sets a property of the file, or takes it away.
        """
    def set_spring(self, /, link: str | SupportsIndex | Link, stiffness: SupportsFloat | SupportsIndex, rest: SupportsFloat | SupportsIndex = 0.0) -> None:
        """
        Gives the joint of a link a spring of a stiffness, N·m/rad or N/m, that rests at a value, rad or m.
        """
    def sort_links(self, /) -> list[int]:
        """
        Puts parents before children; returns the new index of each link.
        """
    def subset(self, /, keep: SupportsGetItem[int, str | SupportsIndex | Link]) -> tuple[RobotBuilder, LinkMap]:
        """
        A robot of some links; the others are fixed at their initial values or removed. Returns where the links are.
        """
    def test_pairs(self, /, pairs: SupportsGetItem[int, tuple[str | SupportsIndex | Link, str | SupportsIndex | Link]]) -> None:
        """
        Tests exactly these pairs of links for self-collision; `ignore_pair` takes some of them away.
        """
    def with_base(self, /, kind: str) -> RobotBuilder:
        """
        The robot on a base that moves: ``"floating"`` or ``"floatingplanar"``.
        """

@final
class RobotView(State):
    """
    A robot of a world: a state that moves the robot there, and all that is attached to it.
    """
    def __repr__(self, /) -> str: ...
    @property
    def entity(self, /) -> Entity:
        """
        The robot as an element of its world.
        """
    @property
    def name(self, /) -> str:
        """
        The name in the world, which may differ from that of the robot's description.
        """
    @property
    def world(self, /) -> World | None:
        """
        The world.
        """

@final
class Robots:
    """
    The robots of a world, by name or index.
    """
    def __contains__(self, name: str, /) -> bool: ...
    def __getitem__(self, key: int | str, /) -> RobotView: ...
    def __iter__(self, /) -> Iterator[RobotView2]: ...
    def __len__(self, /) -> int: ...
    def __repr__(self, /) -> str: ...
    def names(self, /) -> list[str]:
        """
        The names.
        """

@final
class SelfCollisionMask:
    """
    Pairs of links to test for self-collision, learned from random configurations.
    """
    def __repr__(self, /) -> str: ...
    def apply(self, /, robot: Robot) -> Robot:
        """
        The robot with this mask.
        """
    @property
    def checked(self, /) -> int:
        """
        Number of further configurations that it was checked with.
        """
    def count(self, /, kind: str) -> int:
        """
        Number of pairs of a class: ``"adjacent"``, ``"default"``, ``"always"``, ``"never"``, ``"given"``, ``"sometimes"``.
        """
    def is_tested(self, /, kind: str) -> bool:
        """
        Whether pairs of a class are tested.
        """
    @staticmethod
    def learn(robot: Robot, *, samples: SupportsIndex | None = None, seed: SupportsIndex = 0, disable_default: bool | None = None, allow_missing_geometry: bool = False, progress: Any | None = None) -> SelfCollisionMask:
        """
        Learns which pairs of links collide never, always or sometimes within the limits of a robot.

        ``progress`` is called with the number of configurations now and then.
        """
    @property
    def missed(self, /) -> int:
        """
        Number of these with a collision that the mask misses.
        """
    def missed_bound(self, /, confidence: SupportsFloat | SupportsIndex) -> float:
        """
        Upper bound of the share of configurations with a missed collision, with a confidence such as 0.95.
        """
    @property
    def pairs(self, /) -> list[tuple[int, int, str, int]]:
        """
        All pairs: indices of two links, the class, and in how many samples they collided.
        """
    @property
    def samples(self, /) -> int:
        """
        Number of random configurations that the mask was learned from.
        """
    def save(self, /, file: str | PathLike[str], output: str | PathLike[str]) -> None:
        """
        Writes the mask into a copy of a robot's file, or into an SRDF.
        """
    @property
    def tested(self, /) -> list[tuple[int, int]]:
        """
        The pairs to test, as indices of links.
        """

@final
class SmoothTrajectory:
    """
    A motion with continuous velocity, along a path by `GeometricPath.time_optimal`, or `point_to_point`.

    >>> import kinworld as kw
    >>> limits = kw.MotionLimits(1).with_velocity([2]).with_acceleration([4]).with_jerk([16])
    >>> motion = kw.SmoothTrajectory.point_to_point([1.0], [11.0], limits)
    >>> round(motion.duration, 9)
    5.75
    """
    def __repr__(self, /) -> str: ...
    def acceleration_at(self, /, time: SupportsFloat | SupportsIndex) -> NDArray[float64]:
        """
        The acceleration (n) at a time.
        """
    def at(self, /, time: SupportsFloat | SupportsIndex) -> NDArray[float64]:
        """
        The configuration (n) at a time.
        """
    def check(self, /, limits: MotionLimits, *, robot: Robot | None = None, gravity: ArrayLike = ..., friction: bool = True, payload: tuple[int | str | Link2, Inertia] | None = None) -> str | None:
        """
        The first limit that it violates, in words; ``None`` where it holds all. Torques count with a robot.
        """
    def discretized(self, /, step: SupportsFloat | SupportsIndex) -> Trajectory:
        """
        A trajectory with a milestone every ``step`` s.
        """
    @property
    def duration(self, /) -> float:
        """
        Duration, s.
        """
    @property
    def knots(self, /) -> NDArray[float64]:
        """
        Times between which it is smooth, s.
        """
    @property
    def n_dofs(self, /) -> int:
        """
        Number of degrees of freedom.
        """
    @property
    def path(self, /) -> GeometricPath:
        """
        The path that it follows.
        """
    @staticmethod
    def point_to_point(start: ArrayLike, goal: ArrayLike, limits: MotionLimits, *, start_velocity: ArrayLike | None = None, start_acceleration: ArrayLike | None = None, goal_velocity: ArrayLike | None = None, goal_acceleration: ArrayLike | None = None, straight: bool = False, duration: SupportsFloat | SupportsIndex = 0.0) -> SmoothTrajectory:
        """
        The fastest motion between two configurations (n each) within limits of velocity, acceleration and jerk.

        It begins and ends at rest, or with these velocities and accelerations (n each); all degrees of freedom arrive together, after
        ``duration`` seconds at least. With ``straight`` it keeps to the straight line between the two.
        """
    def state_at(self, /, time: SupportsFloat | SupportsIndex) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
        """
        Configuration, velocity and acceleration (n each) at a time.
        """
    def utilization(self, /, limits: MotionLimits, *, robot: Robot | None = None, gravity: ArrayLike = ..., friction: bool = True, payload: tuple[int | str | Link2, Inertia] | None = None) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64], NDArray[float64]]:
        """
        The largest part of each limit that it uses: velocity, acceleration, jerk and torque (n each), 0 without a limit.
        """
    def velocity_at(self, /, time: SupportsFloat | SupportsIndex) -> NDArray[float64]:
        """
        The velocity (n) at a time.
        """

@final
class Space:
    """
    The configurations of one or more robots of a world: which are free, which edges between them are, and paths.

    A space never changes and can be used from many threads.

    >>> import kinworld as kw
    >>> world = kw.load("data/robots/arm6.urdf", "data/terrains/table.env")
    >>> space = world.space()
    >>> plan = space.plan([0, 0, 0, 0, 0, 0], [1, 0.3, 0, 0, 0, 0], seed=1)
    >>> plan.found, len(plan.path) >= 2
    (True, True)
    """
    def __repr__(self, /) -> str: ...
    def are_edges_free(self, /, a: ArrayLike, b: ArrayLike) -> NDArray[bool_]:
        """
        Whether each of N edges, from the rows of ``a`` to those of ``b`` (N × n each), is free.
        """
    def are_free(self, /, q: ArrayLike) -> NDArray[bool_]:
        """
        Whether each of N configurations (N × n) is.
        """
    @property
    def bounds(self, /) -> NDArray[float64]:
        """
        Lower and upper bound of each coordinate (n × 2).
        """
    def clearance(self, /, q: ArrayLike) -> tuple[Nearest, NDArray[float64]] | None:
        """
        Distance of the robots to the nearest obstacle, and its gradient (n); ``None`` where nothing is near.
        """
    def constrained(self, /, objectives: Objective | Sequence[Objective], robot: int | str | None = None, *, tolerance: SupportsFloat | SupportsIndex | None = None, step: SupportsFloat | SupportsIndex | None = None, active: SupportsGetItem[int, int | str] | None = None) -> ConstrainedSpace:
        """
        The configurations that also keep objectives of a robot, the first by default, along a path.

        ``tolerance`` is the largest violation, m or rad; ``step`` the distance between projections along an edge, in the
        metric of the space; ``active`` names the joints that a projection moves.
        """
    @property
    def current(self, /) -> NDArray[float64]:
        """
        The configuration (n) of the robots in the world.
        """
    def distance(self, /, a: ArrayLike, b: ArrayLike) -> float:
        """
        Distance of two configurations in the metric of the space.
        """
    def distance_barrier(self, /, q: ArrayLike, margin: SupportsFloat | SupportsIndex, *, gain: SupportsFloat | SupportsIndex = 10.0, within: SupportsFloat | SupportsIndex | None = None) -> tuple[NDArray[float64], NDArray[float64], list[Nearest]]:
        """
        Rows (k × n) and bounds (k) that keep all near pairs ``margin`` m apart, as constraints of `kinworld.ik.velocity`; pairs that
        overlap have no row and come third.

        The distance of a pair falls no faster than ``gain`` (1/s) times what it has beyond the margin; ``within`` (m) is where a pair
        begins to count, 0.2 m beyond the margin by default.
        """
    def edge_collision(self, /, a: ArrayLike, b: ArrayLike) -> tuple[float, str] | None:
        """
        The first sample of an edge that is not free: its position (0 to 1) and the reason; ``None`` where all are.
        """
    def fastest_motion_along(self, /, waypoints: ArrayLike, limits: MotionLimits, *, smooth: SupportsFloat | SupportsIndex | None = None, deviation: SupportsFloat | SupportsIndex = 0.05, robot: Robot | None = None, gravity: ArrayLike = ..., friction: bool = True, payload: tuple[int | str | Link2, Inertia] | None = None) -> tuple[SmoothTrajectory, bool]:
        """
        The fastest free motion along waypoints (k × n), and whether it follows a smooth curve beside them: that is asked for by its
        ``smooth`` margin (m), and corners are rounded where none is free. Torques count with a robot.
        """
    def follow(self, /, path: CartesianPath, start: ArrayLike, step: SupportsFloat | SupportsIndex) -> tuple[GeometricPath | None, float, float, tuple[float, str] | None]:
        """
        Configurations of which a link follows a Cartesian path, in steps of ``step`` m: the path as far as it goes, the parameter
        that is reached, the largest distance from the Cartesian path, and where and why it ends early.
        """
    def follow_together(self, /, paths: SupportsGetItem[int, CartesianPath], start: ArrayLike, step: SupportsFloat | SupportsIndex) -> tuple[GeometricPath | None, float, float, tuple[float, str] | None]:
        """
        The same for Cartesian paths of several links of one robot that begin and end together: the parameter is that of the
        longest; a path without pieces keeps its link where it is.
        """
    def free_share(self, /, a: ArrayLike, b: ArrayLike, shares: SupportsGetItem[int, SupportsFloat | SupportsIndex], steps: SupportsIndex | None = None) -> float:
        """
        How much of the edge from ``a`` to ``b`` is free, from ``a`` on: 1 for all of it, or else the first of ``shares``, which descend,
        up to which it is, at the last sample before it; 0 where none is.

        With ``steps`` the edge is checked at so many equal steps, else at the resolution.
        """
    def interpolate(self, /, a: ArrayLike, b: ArrayLike, u: SupportsFloat | SupportsIndex) -> NDArray[float64]:
        """
        The configuration (n) on the way from ``a`` (u = 0) to ``b`` (u = 1).
        """
    def is_edge_free(self, /, a: ArrayLike, b: ArrayLike) -> bool:
        """
        Whether the edge from ``a`` to ``b`` is free at all samples of the resolution.
        """
    def is_edge_free_in_steps(self, /, a: ArrayLike, b: ArrayLike, steps: SupportsIndex) -> bool:
        """
        Whether an edge is free, checked at ``steps`` equal steps.
        """
    def is_free(self, /, q: ArrayLike) -> bool:
        """
        Whether a configuration is within the limits and free of collisions.
        """
    def joint_motion_collision(self, /, motion: JointMotion) -> tuple[float, str] | None:
        """
        The first time at which a motion of all robots is not free, and the reason; ``None`` where it is free.
        """
    @property
    def missing_geometry(self, /) -> list[tuple[Entity, str]]:
        """
        Elements without the collision geometry that they should have, each with the reason.
        """
    def motion_along(self, /, waypoints: ArrayLike, limits: MotionLimits, *, deviation: SupportsFloat | SupportsIndex = 0.05, robot: Robot | None = None, gravity: ArrayLike = ..., friction: bool = True, payload: tuple[int | str | Link2, Inertia] | None = None) -> SmoothTrajectory:
        """
        The fastest free motion along waypoints (k × n) with rounded corners; torques count with a robot.
        """
    def motion_collision(self, /, motion: SmoothTrajectory) -> tuple[float, str] | None:
        """
        The first time at which a motion is not free, and the reason; ``None`` where it is free.
        """
    @property
    def n_dofs(self, /) -> int:
        """
        Number of coordinates of a configuration, n.
        """
    def plan(self, /, start: ArrayLike, goal: Any, *, time: SupportsFloat | SupportsIndex | None = None, seed: SupportsIndex = 0, iterations: SupportsIndex | None = None, range: SupportsFloat | SupportsIndex = 1.0, shortcuts: SupportsIndex = 200, improve: SupportsIndex = 0, end_tolerance: SupportsFloat | SupportsIndex = 0.0, progress: Any | None = None) -> Plan:
        """
        A path from ``start`` (n), or from any of several (k × n), to a goal, or to any of several goals in a list, by RRT-Connect
        and shortcuts.

        A goal is a configuration (n), an objective of ``kinworld.ik``, or a list of objectives that are met at once; several
        configurations may be an array (k × n). Configurations that meet objectives are drawn before the search and while it runs;
        objectives that inverse kinematics does not reach are in ``unreached``.

        A search that finds none says why in ``termination``; a start or a goal that is not free raises.
        It ends after ``iterations`` samples or ``time`` seconds; without both after 100,000 samples.
        ``improve`` is the number of samples for shorter paths, once there is one, by AORRTC, and of several goals to the nearest;
        ``time`` ends them as well.
        An end that is beyond its limits by at most ``end_tolerance`` is taken to be at them.
        ``progress`` is called with the number of samples now and then.
        """
    def plan_prioritized(self, /, start: ArrayLike, goal: ArrayLike, limits: MotionLimits, *, swept: SupportsFloat | SupportsIndex | None = None, deviation: SupportsFloat | SupportsIndex = 0.05, smooth: SupportsFloat | SupportsIndex | None = None, max_orders: SupportsIndex = 24, time: SupportsFloat | SupportsIndex | None = None, seed: SupportsIndex = 0, iterations: SupportsIndex = 10000, joint_iterations: SupportsIndex = 100000, range: SupportsFloat | SupportsIndex = 1.0, shortcuts: SupportsIndex = 200, progress: Any | None = None) -> PrioritizedPlan:
        """
        Motions of all robots on one clock from ``start`` to ``goal`` (n each), planned one after the other: each waits on its path for
        those before it. Where one finds no motion, other orders are tried, and at last the joint space.

        With ``swept``, a spacing in m, robots keep out of the volumes that those before them sweep instead: then each may begin when it
        likes. ``iterations`` are those of one search for one robot's path, ``joint_iterations`` those in the joint space, 0 for
        none. ``time`` ends all together. ``limits`` are those of all robots (``MotionLimits.joined``).

        With ``smooth``, a margin in m, motions follow smooth curves beside the paths, in place of corners rounded by ``deviation``;
        ``rounded`` of the result lists the robots for which none is free.

        >>> import kinworld as kw
        >>> world = kw.load("data/robots/arm6.urdf")
        >>> _ = world.add(world.placed(kw.se3.from_translation((1.3, 0, 0))))
        >>> limits = kw.MotionLimits.of(world.robot(0).robot).with_acceleration([5] * 6)
        >>> both = kw.MotionLimits.joined([limits, limits])
        >>> plan = world.space().plan_prioritized([0] * 12, [1.0, 0.3, 0, 0, 0, 0] * 2, both)
        >>> plan.is_joint, plan.motion.check(both), len(plan.motion.arrivals)
        (False, None, 2)
        """
    def prove_edge(self, /, a: ArrayLike, b: ArrayLike, least_gap: SupportsFloat | SupportsIndex = 1e-4) -> Proof:
        """
        Proves that an edge is free, or finds a collision, or a place that is nearer than ``least_gap`` (m).
        """
    @property
    def resolution(self, /) -> float:
        """
        Distance between checks along an edge, in the metric of the space.
        """
    @property
    def robots(self, /) -> list[str]:
        """
        The names of the robots, in the order of their coordinates.
        """
    def rounded(self, /, waypoints: ArrayLike, deviation: SupportsFloat | SupportsIndex) -> GeometricPath:
        """
        Waypoints (k × n) with corners rounded where that is free, by ``deviation`` at most.
        """
    def smooth_motion_along(self, /, waypoints: ArrayLike, limits: MotionLimits, *, margin: SupportsFloat | SupportsIndex = 0.01, bending_length: SupportsFloat | SupportsIndex = 2.0, max_iterations: SupportsIndex = 10, robot: Robot | None = None, gravity: ArrayLike = ..., friction: bool = True, payload: tuple[int | str | Link2, Inertia] | None = None) -> SmoothTrajectory | None:
        """
        The fastest free motion along a ``smoothed`` curve beside waypoints (k × n); torques count with a robot. ``None`` where no
        such curve is free.
        """
    def smoothed(self, /, waypoints: ArrayLike, *, margin: SupportsFloat | SupportsIndex = 0.01, bending_length: SupportsFloat | SupportsIndex = 2.0, max_iterations: SupportsIndex = 10) -> GeometricPath | None:
        """
        A cubic B-spline beside waypoints (k × n) that is free: short, evenly bent along ``bending_length`` rad or m, and at a
        distance of ``margin`` m from obstacles where it can. ``None`` where no such curve is free.
        """
    def why_not(self, /, q: ArrayLike) -> str | None:
        """
        Why a configuration is not free, in words; ``None`` where it is.
        """
    def with_active(self, /, dofs: SupportsGetItem[int, SupportsIndex]) -> Space:
        """
        The space in which only some degrees of freedom move; the others stay where they are.
        """
    def with_inactive_at(self, /, q: ArrayLike) -> Space:
        """
        The space in which the degrees of freedom that do not move have these values, of a configuration (n).
        """
    def with_pose(self, /, rigid_object: int | str, pose: ArrayLike) -> Space:
        """
        The space with a rigid object at another pose (4 × 4).
        """
    def with_resolution(self, /, resolution: SupportsFloat | SupportsIndex) -> Space:
        """
        The space with another resolution.
        """
    def with_sphere_prefilter(self, /, count: SupportsIndex) -> Space:
        """
        The space with spheres around and in the links, at most ``count`` each, that decide most checks.
        """
    def with_weights(self, /, weights: ArrayLike) -> Space:
        """
        The space with weights (n) of the coordinates in its metric.
        """

@disjoint_base
class State:
    """
    A robot somewhere: configuration, velocity, poses, and the kinematics and dynamics of them.

    Setting the configuration updates all poses. What a method returns is a new array, never a view of the state.

    >>> import kinworld as kw
    >>> state = kw.Robot.load("data/robots/planar3R.rob").state([0, 0.5, 0])
    >>> state.jacobian("link2", (1, 0, 0)).shape
    (6, 3)
    """
    def __copy__(self, /) -> State: ...
    def __deepcopy__(self, /, memo: Any) -> State: ...
    def __new__(cls, /, robot: Robot, q: ArrayLike | None = None, dq: ArrayLike | None = None) -> State: ...
    def __reduce__(self, /) -> tuple[Any, tuple[Robot, NDArray[float64], NDArray[float64]]]: ...
    def __repr__(self, /) -> str: ...
    def acceleration_derivatives(self, /, link: int | str | Link2, ddq: ArrayLike, p: ArrayLike = ...) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
        """
        Partial derivatives (6 × n each) of the acceleration of the point ``p`` of a link: by q, by dq, by ddq.
        """
    def all_terms(self, /, *, gravity: ArrayLike = ...) -> dict[Any, Any]:
        """
        All terms of M ddq + C + G = tau and the centroidal quantities, in one pass: a dictionary of arrays and numbers.
        """
    def angular_acceleration(self, /, link: int | str | Link2, ddq: ArrayLike) -> NDArray[float64]:
        """
        Angular acceleration (3) of a link in world axes for joint accelerations ``ddq`` (n), rad/s².
        """
    def angular_momentum(self, /) -> NDArray[float64]:
        """
        Angular momentum (3) about the centre of mass in world axes, N·m·s.
        """
    def angular_velocity(self, /, link: int | str | Link2) -> NDArray[float64]:
        """
        Angular velocity (3) of a link in world axes, rad/s.
        """
    def base_wrench(self, /, ddq: ArrayLike, *, gravity: ArrayLike = ..., loads: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | Mapping[Link, ArrayLike] | None" = None) -> NDArray[float64]:
        """
        Wrench (6) that the ground exerts on the base, moment first, about the world's origin.
        """
    def base_wrench_regressor(self, /, ddq: ArrayLike, *, gravity: ArrayLike = ...) -> NDArray[float64]:
        """
        Regressor (6 × 10·links) of the wrench at the base.
        """
    def bias_forces(self, /, gravity: ArrayLike = ...) -> NDArray[float64]:
        """
        Coriolis, centrifugal and gravity forces (n), N·m or N.
        """
    def centroidal_momentum_bias(self, /) -> NDArray[float64]:
        """
        The rate (6) of the centroidal momentum that the velocity alone causes.
        """
    def centroidal_momentum_matrix(self, /) -> NDArray[float64]:
        """
        Centroidal momentum matrix (6 × n): the momentum about the centre of mass is its product with dq.
        """
    def centroidal_momentum_matrix_dot(self, /) -> NDArray[float64]:
        """
        Time derivative (6 × n) of the centroidal momentum matrix.
        """
    def com(self, /) -> NDArray[float64]:
        """
        Centre of mass (3) in the world, m.
        """
    def com_jacobian(self, /) -> NDArray[float64]:
        """
        Jacobian (3 × n) of the centre of mass in world axes.
        """
    def com_jacobian_dot(self, /) -> NDArray[float64]:
        """
        Time derivative (3 × n) of the Jacobian of the centre of mass.
        """
    def com_velocity(self, /) -> NDArray[float64]:
        """
        Velocity (3) of the centre of mass in world axes, m/s.
        """
    def composite_inertia(self, /) -> Inertia:
        """
        Inertia of the whole robot as if it were rigid, in the world.
        """
    @property
    def config(self, /) -> NDArray[float64]:
        """
        The configuration (n), rad or m.
        """
    @config.setter
    def config(self, /, q: ArrayLike) -> None: ...
    def constrained_dynamics(self, /, tau: ArrayLike, jacobian: ArrayLike, drift: ArrayLike | None = None, *, gravity: ArrayLike = ..., loads: dict[Any, Any] | None = None, damping: SupportsFloat | SupportsIndex = 0.0) -> tuple[NDArray[float64], NDArray[float64]]:
        """
        Accelerations (n) and contact forces (k) under joint forces ``tau`` (n), where ``jacobian`` (k × n) · ddq + ``drift``
        (k) = 0. ``damping`` makes redundant rows solvable.
        """
    def copy(self, /) -> State:
        """
        A state of its own with the same configuration and velocity.
        """
    def coriolis_forces(self, /) -> NDArray[float64]:
        """
        Coriolis and centrifugal forces (n), N·m or N.
        """
    def coriolis_matrix(self, /) -> NDArray[float64]:
        """
        Coriolis matrix C (n × n), of which C·dq are the Coriolis forces and Ṁ − 2C is skew-symmetric.
        """
    def dof_position(self, /, link: int | str | Link2) -> float:
        """
        The value of the dof that moves a link, rad or m.
        """
    def driver_bias_forces(self, /, space: DriverSpace, *, gravity: ArrayLike = ...) -> NDArray[float64]:
        """
        Coriolis and gravity forces (m) on the independent degrees of freedom.
        """
    def driver_forward_dynamics(self, /, space: DriverSpace, u: ArrayLike, *, gravity: ArrayLike = ..., loads: dict[Any, Any] | None = None) -> NDArray[float64]:
        """
        Accelerations (m) of the independent degrees of freedom under their forces ``u`` (m).
        """
    def driver_inverse_dynamics(self, /, space: DriverSpace, ddy: ArrayLike, *, gravity: ArrayLike = ..., loads: dict[Any, Any] | None = None) -> NDArray[float64]:
        """
        Forces (m) for accelerations ``ddy`` (m) of the independent degrees of freedom.
        """
    def driver_mass_matrix(self, /, space: DriverSpace) -> NDArray[float64]:
        """
        Mass matrix (m × m) of the independent degrees of freedom.
        """
    def driver_mass_matrix_inverse(self, /, space: DriverSpace) -> NDArray[float64]:
        """
        Inverse (m × m) of the mass matrix of the independent degrees of freedom.
        """
    @property
    def driver_values(self, /) -> NDArray[float64]:
        """
        The value of each driver, rad or m.
        """
    @property
    def driver_velocities(self, /) -> NDArray[float64]:
        """
        The velocity of each driver, rad/s or m/s.
        """
    def forward_dynamics(self, /, tau: ArrayLike, *, gravity: ArrayLike = ..., loads: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | Mapping[Link, ArrayLike] | None" = None) -> NDArray[float64]:
        """
        Accelerations (n) for joint forces ``tau`` (n): the articulated-body algorithm.
        """
    def forward_dynamics_derivatives(self, /, tau: ArrayLike, *, gravity: ArrayLike = ..., loads: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | Mapping[Link, ArrayLike] | None" = None) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
        """
        Partial derivatives (n × n each) of the forward dynamics: by q, by dq, by tau.
        """
    def frame_jacobian(self, /, link: int | str | Link2, reference: str = "local_world_aligned") -> NDArray[float64]:
        """
        Jacobian (6 × n) of a link's frame: ``reference`` is ``"local"``, ``"local_world_aligned"`` or ``"world"``.
        """
    def frame_velocity(self, /, link: int | str | Link2, reference: str = "local_world_aligned") -> NDArray[float64]:
        """
        Velocity (6) of a link's frame, angular first.
        """
    def friction_forces(self, /, slip: SupportsFloat | SupportsIndex = 1e-3) -> NDArray[float64]:
        """
        Friction forces (n) of the drivers; ``slip`` is the velocity at which dry friction is fully developed.
        """
    def gravity_forces(self, /, gravity: ArrayLike = ...) -> NDArray[float64]:
        """
        Forces (n) that hold the robot against gravity, N·m or N.
        """
    def gravity_forces_derivative(self, /, gravity: ArrayLike = ...) -> NDArray[float64]:
        """
        Derivative (n × n) of the gravity forces by q.
        """
    def holding_torque(self, /, *, gravity: ArrayLike = ...) -> NDArray[float64]:
        """
        Joint forces (n) that hold the robot at rest against gravity.
        """
    def impulse_dynamics(self, /, jacobian: ArrayLike, *, restitution: SupportsFloat | SupportsIndex = 0.0, damping: SupportsFloat | SupportsIndex = 0.0) -> tuple[NDArray[float64], NDArray[float64]]:
        """
        Velocities (n) after an impact along ``jacobian`` (k × n), and the contact impulses (k).
        """
    def inertial_parameters(self, /) -> NDArray[float64]:
        """
        Inertial parameters θ (10·links): mass, mass × com (3), moment about the origin (6), link by link.
        """
    def inertial_regressor(self, /, ddq: ArrayLike, *, gravity: ArrayLike = ...) -> NDArray[float64]:
        """
        Regressor Y (n × 10·links): τ = Y θ with the inertial parameters θ.
        """
    def inverse_dynamics(self, /, ddq: ArrayLike, *, gravity: ArrayLike = ..., loads: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | Mapping[Link, ArrayLike] | None" = None) -> NDArray[float64]:
        """
        Joint forces τ (n) for accelerations ``ddq`` (n): recursive Newton-Euler.

        ``loads`` maps links to wrenches (6), moment first, in world axes about the link's origin.
        """
    def inverse_dynamics_derivatives(self, /, ddq: ArrayLike, *, gravity: ArrayLike = ..., loads: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | Mapping[Link, ArrayLike] | None" = None) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
        """
        Partial derivatives (n × n each) of the inverse dynamics: by q, by dq, by ddq.
        """
    def jacobian(self, /, link: int | str | Link2, p: ArrayLike = ..., *, order: str = "angular_first") -> NDArray[float64]:
        """
        Jacobian (6 × n) of the point ``p`` of a link, in world axes: rows 0–2 angular, 3–5 linear.

        ``order="linear_first"`` swaps the halves, as in Pinocchio.
        """
    def jacobian_columns(self, /, link: int | str | Link2, dofs: SupportsGetItem[int, int | str], p: ArrayLike = ...) -> NDArray[float64]:
        """
        Columns (6 × k) of the Jacobian for some degrees of freedom.
        """
    def jacobian_dot(self, /, link: int | str | Link2, p: ArrayLike = ...) -> NDArray[float64]:
        """
        Time derivative (6 × n) of the Jacobian of the point ``p`` of a link.
        """
    def jacobian_dot_times_velocity(self, /, link: int | str | Link2, p: ArrayLike = ...) -> NDArray[float64]:
        """
        The acceleration (6) of the point ``p`` of a link that the velocity alone causes, angular first.
        """
    def joint_wrenches(self, /, ddq: ArrayLike, *, gravity: ArrayLike = ..., loads: "Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | Mapping[Link, ArrayLike] | None" = None) -> NDArray[float64]:
        """
        Wrenches (links × 6) that each joint transmits to its link, moment first, in world axes about the link's origin.
        """
    def kinetic_energy(self, /) -> float:
        """
        Kinetic energy, J.
        """
    def kinetic_energy_regressor(self, /) -> NDArray[float64]:
        """
        Regressor (10·links) of the kinetic energy.
        """
    def linear_momentum(self, /) -> NDArray[float64]:
        """
        Linear momentum (3) in world axes, N·s.
        """
    def link_regressor(self, /, link: int | str | Link2, ddq: ArrayLike, *, gravity: ArrayLike = ...) -> NDArray[float64]:
        """
        Regressor (6 × 10) of one link's own inertial forces.
        """
    def local_direction(self, /, link: int | str | Link2, d: ArrayLike) -> NDArray[float64]:
        """
        Direction (3) in a link's frame of the direction ``d`` (3) of the world.
        """
    def local_position(self, /, link: int | str | Link2, p: ArrayLike) -> NDArray[float64]:
        """
        Position (3) in a link's frame of the point ``p`` (3) of the world.
        """
    def loop_drift(self, /) -> NDArray[float64]:
        """
        Drift (k) of the loop closures: the derivative of `loop_jacobian` times the velocity.
        """
    def loop_errors(self, /) -> NDArray[float64]:
        """
        Errors (k) of the loop closures, 0 where they are closed, rad and m; rotations before positions.
        """
    def loop_jacobian(self, /) -> NDArray[float64]:
        """
        Jacobian (k × n) of the loop closures: rows for `constrained_dynamics`.
        """
    def mass_matrix(self, /) -> NDArray[float64]:
        """
        Mass matrix M (n × n), kg·m² or kg.
        """
    def mass_matrix_cholesky(self, /) -> NDArray[float64]:
        """
        Lower Cholesky factor L (n × n) of the mass matrix with M = Lᵀ L, which keeps the sparsity of the tree.
        """
    def mass_matrix_derivative(self, /, dof: int | str) -> NDArray[float64]:
        """
        Derivative (n × n) of the mass matrix by one degree of freedom.
        """
    def mass_matrix_derivatives(self, /) -> NDArray[float64]:
        """
        Derivatives (n × n × n) of the mass matrix; the first axis is the degree of freedom.
        """
    def mass_matrix_dot(self, /) -> NDArray[float64]:
        """
        Time derivative (n × n) of the mass matrix.
        """
    def mass_matrix_inverse(self, /) -> NDArray[float64]:
        """
        Inverse (n × n) of the mass matrix.
        """
    def momentum(self, /, p: ArrayLike) -> NDArray[float64]:
        """
        Momentum (6) about a point of the world, angular first.
        """
    def operational_space_inertia(self, /, jacobian: ArrayLike, *, damping: SupportsFloat | SupportsIndex = 0.0) -> NDArray[float64]:
        """
        Operational-space inertia (k × k) along ``jacobian`` (k × n): (J M⁻¹ Jᵀ)⁻¹.
        """
    def orientation_hessian(self, /, link: int | str | Link2) -> NDArray[float64]:
        """
        Derivatives (3 × n × n) of the orientation Jacobian of a link.
        """
    def orientation_jacobian(self, /, link: int | str | Link2) -> NDArray[float64]:
        """
        Jacobian (3 × n) of the angular velocity of a link, in world axes.
        """
    def point_acceleration(self, /, link: int | str | Link2, ddq: ArrayLike, p: ArrayLike = ...) -> NDArray[float64]:
        """
        Acceleration (3) of the point ``p`` of a link in world axes for joint accelerations ``ddq`` (n), m/s².
        """
    def point_velocity(self, /, link: int | str | Link2, p: ArrayLike = ...) -> NDArray[float64]:
        """
        Velocity (3) of the point ``p`` of a link in world axes, m/s.
        """
    def pose(self, /, link: int | str | Link2, frame: int | str | Link2 | None = None) -> NDArray[float64]:
        """
        Pose (4 × 4) of a link in the world, or relative to the link ``frame``.
        """
    def pose_in_parent(self, /, link: int | str | Link2) -> NDArray[float64]:
        """
        Pose (4 × 4) of a link in its parent; in the world for a root.
        """
    def position_hessian(self, /, link: int | str | Link2, p: ArrayLike = ...) -> NDArray[float64]:
        """
        Second derivatives (3 × n × n) of the position of the point ``p`` of a link.
        """
    def position_jacobian(self, /, link: int | str | Link2, p: ArrayLike = ...) -> NDArray[float64]:
        """
        Jacobian (3 × n) of the position of the point ``p`` of a link, in world axes.
        """
    def potential_energy(self, /, gravity: ArrayLike = ...) -> float:
        """
        Potential energy, J; zero where the centre of mass is at the origin.
        """
    def potential_energy_regressor(self, /, gravity: ArrayLike = ...) -> NDArray[float64]:
        """
        Regressor (10·links) of the potential energy.
        """
    def relative_jacobian(self, /, link: int | str | Link2, relative_to: int | str | Link2, p: ArrayLike = ...) -> NDArray[float64]:
        """
        Jacobian (6 × n) of the point ``p`` of a link relative to another link, in the axes of that link.
        """
    def relative_velocity(self, /, link: int | str | Link2, relative_to: int | str | Link2, p: ArrayLike = ...) -> NDArray[float64]:
        """
        Velocity (6) of the point ``p`` of a link relative to another link, angular first, in the axes of that link.
        """
    @property
    def robot(self, /) -> Robot:
        """
        The robot.
        """
    def self_collisions(self, /, *, allow_missing_geometry: bool = False) -> list[tuple[str, str]]:
        """
        Pairs of links that collide with each other, as names.

        Where collision geometry is missing this raises `MissingGeometryError`, unless ``allow_missing_geometry`` is set.
        """
    def set_config(self, /, q: ArrayLike) -> None:
        """
        Sets the configuration (n) and updates the poses. Limits are not enforced; the velocity stays.
        """
    def set_driver_values(self, /, values: ArrayLike) -> None:
        """
        Sets the value of each driver.
        """
    def set_driver_velocities(self, /, values: ArrayLike) -> None:
        """
        Sets the velocity of each driver.
        """
    def set_velocity(self, /, dq: ArrayLike) -> None:
        """
        Sets the velocity (n); the configuration stays.
        """
    def spring_forces(self, /) -> NDArray[float64]:
        """
        Forces (n) of the springs of the joints.
        """
    def static_torques(self, /, *, gravity: ArrayLike = ...) -> NDArray[float64]:
        """
        Generalized forces (n) of gravity: the negative of ``holding_torque``.
        """
    def subtree_inertia(self, /, link: int | str | Link2) -> Inertia:
        """
        Inertia of a link and all that it carries as if they were rigid, in the frame of the link.
        """
    def task_dynamics(self, /, jacobian: ArrayLike, drift: ArrayLike | None = None, *, gravity: ArrayLike = ..., damping: SupportsFloat | SupportsIndex = 0.0) -> dict[Any, Any]:
        """
        Dynamics along a task, Λ ẍ + μ + p = F: a dictionary with ``inertia`` (k × k), ``coriolis`` (k), ``gravity`` (k),
        ``inverse`` (n × k), the dynamically consistent inverse of ``jacobian`` (k × n), and ``null_space`` (n × n).
        """
    def total_inertia(self, /) -> NDArray[float64]:
        """
        Moment of inertia (3 × 3) of the whole robot about its centre of mass in world axes, kg·m².
        """
    @property
    def velocity(self, /) -> NDArray[float64]:
        """
        The velocity (n), rad/s or m/s.
        """
    @velocity.setter
    def velocity(self, /, dq: ArrayLike) -> None: ...
    def velocity_derivatives(self, /, link: int | str | Link2, p: ArrayLike = ...) -> tuple[NDArray[float64], NDArray[float64]]:
        """
        Partial derivatives (6 × n each) of the velocity of the point ``p`` of a link: by q, by dq.
        """
    def world_direction(self, /, link: int | str | Link2, d: ArrayLike) -> NDArray[float64]:
        """
        Direction (3) in the world of the direction ``d`` (3) of a link.
        """
    def world_position(self, /, link: int | str | Link2, p: ArrayLike = ...) -> NDArray[float64]:
        """
        Position (3) in the world of the point ``p`` (3) of a link.
        """

@final
class SubRobot:
    """
    Chosen degrees of freedom of a robot: one arm of two, the fingers of a hand.
    """
    def __len__(self, /) -> int: ...
    def __new__(cls, /, robot: Robot, dofs: SupportsGetItem[int, int | str]) -> SubRobot: ...
    def __repr__(self, /) -> str: ...
    def config(self, /, state: State) -> NDArray[float64]:
        """
        The values (m) of these degrees of freedom in a state.
        """
    @property
    def dofs(self, /) -> list[int]:
        """
        The indices (m) of the degrees of freedom.
        """
    def from_full(self, /, full: ArrayLike) -> NDArray[float64]:
        """
        The values (m) of these degrees of freedom in a configuration (n).
        """
    def jacobian(self, /, state: State, link: int | str | Link2, p: ArrayLike = ...) -> NDArray[float64]:
        """
        The columns (6 × m) of the Jacobian of a point (3) of a link.
        """
    @property
    def limits(self, /) -> NDArray[float64]:
        """
        Position limits (m × 2), rad or m.
        """
    @staticmethod
    def of_links(robot: Robot, links: SupportsGetItem[int, int | str | Link2]) -> SubRobot:
        """
        The degrees of freedom that move links.
        """
    @property
    def robot(self, /) -> Robot:
        """
        The robot.
        """
    def to_full(self, /, chosen: ArrayLike, full: ArrayLike) -> NDArray[float64]:
        """
        The configuration (n) ``full`` with these values (m) in it.
        """

@final
class Terrain:
    """
    A static shape. `World.add` puts a copy into a world.
    """
    def __new__(cls, /, name: str, geometry: Geometry | None = None) -> Terrain: ...
    def __reduce__(self, /) -> tuple[Any, tuple[bytes]]: ...
    def __repr__(self, /) -> str: ...
    @staticmethod
    def _from_bytes(bytes: bytes) -> Terrain: ...
    @property
    def friction(self, /) -> list[float]:
        """
        Friction of each part, as the file gives it.
        """
    @property
    def geometry(self, /) -> Geometry | None:
        """
        The shape.
        """
    @staticmethod
    def load(path: str | PathLike[str], *, options: LoadOptions | None = None) -> Terrain:
        """
        Loads a terrain.
        """
    @property
    def missing_geometry(self, /) -> str | None:
        """
        Why the terrain lacks the collision geometry that it should have; ``None`` where it does not.
        """
    @property
    def name(self, /) -> str:
        """
        The name.
        """
    @property
    def properties(self, /) -> dict[str, str]:
        """
        Other properties of the file.
        """
    def save(self, /, path: str | PathLike[str], *, force: bool = False) -> list[Diagnostic2]:
        """
        Saves the terrain as a file with its mesh. Returns warnings about what is lost.
        """

@final
class TerrainView:
    """
    A terrain of a world.
    """
    def __repr__(self, /) -> str: ...
    @property
    def entity(self, /) -> Entity:
        """
        The terrain as an element of its world.
        """
    @property
    def friction(self, /) -> list[float]:
        """
        Friction of each part, as the file gives it.
        """
    @property
    def geometry(self, /) -> Geometry | None:
        """
        The shape in the world.
        """
    @property
    def name(self, /) -> str:
        """
        The name.
        """
    def set_friction(self, /, friction: ArrayLike) -> None:
        """
        Sets the friction of each part.
        """
    def set_geometry(self, /, geometry: Geometry | None) -> None:
        """
        Sets the shape, or takes it away.
        """

@final
class Terrains:
    """
    The terrains of a world, by name or index.
    """
    def __contains__(self, name: str, /) -> bool: ...
    def __getitem__(self, key: int | str, /) -> TerrainView: ...
    def __iter__(self, /) -> Iterator[TerrainView2]: ...
    def __len__(self, /) -> int: ...
    def __repr__(self, /) -> str: ...
    def names(self, /) -> list[str]:
        """
        The names.
        """

@final
class Trajectory:
    """
    Configurations at times, with straight lines in between.

    >>> import kinworld as kw
    >>> t = kw.Trajectory([0, 2], [[0, 0], [1, 4]])
    >>> t.at(1)
    array([0.5, 2. ])
    """
    def __len__(self, /) -> int: ...
    def __new__(cls, /, times: ArrayLike, milestones: ArrayLike) -> Trajectory: ...
    def __repr__(self, /) -> str: ...
    def _repr_html_(self, /) -> str: ...
    def at(self, /, time: SupportsFloat | SupportsIndex, robot: Robot | None = None) -> NDArray[float64]:
        """
        The configuration (n) at a time; before the start the first, after the end the last.

        With ``robot``, in between it is interpolated joint by joint: spin joints the short way round, rotations of
        floating bases about one axis.
        """
    def discretized(self, /, robot: Robot, step: SupportsFloat | SupportsIndex) -> Trajectory:
        """
        The path of a robot through the milestones with a milestone every ``step`` s.
        """
    @property
    def duration(self, /) -> float:
        """
        Time between the first and the last configuration, s.
        """
    @property
    def end_time(self, /) -> float:
        """
        Time of the last configuration, s.
        """
    def followed_by(self, /, then: Trajectory) -> Trajectory:
        """
        This trajectory, then another.
        """
    @staticmethod
    def from_path(path: ArrayLike) -> Trajectory:
        """
        The configurations of a path, one second apart.
        """
    @staticmethod
    def load(path: str | PathLike[str]) -> Trajectory:
        """
        Loads a trajectory from a file: ``.traj`` of Klampt, or CSV.
        """
    @property
    def milestones(self, /) -> NDArray[float64]:
        """
        The configurations (k × n) at the times.
        """
    def save(self, /, path: str | PathLike[str]) -> None:
        """
        Saves the trajectory; the suffix is the format.
        """
    def split(self, /, time: SupportsFloat | SupportsIndex) -> tuple[Trajectory, Trajectory]:
        """
        The trajectory up to a time, and from it.
        """
    @property
    def start_time(self, /) -> float:
        """
        Time of the first configuration, s.
        """
    def time_scaled(self, /, factor: SupportsFloat | SupportsIndex) -> Trajectory:
        """
        The trajectory with all times multiplied by a factor.
        """
    @property
    def times(self, /) -> NDArray[float64]:
        """
        The times (k), s.
        """
    def velocity_at(self, /, time: SupportsFloat | SupportsIndex, robot: Robot | None = None) -> NDArray[float64]:
        """
        The velocity (n) at a time; with ``robot``, of what `at` gives.
        """

@final
class World:
    """
    A world: robots, rigid objects and terrains with names.

    >>> import kinworld as kw
    >>> world = kw.load("data/robots/arm6.urdf", "data/terrains/table.env")
    >>> world
    World: 1 robot, 0 rigid objects, 1 terrain
    >>> world.robots["arm6"].set_config([0.5, 1, 0, 0, 0, 0])
    >>> world.collider().pairs()
    [(Entity('table'), Entity('arm6[wrist]')), (Entity('table'), Entity('arm6[flange]'))]
    """
    def __copy__(self, /) -> World: ...
    def __deepcopy__(self, /, memo: Any) -> World: ...
    def __new__(cls, /) -> World: ...
    def __reduce__(self, /) -> tuple[Any, tuple[bytes]]: ...
    def __repr__(self, /) -> str: ...
    @staticmethod
    def _from_bytes(bytes: bytes) -> World: ...
    def _repr_html_(self, /) -> str: ...
    def add(self, /, what: Any, name: str | None = None, *, options: LoadOptions | None = None) -> list[Entity]:
        """
        Adds a robot, a rigid object, a terrain, all of another world, or all of a file. Returns what was added.
        """
    def attach(self, /, rigid_object: int | str, link: str | Entity2 | RobotView2 | RigidObjectView2 | TerrainView2 | tuple[Any, Any], *, touch: SupportsGetItem[int, str | Entity2 | RobotView2 | RigidObjectView2 | TerrainView2 | tuple[Any, Any]] = ...) -> None:
        """
        Attaches a rigid object to a link, where it is: it moves with the link, and may touch it and the elements in ``touch``.
        """
    def attachment(self, /, rigid_object: int | str) -> Attachment | None:
        """
        How a rigid object is attached; ``None`` where it is not.
        """
    @property
    def attachments(self, /) -> list[Attachment]:
        """
        The rigid objects that are attached to links.
        """
    def carrier(self, /, element: str | Entity2 | RobotView2 | RigidObjectView2 | TerrainView2 | tuple[Any, Any]) -> Entity | None:
        """
        The link that carries an element: of a link itself, of an attached object that link; ``None`` for what moves freely.
        """
    def collider(self, /, *, ignore: SupportsGetItem[int, Any] = ..., margin: SupportsFloat | SupportsIndex = 0.0, allow_missing_geometry: bool = False) -> Collider:
        """
        A snapshot for collision queries.

        ``ignore`` lists elements, or pairs of elements, that are not tested; ``margin`` is a distance in metres that
        counts as touching. Where collision geometry is missing this raises `MissingGeometryError`, unless
        ``allow_missing_geometry`` is set.
        """
    def copy(self, /) -> World:
        """
        A world of its own with the same contents; meshes and robots are shared, since they never change.
        """
    def detach(self, /, rigid_object: int | str) -> None:
        """
        Detaches a rigid object; it stays where it is.
        """
    @property
    def diagnostics(self, /) -> list[Diagnostic2]:
        """
        The warnings of the loaders.
        """
    def entity(self, /, name: str) -> Entity:
        """
        The element of a name: a robot, a rigid object, a terrain, or a link as ``robot[link]``.
        """
    def geometry(self, /, element: str | Entity2 | RobotView2 | RigidObjectView2 | TerrainView2 | tuple[Any, Any]) -> Geometry | None:
        """
        The shape of a link, a rigid object or a terrain, in its own frame; ``None`` where it has none.
        """
    def grasp(self, /, rigid_object: int | str, link: str | Entity2 | RobotView2 | RigidObjectView2 | TerrainView2 | tuple[Any, Any], pose: ArrayLike, *, touch: SupportsGetItem[int, str | Entity2 | RobotView2 | RigidObjectView2 | TerrainView2 | tuple[Any, Any]] = ...) -> None:
        """
        Attaches a rigid object to a link at the pose (4 × 4) ``pose`` in the link's frame.
        """
    def ignore_pair(self, /, a: str | Entity2 | RobotView2 | RigidObjectView2 | TerrainView2 | tuple[Any, Any], b: str | Entity2 | RobotView2 | RigidObjectView2 | TerrainView2 | tuple[Any, Any]) -> None:
        """
        Switches a pair off for all colliders and spaces of the world; a robot stands for all its links.
        """
    @property
    def ignored_pairs(self, /) -> list[tuple[Entity, Entity]]:
        """
        Pairs that are switched off by `ignore_pair`, or by masks of the file.
        """
    @property
    def klampt_ids(self, /) -> list[tuple[int, Entity]]:
        """
        Klampt's numbers of all elements: terrains, then rigid objects, then each robot followed by its links.
        """
    def lint(self, /) -> list[Diagnostic2]:
        """
        Suspicious contents: masses, inertias, limits and meshes that are probably mistakes.
        """
    @property
    def missing_geometry(self, /) -> list[tuple[Entity, str]]:
        """
        Elements that lack collision geometry which they should have, each with the reason.
        """
    def object_space(self, /, rigid_object: int | str, bounds: SupportsLenAndGetItem[SupportsLenAndGetItem[SupportsFloat | SupportsIndex]], *, touch: SupportsGetItem[int, str | Entity2 | RobotView2 | RigidObjectView2 | TerrainView2 | tuple[Any, Any]] = ...) -> RigidObjectSpace:
        """
        The space of the poses of a rigid object, whose origin stays within ``bounds``: (lower, upper) for x, y and z, m.

        The object may touch the elements in ``touch``.
        """
    def placed(self, /, pose: ArrayLike) -> World:
        """
        The world with everything moved by a pose (4 × 4).
        """
    def pose(self, /, element: str | Entity2 | RobotView2 | RigidObjectView2 | TerrainView2 | tuple[Any, Any]) -> NDArray[float64] | None:
        """
        Pose (4 × 4) of a link, a rigid object or a terrain; ``None`` for a robot as a whole.
        """
    def poses(self, /) -> WorldPoses:
        """
        The states of all robots and rigid objects, to be set again.
        """
    def prepare(self, /) -> None:
        """
        Builds what collision queries need, which the first one would do otherwise.
        """
    @property
    def properties(self, /) -> dict[str, str]:
        """
        Other properties from the file.
        """
    def properties_of(self, /, element: str | Entity2 | RobotView2 | RigidObjectView2 | TerrainView2 | tuple[Any, Any]) -> dict[str, str]:
        """
        Other properties of an element from its file.
        """
    def remove(self, /, element: str | Entity2 | RobotView2 | RigidObjectView2 | TerrainView2 | tuple[Any, Any]) -> None:
        """
        Removes a robot, a rigid object or a terrain; handles of others stay valid.
        """
    def rename(self, /, element: str | Entity2 | RobotView2 | RigidObjectView2 | TerrainView2 | tuple[Any, Any], name: str) -> None:
        """
        Renames a robot, a rigid object or a terrain.
        """
    def render(self, /, path: str | PathLike[str] | None = None, *, size: tuple[SupportsIndex, SupportsIndex] = ..., camera: Camera | None = None, red: SupportsGetItem[int, str | Entity2 | RobotView2 | RigidObjectView2 | TerrainView2 | tuple[Any, Any]] = ..., background: SupportsLenAndGetItem[SupportsFloat | SupportsIndex] | None = None, shadows: bool = True, smooth_edges: bool = True) -> Picture:
        """
        A picture of the visual shapes of the world, by rays on all cores: no display and no graphics card are needed.

        ``size`` is (width, height) in pixels; ``camera`` a `Camera`, by default one that sees all. Elements in ``red`` are
        painted red: names, entities, or what ``collider.pairs()`` lists. Written as PNG to ``path`` where one is given.

        >>> import kinworld as kw
        >>> picture = kw.load("data/robots/arm6.urdf").render(size=(60, 40))
        >>> picture.rgb.shape, picture.depth.shape
        ((40, 60, 3), (40, 60))
        """
    def replace_robot(self, /, key: int | str, robot: Robot) -> Robot:
        """
        Replaces the description of a robot, which keeps its name and its place; returns the old one.
        """
    def rigid_object(self, /, key: int | str) -> RigidObjectView:
        """
        A rigid object, by name or index.
        """
    @property
    def rigid_objects(self, /) -> RigidObjects:
        """
        The rigid objects, by name or index.
        """
    def robot(self, /, key: int | str | None = None) -> RobotView:
        """
        A robot, by name or index; the first by default.
        """
    @property
    def robots(self, /) -> Robots:
        """
        The robots, by name or index.
        """
    def save(self, /, path: str | PathLike[str], *, force: bool = False, format: str | None = None) -> list[Diagnostic2]:
        """
        Saves the world with its meshes. Returns warnings about what is lost.

        ``format`` is ``"world"``, ``"mjcf"``, ``"sdf"``, ``"glb"``, ``"rob"`` or ``"urdf"`` where the suffix does not tell; an
        ``.xml`` is a world of Klampt without it.
        """
    def set_poses(self, /, poses: WorldPoses) -> None:
        """
        Sets the states of all robots and rigid objects that ``poses`` names.
        """
    def set_property(self, /, element: str | Entity2 | RobotView2 | RigidObjectView2 | TerrainView2 | tuple[Any, Any], name: str, value: str | None) -> None:
        """
        Sets a property of an element, or takes it away.
        """
    def show(self, /, **page: "Any") -> "Any":
        """
        Shows the world: in a notebook as the value of the cell, elsewhere in the browser; see `kinworld.view.show`.
        """
    def space(self, /, *robots: "int | str", resolution: SupportsFloat | SupportsIndex | None = None, active: SupportsGetItem[int, int | str] | None = None, ignore: SupportsGetItem[int, Any] = ..., margin: SupportsFloat | SupportsIndex = 0.0, allow_missing_geometry: bool = False) -> Space:
        """
        The configuration space of one or more robots, for planning; of all robots by default.

        ``resolution`` is the distance between checks along an edge; ``active`` names the joints that move, by dof index or
        joint name of the first robot.
        """
    def terrain(self, /, key: int | str) -> TerrainView:
        """
        A terrain, by name or index.
        """
    @property
    def terrains(self, /) -> Terrains:
        """
        The terrains, by name or index.
        """
    def to_html(self, /, path: str | PathLike[str] | None = None, *, title: str | None = None, motion: "Mapping[str, tuple[ArrayLike, ArrayLike]] | None" = None, plots: "Mapping[str, tuple[str, Mapping[str, ArrayLike]]] | None" = None, collisions: bool = False, collision_shapes: bool = True, text: str | None = None, forces: "Sequence[Sequence[tuple[ArrayLike, ArrayLike]]] | None" = None, live: bool = False) -> str:
        """
        A page that shows the world: one HTML text that loads nothing else. Written to ``path`` where one is given.

        - ``motion``: by name of a robot, times (k) and configurations (k × n); of a rigid object, times and poses
          (k × 4 × 4). All have the same times. The page plays it.
        - ``plots``: curves beside it, by title: the unit, and numbers (k) by name.
        - ``collisions``: what collides is red, as loaded and along the motion.
        - ``collision_shapes``: the shapes that collide are in the page, to be shown.
        - ``text``: a line above all.
        - ``forces``: points and forces in the world (m, N), for each time of the motion a list of pairs; without a motion a
          single list. They are shown as arrows.
        - ``live``: the library is in the page, 1.2 MB more: sliders and gizmos answer collisions, distances and inverse
          kinematics, with no server. A live page has no motion.

        >>> import kinworld as kw
        >>> page = kw.load("data/robots/planar3R.rob").to_html(motion={"planar3R": ([0, 1], [[0, 0, 0], [1, 1, 1]])})
        >>> page[:15]
        '<!doctype html>'
        """
    def with_convex_parts(self, /, max_parts: SupportsIndex | None = None, *, concavity: SupportsFloat | SupportsIndex | None = None, resolution: SupportsIndex | None = None) -> World:
        """
        The world with convex parts of each mesh instead of the mesh, at most ``max_parts`` of them.

        ``concavity`` is how deep a part may be hollow, as a share of the size of the mesh, ``resolution`` the number of
        voxels along its longest side.
        """
    def with_hulls(self, /) -> World:
        """
        The world with the convex hull of each shape instead of the shape.
        """
    def with_spheres(self, /, count: SupportsIndex) -> World:
        """
        The world with robots of at most ``count`` spheres per link, which contain the links.
        """
    def without_robots(self, /, cloud: Geometry, pose: ArrayLike = ..., *, robots: SupportsGetItem[int, int | str] = ..., margin: SupportsFloat | SupportsIndex = 0.0) -> Geometry:
        """
        The points of a cloud farther than ``margin`` from robots and from what is attached to them, as another cloud.

        ``pose`` (4 × 4) is that of the cloud in the world; without names all robots count.
        """

@final
class WorldPoses:
    """
    States of all robots and poses of all rigid objects at some time, see `World.poses`.
    """
    def __repr__(self, /) -> str: ...
    @property
    def rigid_objects(self, /) -> list[str]:
        """
        The names of the rigid objects.
        """
    @property
    def robots(self, /) -> list[str]:
        """
        The names of the robots.
        """

def load(*paths: "str | PathLike[str]", options: LoadOptions | None = None) -> World:
    """
    Loads a world from files of any kind: worlds, robots, rigid objects, terrains, meshes.

    Warnings of the loaders are given by the module ``warnings`` and listed in ``diagnostics`` of the world.
    """
