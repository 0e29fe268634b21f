"""Worlds, colliders and what they refuse."""

from __future__ import annotations

import contextlib
import pickle
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import kinworld as kw


def names(pairs: list[tuple[kw.Entity, kw.Entity]]) -> list[tuple[str, str]]:
    return sorted((str(a), str(b)) for a, b in pairs)


def test_lookup_by_name_and_index(cell: kw.World) -> None:
    names = cell.robots.names()
    assert len(cell.robots) == len(names) > 0
    assert [robot.name for robot in cell.robots] == names
    assert names[0] in cell.robots and "nobody" not in cell.robots
    assert cell.robots[0].name == cell.robot().name == names[0]
    with pytest.raises(kw.NotFoundError, match="no robot named `nobody`"):
        cell.robots["nobody"]
    with pytest.raises(IndexError):
        cell.rigid_objects[99]


def test_views_move_what_is_in_the_world(cell: kw.World) -> None:
    arm, twin = cell.robots["arm"], cell.robots["arm"]
    q = arm.robot.sample(1)
    arm.set_config(q)
    np.testing.assert_array_equal(twin.config, q)
    copy = cell.copy()
    copy.robots["arm"].set_config(np.zeros(len(q)))
    np.testing.assert_array_equal(arm.config, q)
    ball = cell.rigid_objects["ball"]
    pose = kw.se3.from_rpy((0.1, 0.2, 0.3), (0.4, 0.5, 0.6))
    ball.pose = pose
    np.testing.assert_allclose(cell.rigid_objects["ball"].pose, pose, atol=1e-15)


def test_handles_stay_valid_when_others_are_removed(cell: kw.World) -> None:
    ball, arm = cell.rigid_objects["ball"], cell.robots["arm"]
    for terrain in cell.terrains.names():
        cell.remove(terrain)
    assert ball.name == "ball" and arm.name == "arm"
    cell.remove(ball)
    with pytest.raises(kw.NotFoundError):
        _ = ball.pose


def test_attached_objects_move_with_the_link(cell: kw.World) -> None:
    arm, ball = cell.robots["arm"], cell.rigid_objects["ball"]
    cell.attach("ball", ("arm", "flange"))
    relative = np.linalg.inv(arm.pose("flange")) @ ball.pose
    arm.set_config(arm.robot.sample(7))
    np.testing.assert_allclose(np.linalg.inv(arm.pose("flange")) @ ball.pose, relative, atol=1e-12)
    cell.detach("ball")
    before = ball.pose
    arm.set_config(np.zeros(6))
    np.testing.assert_array_equal(ball.pose, before)


def test_a_pickled_world_is_the_same_without_its_files(cell: kw.World) -> None:
    cell.attach("ball", ("arm", "flange"), touch=["arm"])
    cell.robots["arm"].set_config(cell.robots["arm"].robot.sample(3))
    twin = pickle.loads(pickle.dumps(cell))
    assert repr(twin) == repr(cell)
    rows = cell.robots["arm"].robot.sample(4, 50)
    ours, theirs = cell.collider(), twin.collider()
    np.testing.assert_array_equal(ours.are_free(rows), theirs.are_free(rows))
    assert ours.is_enabled("ball", "arm[flange]") is theirs.is_enabled("ball", "arm[flange]") is False
    for q in rows[:10]:
        assert names(ours.pairs(q)) == names(theirs.pairs(q))
        assert ours.clearance(q).distance == theirs.clearance(q).distance  # type: ignore[union-attr]


def test_queries_agree_with_each_other(cell: kw.World) -> None:
    collider, arm = cell.collider(), cell.robots["arm"]
    rows = arm.robot.sample(1, 200)
    free = collider.are_free(rows)
    assert 0 < free.sum() < len(free)
    for q, is_free in zip(rows, free, strict=True):
        assert collider.collides(q) is not bool(is_free)
        assert (collider.first_collision(q) is None) is bool(is_free)
        nearest = collider.clearance(q)
        assert nearest is not None and (nearest.distance > 0) is bool(is_free)
        if is_free:
            assert np.linalg.norm(nearest.on_a - nearest.on_b) == pytest.approx(nearest.distance, abs=1e-9)


