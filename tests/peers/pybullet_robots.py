#!/usr/bin/env python3
"""Loads every URDF of the folder `pybullet_data`, and prints the errors of those that do not load.

    pip download --no-deps pybullet==3.2.7        # only its data is needed, nothing is installed
    unzip -d /tmp/peers pybullet-*.whl 'pybullet_data/*'
    cargo build --release -p kinworld-cli
    python3 tests/peers/pybullet_robots.py /tmp/peers/pybullet_data [--kinworld target/release/kinworld]

Meshes are read as well. Exit code 1 if fewer than 1,090 of the 1,095 files load.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

NEEDED = 1090
AT_ONCE = 50


def check(binary, files):
    """Facts of each file, and the printed errors."""
    command = [binary, "check", "--json", *map(str, files)]
    run = subprocess.run(command, capture_output=True, text=True)
    errors = [line for line in run.stderr.splitlines() if ": error: " in line or line.startswith("error: ")]
    return [json.loads(line) for line in run.stdout.splitlines()], errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kinworld", default="target/release/kinworld")
    options = parser.parse_args()
    files = sorted(options.folder.rglob("*.urdf"))
    count = Counter()
    for start in range(0, len(files), AT_ONCE):
        part = files[start:start + AT_ONCE]
        facts, errors = check(options.kinworld, part)
        if len(facts) != len(part):
            sys.exit(f"{len(facts)} answers for {len(part)} files, beginning with {part[0]}")
        count["loaded"] += sum(fact["n_errors"] == 0 for fact in facts)
        count["without a warning"] += sum(fact["n_errors"] + fact["n_warnings"] == 0 for fact in facts)
        count["with a shape"] += sum(fact.get("aabb") is not None for fact in facts)
        print(*errors, sep="\n", end="\n" if errors else "", flush=True)
    print(f"{count['loaded']} of {len(files)} load, {count['with a shape']} with a shape, {count['without a warning']} without a warning")
    sys.exit(count["loaded"] < NEEDED)


if __name__ == "__main__":
    main()
