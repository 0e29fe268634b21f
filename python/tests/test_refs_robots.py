"""Klampt's answers about real robots, through Python: `klampt/robots.json` of the reference folder.

``KINWORLD_CORPUS`` names the folder with Klampt's example files, ``KINWORLD_REFS`` that with the answers.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import kinworld as kw
from compare import by_columns, close, corpus, largest, quietly, refs, skip_large
from test_golden_robots import check_drivers, check_limits, check_links, check_way

COUNT = 19
ROBOTS = pytest.mark.parametrize("k", range(COUNT))

# Klampt's numbers are rounded to twelve digits, and its mesh vertices to single precision
EXACT, OF_MESHES = 1e-9, 1e-6

Loaded = tuple[kw.Robot, dict[str, Any], float]


@cache
def load(k: int) -> Loaded:
    """A robot, what Klampt says of it, and the tolerance of its dynamics."""
    root, robots = corpus(), refs("klampt/robots.json")["robots"]
    assert len(robots) == COUNT
    path = root / robots[k]["file"]
    from_meshes = "automass" in path.read_text()
    return quietly(kw.Robot.load, path), robots[k], OF_MESHES if from_meshes else EXACT


def dense(sparse: dict[str, Any]) -> np.ndarray:
    """A matrix of which only some columns are given."""
    out = np.zeros((sparse["rows"], sparse["n"]))
    if sparse["cols"]:
        out[:, sparse["cols"]] = np.transpose(sparse["vals"])
    return out


def masses(case: dict[str, Any]) -> np.ndarray | None:
    """The mass matrix where it is given, whole or from the diagonal on."""
    matrix = case.get("mass_matrix")
    if not isinstance(matrix, dict):
        return None if matrix is None else np.array(matrix)
    rows = matrix["upper"]
    out = np.zeros((len(rows), len(rows)))
    for i, row in enumerate(rows):
        out[i, i:] = out[i:, i] = row
    return out


@ROBOTS
def test_description(k: int) -> None:
    robot, theirs, _ = load(k)
    links = []
    for link in theirs["links"]:
        x, moment = by_columns(link["T0"]), np.reshape(link["inertia"], (3, 3)).T
        more = {} if "geom" not in link else {"triangles": (link["geom"] or {"numElements": 0})["numElements"]}
        placement = [*x[:3, :3].ravel(), *x[:3, 3]]
        links.append(link | more | {"joint": link["jointType"], "placement": placement, "inertia": moment})
    check_links(robot, links, OF_MESHES)
    names = {"qmin": "q_min", "qmax": "q_max", "vmax": "v_max", "amax": "a_max", "tmax": "tau_max"}
    check_limits(robot, {names[key]: theirs["limits"][key] for key in names})
    close("initial", robot.initial_config, theirs["initial_config"], 1e-9)
    keys = {"q": "position", "v": "velocity", "a": "acceleration", "t": "torque"}
    drivers = [{keys.get(key, key): value for key, value in driver.items()} for driver in theirs["drivers"]]
    check_drivers(robot, drivers, 1e-12)
    enabled = {frozenset(robot[i].name for i in pair) for pair in theirs["selfcollision_enabled"]}
    assert {frozenset(pair) for pair in robot.self_collision_pairs} == enabled
    world = kw.World()
    world.add(robot)
    assert len(world.klampt_ids) == theirs["numIDs"]
    assert (len(robot), len(robot.drivers)) == (theirs["numLinks"], theirs["numDrivers"])


@ROBOTS
def test_kinematics(k: int) -> None:
    robot, theirs, _ = load(k)
    point, last = theirs["plocal"], len(robot) - 1
    for case in theirs["cases"]:
        q, dq = case["q"], case["dq"]
        state, ends = robot.state(q, dq), case["last_link"]
        poses = [by_columns(x) for x in case["T"]]
        close("poses", [state.pose(link) for link in robot], poses, EXACT)
        close("poses", kw.batch.poses(robot, [q]), poses, EXACT)
        for key, link in [("J_last", last), ("J_mid", theirs.get("mid_link", last))]:
            if key in case:
                close(key, state.jacobian(link, point), dense(case[key]), EXACT)
                close(key, robot.jacobian(q, link, point), dense(case[key]), EXACT)
                close(key, kw.batch.jacobians(robot, [q], link, point), dense(case[key]), EXACT)
        close("total_mass", robot.mass, case["total_mass"], EXACT)
        close("com", state.com(), case["com"], OF_MESHES)
        if "com_jacobian" in case:
            close("com_jacobian", state.com_jacobian(), dense(case["com_jacobian"]), OF_MESHES)
        close("com_velocity", state.com_velocity(), case["com_velocity"], OF_MESHES * largest(dq, 1.0))
        close("point_velocity", state.point_velocity(last, point), ends["point_velocity"], EXACT)
        close("angular_velocity", state.angular_velocity(last), ends["angular_velocity"], EXACT)
        acceleration = state.point_acceleration(last, case["ddq"], point)
        close("point_acceleration", acceleration, ends["point_acceleration"], EXACT)
        # below a prismatic link Klampt's are wrong
        if ends["agree_angular_acceleration"] < 1e-9:
            turning = state.angular_acceleration(last, case["ddq"])
            close("angular_acceleration", turning, ends["angular_acceleration"], EXACT)
        close("driver_values", state.driver_values, case["driver_values"], EXACT)
        close("driver_velocities", state.driver_velocities, case["driver_velocities"], EXACT)


@ROBOTS
def test_dynamics(k: int) -> None:
    robot, theirs, tolerance = load(k)
    for case in theirs["cases"]:
        q, dq, ddq, still = case["q"], case["dq"], case["ddq"], np.zeros(3)
        state, matrix, gravity = robot.state(q, dq), masses(case), theirs["gravity"]
        mine = state.mass_matrix()
        numbers: list[tuple[str, Any]] = [
            ("coriolis", state.coriolis_forces()),
            ("coriolis", state.bias_forces(still)),
            ("coriolis", state.coriolis_matrix() @ dq),
            ("gravity_forces", state.gravity_forces(gravity)),
            ("gravity_forces", robot.gravity_forces(q, gravity=gravity)),
            ("inverse_dynamics", state.inverse_dynamics(ddq, gravity=still)),
            ("inverse_dynamics", kw.batch.inverse_dynamics(robot, [q], [dq], [ddq], gravity=still)),
            ("kinetic_energy", state.kinetic_energy()),
            ("linear_momentum", state.linear_momentum()),
            ("angular_momentum_about_com", state.angular_momentum()),
            ("total_inertia", state.total_inertia()),
        ]
        if matrix is not None:
            numbers += [("mass_matrix", mine), ("mass_matrix", kw.batch.mass_matrices(robot, [q]))]
        if "mass_matrix_diag" in case:
            numbers += [("mass_matrix_diag", np.diag(mine)), ("mass_matrix_times_ddq", mine @ ddq)]
        for key, ours in numbers:
            expected = matrix if key == "mass_matrix" and matrix is not None else case[key]
            close(key, ours, expected, tolerance * largest(expected))
        if matrix is not None:
            check_accelerations(state, case, matrix, tolerance)


def check_accelerations(state: kw.State, case: dict[str, Any], matrix: np.ndarray, tolerance: float) -> None:
    """How well our acceleration solves their equation: their mass matrix may be near singular."""
    try:
        ddq = state.forward_dynamics(case["tau"], gravity=(0, 0, 0))
    except kw.Error:
        assert case["mass_matrix_cond"] in ("inf", "nan") or float(case["mass_matrix_cond"]) > 1e12
        return
    forces = matrix @ ddq + case["coriolis"]
    close("forces of the acceleration", forces, case["tau"], tolerance * largest(matrix) * largest(ddq))
    condition = float(case["mass_matrix_cond"])
    if condition < 1e6 and tolerance == EXACT:
        theirs = case["forward_dynamics"]
        close("forward_dynamics", ddq, theirs, tolerance * condition * largest(theirs))


@ROBOTS
def test_ways_between_configurations(k: int) -> None:
    robot, theirs, _ = load(k)
    before: dict[str, Any] = {}
    for case in theirs["cases"]:
        if "vs_previous" in case:
            way = case["vs_previous"]
            ends = (before["q"], case["q"])
            check_way(robot, *ends, way["interpolate"], way["interpolateDeriv"], way.get("distance"), EXACT)
        before = case


@ROBOTS
def test_collisions(k: int) -> None:
    robot, theirs, _ = load(k)
    skip_large(*(link.shape for link in robot))
    enabled = {frozenset(pair) for pair in robot.self_collision_pairs}

    def named(pairs: list[list[int]]) -> set[frozenset[str]]:
        return {frozenset(robot[i].name for i in pair) for pair in pairs}

    for case in theirs["cases"]:
        shocks = case["self_collision"]
        doubtful = named(shocks["ambiguous_pairs"])
        ours = {frozenset(pair) for pair in robot.state(case["q"]).self_collisions(allow_missing_geometry=True)}
        assert ours - doubtful == (named(shocks["pairs"]) & enabled) - doubtful
        if not doubtful and named(shocks["pairs"]) <= enabled:
            assert bool(ours) == shocks["any"]


@ROBOTS
def test_reduced(k: int) -> None:
    robot, theirs, _ = load(k)
    if "reduce" not in theirs:
        pytest.skip("Klampt was not asked")
    expected = theirs["reduce"]
    builder, where = robot.builder().reduce()
    reduced = builder.build()

    # a root that does not move stays a link here, and is a part of the world in Klampt
    root = reduced[0].placement if reduced[0].motion == "fixed" else np.eye(4)
    fixed = int(reduced[0].motion == "fixed")
    moving = [link for link in reduced][fixed:]
    assert all(link.motion != "fixed" for link in moving)
    parents = [-1 if link.parent is None else link.parent.index - fixed for link in moving]
    assert parents == expected["parents"] and len(moving) == expected["numLinks"]
    placements = [
        root @ link.placement if parent < 0 and fixed else link.placement
        for link, parent in zip(moving, parents, strict=True)
    ]
    # rotations of the file have seven digits: Klampt's products of them are no rotations
    close("placements", placements, [by_columns(x) for x in expected["T0"]], 1e-8)
    for i, new in enumerate(expected["dofmap"]):
        if new >= 0:
            assert where[i] == new + fixed, robot[i].name
