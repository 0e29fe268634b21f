"""Worlds in a browser or a notebook.

>>> import kinworld as kw
>>> from kinworld import view
>>> world = kw.load("data/robots/planar3R.rob")
>>> page = view.View(world, title="three links")
>>> "planar3R" in page.html
True
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ._core import World

__all__ = ["View", "show"]


class View:
    """The page of a world, see `World.to_html`; a notebook shows it where it is the value of a cell."""

    def __init__(self, world: World, *, height: int = 480, **page: Any) -> None:
        self.height = height
        self.html = world.to_html(**page)

    def _repr_html_(self) -> str:
        """The page in a frame that can run scripts and nothing else: no network, no access to the notebook."""
        # modules that take longer to import than all of kinworld
        from html import escape

        text = escape(self.html, quote=True)
        return (
            f'<iframe srcdoc="{text}" sandbox="allow-scripts" '
            f'style="width: 100%; height: {self.height}px; border: 0"></iframe>'
        )

    def save(self, path: str | Path) -> Path:
        """Writes the page to a file."""
        path = Path(path)
        path.write_text(self.html, encoding="utf-8")
        return path

    def open(self) -> Path:
        """Writes the page to a temporary file and opens it in the browser; returns the file."""
        import tempfile
        import webbrowser

        with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
            file.write(self.html)
        path = Path(file.name)
        webbrowser.open(path.as_uri())
        return path

    def __repr__(self) -> str:
        return f"View: a page of {len(self.html) / 1e6:.1f} MB"


def show(world: World, *, height: int = 480, live: bool | None = None, **page: Any) -> View:
    """Shows a world: in a notebook as the value of the cell, elsewhere in the browser. Options are those of `World.to_html`.

    In a notebook the page is ``live`` unless it plays a ``motion``: the library is in it, so that sliders answer collisions and
    gizmos inverse kinematics, whatever front end shows the cell and wherever the kernel runs. It is about the world as it is
    now: what is moved in the page is not moved in Python.
    """
    in_notebook = _in_notebook()
    if live is None:
        live = in_notebook and not page.get("motion")
    view = View(world, height=height, live=live, **page)
    if not in_notebook:
        view.open()
    return view


def _in_notebook() -> bool:
    """Whether a kernel with a page runs this."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")
