"""Rotations, poses and angles of Klampt in `data/golden/rotations`, once more through Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import kinworld as kw
from compare import by_columns, close, golden
from kinworld import se3, so3

REFS = golden("rotations/klampt.json")
TURN = 2 * np.pi

# the references have twelve digits
TOLERANCE = 1e-10


def rotation(nine: list[float]) -> np.ndarray:
    return np.reshape(nine, (3, 3)).T


@pytest.mark.parametrize("k", range(len(REFS["so3_se3"])))
def test_rotations(k: int) -> None:
    check_rotations(REFS["so3_se3"][k])


@pytest.mark.parametrize("k", range(len(REFS["so3_se3"])))
def test_poses(k: int) -> None:
    check_poses(REFS["so3_se3"][k])


def test_angles_on_a_circle() -> None:
    check_angles(REFS["so2"])


def check_rotations(case: dict[str, Any]) -> None:
    a, b = rotation(case["R"]), rotation(case["R2"])
    for key, ours in [
        ("R", so3.exp(case["w"])),
        ("R2", so3.exp(case["w2"])),
        ("mul", a @ b),
        ("inv", so3.inverse(a)),
        ("interpolate_0.3", so3.interpolate(a, b, 0.3)),
        ("from_rpy", so3.from_rpy(case["rpy_in"])),
        ("R", so3.from_axis_angle(*case["axis_angle"])),
        ("R", so3.from_wxyz(case["quaternion_wxyz"])),
        ("R", so3.from_xyzw(np.roll(case["quaternion_wxyz"], -1))),
        ("R", so3.from_rpy(case["rpy_of_R"])),
    ]:
        close(key, ours, rotation(case[key]), TOLERANCE)
    close("rotation_vector", so3.log(a), case["rotation_vector"], TOLERANCE)
    close("error", so3.error(a, b), case["error"], TOLERANCE)
    close("distance", so3.distance(a, b), case["distance"], TOLERANCE)
    close("apply", a @ case["p"], case["apply"], TOLERANCE)
    axis, angle = so3.to_axis_angle(a)
    close("axis_angle", [*axis, angle], [*case["axis_angle"][0], case["axis_angle"][1]], TOLERANCE)

    # signs and multiples of full turns are a choice
    theirs = np.array(case["quaternion_wxyz"])
    theirs *= np.sign(theirs[0])
    close("quaternion_wxyz", so3.to_wxyz(a), theirs, TOLERANCE)
    close("quaternion_xyzw", so3.to_xyzw(a), np.roll(theirs, -1), TOLERANCE)
    close("rpy_of_R", np.mod(so3.to_rpy(a), TURN), np.mod(case["rpy_of_R"], TURN), TOLERANCE)


def check_poses(case: dict[str, Any]) -> None:
    a = se3.from_klampt((case["R"], case["t"]))
    b = se3.from_klampt((case["R2"], case["t2"]))
    for key, ours in [
        ("se3_mul", a @ b),
        ("se3_inv", se3.inverse(a)),
        ("se3_interpolate_0.3", se3.interpolate(a, b, 0.3)),
    ]:
        close(key, ours, by_columns(case[key]), TOLERANCE)
    close("homogeneous", a, case["homogeneous"], TOLERANCE)
    close("se3_error", se3.error(a, b), case["se3_error"], TOLERANCE)
    close("se3_distance", se3.distance(a, b), case["se3_distance"], TOLERANCE)
    close("se3_apply", (a @ [*case["p"], 1.0])[:3], case["se3_apply"], TOLERANCE)
    there = se3.from_xyzw(case["t"], np.roll(case["quaternion_wxyz"], -1))
    close("from_xyzw", there, case["homogeneous"], TOLERANCE)
    nine, three = se3.to_klampt(a)
    close("to_klampt", [*nine, *three], [*case["R"], *case["t"]], TOLERANCE)


def check_angles(cases: list[dict[str, Any]]) -> None:
    # a joint without limits turns on a circle
    builder = kw.RobotBuilder("wheel")
    builder.add_link("wheel", motion="revolute", axis=(0, 0, 1))
    builder.add_joint("spin", "wheel")
    wheel = builder.build()
    for case in cases:
        a, b = [case["a"]], [case["b"]]
        close("diff", wheel.difference(b, a), case["diff"], TOLERANCE)
        close("interp_0.3", np.mod(wheel.interpolate(a, b, 0.3), TURN), np.mod(case["interp_0.3"], TURN), TOLERANCE)
        close("distance", wheel.distance(a, b), abs(case["diff"]), TOLERANCE)
        turned = so3.to_axis_angle(so3.from_axis_angle((0, 0, 1), case["a"]))
        close("normalize_a", np.mod(turned[0][2] * turned[1], TURN), case["normalize_a"], TOLERANCE)
