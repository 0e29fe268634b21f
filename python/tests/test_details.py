"""Parts of robots, worlds and shapes that few programs ask for: each against a second source."""

from __future__ import annotations

import threading
import warnings
from pathlib import Path

import numpy as np
import pytest

import kinworld as kw


def test_drivers_move_links_as_they_say(data: Path, panda: kw.Robot) -> None:
    for robot in (panda, kw.Robot.load(data / "robots/mobile_arm.rob")):
        state = robot.state()
        values = np.array(state.driver_values, dtype=float)
        values += 0.01
        state.set_driver_values(values)
        assert len(robot.drivers) == len(values)
        for driver, value in zip(robot.drivers, values):
            for link, scale, offset in zip(driver.links, driver.scale, driver.offset):
                if driver.kind in ("normal", "affine"):
                    assert state.dof_position(link) == pytest.approx(scale * value + offset, abs=1e-15)
            assert set(driver.links) <= set(driver.affected_links)
    assert robot.driver(0).name == robot.drivers[0].name == robot.driver(robot.drivers[0].name).name
    assert "moves" in repr(robot.drivers[0])
    with pytest.raises(kw.NotFoundError, match="driver"):
        panda.driver("nobody")


def test_armature_is_the_reflected_inertia_of_rotors() -> None:
    builder = kw.RobotBuilder("one")
    link = builder.add_link("l", motion="revolute", axis=(0, 0, 1), armature=0.25)
    robot = builder.build()
    assert robot.armature.tolist() == [0.25]
    # the mass matrix holds it
    assert robot.state().mass_matrix()[0, 0] == pytest.approx(0.25)
    assert link == 0 and robot.drivers[0].reflected_inertia == 0.0


def test_the_tree(panda: kw.Robot, arm6: kw.Robot) -> None:
    for link in panda.links:
        above = []
        parent = link.parent
        while parent is not None:
            above.append(parent.index)
            parent = parent.parent
        assert panda.ancestors(link) == above
        assert all(panda.is_ancestor_or_self(a, link) for a in [*above, link.index])
    joint = panda.joint("link3_joint_joint")
    assert panda.joint_of(joint.link).name == "link3_joint_joint"  # type: ignore[union-attr]
    assert panda.link(joint.link).limits == panda.limits[joint.dofs[0]]
    assert arm6.self_collision_enabled(*arm6.self_collision_pairs[0])
    pairs = panda.self_collision_pairs
    names = [link.name for link in panda.links]
    enabled = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if panda.self_collision_enabled(a, b)]
    assert sorted(map(sorted, enabled)) == sorted(map(sorted, pairs))
    with pytest.raises(kw.Error, match="itself"):
        panda.self_collision_enabled(0, 0)
    assert np.all(panda.limits.power >= 0)


def test_joint_poses_of_a_floating_base(data: Path) -> None:
    robot = kw.Robot.load(data / "robots/panda.urdf", options=kw.LoadOptions(base="floating"))
    base = next(j for j in robot.joints if j.kind == "floating")
    pose = kw.se3.from_rpy((0.1, -0.2, 0.3), (0.4, -0.5, 0.6))
    q = robot.set_joint_pose(base.name, pose, robot.initial_config)
    np.testing.assert_allclose(robot.joint_pose(base.name, q), pose, atol=1e-15)
    np.testing.assert_allclose(robot.state(q).pose(base.link), pose, atol=1e-15)


def test_named_states_and_end_effectors(data: Path) -> None:
    srdf = """<robot name="arm6">
      <group name="arm"><chain base_link="base" tip_link="flange"/></group>
      <group name="tool"><link name="flange"/></group>
      <end_effector name="hand" parent_link="wrist" group="tool" parent_group="arm"/>
      <group_state name="ready" group="arm"><joint name="j2" value="0.5"/></group_state>
      <disable_collisions link1="base" link2="flange" reason="Never"/>
    </robot>"""
    robot = kw.Robot.load(data / "robots/arm6.urdf")
    names = robot.joint_names
    read = kw.io.Srdf.parse(srdf)
    assert read.name == "arm6" and [g[0] for g in read.groups] == ["arm", "tool"]
    assert read.disabled == [("base", "flange", "Never")] and read.enabled == []
    assert read.end_effectors == [("hand", "tool", "wrist", "arm")]
    assert read.states == [("ready", "arm", [("j2", [0.5])])]
    assert (read.passive_joints, read.virtual_joints, read.disabled_links, read.extras) == ([], [], [], [])
    q = robot.set_values({names[1]: 0.25}, np.full(6, 0.1))
    assert q.tolist() == [0.1, 0.25, 0.1, 0.1, 0.1, 0.1]


