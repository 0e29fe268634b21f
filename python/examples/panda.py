"""A robot from a URDF: move it, ask for poses, Jacobians and forces, reach a pose, avoid a table."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import kinworld as kw

DATA = Path(__file__).parents[2] / "data"
np.set_printoptions(precision=4, suppress=True)

# load
robot = kw.Robot.load(DATA / "robots/panda.urdf")
print(robot)

# move: one value per degree of freedom, rad
state = robot.state([0, -0.785, 0, -2.356, 0, 1.571, 0.785])
print("position of the tool, m:", state.world_position("tool"))

# Jacobian of the tool, angular rows first
print("Jacobian:", state.jacobian("tool").shape)

# forces that hold the arm, N·m
print("gravity forces, N·m:", state.gravity_forces())

# inverse kinematics: 10 cm higher
goal = state.pose("tool")
goal[2, 3] += 0.1
solution = kw.ik.solve(state, kw.ik.objective("tool", pose=goal))
print(solution)
assert np.allclose(robot.state(solution.q).pose("tool"), goal, atol=1e-8)

# a world with an obstacle, and a path around it
world = kw.load(DATA / "robots/arm6.urdf", DATA / "terrains/table.env")
space = world.space()
rows = world.robot().robot.sample(0, 200)
start, end = rows[space.are_free(rows)][:2]
plan = space.plan(start, end, seed=0)
print(plan)
assert plan.path is not None and space.are_edges_free(plan.path[:-1], plan.path[1:]).all()
