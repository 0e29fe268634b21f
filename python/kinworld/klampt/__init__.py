"""kw"""
from ._appearance import Appearance
from ._geometry import Geometry3D
from ._link import RobotModelLink
from ._mass import Mass
from ._world import WorldModel
from ._robot import RobotModel
