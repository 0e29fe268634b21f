#!/usr/bin/env python3
"""Klampt's numbers for every `.rob` in `data/robots` and every URDF there with a `<klampt>` element.

    pip install klampt==0.10.1.post1
    python3 data/golden/make/klampt_robots.py

Each robot runs in a process of its own, since Klampt can abort the interpreter. Wrong results of Klampt are
left out and listed in `left_out`.
"""

import subprocess
import sys
from importlib.metadata import version

import golden

TOOL = "Klampt " + version("klampt")


def rows(column_major):
    """A rotation as Klampt gives it, column by column, as nine numbers row by row."""
    m = column_major
    return [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]]


def describe(world, robot):
    links = [robot.link(i) for i in range(robot.numLinks())]
    q_min, q_max = robot.getJointLimits()
    return {
        "ids": {"count": world.numIDs(), "robot": robot.getID(), "links": [link.getID() for link in links]},
        "links": [
            {
                "name": link.getName(),
                "parent": link.getParent(),
                "joint": robot.getJointType(i),
                "prismatic": link.isPrismatic(),
                "axis": list(link.getAxis()),
                "placement": rows(link.getParentTransform()[0]) + list(link.getParentTransform()[1]),
                "mass": link.getMass().getMass(),
                "com": list(link.getMass().getCom()),
                "inertia": list(link.getMass().getInertia()),
                "triangles": 0 if link.geometry().empty() else link.geometry().numElements(),
            }
            for i, link in enumerate(links)
        ],
        "limits": {
            "q_min": list(q_min),
            "q_max": list(q_max),
            "v_max": list(robot.getVelocityLimits()),
            "a_max": list(robot.getAccelerationLimits()),
            "tau_max": list(robot.getTorqueLimits()),
        },
        "initial": list(robot.getConfig()),
        "mass": sum(link.getMass().getMass() for link in links),
        "drivers": [driver_facts(robot.driver(k)) for k in range(robot.numDrivers())],
        "self_collision": [
            [i, j] for i in range(len(links)) for j in range(i + 1, len(links)) if robot.selfCollisionEnabled(i, j)
        ],
    }


def driver_facts(driver):
    facts = {
        "name": driver.getName(),
        "type": driver.getType(),
        "links": list(driver.getAffectedLinks()),
        "position": list(driver.getLimits()),
        "velocity": list(driver.getVelocityLimits()),
        "torque": list(driver.getTorqueLimits()),
    }
    if driver.getType() == "affine":
        scale, offset = driver.getAffineCoeffs()
        facts |= {"scale": list(scale), "offset": list(offset)}
    return facts


def case(robot, rand, pairs, wanted):
    q_min, q_max = robot.getJointLimits()

    def shapes(pair):
        return [robot.link(i).geometry() for i in pair]

    def pairs_at(q):
        robot.setConfig(q)
        return [p for p in pairs if shapes(p)[0].collides(shapes(p)[1])]

    def touching():
        close = lambda a, b: a.withinDistance(b, golden.TINY_GAP) and not a.collides(b)
        return [p for p in pairs if close(*shapes(p))]

    q = golden.sample_colliding(rand, q_min, q_max, lambda q: pairs_at(q) or not wanted)
    dq, ddq = golden.vector(rand, len(q)), golden.vector(rand, len(q))
    collisions = golden.colliding(rand, q, pairs_at, touching)
    robot.setConfig(q)
    robot.setVelocity(dq)
    last = robot.link(robot.numLinks() - 1)
    probes = sorted({robot.numLinks() // 2, robot.numLinks() - 1})
    return {
        "q": q,
        "dq": dq,
        "ddq": ddq,
        "poses": [rows(R) + list(t) for R, t in (robot.link(i).getTransform() for i in range(robot.numLinks()))],
        "jacobians": {robot.link(i).getName(): [list(r) for r in robot.link(i).getJacobian(golden.POINT)] for i in probes},
        "com": list(robot.getCom()),
        "com_jacobian": [list(r) for r in robot.getComJacobian()],
        "point_velocity": list(last.getPointVelocity(golden.POINT)),
        "angular_velocity": list(last.getAngularVelocity()),
        "point_acceleration": list(last.getPointAcceleration(golden.POINT, ddq)),
        "drivers": list(robot.configToDrivers(q)),
        **collisions,
    }


def between(robot, a, b, planar):
    facts = {
        "interpolate": {u: list(robot.interpolate(a, b, float(u))) for u in ("0.3", "0.9")},
        "interpolate_deriv": list(robot.interpolateDeriv(a, b)),
    }
    return facts if planar else facts | {"distance": robot.distance(a, b)}


def write(path):
    import klampt

    world = klampt.WorldModel()
    if world.loadElement(str(path)) < 0:
        sys.exit(f"Klampt cannot load {path}")
    robot = world.robot(0)
    robot.setConfig(robot.getConfig())  # updates the poses of the geometries
    rand = golden.rng(path.name)
    facts = describe(world, robot)
    # every other case collides, where the robot can collide
    cases = [case(robot, rand, facts["self_collision"], k % 2 == 1) for k in range(golden.CASES)]
    kinds = {link["joint"] for link in facts["links"]}
    planar = "floatingplanar" in kinds
    left_out = []
    if planar:
        left_out.append("distance: aborts for floatingplanar joints")
    if path.suffix == ".urdf":
        left_out.append("triangles: boxes become meshes")
        for link in facts["links"]:
            del link["triangles"]
        # the offsets of mimic joints are ignored in limits, and the velocity limits have the wrong sign
        for driver in facts["drivers"]:
            if driver["type"] == "affine":
                del driver["position"], driver["velocity"]
                left_out.append("limits of drivers made from mimic joints")
    steps = [between(robot, a["q"], b["q"], planar) for a, b in zip(cases, cases[1:])]
    content = {"file": f"robots/{path.name}", "left_out": left_out, "point": golden.POINT}
    golden.write("klampt", path.name, TOOL, __file__, content | facts | {"cases": cases, "between": steps})


def main():
    if len(sys.argv) == 2:
        return write(golden.DATA / "robots" / sys.argv[1])
    for path in sorted((golden.DATA / "robots").iterdir()):
        if path.suffix == ".rob" or "<klampt" in path.read_text():
            subprocess.run([sys.executable, __file__, path.name], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
