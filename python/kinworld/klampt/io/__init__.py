"""Files of Klampt: `loader` and `resource`."""

from .._advice import module_getattr
from . import loader, resource

__all__ = ["loader", "resource"]

__getattr__ = module_getattr("io")
