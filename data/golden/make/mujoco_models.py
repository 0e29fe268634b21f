#!/usr/bin/env python3
"""MuJoCo's numbers for the models in `data/mjcf`.

    pip install mujoco==4.0.0
    python3 data/golden/make/mujoco_models.py

Everything is in MuJoCo's coordinates. Poses are positions and rotation matrices in rows.
"""

import mujoco
import numpy as np

import golden

TOOL = f"MuJoCo {mujoco.__version__}"
STATES = 3


def name(model, kind, index):
    return mujoco.mj_id2name(model, kind, index) or ""


def state(model, data, rand):
    for j in range(model.njnt):
        a, kind = model.jnt_qposadr[j], model.jnt_type[j]
        if kind < 2:
            k = a + (3 if kind == 0 else 0)
            q = np.array([rand.gauss(0, 1) for _ in range(4)])
            # the real part is positive, so that the quaternion of an orientation is one
            data.qpos[k : k + 4] = q / np.linalg.norm(q) * (1 if q[0] > 0 else -1)
            if kind == 0:
                data.qpos[a : a + 3] = golden.vector(rand, 3)
        elif model.jnt_limited[j]:
            data.qpos[a] = rand.uniform(*model.jnt_range[j])
        else:
            data.qpos[a] = rand.uniform(-1, 1)
    data.qvel[:] = golden.vector(rand, model.nv)


def sensors(model, data, rand):
    """The sensors with names at given accelerations, and those."""
    data.qacc[:] = golden.vector(rand, model.nv)
    mujoco.mj_inverse(model, data)
    found = {}
    for k in range(model.nsensor):
        start, size = model.sensor_adr[k], model.sensor_dim[k]
        if name(model, mujoco.mjtObj.mjOBJ_SENSOR, k):
            found[name(model, mujoco.mjtObj.mjOBJ_SENSOR, k)] = data.sensordata[start : start + size].tolist()
    return data.qacc.tolist(), found


def case(model, rand, is_first):
    data = mujoco.MjData(model)
    if not is_first:
        state(model, data, rand)
    mujoco.mj_forward(model, data)
    mass = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, mass)
    pose = lambda p, r: [p.tolist(), r.reshape(3, 3).tolist()]
    sites = range(model.nsite)
    bodies = range(1, model.nbody)
    found = {
        "qpos": data.qpos.tolist(),
        "qvel": data.qvel.tolist(),
        "bodies": {name(model, mujoco.mjtObj.mjOBJ_BODY, b): pose(data.xpos[b], data.xmat[b]) for b in bodies},
        "sites": {
            name(model, mujoco.mjtObj.mjOBJ_SITE, s): pose(data.site_xpos[s], data.site_xmat[s]) for s in sites
        },
        "mass_matrix": mass.tolist(),
        "bias": data.qfrc_bias.tolist(),
    }
    if model.nsensor:
        # numbers of their own, so that those of states stay
        own = golden.rng(str(found["qvel"]))
        found["qacc"], found["sensors"] = sensors(model, data, own)
    data.qvel[:] = 0
    mujoco.mj_forward(model, data)
    found["gravity"] = data.qfrc_bias.tolist()
    return found


def pairs(model):
    """Pairs of bodies of which two geoms may collide, as the engine's filters say."""
    found = set()
    excluded = {int(s) for s in model.exclude_signature}
    for a in range(model.ngeom):
        for b in range(a + 1, model.ngeom):
            x, y = sorted([int(model.geom_bodyid[a]), int(model.geom_bodyid[b])])
            wx, wy = model.body_weldid[x], model.body_weldid[y]
            px, py = (model.body_weldid[model.body_parentid[w]] for w in (wx, wy))
            masks = model.geom_contype[a] & model.geom_conaffinity[b] or model.geom_contype[b] & model.geom_conaffinity[a]
            parent = wx != 0 and wy != 0 and (wx == py or wy == px)
            if x != 0 and masks and wx != wy and not parent and (x << 16) + y not in excluded:
                found.add((name(model, mujoco.mjtObj.mjOBJ_BODY, x), name(model, mujoco.mjtObj.mjOBJ_BODY, y)))
    return sorted(map(sorted, found))


def trees(model):
    """The children of the world that move: bodies, and the parts of `qpos` and `qvel` that are theirs."""
    found = {}
    for root in range(1, model.nbody):
        if model.body_parentid[root] != 0:
            continue
        bodies = [b for b in range(1, model.nbody) if model.body_rootid[b] == root]
        joints = [j for j in range(model.njnt) if model.jnt_bodyid[j] in bodies]
        if not joints:
            continue
        widths = lambda sizes: sum(sizes[int(model.jnt_type[j])] for j in joints)
        found[name(model, mujoco.mjtObj.mjOBJ_BODY, root)] = {
            "bodies": [name(model, mujoco.mjtObj.mjOBJ_BODY, b) for b in bodies],
            "qpos": [int(model.jnt_qposadr[joints[0]]), widths([7, 4, 1, 1])],
            "qvel": [int(model.jnt_dofadr[joints[0]]), widths([6, 3, 1, 1])],
        }
    return found


def main():
    for path in sorted((golden.DATA / "mjcf").glob("*.xml")):
        model = mujoco.MjModel.from_xml_path(str(path))
        rand = golden.rng(path.name)
        joints = range(model.njnt)
        found = {
            "masses": {
                name(model, mujoco.mjtObj.mjOBJ_BODY, b): float(model.body_mass[b]) for b in range(1, model.nbody)
            },
            "ranges": {
                name(model, mujoco.mjtObj.mjOBJ_JOINT, j): model.jnt_range[j].tolist() for j in joints if model.jnt_limited[j]
            },
            "keys": {name(model, mujoco.mjtObj.mjOBJ_KEY, k): model.key_qpos[k].tolist() for k in range(model.nkey)},
            "trees": trees(model),
            "pairs": pairs(model),
            "gravity": model.opt.gravity.tolist(),
            "cases": [case(model, rand, k == 0) for k in range(STATES)],
        }
        golden.write("mjcf", path.name, TOOL, __file__, found)


main()
