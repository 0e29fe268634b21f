"""
Files beside models.
"""

from . import Diagnostic, LoadOptions, Robot, World
from .ik import Objective
from _typeshed import SupportsGetItem
from numpy import float64
from numpy.typing import ArrayLike, NDArray
from os import PathLike
from typing import SupportsIndex

__all__ = ["convert", "kind", "lint", "load_configurations", "load_objectives", "load_recording", "robot_from_files", "save_configurations", "save_objectives", "world_from_files", "xacro"]

def convert(source: str | PathLike[str], target: str | PathLike[str], *, force: bool = False, options: LoadOptions | None = None) -> list[Diagnostic]:
    """
    Converts a file to the format of another's suffix; returns warnings about what is lost.
    """

def kind(path: str | PathLike[str]) -> str:
    """
    What a file holds: ``"robot"``, ``"rigid_object"``, ``"terrain"``, ``"world"``, ``"configurations"`` or ``"geometry"``.
    """

def lint(world: World) -> list[Diagnostic]:
    """
    What is odd in a world: links without mass, shapes that overlap, names that clash.
    """

def load_configurations(path: str | PathLike[str]) -> NDArray[float64]:
    """
    Configurations (k × n) of a file.
    """

def load_objectives(path: str | PathLike[str], robot: Robot) -> list[Objective]:
    """
    Goals of inverse kinematics of a file, for a robot.
    """

def load_recording(robot: Robot, path: str | PathLike[str]) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64], NDArray[float64]]:
    """
    A recorded motion of a robot: times (k), configurations, velocities and accelerations (k × n each). What the file
    lacks is differentiated.
    """

def robot_from_files(path: str | PathLike[str], files: dict[str, SupportsGetItem[int, SupportsIndex]], *, options: LoadOptions | None = None) -> Robot:
    """
    Loads a robot from files in memory: a dictionary from names to bytes, of which ``path`` is the robot's.
    """

def save_configurations(path: str | PathLike[str], configs: ArrayLike, *, force: bool = False) -> None:
    """
    Saves configurations (k × n).
    """

def save_objectives(path: str | PathLike[str], robot: Robot, objectives: SupportsGetItem[int, Objective]) -> list[Diagnostic]:
    """
    Saves goals of inverse kinematics of a robot; returns warnings about what is lost.
    """

def world_from_files(path: str | PathLike[str], files: dict[str, SupportsGetItem[int, SupportsIndex]], *, options: LoadOptions | None = None) -> World:
    """
    Loads a world from files in memory: a dictionary from names to bytes, of which ``path`` is the world's.
    """

def xacro(path: str | PathLike[str], *, options: LoadOptions | None = None) -> str:
    """
    The URDF that a xacro file expands to.
    """
