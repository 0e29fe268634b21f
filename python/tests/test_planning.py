"""Spaces, plans and trajectories."""

from __future__ import annotations

import _thread
import itertools
import signal
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

import kinworld as kw


@pytest.fixture
def space(cell: kw.World) -> kw.Space:
    return cell.space("arm")


def free_rows(space: kw.Space, cell: kw.World, count: int = 2) -> np.ndarray:
    rows = cell.robots["arm"].robot.sample(11, 2000)
    return rows[space.are_free(rows)][:count]


def test_free_is_what_the_collider_says(space: kw.Space, cell: kw.World) -> None:
    rows = cell.robots["arm"].robot.sample(3, 300)
    free = space.are_free(rows)
    np.testing.assert_array_equal(free, cell.collider().are_free(rows))
    for q, is_free in zip(rows[:50], free, strict=False):
        assert space.is_free(q) is bool(is_free)
        assert (space.why_not(q) is None) is bool(is_free)


def test_a_plan_is_free_and_repeats(space: kw.Space, cell: kw.World) -> None:
    start, goal = free_rows(space, cell)
    plan = space.plan(start, goal, seed=3)
    assert plan and plan.found and plan.termination == "found" and plan.path is not None
    np.testing.assert_array_equal(plan.path[0], start)
    np.testing.assert_array_equal(plan.path[-1], goal)
    assert space.are_edges_free(plan.path[:-1], plan.path[1:]).all()
    fine = space.with_resolution(space.resolution / 8)
    collider = cell.collider()
    for a, b in zip(plan.path, plan.path[1:], strict=False):
        assert fine.is_edge_free(a, b)
        assert not any(collider.collides(a + u * (b - a)) for u in np.linspace(0, 1, 100))
    again = space.plan(start, goal, seed=3)
    np.testing.assert_array_equal(again.path, plan.path)


def test_one_of_several_goals_is_named(space: kw.Space, cell: kw.World) -> None:
    start, *goals = free_rows(space, cell, 4)
    plan = space.plan(start, np.array(goals), seed=1)
    assert plan.goal in (0, 1, 2) and plan.path is not None
    np.testing.assert_array_equal(plan.path[-1], goals[plan.goal])


def test_goals_may_be_objectives(space: kw.Space, cell: kw.World) -> None:
    start, goal, other = free_rows(space, cell, 3)
    robot = cell.robots["arm"].robot
    pose = robot.pose(goal, "flange")
    objective = kw.ik.objective("flange", pose=pose)
    plan = space.plan(start, objective, seed=1)
    assert plan.path is not None and plan.goal is None and plan.unreached == []
    np.testing.assert_allclose(robot.pose(plan.path[-1], "flange"), pose, atol=1e-7)
    assert space.are_edges_free(plan.path[:-1], plan.path[1:]).all()

    far = kw.ik.objective("flange", position=(9, 0, 0))
    plan = space.plan(start, [far, other, [objective]], seed=1)
    assert plan.goal in (1, 2) and plan.path is not None
    [(index, nearest)] = plan.unreached
    assert index == 0 and not nearest.solved and nearest.position_error > 1
    plan = space.plan(start, far)
    assert not plan and plan.termination == "no goal" and len(plan.unreached) == 1

    # two at once that contradict one another
    plan = space.plan(start, [[objective, far]])
    assert plan.termination == "no goal"
    assert space.robots == ["arm"]
    with pytest.raises(TypeError, match="expected an objective"):
        space.plan(start, [objective, "flange"])
    with pytest.raises(TypeError, match="one robot"):
        cell.space().plan(np.zeros(cell.space().n_dofs), objective)


def test_a_start_that_is_not_free_says_why(space: kw.Space, cell: kw.World) -> None:
    rows = cell.robots["arm"].robot.sample(3, 300)
    blocked = rows[~space.are_free(rows)][0]
    with pytest.raises(kw.Error, match="start"):
        space.plan(blocked, free_rows(space, cell)[0])
    with pytest.raises(kw.Error, match="6 values"):
        space.is_free([0, 0])


def test_edges(space: kw.Space, cell: kw.World) -> None:
    free = free_rows(space, cell, 40)
    outcomes = set()
    for a, b in zip(free, free[1:], strict=False):
        collision = space.edge_collision(a, b)
        assert space.is_edge_free(a, b) is (collision is None)
        shares = [0.6, 0.3]
        share = space.free_share(a, b, shares)
        if collision is None:
            assert share == 1
        else:
            assert share == pytest.approx(next((part for part in shares if part < collision[0]), 0), abs=0.05)
        assert space.free_share(a, b, shares, steps=400) == pytest.approx(share, abs=0.05)
        proof = space.prove_edge(a, b)
        outcomes.add(proof.outcome)
        if proof:
            assert collision is None
        if collision is not None:
            assert not space.is_free(space.interpolate(a, b, collision[0]))
    assert {"free", "near"} <= outcomes


def test_only_active_joints_move(cell: kw.World) -> None:
    space = cell.space("arm", active=[0, 1, 2])
    q = space.current
    # the last three joints have to stay
    moved = q.copy()
    moved[5] += 0.5
    assert not space.is_free(moved)


def test_progress_and_exceptions_in_it(space: kw.Space, cell: kw.World) -> None:
    start, goal = free_rows(space, cell)

    def stop(done: int) -> None:
        raise KeyError(f"stopped at {done}")

    calls: list[int] = []
    space.plan(start, goal, seed=1, progress=calls.append)
    assert calls == sorted(calls)
    with pytest.raises(KeyError, match="stopped at"):
        hard(progress=stop)


