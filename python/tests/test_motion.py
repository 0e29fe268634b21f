"""Motions within limits along paths."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinworld as kw

DATA = Path(__file__).parents[2] / "data"


def limits(n: int) -> kw.MotionLimits:
    return kw.MotionLimits(n).with_velocity([1.0] * n).with_acceleration([2.0] * n)


def test_a_line_is_sped_up_kept_and_braked() -> None:
    motion = kw.GeometricPath.polyline([[0, 0], [2, -1]]).time_optimal(limits(2))
    assert motion.duration == pytest.approx(2.5, abs=1e-3)
    assert motion.check(limits(2)) is None
    q, dq, ddq = motion.state_at(1.25)
    assert q == pytest.approx([1.0, -0.5], abs=1e-3)
    assert dq[0] == pytest.approx(1.0)
    assert np.allclose(motion.at(9.0), [2, -1])
    assert motion.discretized(0.01).duration == motion.duration
    velocity, acceleration, jerk, torque = motion.utilization(limits(2))
    assert velocity[0] == pytest.approx(1.0) and acceleration[0] == pytest.approx(1.0)
    assert not jerk.any() and not torque.any()


def test_a_spline_of_its_own_knots_is_taken_as_given() -> None:
    s = np.linspace(0, 1, 5)
    path = kw.GeometricPath.hermite(s, np.c_[np.sin(s), s], np.c_[np.cos(s), np.ones(5)])
    assert path.at(0.3) == pytest.approx([np.sin(0.3), 0.3], abs=1e-4)
    motion = path.time_optimal(limits(2), grid=np.linspace(0, 1, 50), end_speeds=(0.1, 0.0))
    assert motion.velocity_at(0.0) == pytest.approx([0.1, 0.1])


def test_torques_and_jerks_are_held() -> None:
    arm = kw.Robot.load(DATA / "robots/arm6.urdf")
    held = kw.MotionLimits.of(arm).with_acceleration([20] * 6).with_jerk([300] * 6)
    path = kw.GeometricPath.blended([[0] * 6, [0.5] * 6, [1, 0, 0.5, 0, 0, 0]], 0.1)
    payload = ("flange", kw.Inertia(2.0))
    motion = path.time_optimal(held, robot=arm, payload=payload)
    assert motion.check(held, robot=arm, payload=payload) is None
    with pytest.raises(kw.Error, match="no limit of acceleration"):
        path.time_optimal(kw.MotionLimits.of(arm))


def test_a_motion_from_state_to_state() -> None:
    held = limits(2).with_jerk([8.0, 8.0])
    first = kw.SmoothTrajectory.point_to_point([0, 0], [1, -2], held)
    assert first.check(held) is None
    q, velocity, acceleration = first.state_at(0.4)
    onward = kw.SmoothTrajectory.point_to_point(
        q, [1, -2], held, start_velocity=velocity, start_acceleration=acceleration
    )
    assert onward.duration == pytest.approx(first.duration - 0.4, abs=1e-6)
    straight = kw.SmoothTrajectory.point_to_point([0, 0], [1, -2], held, straight=True, duration=9)
    assert straight.duration == 9
    assert straight.at(2.0) @ [2, 1] == pytest.approx(0)
    moving = kw.SmoothTrajectory.point_to_point(
        [0, 0], [1, -2], held, goal_velocity=[0.5, 0], goal_acceleration=[0, -0.5]
    )
    assert moving.velocity_at(99.0) == pytest.approx([0.5, 0])
    with pytest.raises(kw.Error, match="has no limit of jerk"):
        kw.SmoothTrajectory.point_to_point([0, 0], [1, -2], limits(2))
    with pytest.raises(kw.Error, match="velocity beyond its limits"):
        kw.SmoothTrajectory.point_to_point([0, 0], [1, -2], held, start_velocity=[2, 0])


def test_a_plan_becomes_a_motion() -> None:
    world = kw.load(DATA / "robots/arm6.urdf", DATA / "terrains/table.env")
    space, arm = world.space(), kw.Robot.load(DATA / "robots/arm6.urdf")
    plan = space.plan([0] * 6, [1, 0.3, 0, 0, 0, 0], seed=1)
    held = kw.MotionLimits.load(arm, DATA / "limits/arm6_joint_limits.yaml")
    assert held.velocity[0].tolist() == [-2, 2]
    motion = space.motion_along(plan.path, held, deviation=0.02)
    assert space.motion_collision(motion) is None
    assert space.rounded(plan.path, 0.02).n_dofs == 6


def test_a_path_becomes_a_smooth_curve() -> None:
    world = kw.load(DATA / "robots/arm6.urdf", DATA / "terrains/table.env", DATA / "objects/crate.obj")
    space = world.space()
    path = space.plan([0.9, 0.9, 0.6, 0, 0, 0], [-1, 0.9, 0.6, 0, 0, 0], seed=1).path
    assert len(path) > 2
    held = kw.MotionLimits.of(world.robot(0).robot).with_acceleration([5] * 6)
    curve = space.smoothed(path, margin=0.02)
    assert curve is not None and len(curve.corners) == 0
    rows = np.array([curve.at(s) for s in np.linspace(0, curve.length, 500)])
    assert rows[0] == pytest.approx(path[0]) and rows[-1] == pytest.approx(path[-1])
    assert space.are_free(rows).all()
    motion = space.smooth_motion_along(path, held)
    assert motion is not None and space.motion_collision(motion) is None
    assert motion.duration < space.motion_along(path, held).duration
    beside, is_smooth = space.fastest_motion_along(path, held, smooth=0.01)
    assert is_smooth and beside.duration == motion.duration
    # so little jerk leaves every curve
    slow = held.with_jerk([0.5] * 6)
    assert space.smooth_motion_along(path, slow) is None
    beside, is_smooth = space.fastest_motion_along(path, slow, smooth=0.01)
    assert not is_smooth and beside.duration == space.motion_along(path, slow).duration
    with pytest.raises(kw.Error, match="the margin of smoothing"):
        space.fastest_motion_along(path, held, smooth=-1)
    with pytest.raises(kw.Error, match="the margin of smoothing"):
        space.smoothed(path, margin=-1)


def test_robots_wait_for_one_another() -> None:
    world = kw.load(DATA / "robots/arm6.urdf")
    arm = world.robot(0).robot
    turned = kw.se3.from_translation((1.3, 0, 0)) @ np.diag([-1.0, -1.0, 1.0, 1.0])
    world.add(world.placed(turned))
    space = world.space()
    one = kw.MotionLimits.of(arm).with_acceleration([5] * 6)
    both = kw.MotionLimits.joined([one, one])
    bent = [[yaw, 0.9, -0.5, 0, 0.4, 0] for yaw in (0.6, -0.6)]
    start, goal = np.r_[bent[0], np.zeros(6)], np.r_[bent[1], bent[1]]

    plan = space.plan_prioritized(start, goal, both, joint_iterations=0, seed=3)
    assert plan and not plan.is_joint and plan.termination == "found"
    assert plan.order == space.robots and plan.failed == []
    assert "in the order [" in repr(plan)
    motion = plan.motion
    assert motion is not None
    assert motion.check(both) is None and space.joint_motion_collision(motion) is None
    assert motion.n_dofs == 12 and max(motion.arrivals) == motion.duration == motion.knots[-1]
    assert motion.waits[0] == [] and all(b > a for a, b in motion.waits[1])
    assert np.allclose(motion.at(0), start) and np.allclose(motion.at(99), goal)
    q, dq, _ = motion.state_at(0.5)
    assert np.allclose(q, motion.at(0.5)) and np.allclose(dq, motion.velocity_at(0.5))
    rows = motion.discretized(0.05)
    assert all(space.is_free(row) for row in rows.milestones)
    assert repr(motion).startswith("JointMotion: 2 robots, 12 dofs")

    # no robot enters what one before it sweeps
    apart = space.plan_prioritized(start, goal, both, swept=0.02, joint_iterations=0, iterations=300)
    assert apart.motion is None or apart.motion.waits == [[], []]

    # along curves beside the paths; so little jerk leaves every curve
    smooth = space.plan_prioritized(start, goal, both, smooth=0.01, deviation=0, joint_iterations=0, seed=3)
    assert smooth.motion is not None and smooth.rounded == [] == plan.rounded
    assert space.joint_motion_collision(smooth.motion) is None and smooth.motion.check(both) is None
    sharp = space.plan_prioritized(start, goal, both, deviation=0, joint_iterations=0, seed=3)
    assert sharp.motion is not None and smooth.motion.arrivals[0] < sharp.motion.arrivals[0]

    # each comes to where the other begins
    start, goal = np.r_[bent[0], bent[0]], np.r_[bent[1], bent[1]]
    swap = space.plan_prioritized(start, goal, both)
    assert swap.is_joint and swap.order == [] and len(swap.failed) == 2
    assert "collide" in swap.failed[0][1]
    assert not space.plan_prioritized(start, goal, both, joint_iterations=0)
    with pytest.raises(kw.Error, match="start: "):
        space.plan_prioritized(np.r_[bent[0], bent[1]], goal, both)


def test_two_hands_follow_paths_that_begin_and_end_together() -> None:
    arm = kw.Robot.load(DATA / "robots/arm6.urdf").builder()
    both = kw.RobotBuilder("both")
    for side, y in (("left", 0.35), ("right", -0.35)):
        placement = np.eye(4)
        placement[1, 3] = y
        both.mount(None, arm, placement=placement, prefix=side)
    world = kw.World()
    world.add(both.build())
    space = world.space()
    robot = world.robots[0].robot
    start = np.array([0, 0.5, 1, 0, 0.5, 0] * 2)
    links = [robot.link(f"{side}:flange") for side in ("left", "right")]
    left, right = (kw.CartesianPath(link.index, robot.pose(start, link.index)) for link in links)
    up, out = left.moved((0, 0, 0.06)), right.moved((0.03, 0, 0))
    path, reached, deviation, stop = space.follow_together([up, out], start, 0.005)
    assert path is not None and stop is None
    assert reached == pytest.approx(0.06) and deviation < 1e-4
    for s in np.linspace(0, 0.06, 25):
        for link, of_link in zip(links, (up.at(s), out.at(s / 2)), strict=True):
            assert robot.pose(path.at(s), link.index) == pytest.approx(of_link, abs=1e-4)
    # a hand that has no piece stays
    path, *_ = space.follow_together([up, right], start, 0.005)
    assert path is not None
    assert path.at(0.04)[6:] == pytest.approx(start[6:])
    alone, *_ = space.follow(up, start, 0.005)
    assert alone is not None and alone.at(0.04)[:6] == pytest.approx(path.at(0.04)[:6], abs=1e-6)
    with pytest.raises(kw.Error, match="two are of `left:flange`"):
        space.follow_together([up, left], start, 0.005)
