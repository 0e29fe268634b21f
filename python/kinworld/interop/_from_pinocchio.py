"""URDF text of a model of Pinocchio."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from .. import Error, so3

_AXES = {"X": (1, 0, 0), "Y": (0, 1, 0), "Z": (0, 0, 1)}


def urdf_of(pinocchio: Any, model: Any) -> str:
    """A URDF with the joints, inertias and frames of a model; its root is the link ``world``."""
    names = _link_names(pinocchio, model)
    parts = [f"<robot name={quoteattr(model.name or 'robot')}>"]
    for index in range(model.njoints):
        parts.append(_link(names[index], model.inertias[index] if index else None))
    for index in range(1, model.njoints):
        parts.append(_joint(model, index, names))
    taken = set(names)
    for frame in model.frames:
        if frame.type in (pinocchio.FrameType.BODY, pinocchio.FrameType.OP_FRAME) and frame.name not in taken:
            taken.add(frame.name)
            parts.append(_link(frame.name, None))
            parts.append(_fixed(frame.name, names[frame.parentJoint], frame.placement))
    return "\n".join([*parts, "</robot>"])


def _link_names(pinocchio: Any, model: Any) -> list[str]:
    """A link for each joint: the body at its frame, else a name made from the joint's."""
    names = ["world", *(f"{name}_link" for name in list(model.names)[1:])]
    found = set()
    for frame in model.frames:
        joint = frame.parentJoint
        if frame.type == pinocchio.FrameType.BODY and joint > 0 and joint not in found and frame.placement.isIdentity(1e-12):
            names[joint] = frame.name
            found.add(joint)
    return names


def _numbers(values: Any) -> str:
    return '"' + " ".join(repr(float(value)) for value in values) + '"'


def _origin(placement: Any) -> str:
    return f"<origin xyz={_numbers(placement.translation)} rpy={_numbers(so3.to_rpy(np.array(placement.rotation)))}/>"


def _link(name: str, inertia: Any) -> str:
    if inertia is None or inertia.mass == 0:
        return f"<link name={quoteattr(name)}/>"
    moment = inertia.inertia
    terms = " ".join(
        f'i{a}{b}="{float(moment[i, j])!r}"' for i, a in enumerate("xyz") for j, b in enumerate("xyz") if i <= j
    )
    return (
        f"<link name={quoteattr(name)}><inertial><origin xyz={_numbers(inertia.lever)}/>"
        f'<mass value="{float(inertia.mass)!r}"/><inertia {terms}/></inertial></link>'
    )


def _fixed(child: str, parent: str, placement: Any) -> str:
    return (
        f'<joint name={quoteattr(child + "_frame")} type="fixed"><parent link={quoteattr(parent)}/>'
        f"<child link={quoteattr(child)}/>{_origin(placement)}</joint>"
    )


def _joint(model: Any, index: int, names: list[str]) -> str:
    joint, name = model.joints[index], model.names[index]
    kind, axis = _kind(joint, name)
    limit = ""
    if kind in ("revolute", "prismatic", "continuous"):
        bounds = f'effort="{_finite(model.upperEffortLimit[joint.idx_v])}" velocity="{_finite(model.upperVelocityLimit[joint.idx_v])}"'
        if kind != "continuous":
            lower, upper = model.lowerPositionLimit[joint.idx_q], model.upperPositionLimit[joint.idx_q]
            bounds = f'lower="{_finite(lower)}" upper="{_finite(upper)}" {bounds}'
        limit = f"<limit {bounds}/>"
    return (
        f'<joint name={quoteattr(name)} type="{kind}"><parent link={quoteattr(names[model.parents[index]])}/>'
        f"<child link={quoteattr(names[index])}/>{_origin(model.jointPlacements[index])}"
        f"<axis xyz={_numbers(axis)}/>{limit}</joint>"
    )


def _finite(value: float) -> float:
    return float(np.clip(value, -1e9, 1e9))


def _kind(joint: Any, name: str) -> tuple[str, Any]:
    """The URDF's type and axis (3) of a joint."""
    short = joint.shortname().removeprefix("JointModel")
    if short == "FreeFlyer":
        return "floating", (1, 0, 0)
    if short == "Planar":
        return "planar", (0, 0, 1)
    for start, kind in (("RUB", "continuous"), ("R", "revolute"), ("P", "prismatic")):
        if short[:-1] == start and short[-1] in _AXES:
            return kind, _AXES[short[-1]]
    unaligned = {"RevoluteUnaligned": "revolute", "PrismaticUnaligned": "prismatic", "RevoluteUnboundedUnaligned": "continuous"}
    if short in unaligned:
        subspace = np.array(joint.createData().S).ravel()
        return unaligned[short], subspace[:3] if short.startswith("Prismatic") else subspace[3:]
    raise Error(f"joint {name!r}: a URDF has no joint of Pinocchio's kind {joint.shortname()}")
