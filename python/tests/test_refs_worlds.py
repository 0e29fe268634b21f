"""Klampt's answers about its example worlds, through Python: `klampt/worlds.json` of the reference folder.

``KINWORLD_CORPUS`` names the folder with Klampt's example files, ``KINWORLD_REFS`` that with the answers.
"""

from __future__ import annotations

import math
import os
from functools import cache
from typing import Any

import numpy as np
import pytest

import kinworld as kw
from compare import by_columns, close, corpus, largest, quietly, refs, skip_large

COUNT = 16
WORLDS = pytest.mark.parametrize("k", range(COUNT))

# Klampt's mesh vertices are single precision, and meshes here are metres in size
SINGLE = 1e-6


@cache
def load(k: int) -> tuple[kw.World, dict[str, Any]]:
    root, worlds = corpus(), refs("klampt/worlds.json")["worlds"]
    assert len(worlds) == COUNT
    path = root / worlds[k]["file"]
    try:
        return quietly(kw.load, path), worlds[k]
    except kw.LoadError as error:
        if path.exists() and "cannot be found" not in str(error):
            raise
        pytest.skip(f"{worlds[k]['file']}: files of it are not in the corpus")


@cache
def collider(k: int) -> kw.Collider:
    world, _ = load(k)
    shapes = [world.geometry(entity) for _, entity in world.klampt_ids if entity.kind != "robot"]
    skip_large(*shapes, triangles=20_000)
    return world.collider(allow_missing_geometry=True)


@WORLDS
def test_contents(k: int) -> None:
    world, theirs = load(k)
    ids = dict(world.klampt_ids)
    assert len(ids) == theirs["numIDs"]
    names = {number: ids[int(number)].name for number in theirs["names_by_id"]}
    assert names == theirs["names_by_id"]
    assert len(world.terrains) == theirs["numTerrains"]
    assert len(world.robots) == theirs["numRobots"]
    assert len(world.rigid_objects) == theirs["numRigidObjects"]
    for ours, expected in zip(world.rigid_objects, theirs["rigidObjects"], strict=True):
        what = f"{theirs['file']}: {ours.name}"
        assert ours.name == expected["name"]
        close(what, ours.pose, by_columns(expected["T"]), 1e-11)
        close(what, ours.mass, expected["mass"], 1e-11)
        close(what, ours.com, expected["com"], SINGLE)
        close(what, ours.moment, expected["inertia"], SINGLE * largest(expected["inertia"], 1e-6))
        close(what, ours.contact, expected["contact"], 1e-11)
        close(what, [ours.angular_velocity, ours.velocity], expected["velocity"], 1e-11)
    for robot, expected in zip(world.robots, theirs["robots"], strict=True):
        assert (robot.name, robot.robot.n_links) == (expected["name"], expected["numLinks"])
        close(robot.name, robot.config, expected["config"], 1e-11)
        close(robot.name, robot.robot[0].placement, by_columns(expected["base_T0"]), 1e-11)


@WORLDS
def test_boxes(k: int) -> None:
    world, theirs = load(k)
    entities = [*(t.entity for t in world.terrains), *(o.entity for o in world.rigid_objects)]
    for entity, expected in zip(entities, [*theirs["terrains"], *theirs["rigidObjects"]], strict=True):
        shape, place = world.geometry(entity), world.pose(entity)
        # its spheres and boxes have no triangles here
        if expected["geom"]["type"] == "TriangleMesh":
            assert shape is not None and place is not None
            corners = shape.aabb_tight(place)
            assert corners is not None
            close(f"box of {entity.name}", corners, expected["geom"]["bb_world"], 2 * SINGLE)


def at(world: kw.World, case: dict[str, Any]) -> dict[str, Any]:
    """Moves the robots to the configurations of a case; a query takes that of one, the only one of these worlds."""
    assert len(world.robots) == len(case["configs"]) <= 1
    return {"q": case["configs"][0]} if case["configs"] else {}


