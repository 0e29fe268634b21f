#!/usr/bin/env python3
"""Pinocchio's derivatives of inverse and forward dynamics, and its Coriolis matrix, for URDFs in `data/robots`.

    pip install pin==4.1.0
    python3 data/golden/make/pinocchio_derivatives.py

Matrices are row-major. Gravity is (0, 0, -9.81), without external wrenches. Mimic joints count as independent, as in kinworld.
"""

import json
from pathlib import Path

import numpy as np
import pinocchio as pin

DATA = Path(__file__).resolve().parents[2]
ROBOTS = ["arm6", "gripper", "snake30"]


def case(model, rand):
    data = model.createData()
    q, dq, ddq, tau = (rand.uniform(-2.0, 2.0, model.nv) for _ in range(4))
    pin.computeRNEADerivatives(model, data, q, dq, ddq)
    dtau_dq, dtau_dv = data.dtau_dq.copy(), data.dtau_dv.copy()
    pin.computeABADerivatives(model, data, q, dq, tau)
    matrices = {
        "dtau_dq": dtau_dq,
        "dtau_dv": dtau_dv,
        "ddq_dq": data.ddq_dq.copy(),
        "ddq_dv": data.ddq_dv.copy(),
        "coriolis": pin.computeCoriolisMatrix(model, data, q, dq).copy(),
    }
    inputs = {"q": q, "dq": dq, "ddq": ddq, "tau": tau}
    return {name: np.asarray(x).flatten().tolist() for name, x in (inputs | matrices).items()}


def main():
    rand = np.random.default_rng(3)
    robots = {}
    for name in ROBOTS:
        model = pin.buildModelFromUrdf(str(DATA / "robots" / f"{name}.urdf"))
        if not model.nq == model.nv == model.njoints - 1:
            raise SystemExit(f"{name}: not all joints have one dof")
        robots[name] = [case(model, rand) for _ in range(2 if model.nv < 20 else 1)]
    out = {"tool": f"Pinocchio {pin.__version__}", "robots": robots}
    golden = DATA / "golden" / "derivatives"
    golden.mkdir(exist_ok=True)
    (golden / "robots.json").write_text(json.dumps(out, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
