//! Convex parts in place of meshes: what is free with them is free without them, and more than with hulls.

use kinworld::geometry::{PartOptions, Shape};
use kinworld::kinematics;
use kinworld::world::{EntityId, PairFilter, WorldCollider};
use kinworld::{Error, WorldModel};

use crate::common::files::data;

/// Counts free configurations with parts and with hulls, and those that are free with the meshes.
pub(crate) fn check(world: &WorldModel, n: u64) -> [usize; 3] {
    let options = PartOptions::default();
    let worlds = [
        world.clone(),
        world.with_convex_parts(&options).unwrap(),
        world.with_hulls().unwrap(),
    ];
    let robot = world.robots().next().unwrap();
    let colliders = worlds
        .each_ref()
        .map(|w| WorldCollider::new(w, &PairFilter::default()).unwrap());
    let mut free = [0; 3];
    for seed in 0..n {
        let q = kinematics::sample(robot.model(), seed, 1.0);
        let pairs: [Vec<(EntityId, EntityId)>; 3] = colliders.each_ref().map(|collider| {
            let mut ws = collider.workspace();
            ws.set_config(robot.id(), &q).unwrap();
            let mut pairs = Vec::new();
            collider.colliding_pairs_with(&mut ws, &mut pairs);
            pairs
        });
        for (inner, outer) in [(0, 1), (1, 2)] {
            let held = pairs[inner].iter().all(|pair| pairs[outer].contains(pair));
            assert!(held, "{q:?}: {:?} {:?}", pairs[inner], pairs[outer]);
        }
        for (free, pairs) in free.iter_mut().zip(&pairs) {
            *free += usize::from(pairs.is_empty());
        }
    }
    free
}

#[test]
fn what_is_free_with_parts_is_free_with_meshes() {
    let mut world = WorldModel::load(data("robots/arm6.urdf")).unwrap().value;
    for file in ["terrains/shelf.env", "objects/bracket.obj"] {
        assert!(world.load_element(data(file)).is_ok());
    }
    let free = check(&world, 150);
    assert!(
        free[0] >= free[1] && free[1] >= free[2] && free[1] > 0,
        "{free:?}"
    );

    let parts = world.with_convex_parts(&PartOptions::default()).unwrap();
    let (_, object) = parts.rigid_objects().next().unwrap();
    let Some(geometry) = &object.geometry else {
        panic!("the bracket has a shape")
    };
    assert!(matches!(geometry.shape(), Shape::Group(members) if members.len() > 1));
    // terrains stay
    let shape = |world: &WorldModel| world.terrains().next().unwrap().1.geometry.clone();
    assert_eq!(shape(&parts), shape(&world));
    let none = world.with_convex_parts(&PartOptions::default().with_max_parts(0));
    assert!(matches!(none, Err(Error::Invalid { .. })));
}
