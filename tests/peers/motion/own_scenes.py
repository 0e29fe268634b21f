"""Problems for an arm among shelves, pillars and bins, in the format of problems.py, with all files that benches/motion/ needs.

    python own_scenes.py KINWORLD ROBOT FOLDER [COUNT]

KINWORLD is the tool; ROBOT the file of an arm at the origin with a reach of about 0.9 m, such as Klampt's ur5.rob;
COUNT problems of each family go into FOLDER, with the robot as a URDF, as a URDF with spheres as links, and an SRDF.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np


def box(x, y, z, *size, yaw=0.0):
    c, s = np.cos(yaw), np.sin(yaw)
    return {"type": "box", "size": list(size), "pose": [c, -s, 0.0, x, s, c, 0.0, y, 0.0, 0.0, 1.0, z]}


def rotated(objects, angle):
    """The objects rotated about the vertical axis of the robot."""
    c, s = np.cos(angle), np.sin(angle)
    rotation = np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])
    for obj in objects:
        pose = rotation @ np.vstack([np.reshape(obj["pose"], (3, 4)), [0, 0, 0, 1]])
        obj["pose"] = pose[:3].ravel().tolist()
    return objects


def shelves(random):
    x, width = random.uniform(0.75, 0.95), random.uniform(0.8, 1.1)
    boards = [box(x, 0, z + random.uniform(-0.05, 0.05), 0.3, width, 0.02) for z in (0.15, 0.45, 0.75)]
    return boards + [box(x, side * width / 2, 0.5, 0.3, 0.02, 1.0) for side in (-1, 1)]


def bins(random):
    x, size, deep = random.uniform(0.5, 0.65), random.uniform(0.35, 0.5), random.uniform(0.15, 0.3)
    walls = [box(x + side * size / 2, 0, deep / 2, 0.02, size, deep) for side in (-1, 1)]
    walls += [box(x, side * size / 2, deep / 2, size, 0.02, deep) for side in (-1, 1)]
    return walls + [box(x, 0, 0.01, size, size, 0.02)]


def pillars(random):
    angles = np.arange(6) * np.pi / 3 + random.uniform(-0.3, 0.3, 6)
    return [box(0.55 * np.cos(a), 0.55 * np.sin(a), 0.4, 0.1, 0.1, 1.2, yaw=a) for a in angles]


def write_meshes(folder, objects):
    """Writes the objects as mesh files."""
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    faces = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1)]
    faces += [(2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
    for i, obj in enumerate(objects):
        pose = np.reshape(obj["pose"], (3, 4))
        points = corners * obj["size"] @ pose[:, :3].T + pose[:, 3]
        rows = [f"OFF\n{len(points)} {len(faces)} 0"]
        rows += [" ".join(map(str, p)) for p in points] + [f"3 {a} {b} {c}" for a, b, c in faces]
        path = folder / f"thing{i}.off"
        path.write_text("\n".join(rows) + "\n")
        yield path


def main():
    tool, robot, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 30
    folder.mkdir(parents=True, exist_ok=True)
    urdf = folder / f"{robot.stem}.urdf"
    spheres = folder / f"{robot.stem}_spherized.urdf"

    def run(*words, text=None):
        # errors of the tool go to the terminal
        answer = subprocess.run([tool, *map(str, words)], input=text, stdout=subprocess.PIPE, text=True)
        if answer.returncode != 0:
            sys.exit(f"{tool} {words[0]} ended with {answer.returncode}")
        return answer.stdout

    run("convert", robot, urdf)
    run("spherize", urdf, "--spheres", 48, "--output", spheres)
    run("acm", urdf, "--output", urdf.with_suffix(".srdf"))
    for path in (urdf, spheres):
        # with Klampt's element, welds of a .rob keep a dof; the other programs read them as fixed joints
        path.write_text(re.sub(r"<klampt.*</klampt>", "", path.read_text(), flags=re.DOTALL))
    n = urdf.read_text().count('type="revolute"')
    random, problems = np.random.default_rng(7), []
    for family in (shelves, bins, pillars):
        for index in range(1, count + 1):
            objects = rotated(family(random), random.uniform(-np.pi, np.pi))
            # start and goal within ±π, collision-free for the spheres, which enclose all links
            candidates = random.uniform(-np.pi, np.pi, (200, n)).tolist()
            text = "\n".join(json.dumps({"op": "free", "q": q}) for q in candidates) + "\n"
            answers = run("query", "--srdf", urdf.with_suffix(".srdf"), spheres, *write_meshes(folder, objects), text=text)
            free = [q for q, line in zip(candidates, answers.splitlines()) if json.loads(line)["free"]]
            if len(free) < 2:
                sys.exit(f"{family.__name__} {index}: {len(free)} of {len(candidates)} configurations are free, two are needed")
            start, goal = free[:2]
            problems.append({"family": family.__name__, "index": index, "start": start, "goal": goal, "objects": objects})
    (folder / "problems.json").write_text(json.dumps(problems))


if __name__ == "__main__":
    main()
