"""Other libraries: the same poses and dynamics in Pinocchio, the same meshes in trimesh and Open3D."""

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

ROBOTS = ["arm6.urdf", "panda.urdf", "ur5.urdf", "scara.urdf", "gripper.rob", "mobile_arm.rob", "quadruped.rob"]


def load(path: Path, **options: Any) -> kw.Robot:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kw.LoadWarning)
        return kw.Robot.load(path, options=kw.LoadOptions(**options))


@pytest.mark.parametrize(("name", "base"), [*((name, "auto") for name in ROBOTS), ("panda.urdf", "floating")])
def test_pinocchio_computes_the_same(data: Path, name: str, base: str) -> None:
    pin = pytest.importorskip("pinocchio", reason="Pinocchio")
    robot = load(data / "robots" / name, base=base)
    there = interop.to_pinocchio(robot)
    armature = np.diag(robot.armature)
    rng = np.random.default_rng(2)
    lower, upper = (np.clip(x, -1, 1) for x in (robot.limits.lower, robot.limits.upper))
    for _ in range(3):
        q = lower + (upper - lower) * rng.uniform(size=robot.n_dofs)
        dq, ddq = rng.normal(size=(2, robot.n_dofs))
        welds = np.array(there.v_index) < 0
        q[welds], dq[welds], ddq[welds] = robot.initial_config[welds], 0, 0
        state = robot.state(q, dq)
        np.testing.assert_allclose(there.from_q(there.q(q)), q, atol=1e-12)
        np.testing.assert_array_equal(there.from_v(there.v(dq)), dq)
        pin.framesForwardKinematics(there.model, there.data, there.q(q))
        for link in robot:
            np.testing.assert_allclose(there.data.oMf[there.frame(link.name)].homogeneous, state.pose(link), atol=1e-8)
        mass = there.matrix(pin.crba(there.model, there.data, there.q(q)))
        mass = np.triu(mass) + np.triu(mass, 1).T if not np.allclose(mass, mass.T) else mass
        scale = np.abs(mass).max()
        moves = np.ix_(~welds, ~welds)
        np.testing.assert_allclose((mass + armature)[moves], state.mass_matrix()[moves], atol=1e-8 * scale)
        tau = there.from_v(pin.rnea(there.model, there.data, there.q(q), there.v(dq), there.v(ddq)))
        expected = state.inverse_dynamics(ddq)
        np.testing.assert_allclose((tau + armature @ ddq)[~welds], expected[~welds], atol=1e-7 * max(1.0, scale))


def test_wrong_lengths_are_refused(arm6: kw.Robot) -> None:
    pytest.importorskip("pinocchio", reason="Pinocchio")
    with pytest.raises(kw.Error, match="6 numbers"):
        interop.to_pinocchio(arm6).q([0])


def test_trimesh_has_the_same_mesh() -> None:
    trimesh = pytest.importorskip("trimesh", reason="trimesh")
    box = interop.to_trimesh(kw.Geometry.box((1, 2, 3)))
    assert box.volume == pytest.approx(6) and box.is_watertight
    ball = trimesh.creation.icosphere(radius=0.5)
    there = interop.from_trimesh(ball)
    assert there.n_triangles == len(ball.faces) and there.is_closed
    np.testing.assert_allclose(there.aabb_tight(), ball.bounds, atol=1e-12)


def test_open3d_has_the_same_mesh() -> None:
    pytest.importorskip("open3d", reason="Open3D")
    box = kw.Geometry.box((1, 2, 3))
    again = interop.from_open3d(interop.to_open3d(box))
    np.testing.assert_allclose(again.aabb_tight(), box.aabb_tight())
    cloud = kw.Geometry.point_cloud([[0, 0, 0], [1, 2, 3]])
    np.testing.assert_allclose(interop.from_open3d(interop.to_open3d(cloud)).points, cloud.points)


def test_yourdfpy_and_robot_descriptions(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # stands for both: what is used of them are one method and two paths
    text = (data / "robots/ur5.urdf").read_text()
    robot = load(data / "robots/ur5.urdf")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kw.LoadWarning)
        again = interop.from_yourdfpy(types.SimpleNamespace(write_xml_string=lambda: text.encode()), data / "robots")
        assert again.dof_names == robot.dof_names
        module = types.SimpleNamespace(URDF_PATH=str(data / "robots/ur5.urdf"), PACKAGE_PATH=str(data))
        monkeypatch.setitem(sys.modules, "robot_descriptions", types.ModuleType("robot_descriptions"))
        monkeypatch.setitem(sys.modules, "robot_descriptions.ur5_description", module)  # type: ignore[arg-type]
        assert interop.from_description("ur5_description").dof_names == robot.dof_names
    monkeypatch.setitem(sys.modules, "robot_descriptions.go2_mj_description", types.SimpleNamespace(MJCF_PATH="x"))  # type: ignore[arg-type]
    with pytest.raises(kw.Error, match="MJCF_PATH"):
        interop.from_description("go2_mj_description")
