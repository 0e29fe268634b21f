"""Wrench balances: against inverse dynamics, sums, and closed forms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinworld as kw
from kinworld import wrench

DATA = Path(__file__).parents[2] / "data"
FICTITIOUS = ("dalembert", "euler", "centrifugal", "coriolis")


@pytest.fixture
def moving() -> tuple[kw.State, np.ndarray]:
    arm = kw.Robot.load(DATA / "robots" / "arm6.urdf")
    rng = np.random.default_rng(5)
    return arm.state(arm.sample(2), rng.normal(size=6)), rng.normal(size=6)


def test_joint_wrenches_are_inverse_dynamics(moving: tuple[kw.State, np.ndarray]) -> None:
    state, ddq = moving
    frames = wrench.Frames(state, ddq)
    balances = wrench.chain(frames)
    tau = state.inverse_dynamics(ddq)
    for link, balance in zip(state.robot.links, balances):
        assert balance.link == link.name
        if link.dof is None or link.axis is None:
            continue
        axis = state.pose(link)[:3, :3] @ link.axis
        part = balance["joint"].moment if link.motion == "revolute" else balance["joint"].force
        assert axis @ part == pytest.approx(tau[link.dof], abs=1e-9)


def test_dynamic_is_the_sum_for_any_observer(moving: tuple[kw.State, np.ndarray]) -> None:
    state, ddq = moving
    frames = wrench.Frames(state, ddq)
    swing = frames.add(
        kw.se3.exp([0.1, 0.2, 0.3, 1, 2, 3]), velocity=[1, 2, 3, 4, 5, 6], acceleration=[6, 5, 4, 3, 2, 1]
    )
    push = frames.wrench(force=(1, 2, 3), moment=(4, 5, 6), at=("flange", (0.1, 0, 0)), axes="flange")
    joints = []
    for observer in (None, "forearm", swing, (swing, (1.0, 0.0, 0.0))):
        for balance in wrench.chain(frames, observer=observer, external=[("flange", push)]):
            parts = [balance[name].array for name in balance if name != "dynamic"]
            np.testing.assert_allclose(balance["dynamic"].array, sum(parts), atol=1e-9)
            assert len(balance) == 9 and set(FICTITIOUS) < set(balance.keys())
        one = wrench.balance(frames, "elbow", observer=observer, external=[("flange", push)])
        joints.append(one["joint"].expressed(None, frames).array)
    # the joint's wrench is the same for all observers
    for joint in joints[1:]:
        np.testing.assert_allclose(joint, joints[0], atol=1e-9)


def test_relative_motion_is_kinematics(moving: tuple[kw.State, np.ndarray]) -> None:
    state, ddq = moving
    frames = wrench.Frames(state, ddq)
    p = (0.1, 0.2, 0.3)
    position, velocity, acceleration = frames.relative(("flange", p), None)
    np.testing.assert_allclose(position, state.world_position("flange", p), atol=1e-12)
    np.testing.assert_allclose(velocity, state.point_velocity("flange", p), atol=1e-12)
    np.testing.assert_allclose(acceleration, state.point_acceleration("flange", ddq, p), atol=1e-10)
    # what is fixed to the observer does not move
    for part in frames.relative(("flange", p), "flange")[1:]:
        np.testing.assert_allclose(part, 0, atol=1e-10)
    np.testing.assert_allclose(frames.position(("flange", p)), position)
    np.testing.assert_allclose(frames.rotation(None, "flange"), state.pose("flange")[:3, :3])
    np.testing.assert_allclose(frames.angular("flange", None)[0], state.angular_velocity("flange"))
    difference = frames.between("elbow", ("flange", p), None)
    np.testing.assert_allclose(difference[0], position - state.pose("elbow")[:3, 3])
    np.testing.assert_allclose(frames.motion("flange")[0], state.pose("flange"))
    link = state.robot.link("flange")
    np.testing.assert_allclose(frames.inertia("flange", ("flange", link.com), "flange"), link.moment, atol=1e-12)


def test_wrenches_move_and_add(moving: tuple[kw.State, np.ndarray]) -> None:
    frames = wrench.Frames(moving[0])
    force = np.array([1.0, 2, 3])
    w = frames.wrench(force=force, at=(None, (0.0, 0.0, 1.0)))
    moved = w.translated(None, frames)
    np.testing.assert_allclose(moved.moment, np.cross([0, 0, 1], force))
    np.testing.assert_allclose(moved.translated((None, (0.0, 0.0, 1.0)), frames).array, w.array, atol=1e-15)
    np.testing.assert_allclose((w + w - 3 * w).array, -w.array)
    np.testing.assert_allclose(w.equate([w * 0.25, w * 0.25]).array, w.array / 2)
    with pytest.raises(kw.Error):
        w + moved


def test_a_hanging_limb_weighs_on_its_joints() -> None:
    leg = wrench.limb("leg", [wrench.Segment("thigh", 0.45, 8.0), wrench.Segment("shank", 0.42, 3.5, center=0.4)])
    assert leg.n_dofs == 2 and leg.mass == pytest.approx(11.5)
    frames = wrench.Frames(leg.state([0.0, 0.0]))
    balances = wrench.chain(frames, gravity=(0, -10, 0))
    weights = [balance["joint"].force[1] for balance in balances if balance["gravity"].force.any()]
    np.testing.assert_allclose(weights, [115, 35])
    text = wrench.table(balances)
    assert "shank" in text and "shank" in str(balances[-1])
    assert wrench.limb("leg", [wrench.Segment("a", 1, 1)], joint="ballandsocket").n_dofs == 3
    with pytest.raises(kw.Error, match="unknown joint"):
        wrench.limb("leg", [wrench.Segment("a", 1, 1)], joint="glue")
