"""OMPL on the problems of the Panda in `data/golden`: `python ompl_panda.py CORPUS [SECONDS]`.

`CORPUS` is the folder with `panda.urdf` and `panda.srdf` of MotionBenchMaker. First the edges per second of three ways to
check the same edges at the same resolution: the motion validator of `kinworld.ompl`, OMPL's own validator with a Python
function for each configuration, and, where it is installed, Klampt's geometry from the same function. Then times of planners.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from ompl import base as ob
from ompl import geometric as og
from ompl import util

import kinworld as kw
from kinworld.ompl import Setup, ValidityChecker, simple_setup

PROBLEMS = Path(__file__).parents[2] / "data/golden/motion_bench.json"
# AIT* is in the package of OMPL 1.7, and not in that of OMPL 2
PLANNERS = [getattr(og, name) for name in ("RRTConnect", "PRMstar", "BITstar", "AITstar") if hasattr(og, name)]


def obstacles(problem: dict[str, Any]) -> list[tuple[np.ndarray, kw.Geometry]]:
    shapes = []
    for thing in problem["objects"]:
        pose = np.eye(4)
        pose[:3] = np.reshape(thing["pose"], (3, 4))
        size = thing["size"]
        if thing["type"] == "box":
            shapes.append((pose, kw.Geometry.box(size)))
        else:
            height, radius = size
            shapes.append((pose, kw.Geometry.cylinder(radius, height)))
    return shapes


def world_of(robot: kw.Robot, problem: dict[str, Any]) -> kw.World:
    world = kw.World()
    world.add(robot)
    world.add(kw.Terrain("obstacles", kw.Geometry.group(obstacles(problem))))
    world.robots[0].set_config(problem["start"])
    return world


def setup_of(robot: kw.Robot, problem: dict[str, Any]) -> Setup:
    setup = simple_setup(world_of(robot, problem))
    setup.set_start(problem["start"])
    setup.set_goal(problem["goal"])
    return setup


def per_second(check: Callable[[np.ndarray, np.ndarray], bool], edges: list[tuple[np.ndarray, np.ndarray]]) -> tuple[float, list[bool]]:
    """Edges per second of processor time, the best of three rounds, and what was answered."""
    best, answers = 0.0, []
    for _ in range(3):
        began = time.process_time()
        answers = [check(a, b) for a, b in edges]
        best = max(best, len(edges) / (time.process_time() - began))
    return best, answers


def plain(setup: Setup) -> Any:
    """OMPL's own validator, with our check of a configuration as its function, at the resolution of the space."""
    states = setup.states
    information = ob.SpaceInformation(states.ompl)
    information.setStateValidityChecker(ValidityChecker(information, states))
    information.setStateValidityCheckingResolution(states.space.resolution / states.ompl.getMaximumExtent())
    information.setup()
    return information


def klampt(urdf: Path, ours: kw.Robot, problem: dict[str, Any], resolution: float) -> Callable[[np.ndarray, np.ndarray], bool] | None:
    try:
        from klampt import Geometry3D, TriangleMesh, WorldModel
    except ImportError:
        return None
    world = WorldModel()
    for i, (pose, shape) in enumerate(obstacles(problem)):
        vertices, triangles = shape.transformed(pose).to_mesh()
        geometry = Geometry3D()
        mesh = TriangleMesh()
        mesh.setVertices(np.ascontiguousarray(vertices))
        mesh.setIndices(np.ascontiguousarray(triangles, dtype=np.int32))
        geometry.setTriangleMesh(mesh)
        terrain = world.makeTerrain(f"obstacle{i}")
        terrain.geometry().set(geometry)
    with tempfile.TemporaryDirectory() as there:
        # it knows no packages
        copy = Path(there) / "panda.urdf"
        copy.write_text(urdf.read_text().replace("package://", f"{urdf.parent.resolve()}/"))
        if not world.readFile(str(copy)):
            return None
    # its WorldCollider fails in worlds with several terrains, therefore pair by pair
    robot = world.robot(0)
    walls = [world.terrain(i).geometry() for i in range(world.numTerrains())]
    links = [robot.link(i).geometry() for i in range(1, robot.numLinks())]
    links = [link for link in links if not link.empty()]
    if not links:
        return None
    # it knows no SRDF
    tested = {frozenset(pair) for pair in ours.self_collision_pairs}
    for i in range(robot.numLinks()):
        for j in range(i):
            pair = frozenset((robot.link(i).getName(), robot.link(j).getName()))
            robot.enableSelfCollision(i, j, pair in tested)
    full = np.array(robot.getConfig())
    names = [robot.link(i).getName() for i in range(robot.numLinks())]
    dofs = [names.index(f"panda_link{i}") for i in range(1, 8)]

    def free(a: np.ndarray, b: np.ndarray) -> bool:
        steps = max(1, int(np.ceil(np.linalg.norm(b - a) / resolution)))
        for k in range(steps + 1):
            full[dofs] = a + (b - a) * k / steps
            robot.setConfig(full.tolist())
            if robot.selfCollides() or any(link.collides(wall) for link in links for wall in walls):
                return False
        return True

    free.__dict__["world"] = world
    return free


