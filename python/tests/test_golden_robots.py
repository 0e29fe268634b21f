"""What Klampt and Pinocchio say of a robot at no configuration in particular: links, limits, drivers, pairs, numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinworld as kw
from compare import close, golden, largest, pose, quietly
from conftest import DATA

FILES = [
    f"{kind}/{path.name}"
    for kind in ("klampt", "pinocchio")
    for path in sorted((DATA / "golden" / kind).glob("*"))
    if path.name.endswith((".rob.json", ".urdf.json"))
]

# the programs agree to rounding
EXACT = 1e-12


def test_every_robot_has_golden_numbers() -> None:
    robots = {path.name for path in (DATA / "robots").iterdir() if path.suffix in (".rob", ".urdf")}
    assert {Path(file).name.removesuffix(".json") for file in FILES} == robots


@pytest.mark.parametrize("file", FILES)
def test_links(file: str) -> None:
    refs = golden(file)
    robot = quietly(kw.Robot.load, DATA / refs["file"])
    close("mass", robot.mass, refs["mass"], EXACT)
    if "parent" in refs["links"][0]:
        check_links(robot, refs["links"], EXACT)
    else:
        assert {link["name"] for link in refs["links"]} <= {link.name for link in robot}


@pytest.mark.parametrize("file", FILES)
def test_limits(file: str) -> None:
    refs = golden(file)
    robot = quietly(kw.Robot.load, DATA / refs["file"])
    check_limits(robot, refs["limits"])
    if "initial" in refs:
        close("initial", robot.initial_config, refs["initial"], 1e-9)
        close("initial", robot.state().config, refs["initial"], 1e-9)


@pytest.mark.parametrize("file", [file for file in FILES if file.startswith("klampt")])
def test_drivers_pairs_and_numbers(file: str) -> None:
    refs = golden(file)
    robot = quietly(kw.Robot.load, DATA / refs["file"])
    check_drivers(robot, refs["drivers"], EXACT)
    names = [link.name for link in robot]
    enabled = {frozenset(names[i] for i in pair) for pair in refs["self_collision"]}
    assert {frozenset(pair) for pair in robot.self_collision_pairs} == enabled
    for i, a in enumerate(names):
        for b in names[:i]:
            assert robot.self_collision_enabled(a, b) == (frozenset((a, b)) in enabled)
    world = kw.World()
    world.add(robot)
    numbers = {number: (entity.kind, entity.link) for number, entity in world.klampt_ids}
    assert len(numbers) == refs["ids"]["count"]
    assert numbers[refs["ids"]["robot"]] == ("robot", None)
    assert [numbers[i] for i in refs["ids"]["links"]] == [("link", i) for i in range(len(robot))]


@pytest.mark.parametrize("file", FILES)
def test_ways_between_configurations(file: str) -> None:
    refs = golden(file)
    robot = quietly(kw.Robot.load, DATA / refs["file"])
    cases = refs["cases"]
    # the ferry has a floating base, whose coordinates are others in Pinocchio
    assert len(refs["between"]) == (0 if "ferry" in file else len(cases) - 1)
    for step, a, b in zip(refs["between"], cases, cases[1:], strict=False):
        check_way(robot, a["q"], b["q"], step["interpolate"], step["interpolate_deriv"], step.get("distance"), EXACT)


def check_links(robot: kw.Robot, links: list[dict[str, Any]], tolerance: float) -> None:
    """Parents, joints, axes, placements, masses: centres of mass and inertias to ``tolerance``."""
    assert [link.name for link in robot] == [link["name"] for link in links]
    for ours, theirs in zip(robot, links, strict=True):
        name = ours.name
        parent = -1 if ours.parent is None else ours.parent.index
        assert parent == (-1 if theirs["parent"] is None else theirs["parent"]), name
        joint = robot.joint_of(ours)
        assert joint is not None and joint.kind == theirs["joint"], name
        assert ours.motion == ("prismatic" if theirs["prismatic"] else "revolute"), name
        assert ours.axis is not None
        near = min(tolerance, 1e-9)
        close(f"axis of {name}", ours.axis, theirs["axis"], near)
        close(f"placement of {name}", ours.placement, pose(theirs["placement"]), near)
        close(f"mass of {name}", [ours.mass, ours.inertia.mass], 2 * [theirs["mass"]], near)
        close(f"com of {name}", ours.com, theirs["com"], tolerance)
        close(f"inertia of {name}", ours.moment, theirs["inertia"], tolerance * largest(theirs["inertia"], 0.0))
        if "triangles" in theirs:
            # degenerate triangles are left out there
            count = 0 if ours.shape is None else ours.shape.n_triangles
            assert 0 <= count - theirs["triangles"] <= count // 20, name


def check_limits(robot: kw.Robot, limits: dict[str, Any]) -> None:
    for key, ours in [
        ("q_min", robot.limits.lower),
        ("q_max", robot.limits.upper),
        ("v_max", robot.limits.velocity),
        ("a_max", robot.limits.acceleration),
        ("tau_max", robot.limits.torque),
    ]:
        if key in limits:
            close(key, ours, limits[key], 1e-9)


def check_drivers(robot: kw.Robot, drivers: list[dict[str, Any]], tolerance: float) -> None:
    assert len(robot.drivers) == len(drivers)
    for ours, theirs in zip(robot.drivers, drivers, strict=True):
        name = theirs["name"]
        assert (ours.name, ours.kind) == (name, theirs["type"])
        assert robot.driver(name).name == name
        # one that pushes against a base is listed with it there
        pushes = ours.kind in ("translation", "rotation")
        assert ours.links == (theirs["links"][:1] if pushes else theirs["links"]), name
        for key, numbers in [
            ("scale", ours.scale),
            ("offset", ours.offset),
        ]:
            if key in theirs:
                close(f"{key} of {name}", numbers, theirs[key], tolerance)
        for key, numbers in [
            ("position", ours.position),
            ("velocity", ours.velocity),
            ("acceleration", ours.acceleration),
            ("torque", ours.torque),
        ]:
            if key in theirs:
                close(f"{key} of {name}", numbers, theirs[key], 1e-9)


def check_way(
    robot: kw.Robot,
    a: list[float],
    b: list[float],
    between: dict[str, list[float]],
    derivative: list[float],
    distance: float | None,
    tolerance: float,
) -> None:
    """Interpolation at some places, its derivative at the start, and the distance."""
    for u, q in between.items():
        close(f"interpolation at {u}", robot.interpolate(a, b, float(u)), q, tolerance)
    # Klampt's derivative of the angles of a floating joint is not that of its interpolation
    free = {dof for joint in robot.joints if joint.kind == "floating" for dof in joint.dofs[3:]}
    kept = [i for i in range(robot.n_dofs) if i not in free]
    close("derivative", robot.interpolate_deriv(a, b)[kept], np.array(derivative)[kept], tolerance)
    if distance is not None:
        close("distance", robot.distance(a, b), distance, tolerance)
