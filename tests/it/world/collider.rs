//! The collider is a snapshot, can be shared by threads, and refuses invalid input.

use std::sync::Arc;

use kinworld::geometry::Geometry;
use kinworld::robot::{LinkMotion, RobotBuilder};
use kinworld::world::{PairFilter, RigidObject, Terrain, Workspace, WorldCollider, WorldModel};
use kinworld::{EntityId, Error, Point, Pose, Vector};

use super::{ball, block, is_invalid, names, object, shaped_link, string_of_balls, terrain};

/// A wall at x = 4 and an arm of four spheres with a reach of 3.3.
fn arm_and_wall() -> WorldModel {
    let mut world = WorldModel::new();
    world.add_robot(string_of_balls("arm", 4));
    world
        .add_terrain(terrain("wall", block([4.0, -5.0, -5.0], [5.0, 5.0, 5.0])))
        .unwrap();
    world
        .add_rigid_object(object("cup", ball(0.2), [0.0, 2.0, 0.0]))
        .unwrap();
    world
}

#[test]
fn a_frozen_world_does_not_follow_the_world() {
    let mut world = arm_and_wall();
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    assert_eq!(collider.colliding_pairs(), []);
    let arm = world.robot("arm").unwrap().id();
    world
        .rigid_object_mut("cup")
        .unwrap()
        .set_pose(&Pose::translation(3.0, 0.0, 0.0))
        .unwrap();
    world
        .robot_mut(arm)
        .unwrap()
        .set_config(&[0.0, 0.0, std::f64::consts::PI, 0.0])
        .unwrap();
    world.remove(world.terrain_id("wall").unwrap()).unwrap();
    assert_eq!(collider.colliding_pairs(), []);
    assert_eq!(collider.elements().len(), 6);

    let later = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let folded = [["arm[ball0]", "arm[ball2]"], ["arm[ball1]", "arm[ball3]"]];
    let pairs = names(&world, &later.colliding_pairs());
    assert!(pairs.contains(&folded[1].map(String::from)), "{pairs:?}");
}

#[test]
fn workspaces_move_robots_apart_from_each_other() {
    let world = arm_and_wall();
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let arm = world.robot("arm").unwrap().id();
    let quarter = std::f64::consts::FRAC_PI_2;
    let (mut here, mut there) = (collider.workspace(), collider.workspace());
    there.set_config(arm, &[quarter, 0.0, 0.0, 0.0]).unwrap();
    let cup = world.rigid_object_id("cup").unwrap();
    let touching = collider.distance_with(arm, cup, &mut there).unwrap();
    assert_eq!(
        (touching.distance.to_bits(), touching.on_a, touching.on_b),
        (0, None, None)
    );
    let apart = collider.distance_with(arm, cup, &mut here).unwrap();
    assert!((apart.distance - 1.5).abs() < 1e-12);
    assert_eq!(world.name(apart.a).unwrap(), "arm[ball0]");
    assert_eq!(collider.distance(arm, cup).unwrap(), apart);
    assert_eq!(
        collider.distance(cup, arm).unwrap().distance.to_bits(),
        apart.distance.to_bits()
    );
    for (a, b) in [
        (EntityId::from(arm), arm.into()),
        (arm.into(), apart.a),
        (apart.b, apart.b),
    ] {
        let same = collider.distance(a, b).unwrap();
        assert_eq!(
            (same.distance.to_bits(), same.on_a, same.on_b, same.a),
            (0, None, None, same.b)
        );
    }
    assert!(collider.first_collision_with(&mut there).is_some());
    assert!(collider.first_collision_with(&mut here).is_none());
    assert_eq!(here.state(arm).unwrap().config(), [0.0; 4]);
}

#[test]
fn threads_get_the_same_answers() {
    fn is_shared<T: Send + Sync + Clone + 'static>() {}
    is_shared::<WorldCollider>();
    is_shared::<Workspace>();
    is_shared::<WorldModel>();

    let world = arm_and_wall();
    let arm = world.robot("arm").unwrap();
    let configs: Vec<_> = (0..500).map(|seed| arm.sample(seed, 1.0)).collect();
    let collider = Arc::new(WorldCollider::new(&world, &PairFilter::default()).unwrap());
    let answers = |collider: &WorldCollider| {
        let mut ws = collider.workspace();
        let mut pairs = Vec::new();
        let answer = |q: &Vec<f64>| {
            ws.set_config(arm.id(), q).unwrap();
            collider.colliding_pairs_with(&mut ws, &mut pairs);
            let free = collider.first_collision_with(&mut ws).is_none();
            assert_eq!(free, pairs.is_empty());
            pairs.clone()
        };
        configs.iter().map(answer).collect::<Vec<_>>()
    };
    let alone = answers(&collider);
    assert!(alone.iter().any(Vec::is_empty) && !alone.iter().all(Vec::is_empty));
    std::thread::scope(|scope| {
        let both = [(); 2].map(|()| scope.spawn(|| answers(&collider)));
        for thread in both {
            assert_eq!(thread.join().unwrap(), alone);
        }
    });
}

