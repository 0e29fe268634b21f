"""Robot world models: kinematics, dynamics, collision detection, motion planning, simulation.

>>> import kinworld as kw
>>> world = kw.load("data/robots/arm6.urdf", "data/terrains/table.env")
>>> arm = world.robots["arm6"]
>>> arm.set_config([0.5, 0.3, 0, 0, 0, 0])
>>> arm.pose("flange").shape
(4, 4)
>>> world.collider().collides()
False

Units are SI and radians, frames are right-handed, six-vectors and Jacobians have their angular part first.
Poses are 4 x 4 arrays. What comes back is a new array, never a view of a state.
"""

import sys as _sys

from . import _core, batch, contact, dh, ik, io, se3, sim, so3, view, wrench
from ._core import (
    Appearance,
    Attachment,
    Camera,
    CameraSensor,
    CartesianPath,
    Collider,
    ConstrainedSpace,
    ContactPair,
    Diagnostic,
    Driver,
    DriverSpace,
    EndEffector,
    Entity,
    GeometricPath,
    Geometry,
    Hit,
    Inertia,
    Joint,
    Limits,
    Link,
    LinkMap,
    LoadOptions,
    LoopClosure,
    MotionLimits,
    Nearest,
    Picture,
    Plan,
    Proof,
    RigidObject,
    RigidObjectSpace,
    RigidObjectView,
    RigidObjects,
    RoadMap,
    Robot,
    RobotBuilder,
    RobotView,
    Robots,
    SelfCollisionMask,
    SmoothTrajectory,
    Space,
    State,
    SubRobot,
    Terrain,
    TerrainView,
    Terrains,
    Trajectory,
    World,
    WorldPoses,
    __version__,
    load,
)
from ._errors import Error, InternalError, LoadError, LoadWarning, MissingGeometryError, NotFoundError

# the modules inside the compiled one, where pickles and `import` look for them
for _name in ("batch", "contact", "dh", "ik", "io", "se3", "sim", "so3", "wrench"):
    _sys.modules[f"{_core.__name__}.{_name}"] = getattr(_core, _name)

__all__ = [
    "Appearance",
    "Attachment",
    "Camera",
    "CameraSensor",
    "CartesianPath",
    "Collider",
    "ConstrainedSpace",
    "ContactPair",
    "Diagnostic",
    "Driver",
    "DriverSpace",
    "EndEffector",
    "Entity",
    "Error",
    "GeometricPath",
    "Geometry",
    "Hit",
    "Inertia",
    "InternalError",
    "Joint",
    "Limits",
    "Link",
    "LinkMap",
    "LoadError",
    "LoadOptions",
    "LoopClosure",
    "LoadWarning",
    "MissingGeometryError",
    "MotionLimits",
    "Nearest",
    "NotFoundError",
    "Picture",
    "Plan",
    "Proof",
    "RigidObject",
    "RigidObjectSpace",
    "RigidObjectView",
    "RigidObjects",
    "RoadMap",
    "Robot",
    "RobotBuilder",
    "RobotView",
    "Robots",
    "SelfCollisionMask",
    "SmoothTrajectory",
    "Space",
    "State",
    "SubRobot",
    "Terrain",
    "TerrainView",
    "Terrains",
    "Trajectory",
    "World",
    "WorldPoses",
    "__version__",
    "batch",
    "contact",
    "dh",
    "ik",
    "io",
    "load",
    "se3",
    "sim",
    "so3",
    "view",
    "wrench",
]
