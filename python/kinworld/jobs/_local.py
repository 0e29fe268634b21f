"""A job in the processes of one machine."""

from __future__ import annotations

import multiprocessing
import os
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from ._job import Job
from ._parts import Parts, one_thread, work


def run(
    job: Job,
    output: str | os.PathLike[str],
    *,
    shards: int | None = None,
    processes: int | None = None,
    retries: int = 3,
    merge: bool = True,
    progress: Callable[[int, int], object] | None = None,
) -> Path:
    """Runs a job in ``processes`` of this machine, one for each core by default, and writes one Parquet file.

    What an interrupted run did is kept in ``<output>.parts``; the same call goes on from there. Shards of a process that dies
    are run again, at most ``retries`` times. ``progress`` is called with the number of shards that are done, and of all.
    With ``merge=False`` the parts stay in the folder ``<output>.parts``, a data set that pandas, Arrow, Dask and Ray read as
    one, and the folder is returned: merging takes about as long as writing. A script that calls this needs
    ``if __name__ == "__main__":``, because processes are spawned.
    """
    parts = Parts(job, output, shards)
    data = pickle.dumps(job)
    spawn = multiprocessing.get_context("spawn")
    for attempt in range(retries + 1):
        missing = parts.missing()
        if not missing:
            break
        done = parts.n_shards - len(missing)
        with ProcessPoolExecutor(processes, mp_context=spawn, initializer=one_thread) as pool:
            futures = [pool.submit(work, data, i, parts.n_shards, str(parts.path(i))) for i in missing]
            try:
                for future in as_completed(futures):
                    future.result()
                    done += 1
                    if progress is not None:
                        progress(done, parts.n_shards)
            except BrokenProcessPool as problem:
                if attempt == retries:
                    raise RuntimeError(
                        f"a process died {attempt + 1} times, probably for lack of memory; use fewer processes or more shards, "
                        "the same call goes on from here"
                    ) from problem
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    return parts.merge(merge)