#[test]
fn a_configuration_that_cannot_be_used_changes_nothing() {
    let mut world = arm_and_wall();
    let mut builder = RobotBuilder::new("cart");
    builder.add_link(shaped_link(
        "box",
        None,
        LinkMotion::Prismatic(Vector::z() * 1e10),
        ball(0.1),
    ));
    let cart = world.add_robot(builder.build().unwrap());
    let arm = world.robot("arm").unwrap().id();
    let other = world.add_robot(string_of_balls("late", 1));
    world.remove(other).unwrap();

    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let mut ws = collider.workspace();
    ws.set_config(cart, &[-3e-10]).unwrap();
    ws.set_config(arm, &[1.0; 4]).unwrap();
    let mut before = Vec::new();
    collider.colliding_pairs_with(&mut ws, &mut before);

    assert!(matches!(
        ws.set_config(arm, &[0.0; 3]),
        Err(Error::Length { expected: 4, .. })
    ));
    assert!(is_invalid(ws.set_config(arm, &[f64::NAN; 4]), "finite"));
    assert!(is_invalid(ws.set_config(cart, &[1e300]), "to 1e100"));
    assert!(is_invalid(ws.set_config(cart, &[1e150]), "to 1e100"));
    assert!(matches!(
        ws.set_config(other, &[0.0]),
        Err(Error::NotFound { .. })
    ));
    assert!(matches!(ws.state(other), Err(Error::NotFound { .. })));
    let query = collider.robot_collision_with(other, &mut ws);
    assert!(matches!(query, Err(Error::NotFound { .. })));

    assert_eq!(ws.state(arm).unwrap().config(), [1.0; 4]);
    assert_eq!(ws.state(cart).unwrap().config(), [-3e-10]);
    let mut after = Vec::new();
    collider.colliding_pairs_with(&mut ws, &mut after);
    assert_eq!(before, after);
}

#[test]
fn elements_with_a_box_that_is_not_finite_are_refused() {
    let mut world = WorldModel::new();
    let far = world.add_rigid_object(object("star", ball(1.0), [1e200, 0.0, 0.0]));
    assert!(is_invalid(far, "rigid object `star`"));
    let stars = [Pose::translation(1e99, 0.0, 0.0); 2];
    let stars = stars.map(|x| (x, ball(1.0)));
    let group = Geometry::group(vec![
        stars[0].clone(),
        (Pose::translation(1e160, 0.0, 0.0), ball(1.0)),
    ]);
    world
        .add_rigid_object(object("galaxy", group, [0.0; 3]))
        .unwrap();
    let frozen = WorldCollider::new(&world, &PairFilter::default());
    assert!(is_invalid(frozen, "rigid object `galaxy`"));
}

#[test]
fn things_without_a_shape_are_in_no_pair() {
    let mut world = arm_and_wall();
    let ghost = world.add_rigid_object(RigidObject::new("ghost")).unwrap();
    let hole = world.add_terrain(Terrain::new("hole", None)).unwrap();
    let nothing = Geometry::group(Vec::new());
    let cloud = world.add_terrain(terrain("nothing", nothing)).unwrap();
    let nothing_hides = |world: &WorldModel| {
        let found = WorldCollider::new(world, &PairFilter::default());
        matches!(found, Err(Error::MissingGeometry { .. }))
    };
    assert!(nothing_hides(&world));
    let mut builder = RobotBuilder::new("bare");
    builder.add_link(kinworld::robot::LinkSpec::new(
        "bone",
        None,
        LinkMotion::Fixed,
    ));
    let bare = world.add_robot(builder.build().unwrap());
    let filter = PairFilter::default().allow_missing_geometry();
    let collider = WorldCollider::new(&world, &filter).unwrap();
    let missing = [
        (cloud.into(), kinworld::MissingGeometry::Empty),
        (bare.into(), kinworld::MissingGeometry::NoShapes),
    ];
    assert_eq!(collider.missing_geometry(), missing);
    assert_eq!(collider.elements().len(), 6);
    let cup = world.rigid_object_id("cup").unwrap();
    assert!(!collider.is_enabled(ghost, cup));
    assert!(is_invalid(
        collider.distance(ghost, cup),
        "no collision geometry"
    ));
    assert!(is_invalid(
        collider.distance(cup, hole),
        "no collision geometry"
    ));
    assert!(is_invalid(
        collider.distance(bare, cup),
        "no collision geometry"
    ));
    assert!(is_invalid(
        collider.distance(cloud, cup),
        "no collision geometry"
    ));
    assert_eq!(collider.colliding_pairs(), []);
}

