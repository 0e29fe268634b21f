//! Objects that move in a space, against the space of a world that has them there.

use kinworld::geometry::Geometry;
use kinworld::planning::{CSpace, EdgeQuery, RobotCSpace};
use kinworld::world::{RigidObject, RigidObjectId};
use kinworld::{Error, Pose, Vector, WorldModel};

use super::prefilter::yard;
use super::{cell, random};
use crate::common::random::Random;

/// Makes a space of a world.
type Make<'a> = &'a dyn Fn(&WorldModel) -> RobotCSpace;

/// An arm among terrains, with the shapes of some of them as objects, too.
fn world() -> WorldModel {
    let mut world = yard(cell().world());
    let of = |world: &WorldModel, i: usize| -> Geometry {
        let (_, terrain) = world.terrains().nth(i).unwrap();
        terrain.geometry.clone().unwrap()
    };
    for i in 0..4 {
        let mut object = RigidObject::new(format!("copy {i}"));
        object.geometry = Some(of(&world, i));
        world.add_rigid_object(object).unwrap();
    }
    world
}

fn ids(world: &WorldModel) -> Vec<RigidObjectId> {
    world.rigid_objects().map(|(id, _)| id).collect()
}

/// Checks configurations and edges in both, and counts the configurations that are free and those that are not.
fn compare(name: &str, moved: &RobotCSpace, anew: &RobotCSpace, seed: u64) -> [usize; 2] {
    let n = moved.n_dofs();
    let rows: Vec<f64> = (0..40)
        .flat_map(|i| random(moved, 100 * seed + i))
        .collect();
    let (mut ours, mut expected) = ([false; 40], [false; 40]);
    moved.are_free(&rows, &mut ours).unwrap();
    anew.are_free(&rows, &mut expected).unwrap();
    assert_eq!(ours, expected, "{name}");
    let rows: Vec<&[f64]> = rows.chunks_exact(n).collect();
    for (i, w) in rows.windows(2).enumerate() {
        assert_eq!(moved.is_free(w[0]).unwrap(), ours[i], "{name}");
        let [one, other] = [moved, anew].map(|space| {
            let (free, found) = (
                space.is_edge_free(w[0], w[1]).unwrap(),
                space.edge_collision(w[0], w[1], EdgeQuery::First).unwrap(),
            );
            (
                free,
                found.map(|found| found.t),
                space.clearance(w[0]).unwrap(),
            )
        });
        assert_eq!(one, other, "{name}");
    }
    let free = ours.iter().filter(|&&free| free).count();
    [free, ours.len() - free]
}

#[test]
fn a_space_whose_objects_move_answers_as_one_that_has_them_there() {
    let start = world();
    let robot = start.robots().next().unwrap().id();
    let of = |world: &WorldModel| RobotCSpace::new(world, &[robot]).unwrap();
    let prefiltered = |world: &WorldModel| of(world).with_sphere_prefilter(4).unwrap();
    let spheres = |world: &WorldModel| of(&world.with_spheres(4).unwrap());
    let kinds: [(&str, Make<'_>); 3] = [
        ("shapes", &of),
        ("pre-filter", &prefiltered),
        ("spheres", &spheres),
    ];
    for (name, make) in kinds {
        let (mut world, mut space, mut random) = (start.clone(), make(&start), Random::new(7));
        let ids = ids(&world);
        let (mut free, mut not, mut changed) = (0, 0, 0);
        for round in 0..6 {
            for _ in 0..2 {
                let id = ids[random.below(ids.len())];
                let pose = Pose::new(random.vector() * 0.5, random.vector() * 3.0);
                world.rigid_object_mut(id).unwrap().set_pose(&pose).unwrap();
                space.set_pose(id, &pose).unwrap();
                assert_eq!(space.world().rigid_object(id).unwrap().pose, pose);
            }
            let [are, are_not] = compare(name, &space, &make(&world), round);
            (free, not) = (free + are, not + are_not);
            let before = make(&start);
            for i in 0..40 {
                let q = self::random(&space, 100 * round + i);
                changed += usize::from(before.is_free(&q).unwrap() != space.is_free(&q).unwrap());
            }
        }
        // else nothing would show that objects move
        assert!(
            free > 10 && not > 10 && changed > 0,
            "{name}: {free} {not} {changed}"
        );

        // clones have them there, spheres that are fitted later too, and all goes back
        compare(
            name,
            &space.clone().with_sphere_prefilter(3).unwrap(),
            &make(&world),
            6,
        );
        for (id, object) in start.rigid_objects() {
            space.set_pose(id, &object.pose).unwrap();
        }
        compare(name, &space, &make(&start), 7);
    }
}

#[test]
fn an_object_in_the_foot_of_a_robot_leaves_nothing_free_until_it_is_gone() {
    let mut world = world();
    let robot = world.robots().next().unwrap().id();
    let id = ids(&world)[3];
    let before = world.rigid_object(id).unwrap().pose;
    let mut space = RobotCSpace::new(&world, &[robot])
        .unwrap()
        .with_sphere_prefilter(4)
        .unwrap();
    let q = super::random_free(&space, 1);
    let foot = Pose::new(-Vector::new(0.1, -0.6, 0.5), Vector::zeros());
    space.set_pose(id, &foot).unwrap();
    assert!(!space.is_free(&q).unwrap());
    world.rigid_object_mut(id).unwrap().set_pose(&foot).unwrap();
    compare(
        "foot",
        &space,
        &RobotCSpace::new(&world, &[robot]).unwrap(),
        8,
    );

    // refused, and nothing changes
    let bad = Pose::new(Vector::new(f64::NAN, 0.0, 0.0), Vector::zeros());
    assert!(matches!(
        space.set_pose(id, &bad),
        Err(Error::Invalid { .. })
    ));
    assert_eq!(space.world().rigid_object(id).unwrap().pose, foot);
    assert!(!space.is_free(&q).unwrap());
    space.set_pose(id, &before).unwrap();
    assert!(space.is_free(&q).unwrap());
}
