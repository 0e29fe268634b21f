"""Exudyn's arms and the limb of piglets in `data/golden/exudyn_refs.json`: tables, frames, Jacobians, torques, wrenches,
and their motion in redundant coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import kinworld as kw
import trees
from compare import close, golden
from kinworld import dh, sim, wrench

REFS = golden("exudyn_refs.json")
ARMS, PIGLET = REFS["robots"], REFS["piglet"]


def khalil(row: list[float]) -> dh.Parameters:
    alpha, d, theta, r = row
    return dh.Parameters.modified(alpha=alpha, d=d, theta=theta, r=r)


def test_rows() -> None:
    for case in ARMS["dh"]["std"]:
        theta, d, a, alpha = case["p"]
        row = dh.DhRow("row", dh.Parameters.standard(theta=theta, d=d, a=a, alpha=alpha))
        close("standard", dh.DhTable("row", [row]).link_frames([0.0])[0], case["ht"], 1e-15)
    for case in ARMS["dh"]["mod_kk"]:
        # the joint is between the two parts
        table = dh.DhTable("row", [dh.DhRow("row", khalil(case["p"]))])
        pre, post = np.array(case["pre"]), np.array(case["post"])
        for q in (0.0, 0.7):
            turn = kw.se3.exp([0, 0, q, 0, 0, 0])
            close("modified", table.link_frames([q])[0], pre @ turn @ post, 1e-15)


@pytest.mark.parametrize("name", ["puma560", "r3"])
def test_arms(name: str) -> None:
    model = ARMS[name]
    table = trees.standard(model)
    arm = table.build()
    assert table.is_serial == model["is_serial"] and len(model["states"]) == 4
    for case in model["states"]:
        check_arm(table, arm, model["gravity"], case)


def check_arm(table: dh.DhTable, arm: kw.Robot, gravity: list[float], case: dict[str, Any]) -> None:
    state = arm.state(case["q"], case["v"])
    links = range(1, 2 * len(table), 2)
    of_robot = {
        "joint_ht": [state.pose(i - 1) for i in links],
        "link_ht": [state.pose(i) for i in links],
        "com_ht": [state.pose(i) @ kw.se3.from_translation(arm[i].com) for i in links],
    }
    of_table = {
        "joint_ht": table.joint_frames(case["q"]),
        "link_ht": table.link_frames(case["q"]),
        "com_ht": table.com_frames(case["q"]),
    }
    for key, ours in of_robot.items():
        close(key, ours, case[key], 1e-14)
        close(f"{key}, by the table", of_table[key], case[key], 1e-14)
    close("tool", state.pose("tool"), case["tool_pose"], 1e-14)

    last, middle = links[-1], links[case["jacobian_link_mid"]["link"]]
    torques = state.static_torques(gravity=gravity)
    pulls = [arm[i].mass * np.array(gravity) @ state.position_jacobian(i, arm[i].com) for i in range(len(arm))]
    numbers: list[tuple[str, Any, float]] = [
        ("jacobian_all", state.jacobian(last, order="linear_first"), 1e-14),
        ("jacobian_trans", state.jacobian(last)[3:], 1e-14),
        ("jacobian_rot", state.jacobian(last)[:3], 1e-14),
        ("jacobian_tool", state.jacobian("tool", order="linear_first"), 1e-14),
        ("static_torques", torques, 1e-12),
        ("static_torques", np.sum(pulls, axis=0), 1e-12),
        ("gravity_torque", state.holding_torque(gravity=gravity), 1e-12),
        ("gravity_torque", state.gravity_forces(gravity), 1e-12),
        ("mass_matrix", state.mass_matrix(), 1e-12),
        ("bias", state.bias_forces(gravity), 1e-12),
        ("inverse_dynamics", state.inverse_dynamics(case["a"], gravity=gravity), 1e-11),
    ]
    for key, found, tolerance in numbers:
        close(key, found, case[key], tolerance)
    close("Jacobian", state.jacobian(middle, order="linear_first"), case["jacobian_link_mid"]["J"], 1e-14)


def test_both_tables_of_the_puma_are_the_same_arm() -> None:
    case = ARMS["puma_mod_dh_fk"]
    rows = [dh.DhRow(f"link{i}", khalil(row)) for i, row in enumerate(ARMS["puma560"]["mod_dh_kk"])]
    for arm in (dh.DhTable("puma", rows).build(), trees.standard(ARMS["puma560"]).build()):
        close("last link", arm.pose(case["q"], "link5"), case["ht"], 1e-14)


def piglet(t: float) -> wrench.Frames:
    constants = PIGLET["constants"]
    sizes = zip(constants["lengths"], constants["masses"], strict=True)
    segments = [wrench.Segment(f"segment{i}", length, mass) for i, (length, mass) in enumerate(sizes)]
    rates = np.array(constants["omegas"])
    return wrench.Frames(wrench.limb("piglet", segments).state(rates * t, rates), np.zeros(3))


@pytest.mark.parametrize("observer", ["W", "A", "B", "C"])
def test_wrenches_of_the_piglet(observer: str) -> None:
    """The observers of the notebook: the world, and each segment from its lower end."""
    names = {
        "dynamic": "dynamic",
        "joint": "joint",
        "D": "dalembert",
        "E": "euler",
        "Cf": "centrifugal",
        "Cor": "coriolis",
    }
    assert len(PIGLET["n3"]) == 3
    for instant in PIGLET["n3"]:
        frames = piglet(instant["t"])
        site = None
        if observer != "W":
            k = "ABC".index(observer)
            site = (f"segment{k}", (0.0, PIGLET["constants"]["lengths"][k], 0.0))
        balances = wrench.chain(frames, observer=site, gravity=(0, 0, 0))
        for i, (ours, theirs) in enumerate(zip(balances, instant["fictitious"], strict=True)):
            for key, name in names.items():
                # theirs have the force first
                close(f"{name} of segment {i}", ours[name].array, np.roll(theirs[observer][key], 3), 1e-12)
            for key, axes in [
                ("world", None),
                ("segment_frame", f"segment{i}"),
                ("in_parent_frame", f"segment{i - 1}" if i else None),
            ]:
                seen = ours["joint"].expressed(axes, frames).array
                close(f"joint {i} in {key}", seen, np.roll(instant["joint_wrenches"][i][key], 3), 1e-12)


def test_inertia_of_the_piglet_turns() -> None:
    case = PIGLET["inertia_rotation"]
    frames = piglet(case["t"])
    close("inertia", frames.inertia("segment1", "segment1", None), case["correct_R_I_RT"], 1e-14)


# Exudyn's coordinates are those of centres of mass, as ours; smaller steps take long
RUNS = [run for run in REFS["planar_dae"]["genalpha"] if run["com_reference"] and run["h"] >= 5e-4]


@pytest.mark.parametrize("theirs", RUNS, ids=lambda run: f"{run['solver']} {run['h']}")
def test_a_double_pendulum_with_constraints(theirs: dict[str, Any]) -> None:
    case = REFS["planar_dae"]
    system = sim.MultibodySystem.from_robot(trees.robot(case["spec"]))
    system.gravity = case["spec"]["gravity"]
    how: dict[str, Any] = {"method": "trapezoidal"}
    if theirs["solver"] == "GA07":
        how = {"method": "generalized_alpha", "rho": 0.7}
    end = sim.simulate(system, case["t_end"], q=[0, 0], dq=[0, 0], step=theirs["h"], **how)
    tip = (system.pose(end, 1) @ [0.8, 0, 0, 1])[:3]
    assert np.linalg.norm(tip - case["exact"]["tip"]) <= 1.5 * theirs["tip_error"]
    close("angles", end.config, case["exact"]["q"], 5e3 * theirs["h"] ** 2)


def test_the_puma_in_redundant_coordinates() -> None:
    case, model = REFS["redundant"]["puma560"], ARMS["puma560"]
    arm = trees.puma(model, case["link0_inertia"])
    still, duration, exact = np.zeros(6), case["t_end"], case["dop853"]
    start: dict[str, Any] = {"q": case["q0"], "dq": still}
    how = {**start, "method": "dop853", "step": duration / 250}
    end = sim.simulate(arm, duration, gravity=model["gravity"], **how)
    for key in ("dop853", "exudyn_kt_rk67_1000"):
        close(f"{key}, q", end.config, case[key]["q"], 1e-12)
        close(f"{key}, v", end.velocity, case[key]["v"], 1e-11)
    # the last row only turns
    close("tip", arm.pose(end.config, "link5")[:3, 3], case["tip_exact"], 1e-12)

    system = sim.MultibodySystem.from_robot(arm)
    system.gravity = model["gravity"]
    end = sim.simulate(system, duration, **how)
    close("redundant, q", end.config, exact["q"], 1e-11)
    close("redundant, v", end.velocity, exact["v"], 1e-10)
    for theirs in case["runs"]:
        end = sim.simulate(
            system, duration, **start, method="generalized_alpha", rho=theirs["rho"], step=theirs["h"]
        )
        angles = np.array(theirs["joint_rotation"])[:, 2]
        assert np.abs(end.config - exact["q"]).max() <= 1.5 * np.abs(angles - exact["q"]).max()
