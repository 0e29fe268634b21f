"""`kinworld.klampt`: the names that programs of Klampt use, against kinworld's own answers; see test_klampt_peer.py for Klampt's."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import kinworld as kw
import kinworld.klampt as klampt
from kinworld.klampt.math import se3, so3, vectorops
from kinworld.klampt.model import collide, ik
from kinworld.klampt.model.trajectory import RobotTrajectory, Trajectory
from kinworld.klampt.plan import robotplanning


@pytest.fixture
def world(data: Path) -> Iterator[klampt.WorldModel]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kw.LoadWarning)
        world = klampt.WorldModel()
        assert world.readFile(str(data / "worlds/cell.xml"))
        yield world


@pytest.fixture
def arm(data: Path) -> klampt.RobotModel:
    world = klampt.WorldModel()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kw.LoadWarning)
        assert world.readFile(str(data / "robots/arm6.urdf"))
    return world.robot(0)


def matrix(transform: tuple[list[float], list[float]]) -> np.ndarray:
    return kw.se3.from_klampt(transform)


def test_worlds(world: klampt.WorldModel, tmp_path: Path, data: Path) -> None:
    native = world.native
    assert (world.numRobots(), world.numRigidObjects(), world.numTerrains()) == (
        len(native.robots),
        len(native.rigid_objects),
        len(native.terrains),
    )
    for i in range(world.numRigidObjects()):
        element = world.rigidObject(i)
        assert world.rigidObject(element.getName()) is element
        np.testing.assert_array_equal(matrix(element.getTransform()), native.rigid_objects[i].pose)
    first = world.rigidObject(0)
    first.setTransform(so3.rotation((0, 0, 1), 0.5), [1, 2, 3])
    assert native.rigid_objects[0].pose[:3, 3].tolist() == [1, 2, 3]
    other = world.copy()
    other.rigidObject(0).setTransform(so3.identity(), [0, 0, 0])
    assert first.getTransform()[1] == [1, 2, 3]
    kept = world.rigidObject(1)
    world.remove(first)
    assert world.rigidObject(0) is kept
    box = world.makeRigidObject("box")
    box.geometry().setGeometricPrimitive(_box(0.1))
    assert box.geometry().getBBTight()[1] == pytest.approx([0.1] * 3)
    with pytest.warns(kw.LoadWarning, match="nowhere"):
        assert not world.readFile(str(data / "nowhere.xml"))


def _box(size: float) -> klampt.GeometricPrimitive:
    shape = klampt.GeometricPrimitive()
    shape.setAABB([0, 0, 0], [size] * 3)
    return shape


def test_robots(arm: klampt.RobotModel) -> None:
    rng = np.random.default_rng(1)
    state = arm.native
    links = [arm.link(i) for i in range(arm.numLinks())]
    q = [0.0] * arm.numLinks()
    lower, upper = arm.getJointLimits()
    for i, link in enumerate(links):
        if not math.isinf(lower[i]) and upper[i] > lower[i]:
            q[i] = float(rng.uniform(lower[i], upper[i]))
    arm.setConfig(q)
    assert arm.getConfig() == q
    flange = arm.link("flange")
    np.testing.assert_array_equal(matrix(flange.getTransform()), state.pose("flange"))
    p = [0.1, 0.2, 0.3]
    np.testing.assert_allclose(flange.getWorldPosition(p), state.world_position("flange", p))
    np.testing.assert_allclose(flange.getLocalPosition(flange.getWorldPosition(p)), p, atol=1e-12)
    jacobian = np.array(flange.getJacobian(p))
    moving = [i for i in range(arm.numLinks()) if np.any(jacobian[:, i])]
    np.testing.assert_allclose(jacobian[:, moving], state.jacobian("flange", p), atol=1e-15)
    assert arm.numDrivers() == len(state.robot.drivers)
    arm.driver(0).setValue(0.25)
    assert arm.driver(0).getValue() == pytest.approx(0.25)
    arm.randomizeConfig()
    assert all(a <= x <= b for a, x, b in zip(lower, arm.getConfig(), upper))
    half = arm.interpolate(q, arm.getConfig(), 0.5)
    assert arm.distance(q, half) == pytest.approx(arm.distance(half, arm.getConfig()))


def test_inverse_kinematics(arm: klampt.RobotModel) -> None:
    flange = arm.link("flange")
    arm.setConfig([0.1] * arm.numLinks())
    target = flange.getWorldPosition([0, 0, 0.1])
    arm.setConfig([0.0] * arm.numLinks())
    goal = ik.objective(flange, local=[0, 0, 0.1], world=target)
    assert ik.solve(goal, tol=1e-9)
    np.testing.assert_allclose(flange.getWorldPosition([0, 0, 0.1]), target, atol=1e-6)
    assert max(map(abs, ik.residual(goal))) < 1e-6
    solver = ik.solver(goal)
    step = 1e-6
    q = arm.getConfig()
    before = np.array(solver.getResidual())
    columns = np.array(solver.getJacobian())
    active = solver.getActiveDofs()
    for k, i in enumerate(active):
        moved = list(q)
        moved[i] += step
        arm.setConfig(moved)
        numeric = (np.array(solver.getResidual()) - before) / step
        np.testing.assert_allclose(columns[:, k], numeric, atol=1e-5)
    arm.setConfig(q)
    assert ik.solve_global(ik.objective(flange, R=flange.getTransform()[0], t=flange.getTransform()[1]))
    assert ik.solve_nearby(ik.fixed_objective(flange), maxDeviation=0.1)


def test_shapes() -> None:
    a, b = klampt.Geometry3D(), klampt.Geometry3D()
    a.setGeometricPrimitive(_box(1))
    b.setGeometricPrimitive(_box(1))
    b.setCurrentTransform(so3.identity(), [3, 0, 0])
    assert not a.collides(b) and a.distance(b).d == pytest.approx(2) and a.withinDistance(b, 2.1)
    hit, point = a.rayCast([0.5, 0.5, 5], [0, 0, -1])
    assert hit and point == pytest.approx([0.5, 0.5, 1])
    mesh = a.convert("TriangleMesh").getTriangleMesh()
    assert len(mesh.getIndices()) == 12 and len(mesh.getVertices()) == 8
    assert list(collide.self_collision_iter([a, b, a])) == [(0, 2)]


def test_collisions_of_a_world(world: klampt.WorldModel) -> None:
    native = world.native.collider()
    found = set()
    for a, b in collide.WorldCollider(world).collisions():
        found.add(frozenset((a[0].getName(), b[0].getName())))
    expected = {frozenset(entity.name.split("[")[-1].rstrip("]") for entity in pair) for pair in native.pairs()}
    assert expected <= found


def test_trajectories(arm: klampt.RobotModel) -> None:
    way = Trajectory([0, 1, 3], [[0, 0], [1, 2], [1, 0]])
    assert way.eval(2) == [1, 1] and way.deriv(2) == [0, -1] and way.duration() == 3
    assert way.eval(9) == [1, 0] and way.eval(3.5, "loop") == way.eval(0.5)
    assert way.getSegment(2) == (1, 0.5) and way.length() == pytest.approx(math.sqrt(5) + 2)
    assert len(way.discretize(0.5).times) == 7 and way.concat(way, relative=True, jumpPolicy="jump").duration() == 6
    a, b = [0.0] * arm.numLinks(), [0.2] * arm.numLinks()
    robot_way = RobotTrajectory(arm, [0, 2], [a, b])
    assert robot_way.eval(1) == arm.interpolate(a, b, 0.5)
    assert robot_way.length() == pytest.approx(arm.distance(a, b))


def test_plans(data: Path) -> None:
    world = klampt.WorldModel()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kw.LoadWarning)
        world.readFile(str(data / "robots/arm6.urdf"))
        world.readFile(str(data / "terrains/table.env"))
    robot = world.robot(0)
    goal = robot.getConfig()
    moving = [i for i, (a, b) in enumerate(zip(*robot.getJointLimits())) if b > a]
    goal[moving[0]], goal[moving[1]] = 1.0, 0.3
    plan = robotplanning.plan_to_config(world, robot, goal)
    assert plan is not None
    plan.planMore(1000)
    path = plan.getPath()
    assert path is not None and path[0] == robot.getConfig() and path[-1] == goal
    goal[moving[0]], goal[moving[1]] = 0.5, 1.0
    assert robotplanning.plan_to_config(world, robot, goal) is None


def test_maths() -> None:
    R = so3.rotation((0, 0, 1), math.pi / 2)
    assert so3.apply(R, (1, 0, 0)) == pytest.approx([0, 1, 0])
    T = (R, [1, 2, 3])
    assert se3.apply(se3.inv(T), se3.apply(T, (4, 5, 6))) == pytest.approx([4, 5, 6])
    assert vectorops.norm((3, 4)) == 5 and vectorops.interpolate((0, 0), (2, 4), 0.5) == [1, 2]


@pytest.mark.parametrize(
    ("path", "advice"),
    [
        ("Simulator", "kinworld.sim"),
        ("vis.show", "kinworld"),
        ("sim.Simulator", "kinworld.sim"),
        ("model.contact.Hold", "kinworld.contact"),
        ("model.create.nothing", "kinworld"),
        ("io.ros.to_Path", "to_mesh"),
        ("plan.kinetrajopt.anything", "space"),
        ("math.symbolic.Context", "derivatives"),
        ("control.OmniRobotInterface", "kinworld.sim"),
        ("WorldModel.drawGL", "kinworld"),
        ("never_heard_of", "kinworld"),
    ],
)
def test_other_names_say_what_to_use(path: str, advice: str, world: klampt.WorldModel) -> None:
    found: object = klampt
    with pytest.raises(AttributeError, match=advice):
        for name in path.split("."):
            found = getattr(found, name)
            if found is klampt.WorldModel:
                found = world


def test_missing_methods_say_what_to_use(world: klampt.WorldModel, arm: klampt.RobotModel) -> None:
    for owner, name in [(arm, "sensor"), (arm.link(0), "setParent"), (world, "drawGL"), (arm, "getMassMatrixDeriv")]:
        with pytest.raises(AttributeError, match="instead: "):
            getattr(owner, name)


def test_a_function_is_minimized_where_the_goal_leaves_freedom(arm: klampt.RobotModel) -> None:
    n = arm.numLinks()
    moving = [i for i in range(n) if arm.link(i).name and arm._dofs[i] is not None]

    def effort(q: list[float]) -> float:
        return sum((q[i] - 0.1 * i) ** 2 for i in moving)

    def gradient(q: list[float]) -> list[float]:
        return [2 * (x - 0.1 * i) if i in moving else 0.0 for i, x in enumerate(q)]

    arm.setConfig([0.3 if i in moving else 0.0 for i in range(n)])
    goal = ik.objective(arm.link(n - 1), local=[0, 0, 0], world=arm.link(n - 1).getWorldPosition([0, 0, 0]))
    start = arm.getConfig()
    assert ik.solve(goal, tol=1e-8, secondary=(effort, gradient))
    least = effort(arm.getConfig())
    assert least < effort(start) - 1e-3
    solver = ik.solver(goal, tol=1e-8)
    assert np.max(np.abs(solver.getResidual())) < 1e-6
    # where it is least, the gradient is a combination of the rows of the goal's Jacobian
    jacobian, active = solver.getJacobian(), solver.getActiveDofs()
    down = np.array(gradient(arm.getConfig()))[active]
    assert np.linalg.norm(down - np.linalg.pinv(jacobian) @ (jacobian @ down)) < 1e-3 * np.linalg.norm(down)
    # and no step that keeps the goal is better
    rng, best = np.random.default_rng(1), arm.getConfig()
    for _ in range(20):
        tried = list(best)
        for i, x in zip(active, rng.normal(scale=0.02, size=len(active)), strict=True):
            tried[i] += x
        arm.setConfig(tried)
        assert solver.solve()
        assert effort(arm.getConfig()) > least - 1e-6
