"""Robots: one number of a configuration per link, as in Klampt."""

from __future__ import annotations

import random
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core import Robot, RobotView
from .._errors import NotFoundError
from . import _data
from ._advice import Advised
from ._driver import RobotModelDriver
from ._link import RobotModelLink
from ._mass import Mass
from ._types import Array, Vector, floats

if TYPE_CHECKING:
    from ._world import WorldModel

Limits = tuple[list[float], list[float]]


class RobotModel(Advised):
    """A robot of a world. ``native`` is the `kinworld.RobotView`, and ``native.robot`` its description.

    A configuration has one number per link. Those of fixed links are kept and have no effect.
    """

    def __init__(self, world: WorldModel, native: RobotView, id: int) -> None:
        self.world = world
        self.native = native
        self.id = id
        self._names()
        self._fixed = [0.0] * self.numLinks()

    def _names(self) -> None:
        """The links that a Klampt program sees: all but a massless root `world`, which Klampt drops."""
        links = self.native.robot.links
        root = links[0]
        self._hidden = int(root.name == "world" and root.dof is None and root.mass == 0 and len(links) > 1)
        shown = links[self._hidden :]
        self._dofs = [link.dof for link in shown]
        self._moving = np.array([i for i, dof in enumerate(self._dofs) if dof is not None], dtype=int)
        self._columns = np.array([dof for dof in self._dofs if dof is not None], dtype=int)
        self._link_names = [link.name for link in shown]
        self._links = [RobotModelLink(self, i) for i in range(len(shown))]
        self.__dict__.pop("_fields", None)

    @cached_property
    def _fields(self) -> dict[str, Any]:
        return _data.fields(self.native.robot)

    def _edit(self, data: dict[str, Any]) -> None:
        """Puts a changed description behind the handle, at the same place."""
        name, q, dq = self.native.name, self.native.config, self.native.velocity
        world = self.world.native
        world.remove(self.native.entity)
        world.add(_data.build(Robot, data), name)
        self.native = world.robots[name]
        self.native.set_config(q)
        self.native.set_velocity(dq)
        self.__dict__.pop("_fields", None)

    def _full(self, values: Array, rest: Vector | float = 0.0) -> list[float]:
        """One number per link from one per degree of freedom."""
        out = np.full(self.numLinks(), rest) if isinstance(rest, (int, float)) else np.array(rest, dtype=float)
        out[self._moving] = np.asarray(values)[self._columns]
        numbers: list[float] = out.tolist()
        return numbers

    def _spread(self, values: Array, *axes: int) -> Array:
        """An array with one place per link along some axes, zero for fixed links."""
        for axis in axes:
            shape = list(values.shape)
            shape[axis] = self.numLinks()
            out = np.zeros(shape)
            place: list[Any] = [slice(None)] * values.ndim
            place[axis] = self._moving
            out[tuple(place)] = values.take(self._columns, axis)
            values = out
        return values

    def _less(self, values: Vector, what: str) -> Array:
        """One number per degree of freedom from one per link."""
        numbers = np.asarray(values, dtype=float)
        if numbers.shape != (self.numLinks(),):
            raise RuntimeError(f"expected a {what} of {self.numLinks()} numbers, one per link; found {numbers.shape}")
        out = np.zeros(self.native.robot.n_dofs)
        out[self._columns] = numbers[self._moving]
        return out

    def getName(self) -> str:
        """The name."""
        return self.native.name

    @property
    def name(self) -> str:
        """The name."""
        return self.native.name

    def getID(self) -> int:
        """A number that stays with the robot."""
        return self.id

    @property
    def index(self) -> int:
        """The place among the robots."""
        return self.world._index(self)

    def saveFile(self, fn: str, geometryPrefix: str | None = None) -> bool:
        """Saves the robot; the suffix is the format."""
        self.native.robot.save(fn, force=True)
        return True

    def numLinks(self) -> int:
        """Number of links, which is that of numbers in a configuration."""
        return len(self._links)

    def link(self, index: int | str) -> RobotModelLink:
        """A link, by index or name."""
        if isinstance(index, str):
            if index in self._link_names:
                return self._links[self._link_names.index(index)]
        elif 0 <= index < len(self._links):
            return self._links[index]
        raise NotFoundError(f"no link `{index}`; there are {self.numLinks()}: {', '.join(self._link_names)}")

    @property
    def links(self) -> list[RobotModelLink]:
        """The links."""
        return list(self._links)

    @cached_property
    def _drivers(self) -> list[RobotModelDriver]:
        return [RobotModelDriver(self, i, data) for i, data in enumerate(self._fields["drivers"])]

    def numDrivers(self) -> int:
        """Number of drivers."""
        return len(self.native.driver_values)

    def driver(self, index: int | str) -> RobotModelDriver:
        """A driver, by index or name."""
        for driver in self._drivers:
            if index in (driver.index, driver.getName()):
                return driver
        names = ", ".join(driver.getName() for driver in self._drivers)
        raise NotFoundError(f"no driver `{index}`; there are {self.numDrivers()}: {names}")

    @property
    def drivers(self) -> list[RobotModelDriver]:
        """The drivers."""
        return list(self._drivers)

    def getJointType(self, index: int | str) -> str:
        """``"normal"``, ``"spin"``, ``"weld"``, ``"floating"``, … of the joint that moves a link."""
        place = self.link(index).index + self._hidden
        joints = (joint for joint in self.native.robot.joints if place in joint.links or place == joint.link)
        return next((joint.kind for joint in joints), "weld")

    # configuration

    def getConfig(self) -> list[float]:
        """The configuration, rad or m."""
        return self._full(self.native.config, self._fixed)

    def setConfig(self, q: Vector) -> None:
        """Sets the configuration, rad or m."""
        self.native.set_config(self._less(q, "configuration"))
        self._fixed = [float(x) for x in q]

    def getVelocity(self) -> list[float]:
        """The velocity, rad/s or m/s."""
        return self._full(self.native.velocity)

    def setVelocity(self, dq: Vector) -> None:
        """Sets the velocity, rad/s or m/s."""
        self.native.set_velocity(self._less(dq, "velocity"))

    config = property(getConfig, lambda self, q: self.setConfig(q), doc="The configuration.")
    velocity = property(getVelocity, lambda self, dq: self.setVelocity(dq), doc="The velocity.")

    def getJointLimits(self) -> Limits:
        """Smallest and largest positions; fixed links have [0, 0]."""
        limits = self.native.robot.limits
        return self._full(limits.lower), self._full(limits.upper)

    def getVelocityLimits(self) -> list[float]:
        """Largest velocities."""
        return self._full(self.native.robot.limits.velocity)

    def getAccelerationLimits(self) -> list[float]:
        """Largest accelerations."""
        return self._full(self.native.robot.limits.acceleration)

    def getTorqueLimits(self) -> list[float]:
        """Largest torques or forces."""
        return self._full(self.native.robot.limits.torque)

    def _set_limits(self, values: dict[str, Vector]) -> None:
        data = self._fields
        for field, numbers in values.items():
            self._less(numbers, "limit")
            for i in self._moving.tolist():
                data["links"][i + self._hidden]["limits"][field] = float(numbers[i])
        self._edit(data)

    def setJointLimits(self, qmin: Vector, qmax: Vector) -> None:
        """Sets smallest and largest positions."""
        self._set_limits({"q_min": qmin, "q_max": qmax})

    def setVelocityLimits(self, vmax: Vector) -> None:
        """Sets the largest velocities, in both directions."""
        self._set_limits({"v_max": vmax, "v_min": [-v for v in vmax]})

    def setAccelerationLimits(self, amax: Vector) -> None:
        """Sets the largest accelerations."""
        self._set_limits({"a_max": amax})

    def setTorqueLimits(self, tmax: Vector) -> None:
        """Sets the largest torques or forces."""
        self._set_limits({"tau_max": tmax})

    def interpolate(self, a: Vector, b: Vector, u: float) -> list[float]:
        """The configuration on the shortest path from ``a`` (u = 0) to ``b`` (u = 1)."""
        rest = (1 - u) * np.asarray(a, dtype=float) + u * np.asarray(b, dtype=float)
        between = self.native.robot.interpolate(self._less(a, "configuration"), self._less(b, "configuration"), u)
        return self._full(between, rest.tolist())

    def interpolateDeriv(self, a: Vector, b: Vector) -> list[float]:
        """The velocity that leads from ``a`` to ``b`` in unit time."""
        rest = np.asarray(b, dtype=float) - np.asarray(a, dtype=float)
        between = self.native.robot.difference(self._less(a, "configuration"), self._less(b, "configuration"))
        return self._full(between, rest.tolist())

    def distance(self, a: Vector, b: Vector) -> float:
        """Distance of two configurations in the metric of the joints."""
        return self.native.robot.distance(self._less(a, "configuration"), self._less(b, "configuration"))

    def randomizeConfig(self, unboundedScale: float = 1.0) -> None:
        """A random configuration within the limits, from Python's `random`."""
        self.native.set_config(self.native.robot.sample(random.getrandbits(63), scale=unboundedScale))

    def configFromDrivers(self, driverValues: Vector) -> list[float]:
        """The configuration that values of drivers lead to; links without a driver stay."""
        state = self.native.copy()
        state.set_driver_values(driverValues)
        return self._full(state.config, self._fixed)

    def configToDrivers(self, config: Vector) -> list[float]:
        """The values of drivers at a configuration."""
        state = self.native.robot.state(self._less(config, "configuration"))
        numbers: list[float] = state.driver_values.tolist()
        return numbers

    def velocityToDrivers(self, velocities: Vector) -> list[float]:
        """The velocities of drivers at a velocity."""
        return [driver._of(velocities) for driver in self._drivers]

    def velocityFromDrivers(self, driverVelocities: Vector) -> list[float]:
        """The velocity that velocities of drivers lead to."""
        out = [0.0] * self.numLinks()
        for driver, v in zip(self._drivers, driverVelocities):
            for link, scale in zip(driver.getAffectedLinks(), driver._scale):
                out[link] = scale * v
        return out

    # collisions

    def selfCollisionEnabled(self, link1: int, link2: int) -> bool:
        """Whether two links are tested for collision with each other."""
        return frozenset((self._link_names[link1], self._link_names[link2])) in self._pairs

    @cached_property
    def _pairs(self) -> set[frozenset[str]]:
        return {frozenset(pair) for pair in self.native.robot.self_collision_pairs}

    def selfCollides(self) -> bool:
        """Whether links collide with each other."""
        return bool(self.native.self_collisions())

    # dynamics

    def getMassMatrix(self) -> Array:
        """Mass matrix (n × n), kg·m² or kg; zero for fixed links."""
        return self._spread(self.native.mass_matrix(), 0, 1)

    def getMassMatrixInv(self) -> Array:
        """Inverse (n × n) of the mass matrix; zero for fixed links."""
        return self._spread(self.native.mass_matrix_inverse(), 0, 1)

    def getCoriolisForceMatrix(self) -> Array:
        """Coriolis matrix (n × n)."""
        return self._spread(self.native.coriolis_matrix(), 0, 1)

    def getCoriolisForces(self) -> list[float]:
        """Coriolis and centrifugal forces (n), N·m or N."""
        return self._full(self.native.coriolis_forces())

    def getGravityForces(self, g: Vector) -> list[float]:
        """Forces (n) that hold the robot against gravity ``g`` (3), N·m or N."""
        return self._full(self.native.gravity_forces(g))

    def torquesFromAccel(self, ddq: Vector) -> list[float]:
        """Forces (n) for accelerations (n), without gravity."""
        return self._full(self.native.inverse_dynamics(self._less(ddq, "acceleration"), gravity=(0, 0, 0)))

    def accelFromTorques(self, t: Vector) -> list[float]:
        """Accelerations (n) for forces (n), without gravity."""
        return self._full(self.native.forward_dynamics(self._less(t, "torque"), gravity=(0, 0, 0)))

    def getCom(self) -> list[float]:
        """Centre of mass (3) in the world, m."""
        return floats(self.native.com())

    def getComVelocity(self) -> list[float]:
        """Velocity (3) of the centre of mass, m/s."""
        return floats(self.native.com_velocity())

    def getComJacobian(self) -> Array:
        """Jacobian (3 × n) of the centre of mass."""
        return self._spread(self.native.com_jacobian(), 1)

    def getTotalInertia(self) -> Array:
        """Moment of inertia (3 × 3) about the centre of mass in world axes, kg·m²."""
        return self.native.total_inertia()

    def getLinearMomentum(self) -> list[float]:
        """Linear momentum (3), N·s."""
        return floats(self.native.linear_momentum())

    def getAngularMomentum(self) -> list[float]:
        """Angular momentum (3) about the centre of mass, N·m·s."""
        return floats(self.native.angular_momentum())

    def getKineticEnergy(self) -> float:
        """Kinetic energy, J."""
        return self.native.kinetic_energy()

    def _set_mass(self, link: int, mass: Mass) -> None:
        data = self._fields
        inertia = {"mass": mass.mass, "com": mass.com, "moment": mass.moment().T.ravel().tolist()}
        data["links"][link + self._hidden]["inertia"] = inertia
        self._edit(data)

    def __repr__(self) -> str:
        return f"RobotModel '{self.getName()}': {self.numLinks()} links, {self.numDrivers()} drivers"
