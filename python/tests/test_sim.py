"""Simulation: against closed forms, energies, and a second mechanism."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path

import numpy as np
import pytest

import kinworld as kw
from kinworld import sim

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture
def arm() -> kw.Robot:
    return kw.Robot.load(DATA / "robots" / "arm6.urdf")


def test_energy_of_a_free_arm_is_constant(arm: kw.Robot) -> None:
    state = arm.state([0.1, 0.4, -0.3, 0.2, 0.1, 0], [0.5, 0, 0.2, 0, 0, 0])
    recording = sim.simulate(state, 0.5, sensors=["energy"], period=0.05)
    energy = recording["energy_total"]
    assert np.ptp(energy) < 1e-6 * max(1.0, np.abs(energy).max())
    assert np.ptp(recording["energy_kinetic"]) > 1e-2
    np.testing.assert_array_equal(state.config, [0.1, 0.4, -0.3, 0.2, 0.1, 0])


def test_first_acceleration_is_forward_dynamics(arm: kw.Robot) -> None:
    q, dq, tau = arm.sample(3), 0.3 * np.ones(6), np.arange(6.0)
    gravity = (1, 2, -5)
    recording = sim.simulate(arm, 0.01, q=q, dq=dq, joint=tau, gravity=gravity, sensors=["accelerations"])
    expected = arm.state(q, dq).forward_dynamics(tau, gravity=gravity)
    np.testing.assert_allclose(recording["ddq"][0], expected, rtol=1e-9, atol=1e-9)


def test_sensors_measure_what_kinematics_says(arm: kw.Robot) -> None:
    point = (0.1, -0.2, 0.3)
    sensors = [
        "positions",
        "velocities",
        sim.Sensor("tip", "flange", "position", point=point),
        sim.Sensor("speed", arm.link("flange"), "velocity", point=point),
    ]
    recording = sim.simulate(arm, 0.3, q=[0, 0.5, 0.5, 0, 0, 0], sensors=sensors, period=0.1)
    assert recording.columns[:2] == ["time", "q_" + arm.links[1].name] or recording.columns[0] == "time"
    np.testing.assert_allclose(recording.times, [0, 0.1, 0.2, 0.3], atol=1e-12)
    for q, dq, tip, speed in zip(recording["q"], recording["dq"], recording["tip"], recording["speed"]):
        state = arm.state(q, dq)
        np.testing.assert_allclose(tip, state.world_position("flange", point), atol=1e-9)
        np.testing.assert_allclose(speed, state.point_velocity("flange", point), atol=1e-9)
    np.testing.assert_allclose(recording["q"][-1], recording.config, atol=1e-12)


def test_controller_that_compensates_gravity_holds_the_arm(arm: kw.Robot) -> None:
    q = np.array([0.2, 0.6, -0.4, 0.3, 0.1, 0.0])
    state = arm.state(q)
    calls: list[float] = []

    def hold(t: float, q: np.ndarray, dq: np.ndarray) -> np.ndarray:
        calls.append(t)
        return arm.state(q, dq).gravity_forces()

    for options in ({"controller": hold}, {"force": hold}, {"controller": hold, "control_period": 0.02}):
        calls.clear()
        recording = sim.simulate(state, 0.1, **options)
        np.testing.assert_allclose(recording.config, q, atol=1e-9)
        assert calls
    assert calls == pytest.approx([0, 0.02, 0.04, 0.06, 0.08])
    assert np.abs(sim.simulate(state, 0.1).config - q).max() > 1e-3


def test_exceptions_of_callbacks_arrive(arm: kw.Robot) -> None:
    def broken(t: float, q: np.ndarray, dq: np.ndarray) -> np.ndarray:
        raise RuntimeError("no torque today")

    for options in ({"controller": broken}, {"force": broken}, {"until": broken}):
        with pytest.raises(RuntimeError, match="no torque today"):
            sim.simulate(arm, 0.1, **options)
    with pytest.raises(kw.Error):
        sim.simulate(arm, 0.1, controller=lambda t, q, dq: [1.0])
    with pytest.raises(RuntimeError, match="no torque today"):
        sim.integrate(lambda t, y: broken(t, y, y), [1.0], 1.0)


def test_pd_equals_the_same_law_in_python(arm: kw.Robot) -> None:
    target = np.full(6, 0.3)
    pd = {"p": np.full(6, 40.0), "d": np.full(6, 4.0), "position": target, "velocity": np.zeros(6)}
    a = sim.simulate(arm, 0.2, pd=pd)
    b = sim.simulate(arm, 0.2, force=lambda t, q, dq: 40 * (target - q) - 4 * dq)
    np.testing.assert_allclose(a.config, b.config, atol=1e-9)


def test_a_load_equals_its_joint_forces(arm: kw.Robot) -> None:
    wrench = np.array([0.1, 0.2, 0.3, 4, 5, 6])
    a = sim.simulate(arm, 0.1, loads={"flange": wrench})
    b = sim.simulate(arm, 0.1, force=lambda t, q, dq: arm.state(q).jacobian("flange").T @ wrench)
    np.testing.assert_allclose(a.config, b.config, atol=1e-9)


def test_tree_and_constrained_bodies_agree(arm: kw.Robot) -> None:
    q, dq = np.full(6, 0.1), np.zeros(6)
    system = sim.MultibodySystem.from_robot(arm)
    assert (system.n_bodies, system.n_constraints) == (6, 30)
    bodies = sim.simulate(system, 0.2, q=q, dq=dq, step=1e-3)
    tree = sim.simulate(arm, 0.2, q=q, dq=dq)
    np.testing.assert_allclose(bodies.config, tree.config, atol=1e-4)
    assert system.residual(bodies)[0] < 1e-8


def test_rod_is_a_pendulum() -> None:
    system = sim.MultibodySystem()
    bob = system.add_body("bob", mass=2.0, moment=0.1 * np.eye(3), pose=kw.se3.from_translation((0.01, 0, -1)))
    system.add_distance("rod", None, "bob", float(np.hypot(1, 0.01)))
    length = float(np.hypot(1, 0.01))
    half = np.pi * np.sqrt(length / 9.81)
    end = sim.simulate(system, half, step=1e-4, sensors=[sim.Sensor("bob", bob)], period=0)
    assert end["bob_x"][-1] == pytest.approx(-0.01, abs=1e-6)
    assert system.residual(end)[0] < 1e-9
    np.testing.assert_allclose(system.pose(end, "bob")[:3, 3], end["bob"][-1], atol=1e-12)


def test_joint_spring_and_drive() -> None:
    def sled() -> sim.MultibodySystem:
        system = sim.MultibodySystem(gravity=(0, 0, 0))
        system.add_body("sled", mass=2.0, moment=np.eye(3))
        system.add_joint("rail", "prismatic", None, "sled")
        return system

    pushed = sled()
    pushed.add_drive("rail", force=4.0)
    assert sim.simulate(pushed, 1.0, step=1e-2).config[0] == pytest.approx(1.0, abs=1e-9)
    loaded = sled()
    loaded.add_load("sled", force=(7, 0, 4))
    assert sim.simulate(loaded, 1.0, step=1e-2).config[0] == pytest.approx(1.0, abs=1e-9)
    sprung = sled()
    sprung.add_spring((None, (0.0, 0.0, -1.0)), "sled", 0.5, stiffness=8.0)
    # ω = 2 about z = -0.5
    end = sim.simulate(sprung, np.pi / 2, step=1e-3)
    assert end.config[0] == pytest.approx(-1.0 + 0.0, abs=1e-4)


def test_planar_body_and_object_fall() -> None:
    body = sim.PlanarBody(2.0, 0.5, (0.1, 0.0), gravity=(0.0, -10.0))
    end = sim.simulate(body, 1.0, q=(0, 0, 0.3), dq=(1, 2, 0), sensors=["energy"], step=1e-2, method="rk44")
    # the centre of mass flies, and nothing turns the body
    np.testing.assert_allclose(end.config, [1, 2 - 5, 0.3], atol=1e-9)
    m = body.mass_matrix(0.3)
    np.testing.assert_allclose(m, m.T)
    world = kw.World()
    stone = world.add(kw.RigidObject("stone", mass=1.0, moment=0.1 * np.eye(3)))
    view = world.rigid_objects["stone"]
    view.set_velocity((0, 0, 0), (3, 0, 5))
    end = sim.simulate(view, 1.0, gravity=(0, 0, -10), sensors=[sim.Sensor("stone", "stone")])
    np.testing.assert_allclose(end["stone"][-1], [3, 0, 0], atol=1e-9)
    assert stone is not None


def test_every_method_has_its_order() -> None:
    exact = np.exp(-1.0)
    for name, order in sim.methods():
        def error(step: float) -> float:
            if name in ("semi_implicit_euler", "velocity_verlet", "generalized_alpha"):
                # a harmonic oscillator
                end = sim.integrate(lambda t, q, v: -q, [1.0], 1.0, dq=[0.0], method=name, step=step)
                return abs(float(end.config[0]) - np.cos(1.0))
            end = sim.integrate(lambda t, y: -y, [1.0], 1.0, method=name, step=step)
            return abs(float(end.config[0]) - exact)

        coarse, fine = error(0.1), error(0.05)
        assert fine < 1e-14 or np.log2(coarse / fine) > order - 0.5, name
    a, b, c = sim.tableau("rk44") or (np.zeros(0),) * 3
    assert b.sum() == pytest.approx(1) and np.allclose(a.sum(axis=1), c)


def test_run_ends_at_an_event() -> None:
    end = sim.integrate(lambda t, q, v: [-10.0], [5.0], 9.0, dq=[0.0], until=lambda t, q, v: q[0], period=0.25)
    assert end.termination == "event"
    assert end.end_time == pytest.approx(1.0, abs=1e-7)


def test_recording_is_a_table(arm: kw.Robot) -> None:
    recording = sim.simulate(arm, 0.1, period=0.05)
    assert len(recording) == 3 and recording.array.shape == (3, 13) and "q" in recording
    lines = recording.to_csv().splitlines()
    assert lines[0].split(",") == recording.columns == list(recording)
    np.testing.assert_array_equal([float(x) for x in lines[-1].split(",")], recording.array[-1])
    with pytest.raises(KeyError, match="nothing"):
        recording["nothing"]


def test_tables_of_arrow_and_pandas(arm: kw.Robot) -> None:
    recording = sim.simulate(arm, 0.1, period=0.05)
    pandas = pytest.importorskip("pandas", reason="tables of recordings")
    frame = recording.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == recording.columns
    pytest.importorskip("pyarrow", reason="tables of recordings")
    assert recording.to_arrow().column_names == recording.columns


def test_moving_base_is_a_pseudo_force(arm: kw.Robot) -> None:
    def lift(t: float) -> tuple[np.ndarray, list[float], list[float]]:
        return kw.se3.from_translation((0, 0, t * t)), [0, 0, 0, 0, 0, 2 * t], [0, 0, 0, 0, 0, 2]

    a = sim.simulate(arm, 0.2, base=lift)
    b = sim.simulate(arm, 0.2, gravity=(0, 0, -11.81))
    np.testing.assert_allclose(a.config, b.config, atol=1e-8)
    with pytest.raises(ZeroDivisionError):
        sim.simulate(arm, 0.2, base=lambda t: 1 / 0)


def test_wrong_arguments_are_explained(arm: kw.Robot) -> None:
    for options, text in (
        ({"method": "magic"}, "dopri5"),
        ({"method": "velocity_verlet"}, "step="),
        ({"sensors": ["colour"]}, "positions"),
        ({"sensors": [sim.Sensor("a", "nose")]}, "nose"),
        ({"step": 1e-3, "tolerance": (1e-6, 1e-6)}, "not both"),
    ):
        with pytest.raises((kw.Error, kw.NotFoundError), match=text):
            sim.simulate(arm, 0.1, **options)
    with pytest.raises(kw.Error, match="quantity"):
        sim.Sensor("a", "flange", "colour")
    with pytest.raises(TypeError, match="friction"):
        sim.simulate(sim.PlanarBody(1, 1), 0.1, friction=True)
    with pytest.raises(kw.Error, match="robots"):
        sim.simulate(kw.World(), 0.1)


def test_friction_and_stops_of_the_robot() -> None:
    arm = kw.Robot.load(DATA / "robots" / "planar3R.rob")
    free = sim.simulate(arm, 0.5, dq=[1, 0, 0], friction=False)
    slowed = sim.simulate(arm, 0.5, dq=[1, 0, 0], force=lambda t, q, dq: -dq)
    assert abs(slowed.config[0]) < abs(free.config[0])
    upper = arm.limits.upper
    bounded = np.isfinite(upper)
    if bounded.any():
        wild = sim.simulate(arm, 1.0, dq=[20, 20, 20], stops=True)
        assert (wild["q"][:, bounded] < upper[bounded] + 1).all()


def test_progress_is_called(arm: kw.Robot) -> None:
    steps: list[int] = []
    sim.simulate(arm, 20.0, step=1e-3, method="rk44", sensors=["energy"], period=1.0, progress=steps.append)
    assert steps and steps == sorted(steps)


def test_sensors_of_a_file_are_recorded(data: Path) -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        arm = kw.load(data / "mjcf/arm.xml").robots[0].robot
    assert any("<accelerometer> of <sensor> is left out" in str(warning.message) for warning in said)
    names = [sensor.name for sensor in arm.sensors]
    assert names[:3] == ["hand_position", "forearm_centre", "eye_axes"]
    eye = arm.sensors[2]
    assert (eye.quantity, eye.link) == ("quaternion", "eye")
    np.testing.assert_array_equal(eye.frame, np.eye(4))
    recording = kw.sim.simulate(arm, 0.1, period=0.1)
    q, dq = recording.array[-1, 1 : 1 + arm.n_dofs], recording.array[-1, 1 + arm.n_dofs : 1 + 2 * arm.n_dofs]
    state = arm.state(q, dq)
    column = recording.columns.index("hand_position_x")
    np.testing.assert_allclose(recording.array[-1, column : column + 3], state.pose("hand")[:3, 3], atol=1e-12)
    column = recording.columns.index("elbow_gyro_x")
    angular = state.jacobian("elbow_mount")[:3] @ dq
    expected = state.pose("elbow_mount")[:3, :3].T @ angular
    np.testing.assert_allclose(recording.array[-1, column : column + 3], expected, atol=1e-12)
    assert not any("hand" in name for name in kw.sim.simulate(arm, 0.1, sensors=["energy"]).columns)


def test_a_sensor_has_a_point_or_a_frame(data: Path) -> None:
    builder = kw.Robot.load(data / "robots/arm6.urdf").builder()
    frame = np.eye(4)
    frame[:3, :3], frame[:3, 3] = kw.so3.from_rpy((0.3, 0, 0)), (0.1, 0, 0)
    builder.add_sensor(kw.sim.Sensor("imu", -1, "angular_velocity_local", frame=frame))
    with pytest.raises(ValueError, match="nothing"):
        builder.add_sensor(kw.sim.Sensor("imu", "nothing"))
    with pytest.raises(ValueError, match="point or frame"):
        kw.sim.Sensor("imu", 0, point=(1, 0, 0), frame=frame)
    robot = builder.build()
    (imu,) = pickle.loads(pickle.dumps(robot)).sensors
    np.testing.assert_array_equal(imu.frame, frame)
    assert imu.link == robot.links[-1].name
