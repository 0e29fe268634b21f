"""Denavit-Hartenberg tables: robots from them, and tables of robots."""

from ._core import dh as _dh

DhRow = _dh.DhRow
DhTable = _dh.DhTable
Parameters = _dh.Parameters
modified = _dh.modified
row_dofs = _dh.row_dofs
row_values = _dh.row_values
standard = _dh.standard

__all__ = ["DhRow", "DhTable", "Parameters", "modified", "row_dofs", "row_values", "standard"]
