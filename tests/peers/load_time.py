#!/usr/bin/env python3
"""Time and peak memory of loading a URDF with all its meshes, by kinworld, Pinocchio and yourdfpy in turn, in one run.

    pip install pin==4.1.0 example-robot-data==6.0.0 yourdfpy pycollada
    apt install time && cargo build --release -p kinworld-cli
    python3 tests/peers/load_time.py [--kinworld target/release/kinworld] [--rounds 7] [--guide] [NAME...]

Ours is a whole `kinworld info`, from the start of the process to its end; theirs are the calls that load the model, its
collision and its visual geometry, in a process that has imported everything before. Each round loads the file once with each of them;
the table has the medians of the rounds. Peak memory is that of the process after one load, for Python without that of the imports.
Pinocchio builds the bounding volumes of collision meshes while it loads; kinworld at the first query. `--guide` puts the table into
`src/guide/performance.md`. Exit code 1 if one of them is faster.
"""

import argparse
import json
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import whole_process

GUIDE = Path(__file__).resolve().parents[2] / "src" / "guide" / "performance.md"
DEFAULT = ("urdf/panda.urdf", "ur5_robot.urdf", "anymal_c", "talos_reduced.urdf", "go1.urdf", "tiago.urdf", "romeo_small")


def pinocchio(path, folders):
    model = pin.buildModelFromUrdf(path)
    for kind in (pin.GeometryType.COLLISION, pin.GeometryType.VISUAL):
        pin.buildGeomFromUrdf(model, path, kind, folders)


def yourdf(path, _):
    # the handler resolves `package://` beside the file and above it
    yourdfpy.URDF.load(path, load_collision_meshes=True)


def child(name, path, folders):
    """Loads a file once per line of input, and prints the time, and the memory at first."""
    before = whole_process.peak_memory()
    load = {"pinocchio": pinocchio, "yourdfpy": yourdf}[name]
    grown = None
    for _ in sys.stdin:
        start = time.perf_counter()
        load(path, folders)
        seconds = time.perf_counter() - start
        grown = grown or whole_process.peak_memory() - before
        print(json.dumps([seconds, grown]), flush=True)


class Peer:
    """A process of another library that loads one file on request."""

    def __init__(self, name, path, folders):
        command = [sys.executable, __file__, "--child", name, path, *folders]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)

    def load(self):
        """Seconds and KiB, or None if the file cannot be loaded."""
        try:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return None
        for line in self.process.stdout:  # libraries print as well
            if re.fullmatch(r"\[[^ ]+, \d+\]\n", line):
                return json.loads(line)
        return None

    def close(self):
        self.process.communicate()


def compare(binary, path, folders, rounds):
    """Seconds and KiB of each library, or None where it cannot load the file."""
    peers = [Peer(name, path, folders) for name in ("pinocchio", "yourdfpy")]
    loads = [lambda: whole_process.measure([binary, "info", path]), *(peer.load for peer in peers)]
    results = [[load() for load in loads] for _ in range(rounds)]
    for peer in peers:
        peer.close()
    columns = zip(*results)
    return [None if None in column else [statistics.median(x) for x in zip(*column)] for column in columns]


def cell(result):
    return "error" if result is None else f"{1e3 * result[0]:.0f} ms, {result[1] / 1024:.0f} MB"


def into_guide(rows):
    """Replaces the table in the guide."""
    begin, end = "<!-- begin: written by tests/peers/load_time.py -->", "<!-- end -->"
    before, rest = GUIDE.read_text().split(begin)
    after = rest.split(end, 1)[1]
    table = "\n".join(rows)
    GUIDE.write_text(f"{before}{begin}\n\n{table}\n\n{end}{after}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--kinworld", default="target/release/kinworld")
    arguments.add_argument("--rounds", type=int, default=7)
    arguments.add_argument("--guide", action="store_true", help="write the table into the guide")
    arguments.add_argument("names", nargs="*", help="only files whose path contains one of these")
    options = arguments.parse_args()
    share = Path(pin.__file__).parents[4] / "share"
    robots = share / "example-robot-data" / "robots"
    names = options.names or DEFAULT
    files = [f for f in sorted(robots.rglob("*.urdf")) if any(name in str(f.relative_to(robots)) for name in names)]
    folders = [str(share), str(robots)]
    rows = ["| file | kinworld | Pinocchio | yourdfpy |", "|---|---|---|---|"]
    print(*rows, sep="\n")
    slower = 0
    for path in files:
        mine, *theirs = compare(options.kinworld, str(path), folders, options.rounds)
        slower += mine is None or any(other and other[0] < mine[0] for other in theirs)
        rows.append(f"| `{path.relative_to(robots)}` | {' | '.join(map(cell, (mine, *theirs)))} |")
        print(rows[-1], flush=True)
    print(f"{slower} of {len(files)} load slower than with one of them")
    if options.guide:
        into_guide(rows)
    sys.exit(slower > 0)


if __name__ == "__main__":
    import pinocchio as pin

    if sys.argv[1:2] == ["--child"]:
        if sys.argv[2] == "yourdfpy":
            import collada  # noqa: F401  imported before the time is measured
            import yourdfpy
        child(sys.argv[2], sys.argv[3], sys.argv[4:])
    else:
        main()
