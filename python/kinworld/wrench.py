"""Wrenches about points in the axes of frames, their balances on links, and limbs."""

from ._core import wrench as _wrench

AppliedWrench = _wrench.AppliedWrench
Balance = _wrench.Balance
Frame = _wrench.Frame
Frames = _wrench.Frames
Segment = _wrench.Segment
balance = _wrench.balance
chain = _wrench.chain
limb = _wrench.limb
table = _wrench.table

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