def test_materials_and_meshes(data: Path) -> None:
    tetrahedron = kw.Geometry.mesh(
        [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    )
    assert tetrahedron.is_closed and tetrahedron.degenerate_triangles == 0
    assert tetrahedron.to_hull().volume == pytest.approx(1 / 6)
    assert kw.Geometry.sphere(1).is_closed is None and tetrahedron.volume is None
    assert tetrahedron.materials == [] and tetrahedron.vertex_colors is None and tetrahedron.material_ranges == []
    flat = kw.Geometry.mesh([[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]], [[0, 1, 2], [0, 1, 3]])
    assert flat.degenerate_triangles == 1 and not flat.is_closed
    turned = kw.se3.from_rpy((0, 0, 0), (0.3, 0.4, 0.5))
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) @ turned[:3, :3].T
    box = tetrahedron.aabb_tight(turned)
    np.testing.assert_allclose(box, [corners.min(0), corners.max(0)], atol=1e-12)
    np.testing.assert_allclose(
        tetrahedron.to_bounding_box().aabb_tight(), [[0, 0, 0], [1, 1, 1]], atol=1e-12  # type: ignore[union-attr]
    )
    balls = kw.Geometry.group([(kw.se3.from_translation((1, 0, 0)), kw.Geometry.sphere(0.5))])
    np.testing.assert_allclose(balls.as_spheres(), [[1, 0, 0, 0.5]])
    cloud = kw.Geometry.point_cloud([[0, 0, 0], [1, 1, 1]], {"weight": [3, 4]})
    assert cloud.point_properties["weight"].tolist() == [3, 4]
    with pytest.raises(kw.Error):
        kw.Geometry.point_cloud([[0, 0, 0], [1, 1, 1]], {"weight": [3]})


def test_colours_of_links() -> None:
    robot = kw.Robot.from_urdf("""<robot name="r"><material name="red"><color rgba="1 0 0 0.5"/></material>
      <link name="l"><visual><geometry><sphere radius="0.1"/></geometry><material name="red"/></visual>
      <visual><geometry><sphere radius="0.1"/></geometry></visual>
      <collision><geometry><sphere radius="0.1"/></geometry></collision></link></robot>""")
    first, second = robot.link("l").appearances
    assert first is not None and first.color == [1, 0, 0, 0.5] and first.name == "red" and first.texture is None
    assert second is None and len(robot.link("l").visual) == 2


def test_attachments(cell: kw.World) -> None:
    name = cell.rigid_objects[0].name
    assert cell.attachment(name) is None and cell.attachments == [] and cell.carrier(name) is None
    robot = cell.robots[0]
    link = (robot, robot.robot.n_links - 1)
    cell.attach(name, link)
    attachment = cell.attachment(name)
    assert attachment is not None and attachment.rigid_object == name
    pose = robot.pose(link[1]) @ attachment.pose_in_link
    np.testing.assert_allclose(pose, cell.rigid_objects[name].pose, atol=1e-12)
    assert [a.link for a in cell.attachments] == [attachment.link] == [cell.carrier(name)]


def test_poses_are_kept_and_set_again(cell: kw.World) -> None:
    robot, thing = cell.robots[0], cell.rigid_objects[0]
    before, q, pose = cell.poses(), robot.config, thing.pose
    robot.set_config(robot.robot.sample(3))
    thing.set_pose(kw.se3.from_translation((9, 9, 9)))
    cell.set_poses(before)
    np.testing.assert_array_equal(robot.config, q)
    np.testing.assert_array_equal(thing.pose, pose)
    assert before.robots == cell.robots.names() and before.rigid_objects == cell.rigid_objects.names()


def test_worlds_made_from_a_world(cell: kw.World) -> None:
    moved = cell.placed(kw.se3.from_translation((1, 2, 3)))
    name = cell.rigid_objects[0].name
    np.testing.assert_allclose(moved.rigid_objects[name].pose[:3, 3], cell.rigid_objects[name].pose[:3, 3] + [1, 2, 3])
    rows = cell.robots[0].robot.sample(0, 64)
    exact = cell.collider().are_free(rows)
    for larger in (cell.with_hulls(), cell.with_spheres(16), cell.with_convex_parts(4)):
        # what contains a shape is free only where the shape is
        assert not np.any(larger.collider().are_free(rows) & ~exact)
    cell.prepare()
    assert cell.geometry(name) is not None
    old = cell.replace_robot(0, cell.robots[0].robot.with_payload(0, kw.Inertia(1.0)))
    assert cell.robots[0].robot.mass == pytest.approx(old.mass + 1.0)


