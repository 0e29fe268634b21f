"""States: identities between what they compute, arrays that are new, and refusals."""

from __future__ import annotations

import copy
import pickle
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import kinworld as kw


@pytest.fixture
def state(panda: kw.Robot) -> kw.State:
    return panda.state(panda.sample(1), panda.sample(2))


def test_what_comes_in_may_be_anything_array_like(panda: kw.Robot) -> None:
    q = panda.sample(5)
    expected = panda.state(q).pose("tool")
    strided = np.zeros(2 * len(q))
    strided[::2] = q
    read_only = q.copy()
    read_only.setflags(write=False)
    for same in [q.tolist(), tuple(q), strided[::2], q.astype(">f8"), read_only, np.asfortranarray(q)]:
        np.testing.assert_array_equal(panda.state(same).pose("tool"), expected)
    single = panda.state(q.astype(np.float32)).pose("tool")
    np.testing.assert_allclose(single, expected, atol=1e-6)
    assert panda.state([1] * 7).config.tolist() == [1.0] * 7
    assert panda.state(np.ones(7, dtype=bool)).config.tolist() == [1.0] * 7


def test_what_comes_out_is_new(state: kw.State) -> None:
    q = state.config
    q[:] = 0
    assert not np.array_equal(state.config, q)
    pose = state.pose(-1)
    assert pose.flags.owndata and pose.flags.c_contiguous and pose.dtype == np.float64
    pose[:] = 0
    assert state.pose(-1)[3, 3] == 1


def test_links_by_name_index_and_object(panda: kw.Robot, state: kw.State) -> None:
    link = panda["tool"]
    for key in ["tool", link.index, np.int64(link.index), link.index - len(panda), link]:
        np.testing.assert_array_equal(state.pose(key), state.pose("tool"))
    with pytest.raises(kw.NotFoundError, match="did you mean `tool`"):
        state.pose("toll")
    with pytest.raises(IndexError, match="link 99 of 16"):
        state.pose(99)
    with pytest.raises(TypeError, match="name or the index of a link"):
        state.pose(1.5)  # type: ignore[arg-type]


def test_jacobian_against_differences(panda: kw.Robot, state: kw.State) -> None:
    p, h = (0.1, -0.2, 0.3), 1e-6
    jacobian = state.jacobian("tool", p)
    q = state.config
    for i in range(panda.n_dofs):
        step = h * np.eye(panda.n_dofs)[i]
        ahead, behind = panda.state(q + step), panda.state(q - step)
        linear = (ahead.world_position("tool", p) - behind.world_position("tool", p)) / (2 * h)
        twist = kw.so3.log(ahead.pose("tool")[:3, :3] @ behind.pose("tool")[:3, :3].T) / (2 * h)
        np.testing.assert_allclose(jacobian[:, i], [*twist, *linear], atol=1e-8)
    swapped = state.jacobian("tool", p, order="linear_first")
    np.testing.assert_array_equal(swapped, jacobian[[3, 4, 5, 0, 1, 2]])
    np.testing.assert_allclose(state.point_velocity("tool", p), jacobian[3:] @ state.velocity, atol=1e-13)


def test_dynamics_identities(panda: kw.Robot, state: kw.State) -> None:
    ddq = panda.sample(3)
    tau = state.inverse_dynamics(ddq)
    np.testing.assert_allclose(state.mass_matrix() @ ddq + state.bias_forces(), tau, atol=1e-12)
    np.testing.assert_allclose(state.forward_dynamics(tau), ddq, atol=1e-9)
    np.testing.assert_allclose(state.coriolis_forces() + state.gravity_forces(), state.bias_forces(), atol=1e-12)
    np.testing.assert_allclose(state.coriolis_matrix() @ state.velocity, state.coriolis_forces(), atol=1e-12)
    energy = 0.5 * state.velocity @ state.mass_matrix() @ state.velocity
    assert state.kinetic_energy() == pytest.approx(energy, rel=1e-12)
    regressor = state.inertial_regressor(ddq)
    np.testing.assert_allclose(regressor @ state.inertial_parameters(), tau, atol=1e-11)
    lower = state.mass_matrix_cholesky()
    np.testing.assert_allclose(lower.T @ lower, state.mass_matrix(), atol=1e-12)
    np.testing.assert_allclose(state.mass_matrix_inverse() @ state.mass_matrix(), np.eye(7), atol=1e-9)


def test_a_load_counts_as_its_force(panda: kw.Robot, state: kw.State) -> None:
    wrench = np.array([1.0, -2.0, 3.0, 4.0, 5.0, -6.0])
    without = state.inverse_dynamics(np.zeros(7))
    loaded = state.inverse_dynamics(np.zeros(7), loads={"tool": wrench})
    np.testing.assert_allclose(loaded, without - state.jacobian("tool").T @ wrench, atol=1e-11)
    with pytest.raises(TypeError, match="six numbers"):
        state.inverse_dynamics(np.zeros(7), loads={"tool": [1, 2, 3]})


