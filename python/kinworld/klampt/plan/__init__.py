"""Motion planning, as Klampt has it: `cspace`, `robotcspace` and `robotplanning`."""

from .._advice import module_getattr
from . import cspace, robotcspace, robotplanning

__all__ = ["cspace", "robotcspace", "robotplanning"]

__getattr__ = module_getattr("plan")
