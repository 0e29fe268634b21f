#!/usr/bin/env python3
"""A motion for `data/motions`: the planar arm swings, each joint at its own pace, 101 instants in 2 s."""

import math
from pathlib import Path

OUT = Path(__file__).resolve().parent / "motions" / "swing.csv"
PACES = [1.0, 2.0, 3.0]  # rad/s
SIZES = [0.5, 0.4, 0.3]  # rad

lines = ["time,link0,link1,link2"]
for k in range(101):
    t = k / 50
    q = [size * math.sin(pace * t) for size, pace in zip(SIZES, PACES)]
    lines.append(",".join(repr(x) for x in [t, *q]))
OUT.parent.mkdir(exist_ok=True)
OUT.write_text("\n".join(lines) + "\n")