#[test]
fn a_ray_names_the_element_and_wants_a_direction() {
    let world = arm_and_wall();
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let origin = Point::new(-1.0, 0.0, 0.0);
    let hit = collider
        .ray_cast(&origin, &(Vector::x() * 1e-300))
        .unwrap()
        .unwrap();
    assert_eq!(world.name(hit.entity).unwrap(), "arm[ball0]");
    assert!((hit.hit.distance - 0.7).abs() < 1e-12);
    let hit = collider
        .ray_cast(&Point::new(3.5, 0.0, 0.0), &Vector::x())
        .unwrap()
        .unwrap();
    assert_eq!(world.name(hit.entity).unwrap(), "wall");
    assert!((hit.hit.point.x - 4.0).abs() < 1e-12);
    assert!(collider.ray_cast(&origin, &-Vector::x()).unwrap().is_none());

    assert!(is_invalid(
        collider.ray_cast(&origin, &Vector::zeros()),
        "direction"
    ));
    assert!(is_invalid(
        collider.ray_cast(&origin, &Vector::repeat(f64::NAN)),
        "direction"
    ));
    assert!(is_invalid(
        collider.ray_cast(&Point::new(f64::INFINITY, 0.0, 0.0), &Vector::x()),
        "origin"
    ));
}

#[test]
#[should_panic(expected = "another collider")]
fn a_workspace_of_another_collider_is_a_mistake_that_shows() {
    let world = arm_and_wall();
    let freeze = || WorldCollider::new(&world, &PairFilter::default()).unwrap();
    freeze().first_collision_with(&mut freeze().workspace());
}

#[test]
fn queries_that_can_fail_refuse_a_workspace_of_another_collider() {
    let world = arm_and_wall();
    let (arm, wall) = (
        world.robots().next().unwrap().id(),
        world.terrains().next().unwrap().0,
    );
    let freeze = || WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let (here, mut ws) = (freeze(), freeze().workspace());
    let refused = |result: kinworld::Result<()>| {
        let problem = result.unwrap_err().to_string();
        let name = world.robots().next().unwrap().model().name().to_owned();
        assert!(
            problem.starts_with("workspace: belongs to another collider"),
            "{problem}"
        );
        assert_eq!(
            problem.matches(&format!("of `{name}`")).count(),
            2,
            "{problem}"
        );
    };
    refused(here.robot_collision_with(arm, &mut ws).map(drop));
    refused(here.robot_collides_with(arm, &mut ws).map(drop));
    refused(here.distance_with(arm, wall, &mut ws).map(drop));
    refused(
        here.ray_cast_with(&Point::origin(), &Vector::x(), &mut ws)
            .map(drop),
    );
}

/// Ten thousand bricks in a pile, each touching its neighbours only: all pairs would be 50 million tests.
#[test]
fn neighbours_collide_in_a_large_world() {
    let mut world = WorldModel::new();
    let brick = block([0.0; 3], [1.0, 1.0, 0.875]);
    for i in 0..10_000 {
        let [x, y, z] = [i % 25, i / 25 % 25, i / 625].map(f64::from);
        let at = [1.25 * x, 1.25 * y, 0.875 * z];
        world
            .add_rigid_object(object("brick", brick.clone(), at))
            .unwrap();
    }
    let arm = world.add_robot(string_of_balls("arm", 4));
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    // 16 layers lie on each other in 625 towers: each brick touches the one 625 places later
    let bricks: Vec<EntityId> = world.rigid_objects().map(|(id, _)| id.into()).collect();
    let on_top = bricks.iter().copied().zip(bricks[625..].iter().copied());
    let pairs = collider.colliding_pairs();
    let of_bricks: Vec<_> = pairs
        .iter()
        .copied()
        .filter(|(_, b)| b.robot().is_none())
        .collect();
    assert_eq!(of_bricks, on_top.collect::<Vec<_>>());
    // the spheres of the arm at the origin are in the first bricks
    let of_arm: Vec<_> = pairs
        .iter()
        .filter(|(_, b)| b.robot() == Some(arm))
        .collect();
    assert!(of_arm.iter().any(|(a, _)| *a == bricks[0]), "{of_arm:?}");
    assert_eq!(pairs.len(), of_bricks.len() + of_arm.len());
    assert!(
        collider
            .robot_collision_with(arm, &mut collider.workspace())
            .unwrap()
            .is_some()
    );
}
