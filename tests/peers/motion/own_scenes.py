"""Problems for an arm among shelves, pillars and bins, in the words of problems.py, with all files that benches/motion/ wants.

    python own_scenes.py KINWORLD ROBOT FOLDER [COUNT]

KINWORLD is the tool; ROBOT a file of an arm that stands at the origin and reaches about 0.9 m, such as Klampt's ur5.rob;
COUNT problems of each family go into FOLDER, with the robot as a URDF, with balls for links, and an SRDF.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np


def box(x, y, z, *size, turn=0.0):
    c, s = np.cos(turn), np.sin(turn)
    return {"type": "box", "size": list(size), "pose": [c, -s, 0.0, x, s, c, 0.0, y, 0.0, 0.0, 1.0, z]}


def turned(things, angle):
    """The things when the ground turns about the robot."""
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])
    for thing in things:
        pose = turn @ np.vstack([np.reshape(thing["pose"], (3, 4)), [0, 0, 0, 1]])
        thing["pose"] = pose[:3].ravel().tolist()
    return things


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
    return [box(0.55 * np.cos(a), 0.55 * np.sin(a), 0.4, 0.1, 0.1, 1.2, turn=a) for a in angles]


def write_meshes(folder, things):
    """The things as files."""
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    faces = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1)]
    faces += [(2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
    for i, thing in enumerate(things):
        pose = np.reshape(thing["pose"], (3, 4))
        points = corners * thing["size"] @ pose[:, :3].T + pose[:, 3]
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
    balls = folder / f"{robot.stem}_spherized.urdf"

    def run(*words, text=None):
        # what the tool says of a failure goes to the terminal
        answer = subprocess.run([tool, *map(str, words)], input=text, stdout=subprocess.PIPE, text=True)
        if answer.returncode != 0:
            sys.exit(f"{tool} {words[0]} ended with {answer.returncode}")
        return answer.stdout

    run("convert", robot, urdf)
    run("spherize", urdf, "--spheres", 48, "--output", balls)
    run("acm", urdf, "--output", urdf.with_suffix(".srdf"))
    for path in (urdf, balls):
        # Klampt's element tells welds of a .rob, which are coordinates, from fixed joints; the others know no such thing
        path.write_text(re.sub(r"<klampt.*</klampt>", "", path.read_text(), flags=re.DOTALL))
    n = urdf.read_text().count('type="revolute"')
    random, problems = np.random.default_rng(7), []
    for family in (shelves, bins, pillars):
        for index in range(1, count + 1):
            things = turned(family(random), random.uniform(-np.pi, np.pi))
            # ends anywhere within half a turn that are free for the balls, which hold all links
            candidates = random.uniform(-np.pi, np.pi, (200, n)).tolist()
            text = "\n".join(json.dumps({"op": "free", "q": q}) for q in candidates) + "\n"
            answers = run("query", "--srdf", urdf.with_suffix(".srdf"), balls, *write_meshes(folder, things), text=text)
            free = [q for q, line in zip(candidates, answers.splitlines()) if json.loads(line)["free"]]
            if len(free) < 2:
                sys.exit(f"{family.__name__} {index}: {len(free)} of {len(candidates)} configurations are free, two are wanted")
            start, goal = free[:2]
            problems.append({"family": family.__name__, "index": index, "start": start, "goal": goal, "objects": things})
    (folder / "problems.json").write_text(json.dumps(problems))


if __name__ == "__main__":
    main()
