"""Klampt's `io.loader` is not here: every name raises with what to use instead."""

from __future__ import annotations

from .._advice import module_getattr

__getattr__ = module_getattr("io.loader")
