#!/usr/bin/env python3
"""Times kinworld and Pinocchio in turn on chains and combs of many links, and prints one table.

    cargo bench --no-run -p kinworld-benches --bench growth
    VENV=/tmp/peers/venv tests/peers/rbd/build.sh /tmp/peers
    python3 tests/peers/rbd/chains.py --build /tmp/peers --growth target/release/deps/growth-…

A chain has its links one after the other, a comb a tooth at each link of a spine; axes x, y and z in turn. Times are the least of
the rounds, Pinocchio's also of its builds and of its functions with the same result. Pinocchio has tensors of n³ numbers: it takes 4 GiB
for 500 links.
"""

import argparse
import collections
import csv
import os
import subprocess
from pathlib import Path

KERNELS = ["fk", "rnea", "crba", "crba_lower", "aba", "rnea_derivatives", "aba_derivatives", "minverse"]
# theirs under another name: Pinocchio's writes one half of the matrix, as our `crba_lower` does
THEIRS = {"crba_lower": "crba"}
AXES = {"RX": "1 0 0", "RY": "0 1 0", "RZ": "0 0 1"}


def parent(kind, i):
    """The number of the parent's link, −1 for the world."""
    if kind == "chain" or i == 0 or i % 2 == 1:
        return i - 1
    return i - 2


def write(folder, kind, n):
    """The robot as a URDF, and as pinbench.cpp reads it."""
    urdf, text = [f'<robot name="{kind}{n}"><link name="world"/>'], [f"model {kind}{n}"]
    for i in range(n):
        above, joint = parent(kind, i), list(AXES)[i % 3]
        urdf.append(
            f'<link name="link{i}"><inertial><origin xyz="0.05 0.01 0"/><mass value="1"/>'
            f'<inertia ixx="0.002" iyy="0.003" izz="0.004" ixy="0" ixz="0" iyz="0"/></inertial></link>'
            f'<joint name="joint{i}" type="continuous"><parent link="{f"link{above}" if above >= 0 else "world"}"/>'
            f'<child link="link{i}"/><origin xyz="0.1 0.02 0"/><axis xyz="{AXES[joint]}"/></joint>'
        )
        text.append(f"joint link{i} {above + 1} {joint} 0 0 0 1 0 0 0 1 0 0 0 1 0.1 0.02 0 1 0.05 0.01 0 0.002 0 0.003 0 0 0.004")
    (folder / f"{kind}{n}.urdf").write_text("\n".join([*urdf, "</robot>", ""]))
    (folder / f"{kind}{n}.txt").write_text("\n".join([*text, ""]))


def lines(core, *command):
    pinned = lambda: os.sched_setaffinity(0, {core})
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, preexec_fn=pinned).stdout.splitlines()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--build", type=Path, required=True, help="the folder of build.sh")
    arguments.add_argument("--growth", type=Path, required=True, help="the program of the bench `growth`")
    arguments.add_argument("--sizes", type=int, nargs="+", default=[10, 30, 100, 200, 300])
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    options = arguments.parse_args()
    best = collections.defaultdict(lambda: float("inf"))

    def least(key, ns):
        best[key] = min(best[key], float(ns))

    for round_number in range(options.rounds):
        for kind in ("chain", "comb"):
            for n in options.sizes:
                write(options.build, kind, n)
                for _, kernel, ns in csv.reader(lines(options.core, options.growth, "--robot", options.build / f"{kind}{n}.urdf")):
                    least((kind, n, kernel, "ours"), ns)
                for program in sorted(options.build.glob("pinbench-*")):
                    for _, algorithm, _, ns in csv.reader(lines(options.core, program, "--batches", 7, options.build / f"{kind}{n}.txt")):
                        least((kind, n, algorithm.split("/")[0], "theirs"), ns)
    print("| kernel | " + " | ".join(f"{n}" for n in options.sizes) + " |")
    print("|---" * (1 + len(options.sizes)) + "|")
    for kernel in KERNELS:
        cells = []
        for n in options.sizes:
            pairs = [[best[(kind, n, kernel, "ours")], best[(kind, n, THEIRS.get(kernel, kernel), "theirs")]] for kind in ("chain", "comb")]
            ratios = " / ".join(f"{theirs / ours:.1f}" for ours, theirs in pairs)
            cells.append(f"{ratios} ({' / '.join(f'{ours / 1e3:.3g}' for ours, _ in pairs)})")
        print(f"| `{kernel}` | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
