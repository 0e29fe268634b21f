"""OMPL's planners with kinworld's checks: the states, the answers, the goals."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import kinworld as kw

pytest.importorskip("ompl", reason="OMPL")
from ompl import base as ob  # noqa: E402
from ompl import geometric as og  # noqa: E402
from ompl import util  # noqa: E402

from kinworld.ompl import LinkProjection, RobotStateSpace, Setup, simple_setup  # noqa: E402

DATA = Path(__file__).parents[2] / "data"
START, GOAL = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [1.5, 0.9, -0.9, 0.0, 0.0, 0.0]
util.noOutputHandler()
util.RNG.setSeed(1)


def world() -> kw.World:
    return kw.load(DATA / "robots/arm6.urdf", DATA / "terrains/table.env")


def assert_free(setup: Setup, path: Any, start: Any, goal: Any) -> None:
    """Each edge of a path is free at ten times as many samples as the planner checked."""
    space = setup.states.space
    np.testing.assert_allclose(path[0], start, atol=1e-12)
    np.testing.assert_allclose(path[-1], goal, atol=1e-12)
    for a, b in zip(path, path[1:]):
        steps = 2 + math.ceil(10 * space.distance(a, b) / space.resolution)
        rows = np.array([space.interpolate(a, b, u) for u in np.linspace(0, 1, steps)])
        collider = world().collider()
        assert np.mean(collider.are_free(rows)) > 0.99
        assert space.is_edge_free(a, b)


# OMPL 2 leaves AIT* out of its package
PLANNERS = [getattr(og, name) for name in ("RRTConnect", "PRMstar", "BITstar", "AITstar", "KPIECE1", "FMT") if hasattr(og, name)]


@pytest.mark.parametrize("planner", PLANNERS, ids=lambda p: str(p.__name__))
def test_planners_find_free_paths(planner: Any) -> None:
    setup = simple_setup(world(), link="flange")
    setup.setPlanner(planner(setup.getSpaceInformation()))
    setup.set_start(START)
    setup.set_goal(GOAL)
    # FMT* answers once all its samples are connected, however long that takes; the others use all of the time, or end at once
    path = setup.plan(60.0 if planner is og.FMT else 1.0)
    assert path is not None
    assert_free(setup, path, START, GOAL)
    assert setup.motion_validator.checked > 0


def test_paths_become_motions_within_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = simple_setup(world())
    setup.set_start(START)
    setup.set_goal(GOAL)
    space, robot = setup.states.space, setup.states.robot
    limits = kw.MotionLimits.of(robot).with_acceleration([5] * 6).with_torque([150] * 6)
    for smooth, torque, expected in ((None, False, None), (0.01, False, True), (0.01, True, True)):
        found = setup.plan_motion(limits, 1.0, smooth=smooth, torque=torque)
        assert found is not None and found.is_smooth is expected
        assert_free(setup, found.path, START, GOAL)
        assert space.motion_collision(found.motion) is None
        assert found.motion.check(limits, robot=robot if torque else None) is None
        np.testing.assert_allclose(found.motion.at(found.motion.duration), GOAL, atol=1e-9)
    with pytest.raises(kw.Error, match="acceleration"):
        setup.plan_motion(kw.MotionLimits.of(robot), 1.0)
    setup.clear()
    assert setup.plan_motion(limits, 0.0) is None

    # a motion of so little jerk leaves every curve; the path is one that is free between samples
    cell = kw.load(DATA / "worlds/cell.xml")
    path = cell.space(0).plan([0.9, 0.9, 0.6, 0, 0, 0], [-1, 0.9, 0.6, 0, 0, 0], seed=1).path
    setup = simple_setup(cell)
    monkeypatch.setattr(Setup, "plan", lambda setup, time, *, simplify: path)
    for jerk, expected in ((100.0, True), (0.5, False)):
        found = setup.plan_motion(limits.with_jerk([jerk] * 6), smooth=0.02)
        assert found is not None and found.is_smooth is expected
        assert setup.states.space.motion_collision(found.motion) is None


def test_a_blocked_motion_is_valid_up_to_its_start() -> None:
    setup = simple_setup(world())
    space, states = setup.states.space, setup.states
    blocked = 0
    for seed in range(40):
        goal = states.robot.sample(seed)
        last = SimpleNamespace(first=states.state(goal), second=1.0)
        is_free = space.is_edge_free(START, goal)
        assert setup.motion_validator.checkMotion(states.state(START), states.state(goal), last) == is_free
        np.testing.assert_allclose(states.read(last.first), goal if is_free else START, atol=1e-12)
        assert last.second == float(is_free)
        blocked += not is_free
    assert 0 < blocked < 40


@pytest.mark.parametrize("robot", ["arm6.urdf", "scara.urdf"])
def test_a_state_is_read_as_it_was_written(robot: str) -> None:
    model = kw.Robot.load(DATA / "robots" / robot)
    scene = kw.World()
    scene.add(model)
    states = RobotStateSpace(scene.space(allow_missing_geometry=True), model)
    assert states.ompl.getDimension() == model.n_dofs == len(states.dofs) or robot == "scara.urdf"
    moving = np.zeros(model.n_dofs, dtype=bool)
    moving[states.dofs] = True
    for q in model.sample(0, 20):
        state = states.state(q)
        found = np.array(states.read(state))
        difference = np.asarray(states.robot.difference(found, q))
        np.testing.assert_allclose(difference[moving], 0, atol=1e-12)
        assert states.ompl.satisfiesBounds(state)


def test_a_spin_joint_is_a_circle() -> None:
    scara = kw.Robot.load(DATA / "robots/scara.urdf")
    scene = kw.World()
    scene.add(scara)
    states = RobotStateSpace(scene.space(allow_missing_geometry=True), scara)
    spin = next(joint.dofs[0] for joint in scara.joints if joint.kind == "spin")
    assert states.circles[states.dofs.index(spin)] and sum(states.circles) == 1
    a, b = scara.neutral(), scara.neutral()
    a[spin], b[spin] = 3.0, -3.0
    expected = 2 * math.pi - 6
    assert states.ompl.distance(states.state(a), states.state(b)) == pytest.approx(expected)
    assert states.space.distance(a, b) == pytest.approx(expected)
    middle = states.ompl.allocState()
    states.ompl.interpolate(states.state(a), states.state(b), 0.5, middle)
    assert abs(states.read(middle)[spin]) == pytest.approx(math.pi)
    b[spin] = 3.0 + 2 * math.pi
    assert states.ompl.distance(states.state(a), states.state(b)) == pytest.approx(0, abs=1e-12)


def test_ompl_and_the_space_agree_on_states_and_motions() -> None:
    setup = simple_setup(world())
    information, states = setup.getSpaceInformation(), setup.states
    q = states.robot.sample(4, 200)
    free = [information.isValid(states.state(row)) for row in q]
    assert free == states.space.are_free(q).tolist() and 0 < sum(free) < 200
    pairs = list(zip(q, q[1:]))
    motions = [information.checkMotion(states.state(a), states.state(b)) for a, b in pairs]
    assert motions == states.space.are_edges_free(q[:-1], q[1:]).tolist() and 0 < sum(motions) < len(pairs)
    for a, b in pairs[:20]:
        assert states.ompl.distance(states.state(a), states.state(b)) == pytest.approx(states.space.distance(a, b))


def test_joints_that_are_not_active_stay_where_they_are() -> None:
    scene = world()
    scene.robots["arm6"].set_config([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    body = scene.robots["arm6"].robot
    setup = simple_setup(scene, "arm6", active=[body.dof_names[0], 3])
    assert setup.states.dofs == [0, 3] and setup.states.ompl.getDimension() == 2
    start, goal = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [1.0, 0.2, 0.3, -1.0, 0.5, 0.6]
    setup.set_start(start)
    setup.set_goal(goal)
    path = setup.plan(1.0)
    assert path is not None and path.shape[1] == 6
    assert (path[:, [1, 2, 4, 5]] == [0.2, 0.3, 0.5, 0.6]).all()
    np.testing.assert_array_equal(path[-1], goal)


def test_a_goal_region_is_reached() -> None:
    setup = simple_setup(world())
    state = setup.states.robot.state(GOAL)
    target = state.world_position("flange")
    region = setup.set_goal_region(kw.ik.objective("flange", position=target), count=4)
    setup.set_start(START)
    setup.setPlanner(og.RRTConnect(setup.getSpaceInformation()))
    path = setup.plan(2.0)
    assert path is not None
    state.set_config(path[-1])
    np.testing.assert_allclose(state.world_position("flange"), target, atol=1e-6)
    assert setup.states.space.is_free(path[-1])
    sample = setup.states.ompl.allocState()
    seen = set()
    for _ in range(8):
        region.sampleGoal(sample)
        assert region.isSatisfied(sample)
        seen.add(tuple(setup.states.read(sample)))
    assert 1 < len(seen) <= 4
    assert region.distanceGoal(setup.states.state(START)) > 0.1


def test_a_goal_that_cannot_be_reached_raises() -> None:
    with pytest.raises(ValueError, match="no configuration that reaches the goal"):
        simple_setup(world()).set_goal_region(kw.ik.objective("flange", position=(10, 0, 0)))


def test_several_goals() -> None:
    setup = simple_setup(world())
    setup.set_start(START)
    setup.set_goal([GOAL, [0.5, 0, 0, 0, 0, 0]])
    path = setup.plan(1.0)
    assert path is not None and any(np.allclose(path[-1], goal) for goal in (GOAL, [0.5, 0, 0, 0, 0, 0]))


def test_a_projection_is_the_position_of_the_link() -> None:
    setup = simple_setup(world())
    projection = LinkProjection(setup.states, "flange")
    out = np.zeros(3)
    projection.project(setup.states.state(GOAL), out)
    np.testing.assert_allclose(out, setup.states.robot.state(GOAL).world_position("flange"), atol=1e-15)


def test_wrong_calls_say_what_is_wrong() -> None:
    setup = simple_setup(world())
    with pytest.raises(ValueError, match="6 values, got 2"):
        setup.states.state([0, 0])
    with pytest.raises(ValueError, match="the goal is not free"):
        setup.set_goal([0, 5, 0, 0, 0, 0])
    with pytest.raises(ValueError, match="there is no goal yet"):
        setup.setup()
    with pytest.raises(ValueError, match="there is no goal yet"):
        setup.plan(0.1)
    drone = kw.Robot.load(DATA / "robots/drone.urdf")
    scene = kw.World()
    scene.add(drone)
    with pytest.raises(ValueError, match=r"has no limits and OMPL needs some: give bounds=\{0: "):
        simple_setup(scene, allow_missing_geometry=True)
    boxed = {dof: (-2.0, 2.0) for dof in range(drone.n_dofs)}
    assert simple_setup(scene, bounds=boxed, allow_missing_geometry=True).states.ompl.getDimension() == drone.n_dofs
    assert isinstance(setup.states.ompl, ob.RealVectorStateSpace)
