#!/usr/bin/env python3
"""Writes the robots of Exudyn's robotics module as Denavit-Hartenberg tables, and Pinocchio's link poses of the Panda.

    pip install exudyn==1.13.6 pin==4.1.0 example-robot-data==6.0.0
    python3 data/golden/make/dh_robots.py

Only the correct tables are written: Puma 560, UR5, 3R and 4R in the standard, the Panda in the modified convention of Khalil
and Kleinfinger. The 4R includes its fourth link, which the module omits from its list.
"""

import inspect
import re
from pathlib import Path

import exudyn
import exudyn.robotics.models as models
import numpy as np
import pinocchio as pin
from golden import write

PANDA = (
    Path(pin.__file__).parents[4] / "share/example-robot-data/robots/panda_description/urdf/panda.urdf"
)


def rows(matrix):
    return [[float(x) for x in row] for row in np.asarray(matrix)]


def four_r():
    """Calls the function with the list of all four links."""
    source = inspect.getsource(models.Manipulator4Rsimple)
    source = source[source.index("def ") :]
    source = re.sub(r"linkList=\[link0, link1, link2\]", "linkList=[link0, link1, link2, link3]", source)
    space = dict(vars(models))
    exec(source, space)
    return space["Manipulator4Rsimple"]()


def table(robot, convention):
    out = {"convention": convention, "base": rows(robot["base"]["HT"]), "tool": rows(robot["tool"]["HT"]), "rows": []}
    for i, link in enumerate(robot["links"]):
        key = "stdDH" if convention == "standard" else "modDHKK"
        out["rows"].append(
            {
                "dh": [float(x) for x in link[key]],
                "mass": float(link["mass"]),
                "com": [float(x) for x in link["COM"]],
                "inertia": rows(link["inertia"]),
                "limits": [float(x) for x in link["jointLimits"]],
                "torque": float(link["jointTorqueMax"]),
                "p": float(robot["Pcontrol"][i]),
                "d": float(robot["Dcontrol"][i]),
            }
        )
    return out


def panda_urdf():
    model = pin.buildModelFromUrdf(str(PANDA))
    data = model.createData()
    generator = np.random.default_rng(7)
    cases = []
    for _ in range(6):
        q = generator.uniform(model.lowerPositionLimit, model.upperPositionLimit)
        pin.framesForwardKinematics(model, data, q)
        links = {}
        for i in range(1, 9):
            pose = data.oMf[model.getFrameId(f"panda_link{i}")]
            links[f"panda_link{i}"] = rows(pose.homogeneous)
        cases.append({"q": [float(x) for x in q[:7]], "links": links})
    return cases


def main():
    tables = {
        "puma560": table(models.ManipulatorPuma560(), "standard"),
        "ur5": table(models.ManipulatorUR5(), "standard"),
        "panda": table(models.ManipulatorPANDA(), "modified"),
        "arm3r": table(models.Manipulator3RSimple(), "standard"),
        "arm4r": table(four_r(), "standard"),
    }
    tool = f"exudyn {exudyn.__version__}, pinocchio {pin.__version__}"
    write("dh", "robots", tool, __file__, {"robots": tables, "panda_urdf": panda_urdf()})


main()
