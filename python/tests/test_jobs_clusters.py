"""Jobs on Ray and Dask: the bits of a single shard, also where a worker is killed in the middle."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kinworld as kw
from jobs_that_die import Mortal
from kinworld import jobs

DATA = Path(__file__).parents[2] / "data"
SAMPLES = 7 * jobs.BLOCK + 10

pytestmark = pytest.mark.filterwarnings("ignore:::ray", "ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::FutureWarning")


@pytest.fixture
def one(tmp_path: Path) -> bytes:
    """The file of the job in one shard."""
    pytest.importorskip("pyarrow", reason="Parquet files")
    return jobs.write_shard(dynamics(), 0, 1, tmp_path / "one.parquet").read_bytes()


def dynamics() -> jobs.Job:
    return jobs.DynamicsData(kw.Robot.load(DATA / "robots/arm6.urdf"), samples=SAMPLES)


def mortal(folder: Path) -> Mortal:
    return Mortal(kw.Robot.load(DATA / "robots/arm6.urdf"), samples=SAMPLES, fatal=5, marker=str(folder / "died"))


def reach() -> jobs.Job:
    world = kw.load(DATA / "robots/arm6.urdf", DATA / "terrains/table.env")
    return jobs.ReachMap(world, link="flange", samples=SAMPLES)


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tests_too = {"env_vars": {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])}}
        module = pytest.importorskip("ray", reason="Ray")
        module.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env=tests_too, object_store_memory=200 * 2**20)
    yield module
    module.shutdown()


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed", reason="Dask")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            yield client


def same_columns(path: Path, job: jobs.Job) -> bool:
    found, expected = jobs.read(path)[1], jobs.run_shard(job)
    return found.keys() == expected.keys() and all(found[name].tobytes() == expected[name].tobytes() for name in expected)


@pytest.mark.parametrize("shared", [False, True])
def test_ray_gives_the_bits_of_one_shard(ray: Any, one: bytes, tmp_path: Path, shared: bool) -> None:
    calls: list[tuple[int, int]] = []
    output = jobs.run_ray(dynamics(), tmp_path / "r.parquet", shards=4, shared_folder=shared, progress=lambda *at: calls.append(at))
    assert output.read_bytes() == one
    assert calls == [(i, 4) for i in range(1, 5)]
    assert same_columns(jobs.run_ray(reach(), tmp_path / "reach.parquet", shards=3, shared_folder=shared), reach())


@pytest.mark.parametrize("shared", [False, True])
def test_a_ray_worker_that_is_killed_loses_nothing(ray: Any, tmp_path: Path, shared: bool) -> None:
    job = mortal(tmp_path)
    output = jobs.run_ray(job, tmp_path / "r.parquet", shards=3, shared_folder=shared)
    assert (tmp_path / "died").exists()
    assert same_columns(output, dynamics())


@pytest.mark.parametrize("shared", [False, True])
def test_dask_gives_the_bits_of_one_shard(client: Any, one: bytes, tmp_path: Path, shared: bool) -> None:
    output = jobs.run_dask(dynamics(), tmp_path / "d.parquet", shards=4, client=client, shared_folder=shared)
    assert output.read_bytes() == one
    assert same_columns(jobs.run_dask(reach(), tmp_path / "reach.parquet", shards=3, client=client), reach())


@pytest.mark.parametrize("shared", [False, True])
def test_a_dask_worker_that_is_killed_loses_nothing(client: Any, tmp_path: Path, shared: bool) -> None:
    job = mortal(tmp_path)
    output = jobs.run_dask(job, tmp_path / "d.parquet", shards=3, client=client, shared_folder=shared)
    assert (tmp_path / "died").exists()
    assert same_columns(output, dynamics())
