"""Denavit-Hartenberg tables: robots from them, and tables of robots."""

from ._core.dh import DhRow, DhTable, Parameters, modified, row_dofs, row_values, standard

__all__ = ["DhRow", "DhTable", "Parameters", "modified", "row_dofs", "row_values", "standard"]
