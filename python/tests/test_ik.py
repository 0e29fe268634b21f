"""Inverse kinematics: what is found is checked by forward kinematics."""

from __future__ import annotations

import numpy as np
import pytest

import kinworld as kw


def test_a_pose_is_reached(panda: kw.Robot) -> None:
    for seed in range(20):
        target = panda.state(panda.sample(seed)).pose("tool")
        found = kw.ik.solve(panda, kw.ik.objective("tool", pose=target), seed=seed)
        assert found and found.solved and found.termination == "reached"
        np.testing.assert_allclose(panda.state(found.q).pose("tool"), target, atol=1e-8)
        assert panda.in_limits(found.q)


def test_positions_lines_planes_axes(panda: kw.Robot) -> None:
    p = panda.state(panda.sample(3)).world_position("tool", (0.1, 0, 0))
    for goal, rows in [
        (kw.ik.objective("tool", position=p, local=(0.1, 0, 0)), 3),
        (kw.ik.objective("tool", line=(p, (0, 0, 1)), local=(0.1, 0, 0)), 2),
        (kw.ik.objective("tool", plane=(p, (0, 0, 1)), local=(0.1, 0, 0)), 1),
    ]:
        assert goal.rows >= rows
        found = kw.ik.solve(panda, goal)
        reached = panda.state(found.q).world_position("tool", (0.1, 0, 0))
        assert found.solved and reached[2] == pytest.approx(p[2], abs=2) and np.isfinite(reached).all()
    upright = kw.ik.solve(panda, kw.ik.objective("tool", axis=((0, 0, 1), (0, 0, -1))))
    np.testing.assert_allclose(panda.state(upright.q).world_direction("tool", (0, 0, 1)), (0, 0, -1), atol=1e-8)


def test_what_cannot_be_reached_says_so(panda: kw.Robot) -> None:
    found = kw.ik.solve(panda, kw.ik.objective("tool", position=(5, 0, 0)), restarts=3)
    assert not found and not found.solved and found.termination != "reached"
    reach = np.linalg.norm(panda.state(found.q).world_position("tool") - (5, 0, 0))
    assert found.position_error == pytest.approx(reach, rel=1e-6)


def test_a_solution_in_a_space_is_free(cell: kw.World) -> None:
    arm, space = cell.robots["arm"], cell.space("arm")
    rows = arm.robot.sample(5, 400)
    free = rows[space.are_free(rows)]
    for q in free[:5]:
        target = arm.robot.state(q).pose("flange")
        found = kw.ik.solve(arm.robot, kw.ik.objective("flange", pose=target), space=space)
        assert found.solved and space.is_free(found.q)


def test_batches_paths_and_neighbours(arm6: kw.Robot) -> None:
    states = [arm6.state(arm6.sample(seed)) for seed in range(10)]
    problems = [(kw.ik.objective("flange", pose=state.pose("flange")), np.zeros(6)) for state in states]
    for found, state in zip(kw.ik.solve_batch(arm6, problems), states, strict=True):
        assert found.solved
        np.testing.assert_allclose(arm6.state(found.q).pose("flange"), state.pose("flange"), atol=1e-8)
    q = np.array([0.3, 0.5, -0.4, 0.2, 0.3, 0.1])
    start = arm6.state(q).pose("flange")
    end = start.copy()
    end[2, 3] -= 0.05
    configs, reached = kw.ik.solve_path(arm6, "flange", [start, end], q)
    assert reached
    np.testing.assert_allclose(arm6.state(configs[-1]).pose("flange"), end, atol=1e-7)
    near = kw.ik.solve_nearby(arm6, kw.ik.objective("flange", pose=end), 0.3, q)
    assert near.solved and np.abs(near.q - q).max() <= 0.3 + 1e-12


def test_differential_follows_a_twist(panda: kw.Robot) -> None:
    state = panda.state([0, 0.3, 0, -1.5, 0, 1.8, 0])
    twist = np.array([0.1, 0, 0, 0, 0.05, 0])
    dq = kw.ik.differential(state, "tool", twist)
    np.testing.assert_allclose(state.jacobian("tool") @ dq, twist, atol=1e-4)


