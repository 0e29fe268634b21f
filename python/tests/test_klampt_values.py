"""Klampt's names: their values are those of native calls, and those of Klampt where it is installed."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinworld as kw
import kinworld.klampt as klampt
from kinworld.klampt.io import loader
from kinworld.klampt.math import se3, so3
from kinworld.klampt.model import collide, config, create, ik, trajectory
from kinworld.klampt.plan import cspace, robotplanning

DATA = Path(__file__).parents[2] / "data"


def world_of(module: Any, file: str = "robots/arm6.rob") -> Any:
    world = module.WorldModel()
    assert world.readFile(str(DATA / file))
    return world


@pytest.fixture
def world() -> Any:
    return world_of(klampt, "worlds/cell.xml")


def test_a_configuration_has_one_number_per_link(world: Any) -> None:
    robot = world.robot(0)
    q = [0.1 * (i + 1) for i in range(robot.numLinks())]
    robot.setConfig(q)
    assert robot.getConfig() == pytest.approx(q)
    state = kw.load(DATA / "worlds/cell.xml").robots["arm"]
    state.set_config(q)
    name = robot.link(5).getName()
    R, t = robot.link(5).getTransform()
    assert np.reshape(R, (3, 3)).T == pytest.approx(state.pose(name)[:3, :3])
    assert t == pytest.approx(state.pose(name)[:3, 3].tolist())
    assert robot.link(5).getWorldPosition([0, 0, 0.1]) == pytest.approx(state.world_position(name, [0, 0, 0.1]).tolist())
    assert robot.getMassMatrix() == pytest.approx(state.mass_matrix())
    assert robot.getGravityForces([0, 0, -9.8]) == pytest.approx(state.gravity_forces([0, 0, -9.8]).tolist())


def test_handles_stay_valid(world: Any) -> None:
    second = world.rigidObject(1)
    name, count = second.getName(), world.numRigidObjects()
    world.remove(world.rigidObject(0))
    assert world.numRigidObjects() == count - 1
    assert second.getName() == name and second.index == 0
    with pytest.raises(kw.NotFoundError):
        world.rigidObject("none")


def test_shapes() -> None:
    a, b = create.box(1, 1, 1), create.sphere(0.5, type="GeometricPrimitive")
    b.setCurrentTransform(so3.identity(), [2, 0, 0])
    assert b.type() == "GeometricPrimitive" and b.getGeometricPrimitive().getType() == "sphere"
    assert a.distance(b).d == pytest.approx(1.0) and not a.collides(b)
    assert b.getBBTight() == ([1.5, -0.5, -0.5], [2.5, 0.5, 0.5])
    assert a.convert("PointCloud").getPointCloud().points.shape == (8, 3)
    hit, point = a.rayCast([-2, 0.1, 0.1], [1, 0, 0])
    assert hit and point == pytest.approx([-0.5, 0.1, 0.1])


def test_inverse_kinematics(world: Any) -> None:
    robot = world.robot(0)
    link = robot.link(5)
    R, t = link.getTransform()
    goal = ik.objective(link, R=R, t=t)
    assert max(map(abs, ik.residual(goal))) < 1e-12 and ik.jacobian(goal).shape == (6, 6)
    robot.setConfig([x + 0.1 for x in robot.getConfig()])
    before = ik.residual(goal)
    assert max(map(abs, before)) > 1e-2
    assert ik.solve(goal) and max(map(abs, ik.residual(goal))) <= 1e-3
    assert ik.solve_nearby(goal, 0.3) and ik.solve_global(goal)
    assert not ik.solve(ik.objective(link, local=[0, 0, 0], world=[50, 0, 0]), iters=20)


def test_collisions(world: Any) -> None:
    collider = collide.WorldCollider(world)
    tests = list(collider.collisionTests(bb_reject=False))
    assert len(tests) > 100 and not list(collider.collisions())
    collider.ignoreCollision(world.rigidObject(0))
    assert not collider.isCollisionEnabled(world.rigidObject(0))
    boxes = [create.box(1, 1, 1) for _ in range(3)]
    boxes[2].setCurrentTransform(so3.identity(), [5, 0, 0])
    assert list(collide.self_collision_iter(boxes)) == [(0, 1)]


def test_plans(world: Any) -> None:
    random.seed(1)
    robot = world.robot(0)
    q = robot.getConfig()
    plan = None
    while plan is None:
        robot.randomizeConfig()
        target = robot.getConfig()
        robot.setConfig(q)
        plan = robotplanning.plan_to_config(world, robot, target, verbose=False)
    plan.planMore(2000)
    path = plan.getPath()
    assert path is not None and path[0] == pytest.approx(q) and path[-1] == pytest.approx(target)
    assert all(plan.space.visible(a, b) for a, b in zip(path, path[1:]))


def test_a_plan_around_a_disc() -> None:
    class Disc(cspace.CSpace):
        def feasible(self, x: Any) -> bool:
            return self.inBounds(x) and (x[0] - 0.5) ** 2 + (x[1] - 0.5) ** 2 > 0.1

    random.seed(2)
    space = Disc()
    space.setBounds([(0, 1), (0, 1)])
    plan = cspace.MotionPlan(space)
    plan.setEndpoints([0.05, 0.05], [0.95, 0.95])
    plan.planMore(5000)
    path = plan.getPath()
    assert path is not None and len(path) > 2 and all(space.visible(a, b) for a, b in zip(path, path[1:]))
    with pytest.raises(RuntimeError, match="goal"):
        plan.setEndpoints([0.05, 0.05], [0.5, 0.5])


def test_trajectories(world: Any, tmp_path: Path) -> None:
    path = trajectory.Trajectory([0, 1, 3], [[0.0, 0.0], [1.0, 2.0], [3.0, 2.0]])
    assert path.eval(2) == [2.0, 2.0] and path.deriv(0.5) == [1.0, 2.0] and path.eval(9) == [3.0, 2.0]
    front, back = path.split(2)
    assert front.times == [0, 1, 2] and back.times == [2, 3]
    assert front.concat(back).eval(2.5) == path.eval(2.5)
    assert path.length() == pytest.approx(5**0.5 + 2)
    path.save(str(tmp_path / "a.path"))
    assert loader.load("auto", str(tmp_path / "a.path")).milestones == path.milestones
    robot = world.robot(0)
    q = robot.getConfig()
    poses = trajectory.RobotTrajectory(robot, [0, 1], [q, [x + 0.1 for x in q]]).getLinkTrajectory(5)
    assert poses.eval(0)[1] == pytest.approx(robot.link(5).getTransform()[1])


def test_configurations(world: Any) -> None:
    body = world.rigidObject(0)
    numbers = config.get_config(body)
    assert len(numbers) == 12 == config.num_config_params(body)
    config.set_config(body, [*numbers[:9], 1.0, 2.0, 3.0])
    assert body.getTransform()[1] == [1.0, 2.0, 3.0]
    assert se3.distance(body.getTransform(), body.getTransform()) == 0


@pytest.mark.parametrize(
    ("place", "name", "words"),
    [
        ("", "Simulator", "kinworld.sim"),
        ("", "VolumeGrid", "TriangleMesh"),
        ("", "foo", "kinworld.klampt"),
        ("model", "foo", "kinworld.klampt.model"),
        ("model", "contact", "kinworld.contact"),
        ("math", "symbolic", "inverse_dynamics_derivatives"),
        ("vis", "add", "kinworld.view"),
        ("sim", "batch", "kinworld.sim"),
        ("control", "OmniRobotInterface", "kinworld.sim"),
    ],
)
def test_other_names_advise(place: str, name: str, words: str) -> None:
    owner = getattr(klampt, place) if place else klampt
    with pytest.raises(AttributeError, match=words):
        getattr(owner, name)


def test_other_methods_advise(world: Any) -> None:
    for item, name, words in [
        (world, "drawGL", "view"), (world.robot(0), "mount", "attach"), (world.robot(0).link(0), "setAxis", "edit"),
        (world.rigidObject(0), "drawGL", "view"), (create.box(1, 1, 1), "getHeightmap", "grids"),
    ]:  # fmt: skip
        with pytest.raises(AttributeError, match=words):
            getattr(item, name)


# Klampt itself, in the same process; its worlds must outlive what is asked of their robots


@pytest.fixture
def pair() -> Any:
    peer = pytest.importorskip("klampt", reason="compares with Klampt")
    worlds = world_of(klampt), world_of(peer)
    yield worlds
    del worlds


def test_robots_equal_klampts(pair: Any) -> None:
    ours, theirs = (world.robot(0) for world in pair)
    n = theirs.numLinks()
    assert ours.numLinks() == n and ours.numDrivers() == theirs.numDrivers()
    rng = random.Random(5)
    lower, upper = theirs.getJointLimits()
    assert np.allclose(ours.getJointLimits(), (lower, upper))
    for _ in range(5):
        q = [rng.uniform(a, b) for a, b in zip(lower, upper)]
        dq = [rng.uniform(-1, 1) for _ in q]
        for robot in (ours, theirs):
            robot.setConfig(q)
            robot.setVelocity(dq)
        for i in range(n):
            a, b = ours.link(i), theirs.link(i)
            assert a.getName() == b.getName() and a.getParent() == b.getParent()
            for x, y in zip(a.getTransform(), b.getTransform()):
                assert x == pytest.approx(y, abs=1e-9)
            assert np.allclose(a.getJacobian([0.1, 0.2, 0.3]), b.getJacobian([0.1, 0.2, 0.3]), atol=1e-9)
            assert np.allclose(a.getPointVelocity([0.1, 0, 0]), b.getPointVelocity([0.1, 0, 0]), atol=1e-9)
        assert np.allclose(ours.getMassMatrix(), theirs.getMassMatrix(), atol=1e-8)
        assert np.allclose(ours.getCoriolisForces(), theirs.getCoriolisForces(), atol=1e-8)
        assert np.allclose(ours.getGravityForces((0, 0, -9.8)), theirs.getGravityForces((0, 0, -9.8)), atol=1e-8)
        assert np.allclose(ours.torquesFromAccel(dq), theirs.torquesFromAccel(dq), atol=1e-8)
        assert np.allclose(ours.getCom(), theirs.getCom(), atol=1e-9)
        assert ours.distance(q, lower) == pytest.approx(theirs.distance(q, lower))
        assert ours.interpolate(q, upper, 0.3) == pytest.approx(theirs.interpolate(q, upper, 0.3))
        assert ours.configToDrivers(q) == pytest.approx([theirs.driver(i).getValue() for i in range(theirs.numDrivers())])


def test_inverse_kinematics_equals_klampts(pair: Any) -> None:
    from klampt.model import ik as peer  # type: ignore[import-not-found, unused-ignore]

    goals = []
    for world, module in zip(pair, (ik, peer)):
        robot = world.robot(0)
        robot.setConfig([0.2] * robot.numLinks())
        goals.append(module.objective(robot.link(5), local=[0, 0, 0.1], world=[0.4, 0.1, 0.5]))
    assert ik.residual(goals[0]) == pytest.approx(peer.residual(goals[1]), abs=1e-9)
    assert np.allclose(ik.jacobian(goals[0]), peer.jacobian(goals[1]), atol=1e-9)


def test_mathematics_equals_klampts() -> None:
    pytest.importorskip("klampt", reason="compares with Klampt")
    from klampt.math import se3 as peer_se3, so3 as peer_so3  # type: ignore[import-not-found, unused-ignore]

    rng = random.Random(8)
    for _ in range(20):
        w, v = ([rng.uniform(-1.5, 1.5) for _ in range(3)] for _ in range(2))
        R, S = so3.from_rotation_vector(w), so3.from_rpy(v)
        assert pytest.approx(peer_so3.from_rotation_vector(w)) == R and pytest.approx(peer_so3.from_rpy(v)) == S
        for name in ("mul", "error", "distance"):
            assert getattr(so3, name)(R, S) == pytest.approx(getattr(peer_so3, name)(R, S)), name
        for name in ("rpy", "quaternion", "rotation_vector", "inv"):
            assert getattr(so3, name)(R) == pytest.approx(getattr(peer_so3, name)(R)), name
        assert so3.interpolate(R, S, 0.4) == pytest.approx(peer_so3.interpolate(R, S, 0.4))
        assert se3.error((R, v), (S, w)) == pytest.approx(peer_se3.error((R, v), (S, w)))


def test_shapes_equal_klampts() -> None:
    pytest.importorskip("klampt", reason="compares with Klampt")
    from klampt.math import so3 as peer_so3
    from klampt.model import create as peer  # type: ignore[import-not-found, unused-ignore]

    out = []
    for module, turn in ((create, so3), (peer, peer_so3)):
        a, b = module.box(1, 0.5, 0.3), module.box(0.2, 0.2, 0.2)
        b.setCurrentTransform(turn.from_rpy((0.3, 0.2, 0.1)), [1.0, 0.3, 0.1])
        out.append((a.distance(b).d, a.collides(b), b.getBBTight(), a.rayCast([-3, 0.1, 0.1], [1, 0, 0])[1]))
    for x, y in zip(*out):
        assert np.allclose(np.asarray(x, dtype=float), np.asarray(y, dtype=float), atol=1e-9)