def test_the_nearest_pairs_come_first(cell: kw.World) -> None:
    collider, arm = cell.collider(), cell.robots["arm"]
    for q in arm.robot.sample(5, 20):
        pairs = collider.nearest_pairs(1000, q)
        distances = [pair.distance for pair in pairs]
        assert distances == sorted(distances)
        assert sum(distance == 0 for distance in distances) == len(collider.pairs(q))
        for pair in pairs[:8]:
            assert collider.is_enabled(pair.a, pair.b)
            assert collider.distance(pair.a, pair.b, q).distance == pair.distance
        assert [pair.distance for pair in collider.nearest_pairs(3, q)] == distances[:3]
    assert collider.nearest_pairs(0) == []
    with pytest.raises(OverflowError):
        collider.nearest_pairs(-1)


def test_objects_elsewhere_for_one_query(cell: kw.World) -> None:
    collider = cell.collider()
    at_flange = cell.robots["arm"].pose("flange")
    assert collider.collides(robot="arm", poses={"ball": at_flange})
    moved = cell.copy()
    moved.rigid_objects["ball"].pose = at_flange
    assert collider.pairs(poses={"ball": at_flange}) == moved.collider().pairs()


def test_threads_share_a_collider(cell: kw.World) -> None:
    collider = cell.collider()
    rows = cell.robots["arm"].robot.sample(2, 400)
    expected = collider.are_free(rows)
    found: list[np.ndarray] = [np.empty(0)] * 4

    def work(k: int) -> None:
        found[k] = np.array([not collider.collides(q) for q in rows])

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for answers in found:
        np.testing.assert_array_equal(answers, expected)


