"""Klampt's names, with kinworld's answers: ``import kinworld.klampt as klampt`` runs a program that uses these.

Lists go in and out, rotations are nine numbers by columns, Jacobians have the orientation rows first, as in Klampt. Every
other name of Klampt raises an ``AttributeError`` that says what to use instead. Each object has ``native``, the object of
kinworld behind it. Where answers differ from Klampt's is listed in ``docs/klampt.md``.

>>> import kinworld.klampt as klampt
>>> world = klampt.WorldModel()
>>> world.readFile("data/robots/planar3R.rob")
True
>>> robot = world.robot(0)
>>> robot.setConfig([0, 0.5, 0])
>>> robot.link(2).getWorldPosition([0, 0, 0])[0]
1.8775825618903728
"""

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
from ._robot import RobotModel
from ._shapes import ConvexHull, GeometricPrimitive, PointCloud, TriangleMesh
from ._world import WorldModel

__all__ = [
    "Appearance",
    "ContactQueryResult",
    "ConvexHull",
    "DistanceQueryResult",
    "DistanceQuerySettings",
    "GeometricPrimitive",
    "Geometry3D",
    "IKObjective",
    "IKSolver",
    "Mass",
    "PointCloud",
    "RigidObjectModel",
    "RobotModel",
    "RobotModelDriver",
    "RobotModelLink",
    "TerrainModel",
    "TriangleMesh",
    "WorldModel",
    "control",
    "io",
    "math",
    "model",
    "plan",
    "sim",
    "vis",
]

__getattr__ = module_getattr("klampt")
