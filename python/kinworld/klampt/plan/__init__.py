"""Planning for robots: every other name raises with what to use instead."""

from __future__ import annotations

from .._advice import module_getattr
from . import robotplanning

__all__ = ["robotplanning"]

__getattr__ = module_getattr("plan")
