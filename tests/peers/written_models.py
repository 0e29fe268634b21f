"""Writes robots as MJCF, URDF and SDF, and compares the files with MuJoCo, Pinocchio and Drake.

    python written_models.py KINWORLD FOLDER...

KINWORLD is the tool `kinworld`; of each FOLDER every .urdf, .rob, .xml and .sdf file of one robot is taken. Each is converted to
.mjcf, .urdf and .sdf. The robot that the tool reads from the new file is compared with the old one by the names of links (poses,
mass matrix, gravity forces), and with what the other program reads. Needs the packages mujoco, pin, drake and numpy; without
one of the last two its column is left out. Prints a row for each collection and format, and the reason for each file that
differs.
"""

import collections
import pathlib
import subprocess
import sys
import tempfile
import warnings

import mujoco
import numpy as np
from mjcf_files import Refused, Tool, far
from mjcf_files import compare as beside_mujoco

try:
    import pinocchio
except ImportError:
    pinocchio = None
try:
    from sdf_files import compare as beside_drake
except ImportError:
    beside_drake = None

TOLERANCE = 1e-9
STATES = 2


def robot_of(tool):
    """The only robot of a file; None if it has none or several."""
    robots = tool.ask(op="info")["robots"]
    return robots[0] if len(robots) == 1 else None


def scalars(robot):
    """The degree of freedom of each link that has one."""
    return {link["name"]: link["dof"] for link in robot["links"] if link["dof"] is not None}


def between(old, new, no_armature):
    """Differences of two robots by the names of their links; `no_armature` where the new one was said to have lost it."""
    a, b = robot_of(old), robot_of(new)
    if b is None:
        return {"robots": np.inf}
    of_a, of_b = scalars(a), scalars(b)
    shared = [name for name in of_a if name in of_b]
    worst = collections.defaultdict(float)
    worst["lost dofs"] = 0.0 if len(shared) == len(of_a) == len(of_b) else float(len(of_a) - len(shared) or len(of_b) - len(shared))
    rng = np.random.default_rng(1)
    heavy = {link["name"] for link in a["links"] if link["mass"] > 0}
    at_a, at_b = [of_a[name] for name in shared], [of_b[name] for name in shared]
    armature = None
    for _ in range(STATES):
        qa, qb = np.array(a["q"], float), np.array(b["q"], float)
        qa[at_a] = rng.uniform(-1, 1, len(shared))
        # what the new robot lost stays where it is
        lost = [dof for name, dof in of_a.items() if name not in of_b]
        qa[lost] = np.array(a["q"], float)[lost]
        qb[at_b] = qa[at_a]
        try:
            pa, pb = (tool.ask(op="fk", robot=robot["name"], q=q.tolist()) for tool, robot, q in ((old, a, qa), (new, b, qb)))
        except AssertionError as error:
            if "driver" in str(error) or "follow" in str(error):
                return worst
            raise
        poses = {link["name"]: link for link in pb["links"]}
        for link in pa["links"]:
            if link["name"] in heavy and link["name"] in poses:
                other = poses[link["name"]]
                scale = max(1.0, np.abs(link["translation"]).max())
                worst["poses"] = max(worst["poses"], far(other["translation"], link["translation"], scale), far(other["rotation"], link["rotation"], 1.0))
        if worst["lost dofs"]:
            continue
        da, db = (tool.ask(op="dynamics", robot=robot["name"], q=q.tolist()) for tool, robot, q in ((old, a, qa), (new, b, qb)))
        # of a robot without degrees of freedom the list is empty
        ma, mb = (np.array(d["mass_matrix"]).reshape(len(q), len(q)) for d, q in ((da, qa), (db, qb)))
        ma, mb = ma[np.ix_(at_a, at_a)], mb[np.ix_(at_b, at_b)]
        if no_armature:
            # the same on the diagonal in each state
            armature = np.diag(ma - mb) if armature is None else armature
            mb = mb + np.diag(armature)
        worst["mass matrix"] = max(worst["mass matrix"], far(mb, ma))
        ga, gb = np.array(da["gravity_forces"]), np.array(db["gravity_forces"])
        worst["gravity"] = max(worst["gravity"], far(gb[at_b], ga[at_a], max(np.abs(ga).max(initial=0), 1.0)))
    return worst


