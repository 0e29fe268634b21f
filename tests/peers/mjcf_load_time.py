"""Time and peak memory of loading MJCF models, beside the compiler of MuJoCo.

    python mjcf_load_time.py FOLDER... [--rounds 5]

Each FOLDER is a collection, of which every .xml file with a root <mujoco> that both load is taken. Needs the packages kinworld,
mujoco and numpy. Times are those of `kinworld.load` and `MjModel.from_xml_path` in one process, in turn, the least of the
rounds; MuJoCo's cache of assets is off. Memory is what a load has allocated at its peak, in a process that has loaded an empty
model before, counted by heap.c: needs Linux and a C compiler. Prints a row for each collection, and the files where we take
more than the goal.
"""

import argparse
import ctypes
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import mujoco
from mjcf_files import is_model

import kinworld

EMPTY = "<mujoco/>"


def ours(path, root):
    """Seconds, or None if it refuses."""
    options = kinworld.LoadOptions(roots=[str(root)])
    start = time.perf_counter()
    try:
        kinworld.load(str(path), options=options)
    except kinworld.KinworldError:
        return None
    return time.perf_counter() - start


def theirs(path):
    """Seconds of MuJoCo, or None if it refuses."""
    start = time.perf_counter()
    try:
        mujoco.MjModel.from_xml_path(str(path))
    except Exception:
        return None
    return time.perf_counter() - start


def child(program, path, root):
    """Loads a file and prints the peak of what it allocates, KiB."""
    heap = ctypes.CDLL(None)
    heap.heap_now.restype = heap.heap_peak.restype = ctypes.c_long
    empty = pathlib.Path(root) / ".kinworld_empty.xml"
    load = (lambda path: ours(path, root)) if program == "kinworld" else theirs
    load(empty)
    heap.heap_reset()
    before = heap.heap_now()
    load(path)
    print((heap.heap_peak() - before) // 1024)


def counter(folder):
    """The library that counts, compiled into a folder."""
    library = pathlib.Path(folder) / "heap.so"
    source = pathlib.Path(__file__).with_name("heap.c")
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", source, "-o", library], check=True)
    return library


def memory(program, path, root, library):
    """KiB."""
    command = [sys.executable, "-W", "ignore", __file__, "--child", program, str(path), str(root)]
    environment = {**os.environ, "LD_PRELOAD": str(library)}
    out = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return int(out.stdout.split()[-1])


def measure(path, root, rounds, library):
    """Seconds of both, meshes, and KiB of both; None where one of them refuses."""
    if theirs(path) is None or ours(path, root) is None:
        return None
    times = [(ours(path, root), theirs(path)) for _ in range(rounds)]
    meshes = mujoco.MjModel.from_xml_path(str(path)).nmesh
    kib = [memory(program, path, root, library) for program in ("kinworld", "mujoco")]
    return [min(column) for column in zip(*times)] + [meshes] + kib


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folders", nargs="+")
    arguments.add_argument("--rounds", type=int, default=5)
    options = arguments.parse_args()
    mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)
    place = tempfile.TemporaryDirectory()
    library = counter(place.name)
    print(f"{'collection':22}{'files':>7}{'ratio':>8}{'worst':>8}{'> 1':>6}{'meshes':>8}{'ratio':>8}{'worst':>8}{'> 0.5':>7}{'memory':>8}{'worst':>8}{'> 1':>6}")
    slow = []
    for folder in options.folders:
        root = pathlib.Path(folder)
        empty = root / ".kinworld_empty.xml"
        empty.write_text(EMPTY)
        rows = []
        for path in sorted(root.rglob("*.xml")):
            measured = measure(path, root, options.rounds, library) if path != empty and is_model(path) else None
            if measured is not None:
                rows.append((path.relative_to(root), *measured))
        empty.unlink()
        plain = [row[1] / row[2] for row in rows if not row[3]]
        meshed = [row[1] / row[2] for row in rows if row[3]]
        more = [row[4] / row[5] for row in rows]
        middle = lambda ratios: f"{statistics.median(ratios):8.2f}{max(ratios):8.2f}" if ratios else f"{'':16}"
        print(
            f"{root.name:22}{len(plain):7}{middle(plain)}{sum(r > 1 for r in plain):6}{len(meshed):8}{middle(meshed)}"
            f"{sum(r > 0.5 for r in meshed):7}{middle(more)}{sum(r > 1 for r in more):6}",
            flush=True,
        )
        slow += [row for row in rows if row[1] / row[2] > (0.5 if row[3] else 1) or row[4] > row[5]]
    print("\nfiles where we take more than the goal: ms, ms of MuJoCo, meshes, KiB, KiB of MuJoCo")
    for name, mine, other, meshes, kib, their_kib in sorted(slow, key=lambda row: row[2] / row[1]):
        print(f"{1e3 * mine:10.2f}{1e3 * other:10.2f}{meshes:5}{kib:9}{their_kib:9}  {name}")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1] == "--child":
        child(*sys.argv[2:])
    else:
        main()
