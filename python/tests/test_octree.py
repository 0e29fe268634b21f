"""Octrees of occupancy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinworld as kw


def wall() -> np.ndarray:
    """Points of a wall at x = 1."""
    y, z = np.meshgrid(np.linspace(-0.5, 0.5, 21), np.linspace(-0.5, 0.5, 21))
    return np.column_stack([np.full(y.size, 1.01), y.ravel(), z.ravel()])


def test_a_robot_does_not_pass_what_was_seen(tmp_path: Path) -> None:
    """A map of a wall is an obstacle, from a file as well."""
    octree = kw.Octree(0.05)
    for _ in range(3):
        octree.insert_scan((0, 0, 0), wall())
    centers, sizes, probabilities = octree.leaves()
    assert centers.shape == (len(sizes), 3)
    assert np.array_equal(octree.probability(centers), probabilities)
    assert np.isnan(octree.probability([(1.2, 0, 0)])).all()
    assert probabilities.max() > 0.9 and probabilities.min() < 0.3

    path = tmp_path / "wall.bt"
    octree.save(path)
    again = kw.Octree.load(path)
    assert np.array_equal(again.probability(centers) >= 0.5, probabilities >= 0.5)

    sphere = kw.Geometry.sphere(0.1)
    for shape in (octree.boxes(), again.boxes(), kw.Geometry.load(path)):
        assert shape.distance(sphere, other_pose=kw.se3.from_translation((0.5, 0, 0))) == pytest.approx(0.4)
    world = kw.World()
    world.add(kw.Terrain("wall", octree.boxes()))
    near = octree.cloud().distance(sphere, other_pose=kw.se3.from_translation((0.5, 0, 0)))
    assert 0.4 - 0.37 * 0.05 <= near <= 0.4


def test_bad_maps_are_refused(tmp_path: Path) -> None:
    """Sizes, ranges and points that cannot be used."""
    with pytest.raises(kw.Error, match="its resolution must be a positive number"):
        kw.Octree(0)
    octree = kw.Octree(0.1)
    with pytest.raises(kw.Error, match="range of a scan"):
        octree.insert_scan((0, 0, 0), [(1, 0, 0)], -1)
    with pytest.raises(kw.Error, match="outside of the map"):
        octree.insert_scan((0, 0, 0), [(1e6, 0, 0)])
    assert octree.n_nodes == 0
    path = tmp_path / "bad.bt"
    path.write_text("# Octomap OcTree file\n")
    with pytest.raises(kw.LoadError, match="bad.bt:1:1"):
        kw.Octree.load(path)
