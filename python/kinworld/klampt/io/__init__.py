"""Files, as far as they are here: every other name raises with what to use instead."""

from __future__ import annotations

from .._advice import module_getattr
from . import loader, resource

__all__ = ["loader", "resource"]

__getattr__ = module_getattr("io")
