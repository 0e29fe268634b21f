"""Text and files of Klampt's types, as `klampt.io.loader` has them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .._advice import missing, module_getattr
from .._geometry import Geometry3D
from .._shapes import GeometricPrimitive
from .._types import RigidTransform, Vector
from .._world import WorldModel
from ..math import so3
from ..model.trajectory import SE3Trajectory, Trajectory

EXTENSIONS = {
    ".config": "Config", ".configs": "Configs", ".path": "Trajectory", ".xml": "WorldModel", ".off": "Geometry3D",
    ".obj": "Geometry3D", ".stl": "Geometry3D", ".ply": "Geometry3D", ".dae": "Geometry3D", ".pcd": "Geometry3D",
    ".geom": "Geometry3D", ".vector": "Vector", ".xform": "RigidTransform", ".vector3": "Vector3", ".matrix3": "Matrix3",
}  # fmt: skip


def filename_to_type(name: str) -> str:
    """The type that a file's suffix stands for."""
    suffix = Path(name).suffix
    if suffix not in EXTENSIONS:
        raise RuntimeError(f"unknown suffix `{suffix}`; known: {', '.join(EXTENSIONS)}")
    return EXTENSIONS[suffix]


def write_Vector(q: Vector) -> str:
    """Text of a vector: its size, then its numbers."""
    return f"{len(q)}\t{' '.join(str(x) for x in q)}"


def read_Vector(text: str) -> list[float]:
    """The vector of a text that starts with its size."""
    words = text.split()
    if int(words[0]) + 1 != len(words):
        raise ValueError(f"expected {words[0]} numbers after the size, found {len(words) - 1}")
    return [float(word) for word in words[1:]]


def write_Vector_raw(x: Vector) -> str:
    """Text of a vector without its size."""
    return " ".join(str(v) for v in x)


def read_Vector_raw(text: str) -> list[float]:
    """The vector of a text without its size."""
    return [float(word) for word in text.split()]


def write_VectorList(x: Sequence[Vector]) -> str:
    """Text of vectors, one a line."""
    return "\n".join(write_Vector(v) for v in x)


def read_VectorList(text: str) -> list[list[float]]:
    """The vectors of a text, one a line."""
    return [read_Vector(line) for line in text.splitlines() if line.strip()]


def write_so3(x: Vector) -> str:
    """Text of a rotation: the rows of its matrix."""
    return "\n".join("\t".join(str(v) for v in row) for row in so3.matrix(x))


def read_so3(text: str) -> list[float]:
    """The rotation of a text."""
    numbers = read_Vector_raw(text)
    if len(numbers) != 9:
        raise ValueError(f"expected 9 numbers of a rotation, found {len(numbers)}")
    return so3.from_matrix([numbers[i : i + 3] for i in (0, 3, 6)])


def write_se3(x: RigidTransform) -> str:
    """Text of a pose: the rows of its rotation, then its translation."""
    return f"{write_so3(x[0])}\n{write_Vector_raw(x[1])}"


def read_se3(text: str) -> tuple[list[float], list[float]]:
    """The pose of a text."""
    numbers = read_Vector_raw(text)
    if len(numbers) != 12:
        raise ValueError(f"expected 12 numbers of a pose, found {len(numbers)}")
    return so3.from_matrix([numbers[i : i + 3] for i in (0, 3, 6)]), numbers[9:]


def write_GeometricPrimitive(g: GeometricPrimitive) -> str:
    """Text of a primitive."""
    return g.saveString()


def read_GeometricPrimitive(text: str) -> GeometricPrimitive:
    """The primitive of a text."""
    out = GeometricPrimitive()
    if not out.loadString(text):
        raise RuntimeError(f"expected a primitive such as `Sphere 0 0 0 1`, found `{text[:40]}`")
    return out


_WRITE: dict[str, Any] = {
    "Config": write_Vector, "Vector": write_Vector, "Vector3": write_Vector_raw, "Point": write_Vector_raw,
    "Configs": write_VectorList, "Rotation": write_so3, "Matrix3": write_so3, "RigidTransform": write_se3,
    "GeometricPrimitive": write_GeometricPrimitive,
}  # fmt: skip
_READ: dict[str, Any] = {
    "Config": read_Vector, "Vector": read_Vector, "Vector3": read_Vector_raw, "Point": read_Vector_raw,
    "Configs": read_VectorList, "Rotation": read_so3, "Matrix3": read_so3, "RigidTransform": read_se3,
    "GeometricPrimitive": read_GeometricPrimitive,
}  # fmt: skip


def write(obj: Any, type: str) -> str:
    """Text of a value of a type."""
    if type not in _WRITE:
        missing("io.loader", f"write_{type}")
    text: str = _WRITE[type](obj)
    return text


def read(type: str, text: str) -> Any:
    """The value of a type from text."""
    if type not in _READ:
        missing("io.loader", f"read_{type}")
    return _READ[type](text)


def load(type: str, fn: str) -> Any:
    """The value of a file; the type ``"auto"`` follows from the suffix."""
    if type == "auto" and Path(fn).suffix == ".json":
        return from_json(json.loads(Path(fn).read_text()))
    kind = filename_to_type(fn) if type == "auto" else type
    if kind in ("WorldModel", "Geometry3D"):
        model = WorldModel() if kind == "WorldModel" else Geometry3D()
        if not model.loadFile(fn):
            raise OSError(f"cannot load {fn}; the warning says why")
        return model
    if kind == "Trajectory":
        out = Trajectory()
        out.load(fn)
        return out
    if type == "json":
        return from_json(json.loads(Path(fn).read_text()))
    return read(kind, Path(fn).read_text())


def save(obj: Any, type: str, fn: str) -> bool:
    """Saves a value; the type ``"auto"`` follows from the suffix."""
    if type == "json" or Path(fn).suffix == ".json":
        Path(fn).write_text(json.dumps(to_json(obj)))
        return True
    kind = filename_to_type(fn) if type == "auto" else type
    if kind == "Trajectory":
        obj.save(fn)
    elif kind in ("WorldModel", "Geometry3D"):
        obj.saveFile(fn)
    else:
        Path(fn).write_text(write(obj, kind) + "\n")
    return True


def to_json(obj: Any, type: str = "auto") -> Any:
    """What `json` writes, of a vector, pose or trajectory."""
    if isinstance(obj, Trajectory):
        rows = [list(q) for q in obj.milestones]
        return {"type": obj.__class__.__name__, "times": list(obj.times), "milestones": rows}
    if isinstance(obj, (bool, int, float, str)):
        return obj
    if hasattr(obj, "__iter__"):
        return [to_json(item) for item in obj]
    missing("io.loader", f"to_json of a {obj.__class__.__name__}")


def from_json(jsonobj: Any, type: str = "auto") -> Any:
    """The value of what `json` read."""
    if isinstance(jsonobj, dict) and "milestones" in jsonobj:
        kind = SE3Trajectory if jsonobj.get("type") == "SE3Trajectory" else Trajectory
        return kind(jsonobj["times"], jsonobj["milestones"])
    return jsonobj


__getattr__ = module_getattr("io.loader")
