#!/usr/bin/env python3
"""Time and peak memory of loading a URDF with all its meshes: ours, Pinocchio's and yourdfpy's, in one run.

    pip install pin==4.1.0 example-robot-data==6.0.0 yourdfpy pycollada
    cargo build --release -p kinworld-cli
    python3 tests/peers/load_time.py [--kinworld target/release/kinworld] [NAME...]

Ours is a whole `kinworld info`, from the start of the process to its end; theirs are the calls that load the model, its
collision and its visual geometry, in a process that has imported everything before. The best of the rounds counts. Peak memory is that of
the process, for Python above what the imports take. Pinocchio builds the bounding volumes of collision meshes while it loads; we do at the first query.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 3
DEFAULT = ("urdf/panda.urdf", "ur5_robot.urdf", "anymal_c", "talos_reduced.urdf", "go1.urdf", "tiago.urdf", "romeo_small")


def pinocchio(path, folders):
    model = pin.buildModelFromUrdf(path)
    for kind in (pin.GeometryType.COLLISION, pin.GeometryType.VISUAL):
        pin.buildGeomFromUrdf(model, path, kind, folders)


def yourdf(path, _):
    # the handler finds `package://` beside the file and above it
    yourdfpy.URDF.load(path, load_collision_meshes=True)


def child(name, path, folders):
    """Loads a file again and again, and prints the best time and the memory."""
    import resource

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    load = {"pinocchio": pinocchio, "yourdfpy": yourdf}[name]
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        load(path, folders)
        best = min(best, time.perf_counter() - start)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(json.dumps([best, grown]))


def peer(name, path, folders):
    command = [sys.executable, __file__, "--child", name, path, *folders]
    run = subprocess.run(command, capture_output=True, text=True)
    return json.loads(run.stdout.splitlines()[-1]) if run.returncode == 0 and run.stdout else None


def ours(binary, path):
    best, memory = float("inf"), 0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        process = subprocess.Popen([binary, "info", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        best = min(best, time.perf_counter() - start)
        memory = max(memory, usage.ru_maxrss)
    return (best, memory) if process.returncode == 0 else None


def cell(result):
    return "refused" if result is None else f"{1e3 * result[0]:.0f} ms {result[1] / 1024:.0f} MB"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--kinworld", default="target/release/kinworld")
    arguments.add_argument("names", nargs="*", help="only files whose path contains one of these")
    options = arguments.parse_args()
    share = Path(pin.__file__).parents[4] / "share"
    robots = share / "example-robot-data" / "robots"
    names = options.names or DEFAULT
    files = [f for f in sorted(robots.rglob("*.urdf")) if any(name in str(f.relative_to(robots)) for name in names)]
    folders = [str(share), str(robots)]
    print("| file | kinworld | Pinocchio | yourdfpy |\n|---|---|---|---|")
    slower = 0
    for path in files:
        mine = ours(options.kinworld, str(path))
        theirs = [peer(name, str(path), folders) for name in ("pinocchio", "yourdfpy")]
        slower += mine is None or any(other and other[0] < mine[0] for other in theirs)
        row = " | ".join(cell(result) for result in (mine, *theirs))
        print(f"| {path.relative_to(robots)} | {row} |", flush=True)
    print(f"{slower} of {len(files)} load slower than with one of them")
    sys.exit(slower > 0)


if __name__ == "__main__":
    import pinocchio as pin

    if sys.argv[1:2] == ["--child"]:
        if sys.argv[2] == "yourdfpy":
            import collada  # noqa: F401  imported for the clock's sake
            import yourdfpy
        child(sys.argv[2], sys.argv[3], sys.argv[4:])
    else:
        main()
