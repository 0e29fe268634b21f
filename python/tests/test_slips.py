"""Mistakes of a first hour: each raises, and the message says what was expected, what was found, and what there is."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinworld as kw

DATA = Path(__file__).parents[2] / "data"

SLIPS = [
    (
        "kw.Robot.load('arm7.urdf')",
        'LoadError',
        'arm7.urdf: error: cannot be read: no such file',
    ),
    (
        "kw.Robot.load(data + 'robots/arm5.urdf')",
        'LoadError',
        'robots/arm5.urdf: error: cannot be read: no such file',
    ),
    (
        "kw.load(data + 'robots')",
        'LoadError',
        'robots: error: is a folder, not a file',
    ),
    (
        'arm.state([0]*5)',
        'Error',
        'configuration needs 6 values, got 5',
    ),
    (
        'arm.state([[0]*6])',
        'TypeError',
        "expected numbers, found <class 'list'> at position 0",
    ),
    (
        "state.set_config('zeros')",
        'TypeError',
        'expected numbers, got str',
    ),
    (
        'state.set_config([0,0,0,0,0,None])',
        'TypeError',
        "expected numbers, found <class 'NoneType'> at position 5",
    ),
    (
        "state.set_config([0,0,0,0,0,float('nan')])",
        'Error',
        'configuration: value 5 is NaN, it must be finite',
    ),
    (
        "state.pose('flnage')",
        'NotFoundError',
        'no link named `flnage`; did you mean `flange`? there are: world, shoulder, upper_arm, elbow, forearm, wrist, flange',
    ),
    (
        'state.pose(99)',
        'IndexError',
        'link 99 of 7',
    ),
    (
        'state.pose(1.5)',
        'TypeError',
        'expected the name or the index of a link, got float',
    ),
    (
        "state.jacobian('flange', (0,0))",
        'ValueError',
        'expected 3 numbers, got 2',
    ),
    (
        'state.inverse_dynamics([0]*7)',
        'Error',
        'acceleration needs 6 values, got 7',
    ),
    (
        'state.forward_dynamic([0]*6)',
        'AttributeError',
        "'kinworld.State' object has no attribute 'forward_dynamic'",
    ),
    (
        "kw.ik.objective('flange')",
        'ValueError',
        'an objective needs a pose, a position or a rotation',
    ),
    (
        "kw.ik.objective('flange', pose=np.eye(3))",
        'ValueError',
        'a pose is a 4 × 4 array, got one of shape (3, 3); `kinworld.se3` and `kinworld.so3` make them from quaternions and angles',
    ),
    (
        "kw.ik.objective('flange', pose=np.eye(4).T*2)",
        'Error',
        'pose matrix: its last row is 0 0 0 2, not 0 0 0 1; transpose a matrix that was stored by columns',
    ),
    (
        "kw.ik.solve(arm, 'flange')",
        'TypeError',
        'expected an objective or a list of them, see `kinworld.ik.objective`',
    ),
    (
        "kw.ik.solve(world, kw.ik.objective('flange', position=(0,0,0)))",
        'TypeError',
        'expected a Robot or a State, got World',
    ),
    (
        "world.robot('arm')",
        'NotFoundError',
        'no robot named `arm`; did you mean `arm6`? there are: arm6',
    ),
    (
        "world.robots['arm66']",
        'NotFoundError',
        'no robot named `arm66`; did you mean `arm6`? there are: arm6',
    ),
    (
        'world.add(3)',
        'TypeError',
        'expected a Robot, RigidObject, Terrain, World or a path, got int',
    ),
    (
        'world.add(np.zeros(3))',
        'TypeError',
        'expected a Robot, RigidObject, Terrain, World or a path, got ndarray',
    ),
    (
        'world.collider().collides([90,0,0,0,0])',
        'Error',
        'configuration needs 6 values, got 5',
    ),
    (
        "world.collider().distance('table','arm7')",
        'NotFoundError',
        'no element named `arm7`; did you mean `arm6`? there are: table, arm6',
    ),
    (
        'world.space().plan([0]*6,[0.5,1,0,0,0,0])',
        'Error',
        'goal: `table` and `arm6[flange]` collide',
    ),
    (
        'world.space().plan([0]*6,[1]*3)',
        'Error',
        'goal needs 6 values, got 3',
    ),
    (
        'world.collider(margins=0.1)',
        'TypeError',
        "World.collider() got an unexpected keyword argument 'margins'",
    ),
    (
        'kw.se3.from_wxyz((0,0,0),(0,0,0))',
        'Error',
        'a quaternion has four numbers, got 3',
    ),
    (
        'kw.se3.from_wxyz((0,0,0),(0,0,0,0))',
        'Error',
        'quaternion: needs four finite numbers that are not all zero',
    ),
    (
        'kw.sim.simulate(arm, -1)',
        'Error',
        'duration is -1 s, it must be finite and not negative',
    ),
    (
        "kw.sim.simulate(arm, 1, method='euler')",
        'Error',
        'unknown method "euler"; there are explicit_euler, explicit_midpoint, rk33, rk44, rk67, ode23, dopri5, dop853, semi_implicit_euler, velocity_verlet, trapezoidal and generalized_alpha',
    ),
    (
        'kw.sim.simulate(arm, 1, controller=lambda q: q)',
        'TypeError',
        '<lambda>() takes 1 positional argument but 3 were given',
    ),
    (
        'kw.Geometry.box(1)',
        'ValueError',
        'expected an array of one dimension, got one of shape ()',
    ),
    (
        'kw.Geometry.box((1,-1,1))',
        'Error',
        'box: its size must be a positive number, got -1',
    ),
    (
        'kw.Geometry.mesh([[0,0,0]],[[0,1,2]])',
        'ValueError',
        'triangles hold indices of 1 vertices, found 1',
    ),
    (
        'kw.batch.poses(arm, np.zeros(6))',
        'ValueError',
        'expected an array of two dimensions, got one of shape (6,)',
    ),
    (
        'kw.batch.poses(arm, np.zeros((5,7)))',
        'ValueError',
        'q needs rows of 6 numbers, got an array of shape (5, 7)',
    ),
    (
        'kw.Trajectory([0],[[0],[1]])',
        'Error',
        'the times of a trajectory needs 2 values, got 1',
    ),
]


@pytest.mark.parametrize(("code", "kind", "message"), SLIPS, ids=[code for code, _, _ in SLIPS])
def test_a_slip_is_answered_with_advice(code: str, kind: str, message: str, data: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kw.LoadWarning)
        arm = kw.Robot.load(data / "robots/arm6.urdf")
        world = kw.load(data / "robots/arm6.urdf", data / "terrains/table.env")
    names: dict[str, Any] = {"kw": kw, "np": np, "arm": arm, "state": arm.state(), "world": world, "data": f"{data}/"}
    with pytest.raises(Exception, match=re.escape(message.split("/")[-1])) as caught:
        eval(code, names)
    assert type(caught.value).__name__ == kind


@pytest.mark.parametrize("load", [kw.load, kw.Robot.load, kw.Geometry.load, kw.World().add])
def test_a_missing_file_gets_advice(load: Callable[[Path], object]) -> None:
    with pytest.raises(kw.LoadError) as caught:
        load(DATA / "robots/pandaa.urdf")
    assert re.search(r"pandaa.urdf: error: .*no such file\n  help: did you mean `.*/panda.urdf`\?", str(caught.value))
    assert caught.value.diagnostics[-1].help in str(caught.value)
