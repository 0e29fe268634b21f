"""Every public item of the Rust crate is bound, or has a reason not to be.

The items come from the JSON of rustdoc. An item of a type is bound where one of the type's homes in the package – a class,
or a module whose functions take it as arguments – has an attribute or a parameter of its name, or where `coverage_map.ALIASES`
says what it is called there. All else has to be in `coverage_map.EXCEPTIONS`, with a reason.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import coverage_map
import pytest
import rust_api

import kinworld as kw


def python_names() -> dict[str, set[str]]:
    """The attributes of each module and class of the package, and the parameters of their functions."""
    names: dict[str, set[str]] = {}
    stubs = Path(kw.__file__).parent / "_core"
    for path in sorted(stubs.glob("*.pyi")):
        module = "" if path.stem == "__init__" else path.stem
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                names.setdefault(module, set()).add(node.name)
                names[f"{module}.{node.name}".lstrip(".")] = parameters(node)
            elif isinstance(node, ast.ClassDef):
                home = names.setdefault(f"{module}.{node.name}".lstrip("."), set())
                names.setdefault(module, set()).add(node.name)
                for member in node.body:
                    if isinstance(member, ast.FunctionDef):
                        home.add(member.name)
                        if member.name == "__new__":
                            home |= parameters(member)
                        else:
                            names[f"{module}.{node.name}.{member.name}".lstrip(".")] = parameters(member)
    return names


@cache
def quoted() -> set[str]:
    """All words in quotes in the stubs: the names of alternatives."""
    stubs = Path(kw.__file__).parent / "_core"
    text = "".join(path.read_text() for path in stubs.glob("*.pyi"))
    return set(re.findall(r'"([a-z0-9_ ]+)"', text))


def words(variant: str) -> set[str]:
    """The names that a variant may have."""
    parts = re.findall(r"[A-Z][a-z0-9]*", variant)
    return {separator.join(parts).lower() for separator in ("", "_", " ")}


def parameters(function: ast.FunctionDef) -> set[str]:
    arguments = function.args
    return {a.arg for a in arguments.posonlyargs + arguments.args + arguments.kwonlyargs} - {"self", "cls"}


def spellings(item: rust_api.Item) -> Iterator[str]:
    """The names that an item may have: setters are parameters, twins with scratch or output are one function."""
    name = item.name
    if name == "new":
        yield "__new__"
    if name in ("len", "is_empty"):
        yield "__len__"
    yield name
    for prefix in ("with_", "set_", "to_", "n_", "is_"):
        if name.startswith(prefix):
            yield name.removeprefix(prefix)
    for suffix in ("_into", "_with", "_lanes", "_mut", "_observed"):
        if name.endswith(suffix):
            yield name.removesuffix(suffix)


@pytest.fixture(scope="module")
def items() -> list[rust_api.Item]:
    path = rust_api.rustdoc_json()
    if path is None:
        pytest.skip("there is no cargo, or no source of the crate")
    return rust_api.public_items(path)


def test_every_public_item_is_bound(items: list[rust_api.Item]) -> None:
    names = python_names()
    used: set[str] = set()
    missing = []
    for item in items:
        if is_bound(item, names, used):
            continue
        pattern = next((p for p in coverage_map.EXCEPTIONS if fnmatchcase(item.key, p)), None)
        if pattern is None:
            missing.append(f"{item.kind} {item.key} (of {item.module})")
        else:
            used.add(pattern)
    assert not missing, "neither bound nor an exception:\n" + "\n".join(missing)
    table = [*coverage_map.ALIASES, *coverage_map.EXCEPTIONS]
    assert not sorted(set(table) - used), "entries of the table that no item needs"


def is_bound(item: rust_api.Item, names: dict[str, set[str]], used: set[str]) -> bool:
    homes = coverage_map.HOMES.get(item.type or item.module)
    if homes is None:
        last = item.type or item.module.rpartition(".")[2]
        homes = [home for home in names if home.rpartition(".")[2] == last]
    for home in homes:
        assert home in names, f"the table names {home}, which is not in the package"
    if item.type and not item.name:
        return bool(homes)
    if any(spelling in names[home] for home in homes for spelling in spellings(item)):
        return True
    if item.kind == "variant" and words(item.name) & quoted():
        return True
    key = item.key if item.key in coverage_map.ALIASES else f"{item.type}.*"
    alias = coverage_map.ALIASES.get(key)
    if alias is None:
        return False
    used.add(key)
    home, _, name = alias.rpartition(".")
    assert name in names.get(home, ()), f"{item.key} should be {alias}, which is not in the package"
    return True


def test_the_reader_finds_what_is_known_to_be_public(items: list[rust_api.Item]) -> None:
    keys = {item.key for item in items}
    assert {"Robot", "Robot.load", "batch.poses", "math.so3.from_rpy", "JointKind.Spin", "Limits.q_min"} <= keys
    assert len(items) > 2000


def test_the_check_fails_on_what_is_not_bound() -> None:
    item = rust_api.Item("robot", "Robot", "levitate", "method")
    assert not is_bound(item, python_names(), set())
    assert is_bound(rust_api.Item("robot", "Robot", "n_dofs", "method"), python_names(), set())
