"""Fixtures: robots and worlds of the repository's `data/`."""

from __future__ import annotations

from pathlib import Path

import pytest

import kinworld as kw

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    return DATA


@pytest.fixture(scope="session")
def panda() -> kw.Robot:
    return kw.Robot.load(DATA / "robots/panda.urdf")


@pytest.fixture(scope="session")
def arm6() -> kw.Robot:
    return kw.Robot.load(DATA / "robots/arm6.urdf")


@pytest.fixture
def cell() -> kw.World:
    return kw.load(DATA / "worlds/cell.xml")
