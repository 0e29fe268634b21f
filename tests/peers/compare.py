#!/usr/bin/env python3
"""Runs our benches and the peers one after the other on this machine, and prints one table.

    python3 tests/peers/compare.py --build /tmp/peers [--skip-benches]

Needs what the scripts beside this one need (see README.md); `--build` is the folder of `rbd/build.sh`, which runs if
`pinbench` is missing there. Medians; the ratio is ours to theirs, so less than 1 is faster. Close other programs first.
"""

import argparse
import csv
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MODELS = ["arm6", "snake30"]

# our bench -> (peer, row of the peer, description)
ROWS = {
    "fk/arm6": ("Pinocchio", "arm6,fk", "`forwardKinematics`"),
    "fk/snake30": ("Pinocchio", "snake30,fk", "`forwardKinematics`"),
    "jacobian/arm6": ("Pinocchio", "arm6,jacobian", "`forwardKinematics` + `computeFrameJacobian`"),
    "jacobian/snake30": ("Pinocchio", "snake30,jacobian", "`forwardKinematics` + `computeFrameJacobian`"),
    "collide/arm6_cell_free": ("Klampt, Python", "arm6_cell,free", "`WorldCollider`, no collision"),
    "collide/arm6_cell_hit": ("Klampt, Python", "arm6_cell,hit", "`WorldCollider`, colliding"),
}


def lines_of(command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout.splitlines()


def peers(build):
    """Medians of the peers in nanoseconds, by row."""
    pinbench = build / "pinbench-clang++-19"
    if not pinbench.exists():
        subprocess.run([HERE / "rbd" / "build.sh", build], check=True)
    models = []
    for name in MODELS:
        urdf = ROOT / "data" / "robots" / f"{name}.urdf"
        models.append(build / f"{name}.txt")
        models[-1].write_text("\n".join(lines_of([sys.executable, HERE / "rbd" / "flatten.py", urdf])) + "\n")
    rows = list(csv.reader(lines_of([pinbench, *models])))
    # Klampt writes its log to stdout; its rows are those that name the scene
    rows += [r for r in csv.reader(lines_of([sys.executable, HERE / "klampt_collide.py"])) if r[:1] == ["arm6_cell"]]
    found = {}
    for row in rows:
        # the fastest of several functions with the same result
        key = f"{row[0]},{row[1].split('/')[0]}"
        found[key] = min(float(row[2]), found.get(key, float("inf")))
    return found


def ours():
    """Medians of kinworld in nanoseconds, by bench, from criterion's files."""
    found = {}
    for report in (ROOT / "target" / "criterion").rglob("new/benchmark.json"):
        estimates = json.loads((report.parent / "estimates.json").read_text())
        found[json.loads(report.read_text())["full_id"]] = estimates["median"]["point_estimate"]
    return found


def time_text(ns):
    return f"{ns:.0f} ns" if ns < 1000 else f"{ns / 1000:.2f} µs"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--build", type=Path, required=True)
    arguments.add_argument("--skip-benches", action="store_true", help="take criterion's last results")
    options = arguments.parse_args()
    if not options.skip_benches:
        subprocess.run(["cargo", "bench", "-p", "kinworld-benches", "--bench", "kinematics", "--bench", "collide"], cwd=ROOT, check=True)
    theirs, mine = peers(options.build.resolve()), ours()
    print("| bench | kinworld | peer | | ratio |\n|---|---|---|---|---|")
    for bench, (peer, row, what) in ROWS.items():
        if bench not in mine:
            print(f"| `{bench}` | not run | {peer}, {what} | {time_text(theirs[row])} | |")
            continue
        ratio = mine[bench] / theirs[row]
        print(f"| `{bench}` | {time_text(mine[bench])} | {peer}, {what} | {time_text(theirs[row])} | {ratio:.3f} |")


if __name__ == "__main__":
    main()
