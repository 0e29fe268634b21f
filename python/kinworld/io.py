"""Files beside models: configurations, objectives, recordings; conversion; files in memory."""

from ._core.io import (
    convert,
    kind,
    lint,
    load_configurations,
    load_objectives,
    load_recording,
    robot_from_files,
    save_configurations,
    save_objectives,
    world_from_files,
    xacro,
)

__all__ = [
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
