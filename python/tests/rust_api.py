"""Public items of the Rust crate, from the JSON of rustdoc."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]


class Item(NamedTuple):
    """A public item: its module, the type that it belongs to (or ``""``), its name and its kind."""

    module: str
    type: str
    name: str
    kind: str

    @property
    def key(self) -> str:
        """``Type.name``, ``Type``, or ``module.name`` of a free function or constant."""
        if self.type:
            return f"{self.type}.{self.name}" if self.name else self.type
        return f"{self.module}.{self.name}" if self.module else self.name


def rustdoc_json() -> Path | None:
    """Writes the JSON of rustdoc; ``None`` where no cargo is there.

    The format is unstable, therefore unstable options are allowed for rustdoc; not for cargo, which would then check all
    dependencies again.
    """
    cargo = shutil.which("cargo")
    if cargo is None or not (ROOT / "Cargo.toml").exists():
        return None
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target)}
    with tempfile.TemporaryDirectory() as folder:
        if os.name == "posix":
            program = Path(folder) / "rustdoc"
            program.write_text(f"#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec {environment.get('RUSTDOC', 'rustdoc')} \"$@\"\n")
            program.chmod(0o755)
            environment["RUSTDOC"] = str(program)
        else:
            environment["RUSTC_BOOTSTRAP"] = "1"
        subprocess.run(
            [cargo, "rustdoc", "--quiet", "--locked", "-p", "kinworld", "--lib", "--all-features", "--"]
            + ["-Z", "unstable-options", "--output-format", "json"],
            cwd=ROOT,
            env=environment,
            check=True,
        )
    return target / "doc" / "kinworld.json"


def public_items(path: Path) -> list[Item]:
    """All public items in a JSON of rustdoc, each once, where it is defined."""
    document = json.loads(path.read_text())
    index: dict[str, Any] = document["index"]
    items: list[Item] = []
    seen: set[int] = set()
    later: list[tuple[Any, str]] = []

    def members(item: Any, module: str, name: str) -> None:
        kind, body = next(iter(item["inner"].items()))
        items.append(Item(module, name, "", kind))
        if kind == "trait":
            for child in (index[str(i)] for i in body["items"]):
                if "function" in child["inner"]:
                    items.append(Item(module, name, child["name"], "method"))
            return
        if kind == "struct" and isinstance(body["kind"], dict) and "plain" in body["kind"]:
            for child in (index[str(i)] for i in body["kind"]["plain"]["fields"]):
                if child["visibility"] == "public":
                    items.append(Item(module, name, child["name"], "field"))
        if kind == "enum":
            items.extend(Item(module, name, index[str(i)]["name"], "variant") for i in body["variants"])
        for implementation in (index[str(i)]["inner"]["impl"] for i in body["impls"]):
            if implementation["trait"] is None:
                for child in (index[str(i)] for i in implementation["items"]):
                    if "function" in child["inner"] and child["visibility"] == "public":
                        items.append(Item(module, name, child["name"], "method"))

    def walk(item: Any, module: str, name: str | None = None) -> None:
        kind, body = next(iter(item["inner"].items()))
        if kind == "use":
            target = index.get(str(body.get("id")))
            if target is not None and not body["is_glob"]:
                # modules of their own come first: a re-export has the name of the place where it is defined
                later.append((target, module))
            return
        if item["visibility"] != "public" or item["id"] in seen:
            return
        seen.add(item["id"])
        name = name or item["name"]
        if kind == "module":
            for child in (index.get(str(i)) for i in body["items"]):
                if child is not None:
                    walk(child, f"{module}.{name}" if module else name)
        elif kind == "function" or kind == "constant":
            items.append(Item(module, "", name, kind))
        elif kind in ("struct", "enum", "union", "trait"):
            members(item, module, name)

    for i in index[str(document["root"])]["inner"]["module"]["items"]:
        walk(index[str(i)], "")
    # re-exports of private modules, the deepest module first, so that the prelude comes last
    while later:
        batch = sorted(later, key=lambda entry: (entry[1] in ("", "prelude"), entry[1]))
        later.clear()
        for item, module in batch:
            walk(item, module)
    return items
