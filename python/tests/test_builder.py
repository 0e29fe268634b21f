"""Builders, edits, parts of robots, tasks, files: against identities and the robots' files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinworld as kw

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture
def arm() -> kw.Robot:
    return kw.Robot.load(DATA / "robots" / "arm6.urdf")


@pytest.fixture
def moving(arm: kw.Robot) -> kw.State:
    return arm.state(arm.sample(4), np.linspace(-1, 1, 6))


def test_a_pendulum_built_by_hand() -> None:
    builder = kw.RobotBuilder("pendulum")
    rod = builder.add_link(
        "rod", motion="revolute", axis=(0, 1, 0), inertia=kw.Inertia(2.0, (0, 0, -1.5)), limits=[-1, 1], torque=9.0
    )
    builder.add_link("tip", parent=rod, placement=kw.se3.from_translation((0, 0, -3)),
                     collision=[(np.eye(4), kw.Geometry.sphere(0.1))])
    robot = builder.build()
    state = robot.state([0.3])
    assert state.mass_matrix()[0, 0] == pytest.approx(2 * 1.5**2)
    assert abs(state.gravity_forces()[0]) == pytest.approx(2 * 9.81 * 1.5 * np.sin(0.3))
    assert robot.limits[0] == (-1, 1) and robot.limits.torque[0] == 9
    pose, ball = robot.link("tip").collision[0]
    np.testing.assert_allclose(pose, np.eye(4))
    assert robot.link("tip").shape is not None and robot.link("rod").collision == []
    assert ball.aabb() is not None
    assert builder.link_names == ["rod", "tip"] and len(builder) == 2


def test_wrong_parts_are_explained() -> None:
    builder = kw.RobotBuilder("r")
    with pytest.raises(kw.Error, match="no link named"):
        builder.add_link("a", parent="b")
    with pytest.raises(kw.Error, match="motion"):
        builder.add_link("a", motion="wobbly")
    builder.add_link("a", motion="revolute", inertia=kw.Inertia(float("nan")))
    with pytest.raises(kw.Error):
        builder.build()


def test_builder_of_a_robot_is_the_robot(arm: kw.Robot) -> None:
    again = arm.builder().build()
    q, dq = arm.sample(1), np.ones(6)
    np.testing.assert_array_equal(again.state(q).pose("flange"), arm.state(q).pose("flange"))
    np.testing.assert_allclose(again.state(q, dq).bias_forces(), arm.state(q, dq).bias_forces())


def test_mount_merge_and_payload(arm: kw.Robot) -> None:
    tool = kw.RobotBuilder("tool")
    tool.add_link("tip", inertia=kw.Inertia.sphere(1.5, 0.1))
    builder = arm.builder()
    offset = kw.se3.from_translation((0, 0, 0.2))
    mapped = builder.mount("flange", tool, placement=offset, prefix="left/")
    both = builder.build()
    tip = both.links[mapped[0] or 0].name
    q = arm.sample(2)
    np.testing.assert_allclose(both.state(q).pose(tip), arm.state(q).pose("flange") @ offset, atol=1e-12)
    loaded = arm.with_payload("flange", kw.Inertia.sphere(1.5, 0.1).transformed(offset))
    np.testing.assert_allclose(loaded.state(q).mass_matrix(), both.state(q).mass_matrix(), atol=1e-9)
    assert loaded.mass == pytest.approx(arm.mass + 1.5)
    pair, maps = kw.RobotBuilder.merge("pair", [("a/", arm.builder()), ("b/", arm.builder())])
    assert pair.build().n_dofs == 12 and len(maps) == 2 and len(maps[0]) == len(arm)


def test_reduce_keeps_the_dynamics(arm: kw.Robot) -> None:
    builder = arm.builder()
    builder.add_link("ballast", parent="forearm", placement=kw.se3.exp([0.1, 0.2, 0.3, 1, 2, 3]),
                     inertia=kw.Inertia.sphere(3.0, 0.2))
    full = builder.build()
    reduced, where = builder.reduce()
    small = reduced.build()
    assert len(small) < len(full)
    q = arm.sample(3)
    np.testing.assert_allclose(small.state(q).mass_matrix(), full.state(q).mass_matrix(), atol=1e-9)
    found = where.image(len(full) - 1)
    assert found is not None
    link, pose = found
    np.testing.assert_allclose(
        small.state(q).pose(link) @ pose, full.state(q).pose("ballast"), atol=1e-12
    )


def test_subset_and_floating_base(arm: kw.Robot) -> None:
    part, _ = arm.builder().subset(["world", "shoulder", "upper_arm"])
    assert 0 < part.build().n_dofs < 6
    floating = arm.builder().with_base("floating").build()
    assert floating.n_dofs == 12
    q = arm.sample(5)
    np.testing.assert_allclose(
        floating.state(np.concatenate([np.zeros(6), q])).pose("flange"), arm.state(q).pose("flange"), atol=1e-12
    )
    assert [link.name for link in arm.subtree("forearm")][0] == "forearm"
    common = arm.lowest_common_ancestor("flange", "elbow")
    assert common is not None and common.name == "elbow"


def test_contacts_hold_their_point(moving: kw.State) -> None:
    n, tau = 6, np.arange(6.0)
    j = moving.position_jacobian("flange")
    drift = moving.jacobian_dot_times_velocity("flange")[3:]
    ddq, forces = moving.constrained_dynamics(tau, j, drift)
    np.testing.assert_allclose(j @ ddq + drift, 0, atol=1e-8)
    np.testing.assert_allclose(moving.inverse_dynamics(ddq), tau + j.T @ forces, atol=1e-7)
    dq, impulses = moving.impulse_dynamics(j)
    np.testing.assert_allclose(j @ dq, 0, atol=1e-9)
    np.testing.assert_allclose(moving.mass_matrix() @ (dq - moving.velocity), j.T @ impulses, atol=1e-8)
    bounced, _ = moving.impulse_dynamics(j, restitution=0.5)
    np.testing.assert_allclose(j @ bounced, -0.5 * j @ moving.velocity, atol=1e-9)
    with pytest.raises(kw.Error, match="drift"):
        moving.constrained_dynamics(tau, j, np.zeros(n))


def test_task_dynamics_are_their_formulas(moving: kw.State) -> None:
    j = moving.position_jacobian("flange")
    drift = moving.jacobian_dot_times_velocity("flange")[3:]
    minv = moving.mass_matrix_inverse()
    lam = np.linalg.inv(j @ minv @ j.T)
    np.testing.assert_allclose(moving.operational_space_inertia(j), lam, rtol=1e-6)
    task = moving.task_dynamics(j, drift)
    np.testing.assert_allclose(task["inertia"], lam, rtol=1e-6)
    np.testing.assert_allclose(task["inverse"], minv @ j.T @ lam, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(task["gravity"], lam @ j @ minv @ moving.gravity_forces(), rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(task["coriolis"], lam @ (j @ minv @ moving.coriolis_forces() - drift), rtol=1e-6, atol=1e-8)
    assert task["null_space"].shape == (6, 6)


def test_all_terms_are_the_single_calls(moving: kw.State) -> None:
    terms = moving.all_terms()
    for name in ("mass_matrix", "coriolis_forces", "gravity_forces", "bias_forces", "com", "com_velocity",
                 "com_jacobian", "centroidal_momentum_matrix", "total_inertia", "kinetic_energy", "potential_energy"):
        value = getattr(moving, name)
        np.testing.assert_allclose(terms[name], value() if callable(value) else value, atol=1e-9, err_msg=name)
    np.testing.assert_allclose(terms["centroidal_momentum"], terms["centroidal_momentum_matrix"] @ moving.velocity, atol=1e-9)
    np.testing.assert_allclose(moving.static_torques(), -moving.gravity_forces(), atol=1e-12)
    np.testing.assert_allclose(moving.holding_torque(), moving.gravity_forces(), atol=1e-12)
    composite = moving.composite_inertia()
    assert composite.mass == pytest.approx(moving.robot.mass)
    np.testing.assert_allclose(composite.com, moving.com() if callable(moving.com) else moving.com, atol=1e-12)
    np.testing.assert_allclose(moving.subtree_inertia("flange").com, moving.robot.link("flange").com, atol=1e-12)


def test_drivers_couple_links() -> None:
    builder = kw.RobotBuilder("gripper")
    for name, sign in (("left", 1.0), ("right", -1.0)):
        builder.add_link(name, motion="prismatic", axis=(0, sign, 0), inertia=kw.Inertia.sphere(0.3, 0.01))
    builder.add_driver("grip", ["left", "right"], scale=[1.0, 2.0], offset=[0.0, 0.1])
    robot = builder.build()
    space = kw.DriverSpace(robot)
    assert len(space) == 1 and space.dofs == [("driver", 0)]
    np.testing.assert_allclose(space.config([0.5]), space.matrix @ [0.5] + space.offset)
    np.testing.assert_allclose(space.config([0.5]), [0.5, 1.1])
    np.testing.assert_allclose(space.dof_values(robot, [0.5, 1.1]), [0.5])
    state = robot.state(space.config([0.2]), space.velocity([0.3]))
    s, m = space.matrix, state.mass_matrix()
    np.testing.assert_allclose(state.driver_mass_matrix(space), s.T @ m @ s)
    np.testing.assert_allclose(state.driver_mass_matrix_inverse(space), np.linalg.inv(s.T @ m @ s))
    np.testing.assert_allclose(space.forces([1, 2]), s.T @ [1, 2])
    ddy = state.driver_forward_dynamics(space, [1.0])
    np.testing.assert_allclose(state.driver_inverse_dynamics(space, ddy), [1.0], atol=1e-12)
    np.testing.assert_allclose(state.driver_bias_forces(space), state.driver_inverse_dynamics(space, [0.0]), atol=1e-12)


def test_sub_robot_has_the_columns(arm: kw.Robot, moving: kw.State) -> None:
    part = kw.SubRobot(arm, [1, 3])
    assert part.dofs == [1, 3] and len(part) == 2
    np.testing.assert_array_equal(part.config(moving), moving.config[[1, 3]])
    np.testing.assert_allclose(part.jacobian(moving, "flange"), moving.jacobian("flange")[:, [1, 3]], atol=1e-12)
    full = part.to_full([7, 8], moving.config)
    assert full[1] == 7 and full[3] == 8
    np.testing.assert_array_equal(part.from_full(full), [7, 8])
    np.testing.assert_array_equal(part.limits[:, 0], arm.limits.lower[[1, 3]])
    assert kw.SubRobot.of_links(arm, ["forearm"]).dofs == [arm.link("forearm").dof]


def test_masks_and_spheres(arm: kw.Robot, tmp_path: Path) -> None:
    mask = kw.SelfCollisionMask.learn(arm, samples=200, seed=1)
    learned = mask.apply(arm)
    names = {frozenset((arm.links[a].name, arm.links[b].name)) for a, b in mask.tested}
    assert {frozenset(pair) for pair in learned.self_collision_pairs} <= names
    assert sum(mask.count(c) for c in ("adjacent", "default", "always", "never", "given", "sometimes")) == len(mask.pairs)
    assert 0 < mask.missed_bound(0.95) <= 1 and mask.is_tested("sometimes")
    mask.save(DATA / "robots" / "arm6.urdf", tmp_path / "mask.srdf")
    assert "disable_collisions" in (tmp_path / "mask.srdf").read_text()
    spheres = arm.spherized(4)
    for link, original in zip(spheres.links, arm.links):
        assert bool(link.collision) == bool(original.collision)


def test_files(arm: kw.Robot, tmp_path: Path) -> None:
    q = arm.sample(0, 4)
    kw.io.save_configurations(tmp_path / "a.configs", q)
    np.testing.assert_array_equal(kw.io.load_configurations(tmp_path / "a.configs"), q)
    assert kw.io.kind(DATA / "robots" / "arm6.urdf") == "robot"
    assert kw.io.lint(kw.load(DATA / "terrains" / "table.env")) is not None
    bare = kw.LoadOptions(geometry=False)
    scara = (DATA / "robots" / "scara.urdf").read_bytes()
    robot = kw.io.robot_from_files("a.urdf", {"a.urdf": scara}, options=bare)
    assert robot.n_dofs == kw.Robot.load(DATA / "robots" / "scara.urdf").n_dofs
    assert len(kw.io.world_from_files("a.urdf", {"a.urdf": scara}, options=bare).robots) == 1
    with pytest.raises(kw.Error):
        kw.io.robot_from_files("b.urdf", {"a.urdf": scara})
    kw.io.convert(DATA / "robots" / "arm6.urdf", tmp_path / "copy.urdf")
    converted = kw.Robot.load(tmp_path / "copy.urdf")
    np.testing.assert_allclose(converted.state(q[0]).mass_matrix(), arm.state(q[0]).mass_matrix(), atol=1e-9)


def test_objectives_survive_a_file(arm: kw.Robot, tmp_path: Path) -> None:
    goal = kw.ik.objective("flange", position=(0.3, 0.2, 0.5), local=(0, 0, 0.1))
    path = tmp_path / "goals.json"
    kw.io.save_objectives(path, arm, [goal])
    (again,) = kw.io.load_objectives(path, arm)
    q = arm.sample(1)
    np.testing.assert_allclose(kw.ik.residual(arm.state(q), [again]), kw.ik.residual(arm.state(q), [goal]), atol=1e-12)
