"""
Files beside models.
"""

from . import LoadOptions, Robot, World
from .ik import Objective
from _typeshed import SupportsGetItem
from kinworld._core import Diagnostic
from numpy import float64
from numpy.typing import ArrayLike, NDArray
from os import PathLike
from typing import SupportsIndex, final

__all__ = ["Srdf", "convert", "kind", "lint", "load_configurations", "load_objectives", "load_recording", "robot_from_files", "save_configurations", "save_objectives", "world_from_files", "xacro"]

@final
class Srdf:
    """
    An SRDF as it was written; its names need not exist in a robot.
    """
    def __repr__(self, /) -> str: ...
    @property
    def disabled(self, /) -> list[tuple[str, str, str | None]]:
        """
        Pairs of links that are not tested for collision, with the reason.
        """
    @property
    def disabled_links(self, /) -> list[str]:
        """
        Links whose pairs are all disabled.
        """
    @property
    def enabled(self, /) -> list[tuple[str, str, str | None]]:
        """
        Pairs of links that are tested although their links are disabled, with the reason.
        """
    @property
    def end_effectors(self, /) -> list[tuple[str, str, str, str | None]]:
        """
        The end effectors: name, group, link that carries it, group that moves it.
        """
    @property
    def extras(self, /) -> list[str]:
        """
        The names of elements that have no meaning here.
        """
    @property
    def groups(self, /) -> list[tuple[str, list[str], list[str], list[list[str]], list[str]]]:
        """
        The groups: name, links, joints, chains (base and tip), groups within it.
        """
    @staticmethod
    def load(path: str | PathLike[str]) -> Srdf:
        """
        Loads a file.
        """
    @property
    def name(self, /) -> str:
        """
        The name of the robot.
        """
    @staticmethod
    def parse(text: str) -> Srdf:
        """
        Reads the text of a file.
        """
    @property
    def passive_joints(self, /) -> list[str]:
        """
        The passive joints.
        """
    @property
    def states(self, /) -> list[tuple[str, str | None, list[tuple[str, list[float]]]]]:
        """
        The named states: name, group, and the values of each joint, rad or m.
        """
    @property
    def virtual_joints(self, /) -> list[tuple[str, str, str, str]]:
        """
        Joints between the world and the robot: name, kind, frame, link.
        """

def convert(source: str | PathLike[str], target: str | PathLike[str], *, force: bool = False, format: str | None = None, options: LoadOptions | None = None) -> list[Diagnostic]:
    """
    Converts a file to the format of another's suffix, or to ``format``; returns warnings about what is lost.
    """

def kind(path: str | PathLike[str]) -> str:
    """
    What a file holds: ``"robot"``, ``"rigid_object"``, ``"terrain"``, ``"world"``, ``"mjcf"``, ``"sdf"``, ``"configurations"`` or ``"geometry"``.
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
