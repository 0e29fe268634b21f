//! Where things are: clones, saved poses, refused values.

use kinworld::geometry::query;
use kinworld::math::{Inertia, Rotation};
use kinworld::world::{ContactParameters, RigidObject, Terrain, WorldModel};
use kinworld::{Error, Pose, Vector};

use super::{ball, is_invalid, object, string_of_balls, terrain};

fn world() -> WorldModel {
    let mut world = WorldModel::new();
    world.add_robot(string_of_balls("arm", 2));
    world
        .add_rigid_object(object("cup", ball(0.2), [0.0, 1.0, 0.0]))
        .unwrap();
    world
}

/// Klampt's copy shares the transforms of the geometries: moving the copy moves the original's.
#[test]
fn moving_a_clone_moves_no_shape_of_the_original() {
    let original = world();
    let mut copy = original.clone();
    copy.robot_mut("arm")
        .unwrap()
        .set_config(&[std::f64::consts::FRAC_PI_2, 0.0])
        .unwrap();
    copy.rigid_object_mut("cup")
        .unwrap()
        .set_pose(&Pose::translation(5.0, 0.0, 0.0))
        .unwrap();

    let collides = |world: &WorldModel, a: &str, b: &str| {
        let [a, b] = [a, b].map(|name| world.geometry(world.entity(name).unwrap()).unwrap());
        query::collides((&a.geometry, &a.pose), (&b.geometry, &b.pose)).unwrap()
    };
    assert_eq!(original.robot("arm").unwrap().config(), [0.0, 0.0]);
    let tip = |world: &WorldModel| {
        world
            .geometry(world.entity("arm[ball1]").unwrap())
            .unwrap()
            .pose
    };
    assert!((tip(&original).translation.vector - Vector::x()).norm() < 1e-15);
    assert!((tip(&copy).translation.vector - Vector::y()).norm() < 1e-15);
    assert!(!collides(&original, "arm[ball1]", "cup"));
    // in the copy the tip is where the cup was before it was moved
    assert!(!collides(&copy, "arm[ball1]", "cup"));
    copy.rigid_object_mut("cup")
        .unwrap()
        .set_pose(&original.rigid_object("cup").unwrap().pose)
        .unwrap();
    assert!(collides(&copy, "arm[ball1]", "cup"));
    assert!(!collides(&original, "arm[ball1]", "cup"));
}

#[test]
fn saved_poses_bring_everything_back() {
    let mut world = world();
    world
        .robot_mut(0)
        .unwrap()
        .set_config(&[0.3, -0.4])
        .unwrap();
    world
        .robot_mut(0)
        .unwrap()
        .set_velocity(&[1.0, 2.0])
        .unwrap();
    world
        .rigid_object_mut(0)
        .unwrap()
        .set_velocity(&Vector::x(), &Vector::y())
        .unwrap();
    let saved = world.poses();
    let mut other = self::world();
    other.set_poses(&saved).unwrap();
    assert_eq!(other.poses(), saved);
    let (here, there) = (world.robot(0).unwrap(), other.robot(0).unwrap());
    assert_eq!(there.velocity(), [1.0, 2.0]);
    assert_eq!(here.link(1).unwrap().pose(), there.link(1).unwrap().pose());
    assert_eq!(other.rigid_object(0).unwrap().velocity, Vector::y());
}

#[cfg(feature = "serde")]
#[test]
fn saved_poses_survive_json() {
    let mut world = world();
    world
        .robot_mut(0)
        .unwrap()
        .set_config(&[0.1 + 0.2, -1e-17])
        .unwrap();
    let saved = world.poses();
    let text = serde_json::to_string(&saved).unwrap();
    assert_eq!(
        serde_json::from_str::<kinworld::world::WorldPoses>(&text).unwrap(),
        saved
    );
}

#[test]
fn poses_that_do_not_fit_change_nothing() {
    let mut world = world();
    let before = world.poses();
    let mut moved = before.clone();
    moved.robots[0].state.config = vec![1.0, 1.0];
    let refused = |world: &mut WorldModel, change: &dyn Fn(&mut kinworld::world::WorldPoses)| {
        let mut poses = moved.clone();
        change(&mut poses);
        let result = world.set_poses(&poses);
        let is_refused = matches!(result, Err(Error::Invalid { .. } | Error::Length { .. }));
        assert!(is_refused, "{result:?}");
        assert_eq!(world.poses(), before);
    };
    refused(&mut world, &|poses| {
        poses.rigid_objects[0].pose.translation.x = f64::NAN
    });
    refused(&mut world, &|poses| {
        poses.rigid_objects[0].velocity.x = f64::INFINITY
    });
    refused(&mut world, &|poses| poses.rigid_objects.clear());
    refused(&mut world, &|poses| poses.robots[0].name.push('x'));
    refused(&mut world, &|poses| poses.robots[0].state.config.push(0.0));
    refused(&mut world, &|poses| {
        poses.robots[0].state.velocity[1] = f64::NAN
    });
    world.set_poses(&moved).unwrap();
    assert_eq!(world.robot(0).unwrap().config(), [1.0, 1.0]);
}