def test_threads_share_a_world(cell: kw.World) -> None:
    """Writers and readers at once: an answer of some moment, or the error of a second borrow; never a torn state.

    With a global lock this is easy; the same test is for interpreters without one.
    """
    arm = cell.robots["arm"]
    rows, before = arm.robot.sample(5, 50), arm.config
    problems: list[BaseException] = []
    seen: list[int] = []
    start = threading.Barrier(4)

    def write(k: int) -> None:
        for q in rows[k::2]:
            with contextlib.suppress(RuntimeError):
                arm.set_config(q)

    def read(_: int) -> None:
        for _ in range(200):
            state = arm.copy()
            # configuration and poses are of one moment
            np.testing.assert_allclose(state.pose("flange"), state.robot.pose(state.config, "flange"), atol=1e-12)
            seen.append(len(cell.collider().pairs()))

    def run(work: Callable[[int], None], k: int) -> None:
        start.wait()
        for _ in range(5):
            try:
                work(k)
            except RuntimeError:
                continue
            except BaseException as problem:
                problems.append(problem)
                return

    threads = [threading.Thread(target=run, args=(work, k)) for work in (write, read) for k in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert seen
    assert any(np.array_equal(arm.config, q) for q in (before, *rows))


def test_missing_geometry_is_not_free_space(data: Path) -> None:
    options = kw.LoadOptions(geometry=False)
    world = kw.load(data / "robots/arm6.urdf", options=options)
    with pytest.raises(kw.MissingGeometryError, match="arm6") as caught:
        world.collider()
    assert caught.value.elements and all(isinstance(reason, str) for _, reason in caught.value.elements)
    assert world.collider(allow_missing_geometry=True).missing_geometry
    with pytest.raises(kw.MissingGeometryError):
        world.robot().self_collisions()


def test_rays_hit_what_is_there(cell: kw.World) -> None:
    collider, ball = cell.collider(), cell.rigid_objects["ball"]
    center = ball.pose[:3, 3]
    hit = collider.ray_cast(center + (0, 0, 5), (0, 0, -1))
    assert hit is not None and 0 < hit.distance < 5
    np.testing.assert_allclose(hit.point, center + (0, 0, 5 - hit.distance), atol=1e-12)
    assert collider.ray_cast((0, 0, 1000), (0, 0, 1)) is None


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    bad = tmp_path / "bad.urdf"
    bad.write_text('<robot name="r">\n  <link name="a"/>\n  <joint name="j" type="odd"/>\n</robot>\n')
    with pytest.raises(kw.LoadError, match=r"bad\.urdf:3") as caught:
        kw.Robot.load(bad)
    last = caught.value.diagnostics[-1]
    assert (last.severity, last.line, last.path) == ("error", 3, str(bad))
    with pytest.raises(kw.LoadError, match="no such file"):
        kw.load(tmp_path / "absent.urdf")


def test_warnings_of_loaders_are_given(tmp_path: Path) -> None:
    path = tmp_path / "w.urdf"
    path.write_text('<robot name="r">\n  <link name="a"><inertial><mass value="1"/></inertial></link>\n</robot>\n')
    with pytest.warns(kw.LoadWarning, match="w.urdf:2"):
        robot = kw.Robot.load(path)
    assert robot.diagnostics and robot.diagnostics[0].severity == "warning"


def test_objects_and_terrains_are_added() -> None:
    world = kw.World()
    box = kw.Geometry.box((1, 1, 1))
    (entity,) = world.add(kw.RigidObject("crate", box, mass=2.0, pose=kw.se3.from_translation((0, 0, 3))))
    assert entity == "crate" and entity.kind == "rigid object"
    world.add(kw.Terrain("ground", kw.Geometry.box((10, 10, 1))))
    assert world.rigid_objects["crate"].mass == 2.0
    assert world.collider().distance("crate", "ground").distance == pytest.approx(2.0, abs=1e-12)
    with pytest.raises(TypeError, match="expected a Robot, RigidObject, Terrain, World or a path"):
        world.add(3)
    with pytest.raises(kw.Error, match="mass"):
        world.add(kw.RigidObject("ghost", box, mass=-1.0))
    assert len(world.rigid_objects) == 1


def test_saved_worlds_load_again(cell: kw.World, tmp_path: Path) -> None:
    cell.save(tmp_path / "copy.xml")
    again = kw.load(tmp_path / "copy.xml")
    assert repr(again) == repr(cell)
    assert names(again.collider().pairs()) == names(cell.collider().pairs())


def test_clouds_are_thinned_and_lose_the_points_of_robots(cell: kw.World) -> None:
    arm = cell.robots["arm"]
    hand = arm.pose("flange")[:3, 3]
    line = np.column_stack([np.linspace(0.0, 1.0, 1001), np.zeros(1001), np.full(1001, 2.0)])
    cloud = kw.Geometry.point_cloud(np.vstack([line, hand]), {"number": np.arange(1002.0)})
    thin = cloud.thinned(0.05)
    assert thin.points is not None
    assert len(thin.points) == 36
    gaps = np.linalg.norm(line[:, None] - thin.points[None], axis=2).min(axis=1)
    assert gaps.max() <= 0.05
    for robots in [[], ["arm"], [0]]:
        rest = cell.without_robots(cloud, robots=robots, margin=0.05)
        np.testing.assert_array_equal(rest.points, line)
        np.testing.assert_array_equal(rest.point_properties["number"], np.arange(1001.0))
    up = np.eye(4)
    up[2, 3] = 5.0
    moved = cell.without_robots(cloud, up, margin=0.05)
    assert moved.points is not None and len(moved.points) == 1002
    with pytest.raises(kw.NotFoundError, match="nobody"):
        cell.without_robots(cloud, robots=["nobody"])
    with pytest.raises(kw.Error, match="margin"):
        cell.without_robots(cloud, margin=-1.0)
    with pytest.raises(TypeError, match="point cloud"):
        kw.Geometry.sphere(0.1).thinned(0.1)