def test_a_failed_call_changes_nothing(state: kw.State) -> None:
    before = state.config
    for bad in [[1, 2], [np.nan] * 7, np.zeros((2, 7))]:
        with pytest.raises(ValueError):
            state.set_config(bad)
    np.testing.assert_array_equal(state.config, before)


def test_copies_and_pickles_are_states_of_their_own(panda: kw.Robot, state: kw.State) -> None:
    for twin in [state.copy(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]:
        np.testing.assert_array_equal(twin.pose("tool"), state.pose("tool"))
        np.testing.assert_array_equal(twin.velocity, state.velocity)
        twin.set_config([0] * 7)
        assert not np.array_equal(twin.config, state.config)


def test_pickled_robots_are_equal_to_the_last_bit(data: Path, panda: kw.Robot) -> None:
    with warnings.catch_warnings():
        # what the loaders report is compared by the tests of the library
        warnings.simplefilter("ignore", kw.LoadWarning)
        robots = [kw.Robot.load(path) for path in sorted((data / "robots").iterdir()) if path.suffix in (".rob", ".urdf")]
    assert len(robots) > 10
    for robot in robots:
        twin = pickle.loads(pickle.dumps(robot))
        q, dq, ddq = robot.sample(1), robot.sample(2), robot.sample(3)
        np.testing.assert_array_equal(twin.sample(1), q)
        a, b = robot.state(q, dq), twin.state(q, dq)
        np.testing.assert_array_equal(a.inverse_dynamics(ddq), b.inverse_dynamics(ddq))
        np.testing.assert_array_equal(twin.limits.upper, robot.limits.upper)
        assert twin.self_collision_pairs == robot.self_collision_pairs


def test_batches_equal_single_calls(panda: kw.Robot) -> None:
    q, dq, ddq = panda.sample(1, 33), panda.sample(2, 33), panda.sample(3, 33)
    poses = kw.batch.poses(panda, q, ["tool", 3])
    jacobians = kw.batch.jacobians(panda, q, "tool", (0.1, 0, 0))
    tau = kw.batch.inverse_dynamics(panda, q, dq, ddq)
    for i in range(33):
        state = panda.state(q[i], dq[i])
        np.testing.assert_allclose(poses[i, 0], state.pose("tool"), atol=1e-13)
        np.testing.assert_allclose(poses[i, 1], state.pose(3), atol=1e-13)
        np.testing.assert_allclose(jacobians[i], state.jacobian("tool", (0.1, 0, 0)), atol=1e-13)
        np.testing.assert_allclose(tau[i], state.inverse_dynamics(ddq[i]), atol=1e-11)
    out = np.empty_like(tau)
    assert kw.batch.inverse_dynamics(panda, q, dq, ddq, out=out) is out
    np.testing.assert_array_equal(out, tau)
    with pytest.raises(ValueError, match="out needs the shape"):
        kw.batch.inverse_dynamics(panda, q, dq, ddq, out=np.empty((3, 7)))
    with pytest.raises(ValueError, match="q has 33 rows, dq has 32"):
        kw.batch.inverse_dynamics(panda, q, dq[:-1], ddq)
    with pytest.raises(ValueError, match="q needs rows of 7 numbers"):
        kw.batch.poses(panda, q[:, :6])


def test_functions_of_a_configuration_answer_as_a_state(panda: kw.Robot) -> None:
    for seed in range(5):
        q, dq, x = panda.sample(seed), panda.sample(seed + 10), panda.sample(seed + 20)
        state = panda.state(q, dq)
        link = panda.links[-1]
        np.testing.assert_array_equal(panda.pose(q, link), state.pose(link))
        np.testing.assert_array_equal(panda.jacobian(q, link, (0.1, 0, 0)), state.jacobian(link, (0.1, 0, 0)))
        np.testing.assert_array_equal(panda.mass_matrix(q), state.mass_matrix())
        np.testing.assert_array_equal(panda.inverse_dynamics(q, dq, x), state.inverse_dynamics(x))
        np.testing.assert_array_equal(panda.forward_dynamics(q, dq, x), state.forward_dynamics(x))
        np.testing.assert_array_equal(panda.gravity_forces(q), state.gravity_forces())
        none = (0, 0, 0)
        np.testing.assert_array_equal(panda.inverse_dynamics(q, dq, x, gravity=none), state.inverse_dynamics(x, gravity=none))
    with pytest.raises(kw.Error, match="7"):
        panda.mass_matrix([0] * 6)
    with pytest.raises(kw.Error, match="7"):
        panda.inverse_dynamics(q, dq, [0])


def test_functions_of_a_configuration_share_a_robot_between_threads(panda: kw.Robot) -> None:
    rows = panda.sample(0, 200)
    expected = [panda.mass_matrix(q) for q in rows]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(5):
            for matrix, right in zip(pool.map(panda.mass_matrix, rows), expected, strict=True):
                np.testing.assert_array_equal(matrix, right)