def hard(progress: object = None, time: float = 20.0) -> kw.Plan:
    """A search that finds nothing: the goal is walled in."""
    builder = """<robot name="slider"><link name="base"/>
      <link name="body"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
      <joint name="x" type="prismatic"><parent link="base"/><child link="body"/><axis xyz="1 0 0"/>
      <limit lower="-2" upper="2" effort="1" velocity="1"/></joint></robot>"""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kw.LoadWarning)
        world = kw.World()
        world.add(kw.Robot.from_urdf(builder))
    world.add(kw.Terrain("wall", kw.Geometry.box((0.1, 5, 5))))
    space = world.space(allow_missing_geometry=True)
    return space.plan([-1.0], [1.0], iterations=10**9, time=time, progress=progress)  # type: ignore[arg-type]


def test_a_search_ends_by_time() -> None:
    plan = hard(time=0.2)
    assert not plan and plan.path is None and plan.termination == "time"


def test_ctrl_c_ends_a_search() -> None:
    # a shell starts what runs in the background with the signal ignored
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer = threading.Timer(0.3, _thread.interrupt_main)
        timer.start()
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            hard()
        assert time.monotonic() - began < 10
    finally:
        signal.signal(signal.SIGINT, before)


def test_trajectories() -> None:
    t = kw.Trajectory([0, 1, 3], [[0, 0], [1, 2], [1, 0]])
    assert (len(t), t.duration) == (3, 3.0)
    np.testing.assert_allclose(t.at(2), [1, 1])
    np.testing.assert_allclose(t.velocity_at(2), [0, -1])
    np.testing.assert_allclose(t.time_scaled(2).times, [0, 2, 6])
    a, b = t.split(2)
    assert a.duration == 2 and b.duration == 1
    with pytest.raises(kw.Error):
        kw.Trajectory([1, 0], [[0], [1]])


def test_a_shorter_path_leads_from_the_nearest_start_to_the_nearest_goal(cell: kw.World) -> None:
    space = cell.space("arm")
    samples = [q for q in cell.robots["arm"].robot.sample(5, 60) if space.is_free(q)][:8]
    starts, goals = np.array(samples[:3]), np.array(samples[3:])
    first = space.plan(starts, goals)
    better = space.plan(starts, goals, improve=300)
    for plan in (first, better):
        assert plan.path is not None and plan.start is not None and plan.goal is not None
        np.testing.assert_array_equal(plan.path[0], starts[plan.start])
        np.testing.assert_array_equal(plan.path[-1], goals[plan.goal])

    def length(plan: kw.Plan) -> float:
        assert plan.path is not None
        return float(sum(space.distance(a, b) for a, b in itertools.pairwise(plan.path)))

    assert length(better) <= length(first)
    assert better.iterations > first.iterations
    assert space.plan(starts[0], goals[0]).start is None


def test_a_road_map_is_kept_saved_and_repaired(space: kw.Space, cell: kw.World, tmp_path: Path) -> None:
    start, goal = free_rows(space, cell)
    road_map = kw.RoadMap(space, seed=4)
    assert road_map.grow(space, 150) == len(road_map) == len(road_map.milestones)
    assert space.are_free(road_map.milestones).all()
    first = road_map.plan(space, start, goal, shortcuts=0)
    again = road_map.plan(space, start, goal, shortcuts=0)
    assert first.found and first.path is not None and again.path is not None
    np.testing.assert_array_equal(first.path, again.path)
    assert again.iterations == 0
    fine = space.with_resolution(space.resolution / 4)
    assert fine.are_edges_free(first.path[:-1], first.path[1:]).all()
    assert "unknown" in road_map.states
    assert road_map.check_edges(fine) > 0
    edges, states = road_map.edges, road_map.states
    assert edges.shape == (len(states), 2) == (len(road_map.lengths), 2)
    assert "free" in states and "unknown" not in states
    for (a, b), length in zip(edges[:20], road_map.lengths, strict=False):
        assert space.distance(road_map.milestones[a], road_map.milestones[b]) == pytest.approx(length, abs=1e-12)

    moved = fine.with_pose("ball", kw.se3.from_translation((0.4, 0.2, 0.6)))
    kept, forgotten = road_map.repair(moved)
    assert kept + forgotten == len(states) and kept > 0
    assert road_map.check_edges(moved) == len(states) - kept
    free = moved.are_edges_free(road_map.milestones[edges[:, 0]], road_map.milestones[edges[:, 1]])
    assert [state == "free" for state in road_map.states] == free.tolist()

    path = tmp_path / "map.json"
    road_map.save(path)
    back = kw.RoadMap.load(space, path)
    assert repr(back) == repr(road_map)
    assert back.states == road_map.states
    back.trust_states()
    assert back.repair(moved) == (len(states), 0)
    back.forget()
    assert set(back.states) == {"unknown"}
    several = back.plan(moved, [start, goal], [goal])
    assert several.found and several.start == 1 and several.goal == 0
    with pytest.raises(kw.LoadError, match="a road map: is of 6 degrees of freedom"):
        kw.RoadMap.load(cell.space("reacher"), path)
    seen: list[int] = []
    road_map.grow(moved, 500, progress=seen.append)
    assert seen == sorted(seen)