def beside_pinocchio(path, tool):
    """Differences of a URDF with Pinocchio: poses of all frames; mass matrix and gravity forces of joints of one degree of freedom."""
    model = pinocchio.buildModelFromUrdf(str(path))
    data = model.createData()
    robot = robot_of(tool)
    joints = {link["joint_name"]: link["dof"] for link in robot["links"] if link["dof"] is not None and link["joint_name"]}
    worst = collections.defaultdict(float)
    rng = np.random.default_rng(1)
    for _ in range(STATES):
        q, theirs = np.zeros(len(robot["q"])), pinocchio.neutral(model)
        dofs, velocities = [], []
        for name, joint in zip(model.names[1:], model.joints[1:]):
            if joint.nv != 1 or name not in joints:
                continue
            dof, value = joints[name], rng.uniform(-1, 1)
            q[dof] = value
            if joint.nq == 2:
                theirs[joint.idx_q : joint.idx_q + 2] = np.cos(value), np.sin(value)
            else:
                theirs[joint.idx_q] = value
            dofs.append(dof)
            velocities.append(joint.idx_v)
        try:
            poses = tool.ask(op="fk", robot=robot["name"], q=q.tolist())["links"]
        except AssertionError as error:
            if "driver" in str(error) or "follow" in str(error):
                return worst
            raise
        pinocchio.framesForwardKinematics(model, data, theirs)
        for link in poses:
            if not model.existFrame(link["name"], pinocchio.FrameType.BODY):
                continue
            pose = data.oMf[model.getFrameId(link["name"], pinocchio.FrameType.BODY)]
            scale = max(1.0, np.abs(pose.translation).max())
            worst["poses"] = max(worst["poses"], far(link["translation"], pose.translation, scale), far(link["rotation"], pose.rotation, 1.0))
        if not dofs:
            continue
        own = tool.ask(op="dynamics", robot=robot["name"], q=q.tolist(), gravity=[0, 0, -9.81])
        mass = pinocchio.crba(model, data, theirs)
        mass = np.triu(mass) + np.triu(mass, 1).T
        block = mass[np.ix_(velocities, velocities)]
        worst["mass matrix"] = max(worst["mass matrix"], far(np.array(own["mass_matrix"])[np.ix_(dofs, dofs)], block, max(1e-12, np.abs(mass).max())))
        gravity = pinocchio.computeGeneralizedGravity(model, data, theirs)[velocities]
        worst["gravity"] = max(worst["gravity"], far(np.array(own["gravity_forces"])[dofs], gravity, max(1.0, np.abs(gravity).max())))
    return worst


def converted(tool, path, root, to):
    """Why it was refused or None, and what was said."""
    command = [tool, "convert", "--root", str(root), str(path), str(to)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    said = " ".join(done.stderr.split())
    return None if done.returncode == 0 else said[:200], said


def wrong(worst):
    return {what: f"{by:.1e}" for what, by in worst.items() if not by <= TOLERANCE}


def file(tool, path, root, folder, count):
    """Counts of one file by format, and remarks."""
    old = Tool(tool, path, root)
    try:
        if robot_of(old) is None:
            return
    except Refused:
        return
    except AssertionError:
        return
    try:
        for suffix in ("mjcf", "urdf", "sdf"):
            yield from written(tool, path, root, pathlib.Path(folder) / f"x{count}.{suffix}", old, suffix)
    finally:
        old.close()


def written(tool, path, root, to, old, suffix):
    yield suffix, "files", None
    refused, said = converted(tool, path, root, to)
    if refused:
        yield suffix, "not written", refused
        return
    new = Tool(tool, to)
    try:
        worst = between(old, new, "armature" in said)
        lost = worst.pop("lost dofs", 0)
        bad = wrong(worst)
        if bad:
            yield suffix, "differs", f"{bad}"
        elif lost:
            yield suffix, "other dofs", f"{int(lost)} degrees of freedom have other names or none"
        else:
            yield suffix, "same", None
        if suffix == "mjcf":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    model = mujoco.MjModel.from_xml_path(str(to))
                except Exception as error:
                    yield suffix, "peer refuses", " ".join(str(error).split())[:160]
                    return
            bad = wrong(beside_mujoco(model, new))
        elif suffix == "urdf" and pinocchio is not None:
            try:
                bad = wrong(beside_pinocchio(to, new))
            except Exception as error:
                yield suffix, "peer refuses", " ".join(str(error).split())[:160]
                return
        elif suffix == "sdf" and beside_drake is not None:
            kind, remark = beside_drake(tool, to)
            if kind == "peer refuses":
                yield suffix, "peer refuses", remark
                return
            bad = None if kind == "agrees" else remark
        else:
            return
        yield suffix, "peer differs" if bad else "peer agrees", bad or None
    except (Refused, AssertionError) as error:
        text = " ".join(str(error).split())
        yield suffix, "error", text[-300:]
    finally:
        new.close()


def main():
    tool, folders = sys.argv[1], sys.argv[2:]
    columns = ["files", "same", "other dofs", "differs", "not written", "error", "peer agrees", "peer differs", "peer refuses"]
    reasons = []
    print(f"{'collection':26}" + "".join(f"{column:>14}" for column in columns), flush=True)
    for folder in folders:
        root = pathlib.Path(folder)
        counts = collections.defaultdict(collections.Counter)
        paths = [path for path in sorted(root.rglob("*")) if path.suffix in (".urdf", ".rob", ".xml", ".sdf", ".mjcf")]
        for count, path in enumerate(paths):
            with tempfile.TemporaryDirectory() as place:
                for suffix, kind, remark in file(tool, path, root, place, count):
                    counts[suffix][kind] += 1
                    if remark:
                        reasons.append(f"{path.relative_to(root)} as {suffix}: {kind}: {remark}")
        for suffix, found in counts.items():
            print(f"{root.name + ' ' + suffix:26}" + "".join(f"{found[column]:14}" for column in columns), flush=True)
    for reason in reasons:
        print(reason)


if __name__ == "__main__":
    main()
