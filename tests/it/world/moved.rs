//! Rigid objects that move in a workspace, against the same world with the objects put there and frozen anew.

use kinworld::world::{
    EntityId, PairFilter, RigidObject, RigidObjectId, RobotId, Workspace, WorldCollider, WorldModel,
};
use kinworld::{Error, LinkId, Point, Pose, Vector};

use super::brute_force::{Random, brute_force_pairs, shaped};
use super::{ball, block, is_invalid, names, object, string_of_balls, terrain};
use crate::without_allocation::settled;

fn objects(world: &WorldModel) -> Vec<RigidObjectId> {
    world.rigid_objects().map(|(id, _)| id).collect()
}

fn robots(world: &WorldModel) -> Vec<RobotId> {
    world.robots().map(|robot| robot.id()).collect()
}

/// Puts an object of a world and of a workspace elsewhere.
fn put(world: &mut WorldModel, ws: &mut Workspace, id: RigidObjectId, pose: &Pose) {
    world.rigid_object_mut(id).unwrap().set_pose(pose).unwrap();
    ws.set_pose(id, pose).unwrap();
}

fn pairs_of(collider: &WorldCollider, ws: &mut Workspace) -> Vec<(EntityId, EntityId)> {
    let mut pairs = Vec::new();
    collider.colliding_pairs_with(ws, &mut pairs);
    pairs
}

/// Asks a workspace all there is to ask, and a collider of the world as it is now the same.
fn compare(world: &WorldModel, collider: &WorldCollider, ws: &mut Workspace, random: &mut Random) {
    let now = WorldCollider::new(world, &PairFilter::default()).unwrap();
    let mut there = now.workspace();

    let pairs = pairs_of(collider, ws);
    assert_eq!(
        names(world, &pairs),
        names(world, &pairs_of(&now, &mut there))
    );
    let first = collider.first_collision_with(ws);
    assert!(first.map_or(pairs.is_empty(), |pair| pairs.contains(&pair)));

    for id in robots(world) {
        let moves = |e: EntityId| world.carrier(e).is_some_and(|(robot, _)| robot == id);
        let mut of_robot = pairs.iter().filter(|(a, b)| moves(*a) || moves(*b));
        match collider.robot_collision_with(id, ws).unwrap() {
            Some(pair) => assert!(of_robot.any(|&other| other == pair)),
            None => assert_eq!(of_robot.next(), None),
        }
        assert_eq!(
            collider.clearance_with(&[id], ws).unwrap(),
            now.clearance_with(&[id], &mut there).unwrap()
        );
    }
    let shaped = shaped(world);
    for _ in 0..30 {
        let [a, b] = [(); 2].map(|()| shaped[random.below(shaped.len())]);
        assert_eq!(
            collider.distance_with(a, b, ws).unwrap(),
            now.distance_with(a, b, &mut there).unwrap()
        );
        let (origin, direction) = (Point::from(random.vector(2.0)), random.vector(5.0));
        assert_eq!(
            collider.ray_cast_with(&origin, &direction, ws).unwrap(),
            now.ray_cast_with(&origin, &direction, &mut there).unwrap()
        );
    }
    for id in objects(world) {
        // what is held goes through the pose of its link
        let apart = ws.pose(id).unwrap().inverse() * world.rigid_object(id).unwrap().pose;
        assert!((apart.to_homogeneous() - nalgebra::Matrix4::identity()).norm() < 1e-12);
    }
}

