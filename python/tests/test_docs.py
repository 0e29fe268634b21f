"""The names in the pages of `docs/` exist."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import kinworld as kw

DOCS = Path(__file__).parents[1] / "docs"


def names_of_kinworld(page: str) -> list[str]:
    """Dotted names in backquotes of the second column of tables."""
    found = []
    for line in (DOCS / page).read_text().splitlines():
        if line.startswith("| `") or line.startswith("| "):
            for code in re.findall(r"`([^`]+)`", line.split("|")[2]):
                found += re.findall(r"\b((?:kinworld|[A-Z][A-Za-z]+)(?:\.[A-Za-z_0-9]+)+)", code)
    return found


@pytest.mark.parametrize("name", sorted(set(names_of_kinworld("coming_from.md"))))
def test_names_exist(name: str) -> None:
    parts = name.removeprefix("kinworld.").split(".")
    found: object = kw
    for part in parts:
        found = getattr(found, part)


def test_there_are_names() -> None:
    assert len(names_of_kinworld("coming_from.md")) > 50


@pytest.mark.parametrize("peer", ["pinocchio", "mujoco", "pybullet"])
def test_names_of_peers_exist(peer: str) -> None:
    module = pytest.importorskip(peer, reason=peer)
    text = (DOCS / "coming_from.md").read_text()
    names = set(re.findall(rf"\b{peer}\.([A-Za-z_]+)", text))
    assert names
    for name in names:
        assert hasattr(module, name) or importlib.util.find_spec(f"{peer}.{name}"), name