#[test]
fn a_failed_call_changes_nothing() {
    let mut world = world();
    let before = world.poses();
    let n_ids = world.klampt_ids().len();

    let mut arm = world.robot_mut("arm").unwrap();
    let is_length =
        |result: kinworld::Result<()>| matches!(result, Err(Error::Length { expected: 2, .. }));
    assert!(is_length(arm.set_config(&[1.0])));
    assert!(is_length(arm.set_config(&[])));
    assert!(is_length(arm.set_velocity(&[1.0; 3])));
    assert!(is_length(arm.set_driver_values(&[1.0; 3])));
    assert!(is_invalid(arm.set_config(&[1.0, f64::NAN]), "finite"));
    assert!(is_invalid(arm.set_dof_position(1, f64::INFINITY), "finite"));
    assert!(matches!(
        arm.set_dof_position("tip", 1.0),
        Err(Error::NotFound { .. })
    ));
    assert!(is_invalid(
        arm.set_driver_values(&[f64::NAN, 0.0]),
        "finite"
    ));

    let mut cup = world.rigid_object_mut("cup").unwrap();
    let mut nan = Pose::identity();
    nan.translation.z = f64::NAN;
    assert!(is_invalid(cup.set_pose(&nan), "rigid object `cup`"));
    let double = Rotation::from_matrix_unchecked(nalgebra::Matrix3::identity() * 2.0);
    assert!(is_invalid(
        cup.set_pose(&Pose::from_parts([0.0; 3].into(), double)),
        "rotation"
    ));
    assert!(is_invalid(
        cup.set_velocity(&Vector::x(), &Vector::repeat(f64::NAN)),
        "velocity"
    ));
    let bottomless = Inertia {
        mass: -1.0,
        ..Inertia::zero()
    };
    assert!(is_invalid(cup.set_inertia(&bottomless), "got -1"));
    let sticky = ContactParameters {
        friction: f64::NAN,
        ..ContactParameters::default()
    };
    assert!(is_invalid(cup.set_contact(&sticky), "friction"));

    assert!(is_invalid(
        world.add_rigid_object(RigidObject {
            pose: nan,
            ..RigidObject::new("ghost")
        }),
        "ghost"
    ));
    assert!(is_invalid(
        world.add_terrain(Terrain {
            friction: vec![],
            ..Terrain::new("ice", None)
        }),
        "ice"
    ));
    assert!(is_invalid(
        world.add_terrain(Terrain {
            friction: vec![-0.1],
            ..Terrain::new("ice", None)
        }),
        "ice"
    ));
    assert_eq!(world.poses(), before);
    assert_eq!(world.klampt_ids().len(), n_ids);
}

#[test]
fn objects_and_terrains_change_through_checked_setters() {
    let mut world = world();
    let floor = world.add_terrain(terrain("floor", ball(1.0))).unwrap();
    world
        .terrain_mut(floor)
        .unwrap()
        .set_friction(vec![0.1, 0.2])
        .unwrap();
    world.terrain_mut(floor).unwrap().set_geometry(None);
    assert_eq!(world.terrain(floor).unwrap().friction, [0.1, 0.2]);
    assert!(world.geometry(floor).is_none());
    assert_eq!(world.pose(floor), Some(Pose::identity()));

    let rigid = ContactParameters {
        friction: 1.0,
        restitution: 0.5,
        ..ContactParameters::default()
    };
    let mut cup = world.rigid_object_mut("cup").unwrap();
    cup.set_contact(&rigid).unwrap();
    cup.set_inertia(&Inertia {
        mass: 2.0,
        ..Inertia::zero()
    })
    .unwrap();
    cup.set_geometry(Some(ball(0.5)));
    let cup = world.rigid_object("cup").unwrap();
    assert_eq!((cup.contact, cup.inertia.mass), (rigid, 2.0));
    assert_eq!(cup.geometry, Some(ball(0.5)));
}
