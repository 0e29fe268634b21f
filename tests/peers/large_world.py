#!/usr/bin/env python3
"""Growth of time and peak memory of loading a world with the number of its objects, which share meshes: 1,000 and 10,000.

    apt install time && cargo build --release -p kinworld-cli
    python3 tests/peers/large_world.py [--kinworld target/release/kinworld]

Each run is a whole `kinworld info`, from the start of the process to its end. Both worlds are loaded in turn; medians are compared.
Exit code 1 where ten times as many objects take more than 12 times as long or 5 times the memory.
"""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

import whole_process

ROUNDS = 9
SIZES = (1_000, 10_000)
TIME, MEMORY = 12, 5
DATA = Path(__file__).resolve().parents[2] / "data"
MESHES = ("meshes/cube.off", "meshes/ball.obj", "meshes/can.stl")


def element(i, inside):
    pose = f'position="{i % 100} {i // 100} {i % 7}" rotateRPY="0 0 {i % 3}"'
    return f'<rigidObject name="thing {i}" {pose} {inside}</rigidObject>\n'


def one_file(_, i):
    """All objects are the same file."""
    return element(i, f'file="{DATA}/objects/crate.obj">')


def own_files(folder, i):
    """Each object has a file of its own, which names one of three meshes."""
    path = folder / f"thing_{i}.obj"
    path.write_text(f'mesh "{DATA / MESHES[i % len(MESHES)]}"\nmass {i + 1}\nautoMass\n')
    return element(i, f'file="{path}">')


def inline(_, i):
    """The world itself names one of three meshes."""
    return element(i, f'><geometry mesh="{DATA / MESHES[i % len(MESHES)]}"/><physics mass="{i + 1}" automass="1"/>')


def write(folder, make, n):
    """A world file with the given number of objects."""
    folder = folder / f"{make.__name__}_{n}"
    folder.mkdir()
    path = folder / "world.xml"
    path.write_text("<world>\n" + "".join(make(folder, i) for i in range(n)) + "</world>\n")
    return path


def measure(binary, path):
    """Seconds and KiB of loading a file once."""
    found = whole_process.measure([binary, "info", path])
    return found or sys.exit(f"{path} cannot be loaded")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kinworld", default="target/release/kinworld")
    options = parser.parse_args()
    small, large = SIZES
    print(f"| objects | {small} | {large} | time | memory |\n|---|---|---|---|---|")
    fine = True
    with tempfile.TemporaryDirectory() as folder:
        for make in (one_file, own_files, inline):
            paths = [write(Path(folder), make, n) for n in SIZES]
            rounds = [[measure(options.kinworld, path) for path in paths] for _ in range(ROUNDS)]
            (t0, m0), (t1, m1) = ([statistics.median(column) for column in zip(*runs)] for runs in zip(*rounds))
            fine &= t1 <= TIME * t0 and m1 <= MEMORY * m0
            cells = (f"{1e3 * t:.1f} ms {m / 1024:.1f} MB" for t, m in ((t0, m0), (t1, m1)))
            print(f"| {make.__doc__} | {' | '.join(cells)} | {t1 / t0:.1f} × | {m1 / m0:.1f} × |", flush=True)
    sys.exit(not fine)


if __name__ == "__main__":
    main()
