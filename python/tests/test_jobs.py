"""Jobs: the same bits from one shard, many shards and processes; resumed, merged, refused."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinworld as kw
from jobs_that_die import Mortal
from kinworld import jobs

DATA = Path(__file__).parents[2] / "data"
SAMPLES = 3 * jobs.BLOCK + 1000


def arm() -> kw.Robot:
    return kw.Robot.load(DATA / "robots/arm6.urdf")


def cell() -> kw.World:
    return kw.load(DATA / "robots/arm6.urdf", DATA / "terrains/table.env")


JOBS: dict[str, Callable[[], jobs.Job]] = {
    "reach": lambda: jobs.ReachMap(arm(), link="flange", samples=SAMPLES, seed=3),
    "reach in a world": lambda: jobs.ReachMap(cell(), link="flange", cell=0.1, samples=SAMPLES),
    "labels": lambda: jobs.LabelledConfigs(cell(), samples=SAMPLES),
    "dynamics": lambda: jobs.DynamicsData(arm(), samples=SAMPLES, mass_matrix=True, seed=2**64 - 1),
    "ik": lambda: jobs.IkData(arm(), link="flange", samples=jobs.BLOCK + 500),
    "roadmap": lambda: jobs.RoadMap(cell(), samples=jobs.BLOCK + 300, neighbors=4),
}
every_job = pytest.mark.parametrize("make", JOBS.values(), ids=JOBS.keys())


def assert_same(found: jobs.Columns, expected: jobs.Columns) -> None:
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        assert found[name].dtype == values.dtype, name
        assert found[name].shape == values.shape, name
        assert found[name].tobytes() == values.tobytes(), name


@every_job
def test_shards_give_the_bits_of_the_whole(make: Callable[[], jobs.Job]) -> None:
    job = make()
    whole = jobs.run_shard(job)
    shards = [jobs.run_shard(pickle.loads(pickle.dumps(job)), i, 7) for i in range(7)]
    if job.folds:
        assert_same(job.fold(shards), whole)
        return
    together = {name: np.concatenate([shard[name] for shard in shards]) for name in whole}
    order = np.argsort(together["sample"], kind="stable")
    assert_same({name: values[order] for name, values in together.items()}, whole)


@every_job
def test_merged_shards_are_the_file_of_one(make: Callable[[], jobs.Job], tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="Parquet files")
    job = make()
    parts = [jobs.write_shard(job, i, 3, tmp_path / f"{i}.parquet", every=1) for i in range(3)]
    merged = jobs.merge(parts[::-1], tmp_path / "merged.parquet")
    one = jobs.write_shard(job, 0, 1, tmp_path / "one.parquet")
    assert merged.read_bytes() == one.read_bytes()
    description, columns = jobs.read(merged)
    assert_same(columns, jobs.run_shard(job))
    assert description["seed"] == job.seed and description["kind"] == job.kind
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.parquet", "1.parquet", "2.parquet", "merged.parquet", "one.parquet"]


@every_job
def test_processes_give_the_bits_of_the_whole(make: Callable[[], jobs.Job], tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="Parquet files")
    job = make()
    calls: list[tuple[int, int]] = []
    output = jobs.run(job, tmp_path / "out.parquet", shards=2, processes=2, progress=lambda done, of: calls.append((done, of)))
    assert output.read_bytes() == jobs.write_shard(job, 0, 1, tmp_path / "one.parquet").read_bytes()
    assert calls == [(1, 2), (2, 2)]
    assert not (tmp_path / "out.parquet.parts").exists()


class Stop(Exception):
    pass


def test_an_interrupted_shard_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow", reason="Parquet files")
    job = jobs.DynamicsData(arm(), samples=SAMPLES)

    def stop(done: int, of: int) -> None:
        if done == 2:
            raise Stop

    with pytest.raises(Stop):
        jobs.write_shard(job, 0, 1, tmp_path / "part.parquet", every=1, progress=stop)
    assert not (tmp_path / "part.parquet").exists()
    computed: list[int] = []
    block = jobs.DynamicsData.block

    def counted(self: jobs.DynamicsData, index: int) -> jobs.Columns:
        computed.append(index)
        return block(self, index)

    monkeypatch.setattr(jobs.DynamicsData, "block", counted)
    jobs.write_shard(job, 0, 1, tmp_path / "part.parquet", every=1)
    assert computed == [2, 3]
    before = (tmp_path / "part.parquet").stat().st_mtime_ns
    jobs.write_shard(job, 0, 1, tmp_path / "part.parquet")
    assert computed == [2, 3] and (tmp_path / "part.parquet").stat().st_mtime_ns == before
    monkeypatch.undo()
    assert_same(jobs.read(tmp_path / "part.parquet")[1], jobs.run_shard(job))


@pytest.mark.skipif(os.name == "nt", reason="kills a process by a signal of POSIX")
def test_a_process_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="Parquet files")
    marker = tmp_path / "died"
    job = Mortal(arm(), samples=SAMPLES, fatal=2, marker=str(marker))
    output = jobs.run(job, tmp_path / "out.parquet", shards=2, processes=2)
    assert marker.exists()
    assert_same(jobs.read(output)[1], jobs.run_shard(jobs.DynamicsData(arm(), samples=SAMPLES)))


def test_a_process_that_always_dies_is_given_up(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="Parquet files")
    job = Mortal(arm(), samples=10, fatal=0, marker="/nowhere\0" if os.name == "nt" else str(tmp_path / "no folder" / "x"))
    with pytest.raises((RuntimeError, OSError)):
        jobs.run(job, tmp_path / "out.parquet", processes=1, retries=0)


def test_the_map_counts_each_sample_in_its_cell() -> None:
    job = jobs.ReachMap(arm(), link="flange", samples=500, cell=0.2, point=(0, 0, 0.1), axis=(1, 0, 0))
    expected: dict[tuple[int, ...], list[int]] = {}
    state = job.body.state()
    for q in job.configs(0)[:500]:
        state.set_config(q)
        at = tuple(np.floor((state.world_position("flange", (0, 0, 0.1)) - job.origin) / 0.2).astype(int))
        d = state.world_direction("flange", (1, 0, 0))
        k = int(np.abs(d).argmax())
        u, v = d[(k + 1) % 3] / abs(d[k]), d[(k + 2) % 3] / abs(d[k])
        place = 9 * (2 * k + int(d[k] < 0)) + 3 * min(2, int(1.5 * (u + 1))) + min(2, int(1.5 * (v + 1)))
        entry = expected.setdefault(at, [0, 0])
        entry[0] += 1
        entry[1] |= 1 << place
    found = jobs.run_shard(job)
    cells = {tuple(c): [int(n), int(d)] for c, n, d in zip(found["cell"].tolist(), found["count"], found["directions"])}
    assert cells == expected
    assert found["cell"].min() >= 0, "the grid holds every position"


def test_positions_that_are_not_in_the_grid_are_counted() -> None:
    found = jobs.run_shard(jobs.ReachMap(arm(), link="flange", samples=1000, half=0.4))
    assert found["count"].sum() == 1000
    assert found["cell"][0].tolist() == [-1, -1, -1] and 0 < found["count"][0] < 1000


def test_a_world_counts_and_labels_what_its_space_says() -> None:
    world = cell()
    labels = jobs.run_shard(jobs.LabelledConfigs(world, samples=300))
    space = world.space()
    assert labels["free"].tolist() == [space.is_free(q) for q in labels["q"]]
    assert 0 < labels["free"].sum() < 300
    assert jobs.run_shard(jobs.ReachMap(world, link="flange", samples=300))["count"].sum() == labels["free"].sum()


def test_forward_dynamics_gives_the_accelerations_back() -> None:
    found = jobs.run_shard(jobs.DynamicsData(arm(), samples=200))
    state = arm().state()
    for q, dq, ddq, tau in zip(*(found[name] for name in ("q", "dq", "ddq", "tau"))):
        state.set_config(q)
        state.set_velocity(dq)
        np.testing.assert_allclose(state.forward_dynamics(tau), ddq, rtol=1e-7, atol=1e-7)
    assert np.abs(found["ddq"]).max() > 1


def test_solutions_reach_their_poses() -> None:
    found = jobs.run_shard(jobs.IkData(arm(), link="flange", samples=200))
    assert found["solved"].mean() > 0.95
    state = arm().state()
    for i in np.flatnonzero(found["solved"]):
        state.set_config(found["q"][i])
        pose = state.pose("flange")
        np.testing.assert_allclose(pose[:3, 3], found["position"][i], atol=1e-8)
        np.testing.assert_allclose(pose[:3, :3], kw.so3.from_xyzw(found["rotation_xyzw"][i]), atol=1e-8)


def test_a_road_map_has_the_nearest_free_edges() -> None:
    job = jobs.RoadMap(cell(), samples=150, neighbors=3)
    found = jobs.run_shard(job)
    space, q = job.space, found["q"]
    row = {int(number): i for i, number in enumerate(found["sample"])}
    assert all(space.is_free(x) for x in q) and 0 < len(q) < 150
    edges = 0
    for i in range(len(q)):
        nearest = np.argsort(np.linalg.norm(q[:i] - q[i], axis=1))[:3]
        expected = {int(found["sample"][j]): space.distance(q[i], q[j]) for j in nearest if space.is_edge_free(q[i], q[j])}
        real = found["neighbors"][i] >= 0
        assert dict(zip(found["neighbors"][i][real].tolist(), found["costs"][i][real].tolist())) == expected
        assert np.isnan(found["costs"][i][~real]).all()
        assert all(row[number] < i for number in expected)
        edges += len(expected)
    assert edges > len(q)


def test_another_seed_gives_other_samples() -> None:
    a, b = (jobs.run_shard(jobs.DynamicsData(arm(), samples=2 * jobs.BLOCK, seed=seed)) for seed in (0, 1))
    everything = np.concatenate([a["q"], b["q"], a["dq"], a["ddq"]])
    assert len(np.unique(everything[:, 0])) == len(everything)


def test_parts_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="Parquet files")
    job = jobs.DynamicsData(arm(), samples=2 * jobs.BLOCK)
    a, b = (jobs.write_shard(job, i, 2, tmp_path / f"{i}.parquet") for i in range(2))
    with pytest.raises(ValueError, match="shards are missing: 1/2"):
        jobs.merge([a], tmp_path / "out.parquet")
    with pytest.raises(ValueError, match="both shard 0/2"):
        jobs.merge([a, a, b], tmp_path / "out.parquet")
    other = jobs.write_shard(jobs.DynamicsData(arm(), samples=2 * jobs.BLOCK, seed=5), 1, 2, tmp_path / "other.parquet")
    with pytest.raises(ValueError, match="of another job: seed is 5 there, 0 here"):
        jobs.merge([a, other], tmp_path / "out.parquet")
    with pytest.raises(ValueError, match="shard 0/2 of this job, not 1/2"):
        jobs.write_shard(job, 1, 2, a)
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(ValueError, match="is in the way"):
        jobs.write_shard(job, 0, 2, tmp_path / "note.txt")
    assert (tmp_path / "note.txt").read_text() == "mine"
    assert not (tmp_path / "out.parquet").exists()


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(kw.NotFoundError, match="flang"):
        jobs.ReachMap(arm(), link="flang", samples=10)
    with pytest.raises(ValueError, match="samples"):
        jobs.DynamicsData(arm(), samples=0)
    with pytest.raises(ValueError, match="seed"):
        jobs.DynamicsData(arm(), samples=1, seed=-1)
    with pytest.raises(ValueError, match="cell"):
        jobs.ReachMap(arm(), link="flange", samples=10, cell=0)
    with pytest.raises(ValueError, match="counted from 0"):
        jobs.run_shard(jobs.DynamicsData(arm(), samples=1), 3, 3)
    with pytest.raises(TypeError, match="Robot or a World"):
        wrong: Any = "arm6.urdf"
        jobs.DynamicsData(wrong, samples=1)
    drone = kw.Robot.load(DATA / "robots/drone.urdf")
    with pytest.raises(ValueError, match="no limit to its reach"):
        jobs.ReachMap(drone, link=drone.n_links - 1, samples=1)


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    source = str(Path(kw.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": source}
    return subprocess.run([sys.executable, "-m", "kinworld.jobs", *map(str, arguments)], capture_output=True, text=True, env=environment)


def test_the_command_line_runs_shards_merges_and_tells(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="Parquet files")
    robot = DATA / "robots/arm6.urdf"
    job: list[str | Path] = ["reach", robot, "--link", "flange", "--samples", "1e4", "--axis", "1,0,0"]
    for i in range(2):
        done = command(*job, "--shard", f"{i}/2", "--output", tmp_path / f"{i}.parquet")
        assert done.returncode == 0, done.stderr
    assert command("merge", tmp_path / "0.parquet", tmp_path / "1.parquet", "--output", tmp_path / "merged.parquet").returncode == 0
    expected = jobs.run_shard(jobs.ReachMap(arm(), link="flange", samples=10_000, axis=(1.0, 0.0, 0.0)))
    assert_same(jobs.read(tmp_path / "merged.parquet")[1], expected)
    told = json.loads(command("info", tmp_path / "merged.parquet").stdout)
    assert told["job"]["samples"] == 10_000 and told["shard"] == "0/1"
    whole = command(*job, "--output", tmp_path / "whole.parquet", "--processes", "1", "--quiet")
    assert whole.returncode == 0 and whole.stderr == ""
    assert (tmp_path / "whole.parquet").read_bytes() == (tmp_path / "merged.parquet").read_bytes()
    labels = command("labels", robot, DATA / "terrains/table.env", "--samples", "100", "--shard", "0/1", "--output", tmp_path / "l.parquet")
    assert labels.returncode == 0, labels.stderr


def test_the_command_line_says_what_is_wrong(tmp_path: Path) -> None:
    wrong = command("reach", DATA / "robots/arm6.urdf", "--link", "flang", "--samples", "10", "--output", tmp_path / "x")
    assert wrong.returncode == 1 and "did you mean `flange`" in wrong.stderr and "Traceback" not in wrong.stderr
    assert "counted from 0" in command("dynamics", "x.urdf", "--samples", "10", "--shard", "2/2", "--output", "x").stderr
    assert "such as 1000000 or 1e6" in command("dynamics", "x.urdf", "--samples", "1.5", "--output", "x").stderr
    assert "SLURM" in command("--help").stdout
