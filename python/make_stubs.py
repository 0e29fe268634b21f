"""Writes the type stubs `kinworld/_core/*.pyi` from the compiled module: `python make_stubs.py`.

Needs maturin; `--check` only compares, and fails where a stub is not up to date.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent


def generated(profile: str) -> dict[str, str]:
    """The stubs by file name, from a build with the data for them."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["maturin", "generate-stubs", "--manifest-path", str(HERE / "Cargo.toml"), "--features", "stubs", "--profile", profile]
        subprocess.run([*command, "--out", folder], check=True)
        found = sorted(Path(folder).rglob("*.pyi"))
        return {path.relative_to(folder).as_posix(): complete(path.read_text()) for path in found}


def complete(text: str) -> str:
    """A stub with all type arguments, and with the imports of annotations that are written by hand."""
    text = re.sub(r"(: |-> )dict\b(?!\[)", r"\1dict[Any, Any]", text)
    imports = []
    if "Mapping[" in text:
        imports.append("from collections.abc import Mapping")
    if "dict[Any" in text and not re.search(r"^from typing import .*\bAny\b", text, re.MULTILINE):
        imports.append("from typing import Any")
    for line in imports:
        text = text.replace("from numpy import", f"{line}\nfrom numpy import", 1)
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    parser.add_argument("--profile", default="dev", help="profile of Cargo (default: %(default)s)")
    options = parser.parse_args()
    check: bool = options.check
    stale = []
    for name, text in generated(options.profile).items():
        if "Incomplete" in text:
            print(f"{name}: a type is missing", file=sys.stderr)
            return 1
        path = HERE / name
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    for name in stale:
        print(f"{name}: {'is not up to date, run make_stubs.py' if check else 'written'}")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
