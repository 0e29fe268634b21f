"""Models and meshes of other packages: Pinocchio, trimesh, Open3D, yourdfpy, robot_descriptions.

Each function imports its package when it is called; ``import kinworld.interop`` needs none of them.

>>> import kinworld as kw
>>> from kinworld import interop
>>> arm = kw.Robot.load("data/robots/panda.urdf")
>>> pin = interop.to_pinocchio(arm)                                                             # doctest: +SKIP
>>> pin.q([0, -0.785, 0, -2.356, 0, 1.571, 0.785])                                              # doctest: +SKIP
array([ 0.   , -0.785,  0.   , -2.356,  0.   ,  1.571,  0.785])

"""

from __future__ import annotations

from .descriptions import from_yourdfpy, load_description, to_yourdfpy
from .meshes import from_open3d, from_trimesh, to_open3d, to_trimesh
from .pinocchio import PinocchioModel, from_pinocchio, to_pinocchio

__all__ = [
    "PinocchioModel",
    "from_open3d",
    "from_pinocchio",
    "from_trimesh",
    "from_yourdfpy",
    "load_description",
    "to_open3d",
    "to_pinocchio",
    "to_trimesh",
    "to_yourdfpy",
]
