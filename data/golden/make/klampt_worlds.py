#!/usr/bin/env python3
"""Klampt's numbers for every scene in `data/scenes`, world in `data/worlds` and rigid object in `data/objects`.

    pip install klampt==0.10.1.post1
    python3 data/golden/make/klampt_worlds.py

The pairs are enumerated here, since Klampt's own `WorldCollider` tests objects against themselves
where a world has terrains.
"""

import math
from importlib.metadata import version
from itertools import combinations, product

import golden
import klampt
from klampt_robots import rows

TOOL = "Klampt " + version("klampt")
RAYS = 16


def load(scene):
    world = klampt.WorldModel()
    if scene.suffix == ".xml":
        if not world.readFile(str(scene)):
            raise SystemExit(f"Klampt cannot load {scene}")
        lines = ""
    else:
        lines = scene.read_text()
    for line in lines.splitlines():
        if line.strip() and not line.startswith("#"):
            if world.loadElement(str(scene.parent / line.strip())) < 0:
                raise SystemExit(f"Klampt cannot load {line}")
    # geometries stay at the origin until their object is moved
    for item in world.rigidObjects:
        item.setTransform(*item.getTransform())
    for robot in world.robots:
        robot.setConfig(robot.getConfig())
    return world


def mass_of(thing):
    mass = thing.getMass()
    return {"mass": mass.getMass(), "com": list(mass.getCom()), "inertia": list(mass.getInertia())}


def describe_object(item):
    contact = item.getContactParameters()
    velocity = item.getVelocity()
    # geometries, with their poses, are shared with elements that were loaded before
    item.geometry().setCurrentTransform([1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0])
    low, high = item.geometry().getBBTight()
    return {
        "name": item.getName(),
        "pose": rows(item.getTransform()[0]) + list(item.getTransform()[1]),
        **mass_of(item),
        "angular_velocity": list(velocity[0]),
        "velocity": list(velocity[1]),
        "friction": contact.kFriction,
        "restitution": contact.kRestitution,
        "stiffness": contact.kStiffness,
        "damping": contact.kDamping,
        "triangles": item.geometry().numElements(),
        "box": [list(low), list(high)],
    }


def pairs_that_count(world):
    terrains = [world.terrain(k).getID() for k in range(world.numTerrains())]
    objects = [world.rigidObject(k).getID() for k in range(world.numRigidObjects())]
    pairs = list(product(terrains, objects)) + list(combinations(objects, 2))
    for robot in world.robots:
        links = [robot.link(i) for i in range(robot.numLinks())]
        later = [other for other in world.robots if other.getID() > robot.getID()]
        others = [other.link(i).getID() for other in later for i in range(other.numLinks())]
        pairs += [(link.getID(), other) for link in links for other in others]
        pairs += [(other, link.getID()) for other in terrains + objects for link in links]
        pairs += [
            (a.getID(), b.getID())
            for a, b in combinations(links, 2)
            if robot.selfCollisionEnabled(a.getIndex(), b.getIndex())
        ]
    return sorted(pairs)


def ray(world, rand, shapes):
    """A ray from above or beside the scene towards its middle, and the first element that it hits."""
    origin = [rand.uniform(-0.2, 1.2), rand.uniform(-1.2, 1.2), rand.uniform(0.6, 1.6)]
    target = [rand.uniform(0, 0.9), rand.uniform(-0.5, 0.7), rand.uniform(-0.2, 0.7)]
    # with a direction that is not normalised, Klampt returns a point beyond the surface
    direction = [(t - o) / math.dist(origin, target) for o, t in zip(origin, target)]
    hits = []
    for id, shape in shapes.items():
        hit, point = shape.rayCast(origin, direction)
        if hit:
            hits.append((math.dist(origin, point), id, list(point)))
    if not hits:
        return {"origin": origin, "direction": direction, "hit": None}
    distance, id, point = min(hits)
    return {"origin": origin, "direction": direction, "hit": world.getName(id), "point": point, "distance": distance}


def distances(rand, world, shapes, count=8):
    """Distances between separated shapes, with the nearest points, in world coordinates."""
    found = []
    ids = sorted(shapes)
    while len(found) < count:
        a, b = rand.sample(ids, 2)
        answer = shapes[a].distance(shapes[b])
        if answer.d > 0.01:
            names = [world.getName(a), world.getName(b)]
            found.append({"between": names, "distance": answer.d, "points": [list(answer.cp1), list(answer.cp2)]})
    return found


def scene(path):
    world = load(path)
    robot = world.robot(0)
    rand = golden.rng(path.name)
    pairs = pairs_that_count(world)
    configs = [list(item.getConfig()) for item in world.robots]
    robots = [robot.getID() for robot in world.robots]
    shapes = {id: world.geometry(id) for id in range(world.numIDs()) if id not in robots}

    def pairs_at(q):
        robot.setConfig(q)
        return [(a, b) for a, b in pairs if shapes[a].collides(shapes[b])]

    def touching():
        close = lambda a, b: a.withinDistance(b, golden.TINY_GAP) and not a.collides(b)
        return [(a, b) for a, b in pairs if close(shapes[a], shapes[b])]

    cases = []
    for k in range(8):
        wanted = k % 2 == 1
        q = golden.sample_colliding(rand, *robot.getJointLimits(), lambda q: bool(pairs_at(q)) == wanted)
        collisions = golden.colliding(rand, q, pairs_at, touching)
        case = {"q": q, **collisions, "distances": distances(rand, world, shapes)}
        cases.append(case | {"rays": [ray(world, rand, shapes) for _ in range(RAYS)]})
    content = {
        "file": f"{path.parent.name}/{path.name}",
        "ids": {str(id): world.getName(id) for id in range(world.numIDs())},
        "robot": {"name": robot.getName(), "id": robot.getID()},
        "cases": cases,
    }
    if path.suffix == ".xml":
        content["configs"] = configs
        content["roots"] = [rows(r.link(0).getParentTransform()[0]) + list(r.link(0).getParentTransform()[1]) for r in world.robots]
        content["objects"] = [describe_object(item) for item in world.rigidObjects]
        content["terrains"] = [[list(corner) for corner in item.geometry().getBBTight()] for item in world.terrains]
    golden.write("klampt", path.name, TOOL, __file__, content)


def main():
    for path in sorted((golden.DATA / "scenes").glob("*.txt")) + sorted((golden.DATA / "worlds").glob("*.xml")):
        scene(path)
    objects = []
    for path in sorted((golden.DATA / "objects").glob("*.obj")):
        world = klampt.WorldModel()
        item = world.loadRigidObject(str(path))
        objects.append({"file": f"objects/{path.name}", **describe_object(item)})
    golden.write("klampt", "objects", TOOL, __file__, {"objects": objects})


if __name__ == "__main__":
    main()
