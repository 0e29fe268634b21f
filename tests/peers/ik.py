#!/usr/bin/env python3
"""Inverse kinematics beside Klampt, a damped least squares on Pinocchio and the crate `k`: the same targets from the same starts.

    pip install klampt==0.10.1.post1 pin==4.1.0 example-robot-data==6.0.0 pybullet==3.2.7
    cargo build --release -p kinworld-cli && cargo bench -p kinworld-benches --no-run --bench ik
    cargo build --release --manifest-path tests/peers/k_ik/Cargo.toml
    python3 tests/peers/ik.py [--count 1000] [--bullet FOLDER] [--corpus FOLDER] [NAME...]

UR5, Panda, TALOS's arm with its torso (example-robot-data), iiwa (pybullet_data), TX90 (Klampt-examples, for the others as a URDF
written by `kinworld convert`). Targets are poses of the hand at seeded configurations within limits, starts are other ones.
Solved means 1e-9 m and 1e-9 rad and within limits, from the one start, and with up to 100 random ones; all may take 200 steps.
Klampt and Pinocchio are called from Python; Klampt's own iterations are C++, so its time is that of its solver. The time of one
solve is the mean over all problems, failures included, and the median of three rounds, on every side; the last column is the time of
the others over ours. Exit code 1 where we solve fewer than 99.9 % with restarts, or fewer than a peer from one start, or where a
peer that solves as many is not three times slower.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# one thread, as all others have
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
import pinocchio as pin

K = Path(__file__).parent / "k_ik/target/release/k_ik"
GUIDE = Path(__file__).parents[2] / "src/guide/performance.md"
BEGIN, END = "<!-- begin: written by tests/peers/ik.py -->", "<!-- end -->"
ROBOTS = Path(pin.__file__).parents[4] / "share/example-robot-data/robots"
TOLERANCE = 1e-9
ROUNDS = 3


def arms(arguments):
    yield "ur5", ROBOTS / "ur_description/urdf/ur5_robot.urdf", "ee_link"
    yield "panda", ROBOTS / "panda_description/urdf/panda.urdf", "panda_link8"
    yield "talos", ROBOTS / "talos_data/robots/talos_reduced.urdf", "arm_left_7_link"
    if arguments.bullet:
        yield "iiwa", arguments.bullet / "kuka_iiwa/model.urdf", "lbr_iiwa_link_7"
    if arguments.corpus:
        yield "tx90", arguments.corpus / "robots/tx90ball.rob", "Link_6"


def dofs(binary, path):
    """Names of the links with a dof, and their limits, from `kinworld query`."""
    command = [binary, "query", "--no-meshes", str(path)]
    info = subprocess.run(command, input='{"op":"info"}\n', capture_output=True, text=True, check=True)
    robot = json.loads(info.stdout)["robots"][0]
    names = [robot["links"][dof["link"]]["name"] for dof in robot["dofs"]]
    lower, upper = (np.array([float(dof[key]) for dof in robot["dofs"]]) for key in ("q_min", "q_max"))
    return names, np.maximum(lower, -2 * np.pi), np.minimum(upper, 2 * np.pi)


def bench(suite, binary):
    """Times and shares of kinworld: a line for one start, a line for restarts."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(suite, file)
        file.flush()
        run = [binary, file.name] if binary else ["cargo", "bench", "-q", "-p", "kinworld-benches", "--bench", "ik", "--", file.name]
        lines = subprocess.run(run, capture_output=True, text=True, check=True).stdout.splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


def dls(model, data, frame, target, q, active, lower, upper, iterations=200):
    """Damped least squares with clamped steps, as in Pinocchio's examples; the Jacobian of the error is exact."""
    for _ in range(iterations):
        pin.framesForwardKinematics(model, data, q)
        error = pin.log(data.oMf[frame].actInv(target)).vector
        if np.linalg.norm(error[:3]) < TOLERANCE and np.linalg.norm(error[3:]) < TOLERANCE:
            return True
        jacobian = pin.computeFrameJacobian(model, data, q, frame, pin.LOCAL)
        jacobian = (-pin.Jlog6(data.oMf[frame].actInv(target).inverse()) @ jacobian)[:, active]
        damped = jacobian @ jacobian.T + 1e-6 * np.eye(6)
        q[active] = np.clip(q[active] - jacobian.T @ np.linalg.solve(damped, error), lower, upper)
    return False


def median_round(one_round):
    """The number solved, and the median time of a solve over several rounds."""
    solved, times = zip(*(one_round() for _ in range(ROUNDS)))
    return solved[-1], statistics.median(times)


def pinocchio(path, link, suite, names):
    model = pin.buildModelFromUrdf(str(path))
    data, frame = model.createData(), model.getFrameId(link)
    index = [model.joints[model.frames[model.getFrameId(name)].parentJoint].idx_q for name in names]
    active, joint = [], model.frames[frame].parentJoint
    while joint > 0:
        active.append(model.joints[joint].idx_q)
        joint = model.parents[joint]
    lower, upper = model.lowerPositionLimit[active], model.upperPositionLimit[active]

    def one_round():
        solved, spent = 0, 0.0
        for problem in suite["problems"]:
            q, start = pin.neutral(model), pin.neutral(model)
            q[index], start[index] = problem["target"], problem["start"]
            pin.framesForwardKinematics(model, data, q)
            target = data.oMf[frame].copy()
            begin = time.perf_counter()
            solved += dls(model, data, frame, target, start, active, lower, upper)
            spent += time.perf_counter() - begin
        return solved, spent / len(suite["problems"]) * 1e6

    return median_round(one_round)


