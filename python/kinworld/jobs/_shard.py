"""Shards of a job: computed, written as files, merged."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from . import _blocks, _parquet
from ._job import Columns, Job, concatenated
from ._reach import folded_cells

Progress = Callable[[int, int], object]
"""Called with the number of blocks that are done, and of all."""


def run_shard(job: Job, shard: int = 0, n_shards: int = 1, *, progress: Progress | None = None) -> Columns:
    """The result of a shard: of the blocks ``shard``, ``shard + n_shards``, ``shard + 2 * n_shards`` and so on."""
    blocks = _blocks.of_shard(job.samples, shard, n_shards)
    parts: list[Columns] = []
    for done, block in enumerate(blocks, 1):
        parts.append(job.block(block))
        if job.folds and len(parts) > 32:
            parts = [job.fold(parts)]
        if progress is not None:
            progress(done, len(blocks))
    return job.fold(parts) if job.folds else concatenated(parts, job.empty())


def write_shard(
    job: Job,
    shard: int,
    n_shards: int,
    output: str | os.PathLike[str],
    *,
    every: int = 64,
    progress: Progress | None = None,
) -> Path:
    """Writes the result of a shard as a Parquet file, which appears when it is complete.

    Of a longer shard, each ``every`` blocks are saved in the folder ``<output>.partial``; when interrupted it goes on from
    there. A shard that is run again, even at the same time elsewhere, writes the same file. One that is there is left alone;
    a file of another job raises.
    """
    path, name = Path(output), f"{shard}/{n_shards}"
    blocks = _blocks.of_shard(job.samples, shard, n_shards)
    if every < 1:
        raise ValueError(f"every is a number of blocks of at least 1, got {every}")
    if _parquet.is_part(path, job, name):
        return path
    if len(blocks) <= every:
        _write(path, job, name, _reported(job, blocks, progress))
        return path
    partial = path.with_name(path.name + ".partial")
    saved: list[Path] = []
    for at in range(0, len(blocks), every):
        chunk = blocks[at : at + every]
        file = partial / f"{at:09}-{len(chunk):06}.parquet"
        if not _parquet.is_part(file, job, name):
            results = (job.block(block) for block in chunk)
            with _parquet.writer(file, job.empty(), job.description, name) as write:
                for columns in [job.fold(list(results))] if job.folds else results:
                    write(columns)
        saved.append(file)
        if progress is not None:
            progress(at + len(chunk), len(blocks))
    _write(path, job, name, chain.from_iterable(_parquet.groups(file) for file in saved))
    shutil.rmtree(partial, ignore_errors=True)
    return path


def _reported(job: Job, blocks: range, progress: Progress | None) -> Iterator[Columns]:
    """The results of blocks, one after the other."""
    for done, block in enumerate(blocks, 1):
        yield job.block(block)
        if progress is not None:
            progress(done, len(blocks))


def write_columns(job: Job, shard: int, n_shards: int, output: Path, columns: Columns) -> None:
    """Writes what ``run_shard`` returned as the file that ``write_shard`` writes."""
    groups = [columns] if job.folds else _cut_in_blocks(job, _blocks.of_shard(job.samples, shard, n_shards), columns)
    _write(output, job, f"{shard}/{n_shards}", groups)


def _cut_in_blocks(job: Job, blocks: Iterable[int], columns: Columns) -> Iterator[Columns]:
    numbers = columns["sample"]
    for block in blocks:
        first, last = numbers.searchsorted([block * _blocks.BLOCK, (block + 1) * _blocks.BLOCK])
        yield {name: values[first:last] for name, values in columns.items()}


def _write(path: Path, job: Job, shard: str, groups: Iterable[Columns]) -> None:
    with _parquet.writer(path, job.empty(), job.description, shard) as write:
        for columns in [job.fold(list(groups))] if job.folds else groups:
            write(columns)


def merge(parts: Sequence[str | os.PathLike[str]], output: str | os.PathLike[str]) -> Path:
    """Joins the files of all shards of a job into one: the file, byte for byte, of the job in a single shard.

    Raises where a shard is missing, is there twice, or is of another job.
    """
    if not parts:
        raise ValueError("merge needs the files of all shards of a job, got none")
    path = Path(output)
    description, _ = _parquet.labels(parts[0])
    by_shard: dict[tuple[int, int], Path] = {}
    for part in map(Path, parts):
        found, name = _parquet.labels(part)
        if found != description:
            raise ValueError(f"{part} is {_parquet.differs(found, description)}; merge the shards of one job")
        i, n = map(int, name.split("/"))
        if (i, n) in by_shard:
            raise ValueError(f"{by_shard[i, n]} and {part} are both shard {name}; give each shard once")
        by_shard[i, n] = part
    counts = {n for _, n in by_shard}
    if len(counts) != 1:
        raise ValueError(f"the parts are of {sorted(counts)} shards; give all parts of one division of the job")
    n_shards = counts.pop()
    missing = [f"{i}/{n_shards}" for i in range(n_shards) if (i, n_shards) not in by_shard]
    if missing:
        more = f" and {len(missing) - 10} more" if len(missing) > 10 else ""
        raise ValueError(f"shards are missing: {', '.join(missing[:10])}{more}; run them, then merge")
    files = [by_shard[i, n_shards] for i in range(n_shards)]
    empty = _parquet.empty(files[0])
    settings = json.loads(description)
    with _parquet.writer(path, empty, description, "0/1") as write:
        if "count" in empty:
            write(folded_cells(chain.from_iterable(_parquet.groups(file) for file in files)))
        else:
            readers = [_parquet.groups(file) for file in files]
            for block in range(_blocks.count(settings["samples"])):
                write(next(readers[block % n_shards]))
    return path
