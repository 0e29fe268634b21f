"""Robots of the packages robot_descriptions and yourdfpy."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from .. import Error, LoadOptions, NotFoundError, Robot
from .._optional import need


def load_description(name: str, *, options: LoadOptions | None = None) -> Robot:
    """The robot of a description such as ``"panda_description"``. Needs ``pip install 'kinworld[descriptions]'``.

    The package downloads a description when it is asked for it first, into its own cache; kinworld loads the URDF from
    there. Its ``package://`` addresses are looked up in the description's own folders, unless ``options`` are given.
    """
    module = _description(name)
    path = getattr(module, "URDF_PATH", None)
    if path is None:
        raise Error(f"{name!r} has no URDF; choose a description with one: robot_descriptions lists them in its README")
    return Robot.load(path, options=options if options is not None else _options_of(module))


def _description(name: str) -> Any:
    package = need("robot_descriptions", "descriptions")
    module = f"robot_descriptions.{name}"
    if module in sys.modules:
        return sys.modules[module]
    if not isinstance(name, str):
        raise TypeError(f"expected the name of a description, got {type(name).__name__}")
    names = sorted(found.name for found in pkgutil.iter_modules(getattr(package, "__path__", [])))
    names = [found for found in names if found.endswith(("_description", "_mj_description"))]
    if name not in names:
        stems = {found.removesuffix("_description"): found for found in names if not found.endswith("_mj_description")}
        wanted = name.lower().replace("-", "_").removesuffix("_description")
        close = [stems[stem] for stem in difflib.get_close_matches(wanted, stems, n=3, cutoff=0.6)]
        advice = f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
        raise NotFoundError(f"robot_descriptions has no {name!r}{advice}; there are {len(names)} descriptions")
    return importlib.import_module(module)


def _options_of(module: Any) -> LoadOptions:
    package, repository = Path(module.PACKAGE_PATH), Path(module.REPOSITORY_PATH)
    return LoadOptions(packages={package.name: str(package)}, roots=[str(repository)])


def from_yourdfpy(urdf: Any, folder: str | Path = ".", *, options: LoadOptions | None = None) -> Robot:
    """The robot of a ``yourdfpy.URDF``, changes of the object included. Meshes are looked up from ``folder``."""
    if not hasattr(urdf, "write_xml_string"):
        raise TypeError(f"expected a yourdfpy.URDF, got {type(urdf).__name__}")
    text = urdf.write_xml_string()
    return Robot.from_urdf(text.decode() if isinstance(text, bytes) else text, folder, options=options)


def to_yourdfpy(robot: Robot, **options: Any) -> Any:
    """A ``yourdfpy.URDF`` of a robot with its meshes. Needs ``pip install 'kinworld[yourdfpy]'``.

    ``options`` are those of ``yourdfpy.URDF.load``.
    """
    yourdfpy = need("yourdfpy", "yourdfpy")
    with tempfile.TemporaryDirectory(prefix="kinworld-") as folder:
        path = Path(folder) / "robot.urdf"
        robot.save(path)
        return yourdfpy.URDF.load(str(path), **options)
