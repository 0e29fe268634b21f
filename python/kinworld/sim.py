"""Simulation of robots, rigid objects, multibody systems and equations of the user."""

from ._core import sim as _sim

MultibodySystem = _sim.MultibodySystem
PlanarBody = _sim.PlanarBody
Plot = _sim.Plot
Recording = _sim.Recording
Sensor = _sim.Sensor
integrate = _sim.integrate
methods = _sim.methods
simulate = _sim.simulate
tableau = _sim.tableau

__all__ = [
    "MultibodySystem",
    "PlanarBody",
    "Plot",
    "Recording",
    "Sensor",
    "integrate",
    "methods",
    "simulate",
    "tableau",
]
