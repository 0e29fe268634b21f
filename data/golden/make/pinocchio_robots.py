#!/usr/bin/env python3
"""Pinocchio's numbers for every URDF in `data/robots` without a `<klampt>` element.

    pip install pin==4.1.0
    python3 data/golden/make/pinocchio_robots.py

Jacobians are put angular rows first. The centre of mass takes in the root link, which Pinocchio welds to
the world and leaves out. Collisions are Coal's: meshes are surfaces, boxes are solid.
"""

import coal
import numpy as np
import pinocchio as pin

import golden

TOOL = f"Pinocchio {pin.__version__}, Coal {coal.__version__}"
AXES = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


def rows(pose):
    return pose.rotation.flatten().tolist() + pose.translation.tolist()


def describe(model):
    inertia = model.inertias
    return {
        "coordinates": [moved_link(model, j) for j in range(1, model.njoints)],
        "links": [{"name": f.name} for f in body_frames(model)],
        "limits": {
            "q_min": model.lowerPositionLimit.tolist(),
            "q_max": model.upperPositionLimit.tolist(),
            "v_max": model.upperVelocityLimit.tolist(),
            "tau_max": model.upperEffortLimit.tolist(),
        },
        "mass": sum(float(i.mass) for i in inertia),
    }


def body_frames(model):
    return [f for f in model.frames if f.type == pin.FrameType.BODY]


def moved_link(model, joint):
    """The link that a joint carries: the body frame at the joint's own frame."""
    same = lambda f: f.parentJoint == joint and f.placement.isIdentity()
    return next(f.name for f in body_frames(model) if same(f))


def centre_of_mass(model, data, q):
    jacobian = pin.jacobianCenterOfMass(model, data, q)
    moving, root = pin.computeTotalMass(model), model.inertias[0]
    total = moving + root.mass
    com = (moving * data.com[0] + root.mass * root.lever) / total
    return com.tolist(), (jacobian * moving / total).tolist()


def case(model, shapes, rand):
    data = model.createData()
    q = golden.sample(rand, model.lowerPositionLimit, model.upperPositionLimit)
    dq, ddq = golden.vector(rand, model.nv), golden.vector(rand, model.nv)
    collisions = golden.colliding(rand, q, lambda q: colliding_links(model, data, shapes, q))

    at = np.array(q)
    pin.forwardKinematics(model, data, at, np.array(dq), np.array(ddq))
    pin.updateFramePlacements(model, data)
    bodies = body_frames(model)
    probes = [bodies[len(bodies) // 2], bodies[-1]]
    jacobians = {}
    for body in probes:
        jacobian = pin.computeFrameJacobian(model, data, at, model.getFrameId("point of " + body.name), AXES)
        jacobians[body.name] = np.vstack([jacobian[3:], jacobian[:3]]).tolist()
    last = model.getFrameId("point of " + bodies[-1].name)
    velocity = pin.getFrameVelocity(model, data, last, AXES)
    acceleration = pin.getFrameClassicalAcceleration(model, data, last, AXES)
    com, com_jacobian = centre_of_mass(model, data, at)
    return {
        "q": q,
        "dq": dq,
        "ddq": ddq,
        "poses": [rows(data.oMf[model.getFrameId(f.name)]) for f in bodies],
        "jacobians": jacobians,
        "com": com,
        "com_jacobian": com_jacobian,
        "point_velocity": velocity.linear.tolist(),
        "angular_velocity": velocity.angular.tolist(),
        "point_acceleration": acceleration.linear.tolist(),
        **collisions,
    }


def colliding_links(model, data, shapes, q):
    """The pairs of link names, in Pinocchio's order, of which any two shapes collide."""
    placed = pin.GeometryData(shapes)
    pin.computeCollisions(model, data, shapes, placed, np.array(q), False)
    hits = set()
    for pair, result in zip(shapes.collisionPairs, placed.collisionResults):
        if result.isCollision():
            frames = sorted(shapes.geometryObjects[g].parentFrame for g in (pair.first, pair.second))
            hits.add(tuple(model.frames[f].name for f in frames))
    return hits


def between(model, a, b):
    a, b = np.array(a), np.array(b)
    return {
        "interpolate": {u: pin.interpolate(model, a, b, float(u)).tolist() for u in ("0.3", "0.9")},
        "interpolate_deriv": pin.difference(model, a, b).tolist(),
        "distance": float(pin.distance(model, a, b)),
    }


def write(path):
    model = pin.buildModelFromUrdf(str(path))
    # Pinocchio looks for relative meshes in the folders of packages
    shapes = pin.buildGeomFromUrdf(model, str(path), pin.GeometryType.COLLISION, package_dirs=[str(path.parent)])
    for a in range(shapes.ngeoms):
        for b in range(a + 1, shapes.ngeoms):
            if shapes.geometryObjects[a].parentFrame != shapes.geometryObjects[b].parentFrame:
                shapes.addCollisionPair(pin.CollisionPair(a, b))
    for body in body_frames(model):
        placement = body.placement * pin.SE3(np.eye(3), np.array(golden.POINT))
        frame = pin.Frame("point of " + body.name, body.parentJoint, 0, placement, pin.FrameType.OP_FRAME)
        model.addFrame(frame)
    rand = golden.rng(path.name)
    cases = [case(model, shapes, rand) for _ in range(golden.CASES)]
    steps = [between(model, a["q"], b["q"]) for a, b in zip(cases, cases[1:])]
    content = {"file": f"robots/{path.name}", "point": golden.POINT}
    golden.write("pinocchio", path.name, TOOL, __file__, content | describe(model) | {"cases": cases, "between": steps})


def main():
    for path in sorted((golden.DATA / "robots").glob("*.urdf")):
        if "<klampt" not in path.read_text():
            write(path)


if __name__ == "__main__":
    main()
