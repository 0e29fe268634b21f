"""A job on a Dask cluster."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .._optional import need
from ._job import Job
from ._parts import Parts, work
from ._shard import write_columns


def run_dask(
    job: Job,
    output: str | os.PathLike[str],
    *,
    shards: int | None = None,
    client: Any = None,
    address: str | None = None,
    shared_folder: bool | None = None,
    retries: int = 3,
    merge: bool = True,
    progress: Callable[[int, int], object] | None = None,
) -> Path:
    """Runs a job on Dask and writes one Parquet file here.

    ``client`` is a ``distributed.Client`` of yours, or ``address`` that of your scheduler; with neither, workers are started on
    this machine. The workers need kinworld, but none of your files. Shards of a worker that dies go to another one, as often
    as Dask's setting ``distributed.scheduler.allowed-failures`` says; a shard that raises is tried ``retries`` more times. With
    ``shared_folder`` all machines see the folder of ``output`` under the same path and workers write their parts there, as
    those that are started here do. With ``merge=False`` the parts stay in the folder ``<output>.parts``, a data set that Dask,
    pandas and Arrow read as one, and the folder is returned: merging takes about as long as writing. An interrupted run goes on
    with the same call.
    """
    parts = Parts(job, output, shards)
    missing = parts.missing()
    if not missing:
        return parts.merge(merge)
    distributed = need("distributed", "dask")
    own = client is None
    if shared_folder is None:
        shared_folder = own and address is None
    if own:
        client = distributed.Client(address) if address else distributed.Client(threads_per_worker=1, dashboard_address=None)
    try:
        # a task, not scattered data: Dask can make it again where a worker that had it died
        data = client.submit(bytes, need("cloudpickle", "dask").dumps(job), pure=False)
        names = {i: str(parts.path(i).absolute()) if shared_folder else None for i in missing}
        futures = {client.submit(work, data, i, parts.n_shards, names[i], pure=False, retries=retries): i for i in missing}
        done = parts.n_shards - len(missing)
        for future in distributed.as_completed(list(futures)):
            columns, shard = future.result(), futures.pop(future)
            future.release()
            if columns is not None:
                write_columns(job, shard, parts.n_shards, parts.path(shard), columns)
            done += 1
            if progress is not None:
                progress(done, parts.n_shards)
    finally:
        if own:
            client.close()
    return parts.merge(merge)
