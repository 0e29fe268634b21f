"""Objectives and solvers of inverse kinematics."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from .. import ik
from .._core import Robot
from .._core.ik import Objective
from . import _data
from ._advice import Advised
from ._types import Array, RigidTransform, Rotation, Vector, pose_of

if TYPE_CHECKING:
    from ._robot import RobotModel

Self = TypeVar("Self", bound="IKObjective")


class IKObjective(Advised):
    """A goal for the position, the orientation or both of a link; ``robot`` is its robot."""

    robot: RobotModel

    def __init__(self) -> None:
        self._link = self._dest = -1
        self._local: Vector = [0.0, 0.0, 0.0]
        self._position: dict[str, Any] = {}
        self._rotation: dict[str, Any] = {}

    def copy(self) -> IKObjective:
        """A copy of its own."""
        return copy.copy(self)

    def link(self) -> int:
        """The index of the link."""
        return self._link

    def destLink(self) -> int:
        """The index of the link that targets are relative to, or -1."""
        return self._dest

    def numPosDims(self) -> int:
        """Number of equations of the position."""
        return {"position": 3, "line": 2, "plane": 1, "points": 3}.get(next(iter(self._position), ""), 0)

    def numRotDims(self) -> int:
        """Number of equations of the orientation."""
        if "points" in self._position:
            return min(len(self._position["points"]), 3)
        return {"rotation": 3, "axis": 2}.get(next(iter(self._rotation), ""), 0)

    def setLinks(self, link: int, link2: int = -1) -> None:
        """Sets the link, and the link that targets are relative to."""
        self._link, self._dest = link, link2

    def setFreePosition(self) -> None:
        """The position is free."""
        self._position = {}

    setFreePosConstraint = setFreePosition

    def setFixedPosConstraint(self, tlocal: Vector, tworld: Vector) -> None:
        """The point ``tlocal`` (3) of the link is at ``tworld`` (3)."""
        self._local, self._position = list(tlocal), {"position": list(tworld)}

    def setPlanarPosConstraint(self, tlocal: Vector, nworld: Vector, oworld: float) -> None:
        """The point ``tlocal`` (3) is in the plane of points x with nworld · x = oworld."""
        normal = np.asarray(nworld, dtype=float)
        point = normal * oworld / (normal @ normal)
        self._local, self._position = list(tlocal), {"plane": (point.tolist(), normal.tolist())}

    def setLinearPosConstraint(self, tlocal: Vector, sworld: Vector, dworld: Vector) -> None:
        """The point ``tlocal`` (3) is on the line through ``sworld`` along ``dworld`` (3 each)."""
        self._local, self._position = list(tlocal), {"line": (list(sworld), list(dworld))}

    def setFreeRotConstraint(self) -> None:
        """The orientation is free."""
        self._rotation = {}

    def setFixedRotConstraint(self, R: Rotation) -> None:
        """The link has the rotation ``R`` (9)."""
        self._rotation = {"rotation": np.reshape(np.asarray(R, dtype=float), (3, 3)).T}

    def setAxialRotConstraint(self, alocal: Vector, aworld: Vector) -> None:
        """The direction ``alocal`` (3) of the link points along ``aworld`` (3)."""
        self._rotation = {"axis": (list(alocal), list(aworld))}

    def setFixedPoint(self, link: int, plocal: Vector, pworld: Vector) -> None:
        """A point (3) of a link is at a point of the world."""
        self.setRelativePoint(link, -1, plocal, pworld)

    def setRelativePoint(self, link1: int, link2: int, p1: Vector, p2: Vector) -> None:
        """A point (3) of a link is at a point of another link."""
        self.setLinks(link1, link2)
        self.setFixedPosConstraint(p1, p2)
        self.setFreeRotConstraint()

    def setFixedPoints(self, link: int, plocals: Sequence[Vector], pworlds: Sequence[Vector]) -> None:
        """Points (3 each) of a link are at points of the world."""
        self.setRelativePoints(link, -1, plocals, pworlds)

    def setRelativePoints(self, link1: int, link2: int, p1s: Sequence[Vector], p2s: Sequence[Vector]) -> None:
        """Points (3 each) of a link are at points of another link."""
        if len(p1s) != len(p2s):
            raise ValueError(f"expected as many points as targets, found {len(p1s)} and {len(p2s)}")
        if len(p1s) == 1:
            return self.setRelativePoint(link1, link2, p1s[0], p2s[0])
        self.setLinks(link1, link2)
        self._position = {"points": [(list(a), list(b)) for a, b in zip(p1s, p2s)]}
        self.setFreeRotConstraint()

    def setFixedTransform(self, link: int, R: Rotation, t: Vector) -> None:
        """A link has a pose."""
        self.setRelativeTransform(link, -1, R, t)

    def setRelativeTransform(self, link: int, linkTgt: int, R: Rotation, t: Vector) -> None:
        """A link has a pose relative to another link."""
        self.setLinks(link, linkTgt)
        self.setFixedPosConstraint([0.0, 0.0, 0.0], t)
        self.setFixedRotConstraint(R)

    def getPosition(self) -> tuple[list[float], list[float]]:
        """The point (3) of the link and its target (3)."""
        return list(self._local), list(self._position["position"])

    def getRotation(self) -> list[float]:
        """The target rotation (9)."""
        rotation: list[float] = self._rotation["rotation"].T.ravel().tolist()
        return rotation

    def getRotationAxis(self) -> tuple[list[float], list[float]]:
        """The direction of the link and its target (3 each)."""
        local, world = self._rotation["axis"]
        return local, world

    def getTransform(self) -> RigidTransform:
        """The target pose, where both position and rotation are given."""
        return self.getRotation(), self.getPosition()[1]

    def matchDestination(self, R: Rotation, t: Vector) -> None:
        """Sets the target such that the pose (R, t) of the link reaches it."""
        pose = pose_of((R, t))
        if "position" in self._position:
            self._position = {"position": (pose[:3, :3] @ np.asarray(self._local) + pose[:3, 3]).tolist()}
        if "rotation" in self._rotation:
            self._rotation = {"rotation": pose[:3, :3]}

    def native(self) -> list[Objective]:
        """The native objectives: one for the position, one for the orientation."""
        names = [link.name for link in self.robot.native.robot.links][self.robot._hidden :]
        out = []
        for part in (self._position, self._rotation):
            if part:
                local: dict[str, Any] = {} if part is self._rotation or "points" in part else {"local": self._local}
                other = None if self._dest < 0 else names[self._dest]
                out.append(ik.objective(names[self._link], **part, **local, relative_to=other))
        return out


class IKSolver(Advised):
    """Finds a configuration of a robot that reaches objectives, from where the robot is."""

    def __init__(self, robot: RobotModel | IKSolver) -> None:
        other = robot if isinstance(robot, IKSolver) else None
        self.robot: RobotModel = other.robot if other else robot  # type: ignore[assignment]
        self.objectives: list[IKObjective] = list(other.objectives) if other else []
        self.secondary_objectives: list[IKObjective] = list(other.secondary_objectives) if other else []
        self._tolerance: float = other._tolerance if other else 1e-3
        self._iterations: int = other._iterations if other else 100
        self._active: list[int] | None = other._active if other else None
        self._limits: tuple[list[float], list[float]] | None = other._limits if other else None
        self._bias: list[float] = other._bias if other else []
        self._last = 0

    def copy(self) -> IKSolver:
        """A copy of its own."""
        return IKSolver(self)

    def add(self, objective: IKObjective) -> None:
        """Adds an objective."""
        objective.robot = self.robot
        self.objectives.append(objective)

    def set(self, i: int, objective: IKObjective) -> None:
        """Sets an objective that was added."""
        objective.robot = self.robot
        self.objectives[i] = objective

    def addSecondary(self, objective: IKObjective) -> None:
        """Adds an objective that is met as far as the others leave freedom."""
        objective.robot = self.robot
        self.secondary_objectives.append(objective)

    def setSecondary(self, i: int, objective: IKObjective) -> None:
        """Sets a secondary objective that was added."""
        objective.robot = self.robot
        self.secondary_objectives[i] = objective

    def clear(self) -> None:
        """Removes all objectives."""
        self.objectives.clear()
        self.secondary_objectives.clear()

    def setMaxIters(self, iters: int) -> None:
        """Sets the largest number of iterations."""
        self._iterations = int(iters)

    def getMaxIters(self) -> int:
        """The largest number of iterations."""
        return self._iterations

    def setTolerance(self, res: float) -> None:
        """Sets the residual (m or rad) that counts as reached."""
        self._tolerance = float(res)

    def getTolerance(self) -> float:
        """The residual (m or rad) that counts as reached."""
        return self._tolerance

    def setActiveDofs(self, active: Sequence[int]) -> None:
        """Sets the links that may move."""
        self._active = [int(i) for i in active]

    def getActiveDofs(self) -> list[int]:
        """The links that may move: by default those that move a link of an objective."""
        if self._active is not None:
            return list(self._active)
        found: set[int] = set()
        for objective in [*self.objectives, *self.secondary_objectives]:
            for link in (objective.link(), objective.destLink()):
                while link >= 0:
                    found.add(link)
                    link = self.robot._links[link].getParent()
        return sorted(i for i in found if self.robot._dofs[i] is not None and self._moves(i))

    def _moves(self, i: int) -> bool:
        lower, upper = self.getJointLimits()
        return lower[i] != upper[i]

    def setJointLimits(self, qmin: Vector, qmax: Vector) -> None:
        """Sets the limits of the search; empty ones are none at all."""
        n = self.robot.numLinks()
        self._limits = (
            ([float(x) for x in qmin], [float(x) for x in qmax]) if len(qmin) else ([-np.inf] * n, [np.inf] * n)
        )

    def getJointLimits(self) -> tuple[list[float], list[float]]:
        """The limits of the search: by default those of the robot."""
        return self.robot.getJointLimits() if self._limits is None else self._limits

    def setBiasConfig(self, biasConfig: Vector) -> None:
        """Sets a configuration to stay near; an empty one is none."""
        self._bias = [float(x) for x in biasConfig]

    def getBiasConfig(self) -> list[float]:
        """The configuration to stay near."""
        return list(self._bias)

    def _goals(self) -> list[Objective]:
        if not self.objectives:
            raise ValueError("the solver has no objective; add one, for example `solver.add(ik.objective(link, …))`")
        return [goal for objective in self.objectives for goal in objective.native()]

    def getResidual(self) -> list[float]:
        """Residual of the objectives at the robot's configuration: position, then orientation, m and rad."""
        numbers: list[float] = ik.residual(self.robot.native, self._goals()).tolist()
        return numbers

    def getSecondaryResidual(self) -> list[float]:
        """Residual of the secondary objectives at the robot's configuration, m and rad."""
        goals = [goal for objective in self.secondary_objectives for goal in objective.native()]
        return ik.residual(self.robot.native, goals).tolist() if goals else []

    def getJacobian(self) -> Array:
        """Jacobian of the residual: one column per active link."""
        full = self.robot._spread(ik.residual_jacobian(self.robot.native, self._goals()), 1)
        return full[:, self.getActiveDofs()]

    def isSolved(self) -> bool:
        """Whether the residual is within the tolerance."""
        return bool(np.max(np.abs(self.getResidual())) <= self._tolerance)

    def sampleInitial(self) -> None:
        """Puts the active links at random within the limits, from Python's `random`."""
        lower, upper = self.getJointLimits()
        q = self.robot.getConfig()
        for i in self.getActiveDofs():
            bounded = np.isfinite(lower[i]) and np.isfinite(upper[i])
            q[i] = random.uniform(lower[i], upper[i]) if bounded else random.uniform(-np.pi, np.pi)
        self.robot.setConfig(q)

    def _described(self) -> Robot:
        """The robot's description with the limits of the search."""
        if self._limits is None:
            return self.robot.native.robot
        data = copy.deepcopy(self.robot._fields)
        for i in self.robot._moving.tolist():
            limits = data["links"][i + self.robot._hidden]["limits"]
            limits["q_min"], limits["q_max"] = self._limits[0][i], self._limits[1][i]
        return _data.build(Robot, data)

    def solve(self) -> bool:
        """Searches from the robot's configuration; puts the robot at the best that was found."""
        goals = self._goals()
        if self.isSolved() and not self.secondary_objectives:
            self._last = 0
            return True
        model = self.robot
        dofs = [dof for i in self.getActiveDofs() if (dof := model._dofs[i]) is not None]
        posture = model._less(self._bias, "configuration") if self._bias else None
        second = [goal for objective in self.secondary_objectives for goal in objective.native()]
        found = ik.solve(
            self._described(), goals, model.native.config, tolerance=self._tolerance, iterations=self._iterations,
            restarts=0, active=dofs, posture=posture, secondary=second or None,
        )  # fmt: skip
        self._last = found.iterations
        model.native.set_config(found.q)
        return self.isSolved()

    def minimize(
        self,
        secondary_objective: Callable[[Vector], float] | None = None,
        secondary_objective_grad: Callable[[Vector], Vector] | None = None,
    ) -> bool:
        """Reaches the objectives, then makes the secondary ones or a function ``f(q)`` with its gradient as small as they allow.

        Steps go along the negative gradient in the null space of the objectives, and back to them.
        """
        if secondary_objective is None or secondary_objective_grad is None:
            return self.solve()
        plain = self.copy()
        plain.secondary_objectives = []
        solved, model, f = plain.solve(), self.robot, secondary_objective
        active, (lower, upper) = self.getActiveDofs(), self.getJointLimits()
        q, step, self._last = model.getConfig(), 0.1, 0
        best = f(q)
        while solved and self._last < self._iterations and step > 1e-9:
            self._last += 1
            model.setConfig(q)
            down = -np.asarray(secondary_objective_grad(q), dtype=float)[active]
            jacobian = self.getJacobian()
            down -= np.linalg.pinv(jacobian, rcond=1e-6) @ (jacobian @ down)
            if np.max(np.abs(down), initial=0.0) < 1e-9:
                break
            tried = list(q)
            for i, change in zip(active, step * down, strict=True):
                tried[i] = min(max(tried[i] + float(change), lower[i]), upper[i])
            model.setConfig(tried)
            if plain.solve() and (value := f(model.getConfig())) < best:
                best, q, step = value, model.getConfig(), 2 * step
            else:
                step *= 0.25
        model.setConfig(q)
        return solved

    def lastSolveIters(self) -> int:
        """Number of iterations of the last search."""
        return self._last