def test_properties_and_klampt_ids(cell: kw.World) -> None:
    name = cell.rigid_objects[0].name
    cell.set_property(name, "colour", "blue")
    assert cell.properties_of(name)["colour"] == "blue"
    cell.set_property(name, "colour", None)
    assert "colour" not in cell.properties_of(name)
    # Klampt: terrains, then rigid objects, then each robot and its links
    names = [entity.name for _, entity in cell.klampt_ids]
    robot = cell.robots[0]
    expected = cell.terrains.names() + cell.rigid_objects.names() + [robot.name]
    assert names[: len(expected)] == expected
    assert [number for number, _ in cell.klampt_ids] == list(range(len(names)))


def test_surfaces_and_inertias(cell: kw.World, tmp_path: Path) -> None:
    thing = cell.rigid_objects[0]
    thing.set_contact(0.7, 0.1, 1e5, 10)
    assert thing.contact == (0.7, 0.1, 1e5, 10)
    thing.set_inertia(kw.Inertia.cuboid(2, (1, 1, 1)))
    assert thing.inertia == kw.Inertia.cuboid(2, (1, 1, 1)) and thing.mass == 2
    with pytest.raises(kw.Error):
        thing.set_contact(-1, 0, 0, 0)
    terrain = cell.terrains[0]
    terrain.set_friction([0.9])
    assert terrain.friction == [0.9]
    terrain.set_geometry(None)
    assert terrain.geometry is None
    box = kw.RigidObject("box", kw.Geometry.box((0.1, 0.2, 0.3)), mass=3, friction=0.4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kw.LoadWarning)
        box.save(tmp_path / "box.obj")
        again = kw.RigidObject.load(tmp_path / "box.obj")
    assert again.inertia.mass == 3 and again.contact[0] == pytest.approx(0.4)
    assert (box.velocity.tolist(), box.angular_velocity.tolist(), box.missing_geometry) == ([0] * 3, [0] * 3, None)


def test_an_object_has_a_space(data: Path) -> None:
    world = kw.load(data / "terrains/table.env", data / "objects/crate.obj")
    crate = world.object_space("crate", [(0, 1.5), (-1, 1), (0, 1)])
    pose = kw.se3.from_rpy((0.7, -0.4, 0.3), (0.2, 0.1, -0.3))
    np.testing.assert_allclose(crate.pose(crate.config(pose)), pose, atol=1e-12)
    np.testing.assert_allclose(crate.pose(crate.current), world.rigid_objects["crate"].pose, atol=1e-12)
    plan = crate.space.plan(crate.current, crate.config(pose))
    assert plan.found
    for q in plan.path:  # type: ignore[union-attr]
        world.rigid_objects["crate"].set_pose(crate.pose(q))
        assert not world.collider().collides()


def test_constrained_spaces_keep_the_goal(data: Path) -> None:
    world = kw.load(data / "robots/arm6.urdf")
    upright = kw.ik.objective("flange", axis=((0, 0, 1), (0, 0, 1)))
    space = world.space().constrained(upright, tolerance=1e-7)
    start, goal = space.project([0, -0.2, 0.3, 0, -1.6, 0]), space.project([1.5, 0.3, 0, 0, -1.8, 1])
    assert start is not None and goal is not None and space.rows == 2
    plan = space.plan(start, goal)
    path = space.discretized(plan.path)  # type: ignore[arg-type]
    robot = world.robots[0]
    for q in path:
        robot.set_config(q)
        np.testing.assert_allclose(robot.pose("flange")[:3, 2], [0, 0, 1], atol=1e-6)
        assert space.is_free(q) and space.error(q) <= 1e-7
    assert not space.is_free(start + 0.3) and space.is_edge_free(path[0], path[1])


