"""Batches read and write arrays where they lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import kinworld as kw
from kinworld import batch

Fill = Callable[..., np.ndarray]


def functions(robot: kw.Robot, rows: int) -> dict[str, tuple[Fill, list[np.ndarray]]]:
    """The batches, each with its arrays."""
    q, dq, ddq = (robot.sample(seed, rows) for seed in (1, 2, 3))
    tool = robot.links[-1].name
    return {
        "poses": (lambda q, **more: batch.poses(robot, q, [tool], **more), [q]),
        "jacobians": (lambda q, **more: batch.jacobians(robot, q, tool, (0.1, 0.2, 0.3), **more), [q]),
        "mass_matrices": (lambda q, **more: batch.mass_matrices(robot, q, **more), [q]),
        "bias_forces": (lambda *a, **more: batch.bias_forces(robot, *a, **more), [q, dq]),
        "inverse_dynamics": (lambda *a, **more: batch.inverse_dynamics(robot, *a, **more), [q, dq, ddq]),
        "forward_dynamics": (lambda *a, **more: batch.forward_dynamics(robot, *a, **more), [q, dq, ddq]),
        "inverse_dynamics_derivatives": (lambda *a, **more: batch.inverse_dynamics_derivatives(robot, *a, **more), [q, dq, ddq]),
        "forward_dynamics_derivatives": (lambda *a, **more: batch.forward_dynamics_derivatives(robot, *a, **more), [q, dq, ddq]),
    }


def single(robot: kw.Robot, name: str, q: np.ndarray, dq: np.ndarray, ddq: np.ndarray) -> Any:
    """The same of one state."""
    state, tool = robot.state(q, dq), robot.links[-1].name
    answers: dict[str, Callable[[], Any]] = {
        "poses": lambda: [state.pose(tool)],
        "jacobians": lambda: state.jacobian(tool, (0.1, 0.2, 0.3)),
        "mass_matrices": state.mass_matrix,
        "bias_forces": state.bias_forces,
        "inverse_dynamics": lambda: state.inverse_dynamics(ddq),
        "forward_dynamics": lambda: state.forward_dynamics(ddq),
        "inverse_dynamics_derivatives": lambda: state.inverse_dynamics_derivatives(ddq),
        "forward_dynamics_derivatives": lambda: state.forward_dynamics_derivatives(ddq),
    }
    return answers[name]()


NAMES = [
    "poses",
    "jacobians",
    "mass_matrices",
    "bias_forces",
    "inverse_dynamics",
    "forward_dynamics",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rows", [1, 3, 5000])
def test_rows_are_those_of_states_wherever_they_are_written(panda: kw.Robot, name: str, rows: int) -> None:
    function, arrays = functions(panda, rows)[name]
    new = function(*arrays)
    assert new.flags.c_contiguous and new.flags.writeable
    out = np.full_like(new, np.nan)
    assert function(*arrays, out=out) is out
    np.testing.assert_array_equal(out, new)
    q, dq, ddq = (panda.sample(seed, rows) for seed in (1, 2, 3))
    for k in {0, rows // 2, rows - 1}:
        expected = single(panda, name, q[k], dq[k], ddq[k])
        np.testing.assert_allclose(new[k], np.asarray(expected), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_arrays_of_every_layout_give_the_same(panda: kw.Robot, name: str) -> None:
    function, arrays = functions(panda, 9)[name]
    expected = function(*arrays)
    wide = [np.zeros((9, 2 * a.shape[1])) for a in arrays]
    for far, a in zip(wide, arrays, strict=True):
        far[:, ::2] = a
    frozen = [a.copy() for a in arrays]
    for a in frozen:
        a.flags.writeable = False
    shifted = [np.frombuffer(b"x" + a.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(a.shape) for a in arrays]
    for variant in (
        [np.asfortranarray(a) for a in arrays],
        [a.tolist() for a in arrays],
        [far[:, ::2] for far in wide],
        [a.astype(">f8") for a in arrays],
        frozen,
        shifted,
    ):
        np.testing.assert_array_equal(function(*variant), expected)


@pytest.mark.parametrize("name", NAMES)
def test_an_array_that_cannot_be_filled_is_refused(panda: kw.Robot, name: str) -> None:
    function, arrays = functions(panda, 9)[name]
    right = function(*arrays)
    frozen = np.empty_like(right)
    frozen.flags.writeable = False
    twice = np.empty((2 * right.shape[0], *right.shape[1:]))[::2]
    with pytest.raises(ValueError, match="out cannot be written"):
        function(*arrays, out=frozen)
    for wrong in (np.empty(right.shape[::-1]).T, twice):
        if wrong.flags.c_contiguous:
            continue
        with pytest.raises(ValueError, match="in C order"):
            function(*arrays, out=wrong)
    with pytest.raises(ValueError, match="out needs the shape"):
        function(*arrays, out=np.empty((1, *right.shape)))
    with pytest.raises(TypeError, match="float64"):
        function(*arrays, out=np.empty(right.shape, dtype=np.float32))


def test_an_array_is_not_read_and_written_at_once(panda: kw.Robot) -> None:
    q = panda.sample(1, 9)
    before = q.copy()
    with pytest.raises(ValueError, match="out cannot be written"):
        batch.bias_forces(panda, q, panda.sample(2, 9), out=q)
    np.testing.assert_array_equal(q, before)


def test_inverse_kinematics_of_arrays_is_that_of_single_problems(arm6: kw.Robot) -> None:
    tool = arm6.links[-1].name
    poses = batch.poses(arm6, arm6.sample(1, 100), [tool])[:, 0]
    # nobody reaches that
    poses[7, :3, 3] = (50.0, 0.0, 0.0)
    starts = arm6.sample(2, 100)
    q, solved, errors = batch.inverse_kinematics(arm6, tool, poses, starts, restarts=5)
    assert q.shape == (100, 6) and solved.dtype == bool and errors.shape == (100, 2)
    assert solved.sum() >= 95 and not solved[7] and errors[7, 0] > 40
    for k in (0, 7, 50, 99):
        single = kw.ik.solve(arm6, kw.ik.objective(tool, pose=poses[k]), starts[k], restarts=5)
        np.testing.assert_array_equal(q[k], single.q)
        assert solved[k] == single.solved
    back = batch.poses(arm6, q[solved], [tool])[:, 0]
    np.testing.assert_allclose(back, poses[solved], atol=1e-8)
    from_initial, *_ = batch.inverse_kinematics(arm6, len(arm6.links) - 1, poses[:3].tolist(), restarts=5)
    expected = kw.ik.solve(arm6, kw.ik.objective(tool, pose=poses[2]), restarts=5)
    np.testing.assert_array_equal(from_initial[2], expected.q)


def test_inverse_kinematics_refuses_other_arrays(arm6: kw.Robot) -> None:
    poses = np.tile(np.eye(4), (3, 1, 1))
    with pytest.raises(ValueError, match="poses has 3 rows, starts has 2"):
        batch.inverse_kinematics(arm6, 5, poses, np.zeros((2, 6)))
    with pytest.raises(ValueError, match="starts"):
        batch.inverse_kinematics(arm6, 5, poses, np.zeros((3, 5)))
    with pytest.raises(ValueError, match="three dimensions"):
        batch.inverse_kinematics(arm6, 5, np.eye(4))
    with pytest.raises(ValueError, match=r"N × 4 × 4 array, got one of shape \(3, 3, 4\)"):
        batch.inverse_kinematics(arm6, 5, poses[:, :3])
    poses[1, 0, 0] = 2.0
    with pytest.raises(ValueError, match="pose 1: "):
        batch.inverse_kinematics(arm6, 5, poses)
    poses[1] = np.nan
    with pytest.raises(ValueError, match="pose 1: "):
        batch.inverse_kinematics(arm6, 5, poses)
    q, solved, errors = batch.inverse_kinematics(arm6, 5, np.zeros((0, 4, 4)))
    assert q.shape == (0, 6) and solved.shape == (0,) and errors.shape == (0, 2)
