"""Contacts: against closed forms and identities."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinworld as kw
from kinworld import contact
from kinworld.contact import ContactPoint, FrictionCone

DATA = Path(__file__).parents[2] / "data"


def feet(friction: float = 0.5) -> list[ContactPoint]:
    return [ContactPoint((x, y, 0), (0, 0, 1), friction) for x, y in ((0, 0), (0.3, 0), (0, 0.4))]


def test_cone_is_the_formula() -> None:
    cone = FrictionCone((0, 0, 2), 0.7)
    np.testing.assert_allclose(cone.normal, [0, 0, 1])
    assert cone.angle == pytest.approx(np.arctan(0.7))
    for force in np.random.default_rng(0).normal(size=(50, 3)):
        within = bool(np.hypot(force[0], force[1]) <= 0.7 * force[2])
        assert cone.contains(force) is within
        projected = cone.project(force)
        assert cone.excess(projected) < 1e-12
        if within:
            np.testing.assert_allclose(projected, force)
        # the rest of a projection on a convex cone is at right angles
        assert abs(projected @ (force - projected)) < 1e-12
    edges = cone.edges(8)
    assert edges.shape == (8, 3)
    np.testing.assert_allclose(np.hypot(edges[:, 0], edges[:, 1]), 0.7 * edges[:, 2])
    np.testing.assert_allclose(cone.tangents @ cone.tangents.T, np.eye(2), atol=1e-15)
    np.testing.assert_allclose(cone.reflected().normal, [0, 0, -1])


def test_a_stool_stands_over_its_feet() -> None:
    for polygon in (contact.level_support(feet()), contact.support_polygon(feet())):
        assert polygon.area == pytest.approx(0.06, rel=1e-6)
        assert polygon.is_bounded and polygon.vertices.shape[1] == 2
        assert polygon.contains(0.1, 0.1) and not polygon.contains(0.2, 0.25)
        assert polygon.margin(0.1, 0.1) == pytest.approx(0.1, rel=1e-5)


def test_equilibrium_balances_its_load() -> None:
    weight = np.array([0, 0, 0, 0, 0, -10.0])
    at = np.array([0.1, 0.1, 1.0])
    for pyramid in (None, 8):
        found = contact.equilibrium(feet(), weight, at, pyramid=pyramid)
        assert found and found.holds and found.error < 1e-6
        np.testing.assert_allclose(contact.net_wrench(feet(), found.forces, at), -weight, atol=1e-4)
        for foot, force in zip(feet(), found.forces):
            assert foot.cone.excess(force) < 1e-5
    # statics of three feet: weights of a triangle
    np.testing.assert_allclose(found.forces[:, 2], 10 * np.array([1 - 1 / 3 - 1 / 4, 1 / 3, 1 / 4]), atol=1e-4)
    assert not contact.equilibrium(feet(), weight, (0.3, 0.3, 1.0))


def test_grasp_matrix_is_the_cross_product() -> None:
    forces = np.arange(9.0).reshape(3, 3)
    about = np.array([1.0, 2, 3])
    expected = np.concatenate(
        [sum(np.cross(c.point - about, f) for c, f in zip(feet(), forces)), forces.sum(axis=0)]
    )
    np.testing.assert_allclose(contact.grasp_matrix(feet(), about) @ forces.ravel(), expected)
    np.testing.assert_allclose(contact.net_wrench(feet(), forces, about), expected)
    with pytest.raises(kw.Error, match="3 contacts and 2 forces"):
        contact.net_wrench(feet(), forces[:2])


def test_closure_of_two_fingers_needs_friction() -> None:
    def grip(friction: float) -> list[ContactPoint]:
        return [ContactPoint((-1, 0, 0), (1, 0, 0), friction), ContactPoint((1, 0, 0), (-1, 0, 0), friction)]

    normal = (0, 0, 1)
    assert contact.force_closure(grip(0.5), normal=normal)
    assert not contact.force_closure(grip(0.0), normal=normal)
    # about the line between the points nothing resists
    assert not contact.force_closure(grip(0.5))
    assert contact.closure_margin(grip(0.5), normal=normal) > 0.1
    assert contact.closure_margin(grip(0.0), normal=normal) < 1e-6


def test_joint_forces_are_transposed_jacobians() -> None:
    arm = kw.Robot.load(DATA / "robots" / "arm6.urdf")
    state = arm.state(arm.sample(1))
    point, force = state.world_position("flange", (0.1, 0.2, 0)), np.array([1.0, 2, 3])
    tau = contact.joint_forces(state, [("flange", ContactPoint(point, (0, 0, 1), 0.5))], [force])
    np.testing.assert_allclose(tau, state.position_jacobian("flange", (0.1, 0.2, 0)).T @ force, atol=1e-12)


def test_an_arm_on_its_base_holds_itself() -> None:
    arm = kw.Robot.load(DATA / "robots" / "arm6.urdf")
    state = arm.state([0.1, 0.2, 0.3, 0, 0, 0])
    found = contact.robot_equilibrium(state, [])
    if found:
        np.testing.assert_allclose(found.drivers, state.gravity_forces(), atol=1e-5)
        assert found.effort <= 1 + 1e-9
    np.testing.assert_allclose(found.residual, 0, atol=1e-5) if found else None
    assert not contact.robot_equilibrium(state, [], gravity=(0, 0, -1e6)) or not np.isfinite(arm.limits.torque).any()


def test_contacts_of_collision_detection() -> None:
    ball = kw.Geometry.sphere(1.0)
    pairs = ball.contacts(ball, other_pose=kw.se3.from_translation((1.9, 0, 0)))
    point = ContactPoint.between(pairs[0], 0.3)
    assert abs(abs(point.normal[0]) - 1) < 1e-9 and point.friction == 0.3
    np.testing.assert_allclose(point.reflected().normal, -point.normal)
    assert "ContactPoint(" in repr(point)
