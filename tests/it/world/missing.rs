//! Collision geometry that should be there and is not.

use kinworld::planning::{MaskOptions, RobotCSpace, SelfCollisionMask};
use kinworld::robot::{Element, LinkMotion, LinkSpec, RobotBuilder};
use kinworld::world::{PairFilter, RigidObject, SpherizeOptions, WorldCollider, WorldModel};
use kinworld::{Error, LinkId, MissingGeometry, Result, Robot, Vector};

use super::{ball, object, shaped_link, terrain};

/// A chain of this many links with balls, of which those without `shaped` have visual balls alone.
fn chain(shaped: &[bool]) -> RobotBuilder {
    let mut builder = RobotBuilder::new("chain");
    for (i, &shaped) in shaped.iter().enumerate() {
        let parent = i.checked_sub(1);
        let motion = LinkMotion::Revolute(Vector::z());
        let mut link = shaped_link(&format!("l{i}"), parent, motion, ball(0.1));
        link.placement = kinworld::Pose::translation(1.0, 0.0, 0.0);
        if !shaped {
            link.visual = std::mem::take(&mut link.collision);
        }
        builder.add_link(link);
    }
    builder
}

fn world_of(builder: &RobotBuilder) -> WorldModel {
    let mut world = WorldModel::new();
    world.add_robot(builder.clone().build().unwrap());
    world
}

/// The names that an error lists, with their reasons.
fn refused<T: std::fmt::Debug>(found: Result<T>) -> Vec<(String, MissingGeometry)> {
    match found {
        Err(Error::MissingGeometry { elements, problem }) => {
            assert!(
                elements.iter().all(|(name, _)| problem.contains(name)),
                "{problem}"
            );
            elements
        }
        found => panic!("{found:?}"),
    }
}

fn collider(world: &WorldModel) -> Result<WorldCollider> {
    WorldCollider::new(world, &PairFilter::default())
}

#[test]
fn visual_geometry_alone_is_refused_where_a_pair_counts() {
    let mut builder = chain(&[true, true, false, true]);
    let world = world_of(&builder);
    let expected = [("chain[l2]".to_owned(), MissingGeometry::VisualOnly)];
    assert_eq!(refused(collider(&world)), expected);
    let robot = world.robot("chain").unwrap().id();
    assert_eq!(refused(RobotCSpace::new(&world, &[robot])), expected);

    // accepted, it is named
    let allowing = PairFilter::default().allow_missing_geometry();
    let frozen = WorldCollider::new(&world, &allowing).unwrap();
    assert_eq!(frozen.missing_geometry(), world.missing_geometry());
    let space = RobotCSpace::with_filter(&world, &[robot], &allowing).unwrap();
    assert_eq!(space.missing_geometry(), world.missing_geometry());
    assert!(
        collider(&world_of(&chain(&[true; 4])))
            .unwrap()
            .missing_geometry()
            .is_empty()
    );

    // its one pair that is not adjacent is with l0: without it, nothing is hidden
    let pair = (LinkId::new(0), LinkId::new(2));
    builder.self_collision.except.push(pair);
    let masked = world_of(&builder);
    assert!(collider(&masked).unwrap().missing_geometry().is_empty());
    assert_eq!(masked.missing_geometry().len(), 1);
    let [a, b] = [0, 2].map(|i| kinworld::EntityId::Link(robot, LinkId::new(i)));
    let filter = PairFilter::default().ignore_pair(a, b);
    assert!(WorldCollider::new(&world, &filter).is_ok());

    // but an obstacle counts
    let mut beside = masked.clone();
    beside.add_terrain(terrain("wall", ball(0.1))).unwrap();
    assert_eq!(refused(collider(&beside)), expected);
}

