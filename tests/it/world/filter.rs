//! Which pairs count.

use kinworld::robot::{JointKind, LinkMotion, LinkSpec, RobotBuilder};
use kinworld::world::{EntityId, PairFilter, RobotId, WorldCollider, WorldModel};
use kinworld::{Error, LinkId, Pose, Vector};

use super::{ball, block, object, shaped_link, string_of_balls, terrain};

/// Everything on one spot: two terrains, two objects and two arms whose first balls are there too.
fn heap() -> WorldModel {
    let mut world = WorldModel::new();
    for name in ["floor", "wall"] {
        world.add_terrain(terrain(name, ball(0.1))).unwrap();
    }
    for name in ["cup", "can"] {
        world
            .add_rigid_object(object(name, ball(0.1), [0.0; 3]))
            .unwrap();
    }
    for name in ["left", "right"] {
        world.add_robot(string_of_balls(name, 3));
    }
    world
}

fn pairs(world: &WorldModel, filter: &PairFilter) -> Vec<String> {
    let collider = WorldCollider::new(world, filter).unwrap();
    let mut words = Vec::new();
    for (a, b) in collider.pairs() {
        assert!(collider.is_enabled(a, b) && collider.is_enabled(b, a));
        words.push(format!(
            "{}-{}",
            world.name(a).unwrap(),
            world.name(b).unwrap()
        ));
    }
    words
}

#[test]
fn the_pairs_are_those_of_the_documentation() {
    let world = heap();
    let all = pairs(&world, &PairFilter::default().with_mounts());
    // 2 × 2 terrain–object, 1 object–object, 4 × 6 with links, 3 × 3 between the robots, 1 within each
    assert_eq!(all.len(), 4 + 1 + 24 + 9 + 2);
    for pair in [
        "floor-cup",
        "cup-can",
        "floor-left[ball0]",
        "can-right[ball2]",
        "left[ball1]-right[ball1]",
        "left[ball0]-left[ball2]",
    ] {
        assert!(all.contains(&pair.to_owned()), "{pair}");
    }
    for pair in [
        "floor-wall",
        "floor-floor",
        "cup-cup",
        "left[ball0]-left[ball1]",
    ] {
        assert!(!all.contains(&pair.to_owned()), "{pair}");
    }

    // the first balls of both arms touch both terrains where they were put up
    let without = pairs(&world, &PairFilter::default());
    let mounts: Vec<_> = all.iter().filter(|pair| !without.contains(pair)).collect();
    assert_eq!(
        mounts,
        [
            "floor-left[ball0]",
            "floor-right[ball0]",
            "wall-left[ball0]",
            "wall-right[ball0]"
        ]
    );
}

#[test]
fn ignored_elements_and_pairs_are_left_out() {
    let world = heap();
    let id = |name: &str| world.entity(name).unwrap();
    let filter = || PairFilter::default().with_mounts();
    let all = pairs(&world, &filter());
    let without = |filter: &PairFilter| {
        let kept = pairs(&world, filter);
        all.iter()
            .filter(|pair| !kept.contains(pair))
            .cloned()
            .collect::<Vec<_>>()
    };

    assert_eq!(
        without(&filter().ignore_pair(id("can"), id("floor"))),
        ["floor-can"]
    );
    assert_eq!(
        without(&filter().ignore_pair(id("left"), id("left"))),
        ["left[ball0]-left[ball2]"]
    );
    let of_cup = without(&filter().ignore(id("cup")));
    assert_eq!(of_cup.len(), 2 + 1 + 6);
    assert!(of_cup.iter().all(|pair| pair.contains("cup")));
    let of_left = without(&filter().ignore(id("left")));
    assert_eq!(of_left.len(), 4 * 3 + 9 + 1);
    assert_eq!(
        without(&filter().ignore_pair(id("right"), id("left"))).len(),
        9
    );
    let tip = without(&filter().ignore_pair(id("right[ball2]"), id("left")));
    assert_eq!(
        tip,
        [
            "left[ball0]-right[ball2]",
            "left[ball1]-right[ball2]",
            "left[ball2]-right[ball2]"
        ]
    );
}