def klampt_world(path):
    import klampt

    world = klampt.WorldModel()
    world.enableGeometryLoading(False)
    assert world.loadElement(str(path)) >= 0, path
    return world


def klampt(path, link, suite, names):
    from klampt.math import se3
    from klampt.model import ik

    world = klampt_world(path)
    robot = world.robot(0)
    index = {robot.link(i).getName(): i for i in range(robot.numLinks())}
    lower, upper = (np.array(x) for x in robot.getJointLimits())

    def full(values):
        q = np.array(robot.getConfig())
        for name, value in zip(names, values):
            q[index[name]] = value
        return q

    hand = robot.link(index[link])

    def one_round():
        solved, spent = 0, 0.0
        for problem in suite["problems"]:
            robot.setConfig(full(problem["target"]))
            target = hand.getTransform()
            robot.setConfig(full(problem["start"]))
            solver = ik.solver(ik.objective(hand, R=target[0], t=target[1]), iters=200, tol=TOLERANCE)
            solver.setActiveDofs([i for i in solver.getActiveDofs() if robot.link(i).getName() in names])
            begin = time.perf_counter()
            solver.solve()
            spent += time.perf_counter() - begin
            error = np.array(se3.error(hand.getTransform(), target))
            q = np.array(robot.getConfig())
            inside = np.all(q >= lower - 1e-12) and np.all(q <= upper + 1e-12)
            solved += inside and np.linalg.norm(error[:3]) <= 2e-9 and np.linalg.norm(error[3:]) <= 2e-9
        return int(solved), spent / len(suite["problems"]) * 1e6

    return median_round(one_round)


def k(suite):
    """The crate `k` with its default step multiplier, and with full steps."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(suite, file)
        file.flush()
        lines = subprocess.run([K, file.name], capture_output=True, text=True, check=True).stdout.splitlines()
    for answer in map(json.loads, lines):
        yield f"k, multiplier {answer['multiplier']}", answer["solved"], answer["us_per_solve"]


def as_urdf(binary, path, folder):
    """The file, or its conversion by `kinworld convert` for programs that read only URDF."""
    if path.suffix == ".urdf":
        return path
    urdf = Path(folder) / f"{path.stem}.urdf"
    subprocess.run([binary, "convert", str(path), str(urdf)], capture_output=True, text=True, check=True)
    return urdf


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--kinworld", default="target/release/kinworld")
    parser.add_argument("--bench", help="the built bench; by default cargo builds it")
    parser.add_argument("--bullet", type=Path)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--guide", action="store_true", help="write the table into src/guide/performance.md")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    good = True
    table = []

    def row(line):
        print(line, flush=True)
        table.append(line)

    row("| arm | | solved from one start | with restarts | µs per solve, one start | with restarts | times ours |")
    row("|---|---|---|---|---|---|---|")
    share = lambda solved: f"{100 * solved / arguments.count:.1f} %"
    for name, path, link in arms(arguments):
        if arguments.names and name not in arguments.names:
            continue
        names, lower, upper = dofs(arguments.kinworld, path)
        generator = np.random.default_rng(7)
        pairs = [(generator.uniform(lower, upper), generator.uniform(lower, upper)) for _ in range(arguments.count)]
        with tempfile.TemporaryDirectory() as folder:
            urdf = as_urdf(arguments.kinworld, path, folder)
            suite = {
                "file": str(path),
                "urdf": str(urdf),
                "link": link,
                "names": names,
                "problems": [{"target": list(a), "start": list(b)} for a, b in pairs],
            }
            single, many = bench(suite, arguments.bench)
            ours, spent = single["solved"], single["us_per_solve"]
            row(f"| {name} | kinworld | {share(ours)} | {share(many['solved'])} | {spent:.1f} | {many['us_per_solve']:.1f} | |")
            good &= many["solved"] >= 0.999 * arguments.count
            peers = [("Klampt", *klampt(path, link, suite, names))]
            peers.append(("Pinocchio, DLS", *pinocchio(urdf, link, suite, names)))
            peers.extend(k(suite) if K.exists() else [])
            for peer, solved, theirs in peers:
                row(f"| {name} | {peer} | {share(solved)} | | {theirs:.1f} | | {theirs / spent:.1f} |")
                good &= ours >= solved and (solved < ours or theirs >= 3 * spent)
    if arguments.guide:
        text = GUIDE.read_text()
        before, rest = text.split(BEGIN)
        GUIDE.write_text(before + BEGIN + "\n\n" + "\n".join(table) + "\n\n" + END + rest.split(END, 1)[1])
    sys.exit(0 if good else 1)


main()
