"""From a start and a pose to a motion within limits, for the Panda: `python end_to_end.py FOLDER [SEEDS] [STRIDE]`.

`FOLDER` holds `problems.json`, which `problems.py` writes, `panda.urdf`, `panda.srdf` and `meshes`. The goal is the pose of
the hand in the goal of the problem. Each program finds a configuration, a path without collisions, a shorter one and a
motion: kinworld within limits of velocity, acceleration, jerk and torque, RoboPlan, where it is installed, within those
of velocity and acceleration, for it has no others. "smooth" is kinworld with B-splines in place of rounded corners. OMPL, where it is installed, is asked for the path: RRT-Connect and its
simplification with the checks and the goals of kinworld, whose motion follows. In turns, one thread each. All motions
are checked with the exact meshes at steps of 0.002 rad, where values beyond limits of joints count as at them, and where
they end.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import kinworld as kw

try:
    import roboplan.core as rp
    from roboplan.rrt import RRT, RRTOptions
    from roboplan.simple_ik import SimpleIk, SimpleIkOptions
    from roboplan.toppra import PathParameterizerTOPPRA, SplineFittingMode, TOPPRAOptions
except ImportError:
    rp = None

try:
    from kinworld import ompl as kw_ompl
    from ompl import util as ompl_util

    ompl_util.setLogLevel(ompl_util.LOG_ERROR)
except ImportError:
    kw_ompl = None

# of the arm's data sheet
ACCELERATION = [15.0, 7.5, 10.0, 12.5, 15.0, 20.0, 20.0]
JERK = [7500.0, 3750.0, 5000.0, 6250.0, 7500.0, 10000.0, 10000.0]
HAND = "panda_hand"
SPHERES = 32
DEVIATION = 0.05
# seconds for a plan
MOST = 1.0


def obstacles(problem: dict[str, Any]) -> list[tuple[np.ndarray, str, list[float]]]:
    found = []
    for thing in problem["objects"]:
        pose = np.eye(4)
        pose[:3] = np.reshape(thing["pose"], (3, 4))
        found.append((pose, thing["type"], thing["size"]))
    return found


def rows_of(motion: kw.SmoothTrajectory) -> np.ndarray:
    times = [*np.arange(0, motion.duration, 0.002), motion.duration]
    return np.array([motion.at(t) for t in times])


class Ours:
    def __init__(self, robot: kw.Robot, problem: dict[str, Any]) -> None:
        world = kw.World()
        world.add(robot)
        for i, (pose, kind, size) in enumerate(obstacles(problem)):
            shape = kw.Geometry.box(size) if kind == "box" else kw.Geometry.cylinder(size[1], size[0])
            world.add(kw.Terrain(f"obstacle{i}", shape.transformed(pose)))
        world.robots[0].set_config(problem["start"])
        self.robot = robot
        self.exact = world.space()
        self.space = self.exact.with_sphere_prefilter(SPHERES)
        # as a plan is checked
        self.fine = self.space.with_resolution(self.space.resolution / 4)
        limits = kw.MotionLimits.of(robot)
        self.limits = limits.with_acceleration(ACCELERATION).with_jerk(JERK)
        self.start = problem["start"]

    def solve(self, pose: np.ndarray, seed: int) -> tuple[np.ndarray, float, np.ndarray, list[float]] | None:
        began = time.perf_counter()
        goal = kw.ik.objective(HAND, pose=pose)
        plan = self.space.plan(self.start, goal, seed=seed, time=MOST)
        if not plan.found:
            return None
        planned = time.perf_counter()
        return self.follow(plan.path, began, planned)

    def follow(self, path: np.ndarray, began: float, planned: float) -> tuple[np.ndarray, float, np.ndarray, list[float]] | None:
        try:
            motion = self.fine.motion_along(path, self.limits, deviation=DEVIATION, robot=self.robot)
        except kw.Error as error:
            print("no motion:", error)
            return None
        done = time.perf_counter()
        wrong = motion.check(self.limits, robot=self.robot)
        if wrong:
            print("leaves its limits:", wrong)
        return path, motion.duration, rows_of(motion), [planned - began, done - planned]


class Smooth(Ours):
    """The same with a smooth curve in place of rounded corners; `rounded` counts paths that have none."""

    rounded = 0

    def follow(self, path: np.ndarray, began: float, planned: float) -> tuple[np.ndarray, float, np.ndarray, list[float]] | None:
        motion = self.fine.smooth_motion_along(path, self.limits, robot=self.robot)
        if motion is None:
            Smooth.rounded += 1
            return super().follow(path, began, planned)
        done = time.perf_counter()
        wrong = motion.check(self.limits, robot=self.robot)
        if wrong:
            print("leaves its limits:", wrong)
        return path, motion.duration, rows_of(motion), [planned - began, done - planned]


class Ompl:
    def __init__(self, ours: Ours) -> None:
        self.ours = ours
        self.states = kw_ompl.RobotStateSpace(ours.space, ours.robot)

    def solve(self, pose: np.ndarray, seed: int) -> tuple[np.ndarray, float, np.ndarray, list[float]] | None:
        began = time.perf_counter()
        setup = kw_ompl.Setup(self.states)
        setup.set_start(self.ours.start)
        setup.set_goal_region(kw.ik.objective(HAND, pose=pose), seed=seed)
        setup.setPlanner(kw_ompl.og.RRTConnect(setup.getSpaceInformation()))
        path = setup.plan(MOST)
        if path is None:
            return None
        return self.ours.follow(path, began, time.perf_counter())


class RoboPlan:
    def __init__(self, folder: Path, problem: dict[str, Any]) -> None:
        text = (folder / "panda.urdf").read_text().replace("package://", f"{folder.resolve()}/")
        scene = rp.Scene("panda", rp.loadUrdfSceneDescriptionFromXml(text))
        scene.importSrdf((folder / "panda.srdf").read_text())
        names = [f"panda_joint{i}" for i in range(1, 8)]
        limits = folder / "roboplan_limits.yaml"
        lines = [f"  {name}:\n    max_acceleration: [{a}]" for name, a in zip(names, ACCELERATION)]
        limits.write_text("joint_limits:\n" + "\n".join(lines) + "\n")
        scene.importJointLimitsFromConfig(rp.loadJointLimitsConfig(limits))
        for i, (pose, kind, size) in enumerate(obstacles(problem)):
            colour = np.ones(4)
            if kind == "box":
                scene.addBoxGeometry(f"obstacle{i}", "universe", rp.Box(*size), pose, colour)
            else:
                scene.addCylinderGeometry(f"obstacle{i}", "universe", rp.Cylinder(size[1], size[0]), pose, colour)
        # obstacles that overlap each other are no collision
        names_of = [f"obstacle{i}" for i in range(len(problem["objects"]))]
        scene.setCollisions([(a, b) for i, a in enumerate(names_of) for b in names_of[:i]], False)
        full = np.array(scene.getCurrentJointPositions())
        full[scene.getJointPositionIndices(names)] = problem["start"]
        scene.setJointPositions(full)
        self.scene, self.names = scene, names
        self.start = rp.JointConfiguration(names, np.array(problem["start"]))
        self.group = "panda_arm"
        self.timing = PathParameterizerTOPPRA(scene, self.group)

    def solve(self, pose: np.ndarray, seed: int) -> tuple[np.ndarray, float, np.ndarray, list[float]] | None:
        began = time.perf_counter()
        target = rp.CartesianConfiguration("panda_link0", HAND, np.asfortranarray(pose))
        # the defaults give up after 5 ms
        ik = SimpleIk(self.scene, SimpleIkOptions(group_name=self.group, max_time=MOST, max_restarts=1000))
        ik.setRngSeed(seed)
        goal = rp.JointConfiguration(self.names, np.array(self.start.positions))
        try:
            if not ik.solveIk(target, self.start, goal):
                return None
        except RuntimeError:
            # of 1000 samples none was free
            return None
        options = RRTOptions(
            group_name=self.group, max_nodes=100_000, max_planning_time=MOST, rrt_connect=True, collision_check_step_size=0.05
        )
        rrt = RRT(self.scene, options)
        rrt.setRngSeed(seed)
        try:
            path = rrt.plan(self.start, goal)
        except RuntimeError:
            return None
        shortened = rp.PathShortcutter(self.scene, rp.PathShortcuttingOptions(group_name=self.group, seed=seed)).shortcut(path)
        planned = time.perf_counter()
        mode = TOPPRAOptions(dt=0.002, mode=SplineFittingMode.LinearBlend, max_blend_deviation=DEVIATION)
        try:
            motion = self.timing.generate(shortened, mode)
        except RuntimeError as error:
            print("no motion:", error)
            return None
        done = time.perf_counter()
        return np.array(shortened.positions), motion.times[-1], np.array(motion.positions), [planned - began, done - planned]


def is_free(space: Any, rows: np.ndarray) -> bool:
    """Whether all is free at steps of 0.002 rad between the rows."""
    steps = []
    for a, b in zip(rows[:-1], rows[1:]):
        n = max(1, int(np.ceil(np.linalg.norm(b - a) / 0.002)))
        steps.append(a + np.outer(np.arange(n) / n, b - a))
    all_rows = np.concatenate([*steps, rows[-1:]])
    bounds = space.bounds
    return bool(space.are_free(np.clip(all_rows, bounds[:, 0], bounds[:, 1])).all())


def main() -> None:
    warnings.simplefilter("ignore")
    folder = Path(sys.argv[1])
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    stride = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    options = kw.LoadOptions(srdf=folder / "panda.srdf", packages=None)
    robot = kw.Robot.load(folder / "panda.urdf", options=options)
    problems = json.loads((folder / "problems.json").read_text())[::stride]
    kinds = ["kinworld", "kinworld, smooth"] + (["RoboPlan"] if rp else []) + (["OMPL"] if kw_ompl else [])
    rows: dict[str, list[tuple[float, float, float, float]]] = {kind: [] for kind in kinds}
    failed = {kind: {"none": 0, "late": 0, "collides": 0, "elsewhere": 0} for kind in kinds}
    total = 0
    for problem in problems:
        ours = Ours(robot, problem)
        if not ours.exact.are_free(np.array([problem["start"], problem["goal"]])).all():
            # where an end collides with the exact meshes there is no motion
            print("no problem:", problem["family"], problem["index"])
            continue
        solvers = {"kinworld": ours, "kinworld, smooth": Smooth(robot, problem)} | ({"RoboPlan": RoboPlan(folder, problem)} if rp else {})
        solvers |= {"OMPL": Ompl(ours)} if kw_ompl else {}
        robot_view = kw.State(robot, problem["goal"])
        pose = robot_view.pose(HAND)
        # the meshes are compiled with the first question
        ours.solve(pose, seeds)
        solvers["kinworld, smooth"].solve(pose, seeds)
        total += seeds
        for seed in range(seeds):
            for kind, solver in solvers.items():
                found = solver.solve(pose, seed)
                if found is None:
                    failed[kind]["none"] += 1
                    continue
                path, duration, states, times = found
                if sum(times) > MOST:
                    failed[kind]["late"] += 1
                if not is_free(ours.exact, states):
                    failed[kind]["collides"] += 1
                at = kw.State(robot, states[-1]).pose(HAND)
                if np.abs(at - pose).max() > 2e-3:
                    failed[kind]["elsewhere"] += 1
                length = float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
                rows[kind].append((1e3 * times[0], 1e3 * times[1], length, duration))
    print(f"{total} plans: {len(problems)} problems, {seeds} seeds each; {Smooth.rounded} without a smooth curve")
    for kind in kinds:
        table = np.array(rows[kind])
        both = table[:, 0] + table[:, 1]
        print(kind, "found", len(table), failed[kind])
        for name, values in (("to a path, ms", table[:, 0]), ("to a motion from it, ms", table[:, 1]), ("both, ms", both), ("length, rad", table[:, 2]), ("duration, s", table[:, 3])):
            print(f"  {name:>24}:", "  ".join(f"p{p} {np.percentile(values, p):.3f}" for p in (50, 95, 99)), f"most {values.max():.3f}")


if __name__ == "__main__":
    main()
