"""What the runners have in common: parts beside the output, a worker's call, the merge."""

from __future__ import annotations

import os
import pickle
import shutil
from functools import lru_cache
from pathlib import Path

from . import _parquet, _shard
from ._job import Columns, Job

SHARDS = 64
"""Least number of shards by default."""

BLOCKS = 64
"""Most blocks of a shard by default, of a job whose results are rows: a shard is written at once."""


class Parts:
    """The files of the shards of a job, in the folder ``<output>.parts`` until they are merged."""

    def __init__(self, job: Job, output: str | os.PathLike[str], shards: int | None) -> None:
        self.job, self.output = job, Path(output)
        self.n_shards = _default(job) if shards is None else shards
        if self.n_shards < 1:
            raise ValueError(f"shards is a number of at least 1, got {shards}")
        self.complete = _parquet.is_part(self.output, job, "0/1")

    def path(self, shard: int) -> Path:
        """The file of a shard."""
        folder = self.output.with_name(self.output.name + ".parts")
        return folder / f"{shard:06}-of-{self.n_shards:06}.parquet"

    def missing(self) -> list[int]:
        """The shards that have no file."""
        if self.complete:
            return []
        return [i for i in range(self.n_shards) if not _parquet.is_part(self.path(i), self.job, f"{i}/{self.n_shards}")]

    def done(self) -> int:
        """Number of shards that have a file."""
        return self.n_shards - len(self.missing())

    def merge(self, merge: bool) -> Path:
        """Merges the parts into the output and removes them; else returns their folder."""
        if self.complete:
            return self.output
        folder = self.path(0).parent
        if not merge:
            return folder
        _shard.merge([self.path(i) for i in range(self.n_shards)], self.output)
        shutil.rmtree(folder, ignore_errors=True)
        return self.output


def _default(job: Job) -> int:
    """The number of shards where none is given."""
    least = min(SHARDS, job.n_blocks)
    return least if job.folds else max(least, -(-job.n_blocks // BLOCKS))


def one_thread() -> None:
    """Keeps a worker to one core, unless the user asked for a number of threads."""
    os.environ.setdefault("RAYON_NUM_THREADS", "1")


@lru_cache(maxsize=2)
def _job(data: bytes) -> Job:
    job: Job = pickle.loads(data)
    return job


def work(data: bytes, shard: int, n_shards: int, output: str | None) -> Columns | None:
    """Runs a shard of a pickled job in a worker: writes its file, or returns its columns where there is no file."""
    one_thread()
    job = _job(data)
    if output is None:
        return _shard.run_shard(job, shard, n_shards)
    _shard.write_shard(job, shard, n_shards, output)
    return None