#[test]
fn a_filter_that_names_nothing_of_this_world_is_refused() {
    let mut world = heap();
    let cup = world.rigid_object_id("cup").unwrap();
    let left = world.robot("left").unwrap().id();
    let filter = PairFilter::default().ignore_pair(left, (left, LinkId::new(3)));
    assert!(matches!(
        WorldCollider::new(&world, &filter),
        Err(Error::NotFound { .. })
    ));
    world.remove(cup).unwrap();
    let filter = PairFilter::default().ignore(cup);
    assert!(matches!(
        WorldCollider::new(&world, &filter),
        Err(Error::NotFound { .. })
    ));
}

/// A door of a floor, a frame and a hinge that stands on the first and in the second, as in Klampt's `pushdoor.xml`.
fn door(motion: LinkMotion, kind: JointKind) -> (WorldModel, RobotId) {
    let mut builder = RobotBuilder::new("door");
    let hinge = builder.add_link(shaped_link(
        "hinge",
        None,
        motion,
        block([-0.05, -0.05, 0.0], [0.05, 0.05, 2.0]),
    ));
    builder.add_joint(kind, hinge, None);
    let mut world = WorldModel::new();
    world
        .add_terrain(terrain("floor", block([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0])))
        .unwrap();
    world
        .add_terrain(terrain(
            "frame",
            block([-0.2, -0.1, 0.0], [-0.04, 0.1, 2.0]),
        ))
        .unwrap();
    world
        .add_terrain(terrain("stop", block([0.5, -0.1, 0.0], [0.6, 0.1, 2.0])))
        .unwrap();
    let id = world.add_robot(builder.build().unwrap());
    (world, id)
}

#[test]
fn a_robot_does_not_collide_with_what_it_is_mounted_on() {
    for (motion, kind) in [
        (LinkMotion::Revolute(Vector::z()), JointKind::Normal),
        (LinkMotion::Revolute(Vector::z()), JointKind::Weld),
    ] {
        let (world, _) = door(motion, kind);
        let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
        assert_eq!(collider.colliding_pairs(), []);
        let strict = WorldCollider::new(&world, &PairFilter::default().with_mounts()).unwrap();
        assert_eq!(strict.colliding_pairs().len(), 2);
    }
}

/// Klampt never tests a link without a parent against a terrain.
#[test]
fn a_root_link_collides_with_terrains_that_it_moves_into() {
    let (world, door) = door(LinkMotion::Prismatic(Vector::x()), JointKind::Normal);
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let mut ws = collider.workspace();
    ws.set_config(door, &[0.5]).unwrap();
    let hit = collider.first_collision_with(&mut ws);
    let stop = world.terrain_id("stop").unwrap();
    assert_eq!(
        hit,
        Some((stop.into(), EntityId::Link(door, LinkId::new(0))))
    );
}

#[test]
fn mounts_follow_from_the_initial_configuration_wherever_the_robot_is_now() {
    let (mut world, door) = door(LinkMotion::Prismatic(Vector::x()), JointKind::Normal);
    world.robot_mut(door).unwrap().set_config(&[0.5]).unwrap();
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    assert_eq!(collider.colliding_pairs().len(), 1);
}

#[test]
fn what_is_bolted_to_the_base_is_mounted_too_and_what_moves_is_not() {
    let slab = || block([-0.5, -0.5, -0.1], [0.5, 0.5, 0.1]);
    let mut builder = RobotBuilder::new("arm");
    let mut world_link = LinkSpec::new("world", None, LinkMotion::Fixed);
    world_link.placement = Pose::identity();
    builder.add_link(world_link);
    builder.add_link(shaped_link("base", Some(0), LinkMotion::Fixed, slab()));
    builder.add_link(shaped_link(
        "foot",
        Some(1),
        LinkMotion::Revolute(Vector::z()),
        slab(),
    ));
    builder.add_link(shaped_link(
        "toe",
        Some(2),
        LinkMotion::Revolute(Vector::z()),
        slab(),
    ));
    builder.add_joint(JointKind::Weld, LinkId::new(2), None);
    builder.add_joint(JointKind::Normal, LinkId::new(3), None);
    let mut world = WorldModel::new();
    let floor = world
        .add_terrain(terrain("floor", block([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0])))
        .unwrap();
    let arm = world.add_robot(builder.build().unwrap());
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    assert_eq!(
        collider.colliding_pairs(),
        [(floor.into(), EntityId::Link(arm, LinkId::new(3)))]
    );
}
