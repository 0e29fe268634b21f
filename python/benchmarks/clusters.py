"""Configurations per second per core through processes, Ray and Dask beside the bare loop: `python clusters.py [SAMPLES]`.

Each job runs on all cores: as many processes of the bare loop, side by side, then through each scheduler, which is started
before the clock. All answers are compared byte by byte.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import kinworld as kw
from kinworld import jobs

DATA = Path(__file__).parents[2] / "data"
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def bare(job: jobs.Job, core: int) -> float:
    """Seconds of a share of the job in this process, without any file."""
    os.environ["RAYON_NUM_THREADS"] = "1"
    began = time.perf_counter()
    jobs.run_shard(job, core, CORES)
    return time.perf_counter() - began


def main() -> None:
    samples = int(float(sys.argv[1])) if len(sys.argv) > 1 else 2_000_000
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kw.LoadWarning)
        panda = kw.Robot.load(DATA / "robots/panda.urdf")
        cell = kw.load(DATA / "robots/arm6.urdf", DATA / "terrains/table.env")
    table: list[jobs.Job] = [
        jobs.ReachMap(panda, link="tool", cell=0.05, samples=samples),
        jobs.LabelledConfigs(cell, samples=samples // 4),
        jobs.DynamicsData(panda, samples=samples // 4),
    ]
    runners: dict[str, Callable[[jobs.Job, Path], Path]] = {
        "processes": lambda job, path: jobs.run(job, path, shards=4 * CORES, processes=CORES)
    }
    try:
        import ray

        ray.init(num_cpus=CORES, include_dashboard=False, log_to_driver=False)
        runners["Ray"] = lambda job, path: jobs.run_ray(job, path, shards=4 * CORES)
    except ImportError:
        print("left out: Ray")
    try:
        import distributed

        client = distributed.Client(distributed.LocalCluster(n_workers=CORES, threads_per_worker=1, dashboard_address=None))
        runners["Dask"] = lambda job, path: jobs.run_dask(job, path, shards=4 * CORES, client=client)
    except ImportError:
        print("left out: Dask")
    # workers import the package once
    warm = jobs.ReachMap(panda, link="tool", cell=0.05, samples=4 * 4096)
    with tempfile.TemporaryDirectory() as folder:
        for name, run in runners.items():
            run(warm, Path(folder) / f"warm_{name}.parquet")
        print(f"{CORES} cores; configurations per second per core, best of three rounds")
        for job in table:
            n = job.samples
            rates: dict[str, float] = {}
            answers: dict[str, bytes] = {}
            for k in range(3):
                with ProcessPoolExecutor(CORES, get_context("spawn")) as pool:
                    list(pool.map(bare, [warm] * CORES, range(CORES)))
                    slowest = max(pool.map(bare, [job] * CORES, range(CORES)))
                rates["bare loop"] = max(rates.get("bare loop", 0.0), n / slowest / CORES)
                for name, run in runners.items():
                    path = Path(folder) / f"{type(job).__name__}_{name}_{k}.parquet"
                    began = time.perf_counter()
                    run(job, path)
                    rates[name] = max(rates.get(name, 0.0), n / (time.perf_counter() - began) / CORES)
                    answers[name] = path.read_bytes()
            same = len(set(answers.values())) == 1
            base = rates["bare loop"]
            figures = ", ".join(f"{name} {rate:,.0f} ({rate / base:.0%})" for name, rate in rates.items())
            print(f"{type(job).__name__:>16} of {n:,}: {figures}; same bytes: {same}", flush=True)


if __name__ == "__main__":
    main()
