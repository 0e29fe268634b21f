"""Exudyn's trees and planar bodies in `data/golden/exudyn_refs.json`: motions, sensors, masses, forces."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from compare import close, golden, largest
from kinworld import sim
from trees import robot, run

REFS = golden("exudyn_refs.json")
PENDULUM, CHAIN, TREE, PLANAR = (REFS[key] for key in ("kt_mini_pendulum", "kt_chain5", "kt_tree3d", "rigid_body_2d"))
STATE = TREE["states"][0]
QUANTITIES = [
    "position",
    "displacement",
    "rotation",
    "rotation_matrix",
    "velocity",
    "velocity_local",
    "acceleration",
    "acceleration_local",
    "angular_velocity",
    "angular_velocity_local",
    "angular_acceleration",
    "angular_acceleration_local",
]


def ends(key: str, recording: sim.Recording, theirs: dict[str, Any], q: float, v: float) -> None:
    close(f"{key}, q", recording.config, theirs["q"], q)
    close(f"{key}, v", recording.velocity, theirs["v"], v)


def test_pendulum() -> None:
    end = run(PENDULUM["spec"], PENDULUM["q0"], PENDULUM["v0"], PENDULUM["t_end"], method="rk67", steps=1000)
    exact = {key: [float(x)] for key, x in PENDULUM["exact25"].items()}
    for theirs in (exact, PENDULUM["exudyn_rk67_1000"], PENDULUM["dop853"]):
        ends("pendulum", end, theirs, 1e-13, 1e-12)
    close("of the document", end.config, PENDULUM["document_value"], 1e-13)


@pytest.mark.parametrize(
    ("key", "how", "tolerance"),
    [
        ("rk44_200", {"method": "rk44", "steps": 200}, 1e-12),
        ("rk44_1000", {"method": "rk44", "steps": 1000}, 1e-12),
        ("rk67_200", {"method": "rk67", "steps": 200}, 1e-12),
        ("rk33_200", {"method": "rk33", "steps": 200}, 1e-12),
        ("midpoint_200", {"method": "explicit_midpoint", "steps": 200}, 1e-12),
        # Exudyn's Newton iteration ends at 1e-8
        ("genalpha09_200", {"method": "generalized_alpha", "rho": 0.9, "steps": 200}, 1e-7),
        # adaptive: other steps, the same tolerance
        ("dopri5_auto_1e-8", {"method": "dopri5"}, 1e-7),
        ("ode23_auto_1e-8", {"method": "ode23"}, 1e-6),
        ("dop853", {"method": "dop853", "steps": 400}, 1e-11),
    ],
)
def test_chain(key: str, how: dict[str, Any], tolerance: float) -> None:
    end = run(CHAIN["spec"], CHAIN["q0"], CHAIN["v0"], CHAIN["t_end"], **dict(how))
    ends(key, end, CHAIN[key], tolerance, 10 * tolerance)
    close(f"{key}, sum", end.config.sum(), CHAIN[key]["sum_q"], 5 * tolerance)
    if key == "rk44_200":
        close("sum of the document", end.config.sum(), CHAIN["document_rk44_200_sum"], 1e-12)
    if "a" in CHAIN[key] and key != "genalpha09_200":
        now = robot(CHAIN["spec"]).state(end.config, end.velocity)
        n = len(now.config)
        accelerations = now.forward_dynamics(np.zeros(n), gravity=CHAIN["spec"]["gravity"])
        close(f"{key}, a", accelerations, CHAIN[key]["a"], 1e3 * tolerance)


@pytest.mark.parametrize(("method", "order"), sim.methods())
def test_orders(method: str, order: int) -> None:
    count, allowed = {8: (20, 1.5), 6: (40, 0.3)}.get(order, (200, 0.3))
    errors = []
    for steps in (count, 2 * count):
        end = run(CHAIN["spec"], CHAIN["q0"], CHAIN["v0"], 1.0, method=method, steps=steps)
        errors.append(np.abs(end.config - CHAIN["dop853"]["q"]).max())
    assert abs(np.log2(errors[0] / errors[1]) - order) < allowed, errors


def test_sensors_on_a_tree() -> None:
    sensors = [
        sim.Sensor(f"{quantity}{i}", sensor["link"], quantity, point=sensor["local_position"])
        for i, sensor in enumerate(STATE["sensors"])
        for quantity in QUANTITIES
    ]
    assert len(sensors) == 192
    recording = run(
        TREE["spec"],
        STATE["q"],
        STATE["v"],
        1e-3,
        method="rk44",
        steps=1,
        joint=STATE["inverse_dynamics"],
        reference=TREE["q_ref"],
        sensors=["positions", "velocities", "accelerations", "energy", *sensors],
    )
    for sensor, key, tolerance in [("q", "q", 0.0), ("dq", "v", 0.0), ("ddq", "a", 1e-10)]:
        close(key, recording[sensor][0], STATE[key], tolerance)
    for kind in ("kinetic", "potential"):
        close(kind, recording[f"energy_{kind}"][0], STATE[f"energy_{kind}"], 1e-12 * largest(STATE[f"energy_{kind}"]))
    for i, sensor in enumerate(STATE["sensors"]):
        for quantity in QUANTITIES:
            close(f"{quantity} of sensor {i}", recording[f"{quantity}{i}"][0], sensor[quantity], 1e-10)


def test_masses_and_forces_of_a_tree() -> None:
    gravity = TREE["spec"]["gravity"]
    state = robot(TREE["spec"]).state(STATE["q"], STATE["v"])
    nothing = np.zeros(8)
    loads = {
        i: [*torque, *force]
        for i, (force, torque) in enumerate(zip(STATE["link_forces"], STATE["link_torques"], strict=True))
    }
    under_loads = state.inverse_dynamics(nothing, gravity=gravity, loads=loads)
    numbers: list[tuple[str, Any, float]] = [
        ("mass_matrix", state.mass_matrix(), 1e-12),
        ("bias", state.bias_forces(gravity), 1e-12),
        ("gravity_torque", state.gravity_forces(gravity), 1e-12),
        ("inverse_dynamics", state.inverse_dynamics(STATE["a"], gravity=gravity), 1e-12),
        ("forward_dynamics", state.forward_dynamics(STATE["tau"], gravity=gravity), 1e-11),
        ("correct_lhs_with_link_forces", under_loads, 1e-12),
        ("exudyn_marker_load_rhs", -under_loads, 1e-12),
        ("link_generalized_force", state.bias_forces(gravity) - under_loads, 1e-12),
        ("energy_kinetic", state.kinetic_energy(), 1e-12),
    ]
    for key, ours, tolerance in numbers:
        close(key, ours, STATE[key], tolerance * largest(STATE[key], 1.0))


def test_a_tree_moves_freely() -> None:
    theirs = TREE["free_run"]
    recording = run(
        TREE["spec"], STATE["q"], STATE["v"], theirs["t_end"], method="rk67", steps=4000, sensors=["energy"], period=0.1
    )
    ends("rk67", recording, theirs["exudyn_rk67_4000"], 1e-12, 1e-11)
    ends("dop853", recording, theirs["dop853"], 1e-11, 1e-10)
    energy = recording["energy_total"]
    close("energy", [energy[0], energy[-1]], [theirs["energy0"], theirs["energy1"]], 1e-10)


def test_a_tree_moves_under_pd() -> None:
    theirs = TREE["pd_run"]
    pd = {
        "p": theirs["P"],
        "d": theirs["D"],
        "position": theirs["position_offset"],
        "velocity": theirs["velocity_offset"],
    }
    start = (theirs["q0_total"], theirs["v0"], theirs["t_end"])
    end = run(TREE["spec"], *start, method="rk67", steps=4000, pd=pd, joint=theirs["joint_force"])
    ends("rk67", end, theirs["exudyn_rk67_4000"], 1e-12, 1e-11)
    ends("dop853", end, theirs["dop853"], 1e-11, 1e-10)


def test_a_chain_of_two() -> None:
    case = REFS["planar_dae"]
    end = run(case["spec"], [0, 0], [0, 0], case["t_end"], method="dop853", steps=500)
    ends("exact", end, case["exact"], 1e-10, 1e-10)
    now = robot(case["spec"]).state(end.config)
    close("tip", now.world_position("link1", (0.8, 0, 0)), case["exact"]["tip"], 1e-10)


def planar(case: dict[str, Any], body: sim.PlanarBody, method: str, steps: int, end: float) -> sim.Recording:
    start = np.array(case["ref"]) + case["q0"]
    return sim.simulate(body, end, q=start, dq=case["v0"], method=method, step=end / steps)


def test_planar_bodies_move() -> None:
    mini = PLANAR["mini"]
    end = planar(mini, sim.PlanarBody(mini["mass"], mini["inertia"]), "rk44", 100, mini["t_end"])
    close("mini", end.config - mini["ref"], mini["coordinates"], 1e-13)
    close("its position", end.config[:2], mini["position"][:2], 1e-13)
    close("its rotation", end.config[2], mini["node_rotation"][2], 1e-13)
    expected = mini["document_expected"]
    close("of the document", end.config[[0, 2]], [expected["x"], expected["theta"]], 1e-13)

    case = PLANAR["eccentric"]
    push = (case["force"]["local"], case["force"]["f"])
    body = sim.PlanarBody(
        case["mass"], case["inertia_ref"], case["com"], gravity=case["gravity"], forces=[push], torque=case["torque"]
    )
    end = planar(case, body, "rk67", 4000, case["t_end"])
    for key in ("exudyn_rk67_4000", "dop853"):
        close(f"{key}, q", end.config - case["ref"], case[key]["q"], 1e-12)
        close(f"{key}, v", end.velocity, case[key]["v"], 1e-12)

    # without forces the centre of mass moves uniformly
    free = PLANAR["eccentric_free"]
    end = planar(case, sim.PlanarBody(case["mass"], case["inertia_ref"], case["com"]), "rk67", 4000, free["t_end"])
    for key in ("exact", "exudyn"):
        close("free", end.config, [*free[key]["position"], free[key]["theta"]], 1e-12 if key == "exact" else 1e-10)


def test_sensors_on_a_planar_body() -> None:
    case, outputs = PLANAR["eccentric"], PLANAR["outputs"]
    reference, v = np.array(outputs["ref"]), outputs["v"]
    q = reference + outputs["u"]
    plain = sim.PlanarBody(case["mass"], case["inertia_ref"], case["com"])
    # forces at the reference point that give the accelerations of the references
    force = plain.mass_matrix(q[2]) @ outputs["a"] + plain.coriolis_forces(q[2], v[2])
    body = sim.PlanarBody(
        case["mass"],
        case["inertia_ref"],
        case["com"],
        forces=[((0, 0), force[:2])],
        torque=force[2],
        reference=reference,
    )
    sensors = [sim.Sensor(quantity, 0, quantity, point=outputs["local_position"]) for quantity in QUANTITIES]
    recording = sim.simulate(body, 1e-3, q=q, dq=v, method="rk44", step=1e-3, sensors=sensors)
    for quantity in QUANTITIES:
        # Exudyn's program leaves the reference angle out
        theirs = [0, 0, outputs["correct_rotation"]] if quantity == "rotation" else outputs["values"][quantity]
        close(quantity, recording[quantity][0], theirs, 1e-12)
    close("rotation of the node", recording["rotation"][0], outputs["node_rotation_total"], 1e-12)
