"""Writes the pages of the API by pdoc: `python make_docs.py FOLDER`. Needs `pip install pdoc` and the built package.

Warnings of pdoc and names that a docstring mentions but the package lacks are errors. What is compiled has its types
from the stubs; modules that need a package which is missing are left out, and named.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import pkgutil
import re
import sys
import warnings
from pathlib import Path
from types import ModuleType

# the installed package: the sources beside this file lack what is compiled
if Path(sys.path[0]).resolve() == Path(__file__).parent.resolve():
    sys.path.pop(0)

import kinworld  # noqa: E402

# what a docstring writes in single backticks, or in double ones with a module of ours
MENTION = re.compile(r"`(?:kinworld|kw)\.([A-Za-z_.]+)`")


def modules() -> tuple[list[ModuleType], list[str]]:
    """All public modules, and the names of those that cannot be imported here with the reason."""
    found, missing = [kinworld], []
    for info in pkgutil.walk_packages(kinworld.__path__, "kinworld.", onerror=lambda _: None):
        if any(part.startswith("_") for part in info.name.split(".")):
            continue
        try:
            found.append(importlib.import_module(info.name))
        except ImportError as problem:
            missing.append(f"{info.name}: {problem}")
    return found, missing


def specifications(found: list[ModuleType], missing: list[str]) -> list[str]:
    """What pdoc is told: modules that no other one leads to, and those to leave out."""
    from pdoc.extract import walk_specs

    left_out = [f"!{re.escape(line.partition(':')[0])}" for line in missing]
    specs: list[str] = []
    covered: set[str] = set()
    for module in found:
        if module.__name__ not in covered:
            specs.append(module.__name__)
            covered.update(walk_specs([module.__name__, *left_out]))
    return [*specs, *left_out]


def unknown_names(found: list[ModuleType]) -> list[str]:
    """Names of kinworld that docstrings mention and that do not exist."""
    unknown = []
    for module in found:
        owners = [module, *(value for name, value in vars(module).items() if inspect.isclass(value) and name[0] != "_")]
        for owner in owners:
            members = [owner, *(value for name, value in vars(owner).items() if not name.startswith("_"))]
            for member in members:
                text = getattr(member, "__doc__", None)
                for name in MENTION.findall(text if isinstance(text, str) else ""):
                    try:
                        eval(f"kinworld.{name}", {"kinworld": kinworld})  # noqa: S307 - names of our own docstrings
                    except AttributeError:
                        unknown.append(f"{owner.__name__}: kinworld.{name}")
    return sorted(set(unknown))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pages are written")
    folder = parser.parse_args().folder
    import pdoc
    import pdoc.render

    found, missing = modules()
    for line in missing:
        print(f"left out: {line}")
    unknown = unknown_names(found)
    for line in unknown:
        print(f"unknown name in a docstring: {line}", file=sys.stderr)
    pdoc.render.configure(docformat="markdown", footer_text=f"kinworld {kinworld.__version__}", search=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pdoc.pdoc(*specifications(found, missing), output_directory=folder)
    for warning in caught:
        print(f"warning: {warning.message}", file=sys.stderr)
    print(f"{sum(1 for _ in folder.rglob('*.html'))} pages in {folder}")
    return int(bool(unknown or caught))


if __name__ == "__main__":
    sys.exit(main())