def test_levels_of_velocity_are_projections(panda: kw.Robot) -> None:
    state = panda.state([0.2, 0.3, 0.1, -1.5, 0.2, 1.8, 0.3])
    v, home = np.array([0.1, -0.05, 0.2]), np.linspace(-0.2, 0.3, 7)
    tasks = [kw.ik.velocity_task("tool", linear=v), kw.ik.joint_velocity_task(home, level=1)]
    found = kw.ik.velocity(state, tasks, dt=np.inf, damping=1e-10, velocity_limits=[(-9, 9)] * 7)
    jacobian = state.jacobian("tool")[3:]
    inverse = np.linalg.pinv(jacobian)
    expected = inverse @ v + (np.eye(7) - inverse @ jacobian) @ home
    np.testing.assert_allclose(found.dq, expected, atol=1e-6)
    assert found.feasible and found.is_optimal and found.violation == 0
    assert not found.active_limits and not found.active_constraints and not found.violated_constraints
    assert len(found.residual) == 3 + 7
    np.testing.assert_allclose(found.residual[:3], 0, atol=1e-8)
    np.testing.assert_allclose(found.residual[3:], found.dq - home, atol=1e-12)
    turn = kw.ik.velocity(state, [kw.ik.velocity_task("tool", angular=v)], damping=1e-10)
    np.testing.assert_allclose(state.jacobian("tool")[:3] @ turn.dq, v, atol=1e-8)


def test_barriers_bound_velocities(panda: kw.Robot) -> None:
    state = panda.state([0.2, 0.3, 0.1, -1.5, 0.2, 1.8, 0.3])
    height = state.pose("tool")[2, 3]
    row, bound = kw.ik.position_barrier(state, "tool", (0, 0, 1), height - 0.1, gain=2)
    np.testing.assert_allclose(row, -state.jacobian("tool")[5], atol=1e-14)
    assert bound == pytest.approx(0.2)
    down = kw.ik.velocity_task("tool", linear=(0, 0, -1))
    found = kw.ik.velocity(state, [down], constraints=([row], [bound]))
    assert found.active_constraints == [0] and row @ found.dq == pytest.approx(0.2)
    both = kw.ik.velocity(state, [down], constraints=([row, -row], [-0.1, -0.1]))
    assert both.violated_constraints == [0, 1] and not both.feasible
    assert both.violation == pytest.approx(0.1)
    with pytest.raises(ValueError, match="2 rows and 1 bounds"):
        kw.ik.velocity(state, [down], constraints=([row, row], [0.0]))
    with pytest.raises(ValueError, match="needs `linear`, `angular`, or both"):
        kw.ik.velocity_task("tool")


def test_distances_are_kept(arm6: kw.Robot) -> None:
    world = kw.World()
    world.add(arm6)
    space = world.space()
    q = np.array([0.1, 0.2, 0.3, 0.1, 0.5, 0.2])
    rows, bounds, overlapping = space.distance_barrier(q, 0.01, gain=5, within=10)
    assert rows.shape == (len(bounds), 6) and len(bounds) > 0 and not overlapping
    nearest, gradient = space.clearance(q)  # type: ignore[misc]
    i = int(np.argmin(bounds))
    assert bounds[i] == pytest.approx(5 * (nearest.distance - 0.01))
    np.testing.assert_allclose(rows[i], -gradient, atol=1e-12)
    push = kw.ik.joint_velocity_task(np.full(6, 3.0))
    found = kw.ik.velocity(arm6.state(q), [push], constraints=(rows, bounds))
    assert found.feasible and (rows @ found.dq <= bounds + 1e-9).all()


def test_residuals_against_differences(panda: kw.Robot) -> None:
    goal = kw.ik.objective("tool", pose=panda.state(panda.sample(1)).pose("tool"))
    q, h = panda.sample(2), 1e-6
    jacobian = kw.ik.residual_jacobian(panda.state(q), goal)
    for i in range(7):
        step = h * np.eye(7)[i]
        ahead, behind = kw.ik.residual(panda.state(q + step), goal), kw.ik.residual(panda.state(q - step), goal)
        # the rows of the rotation are exact at the goal only; those of the position everywhere
        np.testing.assert_allclose(jacobian[:3, i], (ahead - behind)[:3] / (2 * h), atol=1e-7)


def test_contradictions_are_refused(panda: kw.Robot) -> None:
    with pytest.raises(ValueError, match="give one of pose, position"):
        kw.ik.objective("tool", pose=np.eye(4), position=(0, 0, 0))
    with pytest.raises(ValueError, match="needs a pose, a position or a rotation"):
        kw.ik.objective("tool")
    with pytest.raises(kw.NotFoundError):
        kw.ik.solve(panda, kw.ik.objective("hand of god", position=(0, 0, 0)))
    with pytest.raises(ValueError, match="4 × 4"):
        kw.ik.objective("tool", pose=(0, 0, 0, 1))


def test_analytic_solutions(arm6: kw.Robot, data: object) -> None:
    q = arm6.sample(4)
    target = arm6.state(q).pose("flange")
    try:
        rows = kw.ik.analytic(arm6, "flange", target)
    except kw.Error as problem:
        assert "spherical wrist" in str(problem)
        return
    assert len(rows) > 0
    for row in rows:
        np.testing.assert_allclose(arm6.state(row).pose("flange"), target, atol=1e-7)
