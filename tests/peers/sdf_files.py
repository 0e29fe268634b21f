"""Compares SDF models with Drake: poses of links, mass matrix, gravity forces, limits, masses.

    python sdf_files.py KINWORLD FOLDER...

KINWORLD is the tool `kinworld`; of each FOLDER every .sdf file is taken. Needs the packages drake and numpy. Prints a row
for each collection and the reason for each file that differs.
"""

import logging
import pathlib
import sys

import numpy as np
from mjcf_files import Refused, Tool, far
from pydrake.math import RigidTransform, RollPitchYaw
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

# relative to the largest number of the same kind
TOLERANCE = 1e-9
STATES = 3
logging.getLogger("drake").setLevel(logging.CRITICAL)


def plant_of(path):
    plant = MultibodyPlant(0.0)
    parser = Parser(plant)
    parser.package_map().PopulateFromFolder(str(path.parent))
    # as Gazebo resolves `model://`
    for folder in [path.parent, *path.parents[:2]]:
        for child in folder.iterdir():
            if child.is_dir() and not parser.package_map().Contains(child.name):
                parser.package_map().Add(child.name, str(child))
    parser.AddModels(str(path))
    plant.Finalize()
    return plant


def joints_of(plant):
    """Joints of one degree of freedom by full name."""
    joints = {}
    for index in plant.GetJointIndices():
        joint = plant.get_joint(index)
        if joint.num_positions() == 1 and joint.num_velocities() == 1:
            joints[joint.model_instance(), joint.name()] = joint
    return joints


def owner(plant, robot, names):
    """The model instance of a robot: the one with most of its links."""
    best, count = None, 0
    for instance in {body.model_instance() for body in bodies(plant)}:
        own = {body.name() for body in bodies(plant) if body.model_instance() == instance}
        same = len(own & set(names))
        is_named = plant.GetModelInstanceName(instance) == robot["name"].split("::")[0]
        if (same, is_named) > (count, False):
            best, count = instance, same
    return best


def bodies(plant):
    return [plant.get_body(i) for i in plant.GetBodyIndices(plant.world_body().model_instance())] + [
        plant.get_body(i)
        for k in range(2, plant.num_model_instances())
        for i in plant.GetBodyIndices(instance(k))
    ]


def instance(k):
    from pydrake.multibody.tree import ModelInstanceIndex

    return ModelInstanceIndex(k)


def positions(plant, context, robot, model, own, q):
    """Drake's positions; a universal joint is two of ours, a ball joint three about z, y and x."""
    there = plant.GetPositions(context).copy()
    for joint, dof in own:
        there[joint.position_start()] = q[dof]
    dofs = {link["joint_name"]: link["dof"] for link in robot["links"] if link["dof"] is not None}
    for index in plant.GetJointIndices(model):
        joint = plant.get_joint(index)
        start, dof = joint.position_start(), dofs.get(joint.name())
        if dof is not None and joint.type_name() == "universal":
            there[start : start + 2] = q[[dof, dofs[f"{joint.name()}_2"]]]
        elif dof is not None and joint.type_name() == "ball_rpy":
            there[start : start + 3] = q[[dof, dof - 1, dof - 2]]
    return there


