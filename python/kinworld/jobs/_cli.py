"""Command line of the jobs."""

from __future__ import annotations

import argparse
import json
import math
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from .. import Robot, World, load
from . import _parquet, _shard
from ._dynamics import DynamicsData
from ._ik import IkData
from ._job import Job
from ._labels import LabelledConfigs
from ._local import run
from ._reach import ReachMap
from ._roadmap import RoadMap

_DESCRIPTION = """\
Large jobs in shards. A shard is a part of a job; the result does not depend on how many there are.

  python -m kinworld.jobs reach ur5.urdf --link tool --samples 1e9 --output reach.parquet
      the whole job, on all cores of this machine; the same command goes on where it was interrupted
  python -m kinworld.jobs reach ur5.urdf --link tool --samples 1e9 --shard 3/100 --output part3.parquet
      one shard of it, the fourth of 100: shards are counted from 0
  python -m kinworld.jobs merge part*.parquet --output reach.parquet
      joins all shards; the file is the same, byte for byte, as that of the first command
  python -m kinworld.jobs info reach.parquet
      what a file is

As a SLURM array:

  #!/bin/bash
  #SBATCH --array=0-99
  #SBATCH --cpus-per-task=1
  export RAYON_NUM_THREADS=$SLURM_CPUS_PER_TASK
  python -m kinworld.jobs reach ur5.urdf --link tool --samples 1e9 \\
      --shard $SLURM_ARRAY_TASK_ID/100 --output part$SLURM_ARRAY_TASK_ID.parquet

A task that is requeued goes on from its last saved blocks; one that runs twice writes the same file.
On Ray and Dask: kinworld.jobs.run_ray and run_dask, from Python.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; returns the exit status."""
    options = _parser().parse_args(arguments)
    warnings.showwarning = lambda message, *_: print(message, file=sys.stderr)
    try:
        action: Callable[[argparse.Namespace], None] = options.action
        action(options)
    except (ValueError, OSError, ImportError, RuntimeError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; the same command goes on from here", file=sys.stderr)
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m kinworld.jobs", description=_DESCRIPTION, formatter_class=raw)
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    reach = _job(commands, "reach", "reachability map: where a link gets, and in which directions", ReachMap)
    reach.add_argument("--link", required=True, help="the link whose position is counted")
    reach.add_argument("--cell", type=float, default=0.05, metavar="M", help="edge of a cell, m (default: %(default)s)")
    reach.add_argument("--half", type=float, metavar="M", help="half the edge of the grid, m (default: so that all is in it)")
    reach.add_argument("--point", type=_three, default=(0.0, 0.0, 0.0), metavar="X,Y,Z", help="point of the link, m (default: its origin)")
    reach.add_argument("--axis", type=_three, default=(0.0, 0.0, 1.0), metavar="X,Y,Z", help="axis of the link whose directions count (default: z)")

    _job(commands, "labels", "random configurations, each labelled as free of collisions or not", LabelledConfigs)

    dynamics = _job(commands, "dynamics", "data set of states, accelerations and joint forces", DynamicsData)
    dynamics.add_argument("--gravity", type=_three, default=(0.0, 0.0, -9.81), metavar="X,Y,Z", help="m/s² (default: 0,0,-9.81)")
    dynamics.add_argument("--max-velocity", type=float, default=1.0, metavar="V", help="for joints without a limit, rad/s or m/s (default: %(default)s)")
    dynamics.add_argument("--max-acceleration", type=float, default=10.0, metavar="A", help="for joints without a limit, rad/s² or m/s² (default: %(default)s)")
    dynamics.add_argument("--mass-matrix", action="store_true", help="mass matrices too")

    ik = _job(commands, "ik", "data set of poses of a link and configurations that reach them", IkData)
    ik.add_argument("--link", required=True, help="the link")
    ik.add_argument("--tolerance", type=float, default=1e-9, help="of the solution, m and rad (default: %(default)s)")
    ik.add_argument("--restarts", type=int, default=20, metavar="N", help="most further starts of a search (default: %(default)s)")

    roadmap = _job(commands, "roadmap", "probabilistic road map: free configurations and free edges", RoadMap)
    roadmap.add_argument("--neighbors", type=int, metavar="K", help="edges that a node tries (default: as many as PRM* needs)")
    roadmap.add_argument("--resolution", type=float, help="distance between checks along an edge")

    merge = commands.add_parser("merge", help="join the files of all shards", description="Joins the files of all shards of a job.")
    merge.add_argument("parts", nargs="+", type=Path, help="the files of the shards, in any order")
    merge.add_argument("--output", required=True, type=Path, help="the file to write")
    merge.set_defaults(action=_merge)

    info = commands.add_parser("info", help="what a file is", description="Prints the job of a file, its shard and its columns.")
    info.add_argument("file", type=Path)
    info.set_defaults(action=_info)
    return parser


def _job(commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, what: str, kind: type[Job]) -> argparse.ArgumentParser:
    """The parser of a job, with the options that all jobs have."""
    columns = (kind.__doc__ or "").strip()
    raw = argparse.RawDescriptionHelpFormatter
    parser = commands.add_parser(name, help=what, description=columns.replace("\n    ", "\n"), formatter_class=raw)
    parser.add_argument("model", nargs="+", type=Path, metavar="MODEL", help="a robot, or files that make a world")
    parser.add_argument("--robot", default=0, help="the robot of the world that moves (default: the first)")
    parser.add_argument("--samples", required=True, type=_whole, metavar="N", help="number of configurations; 1e9 is understood")
    parser.add_argument("--seed", type=_whole, default=0, metavar="N", help="the same seed gives the same samples (default: 0)")
    parser.add_argument("--scale", type=float, default=1.0, metavar="S", help="range of coordinates without limits (default: %(default)s)")
    parser.add_argument("--output", required=True, type=Path, metavar="FILE", help="the Parquet file to write")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--shard", type=_shard_of, metavar="I/N", help="only shard I of N, counted from 0, in this process")
    how.add_argument("--processes", type=int, metavar="P", help="processes for the whole job (default: one for each core)")
    parser.add_argument("--quiet", action="store_true", help="print no progress")
    parser.set_defaults(action=partial(_run, kind))
    return parser


_COMMON = {"model", "output", "shard", "processes", "quiet", "action"}


def _run(kind: type[Job], options: argparse.Namespace) -> None:
    settings = {name: value for name, value in vars(options).items() if name not in _COMMON}
    job = kind(_model(options.model), **settings)
    progress = None if options.quiet else _print_progress
    if options.shard is None:
        print(run(job, options.output, processes=options.processes, progress=progress))
    else:
        shard, n_shards = options.shard
        print(_shard.write_shard(job, shard, n_shards, options.output, progress=progress))


def _model(paths: Sequence[Path]) -> Robot | World:
    """A robot, where one file has only that, else a world."""
    world = load(*paths)
    alone = len(world.robots) == 1 and not len(world.rigid_objects) and not len(world.terrains)
    return world.robots[0].robot if alone and len(paths) == 1 else world


def _merge(options: argparse.Namespace) -> None:
    print(_shard.merge(options.parts, options.output))


def _info(options: argparse.Namespace) -> None:
    job, shard = _parquet.labels(options.file)
    columns = {name: [str(values.dtype), *values.shape] for name, values in _parquet.read(options.file)[1].items()}
    print(json.dumps({"job": json.loads(job), "shard": shard, "columns": columns}, indent=2))


def _print_progress(done: int, of: int) -> None:
    end = "\n" if done == of else ""
    print(f"\r{done}/{of}", end=end, file=sys.stderr, flush=True)


def _whole(text: str) -> int:
    """A whole number, also as 1e9."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not value.is_integer():
        raise argparse.ArgumentTypeError(f"expected a whole number such as 1000000 or 1e6, got {text!r}")
    return int(value)


def _three(text: str) -> tuple[float, float, float]:
    try:
        x, y, z = (float(word) for word in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected three numbers such as 0,0,0.1, got {text!r}") from None
    return x, y, z


def _shard_of(text: str) -> tuple[int, int]:
    try:
        shard, n_shards = (int(word) for word in text.split("/"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a shard such as 3/100, got {text!r}") from None
    if not 0 <= shard < n_shards:
        raise argparse.ArgumentTypeError(f"shards are counted from 0: 0/{n_shards} to {n_shards - 1}/{n_shards}, got {text}")
    return shard, n_shards
