#!/usr/bin/env python3
"""Times kinworld, Pinocchio and MuJoCo in turn on the same robots, and writes one table.

    cargo build --release -p kinworld-cli
    VENV=/tmp/peers/venv tests/peers/rbd/build.sh /tmp/peers
    /tmp/peers/venv/bin/python tests/peers/rbd/measure.py --build /tmp/peers --write src/guide/performance.md

Robots are those of the pip package `example-robot-data`, named in `ROBOTS`. In every round each program runs once on
each robot, on one core, so that other load on the machine affects all of them. Pinocchio's time is the least over its
builds and over its functions with the same result, round by round; a ratio is the median over the rounds of theirs to ours.
Without `--write` the table is printed. Close other programs first.
"""

import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

import pinocchio as pin

from flatten import flatten
from mjcf import mjcf

ROOT = Path(__file__).resolve().parents[3]
DATA = Path(pin.__file__).parents[4] / "share" / "example-robot-data" / "robots"

# name -> its file, and whether its base floats
ROBOTS = {
    "UR5": ("ur_description/urdf/ur5_robot.urdf", False),
    "Panda": ("panda_description/urdf/panda.urdf", False),
    "ANYmal": ("anymal_b_simple_description/robots/anymal.urdf", True),
    "Talos": ("talos_data/robots/talos_reduced.urdf", True),
    "iCub": ("icub_description/robots/icub_reduced.urdf", True),
}

# our key, the peer's algorithm, and the speed-up aimed at
SINGLE = [
    ("fk", "fk", 2.5),
    ("jacobian", "jacobian", 2.5),
    ("rnea", "rnea", 2.5),
    ("crba", "crba", 2.5),
    ("aba", "aba", 2.5),
    ("rnea_derivatives", "rnea_derivatives", 2.5),
    ("aba_derivatives", "aba_derivatives", 2),
    ("minverse", "minverse", 2),
    ("aba", "forward_dynamics", 2),
]
BATCHES = {
    "avx512": {"fk_lanes": 12, "rnea_lanes": 12, "crba_lanes": 8, "aba_lanes": 8, "fk_batch": 6},
    "avx2": {"fk_lanes": 6, "rnea_lanes": 6, "crba_lanes": 4, "aba_lanes": 4, "fk_batch": 4},
}
BATCH_KEYS = [f"{kernel}_{kind}" for kind in ("lanes", "batch") for kernel in ("fk", "jacobian", "rnea", "crba", "aba")]
INSTRUCTIONS = {"avx512": "AVX-512", "avx2": "AVX2"}

BEGIN, END = "<!-- begin: written by tests/peers/rbd/measure.py -->", "<!-- end -->"


class Clock:
    """Runs the programs on one core and keeps their medians, round by round."""

    def __init__(self, options):
        self.build, self.kinworld, self.core = options.build.resolve(), options.kinworld.resolve(), options.core
        self.batches = str(options.batches)
        self.pinocchio = sorted(self.build.glob("pinbench-*"))
        if not self.pinocchio:
            sys.exit(f"no pinbench in {self.build}: run build.sh first")
        flags = Path("/proc/cpuinfo").read_text()
        self.levels = [level for level in BATCHES if level + ("f" if level == "avx512" else "") in flags]
        self.rounds = []

    def lines(self, command, **environment):
        run = subprocess.run(
            command,
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, **environment},
            preexec_fn=lambda: os.sched_setaffinity(0, {self.core}),
        )
        return run.stdout.splitlines()

    def round(self):
        """Runs every program once on every robot: times by robot and by (program, algorithm)."""
        times = {name: {} for name in ROBOTS}
        for name, (file, floating) in ROBOTS.items():
            here = times[name]
            for level in self.levels or [""]:
                base = ["--base", "floating"] if floating else ["--base", "fixed"]
                command = [self.kinworld, "bench", DATA / file, *base, "--no-meshes", "--json"]
                answer = json.loads(self.lines(command, KINWORLD_SIMD=level)[0])
                here["n"] = answer["n_dofs"]
                here.update({(level, key): ns for key, ns in answer.items() if isinstance(ns, float)})
            commands = [[program, "--batches", self.batches, self.build / f"{name}.txt"] for program in self.pinocchio]
            commands.append([self.build / "mjbench", self.batches, self.build / f"{name}.xml"])
            for command in commands:
                for _, algorithm, median, _ in csv.reader(self.lines(command)):
                    key = ("peer", algorithm.split("/")[0])
                    here[key] = min(float(median), here.get(key, float("inf")))
        self.rounds.append(times)

    def cell(self, robot, level, key, algorithm, goal):
        """A speed-up with the two medians, bold where the goal is reached."""
        pairs = [(r[robot].get((level, key)), r[robot].get(("peer", algorithm))) for r in self.rounds]
        pairs = [(ours, theirs) for ours, theirs in pairs if ours and theirs]
        if not pairs:
            return "–"
        ratio = statistics.median(theirs / ours for ours, theirs in pairs)
        ours, theirs = (statistics.median(column) for column in zip(*pairs))
        mark = "**" if goal and ratio >= goal else ""
        return f"{mark}{ratio:.1f}{mark} ({short(ours)} / {short(theirs)})"


