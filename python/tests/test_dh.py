"""Denavit-Hartenberg tables: against matrices by hand, the numbers of other programs, and the robots' files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinworld as kw
from kinworld import dh

DATA = Path(__file__).parents[2] / "data"
GOLDEN = json.loads((DATA / "golden" / "dh" / "robots.json").read_text())


def rz(a: float) -> np.ndarray:
    return kw.se3.exp([0, 0, a, 0, 0, 0])


def rx(a: float) -> np.ndarray:
    return kw.se3.exp([a, 0, 0, 0, 0, 0])


def move(x: float, z: float) -> np.ndarray:
    return kw.se3.from_translation((x, 0, z))


def table(name: str) -> dh.DhTable:
    model: dict[str, Any] = GOLDEN["robots"][name]
    make = {
        "standard": lambda r: dh.Parameters.standard(theta=r[0], d=r[1], a=r[2], alpha=r[3]),
        "modified": lambda r: dh.Parameters.modified(alpha=r[0], d=r[1], theta=r[2], r=r[3]),
    }[model["convention"]]
    rows = [
        dh.DhRow(
            f"link{i + 1}",
            make(row["dh"]),
            inertia=kw.Inertia(row["mass"], row["com"], row["inertia"]),
            limits=row["limits"],
            torque=row["torque"],
            gains=[row["p"], 0, row["d"]],
        )
        for i, row in enumerate(model["rows"])
    ]
    return dh.DhTable(name, rows, base=model["base"], tool=model["tool"])


@pytest.mark.filterwarnings("ignore:.*triangle inequality:kinworld.LoadWarning")
@pytest.mark.parametrize("name", sorted(GOLDEN["robots"]))
def test_tables_are_the_files(name: str) -> None:
    rows = table(name)
    ours, file = rows.build(), kw.Robot.load(DATA / "robots" / f"{name}.urdf")
    q = np.sin(1.3 * np.arange(len(rows)))
    frames = rows.link_frames(q)
    for i, row in enumerate(rows.rows):
        for robot in (ours, file):
            np.testing.assert_allclose(robot.state(q).pose(row.name), frames[i], atol=1e-13)
    np.testing.assert_allclose(ours.state(q).gravity_forces(), file.state(q).gravity_forces(), atol=1e-11)
    np.testing.assert_array_equal(ours.limits.torque, file.limits.torque)
    # numbers alone
    model = GOLDEN["robots"][name]
    plain = kw.Robot.from_dh([row["dh"] for row in model["rows"]], model["convention"], tool=model["tool"])
    np.testing.assert_allclose(plain.state(q).pose("tool"), ours.state(q).pose("tool"), atol=1e-13)
    assert rows.is_serial and rows.row_links(1) == (2, 3)


def test_panda_has_the_frames_of_its_urdf() -> None:
    panda = table("panda")
    for case in GOLDEN["panda_urdf"]:
        joints, links = panda.joint_frames(case["q"]), panda.link_frames(case["q"])
        for i in range(7):
            ours = joints[i] if i == 6 else links[i]
            np.testing.assert_allclose(ours, case["links"][f"panda_link{i + 1}"], atol=1e-9)


def test_conventions_are_their_formulas() -> None:
    numbers = np.random.default_rng(1).normal(size=(4, 4))
    q = np.random.default_rng(2).normal(size=4)
    prismatic = [False, True, False, True]
    for convention in ("standard", "modified"):
        pose = np.eye(4)
        for row, x, slides in zip(numbers, q, prismatic):
            turn, slide = (0.0, x) if slides else (x, 0.0)
            if convention == "standard":
                theta, d, a, alpha = row
                pose = pose @ rz(theta + turn) @ move(0, d + slide) @ move(a, 0) @ rx(alpha)
            else:
                alpha, d, theta, r = row
                pose = pose @ rx(alpha) @ move(d, 0) @ rz(theta + turn) @ move(0, r + slide)
        robot = kw.Robot.from_dh(numbers, convention, prismatic=prismatic)
        np.testing.assert_allclose(robot.state(q).pose("link4"), pose, atol=1e-12)


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_tables_read_from_a_robot_move_as_it_does(convention: str) -> None:
    robot = kw.Robot.load(DATA / "robots" / "arm6.urdf")
    read = {"standard": dh.standard, "modified": dh.modified}[convention](robot, "flange")
    assert read.array.shape == (6, 4) and {row.parameters.convention for row in read.rows} <= {convention, "general"}
    built = read.build()
    assert dh.row_dofs(robot, "flange") == list(range(6))
    offsets = []
    for q in robot.sample(0, 5):
        values = dh.row_values(robot, "flange", q)
        last = read.link_frames(values)[-1] if read.tool is None else read.link_frames(values)[-1] @ read.tool
        np.testing.assert_allclose(last, robot.state(q).pose("flange"), atol=1e-9)
        np.testing.assert_allclose(built.state(values).pose(read.rows[-1].name), read.link_frames(values)[-1], atol=1e-9)
        offsets.append(values)
    assert len(offsets) == 5


def test_general_and_craig_rows() -> None:
    craig = dh.Parameters.from_craig(alpha=0.1, a=0.2, d=0.3, theta=0.4)
    np.testing.assert_allclose(craig.array, [0.1, 0.2, 0.4, 0.3])
    row = dh.DhRow("tilt", dh.Parameters.general(before=move(1, 0), axis=(1, 0, 0), after=move(0, 2)))
    frame = dh.DhTable("one", [row]).link_frames([0.5])[0]
    np.testing.assert_allclose(frame, move(1, 0) @ rx(0.5) @ move(0, 2), atol=1e-14)
    with pytest.raises(kw.Error, match="convention"):
        kw.Robot.from_dh([[0, 0, 0, 0]], "craig")
    with pytest.raises(kw.Error, match="previous"):
        dh.DhRow("a", craig, parent="nobody")


def test_inertia_identities() -> None:
    box = kw.Inertia.cuboid(2.0, (1, 2, 3)).transformed(kw.se3.from_translation((1, 2, 3)) @ rx(0.3))
    twist = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    np.testing.assert_allclose(box.momentum(twist), box.matrix @ twist)
    assert box.kinetic_energy(twist) == pytest.approx(0.5 * twist @ box.matrix @ twist)
    again = kw.Inertia.from_parameters(box.parameters)
    np.testing.assert_allclose(again.matrix, box.matrix, atol=1e-12)
    both = box + kw.Inertia.sphere(1.0, 0.5)
    np.testing.assert_allclose(both.matrix, box.matrix + kw.Inertia.sphere(1.0, 0.5).matrix, atol=1e-12)
    steiner = box.moment + 2 * ((box.com @ box.com) * np.eye(3) - np.outer(box.com, box.com))
    np.testing.assert_allclose(box.moment_about((0, 0, 0)), steiner)
    assert kw.Inertia.rod(12, 1).moment[0, 0] == pytest.approx(1)
    assert kw.Inertia.cylinder(2, 1, 3).moment[2, 2] == pytest.approx(1)
    assert kw.Inertia.capsule(1, 1, 1e-9).moment[0, 0] == pytest.approx(0.4)
