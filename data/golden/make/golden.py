"""Shared by the scripts of this folder: seeded numbers, doubtful pairs, and the writer of golden files."""

import json
import math
import random
from pathlib import Path

DATA = Path(__file__).resolve().parents[2]
GOLDEN = DATA / "golden"
POINT = [0.1, -0.2, 0.3]  # point of every tested link, in the frame of the link
CASES = 4

# a pair whose result changes under perturbations this small is not asserted
TINY_ROTATION = 1e-4
TINY_GAP = 1e-5


def rng(name):
    """Random numbers that depend only on the name of a file."""
    return random.Random("kinworld " + name)


def sample(rand, q_min, q_max):
    """A configuration within limits, or within ±1 where there are none."""
    free = lambda x: not math.isfinite(x)
    return [rand.uniform(-1 if free(a) else a, 1 if free(b) else b) for a, b in zip(q_min, q_max)]


def sample_colliding(rand, q_min, q_max, collides, tries=2000):
    """A configuration that collides, or the last one tried."""
    for _ in range(tries):
        q = sample(rand, q_min, q_max)
        if collides(q):
            break
    return q


def vector(rand, n):
    return [rand.uniform(-1, 1) for _ in range(n)]


def nearby(rand, q):
    return [x + rand.uniform(-TINY_ROTATION, TINY_ROTATION) for x in q]


def colliding(rand, q, pairs_at, touching=lambda: []):
    """Pairs that collide at `q`, and doubtful pairs.

    `pairs_at(q)` moves the robot and returns the colliding pairs; `touching()` returns the separated pairs
    within `TINY_GAP`, for the configuration that was set last.
    """
    now = set(map(tuple, pairs_at(q)))
    doubtful = set(map(tuple, touching()))
    for _ in range(8):
        doubtful |= now ^ set(map(tuple, pairs_at(nearby(rand, q))))
    pairs_at(q)
    listed = lambda pairs: [list(p) for p in sorted(pairs)]
    return {"colliding": listed(now), "doubtful": listed(doubtful)}


def plain(value):
    """Numbers that JSON can hold: infinities as strings, negative zero as zero."""
    if isinstance(value, dict):
        return {key: plain(x) for key, x in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(x) for x in value]
    if isinstance(value, float):
        return value + 0.0 if math.isfinite(value) else {math.inf: "inf", -math.inf: "-inf"}[value]
    return value


def text(value, indent=0):
    """JSON with one line per list of numbers, for readable diffs."""
    pad = " " * (indent + 1)
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    if not any(isinstance(x, (dict, list)) for x in inner):
        return json.dumps(value)
    if isinstance(value, dict):
        rows = [f"{pad}{json.dumps(key)}: {text(x, indent + 1)}" for key, x in value.items()]
        return "{\n" + ",\n".join(rows) + "\n" + " " * indent + "}"
    return "[\n" + ",\n".join(pad + text(x, indent + 1) for x in value) + "\n" + " " * indent + "]"


def write(folder, name, tool, script, content):
    """Writes a golden file, with the tool and the script that produced it."""
    out = GOLDEN / folder
    out.mkdir(exist_ok=True)
    header = {"tool": tool, "script": f"data/golden/make/{Path(script).name}"}
    (out / f"{name}.json").write_text(text(plain(header | content)) + "\n")
