"""`kinworld.klampt` beside Klampt itself, in one process: the same calls, the same numbers."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinworld as kw
import kinworld.klampt as ours
from conftest import DATA

theirs: Any = pytest.importorskip("klampt", reason="Klampt")

ROBOTS = ["planar3R.rob", "arm6.rob", "mobile_arm.rob", "gripper.rob", "quadruped.rob"]


def both(path: Path) -> tuple[Any, Any]:
    """A world of each."""
    worlds = ours.WorldModel(), theirs.WorldModel()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kw.LoadWarning)
        for world in worlds:
            assert world.readFile(str(path))
    return worlds


@pytest.mark.parametrize("name", ROBOTS)
def test_robots(name: str) -> None:
    mine, other = both(DATA / "robots" / name)
    a, b = mine.robot(0), other.robot(0)
    assert (a.getName(), a.numLinks(), a.numDrivers()) == (b.getName(), b.numLinks(), b.numDrivers())
    assert [a.link(i).getName() for i in range(a.numLinks())] == [b.link(i).getName() for i in range(b.numLinks())]
    for get in ("getConfig", "getJointLimits", "getVelocityLimits", "getAccelerationLimits", "getTorqueLimits"):
        np.testing.assert_allclose(getattr(a, get)(), getattr(b, get)(), err_msg=get)
    rng = np.random.default_rng(3)
    lower, upper = (np.clip(x, -1, 1) for x in a.getJointLimits())
    prismatic = any(a.link(i).isPrismatic() for i in range(a.numLinks()))
    last = a.numLinks() - 1
    for _ in range(5):
        q = (lower + (upper - lower) * rng.uniform(size=len(lower))).tolist()
        dq = rng.normal(size=len(q)).tolist()
        for robot in (a, b):
            robot.setConfig(q)
            robot.setVelocity(dq)
        for i in range(a.numLinks()):
            x, y = a.link(i), b.link(i)
            for one, two in zip(x.getTransform(), y.getTransform()):
                np.testing.assert_allclose(one, two, atol=1e-12)
            assert x.getParent() == y.getParent()
        p = rng.normal(size=3).tolist()
        x, y = a.link(last), b.link(last)
        for call in ("getWorldPosition", "getLocalPosition", "getWorldDirection", "getJacobian", "getPositionJacobian", "getPointVelocity"):
            np.testing.assert_allclose(getattr(x, call)(p), getattr(y, call)(p), atol=1e-10, err_msg=call)
        for call in ("getOrientationJacobian", "getVelocity", "getAngularVelocity"):
            np.testing.assert_allclose(getattr(x, call)(), getattr(y, call)(), atol=1e-10, err_msg=call)
        for call in ("getCom", "getMassMatrix", "getCoriolisForces", "getKineticEnergy"):
            np.testing.assert_allclose(getattr(a, call)(), getattr(b, call)(), atol=1e-8, rtol=1e-8, err_msg=call)
        np.testing.assert_allclose(a.getGravityForces([0, 0, -9.8]), b.getGravityForces([0, 0, -9.8]), atol=1e-8)
        np.testing.assert_allclose(a.torquesFromAccel(dq), b.torquesFromAccel(dq), atol=1e-8, rtol=1e-8)
        if not prismatic:
            # Klampt's are wrong for prismatic links below rotated parents
            np.testing.assert_allclose(a.accelFromTorques(dq), b.accelFromTorques(dq), atol=1e-6, rtol=1e-6)
        assert [a.driver(i).getValue() for i in range(a.numDrivers())] == pytest.approx(
            [b.driver(i).getValue() for i in range(b.numDrivers())]
        )
        half = (0.5 * np.array(q)).tolist()
        if name in ("mobile_arm.rob", "quadruped.rob"):
            # Klampt ends the process at the distance of configurations of a robot with a floating base
            continue
        assert a.distance(q, half) == pytest.approx(b.distance(q, half))
        np.testing.assert_allclose(a.interpolate(q, half, 0.3), b.interpolate(q, half, 0.3), atol=1e-12)


def test_worlds() -> None:
    mine, other = both(DATA / "worlds/cell.xml")
    for count in ("numRobots", "numRigidObjects", "numTerrains"):
        assert getattr(mine, count)() == getattr(other, count)()
    for i in range(mine.numRigidObjects()):
        a, b = mine.rigidObject(i), other.rigidObject(i)
        assert a.getName() == b.getName()
        for one, two in zip(a.getTransform(), b.getTransform()):
            np.testing.assert_allclose(one, two, atol=1e-12)
        np.testing.assert_allclose(a.getMass().getMass(), b.getMass().getMass())
        if not b.geometry().empty():
            np.testing.assert_allclose(a.geometry().getBBTight(), b.geometry().getBBTight(), atol=1e-5)


def test_distances_and_rays() -> None:
    shapes = []
    for klampt in (ours, theirs):
        box, ball = klampt.GeometricPrimitive(), klampt.GeometricPrimitive()
        box.setAABB([0, 0, 0], [1, 2, 3])
        ball.setSphere([0, 0, 0], 0.5)
        pair = []
        for primitive in (box, ball):
            shape = klampt.Geometry3D()
            shape.setGeometricPrimitive(primitive)
            pair.append(shape)
        shapes.append(pair)
    rng = np.random.default_rng(5)
    for _ in range(20):
        t = (4 * rng.normal(size=3)).tolist()
        answers = []
        for box, ball in shapes:
            mesh = box.convert("TriangleMesh")
            ball.setCurrentTransform([1, 0, 0, 0, 1, 0, 0, 0, 1], t)
            answers.append((mesh.collides(ball), max(mesh.distance(ball).d, 0.0)))
        assert answers[0][0] == answers[1][0]
        assert answers[0][1] == pytest.approx(answers[1][1], abs=1e-5)


@pytest.mark.parametrize("name", ["planar3R.rob", "arm6.rob"])
def test_inverse_kinematics(name: str) -> None:
    mine, other = both(DATA / "robots" / name)
    from klampt.model import ik as their_ik

    from kinworld.klampt.model import ik as our_ik

    for seed in range(5):
        rng = np.random.default_rng(seed)
        n = mine.robot(0).numLinks()
        q = rng.uniform(0.1, 0.5, size=n).tolist()
        results = []
        for world, ik in ((mine, our_ik), (other, their_ik)):
            robot = world.robot(0)
            link = robot.link(n - 1)
            robot.setConfig(q)
            target = link.getWorldPosition([0.1, 0, 0])
            robot.setConfig([0.2] * n)
            goal = ik.objective(link, local=[0.1, 0, 0], world=target)
            solver = ik.solver(goal)
            first = np.array(solver.getResidual()), np.array(solver.getJacobian())
            results.append((first, target, bool(ik.solve(goal)), link.getWorldPosition([0.1, 0, 0])))
        (one, target, solved, reached), (two, their_target, their_solved, _) = results
        np.testing.assert_allclose(target, their_target, atol=1e-12)
        np.testing.assert_allclose(one[0], two[0], atol=1e-12)
        np.testing.assert_allclose(one[1], two[1], atol=1e-12)
        assert solved >= their_solved
        if solved:
            np.testing.assert_allclose(reached, target, atol=2e-3)


def test_secondary_objectives_take_what_the_goal_leaves_free() -> None:
    mine, other = both(DATA / "robots/arm6.rob")
    from klampt.model import ik as their_ik

    from kinworld.klampt.model import ik as our_ik

    start = [0.2] * mine.robot(0).numLinks()

    def effort(q: Any) -> float:
        return sum((x - 0.4) ** 2 for x in q)

    def gradient(q: Any) -> Any:
        return [2 * (x - 0.4) for x in q]

    answers = []
    for world, ik in ((mine, our_ik), (other, their_ik)):
        robot = world.robot(0)
        n = robot.numLinks()
        robot.setConfig([0.3] * n)
        goal = ik.objective(robot.link(n - 1), local=[0, 0, 0], world=robot.link(n - 1).getWorldPosition([0, 0, 0]))
        elbow = ik.objective(robot.link(2), local=[0.1, 0, 0], world=robot.link(2).getWorldPosition([0.1, 0, 0]))
        robot.setConfig(start)
        solver = ik.solver(goal, iters=1000, tol=1e-6, secondary=elbow)
        residuals = np.array(solver.getSecondaryResidual())
        assert solver.minimize()
        after = float(np.linalg.norm(solver.getSecondaryResidual()))
        robot.setConfig(start)
        plain = ik.solver(goal, iters=1000, tol=1e-6)
        assert plain.minimize(effort, gradient)
        assert np.max(np.abs(plain.getResidual())) < 1e-5
        answers.append((residuals, after, effort(robot.getConfig())))
    (ours, after, least), (theirs, their_after, their_least) = answers
    np.testing.assert_allclose(ours, theirs, atol=1e-12)
    assert after <= their_after + 1e-6
    assert least <= their_least + 1e-4
