"""The package itself: stubs, docstrings, versions, arguments of every kind."""

from __future__ import annotations

import doctest
import importlib
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinworld as kw

HERE = Path(__file__).parents[1]
MODULES = ["kinworld", "kinworld.batch", "kinworld.ik", "kinworld.se3", "kinworld.so3"]


def public() -> list[tuple[str, Any]]:
    """All public classes, functions and methods."""
    found: dict[str, Any] = {}
    for name in MODULES:
        module = importlib.import_module(name)
        found[name] = module
        for item in module.__all__:
            value = getattr(module, item)
            if inspect.isclass(value):
                found[f"{name}.{item}"] = value
                for method, member in vars(value).items():
                    if not method.startswith("_"):
                        found[f"{name}.{item}.{method}"] = member
            elif callable(value):
                found[f"{name}.{item}"] = value
    return sorted(found.items())


def test_everything_has_a_docstring() -> None:
    without = [name for name, value in public() if not (getattr(value, "__doc__", None) or "").strip()]
    assert without == []


def test_examples_in_docstrings_run(monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    monkeypatch.chdir(data.parent)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    count = 0
    for name, value in public():
        example = doctest.DocTestParser().get_doctest(value.__doc__ or "", {}, name, None, None)
        if example.examples:
            count += len(example.examples)
            runner.run(example)
    assert runner.failures == 0 and count > 20


def test_the_version_is_that_of_the_library() -> None:
    text = (HERE.parent / "Cargo.toml").read_text()
    version = re.search(r'^version = "(.*)"$', text, re.MULTILINE)
    assert version is not None and kw.__version__ == version[1]


def test_import_needs_numpy_only() -> None:
    code = (
        "import sys, kinworld; "
        "print(sorted({m.split('.')[0] for m in sys.modules} & {'pyarrow','ray','dask','ompl','pandas','scipy'}))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_the_stubs_know_every_name() -> None:
    stub = (HERE / "kinworld/_core/__init__.pyi").read_text()
    assert "Incomplete" not in stub
    for name in kw.__all__:
        if getattr(getattr(kw, name), "__module__", "") == "kinworld" and name not in {"Error", "__version__"}:
            assert re.search(rf"(class|def) {name}\b", stub) or hasattr(kw._errors, name), name


ODD: list[Any] = [
    None,
    "text",
    b"bytes",
    3,
    -1,
    2**70,
    1.5,
    float("nan"),
    float("inf"),
    1e300,
    object(),
    [],
    [1, "two"],
    [[1, 2], [3]],
    {},
    {"tool": 1},
    np.zeros(0),
    np.zeros(7),
    np.full(7, np.nan),
    np.zeros((7, 7))[:, 0],
    np.asfortranarray(np.zeros((3, 7))),
    np.zeros((2, 3, 4)),
    np.array(3.0),
    np.array(["a"]),
    np.array([1j] * 7),
    np.zeros(7, dtype=np.float16),
    np.zeros(7, dtype=object),
    np.zeros(7).view(np.ndarray).astype(">f8"),
    np.ma.masked_array(np.zeros(7), mask=[1] * 7),
    np.eye(4),
    np.zeros((4, 4)),
    lambda *_: 1 / 0,
]


def test_odd_arguments_raise_and_nothing_breaks(
    panda: kw.Robot, cell: kw.World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every method with every odd argument, and with two: an exception of the usual kinds, or an answer."""
    monkeypatch.chdir(tmp_path)  # some of the arguments are paths
    state, collider, space = panda.state(), cell.collider(), cell.space("arm")
    rng = np.random.default_rng(0)
    usual = (TypeError, ValueError, KeyError, IndexError, OverflowError, AttributeError, OSError, ZeroDivisionError)
    skip = {"save", "load", "copy", "sample", "to_convex_parts", "convex_hull", "outer_spheres", "inner_spheres"}
    targets: list[tuple[str, Any]] = []
    for owner in (panda, state, cell, collider, space, kw.Geometry.sphere(0.1), kw.Trajectory([0, 1], [[0], [1]])):
        for name in dir(owner):
            if name.startswith("_") or name in skip:
                continue
            try:
                value = getattr(owner, name)
            except usual:
                continue
            if callable(value):
                targets.append((f"{type(owner).__name__}.{name}", value))
    for module in (kw.batch, kw.ik, kw.se3, kw.so3):
        targets += [(f"{module.__name__}.{name}", getattr(module, name)) for name in module.__all__]
    calls = raised = 0
    for name, function in targets:
        for first in ODD:
            others = [ODD[int(i)] for i in rng.integers(0, len(ODD), 3)]
            for arguments in ((first,), (panda, first), (first, others[0]), (panda, others[1], first), ("tool", first)):
                if name.endswith((".plan", ".solve")) and len(arguments) > 1:
                    continue
                calls += 1
                try:
                    function(*arguments)
                except usual:
                    raised += 1
                except kw.InternalError as bug:
                    pytest.fail(f"{name}{arguments}: {bug}")
    assert calls > 10_000 and raised > 5_000
    np.testing.assert_array_equal(np.isfinite(state.config), True)


def test_types(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="mypy checks the types")
    config = str(HERE / "pyproject.toml")
    environment = dict(os.environ)
    folder = Path(kw.__file__).parents[1]
    if folder.name != "site-packages":
        environment |= {"PYTHONPATH": str(folder), "MYPYPATH": str(folder)}
    usage, allowed = (str(HERE / "tests" / name) for name in ("typed_usage.py", "stubtest_allowlist.txt"))
    for command in (
        ["-m", "mypy", "--config-file", config, "-p", "kinworld"],
        ["-m", "mypy", "--config-file", config, "--python-version", "3.11", usage],
        ["-m", "mypy.stubtest", "kinworld._core", "--mypy-config-file", config, "--allowlist", allowed],
    ):
        done = subprocess.run([sys.executable, *command], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
