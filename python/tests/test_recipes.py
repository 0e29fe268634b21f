"""Recipes: their derivatives against finite differences, their programs, and the code of docs/recipes.md."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinworld as kw

ROOT = Path(__file__).parents[2]
RECIPES = ROOT / "python/examples/recipes"
BLOCKS = re.findall(r"```python\n# needs: (.*?)\n(.*?)```", (ROOT / "python/docs/recipes.md").read_text(encoding="utf-8"), re.S)


def recipe(name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(RECIPES))
    sys.modules.pop(name, None)
    return importlib.import_module(name)


def rows(count: int) -> np.ndarray:
    return np.random.default_rng(2).normal(size=(count, 7))


def test_derivatives_of_jax_in_both_modes(panda: kw.Robot, monkeypatch: pytest.MonkeyPatch) -> None:
    jax = pytest.importorskip("jax", reason="pip install jax")
    check = importlib.import_module("jax.test_util").check_grads
    with_jax = recipe("with_jax", monkeypatch)
    q, dq, ddq = rows(3)
    tau, pose = with_jax.inverse_dynamics(panda), with_jax.pose(panda, "tool")
    np.testing.assert_allclose(tau(q, dq, ddq), panda.inverse_dynamics(q, dq, ddq), atol=1e-12)
    np.testing.assert_allclose(pose(q), panda.pose(q, "tool"), atol=1e-14)
    check(tau, (q, dq, ddq), order=1, modes=("fwd", "rev"), atol=1e-5, rtol=1e-5)
    check(pose, (q,), order=1, modes=("fwd", "rev"), atol=1e-5, rtol=1e-5)
    # rows by vmap are the single calls, derivatives too
    many = rows(5)
    np.testing.assert_allclose(jax.vmap(pose)(many), [panda.pose(row, "tool") for row in many], atol=1e-14)
    one = jax.jit(jax.jacfwd(pose))
    np.testing.assert_allclose(jax.vmap(jax.jacrev(pose))(many), [one(row) for row in many], atol=1e-12)
    np.testing.assert_allclose(jax.jacfwd(tau, argnums=2)(q, dq, ddq), panda.mass_matrix(q), atol=1e-12)


def test_derivatives_of_torch(panda: kw.Robot, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch", reason="pip install torch")
    with_torch = recipe("with_torch", monkeypatch)
    at = [torch.from_numpy(row.reshape(1, 7)).requires_grad_() for row in rows(3)]
    tau = with_torch.InverseDynamics.apply(panda, *at)
    expected = panda.inverse_dynamics(*(x.detach().numpy()[0] for x in at))
    np.testing.assert_allclose(tau.detach().numpy()[0], expected, atol=1e-12)
    assert torch.autograd.gradcheck(lambda *x: with_torch.InverseDynamics.apply(panda, *x), at)
    many = torch.from_numpy(rows(6).reshape(2, 3, 7)).requires_grad_()
    assert torch.autograd.gradcheck(lambda q: with_torch.Pose.apply(panda, "tool", q), [many])


def test_recordings_are_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow", reason="pip install pyarrow")
    pytest.importorskip("pandas", reason="pip install pandas")
    recording = recipe("recordings", monkeypatch).swing(0.1)
    table, frame = recording.to_arrow(), recording.to_pandas()
    assert table.column_names == list(frame.columns) == recording.columns
    for name in recording.columns:
        np.testing.assert_array_equal(table[name].to_numpy(), recording[name])
        np.testing.assert_array_equal(frame[name].to_numpy(), recording[name])


@pytest.mark.parametrize(("needs", "code"), BLOCKS, ids=[needs for needs, _ in BLOCKS])
def test_the_page_runs(needs: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in needs.split(", "):
        pytest.importorskip(name, reason=f"needs {name}")
    monkeypatch.chdir(ROOT)
    monkeypatch.syspath_prepend(str(RECIPES))
    exec(compile(code, f"recipes.md ({needs})", "exec"), {"__name__": "recipe"})


def test_all_code_of_the_page_is_run() -> None:
    page = (ROOT / "python/docs/recipes.md").read_text(encoding="utf-8")
    assert len(BLOCKS) == page.count("```python") == 5
