"""Problems of MotionBenchMaker in `data/golden/motion_bench.json`, with the Panda of the corpus.

``KINWORLD_CORPUS`` names the folder that has ``motion_bench/``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import kinworld as kw
from compare import folder, golden, pose, quietly

PROBLEMS = golden("motion_bench.json")


@cache
def panda(file: str) -> kw.Robot:
    root = folder("KINWORLD_CORPUS", "motion_bench")
    options = kw.LoadOptions(srdf=root / "panda.srdf", packages={"meshes": root / "meshes"})
    return quietly(lambda path: kw.Robot.load(path, options=options), root / file)


def obstacle(thing: dict[str, Any]) -> kw.Geometry:
    """A box, a sphere, or a cylinder, which is a capsule there; the pose is the upper three rows of a matrix."""
    rows, size = np.reshape(thing["pose"], (3, 4)), thing["size"]
    place = pose([*rows[:, :3].ravel(), *rows[:, 3]])
    if thing["type"] == "box":
        return kw.Geometry.box(size, place)
    if thing["type"] == "sphere":
        return kw.Geometry.sphere(size[0], place[:3, 3])
    half = place[:3, :3] @ [0, 0, 0.5 * size[0]]
    return kw.Geometry.capsule(place[:3, 3] - half, place[:3, 3] + half, size[1])


def world(robot: kw.Robot, problem: dict[str, Any]) -> kw.World:
    out = kw.World()
    out.add(robot)
    for i, thing in enumerate(problem["objects"]):
        out.add(kw.Terrain(f"obstacle {i}", obstacle(thing)))
    return out


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: f"{problem['family']}-{problem['index']}")
def test_a_path_is_found(problem: dict[str, Any]) -> None:
    place = world(panda("panda_spherized.urdf"), problem)
    space = place.space()
    start, goal = problem["start"], problem["goal"]
    assert space.is_free(start) and space.is_free(goal)
    found = space.plan(start, goal)
    assert found.path is not None, found.termination
    np.testing.assert_array_equal(found.path[[0, -1]], [start, goal])
    collider = place.collider()
    for a, b in zip(found.path, found.path[1:], strict=False):
        assert space.is_edge_free(a, b)
        between = [space.interpolate(a, b, u) for u in np.linspace(0, 1, 50)]
        assert collider.are_free(between).all()


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: f"{problem['family']}-{problem['index']}")
def test_its_start_is_free_with_meshes(problem: dict[str, Any]) -> None:
    """In places the meshes of the hand are wider than its spheres; never at the start."""
    robot = panda("panda.urdf")
    collider = world(robot, problem).collider()
    # the fingers are closed
    start = [*problem["start"], *np.zeros(robot.n_dofs - len(problem["start"]))]
    assert not collider.collides(start)
    assert collider.are_free([start]).all()
