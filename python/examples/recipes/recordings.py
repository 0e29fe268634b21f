"""Recordings of simulations as tables: Arrow, Parquet, pandas. Needs ``pip install pyarrow pandas``."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pyarrow.parquet

import kinworld as kw

DATA = Path(__file__).parents[3] / "data"


def swing(duration: float = 1.0) -> kw.sim.Recording:
    """An arm that falls, recorded every 10 ms."""
    arm = kw.Robot.load(DATA / "robots/planar3R.rob")
    return kw.sim.simulate(arm, duration, sensors=["positions", "velocities", "energy"], period=0.01)


if __name__ == "__main__":
    recording = swing()
    table = recording.to_arrow()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "swing.parquet"
        pyarrow.parquet.write_table(table, path)
        back = pyarrow.parquet.read_table(path)
    assert back.equals(table)
    frame = recording.to_pandas()
    print(frame.describe().loc[["min", "max"]].T)
