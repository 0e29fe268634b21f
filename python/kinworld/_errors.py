"""Errors and warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._core import Diagnostic


class Error(ValueError):
    """An error of a call of kinworld; the message says what was expected and what was found."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class LoadError(Error):
    """A file that cannot be used; the message names file, line and column.

    ``diagnostics`` has the warnings before the error, and the error itself last.
    """

    diagnostics: list[Diagnostic]

    def __init__(self, message: str = "", diagnostics: list[Diagnostic] | None = None) -> None:
        super().__init__(message, diagnostics or [])
        self.diagnostics = diagnostics or []


class Diagnostics(list["Diagnostic"]):
    """A list of diagnostics that notebooks show as a table."""

    def _repr_html_(self) -> str:
        from ._core import Diagnostic

        return Diagnostic._table(self)


class NotFoundError(Error, KeyError):
    """A name that does not exist; the message lists those that do."""


class MissingGeometryError(Error):
    """Collision geometry that should be there is missing, so that "free" would be a guess.

    ``elements`` has the names of links, rigid objects and terrains, each with the reason.
    """

    elements: list[tuple[str, str]]

    def __init__(self, message: str = "", elements: list[tuple[str, str]] | None = None) -> None:
        super().__init__(message, elements or [])
        self.elements = elements or []


class InternalError(RuntimeError):
    """A bug in kinworld. Please report it, with the program that led to it."""


class LoadWarning(UserWarning):
    """A loader skipped, repaired or guessed something."""
