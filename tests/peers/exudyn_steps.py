"""Steps per second of chains of revolute joints, and of a redundant arm, of kinworld and Exudyn in one run.

    cargo bench -p kinworld-benches --bench simulate   # first, on the same machine
    python tests/peers/exudyn_steps.py

Both sides integrate the same chains from rest under gravity, with the same method and step, and record nothing. The redundant arm
of six joints has six coordinates per link, and implicit steps of 1 ms on both sides. Exudyn runs twice, for few and for
many steps: the difference excludes the overhead of a call. Its processor time is measured, which excludes other programs; ours is
the median of wall time.
"""

import json
import sys
import time
from pathlib import Path

import exudyn as exu
import numpy as np
from exudyn.robotics import Robot, RobotBase, RobotLink, RobotTool
from exudyn.utilities import (
    MarkerBodyRigid,
    NodeGenericODE2,
    ObjectGround,
    ObjectKinematicTree,
)

ROOT = Path(__file__).resolve().parents[2]
METHODS = {"rk44": exu.DynamicSolverType.RK44, "rk67": exu.DynamicSolverType.RK67}
SIZES = [3, 6, 20, 50]
STEP = 1e-4
REDUNDANT = {
    "generalized_alpha": exu.DynamicSolverType.GeneralizedAlpha,
    "trapezoidal": exu.DynamicSolverType.TrapezoidalIndex2,
}
LONG_STEP = 1e-3


def chain(n):
    """The chain of benches/simulate.rs."""
    system = exu.SystemContainer()
    mbs = system.AddSystem()
    turned = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    node = mbs.AddNode(
        NodeGenericODE2(
            referenceCoordinates=[0.0] * n,
            initialCoordinates=[0.0] * n,
            initialCoordinates_t=[0.0] * n,
            numberOfODE2Coordinates=n,
        )
    )
    mbs.AddObject(
        ObjectKinematicTree(
            nodeNumber=node,
            jointTypes=[exu.JointType.RevoluteZ] * n,
            linkParents=list(range(-1, n - 1)),
            jointTransformations=exu.Matrix3DList([np.eye(3)] + [turned] * (n - 1)),
            jointOffsets=exu.Vector3DList([[0, 0, 0]] + [[1, 0, 0]] * (n - 1)),
            linkInertiasCOM=exu.Matrix3DList([np.diag([0.01, 0.2, 0.2])] * n),
            linkCOMs=exu.Vector3DList([[0.5, 0, 0]] * n),
            linkMasses=[2.0] * n,
            gravity=[0, 0, -9.81],
        )
    )
    mbs.Assemble()
    return system, mbs, node


def run(n, method, steps):
    """Seconds of a run, and the final coordinates."""
    _system, mbs, node = chain(n)
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = steps * STEP
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = 1e9
    settings.displayComputationTime = False
    begin = time.process_time()
    mbs.SolveDynamic(settings, solverType=METHODS[method])
    return time.process_time() - begin, mbs.GetNodeOutput(node, exu.OutputVariableType.Coordinates)


def arm(n):
    """The same chain with six coordinates and a joint for each link."""
    system = exu.SystemContainer()
    mbs = system.AddSystem()
    turned = np.array([[1.0, 0, 0, 1], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
    robot = Robot(
        gravity=[0, 0, -9.81],
        base=RobotBase(HT=np.eye(4)),
        tool=RobotTool(HT=np.eye(4)),
        referenceConfiguration=[],
    )
    for i in range(n):
        link = RobotLink(
            mass=2.0,
            COM=[0.5, 0, 0],
            inertia=np.diag([0.01, 0.2, 0.2]),
            jointType="Rz",
            preHT=np.eye(4) if i == 0 else turned,
        )
        robot.AddLink(link)
    ground = mbs.AddObject(ObjectGround())
    base = mbs.AddMarker(MarkerBodyRigid(bodyNumber=ground))
    robot.CreateRedundantCoordinateMBS(mbs=mbs, baseMarker=base)
    mbs.Assemble()
    return system, mbs


def run_redundant(n, method, steps):
    """Seconds of a run."""
    _system, mbs = arm(n)
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = steps * LONG_STEP
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.7
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = 1e9
    settings.displayComputationTime = False
    begin = time.process_time()
    mbs.SolveDynamic(settings, solverType=REDUNDANT[method])
    return time.process_time() - begin


def best(run, few, many):
    """Seconds per step: the best of five differences."""
    return min((run(many) - run(few)) / (many - few) for _ in range(5))


def theirs(n, method):
    """Seconds per step of a tree."""
    return best(lambda steps: run(n, method, steps)[0], 100, 100 + max(400, 20000 // n))


def ours(group, case):
    """Seconds per step, measured by criterion."""
    path = ROOT / "target/criterion" / f"steps_{group}" / case / "new/estimates.json"
    return json.loads(path.read_text())["median"]["point_estimate"] * 1e-9 / 100


def main():
    exu.SetWriteToConsole(False)
    print(f"exudyn {exu.GetVersionString()}, python {sys.version.split()[0]}")
    print("| method | links | ours, steps/s | Exudyn, steps/s | speed-up |")
    print("|---|---|---|---|---|")
    for method in METHODS:
        for n in SIZES:
            a, b = ours(method, str(n)), theirs(n, method)
            print(f"| {method} | {n} | {1 / a:,.0f} | {1 / b:,.0f} | {b / a:.1f} |")
    for method in REDUNDANT:
        a = ours("redundant", method)
        b = best(lambda steps, method=method: run_redundant(6, method, steps), 100, 1100)
        print(f"| {method}, redundant | 6 | {1 / a:,.0f} | {1 / b:,.0f} | {b / a:.1f} |")


if __name__ == "__main__":
    main()
