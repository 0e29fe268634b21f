"""Plots of recordings: as SVG without matplotlib, and with it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import kinworld as kw
from kinworld import sim

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def run() -> sim.Recording:
    arm = kw.Robot.load(Path(__file__).parents[2] / "data/robots/arm6.urdf")
    tip = sim.Sensor("<tip>", "flange", "position")
    return sim.simulate(arm, 0.3, q=[0, 0.5, 0.5, 0, 0, 0], sensors=["positions", "energy", tip], period=0.05)


def test_a_plot_has_a_line_per_column(run: sim.Recording) -> None:
    root = ET.fromstring(run.plot().svg)
    lines = [path for path in root.iter(f"{SVG}path") if path.get("stroke-width") == "1.5"]
    assert len(lines) == len(run.columns) - 1
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert set(run.columns[1:]) <= set(words), "names are escaped, and every line has its name"
    # a line has a point per row
    assert len(re.findall("[ML]", lines[0].get("d", ""))) == len(run)
    assert run._repr_svg_() == run.plot()._repr_svg_() == str(run.plot())


def test_names_of_columns_and_of_sensors_choose(run: sim.Recording, tmp_path: Path) -> None:
    assert repr(run.plot("energy_total")) == "Plot: 'energy_total'"
    energy = [name for name in run.columns if name.startswith("energy")]
    assert repr(run.plot("energy")) == f"Plot: {', '.join(map(repr, energy))}"
    with pytest.raises(kw.NotFoundError, match="no column named `energy_totall`; did you mean `energy_total`"):
        run.plot("energy_totall")
    with pytest.raises(ValueError, match='backend is "svg" or "matplotlib", not "gnuplot"'):
        run.plot(backend="gnuplot")
    run.plot("energy").save(tmp_path / "run.svg")
    assert (tmp_path / "run.svg").read_text() == run.plot("energy").svg


def test_matplotlib_gets_the_numbers(run: sim.Recording) -> None:
    pytest.importorskip("matplotlib", reason="pip install matplotlib")
    figure = run.plot("energy", "q", backend="matplotlib")
    lines = [line for axis in figure.axes for line in axis.get_lines()]
    assert len(figure.axes) == 2
    for line in lines:
        np.testing.assert_array_equal(line.get_xdata(), run.times)
        np.testing.assert_array_equal(line.get_ydata(), run[line.get_label()])


def test_without_matplotlib_the_package_is_named(run: sim.Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        run.plot(backend="matplotlib")
