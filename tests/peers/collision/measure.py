#!/usr/bin/env python3
"""Runs the same queries on pairs of meshes and hulls in kinworld and Coal, alternating, and writes one table.

    cargo bench -p kinworld-benches --bench mesh_pairs --no-run     # prints the path of the bench
    python prepare.py DATA --corpus CORPUS
    python measure.py DATA --kinworld target/release/deps/mesh_pairs-... --write src/guide/performance.md

Needs g++, libeigen3-dev and the pip packages `coal` and `numpy`. In every round each program runs every query at every pose, on one
core, and measures processor time. A cell is the median over the rounds of their time over ours. Results are compared where the
distance is not within a micrometre of the one that decides; any that differ end the run.
"""

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path

import coal

HERE = Path(__file__).resolve().parent
PREFIX = Path(coal.__file__).parents[4]
# our name, its description, and the speed-up aimed at, by class of poses
QUESTIONS = [
    ("collide", "meshes collide", [10, 10, None, None]),
    ("margin2cm", "meshes within 2 cm", [1, 1, 1, 1]),
    ("distance", "distance of meshes", [10, 10, 10, 10]),
    ("hullcollide", "hulls collide", [1.5] * 4),
    ("hulldistance", "distance of hulls", [1.5] * 4),
]
CLASSES = ["overlapping", "< 2 cm", "2–10 cm", "farther"]
NAMES = {
    "p_hand__p_link5": "Panda hand × link 5, 200 × 300 triangles",
    "ur_fore__ur_upper": "UR5 forearm × upper arm, 1,050 × 1,176",
    "pv_hand__pv_link5": "Panda hand × link 5 visual mesh, 7,078 × 18,327",
    "pv_link6__mug": "Panda link 6 visual mesh × mug, 21,619 × 22,300",
    "drc__pv_hand": "terrain × Panda hand visual mesh, 18,336 × 7,078",
}
BEGIN, END = "<!-- begin: written by tests/peers/collision/measure.py -->", "<!-- end -->"


def build(folder):
    """Coal's side, from the libraries of its wheel."""
    program = folder / "coal_bench"
    command = ["g++", "-std=c++17", "-O3", "-w", "-DNDEBUG", f"-I{PREFIX}/include", "-I/usr/include/eigen3"]
    command += [str(HERE / "coal_bench.cpp"), "-o", str(program), f"-L{PREFIX}/lib", "-lcoal", "-lboost_filesystem"]
    subprocess.run([*command, f"-Wl,-rpath,{PREFIX}/lib"], check=True)
    return program


def times(program, data, core):
    command = ["taskset", "-c", str(core), str(program)]
    said = subprocess.run(command, env={**os.environ, "BENCH_DATA": str(data)}, capture_output=True, text=True, check=True)
    lines = (line.split("\t") for line in said.stdout.splitlines())
    return {(line[1], line[2], int(line[3])): float(line[4]) for line in lines if len(line) == 6}


def compare(data):
    """Number of results compared, and those that differ."""
    number, wrong = 0, []
    for question, _, _ in QUESTIONS:
        for pair in NAMES:
            read = lambda who, what: [float(x) for x in (data / "res" / f"{who}_{what}_{pair}.txt").read_text().split()]
            ours, theirs = read("kinworld", question), read("coal", question)
            kind = "hulldistance" if question.startswith("hull") else "distance"
            apart = read("coal", kind)
            for i, (x, y, d) in enumerate(zip(ours, theirs, apart, strict=True)):
                limit = 0.02 if question == "margin2cm" else 0.0
                decides = "distance" not in question and abs(d - limit) > 1e-6
                number += 1
                if decides and x != y or "distance" in question and abs(x - max(y, 0.0)) > 1e-6:
                    wrong.append(f"{question} {pair} pose {i}: ours {x}, Coal's {y}, distance {d}")
    return number, wrong


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("data", type=Path, help="the folder of prepare.py")
    arguments.add_argument("--kinworld", type=Path, required=True, help="the bench `mesh_pairs`")
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    arguments.add_argument("--write", type=Path, help="the document to put the table into")
    options = arguments.parse_args()
    data = options.data.resolve()
    theirs, rounds = build(data), []
    for number in range(options.rounds):
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)
        rounds.append((times(options.kinworld, data, options.core), times(theirs, data, options.core)))
    compared, wrong = compare(data)

    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    text = [f"{cpu}, one core, {options.rounds} rounds, Coal {coal.__version__} from its wheel; {compared} results compared, "]
    text[0] += f"{len(wrong)} differ by more than a micrometre."
    text += ["", "| query | pair | " + " | ".join(CLASSES) + " |", "|---|---|" + "---|" * len(CLASSES)]
    for question, title, goals in QUESTIONS:
        for pair, name in NAMES.items():
            cells = []
            for kind, goal in enumerate(goals):
                key = (question, pair, kind)
                ratio = statistics.median(coal_us[key] / ours[key] for ours, coal_us in rounds)
                ours, coal_us = (statistics.median(r[side][key] for r in rounds) for side in (0, 1))
                shown = f"{ratio:.0f}" if ratio >= 20 else f"{ratio:.1f}"
                shown = f"**{shown}**" if goal and ratio >= goal else shown
                cells.append(f"{shown} ({ours:.3g} / {coal_us:.3g})")
            text.append(f"| {title} | {name} | " + " | ".join(cells) + " |")
    text = "\n".join(text)
    if options.write:
        document = options.write.read_text()
        before, _, rest = document.partition(BEGIN)
        _, end, after = rest.partition(END)
        if not end:
            sys.exit(f"{options.write}: nothing between `{BEGIN}` and `{END}`")
        options.write.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")
    else:
        print(text)
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
