"""Named values in files of a folder, as `klampt.io.resource` has them, without editors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .._advice import module_getattr
from . import loader

_folder = "resources"


def get_directory() -> str:
    """The folder of the files."""
    return _folder


def set_directory(value: str) -> None:
    """Sets the folder of the files."""
    global _folder
    _folder = value


def known_extensions() -> list[str]:
    """The suffixes that can be read."""
    return list(loader.EXTENSIONS)


def known_types() -> list[str]:
    """The types that can be read."""
    return sorted({*loader.EXTENSIONS.values()})


def get(
    name: str, type: str = "auto", directory: str | None = None, default: Any = None, doedit: Any = "auto", **_: Any
) -> Any:
    """The value of a file, or ``default`` where there is none. Nothing is edited: there is no window here."""
    path = Path(directory or _folder) / name
    if not path.is_file():
        if default is None and doedit is not False:
            raise FileNotFoundError(f"no file {path}; give a `default`, or write it with `resource.set(name, value)`")
        return default
    return loader.load(type, str(path))


def set(name: str, value: Any, type: str = "auto", directory: str | None = None) -> bool:
    """Writes a value to a file."""
    path = Path(directory or _folder) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return loader.save(value, type, str(path))


__getattr__ = module_getattr("io.resource")
