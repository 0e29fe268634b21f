#!/usr/bin/env python3
"""Klampt's results for angles, rotations and poses.

    pip install klampt==0.10.1.post1
    python3 data/golden/make/klampt_rotations.py

Rotations are nine numbers, column by column, as Klampt has them; poses are a rotation and then a translation.
"""

from importlib.metadata import version

from klampt.math import se3, so2, so3

import golden

ANGLES = [(0.1, 6.2), (3.0, -3.0), (-7.0, 9.0), (1.0, 2.0), (3.2, 0.1)]
CASES = 20


def angles(a, b):
    return {
        "a": a,
        "b": b,
        "diff": so2.diff(a, b),
        "interp_0.3": so2.interp(a, b, 0.3),
        "normalize_a": so2.normalize(a),
    }


def flat(pose):
    rotation, translation = pose
    return list(rotation) + list(translation)


def transforms(rand):
    spread = lambda: [rand.uniform(-2, 2) for _ in range(3)]
    w, w2, rpy, p, t, t2 = (spread() for _ in range(6))
    a, b = so3.from_rotation_vector(w), so3.from_rotation_vector(w2)
    pose, pose2 = (a, t), (b, t2)
    return {
        "w": w,
        "R": a,
        "w2": w2,
        "R2": b,
        "rpy_in": rpy,
        "from_rpy": so3.from_rpy(rpy),
        "rpy_of_R": so3.rpy(a),
        "rotation_vector": so3.rotation_vector(a),
        "axis_angle": so3.axis_angle(a),
        "quaternion_wxyz": so3.quaternion(a),
        "apply": so3.apply(a, p),
        "p": p,
        "mul": so3.mul(a, b),
        "inv": so3.inv(a),
        "distance": so3.distance(a, b),
        "error": so3.error(a, b),
        "interpolate_0.3": so3.interpolate(a, b, 0.3),
        "se3_mul": flat(se3.mul(pose, pose2)),
        "t": t,
        "t2": t2,
        "se3_inv": flat(se3.inv(pose)),
        "se3_apply": se3.apply(pose, p),
        "se3_distance": se3.distance(pose, pose2),
        "se3_error": se3.error(pose, pose2),
        "se3_interpolate_0.3": flat(se3.interpolate(pose, pose2, 0.3)),
        "homogeneous": se3.homogeneous(pose),
    }


rand = golden.rng("rotations")
content = {
    "so2": [angles(a, b) for a, b in ANGLES],
    "so3_se3": [transforms(rand) for _ in range(CASES)],
}
golden.write("rotations", "klampt", "Klampt " + version("klampt"), __file__, content)
