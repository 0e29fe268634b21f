"""The cells of the tutorial run in turn, and their checks are true."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from conftest import DATA

NOTEBOOK = Path(__file__).parents[1] / "examples/tutorial.ipynb"


def test_the_tutorial_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINWORLD_DATA", str(DATA))
    notebook = json.loads(NOTEBOOK.read_text())
    names: dict[str, Any] = {}
    checks = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert not cell["outputs"], "outputs get old: clear them"
        tree = ast.parse("".join(cell["source"]))
        last = tree.body[-1]
        value = None
        if isinstance(last, ast.Expr):
            exec(compile(ast.Module(tree.body[:-1], []), NOTEBOOK.name, "exec"), names)
            value = eval(compile(ast.Expression(last.value), NOTEBOOK.name, "eval"), names)
            repr(value)
        else:
            exec(compile(tree, NOTEBOOK.name, "exec"), names)
        if type(value).__name__ in ("bool", "bool_"):
            assert value, "".join(cell["source"])
            checks += 1
    assert checks >= 4
    assert names["solution"].solved and names["plan"].found
