"""Steps of differential inverse kinematics of the Panda, beside RoboPlan's OInK: `python differential.py [COUNT]`.

Needs numpy and roboplan. A step of the hand towards a pose, within limits of position and velocity: near, so that no limit is active, and so
far that most steps are saturated. Prints the time of a step at the median, and what is beyond a limit of velocity. `cargo bench -p kinworld-benches --bench differential` prints
our times of the same steps; run both at once.
"""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

import numpy as np
from roboplan.core import CartesianConfiguration, Scene, loadUrdfSceneDescriptionFromXml
from roboplan.optimal_ik import FrameTask, FrameTaskOptions, Oink, PositionLimit, VelocityLimit

ARM = Path(__file__).parents[3] / "data/robots/panda.urdf"
DT, V_MAX, DAMPING = 0.01, np.ones(7), 1e-6


def moved(pose: np.ndarray, w: np.ndarray, v: np.ndarray) -> np.ndarray:
    """A pose after a rotation by a vector and a translation, both in world axes."""
    angle = np.linalg.norm(w)
    k = w / angle
    cross = np.array([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
    out = pose.copy()
    out[:3, :3] = (np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross) @ pose[:3, :3]
    out[:3, 3] += v
    return out


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    # a link and a joint of one name are one frame too many for it
    text = re.sub(r'<joint name="(\w+)" type="fixed"', r'<joint name="\1_fixed" type="fixed"', ARM.read_text())
    scene = Scene("panda", loadUrdfSceneDescriptionFromXml(text))
    scene.setRngSeed(1)
    oink = Oink(scene)
    hand = "link7"
    limits = [PositionLimit(oink), VelocityLimit(oink, DT, V_MAX)]
    direction = np.array([0.6, -0.5, 0.4])
    for name, speed in (("free", 0.2), ("saturated", 3.0)):
        times, beyond, failed = [], 0.0, 0
        for _ in range(count):
            q = np.array(scene.randomPositions())
            scene.setJointPositions(q)
            goal = moved(np.array(scene.forwardKinematics(q, hand)), direction * speed * DT, direction * speed * DT)
            task = FrameTask(oink, scene, CartesianConfiguration("", hand, goal), FrameTaskOptions())
            step = np.zeros(oink.num_variables)
            best = np.inf
            for _ in range(5):
                begin = time.perf_counter()
                try:
                    scene.setJointPositions(q)
                    oink.solveIk(scene, [task], limits, [], step, DAMPING)
                except RuntimeError:
                    failed += 1
                best = min(best, time.perf_counter() - begin)
            times.append(best)
            beyond = max(beyond, float((np.abs(step) / DT - V_MAX).max()))
        print(f"OInK, pose, {name}: {np.median(times) * 1e6:.2f} µs a step (best of 5, median), {np.percentile(times, 99) * 1e6:.1f} at p99; "
              f"largest excess of a velocity {beyond:.1e} rad/s; {failed} failures")


if __name__ == "__main__":
    main()
