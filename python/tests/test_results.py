"""Results of functions of q: new arrays, or such as nobody has any longer."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import kinworld as kw

Function = Callable[[np.ndarray], np.ndarray]


def functions(robot: kw.Robot) -> dict[str, Function]:
    zero = np.zeros(robot.n_dofs)
    return {
        "pose": lambda q: robot.pose(q, "tool"),
        "jacobian": lambda q: robot.jacobian(q, "tool"),
        "mass_matrix": lambda q: robot.mass_matrix(q),
        "inverse_dynamics": lambda q: robot.inverse_dynamics(q, zero, zero),
        "forward_dynamics": lambda q: robot.forward_dynamics(q, zero, zero),
        "gravity_forces": lambda q: robot.gravity_forces(q),
    }


NAMES = ["pose", "jacobian", "mass_matrix", "inverse_dynamics", "forward_dynamics", "gravity_forces"]


@pytest.fixture(params=NAMES)
def function(request: pytest.FixtureRequest, panda: kw.Robot) -> Function:
    return functions(panda)[request.param]


def test_results_that_are_kept_stay_as_they_are(panda: kw.Robot, function: Function) -> None:
    rows = panda.sample(3, 40)
    kept = [function(q) for q in rows]
    copies = [result.copy() for result in kept]
    for q in rows[::-1]:
        function(q)
    for q, result, copy in zip(rows, kept, copies, strict=True):
        np.testing.assert_array_equal(result, copy)
        np.testing.assert_array_equal(function(q), copy)
    assert len({result.ctypes.data for result in kept}) == len(kept)


def test_views_and_buffers_of_results_stay_as_they_are(panda: kw.Robot, function: Function) -> None:
    a, b, *more = panda.sample(4, 9)
    expected = function(a).copy()
    view, buffer, raw = function(a)[:1], memoryview(function(a)), np.frombuffer(function(a))
    for q in (b, *more):
        function(q)
    np.testing.assert_array_equal(view, expected[:1])
    np.testing.assert_array_equal(np.asarray(buffer), expected)
    np.testing.assert_array_equal(raw, expected.ravel())


def test_results_of_results_are_right(panda: kw.Robot) -> None:
    q, dq, ddq = panda.sample(5, 3)
    for _ in range(5):
        np.testing.assert_allclose(panda.forward_dynamics(q, dq, panda.inverse_dynamics(q, dq, ddq)), ddq, rtol=1e-9, atol=1e-9)
        # a result is an argument of the call that would fill it
        tau = panda.inverse_dynamics(panda.inverse_dynamics(q, dq, ddq) * 0 + q, dq, ddq)
        np.testing.assert_array_equal(tau, panda.inverse_dynamics(q, dq, ddq))


# NumPy 2.5 deprecates shapes and dtypes that are set
@pytest.mark.filterwarnings("ignore:Setting the :DeprecationWarning")
def test_what_was_done_to_a_result_does_not_come_back(panda: kw.Robot, function: Function) -> None:
    q = panda.sample(6)
    expected = function(q).copy()
    for change in (
        lambda array: array.setflags(write=False),
        lambda array: setattr(array, "shape", (-1, 1)),
        lambda array: setattr(array, "dtype", np.int64),
        lambda array: setattr(array, "dtype", ">f8"),
        lambda array: array.fill(np.nan),
    ):
        for _ in range(3):
            result = function(q)
            change(result)
            del result
            again = function(q)
            assert again.shape == expected.shape and again.dtype == np.float64 and again.dtype.isnative
            assert again.flags.writeable and again.flags.c_contiguous
            np.testing.assert_array_equal(again, expected)
            del again


def test_a_weak_reference_never_sees_another_result(panda: kw.Robot, function: Function) -> None:
    q = panda.sample(7)
    result = function(q)
    seen = weakref.ref(result)
    del result
    gc.collect()
    results = [function(q) for _ in range(4)]
    assert all(seen() is not result for result in results)


def test_threads_do_not_share_results(panda: kw.Robot) -> None:
    rows = panda.sample(8, 200)
    expected = [panda.mass_matrix(q).copy() for q in rows]

    def run(_: int) -> bool:
        results = [panda.mass_matrix(q) for q in rows]
        return all(np.array_equal(a, b) for a, b in zip(results, expected, strict=True))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(run, range(32)))
