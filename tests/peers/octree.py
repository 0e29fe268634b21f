"""Octrees of occupancy beside OctoMap (pip: pyoctomap): the same scans, the probability of each cube, and the time of both.

    python3 tests/peers/octree.py [SCANS] [POINTS]

Rounds in turn, the least counts: insertion of all scans, and the probability at 100,000 points.
"""

import sys
import tempfile
import time
from pathlib import Path

import kinworld as kw
import numpy as np
import pyoctomap

RESOLUTION = 0.05
ROUNDS = 5


def scans(count: int, points: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Points on the walls of a room of 6 × 5 × 3 m and on a sphere in it, from a sensor that moves; no wall is on a side of cubes."""
    random = np.random.default_rng(7)
    room = np.array([3.013, 2.517, 1.509])
    sphere, radius = np.array([1.0, 0.6, -0.3]), 0.5
    all_scans = []
    for i in range(count):
        origin = np.array([-1.5 + 1.2 * i / count, -0.8, 0.2]) + random.uniform(-0.1, 0.1, 3)
        rays = random.normal(size=(points, 3))
        rays /= np.linalg.norm(rays, axis=1)[:, None]
        reach = ((np.sign(rays) * room - origin) / rays).min(axis=1)
        to_sphere = sphere - origin
        along = rays @ to_sphere
        beside = to_sphere @ to_sphere - along**2
        hits = (beside < radius**2) & (along > 0)
        reach[hits] = along[hits] - np.sqrt(radius**2 - beside[hits])
        all_scans.append((origin, origin + rays * reach[:, None]))
    return all_scans


def ours(data: list[tuple[np.ndarray, np.ndarray]]) -> kw.Octree:
    octree = kw.Octree(RESOLUTION)
    for origin, points in data:
        octree.insert_scan(origin, points)
    return octree


def theirs(data: list[tuple[np.ndarray, np.ndarray]]) -> pyoctomap.OcTree:
    octree = pyoctomap.OcTree(RESOLUTION)
    for origin, points in data:
        octree.insertPointCloud(points, origin)
    return octree


def passed(origin: np.ndarray, points: np.ndarray, center: np.ndarray) -> float:
    """The longest part of a ray in a cube of the finest size, m."""
    with np.errstate(divide="ignore", invalid="ignore"):
        sides = [(center + side * RESOLUTION / 2 - origin) / (points - origin) for side in (-1, 1)]
    first = np.minimum(*sides).max(axis=1).clip(0)
    last = np.maximum(*sides).min(axis=1).clip(max=1)
    return float(((last - first) * np.linalg.norm(points - origin, axis=1)).max())


def main() -> None:
    given = [int(text) for text in sys.argv[1:3]]
    count, points = given + [20, 20_000][len(given) :]
    data = scans(count, points)
    times: dict[str, list[float]] = {"kinworld": [], "OctoMap": []}
    for _ in range(ROUNDS):
        for name, insert in (("kinworld", ours), ("OctoMap", theirs)):
            began = time.perf_counter()
            octree = insert(data)
            times[name].append(time.perf_counter() - began)
            if name == "kinworld":
                mine = octree
            else:
                other = octree
    least = {name: 1e3 * min(each) / count for name, each in times.items()}
    print(f"{count} scans of {points} points, ms per scan: {least}, ratio {least['OctoMap'] / least['kinworld']:.2f}")

    centers, sizes, probabilities = mine.leaves()
    differ = unknown = unseen = 0
    for center, size, probability in zip(centers, sizes, probabilities):
        node = other.search(center.astype(np.float64))
        if node is None:
            unknown += 1
            # a cube of several is known because each of them was passed
            if size < 1.5 * RESOLUTION:
                unseen += max(passed(*scan, center) for scan in data) <= 0
        elif abs(node.getOccupancy() - probability) > 1e-5:
            differ += 1
    print(f"{len(sizes)} cubes: {differ} differ, {unknown} unknown to OctoMap; nodes {mine.n_nodes} and {other.size()}")
    print(f"of those unknown to OctoMap no ray passes {unseen}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "map.bt"
        other.writeBinary(str(path))
        read = kw.Octree.load(path)
        there = read.probability(centers)
        sides = np.isnan(there) | ((there >= 0.5) != (probabilities >= 0.5))
        print(f"its file: {read.n_nodes} nodes, {int(sides.sum())} cubes on another side")


if __name__ == "__main__":
    main()
