"""Programs of Klampt-examples with their import mapped to `kinworld.klampt`: `python klampt_examples.py FOLDER`.

`FOLDER` is a clone of Klampt-examples. Each program of its folder `Python3` that names neither `vis`, `sim`, `control` nor
`sensing` runs twice, each time in a process of its own: with Klampt and with `kinworld.klampt`. Their output is compared, numbers
to six digits; lines that only one of the two prints, such as those of loaders and times, are counted.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PRELUDE = """
import importlib, importlib.abc, importlib.util, runpy, sys

class Mapped(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name == "klampt" or name.startswith("klampt."):
            return importlib.util.spec_from_loader(name, self)
    def create_module(self, spec):
        return importlib.import_module("kinworld." + spec.name)
    def exec_module(self, module):
        pass

sys.meta_path.insert(0, Mapped())
"""
NOT_HERE = re.compile(r"\b(vis|sim|control|sensing|Simulator|SimulationWorld|GLPluginInterface)\b")
NUMBER = re.compile(r"[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?")


def programs(folder: Path) -> list[Path]:
    found = []
    for path in sorted((folder / "Python3").rglob("*.py")):
        text = path.read_text(errors="replace")
        if re.search(r"^\s*(?:import|from) klampt", text, re.M) and not NOT_HERE.search(text):
            found.append(path)
    return found


def run(path: Path, mapped: bool) -> subprocess.CompletedProcess[str]:
    is_test = "pytest" in path.read_text()
    what = f"import pytest; sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', '--tb=line', {str(path)!r}]))"
    if not is_test:
        what = f"sys.argv = [{path.name!r}]; runpy.run_path({str(path)!r}, run_name='__main__')"
    start = PRELUDE if mapped else "import runpy, sys\n"
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", start + what],
        cwd=path.parent,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def reason(result: subprocess.CompletedProcess[str]) -> str:
    lines = [line for line in (result.stdout + result.stderr).splitlines() if "Error" in line]
    return lines[-1].strip()[:150] if lines else f"exit {result.returncode}"


def rounded(line: str) -> str:
    return NUMBER.sub(lambda m: f"{float(m[0]):.6g}", line)


def compare(path: Path) -> str:
    try:
        theirs = run(path, mapped=False)
        ours = run(path, mapped=True)
    except subprocess.TimeoutExpired:
        return "takes more than 120 s"
    if theirs.returncode != 0:
        also = "also" if ours.returncode != 0 else "not"
        return f"fails with Klampt ({reason(theirs)}); {also} here"
    if ours.returncode != 0:
        return f"does not run: {reason(ours)}"
    mine = [rounded(line) for line in ours.stdout.splitlines()]
    other = [rounded(line) for line in theirs.stdout.splitlines()]
    same = sum(line in set(other) for line in mine)
    if mine == other:
        return f"runs, {len(mine)} lines equal"
    return f"runs, {same} of {len(mine)} lines equal ({len(other)} of Klampt)"


def main() -> None:
    folder = Path(sys.argv[1])
    for path in programs(folder):
        print(f"| `{path.relative_to(folder / 'Python3')}` | {compare(path)} |", flush=True)


if __name__ == "__main__":
    main()
