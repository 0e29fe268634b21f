"""Wrenches about points in the axes of frames, their balances on links, and limbs."""

from ._core.wrench import (
    AppliedWrench,
    Balance,
    Frame,
    Frames,
    Segment,
    balance,
    chain,
    limb,
    table,
)

__all__ = [
    "AppliedWrench",
    "Balance",
    "Frame",
    "Frames",
    "Segment",
    "balance",
    "chain",
    "limb",
    "table",
]
