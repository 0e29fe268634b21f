"""Contacts of Klampt in `data/golden/contacts`, whose cones are pyramids of four edges: it holds less than exact cones,
and more than cones with the friction of such a pyramid midway between its edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from compare import golden
from kinworld import contact

REFS = golden("contacts/klampt.json")
WEIGHT = [0.0, 0, 0, 0, 0, -1]
LEAST = np.sqrt(0.5)


def contacts(case: dict[str, Any], share: float) -> list[contact.ContactPoint]:
    return [contact.ContactPoint(c["point"], c["normal"], share * c["friction"]) for c in case["contacts"]]


def test_equilibria_are_between_those_of_least_and_full_friction() -> None:
    held = fallen = asked = 0
    for case in REFS["stances"]:
        full, least = contacts(case, 1.0), contacts(case, LEAST)
        for com, theirs in zip(case["coms"], case["holds"], strict=True):
            most = contact.equilibrium(full, WEIGHT, com).holds
            few = contact.equilibrium(least, WEIGHT, com).holds
            assert theirs or not few, f"{com}: holds with less friction"
            assert most or not theirs, f"{com}: Klampt's pyramid holds"
            held, fallen, asked = held + few, fallen + (not most), asked + 1
    assert asked == 288 and held > 20 and fallen > 20


def test_support_is_between_those_of_least_and_full_friction() -> None:
    for k, case in enumerate(REFS["stances"]):
        full, least = (contact.support_polygon(contacts(case, share)) for share in (1.0, LEAST))
        rows = np.array(case["polygon"])

        def slack(points: np.ndarray, rows: np.ndarray = rows) -> np.ndarray:
            return np.asarray(np.min(rows[:, 2] - points @ rows[:, :2].T, axis=1))

        assert np.all(slack(least.vertices) > -1e-4), f"stance {k}"
        ticks = 0.1 * np.arange(-20, 21)
        grid = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)
        inside = grid[slack(grid) > 1e-3]
        assert all(full.margin(x, y) > -1e-3 for x, y in inside), f"stance {k}"


def test_closures_are_between_those_of_least_and_full_friction() -> None:
    closed = opened = 0
    for k, case in enumerate(REFS["grasps"]):
        if "left_out" in case:
            continue
        full, least = (contact.force_closure(contacts(case, share)) for share in (1.0, LEAST))
        assert case["closure"] or not least, f"grasp {k}"
        assert full or not case["closure"], f"grasp {k}"
        closed, opened = closed + least, opened + (not full)
    assert closed > 3 and opened > 3
