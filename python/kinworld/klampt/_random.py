"""Random numbers: all of kinworld.klampt draws from Python's `random`."""

from __future__ import annotations

import random


def set_random_seed(seed: int) -> None:
    """Seeds Python's `random`, from which `randomizeConfig` and searches draw."""
    random.seed(seed)
