"""Joints that close loops, springs, and pairs that a world never tests."""

from __future__ import annotations

import numpy as np
import pytest

import kinworld as kw


def four_bar() -> kw.Robot:
    builder = kw.RobotBuilder("bars")
    inertia = kw.Inertia(1.0, (0.5, 0.0, 0.0), np.eye(3) * 0.1)
    x = np.eye(4)
    x[0, 3] = 1.0
    crank = builder.add_link("crank", motion="revolute", inertia=inertia)
    builder.add_link("coupler", parent=crank, motion="revolute", placement=x, inertia=inertia)
    far = np.eye(4)
    far[0, 3] = 2.0
    builder.add_link("rocker", motion="revolute", placement=far, inertia=inertia)
    builder.add_loop_closure("spherical", "coupler", "rocker", a_pose=x, name="pin")
    builder.set_spring("crank", 4.0, rest=0.5)
    return builder.build()


def test_a_loop_is_closed_by_its_rows() -> None:
    robot = four_bar()
    (closure,) = robot.loop_closures
    assert (closure.name, closure.kind, closure.n_rows, closure.a, closure.b) == ("pin", "spherical", 3, 1, 2)
    np.testing.assert_array_equal(closure.a_pose[:3, 3], [1.0, 0.0, 0.0])
    np.testing.assert_array_equal(closure.b_pose, np.eye(4))
    assert repr(closure) == "LoopClosure 'pin' (spherical)"
    state = kw.State(robot, [0.3, -0.2, 0.5], [1.0, 2.0, 3.0])
    errors = state.loop_errors()
    tip = np.array([np.cos(0.3) + np.cos(0.1), np.sin(0.3) + np.sin(0.1), 0.0])
    np.testing.assert_allclose(errors, tip - [2.0, 0.0, 0.0], atol=1e-14)
    jacobian, drift = state.loop_jacobian(), state.loop_drift()
    ddq, _ = state.constrained_dynamics(np.zeros(3), jacobian, drift, damping=1e-12)
    np.testing.assert_allclose(jacobian @ ddq + drift, 0.0, atol=1e-6)
    with pytest.raises(ValueError, match="unknown kind 'loose' of a loop closure"):
        kw.RobotBuilder("r").add_loop_closure("loose", None)


def test_springs() -> None:
    robot = four_bar()
    assert robot.link("crank").spring == (4.0, 0.5)
    assert robot.link("rocker").spring is None
    state = kw.State(robot, [1.0, 0.0, 0.0])
    np.testing.assert_array_equal(state.spring_forces(), [-2.0, 0.0, 0.0])
    still = kw.sim.simulate(robot, 0.01, gravity=(0, 0, 0), q=[1.0, 0.0, 0.0])
    moved = kw.sim.simulate(robot, 0.01, gravity=(0, 0, 0), q=[1.0, 0.0, 0.0], springs=True)
    assert still.config[0] == 1.0 > moved.config[0]


def test_pairs_that_a_world_ignores() -> None:
    world = kw.World()
    ball = kw.Geometry.sphere(0.5)
    world.add(kw.Terrain("floor", ball))
    world.add(kw.RigidObject("ball", ball))
    assert world.collider().collides()
    world.ignore_pair("floor", "ball")
    assert not world.collider().collides()
    assert [[str(element) for element in pair] for pair in world.ignored_pairs] == [["floor", "ball"]]
