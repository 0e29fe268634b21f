"""Simulation of robots, rigid objects, multibody systems and equations of the user."""

from ._core.sim import (
    MultibodySystem,
    PlanarBody,
    Recording,
    Sensor,
    integrate,
    methods,
    simulate,
    tableau,
)

__all__ = [
    "MultibodySystem",
    "PlanarBody",
    "Recording",
    "Sensor",
    "integrate",
    "methods",
    "simulate",
    "tableau",
]
