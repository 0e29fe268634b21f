"""Klampt's names on kinworld: a Klampt program runs with its import changed.

``import kinworld.klampt as klampt`` has worlds, robots, links, shapes, inverse kinematics, collisions, trajectories and
planning under Klampt's names. Every other name of Klampt raises an ``AttributeError`` that says what to use instead.
``native`` of an object is the kinworld object behind it.
"""

from __future__ import annotations

from . import control, io, math, model, plan, sim, vis
from ._advice import module_getattr
from ._appearance import Appearance
from ._driver import RobotModelDriver
from ._geometry import Geometry3D
from ._ik import IKObjective, IKSolver
from ._link import RobotModelLink
from ._mass import Mass
from ._objects import RigidObjectModel, TerrainModel
from ._queries import ContactQueryResult, DistanceQueryResult, DistanceQuerySettings
from ._random import set_random_seed
from ._robot import RobotModel
from ._shapes import ConvexHull, GeometricPrimitive, PointCloud, TriangleMesh
from ._world import WorldModel

__version__ = "0.10.1"

__all__ = [
    "Appearance", "ContactQueryResult", "ConvexHull", "DistanceQueryResult", "DistanceQuerySettings", "Geometry3D",
    "GeometricPrimitive", "IKObjective", "IKSolver", "Mass", "PointCloud", "RigidObjectModel", "RobotModel",
    "RobotModelDriver", "RobotModelLink", "TerrainModel", "TriangleMesh", "WorldModel", "control", "io", "math",
    "model", "plan", "set_random_seed", "sim", "vis",
]  # fmt: skip

__getattr__ = module_getattr("klampt")