@WORLDS
def test_collisions(k: int) -> None:
    snapshot = collider(k)
    world, theirs = load(k)
    numbers = {entity: number for number, entity in world.klampt_ids}
    robots = {n for entity, n in numbers.items() if entity.kind == "link"}
    for case in theirs["cases"]:
        ours = {tuple(sorted((numbers[a], numbers[b]))) for a, b in snapshot.pairs(**at(world, case))}
        expected, doubtful = ({tuple(sorted(pair)) for pair in case[key]} for key in ("collisions", "ambiguous"))
        if case["configs"]:
            # with a configuration, the pairs of that robot
            expected = {pair for pair in expected if robots & set(pair)}
        assert ours - doubtful == expected - doubtful, theirs["file"]


@WORLDS
def test_distances(k: int) -> None:
    snapshot = collider(k)
    world, theirs = load(k)
    ids = dict(world.klampt_ids)
    for case in theirs["cases"]:
        for wanted in case["distances"]:
            a, b = (ids[i] for i in wanted["ids"])
            ours = snapshot.distance(a, b, **at(world, case))
            # Klampt tells how deep shapes are in each other as a negative distance
            expected = max(float(wanted["d"]), 0.0)
            close(f"{theirs['file']}: {a} and {b}", ours.distance, expected, SINGLE)
            if ours.on_a is None or ours.on_b is None:
                continue
            close("nearest points", math.dist(ours.on_a, ours.on_b), expected, SINGLE)


def test_most_nearest_points_are_klampts() -> None:
    """Between parallel faces and edges each picks another pair of points."""
    worlds = refs("klampt/worlds.json")["worlds"]
    if "KINWORLD_FULL" not in os.environ:
        pytest.skip("KINWORLD_FULL is not set")
    same = []
    for k, theirs in enumerate(worlds):
        try:
            world, snapshot = load(k)[0], collider(k)
        except pytest.skip.Exception:
            continue
        ids = dict(world.klampt_ids)
        for case in theirs["cases"]:
            for wanted in case["distances"]:
                a, b = (ids[i] for i in wanted["ids"])
                ours = snapshot.distance(a, b, **at(world, case))
                if ours.on_a is not None and ours.on_b is not None:
                    off = math.dist(ours.on_a, wanted["cp1"]) + math.dist(ours.on_b, wanted["cp2"])
                    same.append(off < 1e-5)
    assert len(same) > 300 and np.mean(same) > 0.8


@WORLDS
def test_tested_pairs(k: int) -> None:
    snapshot = collider(k)
    world, theirs = load(k)

    def is_mounted(a: kw.Entity, b: kw.Entity) -> bool:
        """Klampt tests no root link against terrains."""
        return a.kind == "link" and a.link == 0 and b.kind == "terrain"

    entities = [entity for _, entity in world.klampt_ids if entity.kind != "robot"]
    pairs = [(a, b) for i, a in enumerate(entities) for b in entities[:i]]
    shown = [(a, b) for a, b in pairs if {a, b} <= set(snapshot.elements) and snapshot.is_enabled(a, b)]
    counted = [pair for pair in shown if not is_mounted(*pair) and not is_mounted(*pair[::-1])]
    assert len(counted) == theirs["enabled_pair_count"]


@WORLDS
def test_rays(k: int) -> None:
    snapshot = collider(k)
    world, theirs = load(k)
    ids = dict(world.klampt_ids)
    for ray in theirs["rays"]:
        ours, hit = snapshot.ray_cast(ray["s"], ray["d"]), ray["hit"]
        assert (None if ours is None else ours.entity) == (None if hit is None else ids[hit["id"]]), ray
        if ours is not None:
            # the direction is a unit vector to twelve digits
            close("distance along the ray", ours.distance, hit["t"], 2 * SINGLE)
            close("point of the ray", ours.point, hit["pt"], 2 * SINGLE)
