#!/usr/bin/env python3
"""Plans with OMPL's Python bindings and `kinworld query` as checker of states and motions, without other bindings.

    pip install ompl==2.0.1
    cargo build --release -p kinworld-cli
    python3 tests/peers/ompl_query.py                      # the arm of data/worlds/cell.xml
    python3 tests/peers/ompl_query.py arm.urdf table.env --to 1,0.4,0.5,0,0,0 --planner RRTstar

`KinworldQuery` runs the tool and sends one request after the other, a line each; the tool flushes every answer. `Free` and
`Edge` are a StateValidityChecker and a MotionValidator for any planner of OMPL. The joints must have limits, since
RealVectorStateSpace needs them. A path is checked again by a second process, at a quarter of the resolution
and state by state; exit code 1 if that finds a collision.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from ompl import base as ob
from ompl import geometric as og
from ompl import util as ou

ROOT = Path(__file__).resolve().parents[2]
# the straight edge between them is not free
START, GOAL = [-1.0, 0.9, 0.9, 0.0, 0.4, 0.0], [1.2, 0.9, 0.9, 0.0, 0.4, 0.0]


class KinworldQuery:
    """A running `kinworld query`, about one robot of its world."""

    def __init__(self, tool, files, robot=None):
        command = [str(tool), "query", *map(str, files)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.robot = {} if robot is None else {"robot": robot}
        self.asked = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def ask(self, op, **fields):
        """The answer to a request; raises ValueError with the error of the tool."""
        self.asked += 1
        self.process.stdin.write(json.dumps({"op": op, **fields}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"kinworld ended with {self.process.wait()}")
        answer = json.loads(line)
        if not answer["ok"]:
            raise ValueError(answer["error"])
        return answer

    def free(self, q):
        """{"free": bool, "reason"?: str}"""
        return self.ask("free", q=q, **self.robot)

    def edge(self, a, b, **resolution):
        """{"free": bool, "reason"?: str, "t"?: float, "pair"?: [str, str]}"""
        return self.ask("edge", **{"from": a, "to": b}, **resolution, **self.robot)

    def limits(self):
        """Lower and upper limit of each dof."""
        robots = self.ask("info")["robots"]
        name = self.robot.get("robot", robots[0]["name"])
        dofs = next(robot["dofs"] for robot in robots if robot["name"] == name)
        return [(dof["q_min"], dof["q_max"]) for dof in dofs]


class Free(ob.StateValidityChecker):
    """Checks a state."""

    def __init__(self, si, query):
        super().__init__(si)
        self.query, self.n = query, si.getStateDimension()

    def isValid(self, state):
        return self.query.free(numbers(state, self.n))["free"]


class Edge(ob.MotionValidator):
    """Checks the edge between two states with one request."""

    def __init__(self, si, query):
        super().__init__(si)
        self.query, self.n = query, si.getStateDimension()

    def checkMotion(self, a, b):
        return self.query.edge(numbers(a, self.n), numbers(b, self.n))["free"]


def numbers(state, n):
    return [state[i] for i in range(n)]


def plan(query, start, goal, planner="RRTConnect", seconds=20.0):
    """The waypoints of a path, or None."""
    limits = query.limits()
    space = ob.RealVectorStateSpace(len(limits))
    bounds = ob.RealVectorBounds(len(limits))
    for i, (low, high) in enumerate(limits):
        bounds.setLow(i, low)
        bounds.setHigh(i, high)
    space.setBounds(bounds)

    si = ob.SpaceInformation(space)
    # both must outlive the search
    checker, validator = Free(si, query), Edge(si, query)
    si.setStateValidityChecker(checker)
    si.setMotionValidator(validator)
    si.setup()

    setup = og.SimpleSetup(si)
    ends = [space.allocState(), space.allocState()]
    for state, values in zip(ends, (start, goal)):
        for i, x in enumerate(values):
            state[i] = x
    setup.setStartAndGoalStates(*ends)
    setup.setPlanner(getattr(og, planner)(si))
    setup.solve(seconds)
    if not setup.haveExactSolutionPath():
        return None
    return [numbers(state, len(limits)) for state in setup.getSolutionPath().getStates()]


def faults(query, path):
    """Reasons why a path is not free, from a second process of the tool."""
    for a, b in zip(path, path[1:]):
        answer = query.edge(a, b, resolution=1 / 128)
        if not answer["free"]:
            yield answer["reason"]
        for i in range(33):
            q = [x + i / 32 * (y - x) for x, y in zip(a, b)]
            answer = query.free(q)
            if not answer["free"]:
                yield answer["reason"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", default=[ROOT / "data" / "worlds" / "cell.xml"])
    parser.add_argument("--tool", default=ROOT / "target" / "release" / "kinworld")
    parser.add_argument("--robot")
    parser.add_argument("--from", dest="start", type=values, default=START)
    parser.add_argument("--to", dest="goal", type=values, default=GOAL)
    parser.add_argument("--planner", default="RRTConnect", help="a class of ompl.geometric")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def values(text):
    return [float(x) for x in text.split(",")]


def main():
    args = arguments()
    ou.setLogLevel(ou.LogLevel.LOG_WARN)
    ou.RNG.setSeed(args.seed)
    with KinworldQuery(args.tool, args.files, args.robot) as query:
        for name, q in (("start", args.start), ("goal", args.goal)):
            answer = query.free(q)
            if not answer["free"]:
                sys.exit(f"{name}: {answer['reason']}")
        print("straight edge:", query.edge(args.start, args.goal).get("reason", "free"))
        path = plan(query, args.start, args.goal, args.planner, args.seconds)
        print(f"{args.planner}: {query.asked} requests")
    if path is None:
        sys.exit(f"no path found within {args.seconds} s")
    print(f"path of {len(path)} waypoints")
    with KinworldQuery(args.tool, args.files, args.robot) as query:
        for fault in faults(query, path):
            sys.exit(f"not free: {fault}")
    print("free, at four times the resolution")


if __name__ == "__main__":
    try:
        main()
    except ValueError as error:
        sys.exit(f"error: {error}")
