#!/usr/bin/env python3
"""Writes what Drake computes of the models in data/sdf: poses of bodies and frames, mass matrices, gravity forces.

    pip install drake==1.51.1
    python3 data/golden/make/drake_sdf.py
"""

import logging
from pathlib import Path

import numpy as np
from golden import write
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

DATA = Path(__file__).parents[2]
logging.getLogger("drake").setLevel(logging.ERROR)


def rows(matrix):
    return [[float(x) for x in row] for row in np.asarray(matrix)]


def model(name, states):
    plant = MultibodyPlant(0.0)
    parser = Parser(plant)
    parser.package_map().Add("post", str(DATA / "sdf/post"))
    # Drake takes the addresses of files alone
    text = (DATA / f"sdf/{name}.sdf").read_text().replace("model://post<", "model://post/post.sdf<")
    parser.AddModelsFromString(text, "sdf")
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -9.81])
    plant.Finalize()
    context = plant.CreateDefaultContext()
    found = []
    for state in states:
        q = plant.GetPositions(context).copy()
        for joint, values in state.items():
            joint = plant.GetJointByName(joint)
            q[joint.position_start() : joint.position_start() + len(values)] = values
        plant.SetPositions(context, q)
        poses, there = {}, []
        for index in plant.GetBodyIndices(plant.world_body().model_instance()) + [
            i for k in range(1, plant.num_model_instances()) for i in bodies_of(plant, k)
        ]:
            body = plant.get_body(index)
            instance = plant.GetModelInstanceName(body.model_instance())
            pose = body.EvalPoseInWorld(context)
            poses[f"{instance}::{body.name()}"] = rows(pose.GetAsMatrix34())
        scalar = [name for name in state if plant.GetJointByName(name).num_velocities() == 1]
        there = [plant.GetJointByName(name).velocity_start() for name in scalar]
        found.append({
            "positions": state,
            "poses": poses,
            "joints": scalar,
            "mass_matrix": rows(plant.CalcMassMatrix(context)[np.ix_(there, there)]),
            "gravity_forces": [-float(x) for x in plant.CalcGravityGeneralizedForces(context)[there]],
        })
    write("sdf", name, "Drake 1.51.1", __file__, {"model": f"sdf/{name}.sdf", "states": found})


def bodies_of(plant, k):
    from pydrake.multibody.tree import ModelInstanceIndex

    return plant.GetBodyIndices(ModelInstanceIndex(k))


model("frames", [
    {"lift": [0.0], "winch": [0.0], "rope": [0.0]},
    {"lift": [0.7], "winch": [-1.1], "rope": [0.25]},
    {"lift": [-0.9], "winch": [2.3], "rope": [0.5]},
])
model("old", [{"hinge": [0.0], "slide": [0.0]}, {"hinge": [1.3], "slide": [-0.4]}])
model("joints", [
    {"gimbal": [0.0, 0.0], "spindle": [0.0], "left_finger": [0.0], "right_finger": [0.4], "socket": [0.0, 0.0, 0.0]},
    {"gimbal": [0.6, -0.8], "spindle": [5.0], "left_finger": [0.3], "right_finger": [-0.05], "socket": [0.3, -0.4, 0.9]},
])
model("yard", [{"hinge": [0.0]}, {"hinge": [1.1]}])
