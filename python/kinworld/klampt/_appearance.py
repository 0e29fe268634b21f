"""The colour of an element."""

from __future__ import annotations

from typing import Any

from ._advice import Advised


class Appearance(Advised):
    """A colour (red, green, blue, opacity)."""

    def __init__(self) -> None:
        self.color = [0.5, 0.5, 0.5, 1.0]

    def getColor(self) -> list[float]:
        """The colour (4)."""
        return list(self.color)

    def setColor(self, *args: Any) -> None:
        """Sets the colour: red, green, blue and perhaps opacity, 0 to 1."""
        parts = list(args[0]) if len(args) == 1 else list(args)
        numbers = [float(part) for part in parts]
        if len(numbers) not in (3, 4):
            raise ValueError(f"a colour has 3 or 4 numbers, found {len(numbers)}")
        self.color = [*numbers, 1.0][:4]
