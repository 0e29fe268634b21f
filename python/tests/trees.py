"""Trees, arms and runs that Exudyn's reference numbers describe."""

from __future__ import annotations

from typing import Any

import numpy as np

import kinworld as kw
from kinworld import dh, sim

AXES = {"X": (1, 0, 0), "Y": (0, 1, 0), "Z": (0, 0, 1)}


def robot(spec: dict[str, Any]) -> kw.Robot:
    """Robot of a ``spec``: lists with an entry per link."""
    builder = kw.RobotBuilder("spec")
    for i, kind in enumerate(spec["joint_types"]):
        builder.add_link(
            f"link{i}",
            parent=None if spec["parents"][i] < 0 else spec["parents"][i],
            motion=kind[:-1].lower(),
            axis=AXES[kind[-1]],
            placement=kw.se3.from_parts(spec["joint_offsets"][i], spec["joint_rotations"][i]),
            inertia=kw.Inertia(spec["masses"][i], spec["coms"][i], spec["inertia_com"][i]),
        )
    return builder.build()


def run(spec: dict[str, Any], q: list[float], dq: list[float], duration: float, **how: Any) -> sim.Recording:
    """Run of the tree of a ``spec`` on its base in its gravity; a number of ``steps`` is a length."""
    if "steps" in how:
        how["step"] = duration / how.pop("steps")
    base = kw.se3.from_parts(spec["base_offset"], spec["base_rotation"])
    return sim.simulate(robot(spec), duration, q=q, dq=dq, gravity=spec["gravity"], base=base, **how)


def standard(model: dict[str, Any]) -> dh.DhTable:
    """An arm by its standard table, with masses."""
    rows = [
        dh.DhRow(
            f"link{i}",
            dh.Parameters.standard(theta=theta, d=d, a=a, alpha=alpha),
            inertia=kw.Inertia(model["masses"][i], model["coms"][i], model["inertias"][i]),
        )
        for i, (theta, d, a, alpha) in enumerate(model["std_dh"])
    ]
    return dh.DhTable("reference", rows, base=model["base_ht"], tool=model["tool_ht"])


def puma(model: dict[str, Any], first: list[list[float]]) -> kw.Robot:
    """An arm whose links have the joint about z of the frame before and then the row; the first link's moment is another."""
    builder = kw.RobotBuilder("puma")
    before = np.eye(4)
    for i, row in enumerate(model["std_dh"]):
        theta, d, a, alpha = row
        rest = dh.DhTable("row", [dh.DhRow("row", dh.Parameters.standard(theta=theta, d=d, a=a, alpha=alpha))])
        after = rest.link_frames([0.0])[0]
        moment = first if i == 0 else model["inertias"][i]
        builder.add_link(
            f"link{i}",
            parent=i - 1 if i else None,
            motion="revolute",
            axis=(0, 0, 1),
            placement=before,
            inertia=kw.Inertia(model["masses"][i], model["coms"][i], moment).transformed(after),
        )
        before = after
    return builder.build()