def compare(tool, path):
    """`(kind, remark)` of a file."""
    try:
        plant = plant_of(path)
    except RuntimeError as error:
        plant, refused = None, str(error).splitlines()[0][:160]
    session = Tool(tool, path)
    try:
        info = session.ask(op="info")
    except Refused as error:
        text = next((line for line in str(error).splitlines() if "error" in line), str(error))[:200]
        return ("both refuse", f"{refused} | {text}") if plant is None else ("refused", text)
    if plant is None:
        session.close()
        return "peer refuses", refused
    context = plant.CreateDefaultContext()
    joints = joints_of(plant)
    problems = []
    rng = np.random.default_rng(1)
    for robot in info["robots"]:
        names = [link["name"] for link in robot["links"]]
        model = owner(plant, robot, names)
        if model is None:
            problems.append(f"{robot['name']}: no model of this name")
            continue
        dofs = {link["joint_name"]: link["dof"] for link in robot["links"] if link["dof"] is not None and link["joint_name"]}
        own = [(joints[model, name], dof) for name, dof in dofs.items() if (model, name) in joints]
        root = next((i for i, link in enumerate(robot["links"]) if link["joint_type"] == "floating"), None)
        n = len(robot["q"])
        # Drake does not move what affine drivers couple
        is_coupled = any(driver["type"] == "affine" for driver in robot["drivers"])
        for state in range(1 if is_coupled else STATES):
            q = np.array(robot["q"])
            if state:
                q[[dof for _, dof in own]] += rng.uniform(-0.8, 0.8, len(own))
                if root is not None:
                    q[:6] += rng.uniform(-0.7, 0.7, 6)
            try:
                answer = session.ask(op="fk", robot=robot["name"], q=q.tolist())
            except AssertionError as error:
                problems.append(str(error)[:200])
                break
            plant.SetPositions(context, positions(plant, context, robot, model, own, q))
            if root is not None:
                body = plant.GetBodyByName(robot["links"][root]["name"], model)
                if body.is_floating_base_body():
                    pose = RigidTransform(RollPitchYaw(q[5], q[4], q[3]), q[:3])
                    plant.SetFloatingBaseBodyPoseInWorldFrame(context, body, pose)
            worst = 0.0
            for link in answer["links"]:
                if not plant.HasBodyNamed(link["name"], model):
                    if plant.HasFrameNamed(link["name"], model):
                        pose = plant.GetFrameByName(link["name"], model).CalcPoseInWorld(context)
                    else:
                        continue
                else:
                    pose = plant.GetBodyByName(link["name"], model).EvalPoseInWorld(context)
                worst = max(worst, far(link["translation"], pose.translation(), 1.0))
                worst = max(worst, far(link["rotation"], pose.rotation().matrix(), 1.0))
            if worst > TOLERANCE:
                problems.append(f"{robot['name']}: poses {worst:.1e}")
                break
            if own and not is_coupled:
                answer = session.ask(op="dynamics", robot=robot["name"], q=q.tolist())
                at = [dof for _, dof in own]
                there = [joint.velocity_start() for joint, _ in own]
                mass = np.array(answer["mass_matrix"])[np.ix_(at, at)]
                theirs = plant.CalcMassMatrix(context)[np.ix_(there, there)]
                if far(mass, theirs) > TOLERANCE:
                    problems.append(f"{robot['name']}: mass matrix {far(mass, theirs):.1e}")
                gravity = np.array(answer["gravity_forces"])[at]
                theirs = -plant.CalcGravityGeneralizedForces(context)[there]
                if far(gravity, theirs, max(1.0, np.abs(theirs).max())) > TOLERANCE:
                    problems.append(f"{robot['name']}: gravity forces {far(gravity, theirs):.1e}")
            if problems:
                break
        for joint, dof in own:
            theirs = [joint.position_lower_limits()[0], joint.position_upper_limits()[0]]
            theirs = [x if abs(x) < 1e16 else np.copysign(np.inf, x) for x in theirs]
            ours = [float(robot["dofs"][dof][which]) for which in ("q_min", "q_max")]
            if not np.allclose(ours, theirs, rtol=0, atol=1e-12):
                problems.append(f"{joint.name()}: limits {ours} and {theirs}")
    session.close()
    count = sum(len(robot["links"]) for robot in info["robots"])
    return ("differs", "; ".join(problems[:3])) if problems else ("agrees", f"{count} links")


def main():
    tool, *folders = sys.argv[1:]
    for folder in folders:
        found = {}
        for path in sorted(pathlib.Path(folder).rglob("*.sdf")):
            kind, remark = compare(tool, path)
            found.setdefault(kind, []).append(path)
            print(f"  {kind:13} {path.relative_to(folder)}: {remark}")
        counts = ", ".join(f"{kind} {len(paths)}" for kind, paths in found.items())
        print(f"{folder}: {counts}")


if __name__ == "__main__":
    main()
