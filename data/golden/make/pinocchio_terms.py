#!/usr/bin/env python3
"""Pinocchio's terms of the equation of motion for the URDFs in `data/robots` whose joints have one dof each.

    pip install pin==4.1.0
    python3 data/golden/make/pinocchio_terms.py

Every joint has an armature, which is not in the file. Contacts fix a point of the last link. Wrenches are converted to
moment first; parameters of links are in Pinocchio's order.
"""

import numpy as np
import pinocchio as pin

import golden

TOOL = f"Pinocchio {pin.__version__}"
AXES = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
GRAVITY = [0.3, -0.4, -9.81]
RESTITUTION = 0.4
DAMPING = 1e-3  # of contacts that overconstrain the robot


def base_wrench(model, data):
    """Wrench from the world on the robot, about the origin, the weight of welded links included."""
    sum = pin.Force.Zero()
    for joint in range(1, model.njoints):
        if model.parents[joint] == 0:
            sum += data.oMi[joint].act(data.f[joint])
    root = model.inertias[0]
    weight = -root.mass * np.array(GRAVITY)
    sum += pin.Force(weight, np.cross(root.lever, weight))
    return [*sum.angular.tolist(), *sum.linear.tolist()]


def kinetic_energy(model, q, dq):
    """Pinocchio 4.1.0 ignores the armature of joints with unaligned axes: it is added here."""
    bare = pin.Model(model)
    bare.armature = np.zeros(model.nv)
    rotors = 0.5 * np.dot(model.armature, dq * dq)
    return pin.computeKineticEnergy(bare, bare.createData(), q, dq) + rotors


def contact(model, data, q, dq, point):
    pin.computeJointJacobians(model, data, q)
    pin.forwardKinematics(model, data, q, dq, np.zeros(model.nv))
    pin.updateFramePlacements(model, data)
    jacobian = pin.getFrameJacobian(model, data, point, AXES)[:3]
    return jacobian, pin.getFrameClassicalAcceleration(model, data, point, AXES).linear


def case(model, point, rand):
    data = model.createData()
    q = np.array(golden.sample(rand, model.lowerPositionLimit, model.upperPositionLimit))
    dq, ddq, tau = (np.array(golden.vector(rand, model.nv)) for _ in range(3))
    pin.computeAllTerms(model, data, q, dq)
    mass = np.triu(data.M) + np.triu(data.M, 1).T
    bias = data.nle.copy()
    forces = pin.rnea(model, data, q, dq, ddq).copy()
    borne = base_wrench(model, data)
    regressor = pin.computeJointTorqueRegressor(model, data, q, dq, ddq).copy()
    kinetic_row = pin.computeKineticEnergyRegressor(model, data, q, dq).copy()
    potential_row = pin.computePotentialEnergyRegressor(model, data, q).copy()

    jacobian, drift = contact(model, data, q, dq, point)
    damping = 0.0 if np.linalg.matrix_rank(jacobian) == 3 else DAMPING
    held = pin.forwardDynamics(model, data, q, dq, tau, jacobian, drift, damping).copy()
    held_by = data.lambda_c.copy()
    after = pin.impulseDynamics(model, data, q, dq, jacobian, RESTITUTION, damping).copy()
    facts = {
        "q": q,
        "dq": dq,
        "ddq": ddq,
        "tau": tau,
        "mass_matrix": mass,
        "bias_forces": bias,
        "inverse_dynamics": forces,
        "forward_dynamics": pin.aba(model, data, q, dq, tau),
        "kinetic_energy": kinetic_energy(model, q, dq),
        "base_wrench": np.array(borne),
        "inertial_regressor": regressor,
        "kinetic_energy_regressor": kinetic_row,
        "potential_energy_regressor": potential_row,
        "damping": damping,
        "held": held,
        "held_by": held_by,
        "after": after,
        "blow": data.impulse_c,
    }
    return {key: np.asarray(value).tolist() for key, value in facts.items()}


def write(path):
    model = pin.buildModelFromUrdf(str(path))
    if not model.nq == model.nv == model.njoints - 1:
        return
    rand = golden.rng(path.name + " terms")
    model.gravity.linear = np.array(GRAVITY)
    model.armature = np.array([rand.uniform(0.05, 0.5) for _ in range(model.nv)])
    bodies = [f for f in model.frames if f.type == pin.FrameType.BODY]
    moved = [[f.name for f in bodies if f.parentJoint == joint][0] for joint in range(1, model.njoints)]
    last = bodies[-1]
    name, joint, placement = last.name, last.parentJoint, last.placement.copy()
    placement = placement * pin.SE3(np.eye(3), np.array(golden.POINT))
    point = model.addFrame(pin.Frame("held", joint, 0, placement, pin.FrameType.OP_FRAME))
    content = {
        "file": f"robots/{path.name}",
        "gravity": GRAVITY,
        "restitution": RESTITUTION,
        "armature": model.armature.tolist(),
        "moved": moved,
        "held": name,
        "point": golden.POINT,
        "cases": [case(model, point, rand) for _ in range(2 if model.nv < 10 else 1)],
    }
    golden.write("terms", path.name, TOOL, __file__, content)


def main():
    for path in sorted((golden.DATA / "robots").glob("*.urdf")):
        if "<klampt" not in path.read_text():
            write(path)


if __name__ == "__main__":
    main()
