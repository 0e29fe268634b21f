"""Klampt's answers about objects, meshes, rotations and inverse kinematics, and Exudyn's about integrators, through Python.

``KINWORLD_CORPUS`` names the folder with Klampt's example files, ``KINWORLD_REFS`` that with the answers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import kinworld as kw
from compare import by_columns, close, corpus, golden, largest, quietly, refs
from kinworld import ik, sim, so3
from kinworld.klampt.math import so3 as klampt_so3
from test_golden_rotations import check_angles, check_poses, check_rotations
from trees import run

# Klampt's mesh vertices are single precision
SINGLE = 1e-6

# the point of the link in Klampt's position goals
LOCAL = (0.05, 0.02, -0.03)


def misc(key: str) -> list[dict[str, Any]]:
    corpus()
    entries: list[dict[str, Any]] = refs("klampt/misc.json")[key]
    return entries


def test_rotations_and_poses() -> None:
    cases = misc("so3_se3")
    assert len(cases) == 20
    for case in cases:
        check_rotations(case)
        check_poses(case)
        a, b = (np.array(case[key]) / np.linalg.norm(case[key]) for key in ("p", "t"))
        close("align", so3.align(a, b), np.reshape(case["align"], (3, 3)).T, 1e-10)
        close("align", klampt_so3.align(a, b), case["align"], 1e-10)
        close("canonical", klampt_so3.canonical(a), case["canonical"], 1e-10)


def test_angles() -> None:
    check_angles(misc("so2"))


def test_rigid_objects() -> None:
    loaded = 0
    for theirs in misc("objects"):
        path = corpus() / theirs["file"]
        if not theirs["loaded"]:
            # its point cloud is not in the corpus
            with pytest.raises(kw.LoadError, match="cannot be found"):
                kw.RigidObject.load(path)
            continue
        ours = kw.RigidObject.load(path)
        what = theirs["file"]
        assert ours.name == theirs["name"], what
        close(what, ours.pose, by_columns(theirs["T"]), 1e-11)
        close(what, ours.mass, theirs["mass"], 1e-11)
        close(what, ours.inertia.com, theirs["com"], SINGLE)
        moment = np.reshape(theirs["inertia"], (3, 3)).T
        close(what, ours.inertia.moment, moment, SINGLE * largest(moment, 0.0))
        close(what, ours.contact, theirs["contact"], 1e-11)
        if ours.geometry is not None and theirs["geom"]["type"] == "TriangleMesh":
            assert ours.geometry.n_triangles == theirs["geom"]["numElements"]
            corners = ours.geometry.aabb_tight()
            assert corners is not None
            close(f"box of {what}", corners, theirs["geom"]["bb_world"], 10 * SINGLE)
        loaded += 1
    assert loaded == 14


def meshes() -> list[tuple[dict[str, Any], kw.Geometry]]:
    """The meshes that the corpus has, in formats that are read."""
    out = []
    for entry in misc("meshes"):
        path = corpus() / entry["file"]
        if path.suffix.lower() in (".off", ".stl") and path.exists() and entry["geom"] is not None:
            out.append((entry, quietly(kw.Geometry.load, path)))
    assert len(out) >= 25
    return out


def test_sizes_of_meshes() -> None:
    for entry, ours in meshes():
        theirs = entry["geom"]
        # Klampt drops triangles without area
        proper = ours.n_triangles - (ours.degenerate_triangles or 0)
        assert abs(proper - theirs["numElements"]) <= theirs["numElements"] // 100, entry["file"]
        vertices, triangles = ours.to_mesh()
        corners = vertices[triangles]
        edges = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        used = corners[np.linalg.norm(edges, axis=1) > 0].reshape(-1, 3)
        close(f"box of {entry['file']}", [used.min(axis=0), used.max(axis=0)], theirs["bb_world"], 1e-5)


def test_masses_of_meshes() -> None:
    compared = 0
    for entry, loaded in meshes():
        vertices, triangles = loaded.to_mesh()
        ours = kw.Geometry.mesh(vertices.astype(np.float32), triangles)
        lower, upper = (np.array(corner) for corner in entry["geom"]["bb_world"])
        for key, share in [("mass_estimate_surface_0", 0.0), ("mass_estimate_surface_1", 1.0)]:
            theirs = entry.get(key)
            if theirs is None:
                continue
            com = np.array(theirs["com"], dtype=float)
            # an open mesh has no inside: Klampt's centre can be far from it, ours is not
            if not (np.all(com >= lower) and np.all(com <= upper)):
                continue
            center, moment = ours.mass_properties(1.0, share)
            size = largest(theirs["inertia"], 0.0)
            close(f"{entry['file']}, com", center, com, SINGLE * np.sqrt(size))
            close(f"{entry['file']}, moment", moment, np.reshape(theirs["inertia"], (3, 3)).T, SINGLE * size)
            compared += 1
    assert compared >= 40


def test_residuals_of_goals() -> None:
    ran = 0
    for arm in misc("ik"):
        path, link = corpus() / arm["file"], arm["link_name"]
        if not path.exists():
            continue
        robot = quietly(kw.Robot.load, path)
        assert robot.link(link).index == arm["link"]
        for case in arm["residuals"]:
            target, state, active = robot.pose(case["q_target"], link), robot.state(case["q"]), case["active_dofs"]
            point = robot.state(case["q_target"]).world_position(link, LOCAL)
            goals = {
                "pose": ik.objective(link, pose=target),
                "point": ik.objective(link, position=point, local=LOCAL),
            }
            for key, goal in goals.items():
                close(key, ik.residual(state, goal), case[f"{key}_residual"], 1e-9)
                jacobian = ik.residual_jacobian(state, goal)
                # theirs has a column for each active link
                close(key, jacobian[:, active], case[f"{key}_jacobian"], 1e-8)
                assert goal.rows == len(case[f"{key}_residual"])
            ran += 1
    assert ran >= 12


def test_goals_are_reached() -> None:
    """More often than in Klampt, from one start and from many."""
    for arm in misc("ik"):
        path, link = corpus() / arm["file"], arm["link_name"]
        if not path.exists():
            continue
        robot = quietly(kw.Robot.load, path)
        single = restarted = 0
        for seed in range(100):
            goal = ik.objective(link, pose=robot.pose(robot.sample(seed), link))
            start = robot.sample(1000 + seed)
            single += ik.solve(robot, goal, start, restarts=0).solved
            if seed < 40:
                found = ik.solve(robot, goal, start, restarts=50)
                restarted += found.solved
                off = ik.residual(robot.state(found.q), goal)
                assert not found.solved or np.abs(off).max() < 1e-6
        assert single >= arm["success"]["single_start_of_100"], arm["robot"]
        assert restarted >= arm["success"]["global_50_restarts_of_40"], arm["robot"]


def exudyn() -> Any:
    corpus()
    return refs("exudyn/refs.json")


def test_the_tableau_of_order_six() -> None:
    theirs = exudyn()["integrators"]["rk67"]
    table = sim.tableau("rk67")
    assert table is not None
    for key, ours in zip("Abc", table, strict=True):
        close(key, ours, theirs[key], 1e-15)

    case = theirs["order_check"]
    for steps, wanted in zip((10, 20, 40), case["errors_N10_20_40"], strict=True):
        end = sim.integrate(
            lambda t, y: np.array([y[1], -np.sin(y[0]) * (1 + 0.3 * np.cos(t))]),
            [1.0, 0.5],
            2.0,
            method="rk67",
            step=2.0 / steps,
        )
        error = np.abs(end.config - case["reference"]).max()
        assert error == pytest.approx(wanted, rel=0.05, abs=1e-13)


@pytest.mark.parametrize(
    ("method", "name", "rho", "share"),
    [
        ("explicit_euler", "ExplicitEuler", None, 1e-6),
        ("explicit_midpoint", "ExplicitMidpoint", None, 1e-6),
        ("rk33", "RK33", None, 1e-6),
        ("rk44", "RK44", None, 1e-4),
        ("rk67", "RK67", None, 0.1),
        # Exudyn's Newton iteration ends at 1e-8
        ("generalized_alpha", "GeneralizedAlpha", 0.9, 1e-2),
        ("trapezoidal", "TrapezoidalIndex2", None, 1e-2),
    ],
)
def test_errors_on_a_chain(method: str, name: str, rho: float | None, share: float) -> None:
    chain, wanted = exudyn()["kt_chain5"], exudyn()["integrators"]["convergence_chain5"][name]
    how: dict[str, Any] = {"method": method} if rho is None else {"method": method, "rho": rho}
    for steps, theirs in zip((100, 200, 400), wanted["errors_100_200_400"], strict=True):
        end = run(chain["spec"], chain["q0"], chain["v0"], chain["t_end"], steps=steps, **how)
        error = np.abs(end.config - chain["dop853"]["q"]).max()
        assert error == pytest.approx(theirs, rel=share, abs=1e-13), steps


def test_exudyn_numbers_are_those_of_the_repository() -> None:
    """The tests of the golden file hold for the reference folder."""
    ours, theirs = golden("exudyn_refs.json"), exudyn()
    compared = same(ours, theirs)
    assert compared > 4000


def same(a: Any, b: Any) -> int:
    """Counts the numbers that two files have at the same places, which are equal."""
    if isinstance(a, dict):
        return sum(same(a[key], b[key]) for key in a.keys() & b.keys())
    if isinstance(a, list):
        assert len(a) == len(b)
        return sum(map(same, a, b))
    assert isinstance(a, str) or a == b
    return int(isinstance(a, (int, float)))
