"""Time and peak memory of loading MJCF models, beside the compiler of MuJoCo.

    python mjcf_load_time.py KINWORLD FOLDER... [--rounds 5]

KINWORLD is the tool `kinworld`; each FOLDER is a collection, of which every .xml file with a root <mujoco> that both load is
taken. Needs the packages mujoco and numpy. Times are those of one load in a process that runs: the operation `load` of
`kinworld query`, its answer included, and `MjModel.from_xml_path`; in turn, the least of the rounds. MuJoCo's cache of assets is
off. Memory is the peak of a process that loads the file once, less that of one that loads an empty model. Prints a row for
each collection, and the files where we take more.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time
import warnings

import mujoco
import whole_process
from mjcf_files import is_model

EMPTY = "<mujoco/>"


class Session:
    """`kinworld query` with an empty model, which has answered once."""

    def __init__(self, tool, root, empty):
        pipe = subprocess.PIPE
        command = [tool, "query", "--root", str(root), str(empty)]
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
        self.ask(op="state")

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        return line and json.loads(line)["ok"]

    def load(self, path):
        """Seconds, or None if it refuses."""
        start = time.perf_counter()
        ok = self.ask(op="load", file=str(path))
        seconds = time.perf_counter() - start
        return seconds if ok else None

    def close(self):
        self.process.kill()
        self.process.communicate()


def theirs(path):
    """Seconds of MuJoCo, or None if it refuses."""
    start = time.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mujoco.MjModel.from_xml_path(str(path))
    except Exception:
        return None
    return time.perf_counter() - start


def child(path):
    """Loads a file and prints the growth of the peak memory, KiB."""
    mujoco.MjModel.from_xml_string(EMPTY)
    before = whole_process.peak_memory()
    mujoco.MjModel.from_xml_path(path)
    print(whole_process.peak_memory() - before)


def memory(tool, root, path, base):
    """KiB of both programs."""
    mine = whole_process.measure([tool, "info", "--root", str(root), str(path)])
    out = subprocess.run([sys.executable, __file__, "--child", str(path)], capture_output=True, text=True)
    return mine[1] - base, int(out.stdout.split()[-1])


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("kinworld")
    arguments.add_argument("folders", nargs="+")
    arguments.add_argument("--rounds", type=int, default=5)
    options = arguments.parse_args()
    cache = mujoco.mj_getCache() if hasattr(mujoco, "mj_getCache") else None
    if cache is not None and hasattr(mujoco, "mj_setCacheCapacity"):
        mujoco.mj_setCacheCapacity(cache, 0)
    print(f"{'collection':22}{'files':>7}{'ratio':>8}{'worst':>8}{'slower':>8}{'meshes':>8}{'ratio':>8}{'worst':>8}{'> 0.5':>7}{'memory':>8}{'worst':>8}{'more':>6}")
    slow = []
    for folder in options.folders:
        root = pathlib.Path(folder)
        empty = root / ".kinworld_empty.xml"
        empty.write_text(EMPTY)
        base = whole_process.measure([options.kinworld, "info", str(empty)])[1]
        rows = []
        for path in sorted(root.rglob("*.xml")):
            if not is_model(path) or theirs(path) is None:
                continue
            times = []
            for _ in range(options.rounds):
                session = Session(options.kinworld, root, empty)
                times.append((session.load(path), theirs(path)))
                session.close()
            if any(mine is None for mine, _ in times):
                continue
            best = [min(column) for column in zip(*times)]
            model = mujoco.MjModel.from_xml_path(str(path))
            kib = memory(options.kinworld, root, path, base)
            rows.append((path.relative_to(root), best[0], best[1], model.nmesh, *kib))
        empty.unlink()
        plain = [row[1] / row[2] for row in rows if not row[3]]
        meshed = [row[1] / row[2] for row in rows if row[3]]
        # of less than a page there is no ratio
        more = [max(row[4], 0) / max(row[5], 1024) for row in rows]
        middle = lambda ratios: f"{statistics.median(ratios):8.2f}{max(ratios):8.2f}" if ratios else f"{'':16}"
        print(
            f"{root.name:22}{len(plain):7}{middle(plain)}{sum(r > 1 for r in plain):8}{len(meshed):8}{middle(meshed)}"
            f"{sum(r > 0.5 for r in meshed):7}{middle(more)}{sum(r > 1 for r in more):6}",
            flush=True,
        )
        slow += [row for row in rows if row[1] / row[2] > (0.5 if row[3] else 1) or row[4] > max(row[5], 1024)]
    print("\nfiles where we take more than the goal: ms, ms of MuJoCo, meshes, KiB, KiB of MuJoCo")
    for name, mine, other, meshes, kib, their_kib in sorted(slow, key=lambda row: row[2] / row[1])[:60]:
        print(f"{1e3 * mine:10.2f}{1e3 * other:10.2f}{meshes:5}{kib:9}{their_kib:9}  {name}")


if __name__ == "__main__":
    if sys.argv[1] == "--child":
        child(sys.argv[2])
    else:
        main()
