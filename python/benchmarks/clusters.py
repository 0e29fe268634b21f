"""Configurations per second per core through processes, Ray and Dask beside the bare loop: `python clusters.py [SECONDS]`.

Each job takes about so many seconds of all cores: as many processes of the bare loop, side by side, then each scheduler, which
is started before the clock. The bare loop of a job that folds its results writes nothing; that of a data set writes its files,
once, as the schedulers do (`merge=False`), and is given without them too. All parts are compared byte by byte. On a busy machine
the processor time of all processes says more than the clock: both are printed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

import kinworld as kw
from kinworld import jobs

DATA = Path(__file__).parents[2] / "data"
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
Runner = Callable[[jobs.Job, Path, int], Path]


def bare(job: jobs.Job, core: int, shards: int, folder: str | None) -> float:
    """Seconds of a core's shards of a job in this process, written into a folder or not at all."""
    os.environ["RAYON_NUM_THREADS"] = "1"
    began = time.perf_counter()
    for shard in range(core, shards, CORES):
        if folder is None:
            jobs.run_shard(job, shard, shards)
        else:
            jobs.write_shard(job, shard, shards, Path(folder) / f"{shard:06}.parquet")
    return time.perf_counter() - began


def processor_time() -> float:
    """Seconds that this process and all that come from it have used, those that ended included."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(words[1])
            ticks[int(entry.name)] = sum(int(word) for word in words[11:15])
    ours = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(ticks[pid] for pid in ours) / os.sysconf("SC_CLK_TCK")


@contextmanager
def clock(seconds: list[tuple[float, float]]) -> Iterator[None]:
    """Appends the time on the clock and that of the processors."""
    used, began = processor_time(), time.perf_counter()
    yield
    seconds.append((time.perf_counter() - began, processor_time() - used))


def bare_loop(job: jobs.Job, shards: int, folder: Path | None) -> None:
    """All cores at the bare loop, each in a process that has started before."""
    where = None if folder is None else str(folder)
    for _ in POOL.map(bare, [job] * CORES, range(CORES), [shards] * CORES, [where] * CORES):
        pass


def digests(path: Path) -> list[str]:
    """What a file, or the parts of a job in their order, are."""
    paths = [path] if path.is_file() else sorted(path.iterdir())
    return [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]


def runners() -> dict[str, Runner]:
    """The ways to run a job."""
    found: dict[str, Runner] = {
        "processes": lambda job, path, shards: jobs.run(job, path, shards=shards, processes=CORES, merge=job.folds)
    }
    try:
        import ray

        ray.init(num_cpus=CORES, include_dashboard=False, log_to_driver=False, object_store_memory=200 * 2**20)
        found["Ray"] = lambda job, path, shards: jobs.run_ray(job, path, shards=shards, merge=job.folds)
    except ImportError:
        print("left out: Ray")
    try:
        import distributed

        client = distributed.Client(distributed.LocalCluster(n_workers=CORES, threads_per_worker=1, dashboard_address=None))
        found["Dask"] = lambda job, path, shards: jobs.run_dask(
            job, path, shards=shards, client=client, shared_folder=True, merge=job.folds
        )
    except ImportError:
        print("left out: Dask")
    return found


def measure(make: Callable[[int], jobs.Job], seconds: float, ways: dict[str, Runner], folder: Path) -> None:
    """Prints the rates of a job that takes about so long."""
    small = make(CORES * 64 * jobs.BLOCK)
    for run in ways.values():
        # workers import the package once
        run(make(CORES * jobs.BLOCK), folder / "warm.parquet", CORES)
        shutil.rmtree(folder)
        folder.mkdir()
    times: list[tuple[float, float]] = []
    with clock(times):
        bare_loop(small, CORES, None)
    n = max(CORES, int(seconds / times[0][0])) * 64 * jobs.BLOCK * CORES
    job = make(n)
    shards = max(16 * CORES, job.n_blocks // 64)
    table: dict[str, list[tuple[float, float]]] = {"bare loop": []}
    with clock(table["bare loop"]):
        bare_loop(job, shards, None)
    base = "bare loop"
    answers: dict[str, list[str]] = {}
    if not job.folds:
        base = "bare loop with its files"
        (folder / "bare").mkdir()
        with clock(table.setdefault(base, [])):
            bare_loop(job, shards, folder / "bare")
        answers[base] = digests(folder / "bare")
        shutil.rmtree(folder / "bare")
    for name, run in ways.items():
        with clock(table.setdefault(name, [])):
            path = run(job, folder / f"{name}.parquet", shards)
        answers[name] = digests(path)
        shutil.rmtree(folder)
        folder.mkdir()
    same = all(answer == next(iter(answers.values())) for answer in answers.values())
    print(f"{type(job).__name__}, {n:,} configurations in {shards} shards; same bytes: {same}")
    wall, used = table[base][0]
    for name, ((clock_time, processor),) in table.items():
        print(
            f"  {name:26}{n / clock_time / CORES:12,.0f} per second and core ({wall / clock_time:4.0%}), "
            f"{1e6 * processor / n:7.3f} µs of a processor each ({used / processor:4.0%})",
            flush=True,
        )


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 20.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kw.LoadWarning)
        panda = kw.Robot.load(DATA / "robots/panda.urdf")
        cell = kw.load(DATA / "robots/arm6.urdf", DATA / "terrains/table.env")
    table: list[Callable[[int], jobs.Job]] = [
        lambda n: jobs.ReachMap(panda, link="tool", cell=0.05, samples=n),
        lambda n: jobs.LabelledConfigs(cell, samples=n),
        lambda n: jobs.DynamicsData(panda, samples=n),
    ]
    ways = runners()
    print(f"{CORES} cores, jobs of about {seconds:.0f} s")
    for make in table:
        with tempfile.TemporaryDirectory() as folder:
            measure(make, seconds, ways, Path(folder) / "work")


if __name__ == "__main__":
    POOL = ProcessPoolExecutor(CORES, get_context("spawn"))
    main()