def edges_of(setup: Setup, count: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Edges as RRT-Connect asks for them: from a free configuration towards another one, at most 1 rad long."""
    space, robot = setup.states.space, setup.states.robot
    rows = np.array(robot.sample(5, 40 * count))
    rows = rows[space.are_free(rows)]
    edges = []
    for a, b in zip(rows[0::2], rows[1::2]):
        length = float(np.linalg.norm(b - a))
        edges.append((a, a + (b - a) * min(1.0, 1.0 / length)))
    return edges[:count]


def main() -> None:
    folder = Path(sys.argv[1])
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 2.0
    util.setLogLevel(util.LOG_NONE)
    problems = json.loads(PROBLEMS.read_text())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kw.LoadWarning)
        robot = kw.Robot.load(folder / "panda.urdf", options=kw.LoadOptions(srdf=folder / "panda.srdf", packages=None))
    print(robot, f"resolution {setup_of(robot, problems[0]).states.space.resolution} rad", sep=", ")

    rates: dict[str, list[float]] = {}
    for problem in problems:
        setup = setup_of(robot, problem)
        setup.setup()
        edges = edges_of(setup, 300)
        states = [(setup.states.state(a), setup.states.state(b)) for a, b in edges]
        by_state = {id(a): pair for (a, _), pair in zip(edges, states)}
        fast, right = per_second(lambda a, b: setup.motion_validator.checkMotion(*by_state[id(a)]), edges)
        information = plain(setup)
        slow, same = per_second(lambda a, b: information.checkMotion(*by_state[id(a)]), edges)
        differing = sum(x != y for x, y in zip(right, same))
        rates.setdefault("kinworld, motion validator", []).append(fast)
        rates.setdefault("kinworld, a function per configuration", []).append(slow)
        other = klampt(folder / "panda.urdf", robot, problem, setup.states.space.resolution)
        if other is not None:
            rate, theirs = per_second(other, edges[:40])
            rates.setdefault("Klampt, a function per configuration", []).append(rate)
            differing_klampt = sum(x != y for x, y in zip(right, theirs))
        else:
            differing_klampt = -1
        free = sum(right)
        print(f"{problem['family']:>18} {problem['index']:>3}: {len(edges)} edges, {free} free; {differing} answers differ by the steps, {differing_klampt} of Klampt's 40")
    for name, values in rates.items():
        print(f"{name:>40}: median {statistics.median(values):>10,.0f} edges/s, least {min(values):>10,.0f}")

    print(f"\ntimes to a path, s, of {len(problems)} problems (limit {seconds} s; PRM*, BIT* and AIT* end at the first path)")
    for planner in PLANNERS:
        times, found = [], 0
        for problem in problems:
            setup = setup_of(robot, problem)
            setup.setPlanner(planner(setup.getSpaceInformation()))
            setup.setup()
            goal = ob.exactSolnPlannerTerminationCondition(setup.getProblemDefinition())
            limit = ob.timedPlannerTerminationCondition(seconds)
            began = time.perf_counter()
            setup.solve(ob.plannerOrTerminationCondition(goal, limit))
            times.append(time.perf_counter() - began)
            found += setup.haveExactSolutionPath()
        times.sort()
        print(f"{planner.__name__:>12}: {found}/{len(problems)} solved, median {statistics.median(times):.4f}, 95th percentile {times[int(0.95 * len(times))]:.4f}")


if __name__ == "__main__":
    main()
