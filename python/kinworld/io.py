"""Files beside models: configurations, objectives, recordings; conversion; files in memory."""

from ._core import io as _io

Srdf = _io.Srdf
convert = _io.convert
kind = _io.kind
lint = _io.lint
load_configurations = _io.load_configurations
load_objectives = _io.load_objectives
load_recording = _io.load_recording
robot_from_files = _io.robot_from_files
save_configurations = _io.save_configurations
save_objectives = _io.save_objectives
world_from_files = _io.world_from_files
xacro = _io.xacro

__all__ = [
    "Srdf",
    "convert",
    "kind",
    "lint",
    "load_configurations",
    "load_objectives",
    "load_recording",
    "robot_from_files",
    "save_configurations",
    "save_objectives",
    "world_from_files",
    "xacro",
]
