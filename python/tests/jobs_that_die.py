"""A job whose process is killed once, in the middle. Workers import it, so it is no part of a test module."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass, field
from pathlib import Path

from kinworld import jobs


@dataclass(frozen=True, eq=False)
class Mortal(jobs.DynamicsData):
    """Data of the dynamics; the first process that comes to the block ``fatal`` dies there."""

    fatal: int = field(kw_only=True)
    marker: str = field(kw_only=True)

    def block(self, index: int) -> jobs.Columns:
        if index == self.fatal and not Path(self.marker).exists():
            Path(self.marker).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().block(index)
