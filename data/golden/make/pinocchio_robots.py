#!/usr/bin/env python3
"""Pinocchio's numbers for every URDF in `data/robots` without a `<klampt>` element.

    pip install pin==4.1.0 scipy
    python3 data/golden/make/pinocchio_robots.py

Jacobians are converted to angular rows first and one column per scalar dof: a floating joint is x, y, z, yaw, pitch,
roll, a planar joint x, y, yaw. The centre of mass includes the root link, which Pinocchio welds to
the world and excludes. Collisions are Coal's: meshes are surfaces, boxes are solid.
"""

import coal
import numpy as np
import pinocchio as pin
import scipy.linalg

import golden

TOOL = f"Pinocchio {pin.__version__}, Coal {coal.__version__}"
AXES = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


def rows(pose):
    return pose.rotation.flatten().tolist() + pose.translation.tolist()


def unlimited(value):
    """Infinity for the largest double, which Pinocchio uses for no limit."""
    return np.inf if value == np.finfo(float).max else value


def describe(model):
    low, high = coordinate_limits(model)
    limits = {"q_min": low, "q_max": high, "v_max": [unlimited(v) for v in model.upperVelocityLimit]}
    if is_scalar(model):  # free bodies have no motors, which Pinocchio cannot express
        limits["tau_max"] = model.upperEffortLimit.tolist()
    return {
        "links": [{"name": f.name} for f in body_frames(model)],
        "limits": limits,
        "mass": sum(float(i.mass) for i in model.inertias),
    }


def body_frames(model):
    return [f for f in model.frames if f.type == pin.FrameType.BODY]


def centre_of_mass(model, data, q):
    jacobian = pin.jacobianCenterOfMass(model, data, q)
    moving, root = pin.computeTotalMass(model), model.inertias[0]
    total = moving + root.mass
    com = (moving * data.com[0] + root.mass * root.lever) / total
    return com.tolist(), jacobian * moving / total


def chained(model, q):
    """Pinocchio's configuration for the scalar dofs `q`, and the matrix from their rates to its velocity."""
    at, blocks, left = [], [], list(q)
    for joint in list(model.joints)[1:]:
        mine, left = left[: joint.nv], left[joint.nv :]
        if joint.shortname() == "JointModelFreeFlyer":
            yaw, pitch, roll = mine[3:]
            rotation = pin.rpy.rpyToMatrix(roll, pitch, yaw)
            # the rates of the angles are about z, the rotated y and the twice rotated x
            axes = [pin.rpy.rpyToMatrix(0, 0, yaw)[:, 1], rotation[:, 0]]
            about = np.column_stack([[0, 0, 1], *axes])
            at += [*mine[:3], *pin.Quaternion(rotation).coeffs()]
            blocks.append(scipy.linalg.block_diag(rotation.T, rotation.T @ about))
        elif joint.shortname() == "JointModelPlanar":
            rotation = pin.rpy.rpyToMatrix(0, 0, mine[2])
            at += [*mine[:2], rotation[0, 0], rotation[1, 0]]
            blocks.append(rotation.T)
        else:
            at += mine
            blocks.append([[1.0]])
    return np.array(at), scipy.linalg.block_diag(*blocks)


def coordinate_limits(model):
    """Position limits per scalar dof."""
    low, high = [], []
    for joint in list(model.joints)[1:]:
        scalar = joint.nq == joint.nv
        low += model.lowerPositionLimit[joint.idx_q :][: joint.nq].tolist() if scalar else [-np.inf] * joint.nv
        high += model.upperPositionLimit[joint.idx_q :][: joint.nq].tolist() if scalar else [np.inf] * joint.nv
    return low, high


def case(model, shapes, rand):
    data = model.createData()
    q = golden.sample(rand, *coordinate_limits(model))
    dq, ddq = golden.vector(rand, model.nv), golden.vector(rand, model.nv)
    collisions = golden.colliding(rand, q, lambda q: colliding_links(model, data, shapes, q))

    at, rates = chained(model, q)
    pin.forwardKinematics(model, data, at, rates @ np.array(dq), np.array(ddq))
    pin.updateFramePlacements(model, data)
    bodies = body_frames(model)
    poses = [rows(data.oMf[model.getFrameId(f.name, pin.FrameType.BODY)]) for f in bodies]
    last = model.getFrameId("point of " + bodies[-1].name)
    velocity = pin.getFrameVelocity(model, data, last, AXES)
    acceleration = pin.getFrameClassicalAcceleration(model, data, last, AXES)
    jacobians = {}
    for body in (bodies[len(bodies) // 2], bodies[-1]):
        point = model.getFrameId("point of " + body.name)
        jacobian = pin.computeFrameJacobian(model, data, at, point, AXES) @ rates
        jacobians[body.name] = np.vstack([jacobian[3:], jacobian[:3]]).tolist()
    com, com_jacobian = centre_of_mass(model, data, at)
    facts = {
        "q": q,
        "dq": dq,
        "poses": poses,
        "jacobians": jacobians,
        "com": com,
        "com_jacobian": (com_jacobian @ rates).tolist(),
        "point_velocity": velocity.linear.tolist(),
        "angular_velocity": velocity.angular.tolist(),
    }
    if is_scalar(model):
        facts |= {"ddq": ddq, "point_acceleration": acceleration.linear.tolist()}
    return facts | collisions


def is_scalar(model):
    """Whether every joint has one dof, so that configurations and velocities are the same as ours."""
    return model.nq == model.nv == model.njoints - 1


def colliding_links(model, data, shapes, q):
    """The pairs of link names, in Pinocchio's order, that have two colliding shapes."""
    placed = pin.GeometryData(shapes)
    pin.computeCollisions(model, data, shapes, placed, chained(model, q)[0], False)
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
    # Pinocchio searches relative mesh paths in the package folders
    shapes = pin.buildGeomFromUrdf(model, str(path), pin.GeometryType.COLLISION, package_dirs=[str(path.parent)])
    for a in range(shapes.ngeoms):
        for b in range(a + 1, shapes.ngeoms):
            if shapes.geometryObjects[a].parentFrame != shapes.geometryObjects[b].parentFrame:
                shapes.addCollisionPair(pin.CollisionPair(a, b))
    # copies: adding a frame invalidates references to the others
    bodies = [(f.name, f.parentJoint, f.placement.copy()) for f in body_frames(model)]
    for name, joint, placement in bodies:
        placement = placement * pin.SE3(np.eye(3), np.array(golden.POINT))
        model.addFrame(pin.Frame("point of " + name, joint, 0, placement, pin.FrameType.OP_FRAME))
    rand = golden.rng(path.name)
    cases = [case(model, shapes, rand) for _ in range(golden.CASES)]
    steps = [between(model, a["q"], b["q"]) for a, b in zip(cases, cases[1:])] if is_scalar(model) else []
    content = {"file": f"robots/{path.name}", "point": golden.POINT}
    golden.write("pinocchio", path.name, TOOL, __file__, content | describe(model) | {"cases": cases, "between": steps})


def main():
    for path in sorted((golden.DATA / "robots").glob("*.urdf")):
        if "<klampt" not in path.read_text():
            write(path)


if __name__ == "__main__":
    main()
