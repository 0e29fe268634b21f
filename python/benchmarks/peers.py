"""Call costs from Python beside Pinocchio, Klampt and MuJoCo, in one process: `python peers.py [ROBOT.urdf]`.

Needs `pip install pin klampt mujoco`; what is not installed is left out. Each figure is the median over rounds of the
processor time per call, the cost of an empty call subtracted; the rounds of all libraries alternate.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

import kinworld as kw

ROUNDS, CALLS = 15, 4000
DEFAULT = Path(__file__).parents[2] / "data/robots/panda.urdf"
Call = Callable[[], object]
KEPT: list[object] = []


def ours(path: Path, q: np.ndarray, dq: np.ndarray, ddq: np.ndarray, link: str) -> dict[str, Call]:
    robot = kw.Robot.load(path, options=kw.LoadOptions(geometry=False))
    index = robot.link(link).index
    return {
        "q -> pose 4x4": lambda: robot.pose(q, index),
        "q -> Jacobian 6xn": lambda: robot.jacobian(q, index),
        "q, dq, ddq -> tau": lambda: robot.inverse_dynamics(q, dq, ddq),
        "q -> mass matrix": lambda: robot.mass_matrix(q),
        "q, dq, tau -> ddq": lambda: robot.forward_dynamics(q, dq, ddq),
    }


def kept(path: Path, q: np.ndarray, dq: np.ndarray, ddq: np.ndarray, link: str) -> dict[str, Call]:
    """Calls on a state that is there already: what a second question about one configuration costs."""
    robot = kw.Robot.load(path, options=kw.LoadOptions(geometry=False))
    state = robot.state(q, dq)
    index = robot.link(link).index
    return {
        "q -> pose 4x4": lambda: state.pose(index),
        "q -> Jacobian 6xn": lambda: state.jacobian(index),
        "q, dq, ddq -> tau": lambda: state.inverse_dynamics(ddq),
        "q -> mass matrix": state.mass_matrix,
        "q, dq, tau -> ddq": lambda: state.forward_dynamics(ddq),
    }


def pinocchio(path: Path, q: np.ndarray, dq: np.ndarray, ddq: np.ndarray, link: str) -> dict[str, Call]:
    import pinocchio as pin

    model = pin.buildModelFromUrdf(str(path))
    data = model.createData()
    frame = model.getFrameId(link, pin.FrameType.BODY)
    # what one call needs and no more: the placement of one frame, names looked up once
    forward, place, world = pin.forwardKinematics, pin.updateFramePlacement, pin.LOCAL_WORLD_ALIGNED
    jacobian, rnea, crba, aba = pin.computeFrameJacobian, pin.rnea, pin.crba, pin.aba

    def fk() -> object:
        forward(model, data, q)
        return place(model, data, frame).homogeneous

    return {
        "q -> pose 4x4": fk,
        "q -> Jacobian 6xn": lambda: jacobian(model, data, q, frame, world),
        "q, dq, ddq -> tau": lambda: rnea(model, data, q, dq, ddq),
        "q -> mass matrix": lambda: crba(model, data, q),
        "q, dq, tau -> ddq": lambda: aba(model, data, q, dq, ddq),
    }


def klampt(path: Path, q: np.ndarray, dq: np.ndarray, ddq: np.ndarray, link: str) -> dict[str, Call]:
    from klampt import WorldModel

    world = WorldModel()
    if not world.readFile(str(path)):
        raise ValueError(f"Klampt cannot read {path}")
    # its robots crash once their world is gone
    KEPT.append(world)
    robot = world.robot(0)
    # Klampt gives fixed links a coordinate too
    full = robot.getConfig()
    names = [robot.link(i).getName() for i in range(robot.numLinks())]
    ours = kw.Robot.load(path, options=kw.LoadOptions(geometry=False))
    for value, dof in zip(q, range(ours.n_dofs), strict=True):
        name = next(one.name for one in ours if one.dof == dof)
        full[names.index(name)] = float(value)
    rates = [0.1] * len(full)
    end = robot.link(link)

    def fk() -> object:
        robot.setConfig(full)
        return end.getTransform()

    def jacobian() -> object:
        robot.setConfig(full)
        return end.getJacobian([0, 0, 0])

    def inverse() -> object:
        robot.setConfig(full)
        robot.setVelocity(rates)
        return robot.torquesFromAccel(rates)

    def mass() -> object:
        robot.setConfig(full)
        return robot.getMassMatrix()

    def forward() -> object:
        robot.setConfig(full)
        robot.setVelocity(rates)
        return robot.accelFromTorques(rates)

    return {
        "q -> pose 4x4": fk,
        "q -> Jacobian 6xn": jacobian,
        "q, dq, ddq -> tau": inverse,
        "q -> mass matrix": mass,
        "q, dq, tau -> ddq": forward,
    }


def mujoco(path: Path, q: np.ndarray, dq: np.ndarray, ddq: np.ndarray, link: str) -> dict[str, Call]:
    import mujoco as mj

    # MuJoCo reads no meshes of URDF without their files
    import xml.etree.ElementTree as ET

    tree = ET.parse(path)
    for element in tree.getroot().iter("link"):
        for kind in ("visual", "collision"):
            for shape in element.findall(kind):
                element.remove(shape)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "robot.urdf"
        tree.write(copy)
        model = mj.MjModel.from_xml_path(str(copy))
    data = mj.MjData(model)
    body = max(range(model.nbody), key=lambda i: model.body_dofadr[i])
    linear, angular = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    full, out = np.zeros((model.nv, model.nv)), np.zeros(model.nv)
    data.qpos[:] = q
    data.qvel[:] = dq
    mj.mj_forward(model, data)

    def fk() -> object:
        data.qpos[:] = q
        mj.mj_kinematics(model, data)
        pose = np.eye(4)
        pose[:3, :3] = data.xmat[body].reshape(3, 3)
        pose[:3, 3] = data.xpos[body]
        return pose

    def jacobian() -> object:
        data.qpos[:] = q
        mj.mj_kinematics(model, data)
        mj.mj_comPos(model, data)
        mj.mj_jac(model, data, linear, angular, data.xpos[body], body)
        return np.vstack([angular, linear])

    def inverse() -> object:
        data.qpos[:], data.qvel[:], data.qacc[:] = q, dq, ddq
        mj.mj_kinematics(model, data)
        mj.mj_comPos(model, data)
        mj.mj_fwdVelocity(model, data)
        mj.mj_rne(model, data, 1, out)
        return out.copy()

    def mass() -> object:
        data.qpos[:] = q
        mj.mj_kinematics(model, data)
        mj.mj_comPos(model, data)
        mj.mj_crb(model, data)
        mj.mj_fullM(model, data, full)
        return full.copy()

    def forward() -> object:
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, dq, ddq
        mj.mj_forward(model, data)
        return data.qacc.copy()

    return {
        "q -> pose 4x4": fk,
        "q -> Jacobian 6xn": jacobian,
        "q, dq, ddq -> tau": inverse,
        "q -> mass matrix": mass,
        "q, dq, tau -> ddq": forward,
    }


def cost(call: Call) -> float:
    """Processor time of a call, ns."""
    began = time.process_time_ns()
    for _ in range(CALLS):
        call()
    return (time.process_time_ns() - began) / CALLS


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    robot = kw.Robot.load(path, options=kw.LoadOptions(geometry=False))
    link = [one.name for one in robot if one.dof is not None][-1]
    motion = (robot.sample(1), robot.sample(2), robot.sample(3))
    calls: dict[str, dict[str, Call]] = {}
    for make in (ours, kept, pinocchio, klampt, mujoco):
        name = {"ours": "kinworld", "kept": "state kept"}.get(make.__name__, make.__name__)
        try:
            calls[name] = make(path, *motion, link)
            for call in calls[name].values():
                call()
        except ImportError as problem:
            print(f"left out: {name} ({problem})")
        except Exception as problem:
            calls.pop(name, None)
            print(f"left out: {name} ({type(problem).__name__}: {problem})")
    rows: dict[tuple[str, str], list[float]] = {}
    for _ in range(ROUNDS):
        floor = cost(lambda: None)
        for name, table in calls.items():
            for what, call in table.items():
                rows.setdefault((what, name), []).append(cost(call) - floor)
    print(f"{robot!r}; median (95th percentile) of {ROUNDS} rounds of {CALLS} calls, ns per call")
    print(f"{'':20}" + "".join(f"{name:>20}" for name in calls))
    for what in calls["kinworld"]:
        line = f"{what:20}"
        for name in calls:
            found = sorted(rows.get((what, name), [float("nan")]))
            line += f"{statistics.median(found):>12.0f} ({found[int(0.95 * (len(found) - 1))]:5.0f})"
        print(line)
    q = robot.sample(5, 10_000)
    began = time.perf_counter_ns()
    for _ in range(10):
        kw.batch.poses(robot, q, [link])
    print(f"batch of 10,000 poses: {(time.perf_counter_ns() - began) / 1e5:.1f} ns each, all cores")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
