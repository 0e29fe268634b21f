"""The numbers of Klampt and Pinocchio in `data/golden`, once more through Python."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinworld as kw
from conftest import DATA

ROBOTS = [
    path
    for kind in ("klampt/*.rob", "klampt/*.urdf", "pinocchio/*.urdf")
    for path in sorted((DATA / "golden").glob(f"{kind}.json"))
]


def load(path: Path) -> tuple[dict[str, Any], kw.Robot]:
    golden = json.loads(path.read_text())
    with warnings.catch_warnings():
        # what the loaders report is compared by the tests of the library
        warnings.simplefilter("ignore", kw.LoadWarning)
        return golden, kw.Robot.load(DATA / golden["file"])


def pose(numbers: list[float]) -> np.ndarray:
    out = np.eye(4)
    out[:3, :3] = np.reshape(numbers[:9], (3, 3))
    out[:3, 3] = numbers[9:]
    return out


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_kinematics(path: Path) -> None:
    golden, robot = load(path)
    links = [link["name"] for link in golden["links"]]
    if len(links) == len(robot):
        assert links == [link.name for link in robot]
    moved, point = links[-1], golden["point"]
    assert robot.mass == pytest.approx(golden["mass"], rel=1e-12)
    assert golden["cases"]
    for case in golden["cases"]:
        state = robot.state(case["q"], case["dq"])
        for i, numbers in enumerate(case["poses"]):
            key = i if len(links) == len(robot) else links[i]
            np.testing.assert_allclose(state.pose(key), pose(numbers), rtol=0, atol=1e-12)
        for name, rows in case["jacobians"].items():
            np.testing.assert_allclose(state.jacobian(name, point), rows, rtol=0, atol=1e-12)
            np.testing.assert_allclose(robot.jacobian(case["q"], name, point), rows, rtol=0, atol=1e-12)
            many = kw.batch.jacobians(robot, [case["q"]], name, point)[0]
            np.testing.assert_allclose(many, rows, rtol=0, atol=1e-12)
            np.testing.assert_allclose(state.position_jacobian(name, point), rows[3:], rtol=0, atol=1e-12)
            np.testing.assert_allclose(state.orientation_jacobian(name), rows[:3], rtol=0, atol=1e-12)
        many = kw.batch.poses(robot, [case["q"]])[0]
        np.testing.assert_allclose(many, [state.pose(link) for link in robot], rtol=0, atol=1e-14)
        np.testing.assert_allclose(state.com(), case["com"], rtol=0, atol=1e-12)
        np.testing.assert_allclose(state.com_jacobian(), case["com_jacobian"], rtol=0, atol=1e-12)
        np.testing.assert_allclose(state.point_velocity(moved, point), case["point_velocity"], rtol=0, atol=1e-12)
        np.testing.assert_allclose(state.angular_velocity(moved), case["angular_velocity"], rtol=0, atol=1e-12)
        if "point_acceleration" in case:
            acceleration = state.point_acceleration(moved, case["ddq"], point)
            np.testing.assert_allclose(acceleration, case["point_acceleration"], rtol=0, atol=1e-12)
        if "drivers" in case:
            np.testing.assert_allclose(state.driver_values, case["drivers"], rtol=0, atol=1e-12)


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_edges(path: Path) -> None:
    golden, robot = load(path)
    cases = golden["cases"]
    for step, (a, b) in zip(golden["between"], zip(cases, cases[1:], strict=False), strict=False):
        for u, q in step["interpolate"].items():
            np.testing.assert_allclose(robot.interpolate(a["q"], b["q"], float(u)), q, rtol=0, atol=1e-12)
        if "distance" in step:
            assert robot.distance(a["q"], b["q"]) == pytest.approx(step["distance"], abs=1e-12)


def test_derivatives() -> None:
    golden = json.loads((DATA / "golden/derivatives/robots.json").read_text())
    assert len(golden["robots"]) >= 3
    for name, cases in golden["robots"].items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", kw.LoadWarning)
            robot = kw.Robot.load(DATA / f"robots/{name}.urdf")
        n = robot.n_dofs
        for case in cases:
            state = robot.state(case["q"], case["dq"])
            by_q, by_dq, mass = state.inverse_dynamics_derivatives(case["ddq"])
            forward = state.forward_dynamics_derivatives(case["tau"])
            q, dq = np.array([case["q"]]), np.array([case["dq"]])
            batched = kw.batch.inverse_dynamics_derivatives(robot, q, dq, np.array([case["ddq"]]))[0]
            many = kw.batch.forward_dynamics_derivatives(robot, q, dq, np.array([case["tau"]]))[0]
            for key, ours, tolerance in [
                ("dtau_dq", by_q, 1e-12),
                ("dtau_dv", by_dq, 1e-12),
                ("coriolis", state.coriolis_matrix(), 1e-12),
                ("ddq_dq", forward[0], 1e-9),
                ("ddq_dv", forward[1], 1e-9),
                ("dtau_dq", batched[0], 1e-11),
                ("dtau_dv", batched[1], 1e-11),
                ("ddq_dq", many[0], 1e-9),
                ("ddq_dv", many[1], 1e-9),
            ]:
                theirs = np.reshape(case[key], (n, n))
                scale = max(1e-3, float(np.abs(theirs).max()))
                np.testing.assert_allclose(ours, theirs, rtol=0, atol=tolerance * scale, err_msg=f"{name} {key}")
            np.testing.assert_allclose(mass, state.mass_matrix(), rtol=0, atol=1e-12)
            np.testing.assert_allclose(forward[2], np.linalg.inv(mass), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_collisions(path: Path) -> None:
    golden, robot = load(path)
    links = [link["name"] for link in golden["links"]]
    world = kw.World()
    world.add(robot)
    collider = world.collider(allow_missing_geometry=True)

    def names(pair: list[int | str]) -> frozenset[str]:
        return frozenset(f"{robot.name}[{i if isinstance(i, str) else links[i]}]" for i in pair)

    enabled = {names(list(pair)) for pair in robot.self_collision_pairs}
    for case in golden["cases"]:
        pairs = {frozenset((a.name, b.name)) for a, b in collider.pairs(case["q"])}
        doubtful = {names(pair) for pair in case["doubtful"]}
        expected = {names(pair) for pair in case["colliding"]} & enabled
        assert pairs - doubtful == expected - doubtful
        assert collider.collides(case["q"]) == bool(pairs)
