"""`repr`s and tables of all classes."""

from __future__ import annotations

import inspect
import re
import tempfile
import warnings
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinworld as kw
from kinworld import _core, contact, dh, ik, sim, wrench

DATA = Path(__file__).parents[2] / "data"
MODULES = ("batch", "contact", "dh", "ik", "io", "se3", "sim", "so3", "wrench")
HOSTILE = "<img src=x onerror='alert(1)'>&\"</td>"


def classes() -> list[type]:
    """All classes of the compiled module."""
    modules = [_core, *(getattr(_core, name) for name in MODULES)]
    return [value for module in modules for value in vars(module).values() if inspect.isclass(value)]


def instances() -> Iterator[tuple[Any, str]]:
    """An instance of each class, with what its `repr` has to contain."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kw.LoadWarning)
        cell = kw.load(DATA / "worlds/cell.xml")
        gripper = kw.Robot.load(DATA / "robots/gripper.rob")
    arm = kw.Robot.load(DATA / "robots/arm6.urdf")
    world = kw.load(DATA / "robots/arm6.urdf", DATA / "terrains/table.env", DATA / "objects/crate.obj")
    box = kw.Geometry.box((1, 2, 0.5))
    state = arm.state([0, 0.5, 0, 0, 0, 0], [0, 0, 2, 0, 0, 0])
    collider, space = world.collider(), world.space()
    start, goal = [0.0] * 6, [1, 0.3, 0, 0, 0, 0]
    upright = ik.objective("flange", axis=((0, 0, 1), (0, 0, 1)))
    feet = [contact.ContactPoint(p, (0, 0, 1), 0.5) for p in ((0, 0, 0), (0.3, 0, 0), (0, 0.4, 0))]
    parameters = dh.Parameters.standard(theta=0.1, d=0.2, a=0.3, alpha=0.4)
    row = dh.DhRow("j1", parameters)
    frames = wrench.Frames(state)
    builder = arm.builder()
    builder.add_group("arm", ["flange"])
    builder.add_group("tool", ["flange"])
    builder.add_end_effector("hand", "tool", "wrist", "arm")
    free = world.copy()
    world.attach("crate", world.entity("arm6[flange]"))
    hit = collider.ray_cast((0.6, 0, 2), (0, 0, -1))
    assert hit is not None
    colored = URDF.format(name="c").replace('<link name="l0">', COLORED)
    appearance = next(found for found in load(colored).links[-2].appearances if found is not None)

    path = kw.GeometricPath.blended([[0, 0], [3, 0], [3, 4]], 0.01)
    limits = kw.MotionLimits(2).with_velocity([1, 1]).with_acceleration([2, 2])

    yield arm, "Robot 'arm6': 6 dofs, 7 links"
    yield path, "3 pieces of 2 dofs, length 7"
    yield limits, "MotionLimits: 2 dofs"
    yield path.time_optimal(limits), "2 dofs, 7.83"
    yield kw.CartesianPath(6, np.eye(4)).moved((0, 0, 0.2)), "1 piece, length 0.2"
    yield closed().loop_closures[0], "'tip' .spherical."
    yield arm.links[1], "arm6"
    yield arm.joints[0], "revolute|normal"
    yield arm.limits, "Limits of 'arm6': 6 dofs: .* to "
    yield state, r"State of 'arm6' at \[0, 0.5, .*velocity \[0, 0, 2"
    yield builder, "RobotBuilder 'arm6'"
    yield builder.reduce()[1], "links"
    yield builder.build().end_effectors[0], "'hand'"
    yield gripper.drivers[0], "Driver '"
    yield kw.DriverSpace(gripper), "dofs"
    yield kw.SubRobot(arm, [0, 1]), "arm6"
    yield kw.SelfCollisionMask.learn(arm, samples=20), "pairs tested"
    yield cell, r"World: 2 robots, \d+ rigid objects, \d+ terrains"
    yield cell.robots, r"Robots\(\['arm', 'reacher'\]\)"
    yield cell.robots[0], r"Robot 'arm' of a world: 6 dofs, \d+ links, at \["
    yield cell.rigid_objects, "'crate'"
    yield cell.rigid_objects["crate"], r"'crate' .* kg, .* at \("
    yield cell.terrains, "'table'"
    yield cell.terrains["table"], r"'table' of a world: mesh of \d+ triangles, "
    yield cell.poses(), "'arm', 'reacher'.*'crate'"
    yield world.entity("table"), "'table'"
    yield world.attachments[0], "'crate'"
    yield collider, "1 robot, 1 rigid object, 1 terrain; .* pairs"
    yield collider.distance("crate", "table"), "'crate' to 'table'"
    yield hit, "Hit: '.*' at .* m"
    yield space, "6 dofs, resolution .*'arm6'"
    yield space.constrained(upright), "equations"
    yield kw.Octree(0.1), "Octree: 0 nodes, 0.1 m"
    yield kw.RoadMap(space), "RoadMap: 0 milestones, 0 edges"
    pair = kw.load(DATA / "robots/arm6.urdf")
    pair.add(pair.placed(kw.se3.from_translation((1.3, 0, 0))))
    one = kw.MotionLimits.of(arm).with_acceleration([5] * 6)
    found = pair.space().plan_prioritized(start * 2, goal * 2, kw.MotionLimits.joined([one, one]))
    yield found, r"PrioritizedPlan: in the order \[.*\], 0 failed orders"
    yield found.motion, "JointMotion: 2 robots, 12 dofs, "
    yield free.object_space("crate", [(0, 1.5), (-1, 1), (0, 1)]), "'crate'"
    yield space.plan(start, goal, seed=1), r"Plan: \d+ configurations of 6 dofs, "
    yield space.prove_edge(start, start), "Proof: "
    yield kw.Trajectory([0, 1, 2.5], [start, goal, start]), "3 milestones of 6 dofs, 0 s to 2.5 s"
    yield box, "box 1 x 2 x 0.5 m"
    yield box.contacts(kw.Geometry.sphere(0.2))[0], "depth"
    yield appearance, "0.5"
    yield kw.Inertia(2.5, (0, 0, 1), np.eye(3)), "2.5 kg"
    yield kw.RigidObject("cube", box, mass=3), "'cube': 3 kg, box 1 x 2 x 0.5 m"
    yield kw.Terrain("hill", kw.Geometry.sphere(2)), "'hill': sphere of radius 2 m"
    yield kw.LoadOptions(strict=True, base="fixed"), r"LoadOptions\(strict=True, base='fixed'\)"
    yield load(URDF.format(name="a")).builder().check()[0], "Diagnostic"
    yield kw.Camera(np.eye(4), (320, 240)), "320 x 240"
    yield kw.CameraSensor(world, kw.Camera(np.eye(4), (64, 48)), noise=(0.1, 0.2)), r"64 x 48 pixels, noise 0.1 \+ 0.2 z\^2 m"
    yield world.render(size=(16, 12)), "16 x 12"
    yield feet[0], "0.5"
    yield contact.FrictionCone((0, 0, 2), 0.7), r"normal \(0, 0, 1\), friction 0.7"
    yield contact.equilibrium(feet, [0, 0, 0, 0, 0, -10], (0.1, 0.1, 1)), "holds"
    yield contact.robot_equilibrium(state, []), "fails|holds"
    yield contact.support_polygon(feet), r"4 corners: \("
    yield parameters, "theta=0.1"
    yield row, "'j1'"
    yield dh.DhTable("chain", [row]), "'chain': 1 row"
    yield ik.objective("flange", position=(0.4, 0.1, 0.5)), r"link 'flange', position \(0.4, 0.1, 0.5\)"
    yield ik.solve(arm, ik.objective("flange", position=(0.4, 0.1, 0.5))), r"Solution: reached at \["
    down = ik.velocity_task("flange", linear=(0, 0, -1))
    yield down, "link 'flange', level 0"
    yield ik.velocity(state, [down]), r"VelocitySolution: \[.*\], 0 violated constraints"
    yield kw.io.Srdf.parse('<robot name="arm6"/>'), "'arm6'"
    yield sim.MultibodySystem(), "0 bodies"
    yield sim.PlanarBody(1, 1), "gravity"
    yield sim.simulate(arm, 0.01, sensors=["energy"]), r"Recording: \d+ rows to 0.01 s, columns 'time', 'energy"
    yield sim.simulate(arm, 0.01, sensors=["energy"]).plot("energy_total"), "Plot: 'energy_total'"
    yield sim.Sensor("tip", "flange", "position"), "'tip': position"
    yield frames, "'arm6'"
    yield frames.add(np.eye(4)), "Frame"
    yield frames.wrench(force=(1, 2, 3)), "AppliedWrench"
    yield wrench.balance(frames, "flange"), "'flange'"
    yield wrench.Segment("thigh", 0.4, 7), "'thigh': 0.4 m, 7 kg"


URDF = """<robot name="{name}"><link name="l0"><inertial><mass value="1"/>
  <inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="{name}_l1"/><joint name="{name}_j" type="revolute"><parent link="l0"/><child link="{name}_l1"/>
  <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="5" velocity="2"/></joint></robot>"""


COLORED = """<link name="l0"><visual><geometry><sphere radius="1"/></geometry>
  <material name="amber"><color rgba="1 0.5 0 1"/></material></visual>"""


def closed() -> kw.Robot:
    """Two links whose tip is held to the world."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", kw.LoadWarning)
        file = Path(folder) / "loop.mjcf"
        file.write_text(LOOP)
        return kw.Robot.load(file)


