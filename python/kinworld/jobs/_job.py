"""What all jobs have in common."""

from __future__ import annotations

import hashlib
import json
import pickle
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._core import Robot, Space, World
from . import _blocks

Columns: TypeAlias = dict[str, NDArray[Any]]
"""Arrays by name, all with the same number of rows."""


@dataclass(frozen=True, eq=False)
class Job(ABC):
    """What to compute, about a robot or about a robot of a world.

    ``model`` is a robot or a world. In a world, ``robot`` is the name or the index of the robot that moves. The samples are
    drawn within its limits; ``scale`` is about the range of coordinates that have none. The same seed gives the same samples.
    """

    kind: ClassVar[str]
    """The name on the command line and in files."""
    folds: ClassVar[bool] = False
    """Whether results of blocks are folded into one, such as counts; otherwise their rows follow each other."""

    model: Robot | World
    samples: int = field(kw_only=True)
    seed: int = field(default=0, kw_only=True)
    robot: int | str = field(default=0, kw_only=True)
    scale: float = field(default=1.0, kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.model, (Robot, World)):
            raise TypeError(f"a job needs a Robot or a World, got {type(self.model).__name__}; load one with kinworld.load")
        if self.samples < 1:
            raise ValueError(f"samples is a number of at least 1, got {self.samples}")
        if not 0 <= self.seed < 2**64:
            raise ValueError(f"seed is a number from 0 to 2**64 - 1, got {self.seed}")

    @abstractmethod
    def block(self, index: int) -> Columns:
        """The result of a block; it depends on the job and the number of the block alone."""

    def fold(self, parts: Sequence[Columns]) -> Columns:
        """One result from several, whatever their order."""
        raise NotImplementedError(f"the rows of a {self.kind} job follow each other")

    @abstractmethod
    def empty(self) -> Columns:
        """The result of no block."""

    @property
    def n_blocks(self) -> int:
        """Number of blocks of 4096 samples."""
        return _blocks.count(self.samples)

    @cached_property
    def body(self) -> Robot:
        """The robot that moves."""
        return self.model if isinstance(self.model, Robot) else self.model.robots[self.robot].robot

    @cached_property
    def space(self) -> Space:
        """The configurations of the robot, in its world or in an empty one."""
        if isinstance(self.model, World):
            return self.model.space(self.robot)
        world = World()
        world.add(self.model)
        return world.space()

    @cached_property
    def description(self) -> str:
        """The job as JSON: what it computes, and a hash of the robot or world."""
        settings = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "model"}
        settings["kind"] = self.kind
        settings["of"] = self.body.name
        settings["block"] = _blocks.BLOCK
        settings["model_sha256"] = hashlib.sha256(pickle.dumps(self.model, protocol=4)).hexdigest()
        return json.dumps(settings | self.derived(), sort_keys=True)

    def derived(self) -> dict[str, Any]:
        """Numbers that a reader of the file needs and that follow from the settings."""
        return {}

    def configs(self, block: int, stream: int = _blocks.CONFIGS) -> NDArray[np.float64]:
        """The configurations (BLOCK × n) of a block."""
        seed = int(_blocks.words(self.seed, block, stream, 1)[0])
        q: NDArray[np.float64] = self.body.sample(seed, _blocks.BLOCK, scale=self.scale)
        return q

    def cut(self, block: int, columns: Columns) -> Columns:
        """The rows that belong to the samples of the job, with their numbers first."""
        rows, first = _blocks.rows(self.samples, block), block * _blocks.BLOCK
        numbers = {"sample": np.arange(first, first + rows, dtype=np.int64)}
        return numbers | {name: values[:rows] for name, values in columns.items()}

    def __getstate__(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def concatenated(parts: Sequence[Columns], empty: Columns) -> Columns:
    """The rows of all parts, one part after the other."""
    parts = [empty, *parts]
    return {name: np.concatenate([part[name] for part in parts]) for name in empty}
