"""Mass, centre of mass and moments of inertia of a body."""

from __future__ import annotations

import numpy as np

from ._advice import Advised
from ._geometry import Geometry3D
from ._types import Array, Vector


class Mass(Advised):
    """Mass (kg), centre of mass (3) in the body's frame, and moments (3 or 9) about it, kg·m²."""

    def __init__(self, mass: float = 1.0, com: Vector = (0, 0, 0), inertia: Vector = (1, 1, 1)) -> None:
        self.mass = float(mass)
        self.com = [float(x) for x in com]
        self.inertia = [float(x) for x in inertia]

    def getMass(self) -> float:
        """Mass, kg."""
        return self.mass

    def setMass(self, mass: float) -> None:
        """Sets the mass, kg."""
        self.mass = float(mass)

    def getCom(self) -> list[float]:
        """Centre of mass (3)."""
        return list(self.com)

    def setCom(self, com: Vector) -> None:
        """Sets the centre of mass (3)."""
        self.com = [float(x) for x in com]

    def getInertia(self) -> list[float]:
        """Moments of inertia: nine numbers, or three where they were set so."""
        return list(self.inertia)

    def setInertia(self, inertia: Vector) -> None:
        """Sets the moments of inertia: three on the diagonal, or nine."""
        if len(inertia) not in (3, 9):
            raise ValueError(f"expected 3 or 9 moments of inertia, found {len(inertia)}")
        self.inertia = [float(x) for x in inertia]

    def estimate(self, g: Geometry3D, mass: float, surfaceFraction: float = 0.0) -> None:
        """Centre of mass and moments of a shape of even density; ``surfaceFraction`` of the mass is on the surface."""
        com, moment = g._some().mass_properties(mass, surfaceFraction)
        self.mass, self.com, self.inertia = float(mass), com.tolist(), moment.ravel().tolist()

    def moment(self) -> Array:
        """The moment of inertia (3 × 3)."""
        return np.diag(self.inertia) if len(self.inertia) == 3 else np.reshape(self.inertia, (3, 3))