#[test]
fn many_objects_that_move_collide_as_every_pair_says() {
    let mut random = Random::new(77);
    let mut world = random.world(150);
    let ids = objects(&world);
    let frozen = world.clone();
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let mut ws = collider.workspace();
    let mut n_pairs = 0;
    // all of them, one by one, some back, some of them again, then most of them back
    for (round, count) in [150, 1, 0, 2, 30, 100, 1, 150, 3, 300, 1]
        .into_iter()
        .enumerate()
    {
        for k in 0..count {
            let id = ids[if count == ids.len() {
                k
            } else {
                random.below(ids.len())
            }];
            let goes_back = round == 9 || (count < 150 && random.below(4) == 0);
            let pose = if goes_back {
                frozen.rigid_object(id).unwrap().pose
            } else {
                random.pose(2.0)
            };
            put(&mut world, &mut ws, id, &pose);
        }
        let expected = brute_force_pairs(&world);
        let pairs = pairs_of(&collider, &mut ws);
        assert_eq!(
            names(&world, &pairs),
            names(&world, &expected),
            "round {round}"
        );
        assert_eq!(
            pairs_of(&collider, &mut ws),
            pairs,
            "asked again in round {round}"
        );
        let first = collider.first_collision_with(&mut ws);
        assert!(first.map_or(pairs.is_empty(), |pair| pairs.contains(&pair)));
        for id in robots(&world) {
            let moves = |e: EntityId| world.carrier(e).is_some_and(|(robot, _)| robot == id);
            let expected = pairs.iter().any(|(a, b)| moves(*a) || moves(*b));
            assert_eq!(collider.robot_collides_with(id, &mut ws).unwrap(), expected);
        }
        n_pairs += pairs.len();
    }
    assert!(n_pairs > 100, "hardly anything collides: {n_pairs}");
}

#[test]
fn an_object_that_moved_is_where_a_world_frozen_anew_has_it() {
    let mut n_pairs = 0;
    for seed in 500..508 {
        let mut random = Random::new(seed);
        let mut world = random.world(40);
        let ids = objects(&world);
        let hand = |robot, link| EntityId::Link(robot, LinkId::new(link));
        let [first, .., last] = robots(&world)[..] else {
            panic!("there are three robots")
        };
        world.attach(ids[3], hand(first, 6), &[]).unwrap();
        world
            .attach(ids[11], hand(last, 2), &[ids[12].into()])
            .unwrap();
        let free = |id: &&RigidObjectId| ![ids[3], ids[11]].contains(id);
        let free: Vec<_> = ids.iter().filter(free).copied().collect();

        let frozen = world.clone();
        let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
        let (before, mut ws) = (collider.colliding_pairs(), collider.workspace());
        for _ in 0..4 {
            for _ in 0..random.below(12) {
                let id = free[random.below(free.len())];
                let pose = random.pose(1.0);
                put(&mut world, &mut ws, id, &pose);
            }
            // some go back
            for _ in 0..3 {
                let id = free[random.below(free.len())];
                let pose = frozen.rigid_object(id).unwrap().pose;
                put(&mut world, &mut ws, id, &pose);
            }
            for id in robots(&world) {
                let q = random.config(world.robot(id).unwrap().model());
                world.robot_mut(id).unwrap().set_config(&q).unwrap();
                ws.set_config(id, &q).unwrap();
            }
            compare(&world, &collider, &mut ws, &mut random);
            n_pairs += pairs_of(&collider, &mut ws).len();
        }

        // neither the collider nor another workspace has seen any of it
        assert_eq!(collider.colliding_pairs(), before);
        compare(&frozen, &collider, &mut collider.workspace(), &mut random);

        // and all of it can be taken back
        for &id in &free {
            let pose = frozen.rigid_object(id).unwrap().pose;
            put(&mut world, &mut ws, id, &pose);
        }
        for id in robots(&world) {
            let q = frozen.robot(id).unwrap().state().config().to_vec();
            ws.set_config(id, &q).unwrap();
        }
        assert_eq!(pairs_of(&collider, &mut ws), before);
    }
    assert!(n_pairs > 500, "only {n_pairs} pairs");
}

/// Every pair, one by one: what does not ask the collider at all.
#[test]
fn a_crowd_that_moved_is_judged_as_every_pair_is() {
    let mut random = Random::new(510);
    let mut world = random.world(120);
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let mut ws = collider.workspace();
    for share in [3, 1] {
        for id in objects(&world).into_iter().step_by(share) {
            let pose = random.pose(1.5);
            put(&mut world, &mut ws, id, &pose);
        }
        let expected = brute_force_pairs(&world);
        assert!(expected.len() > 100);
        assert_eq!(
            names(&world, &pairs_of(&collider, &mut ws)),
            names(&world, &expected)
        );
    }
}