def test_trajectories_of_robots_turn_the_short_way() -> None:
    builder = kw.RobotBuilder("spinner")
    link = builder.add_link("l", motion="revolute", axis=(0, 0, 1))
    builder.add_joint("spin", link)
    robot = builder.build()
    way = kw.Trajectory([0, 1], [[0.1], [6.2]])
    assert way.at(0.5)[0] == pytest.approx(3.15)
    middle = way.at(0.5, robot)[0]
    assert np.cos(middle - (0.1 + 6.2 - 2 * np.pi) / 2) == pytest.approx(1)
    assert way.velocity_at(0.5, robot)[0] == pytest.approx(6.2 - 0.1 - 2 * np.pi)
    fine = way.discretized(robot, 0.1)
    assert len(fine) == 11 and (fine.start_time, fine.end_time) == (0, 1)


def test_inverse_kinematics_step_by_step(arm6: kw.Robot) -> None:
    goal = arm6.state([0.3, 0.4, 0.2, 0.1, 0.5, 0.2]).pose("flange")
    state = arm6.state([0.1, 0.2, 0.1, 0.0, 0.4, 0.1])
    for _ in range(200):
        twist = kw.ik.towards(state.pose("flange"), goal, 5.0)
        dq = kw.ik.differential(state, "flange", twist, velocity_limits=[(-3, 3)] * 6)
        state.set_config(state.config + 0.02 * dq)
    np.testing.assert_allclose(state.pose("flange"), goal, atol=1e-4)
    steps = kw.ik.subdivide(np.eye(4), goal, 0.1, 0.05)
    np.testing.assert_allclose(steps[-1], goal, atol=1e-12)
    assert max(kw.so3.distance(a[:3, :3], b[:3, :3]) for a, b in zip(steps, steps[1:])) <= 0.1 + 1e-9


def test_the_nearest_pose_of_an_objective(arm6: kw.Robot) -> None:
    point = kw.ik.objective("flange", position=(0.3, 0.2, 0.5), local=(0, 0, 0.1))
    near = kw.se3.from_rpy((1, 0, 0), (0.1, 0.2, 0.3))
    for pose in (point.closest(arm6, near), point.sample(arm6, near, 0.5, 1)):
        np.testing.assert_allclose((pose @ [0, 0, 0.1, 1])[:3], (0.3, 0.2, 0.5), atol=1e-12)
    np.testing.assert_allclose(point.closest(arm6, near)[:3, :3], near[:3, :3], atol=1e-12)


def test_learning_a_mask_can_be_ended(arm6: kw.Robot) -> None:
    counts: list[int] = []
    mask = kw.SelfCollisionMask.learn(arm6, samples=20_000, progress=counts.append)
    assert mask.samples == 20_000 and counts == sorted(counts)

    def stop(done: int) -> None:
        raise KeyError("stop")

    with pytest.raises(KeyError, match="stop"):
        kw.SelfCollisionMask.learn(arm6, samples=10_000_000, progress=stop)
    assert threading.active_count() < 64


def test_limits_of_loaders(data: Path) -> None:
    with pytest.raises(kw.LoadError, match="link"):
        kw.Robot.load(data / "robots/arm6.urdf", options=kw.LoadOptions(limits={"links": 2}))
    with pytest.raises(kw.Error, match="unknown limit 'link'|unknown limit \"link\""):
        kw.LoadOptions(limits={"link": 2})


def test_spatial_algebra() -> None:
    rng = np.random.default_rng(4)
    pose = kw.se3.exp(rng.normal(size=6))
    v, m, f = rng.normal(size=(3, 6))
    # power does not depend on the frame
    there = kw.se3.transform_motion(pose, v) @ kw.se3.transform_wrench(pose, f)
    assert there == pytest.approx(v @ f)
    assert kw.se3.cross(v, m) @ f == pytest.approx(-(m @ kw.se3.cross_force(v, f)))
    w = rng.normal(size=3)
    np.testing.assert_allclose(kw.so3.skew(w) @ v[:3], np.cross(w, v[:3]))
    axis, angle = kw.so3.to_axis_angle(pose[:3, :3])
    np.testing.assert_allclose(kw.so3.from_axis_angle(axis, angle), pose[:3, :3], atol=1e-12)
    a, b, c = kw.so3.to_xyz(pose[:3, :3])
    x, y, z = np.eye(3)
    turn = kw.so3.from_axis_angle
    np.testing.assert_allclose(turn(x, a) @ turn(y, b) @ turn(z, c), pose[:3, :3], atol=1e-12)
    np.testing.assert_allclose(kw.so3.from_xyz((a, b, c)), pose[:3, :3], atol=1e-12)
    np.testing.assert_allclose(kw.so3.error(pose[:3, :3], np.eye(3)), kw.so3.log(pose[:3, :3]))
    uniform = kw.so3.from_uniform(rng.uniform(size=3))
    np.testing.assert_allclose(uniform @ uniform.T, np.eye(3), atol=1e-12)
    assert kw.se3.distance(pose, pose) == pytest.approx(0, abs=1e-7)


