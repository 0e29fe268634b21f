"""Large jobs in shards: the same bits from one process, many, Ray, Dask or a SLURM array.

A job draws ``samples`` configurations in blocks of 4096. A block depends on the seed and its number alone, so neither the
number of shards nor the machine that runs one changes a result. ``ReachMap`` counts where a link gets, ``LabelledConfigs``
labels configurations as free or not, ``DynamicsData`` and ``IkData`` are data sets, ``RoadMap`` is a probabilistic road map.

>>> import kinworld as kw
>>> from kinworld import jobs
>>> job = jobs.ReachMap(kw.Robot.load("data/robots/ur5.urdf"), link="tool", cell=0.1, samples=10_000)
>>> whole = jobs.run_shard(job, 0, 1)
>>> int(whole["count"].sum())
10000

``write_shard`` writes a shard as a Parquet file and goes on where it was interrupted, ``merge`` joins the files of all shards,
``run``, ``run_ray`` and ``run_dask`` do both. From a shell: ``python -m kinworld.jobs --help``. Parquet needs
``pip install 'kinworld[jobs]'``; Ray and Dask need ``kinworld[ray]`` and ``kinworld[dask]``.
"""

from ._blocks import BLOCK
from ._dask import run_dask
from ._dynamics import DynamicsData
from ._ik import IkData
from ._job import Columns, Job
from ._labels import LabelledConfigs
from ._local import run
from ._parquet import read
from ._ray import run_ray
from ._reach import ReachMap
from ._roadmap import RoadMap
from ._shard import merge, run_shard, write_shard

__all__ = [
    "BLOCK",
    "Columns",
    "DynamicsData",
    "IkData",
    "Job",
    "LabelledConfigs",
    "ReachMap",
    "RoadMap",
    "merge",
    "read",
    "run",
    "run_dask",
    "run_ray",
    "run_shard",
    "write_shard",
]
