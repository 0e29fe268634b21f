#!/usr/bin/env python3
"""Compares the expansion of xacro files with that of ROS's `xacro`, element by element.

    pip install xacro==2.1.1 pyyaml
    cargo build --release -p kinworld-cli
    python3 tests/peers/xacro_files.py [--kinworld target/release/kinworld] [--package NAME=DIR]... [--arg NAME=VALUE]... FILE...

Attributes and texts must be equal. With `--golden FOLDER` the expansions of ROS's xacro are
written there. Exit code 1 if anything differs.
"""

import argparse
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import xacro
import xacro.substitution_args


def expand(path, arguments):
    xacro.init_stacks(str(path))
    document = xacro.parse(None, str(path))
    xacro.process_doc(document, mappings=dict(arguments))
    return document.toxml()


def shape(element):
    """An element as plain data, without comments and white space."""
    attributes = {k: v for k, v in element.attrib.items()}
    text = (element.text or "") + "".join(child.tail or "" for child in element)
    children = [shape(child) for child in element if isinstance(child.tag, str)]
    return element.tag, attributes, text.strip(), children


def difference(ours, theirs, where=""):
    where = f"{where}/{theirs[0]}[{theirs[1].get('name', '')}]"
    if ours[:3] != theirs[:3]:
        return f"{where}: {ours[:3]} in place of {theirs[:3]}"
    if len(ours[3]) != len(theirs[3]):
        return f"{where}: {[c[0] for c in ours[3]]} in place of {[c[0] for c in theirs[3]]}"
    found = (difference(a, b, where) for a, b in zip(ours[3], theirs[3]))
    return next(filter(None, found), None)


def compare(options, path):
    """Whether both agree, and a row of the report."""
    command = [options.kinworld, "xacro", str(path)]
    for option, pairs in [("--package", options.package), ("--xacro-arg", options.arg)]:
        for pair in pairs:
            command += [option, pair]
    ours = subprocess.run(command, capture_output=True, text=True)
    try:
        theirs = expand(path, [pair.split("=", 1) for pair in options.arg])
    except Exception as refusal:  # of many kinds
        reason = str(refusal).strip().splitlines()[:1]
        if ours.returncode:
            return True, f"both refuse it: {ours.stderr.strip().splitlines()[-2:]} | {reason}"
        return False, f"only ROS's xacro refuses it: {reason}"
    if options.golden:
        Path(options.golden, path.name.split(".")[0] + ".urdf").write_text(theirs + "\n")
    if ours.returncode:
        return False, f"only kinworld refuses it: {ours.stderr.strip()}"
    found = difference(shape(ET.fromstring(ours.stdout)), shape(ET.fromstring(theirs)))
    return found is None, found or f"{theirs.count('<')} tags"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kinworld", default="target/release/kinworld")
    parser.add_argument("--package", action="append", default=[])
    parser.add_argument("--arg", action="append", default=[])
    parser.add_argument("--golden")
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    packages = dict(pair.split("=", 1) for pair in options.package)
    xacro.substitution_args._eval_find = lambda package: packages[package]
    bad = 0
    for path in options.files:
        fine, row = compare(options, path)
        bad += not fine
        print("ok " if fine else "BAD", f"{path}: {row}", flush=True)
    print(f"{len(options.files) - bad} of {len(options.files)} agree")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
