"""Pairs that may collide and distances of primitives: the collision half of `mjcf_files.py`.

Bodies are compared, because a link here is a body with all of its geoms: a pair of bodies may collide if MuJoCo tests two of
their geoms. MuJoCo's pairs follow from the compiled model: masks, bodies that are welded together, parents, exceptions and
listed pairs. That this is MuJoCo's rule is checked against the contacts that it finds.
"""

import mujoco
import numpy as np

# numbers, which those of NumPy equal: an enumerator is in no set with one of them
PRIMITIVES = {
    int(kind)
    for kind in (
        mujoco.mjtGeom.mjGEOM_SPHERE,
        mujoco.mjtGeom.mjGEOM_CAPSULE,
        mujoco.mjtGeom.mjGEOM_BOX,
        mujoco.mjtGeom.mjGEOM_CYLINDER,
        mujoco.mjtGeom.mjGEOM_ELLIPSOID,
    )
}
# m; that of MuJoCo's general algorithm at the tolerance that is set here
DISTANCE_TOLERANCE = 1e-6
# of one state, so that a model with many bodies takes no minutes
MOST_DISTANCES = 60


def body_pairs(model):
    """Pairs of geoms that MuJoCo tests, by pairs of bodies, smaller index first."""
    geoms = [[] for _ in range(model.nbody)]
    for g in range(model.ngeom):
        geoms[model.geom_bodyid[g]].append(g)
    weld = model.body_weldid
    above = model.body_weldid[model.body_parentid[weld]]
    filters = not model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_FILTERPARENT
    excluded = {(s >> 16, s & 0xFFFF) for s in model.exclude_signature.tolist()}
    excluded |= {(b, a) for a, b in excluded}
    pairs = {}
    for a in range(model.nbody):
        for b in range(a + 1, model.nbody):
            if weld[a] == weld[b] or (a, b) in excluded:
                continue
            if filters and weld[a] and weld[b] and (weld[a] == above[b] or weld[b] == above[a]):
                continue
            for g in geoms[a]:
                for h in geoms[b]:
                    if model.geom_contype[g] & model.geom_conaffinity[h] or model.geom_contype[h] & model.geom_conaffinity[g]:
                        pairs.setdefault((a, b), []).append((g, h))
    for g, h in zip(model.pair_geom1.tolist(), model.pair_geom2.tolist()):
        a, b = sorted((model.geom_bodyid[g], model.geom_bodyid[h]))
        pairs.setdefault((int(a), int(b)), []).append((g, h))
    return pairs


def contacts(model, data):
    """Pairs of bodies between which MuJoCo has a contact now."""
    found = set()
    for contact in data.contact:
        if min(contact.geom) >= 0:
            found.add(tuple(sorted(int(model.geom_bodyid[g]) for g in contact.geom)))
    return found


def elements(model, robots, objects, names):
    """The name of the element of our world that each geom belongs to; `None` for geoms that never collide.

    A link or an object is a body; what stands is a terrain for each body, and for each geom of the world.
    """
    paired = {*model.pair_geom1.tolist(), *model.pair_geom2.tolist()}
    robot_of = {b: part.robot["name"] for part in robots for b in part.bodies}
    found, n_world = [], 0
    for g in range(model.ngeom):
        b = int(model.geom_bodyid[g])
        if not (model.geom_contype[g] or model.geom_conaffinity[g] or g in paired):
            found.append(None)
        elif b in robot_of:
            found.append(f"{robot_of[b]}[{names[b]}]")
        elif b or names[b] in objects:
            found.append(names[b])
        else:
            found.append(mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_GEOM, g) or f"geom{n_world}")
        n_world += b == 0 and found[-1] is not None
    return found


def element_pairs(model, elements):
    """Pairs of elements of which MuJoCo tests two geoms, those of terrains left out, as they are of one body there."""
    pairs = {frozenset((elements[g], elements[h])) for tested in body_pairs(model).values() for g, h in tested}
    return {pair for pair in pairs if len(pair) == 2 and None not in pair}


def distances(model, data, part):
    """Distances of MuJoCo between bodies of primitives: `{(body, body): m}`, 0 where they overlap."""
    found = {}
    for (a, b), pairs in body_pairs(model).items():
        if len(found) == MOST_DISTANCES:
            break
        if a not in part.bodies or b not in part.bodies:
            continue
        solid = [
            [g for g in range(model.ngeom) if model.geom_bodyid[g] == body and (model.geom_contype[g] or model.geom_conaffinity[g])]
            for body in (a, b)
        ]
        if any(model.geom_type[g] not in PRIMITIVES for side in solid for g in side) or model.npair:
            continue
        ends = np.zeros(6)
        near = [mujoco.mj_geomDistance(model, data, g, h, 1e3, ends) for g in solid[0] for h in solid[1]]
        found[a, b] = max(min(near), 0.0)
    return found
