"""The problems of MotionBenchMaker for the Panda, the UR5 or the Fetch as one JSON file.

    python problems.py panda_problems.tar.bz2 problems.json
    python problems.py panda_problems.tar.bz2 data/golden/motion_bench.json 50   # one of fifty
"""
import json
import re
import sys
import tarfile

import numpy as np
import yaml


JOINTS = {
    "fetch": ["torso_lift_joint", "shoulder_pan_joint", "shoulder_lift_joint", "upperarm_roll_joint", "elbow_flex_joint",
              "forearm_roll_joint", "wrist_flex_joint", "wrist_roll_joint"],
    "panda": [f"panda_joint{i}" for i in range(1, 8)],
    "ur5": [f"{name}_joint" for name in ("shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", "wrist_3")],
}


def matrix(pose):
    x, y, z, w = pose["orientation"]
    rotation = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = rotation, pose["position"]
    return out


def things(scene, family):
    """Boxes and spheres unchanged, cylinders as in VAMP: as capsules, or as boxes in the family `box`."""
    for thing in scene["world"]["collision_objects"]:
        base = matrix(thing["pose"]) if "pose" in thing else np.eye(4)
        for shape, pose in zip(thing["primitives"], thing["primitive_poses"]):
            kind, size = shape["type"], shape["dimensions"]
            if kind == "cylinder" and family == "box":
                kind, size = "box", [2 * size[1], 2 * size[1], size[0]]
            x = base @ matrix(pose)
            yield {"type": kind, "size": size, "pose": x[:3].flatten().tolist()}


def main():
    archive, out = sys.argv[1:3]
    stride = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    texts = {}
    with tarfile.open(archive) as files:
        for member in files:
            name = re.match(r"problems/(\w+)_(fetch|panda|ur5)/(scene|request)(\d+)\.yaml", member.name)
            if name:
                texts[name.groups()] = files.extractfile(member).read()
    problems = []
    load = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    for family, robot, kind, index in sorted(texts):
        if kind != "request" or (int(index) - 1) % stride:
            continue
        request = yaml.load(texts[family, robot, kind, index], load)
        scene = yaml.load(texts[family, robot, "scene", index], load)
        state = request["start_state"]["joint_state"]
        start = dict(zip(state["name"], state["position"]))
        goal = {c["joint_name"]: c["position"] for c in request["goal_constraints"][0]["joint_constraints"]}
        problems.append({
            "family": family,
            "index": int(index),
            "start": [start[name] for name in JOINTS[robot]],
            "goal": [goal[name] for name in JOINTS[robot]],
            "objects": list(things(scene, family)),
        })
    with open(out, "w") as file:
        json.dump(problems, file)
    if stride > 1:
        return
    # the same as plain text, for programs without a JSON parser
    with open(out.replace(".json", ".txt"), "w") as file:
        for p in problems:
            print(*p["start"], *p["goal"], len(p["objects"]), file=file)
            for thing in p["objects"]:
                size = (thing["size"] + [0, 0])[:3]
                print({"box": 0, "cylinder": 1, "sphere": 2}[thing["type"]], *size, *thing["pose"], file=file)


if __name__ == "__main__":
    main()