LOOP = """<mujoco model="loop"><worldbody><body name="a"><joint name="x"/><geom size="0.1"/>
  <body name="b" pos="1 0 0"><joint name="y"/><geom size="0.1"/></body></body></worldbody>
  <equality><connect name="tip" body1="b" anchor="0 0 0"/></equality></mujoco>"""


def load(urdf: str) -> kw.Robot:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kw.LoadWarning)
        return kw.Robot.from_urdf(urdf)


def test_every_class_has_a_repr_that_says_something() -> None:
    seen = set()
    for value, wanted in instances():
        text = repr(value)
        seen.add(type(value))
        assert " object at 0x" not in text and "builtins" not in text, text
        assert re.search(wanted, text), f"{text!r} lacks {wanted!r}"
        assert len(text) < 400 and "\n" not in text.replace("<AppliedWrench", ""), text
    assert set(classes()) - seen == set(), "classes without an instance in this test"


class Tags(HTMLParser):
    """All tags of a text, and whether they close in order."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert attrs == []
        self.found.add(tag)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def tags(html: str) -> Tags:
    parser = Tags()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser


def hostile_world() -> kw.World:
    builder = kw.RobotBuilder(HOSTILE)
    builder.add_link(HOSTILE, motion="revolute", limits=(-1, 1), inertia=kw.Inertia.sphere(1, 1))
    world = kw.World()
    world.add(builder.build())
    world.add(kw.RigidObject(HOSTILE, kw.Geometry.sphere(1), mass=1), HOSTILE + "1")
    world.add(kw.Terrain(HOSTILE, kw.Geometry.box((1, 1, 1))), HOSTILE + "2")
    return world


def test_names_are_text_in_tables() -> None:
    world = hostile_world()
    robot = world.robots[0].robot
    recording = sim.simulate(robot, 0.01, sensors=[sim.Sensor(HOSTILE, 0, "position")])
    with pytest.raises(kw.LoadError) as problem, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kw.Robot.from_urdf(f"<robot name='a'><link name='{HOSTILE.replace('<', '&lt;').split(chr(39))[0]}'/><joint/></robot>")
    for shown in (world, robot, robot.limits, recording, robot.builder().check(), problem.value.diagnostics):
        html = shown._repr_html_()  # type: ignore[attr-defined]
        found = tags(html)
        assert found.found <= {"p", "b", "table", "tr", "th", "td"}, html
    for shown in (world, robot, robot.limits, recording):
        assert HOSTILE[:12] in tags(shown._repr_html_()).text


def test_tables_have_the_numbers(arm6: kw.Robot) -> None:
    limits = tags(arm6.limits._repr_html_()).text
    for name, upper in zip(arm6.dof_names, arm6.limits.upper):
        assert name in limits and f"{upper:.4f}".rstrip("0").rstrip(".") in limits
    plan = kw.Trajectory([0, 1.5], [[0.25, 1], [2, 3]])
    assert "1.5 s" in plan._repr_html_() and "0.25, 1" in plan._repr_html_()
    long = kw.Trajectory(list(range(1000)), np.arange(1000)[:, None])._repr_html_()
    assert long.count("<tr>") == 201 and "800 more" in long


def test_lists_of_diagnostics_are_lists() -> None:
    found = load(URDF.format(name="a")).builder().check()
    assert isinstance(found, list) and len(found) == 1 and found[0].element is not None
    assert found[0].message in tags(found._repr_html_()).text.replace("&#39;", "'")  # type: ignore[attr-defined]
