"""Ctrl-C ends long calls in the middle."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinworld as kw
from kinworld import batch, ik, sim

DATA = Path(__file__).parents[2] / "data"
# seconds: how long a call takes that is to be interrupted, and when the signal comes
LONG, SIGNAL = 0.8, 0.15


@pytest.fixture(autouse=True)
def handler() -> Iterator[None]:
    # a shell starts what runs in the background with the signal ignored
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def snake() -> kw.Robot:
    return kw.Robot.load(DATA / "robots/snake30.urdf")


def rows(count: int) -> np.ndarray:
    return np.full((count, 30), 0.1)


def sphere(count: int) -> kw.Geometry:
    """A bumpy mesh with about ``count`` vertices."""
    side = max(4, int(count**0.5))
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, side), np.linspace(0.1, 3, side))
    r = 1 + 0.2 * np.sin(5 * u) * np.sin(7 * v)
    points = np.stack([r * np.sin(v) * np.cos(u), r * np.sin(v) * np.sin(u), r * np.cos(v)], -1).reshape(-1, 3)
    i = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    return kw.Geometry.mesh(points, np.concatenate([np.c_[i, i + 1, i + side], np.c_[i + 1, i + side + 1, i + side]]))


def calls() -> dict[str, Callable[[int], Callable[[], Any]]]:
    """Calls with their arrays, which take the longer the larger the number is."""
    robot = snake()
    arm = kw.Robot.load(DATA / "robots/arm6.urdf")
    world = kw.load(DATA / "robots/arm6.urdf", DATA / "terrains/table.env")
    collider, space = world.collider(), world.space()
    far = ik.objective("flange", position=(9, 9, 9))
    q6 = np.array([0.5, 0.4, 0, 0, 0, 0])

    def dynamics(function: Callable[..., Any], inputs: int) -> Callable[[int], Callable[[], Any]]:
        return lambda n: partial(function, robot, *[rows(n)] * inputs)

    return {
        "poses": dynamics(batch.poses, 1),
        "poses_f32": dynamics(batch.poses_f32, 1),
        "jacobians": lambda n: partial(batch.jacobians, robot, rows(n), 30),
        "mass_matrices": dynamics(batch.mass_matrices, 1),
        "bias_forces": dynamics(batch.bias_forces, 2),
        "inverse_dynamics": dynamics(batch.inverse_dynamics, 3),
        "forward_dynamics": dynamics(batch.forward_dynamics, 3),
        "inverse derivatives": dynamics(batch.inverse_dynamics_derivatives, 3),
        "forward derivatives": dynamics(batch.forward_dynamics_derivatives, 3),
        "sample": lambda n: partial(robot.sample, 0, n),
        "solve": lambda n: partial(ik.solve, arm, far, restarts=n, iterations=1000),
        "solve_batch": lambda n: partial(ik.solve_batch, arm, [(far, q6)] * n, restarts=20),
        "collider.are_free": lambda n: partial(collider.are_free, np.tile(q6, (n, 1))),
        "space.are_free": lambda n: partial(space.are_free, np.tile(q6, (n, 1))),
        "space.are_edges_free": lambda n: partial(space.are_edges_free, np.zeros((n, 6)), np.tile(q6, (n, 1))),
        "mask": lambda n: partial(kw.SelfCollisionMask.learn, robot, samples=max(2, n)),
        "outer_spheres": lambda n: partial(sphere(n).outer_spheres, 16),
        "to_convex_parts": lambda n: partial(sphere(n).to_convex_parts, 4),
        "simulate": lambda n: partial(sim.simulate, arm, 0.01 * n, sensors=[]),
        "integrate": lambda n: partial(sim.integrate, lambda t, y: -y, [1.0], 0.01 * n, step=0.01, method="rk44"),
    }


def finish(call: Callable[[], Any], results: list[Any]) -> None:
    """Appends the result in C: no line of Python runs between the end of the call and that."""
    results.extend(starmap(call, ((),)))


@pytest.mark.parametrize("name", list(calls()))
def test_ctrl_c_ends_a_long_call(name: str) -> None:
    make = calls()[name]
    size, took = 64, 0.0
    call = make(size)
    while took < LONG:
        call = make(size)
        began = time.perf_counter()
        call()
        took = time.perf_counter() - began
        size = int(size * min(16.0, max(2.0, 1.3 * LONG / max(took, 1e-3))))
        assert size < 10**9
    sent: list[float] = []

    def interrupt() -> None:
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    call = make(size)
    results: list[Any] = []
    timer = threading.Timer(SIGNAL, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        finish(call, results)
    waited = time.perf_counter() - sent[0]
    timer.join()
    print(f"{name}: {1e3 * waited:.0f} ms after the signal, of a call of {took:.1f} s")
    assert results == [], "the call went on to its end"
    assert waited < 2


def test_chunks_do_not_change_results(panda: kw.Robot) -> None:
    q = panda.sample(3, 5000)
    np.testing.assert_array_equal(q[4000:4003], [panda.sample(3, 4003)[k] for k in (4000, 4001, 4002)])
    poses = batch.poses(panda, q, ["tool"])
    torques = batch.inverse_dynamics(panda, q, q, q)
    matrices = batch.mass_matrices(panda, q)
    for k in (0, 255, 256, 257, 4351, 4352, 4999):
        state = panda.state(q[k], q[k])
        np.testing.assert_allclose(poses[k, 0], state.pose("tool"), atol=1e-12)
        np.testing.assert_allclose(torques[k], state.inverse_dynamics(q[k]), rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(matrices[k], state.mass_matrix(), rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(batch.poses(panda, q[1000:1100], ["tool"]), poses[1000:1100])


def test_errors_count_from_the_first_row_of_all(panda: kw.Robot, arm6: kw.Robot) -> None:
    q = panda.sample(3, 5000)
    bad = q.copy()
    bad[4321, 2] = np.nan
    for function, count in [
        (batch.poses, 1),
        (batch.poses_f32, 1),
        (batch.mass_matrices, 1),
        (batch.bias_forces, 2),
        (batch.inverse_dynamics, 3),
        (batch.forward_dynamics, 3),
        (batch.inverse_dynamics_derivatives, 3),
        (batch.forward_dynamics_derivatives, 3),
    ]:
        for which in range(count):
            rows = [bad if k == which else q for k in range(count)]
            with pytest.raises(kw.Error, match=r"^\w+ 4321: value 2 is NaN"):
                function(panda, *rows)

    world = kw.load(DATA / "robots/arm6.urdf", DATA / "terrains/table.env")
    space, collider = world.space(), world.collider()
    q = arm6.sample(3, 3000)
    bad = q.copy()
    bad[2345, 1] = np.nan
    with pytest.raises(kw.Error, match="^configuration 2345: value 1 is NaN"):
        space.are_free(bad)
    with pytest.raises(kw.Error, match="^configuration 2345: value 1 is NaN"):
        collider.are_free(bad)
    with pytest.raises(kw.Error, match="^edge 2344, configuration: value 1 is NaN"):
        space.are_edges_free(bad[:-1], bad[1:])

    starts = panda.sample(4, 500)
    goals = batch.poses(panda, panda.sample(5, 500), ["tool"])[:, 0]
    starts[432, 0] = np.inf
    problems = [(ik.objective("tool", pose=goal), start) for goal, start in zip(goals, starts, strict=True)]
    with pytest.raises(kw.Error, match="^problem 432, configuration: value 0 is inf"):
        ik.solve_batch(panda, problems)
    with pytest.raises(kw.Error, match="^problem 432, configuration: value 0 is inf"):
        batch.inverse_kinematics(panda, "tool", goals, starts)
    problems[431] = (problems[431][0], starts[431, :-1])
    with pytest.raises(kw.Error, match="^problem 431, configuration: needs 7 values, got 6"):
        ik.solve_batch(panda, problems)


def test_results_larger_than_the_memory_are_refused(panda: kw.Robot) -> None:
    with pytest.raises((ValueError, MemoryError)):
        panda.sample(0, 2**32)


def test_progress_of_a_mask_counts_samples(arm6: kw.Robot) -> None:
    seen: list[int] = []
    kw.SelfCollisionMask.learn(arm6, samples=20_000, progress=seen.append)
    assert seen == sorted(seen) and all(0 <= count <= 20_000 for count in seen)

    def fail(_: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        kw.SelfCollisionMask.learn(arm6, samples=10_000_000, progress=fail)