#[test]
fn an_object_that_cannot_be_moved_stays() {
    let mut world = WorldModel::new();
    let arm = world.add_robot(string_of_balls("arm", 3));
    world
        .add_terrain(terrain(
            "floor",
            block([-9.0, -9.0, -2.0], [9.0, 9.0, -1.0]),
        ))
        .unwrap();
    let cup = world
        .add_rigid_object(object("cup", ball(0.2), [0.0, 2.0, 0.0]))
        .unwrap();
    let tool = world
        .add_rigid_object(object("tool", ball(0.1), [2.5, 0.0, 0.0]))
        .unwrap();
    let ghost = world.add_rigid_object(RigidObject::new("ghost")).unwrap();
    let lost = world.add_rigid_object(RigidObject::new("lost")).unwrap();
    world.remove(lost).unwrap();
    let tip = world.robot(arm).unwrap().link("ball2").unwrap().entity();
    world.attach(tool, tip, &[]).unwrap();

    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let mut ws = collider.workspace();
    let here = Pose::translation(1.0, 0.0, 0.0);
    ws.set_pose(cup, &here).unwrap();
    let before = pairs_of(&collider, &mut ws);
    assert_eq!(names(&world, &before), [["cup", "arm[ball1]"]]);

    let refused = ws.set_pose(lost, &here);
    assert!(matches!(refused, Err(Error::NotFound { .. })));
    assert!(matches!(ws.pose(lost), Err(Error::NotFound { .. })));
    assert!(is_invalid(ws.set_pose(tool, &here), "robot `arm`"));
    assert!(is_invalid(ws.set_pose(ghost, &here), "`ghost`"));
    assert!(is_invalid(ws.pose(ghost), "no collision geometry"));
    for at in [f64::NAN, f64::INFINITY] {
        let nowhere = Pose::translation(at, 0.0, 0.0);
        assert!(is_invalid(ws.set_pose(cup, &nowhere), "not finite"));
    }
    let mut mirrored = here;
    mirrored.rotation = kinworld::math::Rotation::from_matrix_unchecked(
        nalgebra::Matrix3::from_diagonal(&Vector::new(1.0, 1.0, -1.0)),
    );
    assert!(is_invalid(ws.set_pose(cup, &mirrored), "rotation"));
    let far = Pose::translation(1e200, 0.0, 0.0);
    assert!(is_invalid(ws.set_pose(cup, &far), "`cup`: is out of range"));

    assert_eq!(ws.pose(cup).unwrap(), here);
    assert_eq!(pairs_of(&collider, &mut ws), before);

    // what is held goes with the robot
    ws.set_config(arm, &[std::f64::consts::FRAC_PI_2, 0.0, 0.0])
        .unwrap();
    let taken = ws.pose(tool).unwrap().translation.vector;
    assert!((taken - Vector::new(0.0, 2.5, 0.0)).norm() < 1e-12);
}

#[test]
fn objects_move_and_are_asked_about_without_allocation() {
    let mut random = Random::new(520);
    let mut world = random.world(40);
    let ids = objects(&world);
    let arm = robots(&world)[0];
    let tip = EntityId::Link(arm, LinkId::new(6));
    world.attach(ids[0], tip, &[]).unwrap();
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let (mut ws, mut pairs) = (collider.workspace(), Vec::new());
    let home = ws.pose(ids[1]).unwrap();
    let poses: Vec<_> = ids[1..].iter().map(|_| random.pose(1.0)).collect();
    settled("set_pose", || {
        for (&id, pose) in ids[1..].iter().zip(&poses) {
            ws.set_pose(id, pose).unwrap();
        }
        ws.set_pose(ids[1], &home).unwrap();
    });
    settled("colliding_pairs_with", || {
        collider.colliding_pairs_with(&mut ws, &mut pairs);
    });
    settled("first_collision_with", || {
        assert!(collider.first_collision_with(&mut ws).is_some());
    });
    settled("robot_collision_with", || {
        collider.robot_collision_with(arm, &mut ws).unwrap();
    });
    settled("distance_with", || {
        collider.distance_with(arm, ids[2], &mut ws).unwrap();
    });
    settled("clearance_with", || {
        collider.clearance_with(&[arm], &mut ws).unwrap();
    });
    settled("ray_cast_with", || {
        collider
            .ray_cast_with(&Point::origin(), &Vector::x(), &mut ws)
            .unwrap();
    });
}
