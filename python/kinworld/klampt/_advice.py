"""What stands in for the names of Klampt that are not here: one table, and the errors made from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

_STATE = "`robot.native` is a `kinworld.RobotView`: "
_VIEW = "drawing is `kinworld.view` and the command line's `kinworld view`"
_SIM = "simulation is `kinworld.sim`"
_BUILD = "edit the file of the robot and load it again"
_SHAPE = "`geometry.native` is a `kinworld.Geometry`: "
_GRID = "grids and heightmaps are not shapes of kinworld; convert to a `TriangleMesh` before"

#: Klampt's names by owner, each with what to use here. ``*`` stands for all other names of the owner.
ADVICE: dict[str, dict[str, str]] = {
    "klampt": {
        "Simulator SimBody SimJoint SimRobotController SimRobotSensor SensorModel": _SIM,
        "ImplicitSurface VolumeGrid OccupancyGrid Heightmap": _GRID,
        "GeneralizedIKObjective GeneralizedIKSolver": "`kinworld.ik.objective(link, relative_to=other)` relates two links",
        "RobotPoser ObjectPoser PointPoser TransformPoser AnglePoser Widget WidgetSet Viewport": _VIEW,
        "ContactParameters": "friction and restitution are arguments of `kinworld.RigidObject(...)`",
        "equilibrium_torques com_equilibrium com_equilibrium_2d force_closure force_closure_2d support_polygon "
        "support_polygon_2d": "`kinworld.wrench` and `kinworld.contact`",
        "*": "see the names that are here in `dir(kinworld.klampt)`, and the native API in `dir(kinworld)`",
    },
    "WorldModel": {
        "drawGL": _VIEW,
        "makeRobot loadRobot": "`world.loadElement(path)`, or `world.native.add(kinworld.Robot.load(path), name)`",
        "loadRigidObject loadTerrain": "`world.loadElement(path)`, or `world.native.add(path, name)`",
        "enableGeometryLoading": "`kinworld.load(path, options=kinworld.LoadOptions(geometry=False))`",
        "geometry appearance robotLink": "ask the element: `world.robot(i).link(j).geometry()`",
        "*": "`world.native` is a `kinworld.World`, with `robots`, `rigid_objects`, `terrains`, `collider()` and `space()`",
    },
    "RobotModel": {
        "sensor sensors numSensors addSensor getSensors getSensorsDict sensorsDict": "sensors are `kinworld.sim`",
        "mount reduce loadFile setName": "`world.native.attach(object, link)` for an object; for a robot " + _BUILD,
        "enableSelfCollision": "`world.native.collider(ignore=[(a, b)])`, with the names of two links",
        "getMassMatrixDeriv getMassMatrixTimeDeriv": _STATE + "`mass_matrix_derivative(dof)`, `mass_matrix_dot()`",
        "drawGL": _VIEW,
        "dirty_dynamics getDOFPosition setDOFPosition": _STATE + "`dof_position(link)`, `set_config(q)`",
        "*": _STATE + "see `dir(robot.native)` and `dir(robot.native.robot)`",
    },
    "RobotModelLink": {
        "setTransform": "`robot.setConfig(q)` moves links; a link alone cannot be moved",
        "setParent setParentIndex setParentLink setParentTransform setAxis setPrismatic setName": _BUILD,
        "drawLocalGL drawWorldGL": _VIEW,
        "getJacobianCols getPositionJacobianCols getOrientationJacobianCols": _STATE + "`jacobian_columns(link, dofs, p)`",
        "*": _STATE + "its methods take the name or the index of the link",
    },
    "RobotModelDriver": {
        "getAccelerationLimits getTorqueLimits": "`robot.getAccelerationLimits()`, `robot.getTorqueLimits()` of the link",
        "setName": _BUILD,
        "*": _STATE + "`driver_values` and `set_driver_values(values)`",
    },
    "RigidObjectModel": {
        "drawGL": _VIEW,
        "getContactParameters setContactParameters": "friction and restitution are arguments of `kinworld.RigidObject(...)`",
        "loadFile saveFile": "`kinworld.RigidObject.load(path)`; `world.native.save(path)`",
        "*": "`object.native` is a `kinworld.RigidObjectView`",
    },
    "TerrainModel": {
        "drawGL": _VIEW,
        "setFriction": "friction is part of the terrain's file",
        "loadFile saveFile": "`kinworld.Terrain.load(path)`; `world.native.save(path)`",
        "*": "`terrain.native` is a `kinworld.TerrainView`",
    },
    "Geometry3D": {
        "getHeightmap setHeightmap getImplicitSurface setImplicitSurface getOccupancyGrid setOccupancyGrid": _GRID,
        "roi slice merge": _SHAPE + "`to_mesh()` gives arrays to select from; `kinworld.Geometry.group` joins shapes",
        "setElement getElement setGroup setConvexHullGroup": "`kinworld.Geometry.group([...])`",
        "*": _SHAPE + "see `dir(geometry.native)`",
    },
    "Appearance": {"*": "only colours are kept here; " + _VIEW},
    "PointCloud": {"*": "points are the array `cloud.points` (N × 3), values of points the array `cloud.properties`"},
    "IKObjective": {"*": "`kinworld.ik.objective(link, position=, rotation=, pose=, axis=, line=, plane=, points=)`"},
    "IKSolver": {
        "*": "`kinworld.ik.solve(robot, objectives, ...)`",
    },
    "model": {
        "contact": "`kinworld.contact` and `kinworld.wrench`",
        "sensing calibrate": "`kinworld.sim` has sensors; calibration is `scipy.optimize` with `kinworld.ik.residual_jacobian`",
        "subrobot": "`active=` of `kinworld.ik.solve` and of `World.space` selects degrees of freedom",
        "multipath cartesian_trajectory": "`kinworld.Trajectory` and `kinworld.ik.solve_path`",
        "workspace": "`kinworld.jobs.reach_map`",
        "*": "see the modules that are here in `dir(kinworld.klampt.model)`",
    },
    "math": {
        "symbolic autodiff": "derivatives are methods of a state: `position_hessian`, `inverse_dynamics_derivatives`, …",
        "optimize rootfind": "`scipy.optimize`",
        "spline vectorfield": "`kinworld.Trajectory`, NumPy and SciPy",
        "*": "see `kinworld.so3`, `kinworld.se3` and NumPy",
    },
    "io": {
        "open3d_convert ros numpy_convert": "`Geometry.to_mesh()` gives arrays of vertices and triangles",
        "*": "`kinworld.load(path)` loads any file, `World.save(path)` saves",
    },
    "plan": {"*": "`world.native.space(robot)` has `plan(start, goal)`, `is_free`, `is_edge_free`, `prove_edge`"},
    "vis": {"*": _VIEW},
    "sim": {"*": _SIM},
    "control": {"*": "controllers are Python functions of `kinworld.sim`"},
    "math.so3": {"*": "`kinworld.so3`, with matrices (3 × 3)"},
    "math.se3": {"*": "`kinworld.se3`, with matrices (4 × 4)"},
    "math.so2": {"*": "NumPy"},
    "math.vectorops": {"*": "NumPy"},
    "math.geodesic": {"*": "`Robot.distance`, `interpolate`, `difference` and `integrate`"},
    "model.ik": {"*": "`kinworld.ik`: `objective`, `solve`, `solve_nearby`, `solve_path`, `differential`, `analytic`"},
    "model.collide": {"*": "`kinworld.World.collider()`: `collides`, `pairs`, `distance`, `clearance`, `ray_cast`"},
    "model.coordinates": {"*": "`RobotView.pose(link, frame)` and products of matrices (4 × 4)"},
    "model.trajectory": {"*": "`kinworld.Trajectory`, and `kinworld.ik.solve_path` for paths of a link"},
    "model.config": {"*": "`RobotView.config` and `set_config`"},
    "model.create": {"*": "`kinworld.Geometry.box`, `sphere`, `cylinder`, …, and `kinworld.RigidObject(name, geometry)`"},
    "io.loader": {"*": "`kinworld.load(path)`, `kinworld.Trajectory.load(path)`"},
    "io.resource": {"*": "`kinworld.load(path)`, `kinworld.Trajectory.load(path)`"},
    "plan.robotplanning": {"*": "`world.native.space(robot).plan(start, goal)`"},
}


def advice(owner: str, name: str) -> str:
    """What to use in place of a name of Klampt."""
    entries = ADVICE.get(owner, ADVICE["klampt"])
    for names, words in entries.items():
        if name in names.split():
            return words
    return entries.get("*", ADVICE["klampt"]["*"])


def missing(owner: str, name: str) -> NoReturn:
    """Raises the error of a name that is not here."""
    shown = owner if owner == "klampt" or owner[0].isupper() else f"klampt.{owner}"
    raise AttributeError(f"`{shown}.{name}` is not part of kinworld.klampt; instead: {advice(owner, name)}")


def module_getattr(owner: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module."""

    def getattr_(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        missing(owner, name)

    return getattr_


class Advised:
    """A class whose missing names raise with advice."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        missing(next((c.__name__ for c in type(self).__mro__ if c.__name__ in ADVICE), "klampt"), name)
