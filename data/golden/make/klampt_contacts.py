#!/usr/bin/env python3
"""Klampt's results for contacts: equilibrium for given centres of mass, support polygons, force closure of grasps.

    pip install klampt==0.10.1.post1 numpy scipy
    python3 data/golden/make/klampt_contacts.py

Klampt approximates each friction cone by an inscribed pyramid of four edges. Normals point into the grasped body; weights act along -z.
A grasp with force closure in Klampt is left out where its contacts have no internal forces, with pyramids of 64 edges.
"""

import contextlib
import math
import os

from importlib.metadata import version

import numpy as np
from klampt.model import contact
from scipy.optimize import linprog

import golden

STANCES = 24
GRASPS = 40
COMS = 12


def unit(v):
    size = math.sqrt(sum(x * x for x in v))
    return [x / size for x in v]


def points(contacts):
    return [contact.ContactPoint(c["point"], c["normal"], c["friction"]) for c in contacts]


def can_squeeze(contacts, edges=64):
    """Whether non-negative forces along the edges of the cones, not all zero, can be in equilibrium."""
    columns = []
    for c in contacts:
        n, p = np.array(c["normal"]), np.array(c["point"])
        t = np.cross(np.eye(3)[np.argmin(abs(n))], n)
        t /= np.linalg.norm(t)
        for angle in np.linspace(0, 2 * np.pi, edges, endpoint=False):
            f = n + c["friction"] * (np.cos(angle) * t + np.sin(angle) * np.cross(n, t))
            columns.append([*np.cross(p, f), *f, 1])
    balance = np.array(columns).T
    return linprog(np.zeros(len(columns)), A_eq=balance, b_eq=[0] * 6 + [1]).status == 0


def stance(rand):
    """Three to five foot contacts on uneven ground."""
    contacts = []
    for _ in range(rand.randint(3, 5)):
        x, y, z = golden.vector(rand, 3)
        a, b = golden.vector(rand, 2)
        contacts.append(
            {"point": [x, y, 0.3 * z], "normal": unit([0.4 * a, 0.4 * b, 1.0]), "friction": rand.uniform(0.2, 1.0)}
        )
    coms = [[*golden.vector(rand, 2), rand.uniform(0, 1)] for _ in range(COMS)]
    return {
        "contacts": contacts,
        "coms": coms,
        "holds": [contact.com_equilibrium(points(contacts), (0, 0, -1), com) is not None for com in coms],
        # rows (a, b, c): a x + b y <= c
        "polygon": [list(row) for row in contact.support_polygon(points(contacts))],
    }


def grasp(rand):
    """Two to six finger contacts on a sphere, with forces roughly towards its centre."""
    contacts = []
    for _ in range(rand.randint(2, 6)):
        p = unit(golden.vector(rand, 3))
        lean = [0.5 * x for x in golden.vector(rand, 3)]
        contacts.append(
            {"point": p, "normal": unit([e - x for x, e in zip(p, lean)]), "friction": rand.uniform(0.1, 1.0)}
        )
    closure = bool(contact.force_closure(points(contacts)))
    if closure and not can_squeeze(contacts):
        return {"contacts": contacts, "left_out": "Klampt says closed, but these contacts cannot squeeze"}
    return {"contacts": contacts, "closure": closure}


def main():
    rand = golden.rng("contacts")
    with open(os.devnull, "w") as quiet, contextlib.redirect_stdout(quiet):
        content = {
            "stances": [stance(rand) for _ in range(STANCES)],
            "grasps": [grasp(rand) for _ in range(GRASPS)],
        }
    golden.write("contacts", "klampt", f"Klampt {version('klampt')}", __file__, content)


main()
