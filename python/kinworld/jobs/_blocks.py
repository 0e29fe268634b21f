"""Blocks of random numbers, each found by its number alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCK = 4096
"""Samples of a block."""

CONFIGS, VELOCITIES, ACCELERATIONS, STARTS = range(4)
"""Streams: independent numbers for the same block."""


def count(samples: int) -> int:
    """Number of blocks."""
    return -(-samples // BLOCK)


def rows(samples: int, block: int) -> int:
    """Number of samples of a block: ``BLOCK``, or less for the last."""
    return min(BLOCK, samples - block * BLOCK)


def of_shard(samples: int, shard: int, n_shards: int) -> range:
    """The blocks of a shard."""
    if n_shards < 1 or not 0 <= shard < n_shards:
        raise ValueError(f"a shard is one of 0/{n_shards} to {n_shards - 1}/{n_shards}, got {shard}/{n_shards}: shards are counted from 0")
    return range(shard, count(samples), n_shards)


def words(seed: int, block: int, stream: int, n: int) -> NDArray[np.uint64]:
    """Random 64-bit words (n) of a block, by the counter-based generator Philox 4 × 64."""
    counter = np.array([0, 0, stream, block], dtype=np.uint64)
    raw: Any = np.random.Philox(key=seed, counter=counter).random_raw(n)
    return np.asarray(raw, dtype=np.uint64)


def uniform(seed: int, block: int, stream: int, n: int) -> NDArray[np.float64]:
    """Random numbers (BLOCK × n), -1 to 1."""
    # NumPy promises the words of a generator for all versions, but not what its distributions make of them
    fractions = (words(seed, block, stream, BLOCK * n) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return (2.0 * fractions - 1.0).reshape(BLOCK, n)
