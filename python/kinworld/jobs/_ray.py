"""A job on a Ray cluster."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .._optional import need
from ._job import Job
from ._parts import Parts, work
from ._shard import write_columns


def run_ray(
    job: Job,
    output: str | os.PathLike[str],
    *,
    shards: int | None = None,
    address: str | None = None,
    shared_folder: bool | None = None,
    retries: int = 3,
    merge: bool = True,
    progress: Callable[[int, int], object] | None = None,
) -> Path:
    """Runs a job on Ray, one core for each shard, and writes one Parquet file here.

    ``address`` is that of your cluster, as for ``ray.init``; where Ray runs already it is used, else it is started on this
    machine. The workers need kinworld, but none of your files. Shards of a worker that dies are run again by Ray, at most
    ``retries`` times. With ``shared_folder`` all machines see the folder of ``output`` under the same path and workers write
    their parts there, which saves the way through this process; so it is by default where Ray runs on this machine alone. With
    ``merge=False`` the parts stay in the folder ``<output>.parts``, a data set that Ray, pandas and Arrow read as one, and the
    folder is returned: merging takes about as long as writing. An interrupted run goes on with the same call.
    """
    parts = Parts(job, output, shards)
    missing = parts.missing()
    if not missing:
        return parts.merge(merge)
    ray = need("ray", "ray")
    started = not ray.is_initialized()
    if started:
        ray.init(address=address, log_to_driver=False)
    try:
        if shared_folder is None:
            shared_folder = _is_here(ray)
        task = ray.remote(num_cpus=1, max_retries=retries)(work)
        data = ray.put(need("ray.cloudpickle", "ray").dumps(job))
        waiting: dict[Any, int] = {}
        for i in missing:
            waiting[task.remote(data, i, parts.n_shards, str(parts.path(i).absolute()) if shared_folder else None)] = i
        done = parts.n_shards - len(missing)
        while waiting:
            (ready,), _ = ray.wait(list(waiting), num_returns=1)
            columns = ray.get(ready)
            shard = waiting.pop(ready)
            if columns is not None:
                write_columns(job, shard, parts.n_shards, parts.path(shard), columns)
            done += 1
            if progress is not None:
                progress(done, parts.n_shards)
    finally:
        if started:
            ray.shutdown()
    return parts.merge(merge)


def _is_here(ray: Any) -> bool:
    """Whether all workers are on this machine."""
    hosts = {node["NodeManagerHostname"] for node in ray.nodes() if node["Alive"]}
    return hosts == {socket.gethostname()}