def short(ns):
    return f"{ns:.1f}" if ns < 100 else f"{ns:.0f}"


def table(clock):
    """Rows of Markdown."""
    best = (clock.levels or [""])[0]
    heads = [f"{name}, {clock.rounds[0][name]['n']}" for name in ROBOTS]
    yield "| kernel | goal | " + " | ".join(heads) + " |"
    yield "|---|---|" + "---|" * len(heads)

    def row(title, level, key, algorithm, goal):
        cells = [clock.cell(name, level, key, algorithm, goal) for name in ROBOTS]
        return f"| {title} | {goal or ''} | " + " | ".join(cells) + " |"

    for key, algorithm, goal in SINGLE:
        title = f"`{key}`" if key == algorithm else f"`{key}`, MuJoCo"
        yield row(title, best, key, algorithm, goal)
    for level in clock.levels:
        for key in BATCH_KEYS:
            goal = BATCHES[level].get(key)
            yield row(f"`{key}`, {INSTRUCTIONS[level]}", level, key, key.split("_")[0], goal)


def conditions(clock):
    """Processor, rounds and versions."""
    cpu = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "?")
    said = lambda *command: subprocess.run(command, capture_output=True, text=True).stdout.split("\n")[0]
    compilers = ", ".join(said(p.name.removeprefix("pinbench-"), "--version") for p in clock.pinocchio)
    mujoco = subprocess.run(
        [sys.executable, "-c", "from importlib.metadata import version; print(version('mujoco'))"],
        capture_output=True,
        text=True,
    ).stdout.strip()
    return (
        f"{cpu}, one core, {len(clock.rounds)} rounds; {said('rustc', '--version')}, Pinocchio {pin.__version__} "
        f"({compilers}), MuJoCo {mujoco}."
    )


def write(path, text):
    """Puts the text between the marks of a document."""
    document = path.read_text()
    before, _, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        sys.exit(f"{path}: nothing between `{BEGIN}` and `{END}`")
    path.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--build", type=Path, required=True, help="the folder of build.sh")
    arguments.add_argument("--kinworld", type=Path, default=ROOT / "target" / "release" / "kinworld")
    arguments.add_argument("--rounds", type=int, default=7)
    arguments.add_argument("--batches", type=int, default=41, help="of the peers, about a millisecond each")
    arguments.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    arguments.add_argument("--write", type=Path, help="the document to put the table into")
    options = arguments.parse_args()

    clock = Clock(options)
    for name, (file, floating) in ROBOTS.items():
        lines = flatten(DATA / file, floating, name)
        (clock.build / f"{name}.txt").write_text("\n".join(lines) + "\n")
        (clock.build / f"{name}.xml").write_text(mjcf(lines))
    for number in range(options.rounds):
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)
        clock.round()
    text = "\n".join([conditions(clock), "", *table(clock)])
    if options.write:
        write(options.write, text)
    else:
        print(text)


if __name__ == "__main__":
    main()
