"""Packages that only some modules need."""

from __future__ import annotations

import importlib
from typing import Any


def need(module: str, extra: str) -> Any:
    """The module of an optional package, or an error that says how to install it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as problem:
        package = module.partition(".")[0]
        if problem.name is not None and problem.name.partition(".")[0] != package:
            raise
        raise ImportError(f"this needs the package `{package}`; install it with: pip install 'kinworld[{extra}]'") from problem
