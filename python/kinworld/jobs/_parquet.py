"""Columns as Parquet files, with the job in the schema's metadata."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .._core import __version__
from .._optional import need
from ._job import Columns, Job

_JOB, _SHARD, _VERSION = b"kinworld.job", b"kinworld.shard", b"kinworld.version"


def read(path: str | os.PathLike[str]) -> tuple[dict[str, Any], Columns]:
    """The description of the job and the columns of a Parquet file of a shard or of a whole job."""
    parquet = need("pyarrow.parquet", "jobs")
    table = parquet.read_table(path)
    job, _ = labels(path)
    return json.loads(job), {name: _array(table.column(name)) for name in table.column_names}


def labels(path: str | os.PathLike[str]) -> tuple[str, str]:
    """The description of the job and the shard (``"i/n"``) of a file."""
    metadata = need("pyarrow.parquet", "jobs").read_schema(path).metadata or {}
    if _JOB not in metadata or _SHARD not in metadata:
        raise ValueError(f"{os.fspath(path)} was not written by kinworld.jobs: its schema has no description of a job")
    return metadata[_JOB].decode(), metadata[_SHARD].decode()


def is_part(path: Path, job: Job, shard: str) -> bool:
    """Whether a file is complete and is this shard of this job; raises where it is of another job."""
    if not path.exists():
        return False
    try:
        found, of = labels(path)
    except (OSError, ValueError) as problem:
        raise ValueError(f"{path} is in the way, it is no part of a job: {problem}; remove it or choose another output") from problem
    if found != job.description or of != shard:
        what = differs(found, job.description) if found != job.description else f"shard {of} of this job, not {shard}"
        raise ValueError(f"{path} is {what}; remove it or choose another output")
    return True


def differs(found: str, wanted: str) -> str:
    """In which settings a job differs from another, in words."""
    a, b = json.loads(found), json.loads(wanted)
    names = sorted(name for name in a.keys() | b.keys() if a.get(name) != b.get(name))
    return "of another job: " + ", ".join(f"{name} is {a.get(name)!r} there, {b.get(name)!r} here" for name in names)


@contextmanager
def writer(path: Path, empty: Columns, description: str, shard: str) -> Iterator[Callable[[Columns], None]]:
    """Writes row groups into a temporary file, which gets its name when all is written."""
    arrow, parquet = need("pyarrow", "jobs"), need("pyarrow.parquet", "jobs")
    metadata = {_JOB: description.encode(), _SHARD: shard.encode(), _VERSION: __version__.encode()}
    schema = _table(arrow, empty).schema.with_metadata(metadata)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        # random numbers do not compress, and no dictionary of them is smaller: both would take most of the time
        codecs = {column.path: "NONE" if column.physical_type == "DOUBLE" else "ZSTD" for column in _leaves(parquet, schema)}
        with parquet.ParquetWriter(temporary, schema, compression=codecs, use_dictionary=False) as out:

            def write(columns: Columns) -> None:
                table = _table(arrow, columns).cast(schema)
                # one row group, so that a reader finds a block by its number
                out.write_table(table, row_group_size=max(1, table.num_rows))

            yield write
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _leaves(parquet: Any, schema: Any) -> list[Any]:
    """The columns of a Parquet file with this schema; one of lists has the path of its items."""
    buffer = need("pyarrow", "jobs").BufferOutputStream()
    parquet.write_metadata(schema, buffer)
    columns = parquet.read_metadata(need("pyarrow", "jobs").BufferReader(buffer.getvalue())).schema
    return [columns.column(i) for i in range(len(columns))]


def groups(path: Path) -> Iterator[Columns]:
    """The row groups of a file, one after the other."""
    with need("pyarrow.parquet", "jobs").ParquetFile(path) as file:
        for i in range(file.num_row_groups):
            table = file.read_row_group(i)
            yield {name: _array(table.column(name)) for name in table.column_names}


def empty(path: Path) -> Columns:
    """The columns of a file without their rows."""
    table = need("pyarrow.parquet", "jobs").read_schema(path).empty_table()
    return {name: _array(table.column(name)) for name in table.column_names}


def _table(arrow: Any, columns: Columns) -> Any:
    """Arrays as an Arrow table; an array of rows becomes lists of a fixed size."""
    arrays = {}
    for name, values in columns.items():
        array = arrow.array(values.reshape(-1))
        for width in reversed(values.shape[1:]):
            array = arrow.FixedSizeListArray.from_arrays(array, width)
        arrays[name] = array
    return arrow.table(arrays)


def _array(column: Any) -> Any:
    """An Arrow column as an array."""
    values, shape = column.combine_chunks(), [len(column)]
    while hasattr(values.type, "list_size"):
        shape.append(values.type.list_size)
        values = values.flatten()
    return values.to_numpy(zero_copy_only=False).reshape(shape)
