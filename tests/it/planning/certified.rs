//! Edges with certified intervals, against their samples one by one.

use kinworld::geometry::{Geometry, Primitive};
use kinworld::planning::{CSpace, EdgeQuery, RobotCSpace};
use kinworld::robot::{Element, LinkMotion, LinkSpec, RobotBuilder};
use kinworld::world::{EntityId, PairFilter, Terrain};
use kinworld::{Point, Pose, Vector, WorldModel};

use super::{cell, random, random_free, space};

/// An arm among obstacles: alone, with an attached object, with margins, beside another arm.
fn spaces() -> Vec<(&'static str, RobotCSpace)> {
    let alone = cell();
    let mut attached = alone.world().clone();
    let arm = attached.robots().next().unwrap();
    let (id, model) = (arm.id(), arm.model().clone());
    let flange = model.link_id("flange").unwrap();
    let object = attached.rigid_object_id("crate").unwrap();
    let x_lo = Pose::new(Vector::new(0.0, 0.02, 0.12), Vector::new(0.1, 0.3, -0.2));
    let links = (0..model.links().len()).map(kinworld::LinkId::new);
    let touch = links.filter(|&link| !model.self_collision_enabled(flange, link));
    let touch: Vec<EntityId> = touch.map(|link| (id, link).into()).collect();
    attached.grasp(object, (id, flange), &x_lo, &touch).unwrap();

    let mut two = space(&["robots/arm6.urdf"]).world().clone();
    let first = two.robots().next().unwrap().id();
    let mut beside = RobotBuilder::from(&*model);
    let root = beside.links.iter_mut().find(|link| link.parent.is_none());
    let root = root.unwrap();
    root.placement = Pose::translation(0.7, 0.1, 0.0) * root.placement;
    let other = two.add_robot(beside.build().unwrap());

    let filter = PairFilter::default().with_margin_of(id, 0.02);
    vec![
        (
            "prismatic",
            space(&["robots/scara.urdf", "objects/ball.obj"]),
        ),
        (
            "margins",
            RobotCSpace::with_filter(alone.world(), &[id], &filter).unwrap(),
        ),
        ("alone", alone),
        ("attached", RobotCSpace::new(&attached, &[id]).unwrap()),
        ("two arms", RobotCSpace::new(&two, &[first, other]).unwrap()),
    ]
}

#[test]
fn edges_are_free_as_their_samples_are() {
    let mut collide = 0;
    for (name, space) in spaces() {
        let space = space.with_resolution(1.0 / 200.0).unwrap();
        let mut free = 0;
        for seed in 0..16 {
            let a = random_free(&space, seed);
            let (far, mut b) = (random(&space, seed + 500), a.clone());
            let u = [0.1, 0.3, 0.6, 1.0][seed as usize % 4];
            space.interpolate_into(&a, &far, u, &mut b);
            let is_free = space.is_edge_free(&a, &b).unwrap();
            let found = space.edge_collision(&a, &b, EdgeQuery::First).unwrap();
            assert_eq!(is_free, found.is_none(), "{name} {seed}: {found:?}");
            *(if is_free { &mut free } else { &mut collide }) += 1;
        }
        assert!(free > 3, "{name}: {free}");
    }
    assert!(collide > 3, "{collide}");
}

/// A sphere of 10 cm that translates along x and y, past another one at the origin.
fn spheres() -> RobotCSpace {
    let sphere = || Geometry::from(Primitive::sphere(Point::origin(), 0.1).unwrap());
    let mut robot = RobotBuilder::new("sphere");
    let x = LinkMotion::Prismatic(Vector::x());
    let x = robot.add_link(LinkSpec::new("x", None, x));
    let mut y = LinkSpec::new("y", Some(x), LinkMotion::Prismatic(Vector::y()));
    y.collision.push(Element::new(sphere()));
    robot.add_link(y);
    let mut world = WorldModel::new();
    let robot = world.add_robot(robot.build().unwrap());
    world
        .add_terrain(Terrain::new("sphere", Some(sphere())))
        .unwrap();
    RobotCSpace::new(&world, &[robot]).unwrap()
}

/// One sample of 512 is nearest, somewhere between the first ones that are checked.
#[test]
fn what_passes_at_a_tolerance_is_free_and_what_touches_is_not() {
    let space = spheres().with_resolution(1.0 / 512.0).unwrap();
    for exponent in 1..13 {
        let tolerance = 10.0_f64.powi(-exponent);
        for (y, expected) in [(0.2 + tolerance, true), (0.2 - tolerance, false)] {
            for first in [129.0, 201.0, 387.0] {
                let x = -first / 512.0;
                let is_free = space.is_edge_free(&[x, y], &[x + 1.0, y]).unwrap();
                assert_eq!(is_free, expected, "{y} {first}");
            }
        }
    }
}
