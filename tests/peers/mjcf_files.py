"""Compares MJCF models with MuJoCo: poses of bodies, sites and sensors, mass matrix, bias and gravity forces, forward dynamics, limits,
masses, pairs of bodies that may collide, distances of primitives.

    python mjcf_files.py KINWORLD FOLDER...

KINWORLD is the tool `kinworld`; each FOLDER is a collection, of which every .xml file with a root <mujoco> is taken.
Needs the packages mujoco and numpy. Prints a row for each collection and the reason for each file that differs. Files that differ
are compared again after MuJoCo's principal axes are replaced by exact ones (see mjcf_inertia.py): the column "exact axes".
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import warnings

import mjcf_inertia
import mjcf_pairs
import mujoco
import numpy as np

# relative to the largest number of the same kind
TOLERANCE = 1e-9
STATES = 3

# how many loops, sensors and distances were compared: none would agree as well
compared = collections.Counter()


def euler(quaternion):
    """Angles about z, y, x of a unit quaternion, w first."""
    w, x, y, z = quaternion / np.linalg.norm(quaternion)
    r20 = 2 * (x * z - w * y)
    return np.array([
        np.arctan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z)),
        np.arcsin(np.clip(-r20, -1, 1)),
        np.arctan2(2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    ])


def rates(angles):
    """The map from rates of the angles about z, y, x to the local angular velocity."""
    _, b, c = angles
    sb, cb, sc, cc = np.sin(b), np.cos(b), np.sin(c), np.cos(c)
    return np.array([[-sb, 0, 1], [sc * cb, cc, 0], [cc * cb, -sc, 0]])


def rates_dot(angles, speeds):
    """Its derivative in time."""
    _, b, c = angles
    _, db, dc = speeds
    sb, cb, sc, cc = np.sin(b), np.cos(b), np.sin(c), np.cos(c)
    return np.array([
        [-cb * db, 0, 0],
        [cc * cb * dc - sc * sb * db, -sc * dc, 0],
        [-sc * cb * dc - cc * sb * db, -cc * dc, 0],
    ])


class Tool:
    """`kinworld query` with a file."""

    def __init__(self, tool, path, root=None):
        command = [tool, "query", "--allow-missing-geometry", str(path)]
        if root is not None:
            command += ["--root", str(root)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)

    def ask(self, **request):
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise Refused(self.process.stderr.read())
        answer = json.loads(line)
        if not answer["ok"]:
            raise AssertionError(f"{request['op']}: {line[:300]}")
        return answer

    def close(self):
        self.process.kill()
        self.process.communicate()


class Refused(Exception):
    """The tool did not load a file."""


def far(ours, theirs, scale=None):
    """The largest difference relative to the largest number."""
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    if ours.shape != theirs.shape:
        return np.inf
    if ours.size == 0:
        return 0.0
    scale = max(np.abs(theirs).max(), 1e-12) if scale is None else max(scale, 1e-12)
    return np.abs(ours - theirs).max() / scale


def name_of(model, kind, index):
    return mujoco.mj_id2name(model, kind, index) or ""


def label(model, body):
    return name_of(model, mujoco.mjtObj.mjOBJ_BODY, body) or f"body{body}"


class Part:
    """A robot and its tree in the model."""

    def __init__(self, model, robot, root):
        self.robot, self.root = robot, root
        self.bodies = [b for b in range(1, model.nbody) if model.body_rootid[b] == root]
        self.joints = [j for j in range(model.njnt) if model.jnt_bodyid[j] in set(self.bodies)]
        self.model = model

    def dofs(self):
        widths = {0: 6, 1: 3, 2: 1, 3: 1}
        return [a + i for j in self.joints for a in [self.model.jnt_dofadr[j]] for i in range(widths[self.model.jnt_type[j]])]

    def config(self, qpos):
        q = []
        for j in self.joints:
            a, kind = self.model.jnt_qposadr[j], self.model.jnt_type[j]
            if kind == 0:
                q += [*qpos[a : a + 3], *euler(qpos[a + 3 : a + 7])]
            elif kind == 1:
                q += [*euler(qpos[a : a + 4])]
            else:
                q.append(qpos[a])
        return np.array(q)

    def velocity_map(self, q, dq):
        """E with v = E dq, and its derivative in time."""
        e, de = np.eye(len(q)), np.zeros((len(q), len(q)))
        at = 0
        for j in self.joints:
            kind = self.model.jnt_type[j]
            if kind in (0, 1):
                k = at + (3 if kind == 0 else 0)
                e[k : k + 3, k : k + 3] = rates(q[k : k + 3])
                de[k : k + 3, k : k + 3] = rates_dot(q[k : k + 3], dq[k : k + 3])
            at += {0: 6, 1: 3}.get(kind, 1)
        return e, de


def parts(model, info):
    """The robots with their trees, by the label of a body."""
    found = []
    for robot in info["robots"]:
        names = {link["name"] for link in robot["links"]}
        roots = [b for b in range(1, model.nbody) if model.body_parentid[b] == 0 and label(model, b) in names]
        roots = [b for b in roots if any(model.body_rootid[model.jnt_bodyid[j]] == b for j in range(model.njnt))]
        if not roots:
            raise AssertionError(f"no tree for robot {robot['name']}")
        found.append(Part(model, robot, roots[0]))
    return found


def random_state(model, rng):
    qpos = model.qpos0.copy()
    for j in range(model.njnt):
        a, kind = model.jnt_qposadr[j], model.jnt_type[j]
        if kind in (0, 1):
            k = a + (3 if kind == 0 else 0)
            q = rng.normal(size=4)
            qpos[k : k + 4] = q / np.linalg.norm(q)
            if kind == 0:
                qpos[a : a + 3] += rng.normal(size=3)
        elif model.jnt_limited[j]:
            # an angle of 1e9 has seven digits behind the point
            low, high = np.clip(model.jnt_range[j], -10, 10)
            qpos[a] = rng.uniform(low, high)
        else:
            qpos[a] += rng.normal()
    return qpos, rng.normal(size=model.nv)


def compare(model, tool):
    """The differences by what differs: the largest of each, relative."""
    worst = collections.defaultdict(float)
    data = mujoco.MjData(model)
    info = tool.ask(op="info")
    gravity = model.opt.gravity.copy()
    if model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_GRAVITY:
        gravity[:] = 0
    rng = np.random.default_rng(1)
    extent = max(model.stat.extent, 1e-3)
    model.opt.ccd_tolerance, model.opt.ccd_iterations = 1e-10, 500
    robots = parts(model, info)
    objects = {o["name"]: o for o in info["rigid_objects"]}
    compare_collisions(model, data, tool, robots, objects, worst)
    covered = {b for part in robots for b in part.bodies}
    for b in range(1, model.nbody):
        moves = any(
            model.body_rootid[model.jnt_bodyid[j]] == model.body_rootid[b] for j in range(model.njnt)
        )
        if not moves or b in covered:
            continue
        own = objects.get(label(model, b))
        if own is None:
            raise AssertionError(f"body {label(model, b)} is missing")
        worst["mass"] = max(worst["mass"], far(own["mass"], model.body_mass[b]))
    for part in robots:
        mass = sum(link["mass"] for link in part.robot["links"])
        worst["mass"] = max(worst["mass"], far(mass, model.body_mass[part.bodies].sum()))
        links = {link["name"]: link for link in part.robot["links"]}
        for b in part.bodies:
            link = links.get(label(model, b))
            has_armature = any(model.dof_armature[model.jnt_dofadr[j]] for j in part.joints if model.jnt_type[j] < 2)
            if link is None or has_armature:
                continue
            ours = np.sort(np.linalg.eigvalsh(np.array(link["inertia"])))
            worst["principal moments"] = max(worst["principal moments"], far(ours, np.sort(model.body_inertia[b])))
        at = 0
        for j in part.joints:
            kind = model.jnt_type[j]
            if kind >= 2:
                dof = part.robot["dofs"][at]
                low, high = model.jnt_range[j] if model.jnt_limited[j] else (-np.inf, np.inf)
                ours = [float(dof["q_min"]), float(dof["q_max"])]
                if np.isfinite(ours).all() != bool(model.jnt_limited[j]) or (
                    np.isfinite(ours).all() and far(ours, [low, high]) > 1e-12
                ):
                    worst["limits"] = np.inf
            at += {0: 6, 1: 3}.get(kind, 1)
        if at != len(part.robot["q"]):
            raise AssertionError(f"{part.robot['name']}: {len(part.robot['q'])} dofs, MuJoCo has {at}")
    for k in range(STATES):
        qpos, qvel = random_state(model, rng)
        if k == 0:
            qpos = model.qpos0.copy()
        data.qpos[:], data.qvel[:] = qpos, qvel
        model.opt.gravity[:] = gravity
        mujoco.mj_forward(model, data)
        full = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, full)
        bias = data.qfrc_bias.copy()
        data.qvel[:] = 0
        mujoco.mj_forward(model, data)
        weight = data.qfrc_bias.copy()
        for part in robots:
            q = part.config(qpos)
            if len(q) == 0:
                continue
            dofs = part.dofs()
            e, _ = part.velocity_map(q, np.zeros(len(q)))
            dq = np.linalg.solve(e, qvel[dofs])
            _, de = part.velocity_map(q, dq)
            name = part.robot["name"]
            poses = tool.ask(op="fk", robot=name, q=q.tolist())["links"]
            by_name = {}
            for link in poses:
                by_name.setdefault(link["name"], link)
            for b in part.bodies:
                link = by_name.get(label(model, b))
                if link is None:
                    raise AssertionError(f"no link {label(model, b)}")
                worst["poses"] = max(
                    worst["poses"],
                    far(link["rotation"], data.xmat[b].reshape(3, 3), 1.0),
                    far(link["translation"], data.xpos[b], extent),
                )
            for s in range(model.nsite):
                site = name_of(model, mujoco.mjtObj.mjOBJ_SITE, s)
                if not site or model.site_bodyid[s] not in part.bodies:
                    continue
                link = by_name.get(site + "_site") or by_name.get(site)
                if link is None:
                    raise AssertionError(f"no site {site}")
                worst["sites"] = max(
                    worst["sites"],
                    far(link["rotation"], data.site_xmat[s].reshape(3, 3), 1.0),
                    far(link["translation"], data.site_xpos[s], extent),
                )
            compare_loops(model, data, part, by_name, extent, worst)
            compare_sensors(model, data, part, by_name, extent, worst)
            force = rng.normal(size=len(q)) * max(np.abs(bias[dofs]).max(), 1e-3)
            own = tool.ask(
                op="dynamics", robot=name, q=q.tolist(), dq=dq.tolist(), gravity=gravity.tolist(), tau=(e.T @ force).tolist()
            )
            block = full[np.ix_(dofs, dofs)]
            worst["mass matrix"] = max(worst["mass matrix"], far(own["mass_matrix"], e.T @ block @ e))
            worst["gravity"] = max(
                worst["gravity"], far(own["gravity_forces"], e.T @ weight[dofs], max(np.abs(weight[dofs]).max(), 1e-6))
            )
            theirs = e.T @ (bias[dofs] + block @ (de @ dq))
            ours = np.array(own["gravity_forces"]) + np.array(own["coriolis"])
            scale = max(np.abs(theirs).max(), np.abs(e.T @ block @ de @ dq).max(), 1e-6)
            worst["bias"] = max(worst["bias"], far(ours, theirs, scale))
            # M a = f − bias by MuJoCo's own factor: no contacts, constraints, springs, dampers, actuators
            applied = np.zeros(model.nv)
            applied[dofs] = force
            full_bias = np.zeros(model.nv)
            full_bias[dofs] = bias[dofs]
            a = np.zeros((1, model.nv))
            mujoco.mj_solveM(model, data, a, (applied - full_bias)[None])
            theirs = np.linalg.solve(e, a[0, dofs] - de @ dq)
            # both lose the digits that the condition of the mass matrix takes
            scale = np.abs(theirs).max() * max(1.0, np.linalg.cond(e.T @ block @ e) * 1e-6)
            worst["forward dynamics"] = max(worst["forward dynamics"], far(own["ddq"], theirs, scale))
    return worst


def compare_loops(model, data, part, links, extent, worst):
    """Residuals of `connect` and `weld` as MuJoCo has them in `efc_pos`."""
    own = set(part.bodies)
    ends = []
    for k in range(model.neq):
        # an enumerator is in no tuple with a number of NumPy
        closing = [int(mujoco.mjtEq.mjEQ_CONNECT), int(mujoco.mjtEq.mjEQ_WELD)]
        if int(model.eq_type[k]) not in closing or not data.eq_active[k]:
            continue
        bodies = [model.eq_obj1id[k], model.eq_obj2id[k]]
        if int(model.eq_objtype[k]) == int(mujoco.mjtObj.mjOBJ_SITE):
            bodies = [model.site_bodyid[site] for site in bodies]
        # bodies that a program moves stand still here
        is_mocap = [model.body_mocapid[model.body_rootid[b]] >= 0 for b in bodies]
        roots = {int(b) for b, mocap in zip(bodies, is_mocap) if model.body_weldid[b] and not mocap}
        if roots and roots <= own:
            ends.append(k)
    loops = part.robot["loops"]
    if len(loops) != len(ends):
        raise AssertionError(f"{part.robot['name']}: {len(loops)} loops, MuJoCo has {len(ends)}")
    for k, loop in zip(ends, loops):
        poses = []
        for frame in (loop["a"], loop["b"]):
            link = links.get(frame["link"])
            rotation, translation = np.array(frame["rotation"]), np.array(frame["translation"])
            if link is not None:
                outer = np.array(link["rotation"])
                rotation, translation = outer @ rotation, outer @ translation + link["translation"]
            poses.append((rotation, translation))
        rows = [i for i in range(data.ne) if data.efc_id[i] == k]
        theirs = data.efc_pos[rows]
        if len(theirs) not in (3, 6):
            continue
        compared["loops"] += 1
        worst["loops"] = max(worst["loops"], far(poses[0][1] - poses[1][1], theirs[:3], extent))
        if len(theirs) == 6:
            # the vector part of a quaternion, times a factor of the file
            turn = poses[0][0] @ poses[1][0].T
            sine = np.sqrt(max(0.0, (3 - np.trace(turn)) / 4))
            worst["loops"] = max(worst["loops"], abs(sine * model.eq_data[k, 10] - np.linalg.norm(theirs[3:])))


def compare_sensors(model, data, part, links, extent, worst):
    """The frames of sensors that are read, at the body, geom, site or camera that MuJoCo has them at."""
    kind, what = mujoco.mjtSensor, mujoco.mjtObj
    read = [kind.mjSENS_FRAMEPOS, kind.mjSENS_FRAMEQUAT, kind.mjSENS_FRAMELINVEL, kind.mjSENS_FRAMEANGVEL]
    read += [kind.mjSENS_FRAMEANGACC, kind.mjSENS_VELOCIMETER, kind.mjSENS_GYRO]
    places = {
        int(what.mjOBJ_BODY): (data.xipos, data.ximat, range(model.nbody)),
        int(what.mjOBJ_XBODY): (data.xpos, data.xmat, range(model.nbody)),
        int(what.mjOBJ_GEOM): (data.geom_xpos, data.geom_xmat, model.geom_bodyid),
        int(what.mjOBJ_SITE): (data.site_xpos, data.site_xmat, model.site_bodyid),
        int(what.mjOBJ_CAMERA): (data.cam_xpos, data.cam_xmat, model.cam_bodyid),
    }
    own = {sensor["name"]: sensor for sensor in part.robot["sensors"]}
    for k in range(model.nsensor):
        name = name_of(model, mujoco.mjtObj.mjOBJ_SENSOR, k)
        if int(model.sensor_type[k]) not in [int(t) for t in read] or int(model.sensor_reftype[k]) != 0 or not name:
            continue
        object_type, index = int(model.sensor_objtype[k]), model.sensor_objid[k]
        positions, axes, bodies = places[object_type]
        is_mesh = object_type == int(what.mjOBJ_GEOM) and int(model.geom_type[index]) in (
            int(mujoco.mjtGeom.mjGEOM_MESH),
            int(mujoco.mjtGeom.mjGEOM_HFIELD),
        )
        if bodies[index] not in part.bodies or is_mesh:
            continue
        sensor = own.get(name)
        if sensor is None:
            if object_type == int(what.mjOBJ_BODY) and int(model.sensor_type[k]) == int(kind.mjSENS_FRAMEQUAT):
                continue
            raise AssertionError(f"no sensor {name}")
        link = links[sensor["link"]]
        outer = np.array(link["rotation"])
        position = outer @ np.array(sensor["translation"]) + link["translation"]
        worst["sensors"] = max(worst["sensors"], far(position, positions[index], extent))
        if object_type != int(what.mjOBJ_BODY):
            rotation = outer @ np.array(sensor["rotation"])
            worst["sensors"] = max(worst["sensors"], far(rotation, axes[index].reshape(3, 3), 1.0))
        compared["sensors"] += 1


def compare_collisions(model, data, tool, robots, objects, worst):
    """Pairs of bodies of each robot that may collide, and distances of primitives at a random state."""
    names = [label(model, b) for b in range(model.nbody)]
    rng = np.random.default_rng(2)
    qpos, _ = random_state(model, rng)
    data.qpos[:], data.qvel[:] = qpos, 0
    mujoco.mj_forward(model, data)
    rule = mjcf_pairs.body_pairs(model)
    strays = {pair for pair in mjcf_pairs.contacts(model, data) if pair not in rule}
    if strays:
        raise AssertionError(f"the rule of the pairs is not MuJoCo's: {strays}")
    elements = mjcf_pairs.elements(model, robots, objects, names)
    expected = mjcf_pairs.element_pairs(model, elements)
    # a robot may touch what it is mounted on: what does not move before its first joint
    stands = {elements[g] for g in range(model.ngeom) if not model.body_weldid[model.geom_bodyid[g]]}
    roots = {f"{part.robot['name']}[{names[part.root]}]" for part in robots}
    mounts = {pair for pair in expected if pair & stands and pair & roots}
    for k, part in enumerate(robots or [None]):
        if part is None:
            found = tool.ask(op="distance", nearest=1_000_000)["pairs"]
        else:
            q = part.config(qpos)
            found = tool.ask(op="distance", robot=part.robot["name"], q=q.tolist(), nearest=1_000_000)["pairs"]
        ours = {frozenset(pair["pair"]): pair["distance"] for pair in found}
        if k == 0:
            for who, alone in [("ours", set(ours) - expected), ("MuJoCo's", expected - mounts - set(ours))]:
                if alone:
                    worst[f"pairs, {who} alone: {len(alone)}, such as {sorted(min(alone, key=sorted))}"] = np.inf
        if part is None:
            continue
        for (a, b), distance in mjcf_pairs.distances(model, data, part).items():
            own = ours.get(frozenset(f"{part.robot['name']}[{names[body]}]" for body in (a, b)))
            compared["distances"] += own is not None
            if own is not None and abs(own - distance) > mjcf_pairs.DISTANCE_TOLERANCE:
                worst["distance"] = max(worst["distance"], abs(own - distance))


def is_model(path):
    return re.search(r"<mujoco[\s>]", path.read_text(errors="replace")) is not None


def beyond(worst):
    return {what: f"{by:.1e}" for what, by in worst.items() if not by <= TOLERANCE}


def main():
    tool_path, folders = sys.argv[1], sys.argv[2:]
    rows, reasons = [], []
    for folder in folders:
        root = pathlib.Path(folder)
        counts = collections.Counter()
        for path in sorted([root] if root.is_file() else root.rglob("*.xml")):
            if not is_model(path):
                continue
            counts["files"] += 1
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    model = mujoco.MjModel.from_xml_path(str(path))
            except Exception as error:
                model, refusal = None, " ".join(str(error).split())[:100]
            tool = Tool(tool_path, path, root if root.is_dir() else root.parent)
            try:
                if model is None:
                    counts["mujoco refuses"] += 1
                    try:
                        tool.ask(op="info")
                        counts["loads alone"] += 1
                        reasons.append(f"{path.relative_to(root)}: loads, MuJoCo says: {refusal}")
                    except Refused:
                        counts["both refuse"] += 1
                    continue
                counts["mujoco loads"] += 1
                try:
                    worst = compare(model, tool)
                except Refused as error:
                    last = [line for line in str(error).splitlines() if "error" in line or "panick" in line]
                    reasons.append(f"{path.relative_to(root)}: refused: {' | '.join(last)[-300:]}")
                    continue
                except AssertionError as error:
                    counts["loads"] += 1
                    reasons.append(f"{path.relative_to(root)}: {error}")
                    continue
                counts["loads"] += 1
                wrong = beyond(worst)
                if not wrong:
                    counts["agrees"] += 1
                    continue
                # the same with MuJoCo's principal axes to the last digit
                before = compared.copy()
                refined, change = mjcf_inertia.refine(path)
                still = beyond(compare(refined, tool)) if change > 0 else wrong
                compared.clear()
                compared.update(before)
                counts["exact axes"] += not still
                reasons.append(f"{path.relative_to(root)}: {wrong}; exact inertias differ by {change:.1e}, with them {still or 'all agrees'}")
            finally:
                tool.close()
        rows.append((root.name, counts))
    columns = ["files", "mujoco loads", "loads", "agrees", "exact axes", "mujoco refuses", "both refuse", "loads alone"]
    print(f"{'collection':24}" + "".join(f"{column:>16}" for column in columns))
    for name, counts in rows:
        print(f"{name:24}" + "".join(f"{counts[column]:16}" for column in columns))
    print("compared: " + ", ".join(f"{compared[what]} {what}" for what in ("loops", "sensors", "distances")))
    for reason in reasons:
        print(reason)


if __name__ == "__main__":
    main()