#[test]
fn a_robot_without_any_shape_is_refused_and_a_frame_is_not() {
    let mut bare = chain(&[true; 3]);
    bare.links
        .iter_mut()
        .for_each(|link| link.collision.clear());
    let world = world_of(&bare);
    let expected = [("chain".to_owned(), MissingGeometry::NoShapes)];
    assert_eq!(refused(collider(&world)), expected);

    // one body beside frames is complete
    bare.links[0].collision = vec![Element::new(ball(0.1))];
    assert!(collider(&world_of(&bare)).is_ok());
    // two links are adjacent, so that nothing can collide
    let two = {
        let mut two = chain(&[true; 2]);
        two.links.iter_mut().for_each(|link| link.collision.clear());
        two
    };
    assert!(collider(&world_of(&two)).is_ok());
}

#[test]
fn a_space_of_one_robot_asks_for_its_own_pairs_only() {
    let mut world = world_of(&chain(&[true; 3]));
    let arm = world.robot("chain").unwrap().id();
    let mut ghost = RigidObject::new("ghost");
    ghost.missing_geometry = Some(MissingGeometry::NotLoaded);
    let ghost = world.add_rigid_object(ghost).unwrap();
    world.add_terrain(terrain("wall", ball(0.1))).unwrap();
    let expected = [("ghost".to_owned(), MissingGeometry::NotLoaded)];
    assert_eq!(refused(RobotCSpace::new(&world, &[arm])), expected);
    let apart = PairFilter::default().ignore_pair(arm, ghost);
    assert!(RobotCSpace::with_filter(&world, &[arm], &apart).is_ok());
    assert_eq!(refused(WorldCollider::new(&world, &apart)), expected);

    // a shape, or the decision for none, completes it
    world.rigid_object_mut(ghost).unwrap().set_geometry(None);
    assert!(collider(&world).is_ok());
    world
        .add_rigid_object(object("cup", ball(0.1), [9.0; 3]))
        .unwrap();
    assert!(collider(&world).is_ok());
}

#[test]
fn what_is_missing_stays_missing_through_edits_and_hulls() {
    let mut builder = chain(&[true, true, true, true]);
    builder.links[3].missing_geometry = Some(MissingGeometry::LeftOut);
    let robot = builder.clone().build().unwrap();
    let missing = [(LinkId::new(3), MissingGeometry::LeftOut)];
    assert_eq!(robot.missing_geometry(), missing);
    assert_eq!(
        RobotBuilder::from(&robot)
            .build()
            .unwrap()
            .missing_geometry(),
        missing
    );
    let hulls = world_of(&builder).with_hulls().unwrap();
    assert_eq!(hulls.missing_geometry().len(), 1);
    let spheres = world_of(&builder).with_spheres(2).unwrap();
    assert_eq!(spheres.missing_geometry().len(), 1);

    // a tool fixed to the last link, with visual geometry alone, is merged into it
    let mut tool = LinkSpec::new("tool", Some(LinkId::new(3)), LinkMotion::Fixed);
    tool.visual.push(Element::new(ball(0.1)));
    let mut builder = chain(&[true; 4]);
    builder.add_link(tool);
    let (reduced, _) = builder.reduce().unwrap();
    let reduced = reduced.build().unwrap();
    let missing = [(LinkId::new(3), MissingGeometry::VisualOnly)];
    assert_eq!(reduced.missing_geometry(), missing);
    assert!(reduced.self_collision_pairs().count() == 3);

    // pairs with it are still wanted after a choice of links
    let links = [0, 2, 3].map(LinkId::new);
    let mut part = chain(&[true, true, true, false]);
    part = part.subset(&links).unwrap().0;
    assert_eq!(refused(collider(&world_of(&part))).len(), 1);
}

#[test]
fn masks_and_sphere_covers_refuse_what_is_missing() {
    let robot: Robot = chain(&[true, true, true, false]).build().unwrap();
    let options = MaskOptions::default().with_samples(10);
    assert_eq!(refused(SelfCollisionMask::learn(&robot, &options)).len(), 1);
    let allowing = options.with_allow_missing_geometry(true);
    assert!(SelfCollisionMask::learn(&robot, &allowing).is_ok());
    assert_eq!(refused(robot.spherized(4)).len(), 1);
    let allowing = SpherizeOptions::from(4).with_allow_missing_geometry(true);
    let spheres = robot.spherized(allowing).unwrap().robot;
    assert_eq!(spheres.missing_geometry(), robot.missing_geometry());
}