def test_builders_name_groups_states_and_drivers() -> None:
    builder = kw.RobotBuilder("hand")
    builder.add_link("palm")
    for finger in ("left", "right"):
        builder.add_link(finger, parent="palm", motion="prismatic", axis=(0, 1, 0), limits=(0, 0.04))
    builder.add_driver(
        "grip", ["left", "right"], scale=[1, -1], gains=(10, 0, 1), dry_friction=0.5, viscous_friction=0.1,
        rotor_inertia=2e-4, gear_ratio=10, position=(0, 0.04), acceleration=(-1, 1),
    )
    builder.add_group("fingers", ["left", "right"])
    builder.add_named_state("open", {"left": 0.04, "right": 0.04}, "fingers")
    builder.add_end_effector("gripper", "fingers", "palm", "arm")
    builder.add_group("arm", ["palm"])
    builder.test_pairs([("left", "right")])
    builder.set_property("maker", "nobody")
    robot = builder.build()
    assert robot.groups == ["fingers", "arm"] and robot.group_dofs("fingers") == [0, 1]
    assert robot.named_config("open", "fingers").tolist() == [0.04, 0.04]
    assert robot.set_named_state("open", [0, 0], "fingers").tolist() == [0.04, 0.04]
    assert [(e.name, e.group, e.parent, e.parent_group) for e in robot.end_effectors] == [
        ("gripper", "fingers", 0, "arm")
    ]
    driver = robot.driver("grip")
    assert driver.kind == "affine" and driver.scale == [1, -1] and driver.gains == (10, 0, 1)
    assert (driver.dry_friction, driver.viscous_friction) == (0.5, 0.1)
    assert driver.reflected_inertia == pytest.approx(0.02) == robot.armature[0]
    assert driver.position == [0, 0.04] and driver.acceleration == [-1, 1]
    assert robot.properties["maker"] == "nobody"
    assert robot.self_collision_enabled("left", "right") and not robot.self_collision_enabled("palm", "left")
    state = robot.state()
    state.set_driver_velocities([0.25])
    assert state.velocity.tolist() == [0.25, -0.25] and state.driver_velocities.tolist() == [0.25]
    with pytest.raises(kw.Error, match="one link"):
        builder.add_driver("thrust", ["left", "right"], kind="translation")


def test_flat_shapes() -> None:
    triangle = kw.Geometry.triangle((0, 0, 0), (1, 0, 0), (0, 1, 0))
    square = kw.Geometry.polygon([[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]])
    segment, point = kw.Geometry.segment((0, 0, 3), (1, 0, 3)), kw.Geometry.point((0, 0, 7))
    assert triangle.distance(square) == pytest.approx(1)
    assert square.distance(segment) == pytest.approx(2) and segment.distance(point) == pytest.approx(4)
    with pytest.raises(kw.Error):
        kw.Geometry.polygon([[0, 0, 0], [1, 0, 0]])


def test_single_precision(panda: kw.Robot) -> None:
    rows = panda.sample(1, 100)
    exact = kw.batch.poses(panda, rows)
    single = kw.batch.poses_f32(panda, rows)
    assert single.dtype == np.float32 and single.shape == exact.shape
    np.testing.assert_allclose(single, exact, atol=1e-5)


def test_limits_of_a_search(arm6: kw.Robot) -> None:
    goal = kw.ik.objective("flange", pose=arm6.state([0.3, 0.4, 0.2, 0.1, 0.5, 0.2]).pose("flange"))
    narrow = [(0.25, 0.35)] + [(-3, 3)] * 5
    solution = kw.ik.solve(arm6, goal, np.full(6, 0.28), limits=narrow)
    assert solution.solved and 0.25 <= solution.q[0] <= 0.35
    away = kw.ik.solve(arm6, goal, np.full(6, 0.6), limits=[(0.55, 0.65)] * 6)
    assert not away.solved and np.all((away.q >= 0.55) & (away.q <= 0.65))
