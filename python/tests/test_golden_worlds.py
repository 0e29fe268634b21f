"""Klampt's numbers about the worlds, scenes and rigid objects of `data`, once more through Python."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import kinworld as kw
from compare import close, golden, pose
from conftest import DATA

FILES = ["klampt/arm6_cell.txt.json", "klampt/cell.xml.json"]

# Klampt's mesh vertices are single precision
SINGLE = 1e-7


def scene(file: str) -> kw.World:
    """The world in a file, or the one that a list of files makes."""
    path = DATA / file
    if path.suffix == ".xml":
        return kw.load(path)
    lines = path.read_text().splitlines()
    return kw.load(*(path.parent / line for line in lines if not line.startswith("#")))


def box(geometry: kw.Geometry | None) -> np.ndarray:
    assert geometry is not None
    corners = geometry.aabb_tight()
    assert corners is not None
    return np.asarray(corners + geometry.margin * np.array([[-1.0], [1.0]]))


def check_object(ours: kw.RigidObject | kw.RigidObjectView, theirs: dict[str, Any]) -> None:
    assert ours.name == theirs["name"]
    close("pose", ours.pose, pose(theirs["pose"]), 1e-12)
    close("velocity", ours.velocity, theirs["velocity"], 0.0)
    close("angular velocity", ours.angular_velocity, theirs["angular_velocity"], 0.0)
    close("mass", [ours.mass, ours.inertia.mass], 2 * [theirs["mass"]], 0.0)
    close("com", ours.inertia.com, theirs["com"], SINGLE)
    close("inertia", ours.inertia.moment, theirs["inertia"], SINGLE)
    surface = [float(theirs[key]) for key in ("friction", "restitution", "stiffness", "damping")]
    assert list(ours.contact) == surface
    close("box", box(ours.geometry), theirs["box"], SINGLE)


@pytest.mark.parametrize("theirs", golden("klampt/objects.json")["objects"], ids=lambda theirs: theirs["name"])
def test_rigid_objects(theirs: dict[str, Any]) -> None:
    check_object(kw.RigidObject.load(DATA / theirs["file"]), theirs)


def test_contents_of_a_world() -> None:
    refs = golden("klampt/cell.xml.json")
    world = scene(refs["file"])
    for ours, theirs in zip(world.rigid_objects, refs["objects"], strict=True):
        check_object(ours, theirs)
        np.testing.assert_array_equal(ours.com, ours.inertia.com)
        np.testing.assert_array_equal(ours.moment, ours.inertia.moment)
    for terrain, corners in zip(world.terrains, refs["terrains"], strict=True):
        close(terrain.name, box(terrain.geometry), corners, 2 * SINGLE)
    for robot, q, root in zip(world.robots, refs["configs"], refs["roots"], strict=True):
        close(robot.name, robot.config, q, 0.0)
        close(robot.name, robot.robot.links[0].placement, pose(root), 1e-12)


@pytest.mark.parametrize("file", FILES)
def test_everything_has_klampts_number(file: str) -> None:
    refs = golden(file)
    world = scene(refs["file"])
    assert {str(number): entity.name for number, entity in world.klampt_ids} == refs["ids"]
    assert dict(world.klampt_ids)[refs["robot"]["id"]] == world.robot(refs["robot"]["name"]).entity


@pytest.mark.parametrize("file", FILES)
def test_collisions(file: str) -> None:
    refs = golden(file)
    world = scene(refs["file"])
    robot, collider = refs["robot"]["name"], world.collider()
    numbers = {entity: number for number, entity in world.klampt_ids}
    asked = 0
    for case in refs["cases"]:
        # all pairs of the world with the robot there
        world.robot(robot).config = case["q"]
        ours = {tuple(sorted((numbers[a], numbers[b]))) for a, b in world.collider().pairs()}
        theirs, doubtful = ({tuple(pair) for pair in case[key]} for key in ("colliding", "doubtful"))
        assert ours - doubtful == theirs - doubtful, case["q"]

        # those of the robot alone
        own = {number for entity, number in numbers.items() if entity.name.startswith(f"{robot}[")}
        expected = {pair for pair in theirs if own & set(pair)}
        pairs = collider.pairs(case["q"], robot)
        of_robot = {tuple(sorted((numbers[a], numbers[b]))) for a, b in pairs}
        assert of_robot - doubtful == expected - doubtful
        assert collider.collides(case["q"], robot) == bool(pairs)
        asked += len(theirs)
    assert asked > 3


@pytest.mark.parametrize("file", FILES)
def test_distances(file: str) -> None:
    refs = golden(file)
    world = scene(refs["file"])
    collider = world.collider()

    def margin(entity: kw.Entity) -> float:
        shape = world.geometry(entity)
        return 0.0 if shape is None else shape.margin

    for case in refs["cases"]:
        for theirs in case["distances"]:
            a, b = theirs["between"]
            ours = collider.distance(a, b, case["q"], refs["robot"]["name"])
            close(f"{a} and {b}", [ours.distance, float(ours)], 2 * [theirs["distance"]], 1e-6)
            # the nearest points need not be the same two, but they are as far apart
            assert ours.on_a is not None and ours.on_b is not None
            gap = ours.distance + margin(ours.a) + margin(ours.b)
            close(f"points of {a} and {b}", math.dist(ours.on_a, ours.on_b), gap, 1e-9)


@pytest.mark.parametrize("file", FILES)
def test_rays(file: str) -> None:
    refs = golden(file)
    world = scene(refs["file"])
    collider, hits = world.collider(), 0
    for case in refs["cases"]:
        for theirs in case["rays"]:
            # a direction of any length is the same ray
            direction = 3.0 * np.array(theirs["direction"])
            ours = collider.ray_cast(theirs["origin"], direction, case["q"], refs["robot"]["name"])
            assert (None if ours is None else ours.entity.name) == theirs["hit"], theirs["origin"]
            if ours is None:
                continue
            shape = world.geometry(ours.entity)
            # rays meet the shapes themselves here, and their margins in Klampt
            if shape is not None and shape.margin == 0.0:
                close("distance along the ray", ours.distance, theirs["distance"], 1e-6)
                close("point of the ray", ours.point, theirs["point"], 1e-6)
                hits += 1
    assert hits > 40
