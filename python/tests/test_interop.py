"""Models and meshes of other packages: the same numbers as theirs, and back."""

from __future__ import annotations

import sys
import types
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinworld as kw
from kinworld import interop

DATA = Path(__file__).parents[2] / "data"
ROBOTS = sorted(path.name for path in (DATA / "robots").iterdir() if path.suffix in (".urdf", ".rob"))


def load(name: str) -> kw.Robot:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kw.LoadWarning)
        return kw.Robot.load(DATA / "robots" / name)


def motion(robot: kw.Robot, fixed: list[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    q, dq, ddq = robot.sample(5), rng.normal(size=robot.n_dofs), rng.normal(size=robot.n_dofs)
    for values in (q, dq, ddq):
        values[fixed] = 0
    return q, dq, ddq


@pytest.mark.parametrize("name", ROBOTS)
def test_pinocchio_has_the_same_poses_and_dynamics(name: str) -> None:
    pinocchio = pytest.importorskip("pinocchio", reason="pip install pin")
    robot = load(name)
    pin = interop.to_pinocchio(robot)
    data = pin.model.createData()
    q, dq, ddq = motion(robot, pin.fixed_dofs)
    state = robot.state(q, dq)
    free = [dof for dof in range(robot.n_dofs) if dof not in pin.fixed_dofs]

    pinocchio.framesForwardKinematics(pin.model, data, pin.q(q))
    compared = 0
    for index, frame in enumerate(pin.model.frames):
        if frame.type == pinocchio.FrameType.BODY and frame.name in robot:
            np.testing.assert_allclose(data.oMf[index].homogeneous, state.pose(frame.name), atol=1e-12)
            compared += 1
    assert compared >= pin.model.njoints - 1

    matrix = pinocchio.crba(pin.model, data, pin.q(q))
    matrix = np.triu(matrix) + np.triu(matrix, 1).T
    expected = state.mass_matrix()[np.ix_(free, free)]
    scale = np.abs(expected).max()
    np.testing.assert_allclose(pin.mass_matrix(q, matrix)[np.ix_(free, free)], expected, atol=1e-13 * scale)

    tau = pinocchio.rnea(pin.model, data, pin.q(q), pin.v(q, dq), pin.a(q, dq, ddq))
    expected = state.inverse_dynamics(ddq)[free]
    np.testing.assert_allclose(pin.forces(q, tau)[free], expected, atol=1e-12 * (1 + np.abs(expected).max()))

    a = pinocchio.aba(pin.model, data, pin.q(q), pin.v(q, dq), tau)
    np.testing.assert_allclose(pin.acceleration(q, dq, a), ddq, atol=1e-7)


@pytest.mark.parametrize("name", ROBOTS)
def test_coordinates_go_there_and_back(name: str) -> None:
    pytest.importorskip("pinocchio", reason="pip install pin")
    robot = load(name)
    pin = interop.to_pinocchio(robot)
    q, dq, ddq = motion(robot, pin.fixed_dofs)
    # turns of continuous joints are lost, the rest of a configuration is not
    np.testing.assert_allclose(np.exp(1j * (pin.config(pin.q(q)) - q))[robot_angles(robot)], 1, atol=1e-12)
    np.testing.assert_allclose(pin.q(pin.config(pin.q(q))), pin.q(q), atol=1e-12)
    np.testing.assert_allclose(pin.velocity(q, pin.v(q, dq)), dq, atol=1e-12)
    np.testing.assert_allclose(pin.acceleration(q, dq, pin.a(q, dq, ddq)), ddq, atol=1e-12)


def robot_angles(robot: kw.Robot) -> list[int]:
    return [link.dof for link in robot.links if link.motion == "revolute" and link.dof is not None]


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.filterwarnings("ignore::kinworld.LoadWarning")
def test_a_model_of_pinocchio_becomes_a_robot(name: str) -> None:
    pinocchio = pytest.importorskip("pinocchio", reason="pip install pin")
    model = interop.to_pinocchio(load(name)).model
    back = interop.from_pinocchio(model)
    data = model.createData()
    rng = np.random.default_rng(6)
    v, a = rng.normal(size=(2, model.nv))
    lower, upper = (np.clip(side, -1, 1) for side in (model.lowerPositionLimit, model.upperPositionLimit))
    q = pinocchio.randomConfiguration(model, lower, upper)
    ours = back.config(q)
    tau = pinocchio.rnea(model, data, back.q(ours), v, a)
    dq = back.velocity(ours, v)
    expected = back.robot.state(ours, dq).inverse_dynamics(back.acceleration(ours, dq, a))
    np.testing.assert_allclose(back.forces(ours, tau), expected, atol=1e-11 * (1 + np.abs(expected).max()))


def test_the_quaternion_of_a_floating_base_ends_with_w() -> None:
    pytest.importorskip("pinocchio", reason="pip install pin")
    robot = load("ferry.urdf")
    pin = interop.to_pinocchio(robot)
    q = np.zeros(10)
    q[:4] = 1, 2, 3, np.pi / 2
    np.testing.assert_allclose(pin.q(q)[:7], [1, 2, 3, 0, 0, np.sqrt(0.5), np.sqrt(0.5)], atol=1e-15)
    # a velocity along the joint's x is along -y of the hull, which is turned by 90°
    np.testing.assert_allclose(pin.v(q, np.eye(10)[0])[:6], [0, -1, 0, 0, 0, 0], atol=1e-15)


def test_slips_with_models_of_pinocchio() -> None:
    pytest.importorskip("pinocchio", reason="pip install pin")
    ferry = interop.to_pinocchio(load("ferry.urdf"))
    with pytest.raises(kw.Error, match=r"q: expected 10 numbers, found an array of shape \(3,\)"):
        ferry.q([0, 0, 0])
    upright = np.zeros(10)
    upright[4] = np.pi / 2
    with pytest.raises(kw.Error, match="pitch of ±90°"):
        ferry.velocity(upright, np.ones(10))
    drone = interop.to_pinocchio(load("drone.urdf"))
    assert drone.fixed_dofs == [10]
    with pytest.raises(kw.Error, match=r"dof 10 \('screws'\) is fixed at 0 in Pinocchio's model, but q has 0.5"):
        drone.q([0] * 10 + [0.5])


def test_a_spherical_joint_has_no_urdf() -> None:
    pinocchio = pytest.importorskip("pinocchio", reason="pip install pin")
    model = pinocchio.Model()
    model.addJoint(0, pinocchio.JointModelSpherical(), pinocchio.SE3.Identity(), "ball")
    with pytest.raises(kw.Error, match="joint 'ball': a URDF has no joint of Pinocchio's kind JointModelSpherical"):
        interop.from_pinocchio(model)


def wedge() -> kw.Geometry:
    return kw.Geometry.load(DATA / "formats/wedge.obj")


def check_shape(back: kw.Geometry, shape: kw.Geometry) -> None:
    vertices, triangles = shape.to_mesh()
    found, indices = back.to_mesh()
    np.testing.assert_array_equal(found, vertices)
    np.testing.assert_array_equal(indices, triangles)


def test_meshes_of_trimesh() -> None:
    trimesh = pytest.importorskip("trimesh", reason="pip install trimesh")
    check_shape(interop.from_trimesh(interop.to_trimesh(wedge())), wedge())
    box = interop.to_trimesh(kw.Geometry.box((1, 2, 3)))
    assert box.volume == pytest.approx(6) and box.is_watertight
    # a scene's meshes are where its graph puts them
    scene = trimesh.Scene()
    scene.add_geometry(trimesh.creation.box((1, 1, 1)), transform=kw.se3.from_translation((5, 0, 0)))
    lower, upper = interop.from_trimesh(scene).aabb_tight()
    np.testing.assert_allclose([lower[0], upper[0]], [4.5, 5.5])
    points = np.random.default_rng(0).normal(size=(20, 3))
    cloud = interop.to_trimesh(kw.Geometry.point_cloud(points))
    np.testing.assert_array_equal(interop.from_trimesh(cloud).points, points)


def test_meshes_of_open3d() -> None:
    open3d = pytest.importorskip("open3d", reason="pip install open3d")
    check_shape(interop.from_open3d(interop.to_open3d(wedge())), wedge())
    assert interop.to_open3d(kw.Geometry.box((1, 2, 3))).get_volume() == pytest.approx(6)
    points = np.random.default_rng(0).normal(size=(20, 3))
    cloud = interop.to_open3d(kw.Geometry.point_cloud(points))
    assert isinstance(cloud, open3d.geometry.PointCloud)
    np.testing.assert_array_equal(interop.from_open3d(cloud).points, points)


@pytest.mark.filterwarnings("ignore:.*:DeprecationWarning")
@pytest.mark.parametrize("name", ["panda.urdf", "arm6.urdf", "gripper.urdf"])
def test_urdf_objects_of_yourdfpy(name: str) -> None:
    pytest.importorskip("yourdfpy", reason="pip install yourdfpy")
    robot = load(name)
    urdf = interop.to_yourdfpy(robot, load_meshes=False, build_scene_graph=True)
    # yourdfpy moves mimic joints with those that they follow
    drivers = kw.DriverSpace(robot)
    q = drivers.config(drivers.dof_values(robot, robot.sample(3)))
    urdf.update_cfg(dict(zip(robot.dof_names, q)))
    for link in robot.links:
        np.testing.assert_allclose(urdf.get_transform(link.name), robot.pose(q, link), atol=1e-9)
    back = interop.from_yourdfpy(urdf, DATA / "robots", options=kw.LoadOptions(geometry=False))
    for link in robot.links:
        np.testing.assert_allclose(back.pose(q, link.name), robot.pose(q, link), atol=1e-9)
    with pytest.raises(TypeError, match="expected a yourdfpy.URDF, got Robot"):
        interop.from_yourdfpy(robot)


def test_a_description_loads_from_its_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package's modules are folders' paths; this one points to the repository's, so that nothing is downloaded."""
    module = types.ModuleType("robot_descriptions.arm6_description")
    module.URDF_PATH, module.PACKAGE_PATH, module.REPOSITORY_PATH = (str(DATA / part) for part in ("robots/arm6.urdf", "robots", "."))
    package = types.ModuleType("robot_descriptions")
    monkeypatch.setitem(sys.modules, "robot_descriptions", package)
    monkeypatch.setitem(sys.modules, "robot_descriptions.arm6_description", module)
    robot = interop.load_description("arm6_description")
    assert (robot.name, robot.n_dofs) == ("arm6", 6)
    del module.URDF_PATH
    with pytest.raises(kw.Error, match="'arm6_description' has no URDF"):
        interop.load_description("arm6_description")


@pytest.mark.parametrize("convert", [interop.from_trimesh, interop.from_open3d])
def test_what_is_no_mesh_is_refused_by_its_class(convert: Any) -> None:
    """Whether the other package is installed or not: its classes are known by their modules."""
    for wrong, message in (
        (np.zeros((3, 3)), r"got numpy.ndarray; arrays are for Geometry.mesh\(vertices, triangles\)"),
        ([[0, 0, 0]], "got builtins.list; arrays are for"),
        (kw.Geometry.sphere(1), "got kinworld.Geometry, which is a shape of kinworld already"),
        ("mesh.stl", r"got builtins.str; Geometry.load\(path\) reads files"),
        (None, "got builtins.NoneType"),
    ):
        with pytest.raises(TypeError, match=message):
            convert(wrong)


def test_a_misspelt_description_gets_advice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("panda_description", "panda_mj_description", "pr2_description", "_cache", "loaders"):
        (tmp_path / f"{name}.py").write_text("")
    package = types.ModuleType("robot_descriptions")
    package.__path__ = [str(tmp_path)]
    monkeypatch.setitem(sys.modules, "robot_descriptions", package)
    for wrong, meant in (("pandas_description", "panda_description"), ("panda", "panda_description"), ("PR2", "pr2_description")):
        with pytest.raises(kw.NotFoundError, match=f"has no '{wrong}'; did you mean '{meant}'.*; there are 3"):
            interop.load_description(wrong)
    with pytest.raises(kw.NotFoundError, match="has no 'xyzzy'; there are 3 descriptions"):
        interop.load_description("xyzzy")


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(ImportError, match=r"trimesh"):
        interop.to_trimesh(kw.Geometry.sphere(1))
