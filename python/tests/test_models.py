"""Models of MuJoCo, Gazebo and Drake: read, moved, planned with, written in other formats and read again."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import kinworld as kw

DATA = Path(__file__).parents[2] / "data"
ARM = DATA / "mjcf" / "arm.xml"
LINKAGE = DATA / "sdf" / "joints.sdf"


def load(file: Path) -> kw.Robot:
    """The robot of a file, of which parts are left out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kw.LoadWarning)
        return kw.Robot.load(file)


@pytest.mark.parametrize("file", [ARM, LINKAGE], ids=["mjcf", "sdf"])
def test_models_are_robots_as_any_other(file: Path) -> None:
    robot = load(file)
    q = np.array(robot.initial_config)
    state = robot.state(q)
    mass = state.mass_matrix()
    np.testing.assert_allclose(mass, mass.T, atol=1e-12)
    assert (np.linalg.eigvalsh(mass) > 0).all()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kw.LoadWarning)
        world = kw.load(file)
    assert len(world.robots) == 1


@pytest.mark.parametrize("suffix", ["mjcf", "sdf", "urdf"])
def test_a_robot_is_written_and_read_again(suffix: str, tmp_path: Path) -> None:
    arm = kw.Robot.load(DATA / "robots" / "arm6.urdf")
    path = tmp_path / f"arm.{suffix}"
    arm.save(path)
    again = kw.Robot.load(path)
    q = np.linspace(-0.5, 0.5, arm.n_dofs)
    np.testing.assert_allclose(again.state(q).mass_matrix(), arm.state(q).mass_matrix(), rtol=0, atol=1e-11)


def test_the_format_of_an_xml_is_asked_for(tmp_path: Path) -> None:
    arm = kw.Robot.load(DATA / "robots" / "arm6.urdf")
    with pytest.raises(kw.Error, match="robots are not written as .xml"):
        arm.save(tmp_path / "arm.xml")
    arm.save(tmp_path / "arm.xml", format="mjcf")
    assert kw.io.kind(tmp_path / "arm.xml") == "mjcf"
    kw.io.convert(ARM, tmp_path / "copy.xml", format="mjcf")
    assert kw.io.kind(tmp_path / "copy.xml") == "mjcf"
    with pytest.raises(ValueError, match="no format named `step`"):
        arm.save(tmp_path / "arm.x", format="step")


def test_losses_are_said(tmp_path: Path) -> None:
    said = [str(lost) for lost in load(ARM).save(tmp_path / "arm.sdf")]
    assert any("sensors are not kept" in text for text in said), said
    assert any("named states are not kept" in text for text in said), said
