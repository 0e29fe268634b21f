//! Free configurations, free edges, and paths.

#![expect(clippy::float_cmp, reason = "the same numbers on two roads")]

mod active;
mod attached;
mod barriers;
mod cartesian;
mod certified;
mod checks;
mod clouds;
mod goals;
mod improve;
mod manifolds;
mod margins;
mod masks;
mod moved;
#[cfg(feature = "oxmpl")]
mod oxmpl;
mod parts;
mod paths;
mod prefilter;
mod proofs;

mod rigid_objects;
mod rings;
mod roadmaps;
mod several;
mod threads;
mod time;
mod trajectories;
mod weights;
mod workspaces;

use kinworld::WorldModel;
use kinworld::planning::{CSpace, RobotCSpace};

/// An arm, a table, and objects on it.
fn cell() -> RobotCSpace {
    space(&[
        "robots/arm6.urdf",
        "terrains/table.env",
        "objects/crate.obj",
        "objects/ball.obj",
    ])
}

/// The space of the robot in the first file, among what is in the others.
fn space(files: &[&str]) -> RobotCSpace {
    let data = crate::common::files::data("");
    let mut world = WorldModel::new();
    for file in files {
        let _ = world.load_element(data.join(file)).unwrap();
    }
    let robot = world.robots().next().unwrap().id();
    RobotCSpace::new(&world, &[robot]).unwrap()
}

/// A random configuration.
fn random(space: &RobotCSpace, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d;
    let mut uniform = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut q = space.current();
    space.sample_into(&mut uniform, &mut q);
    q
}

/// A random configuration that is free.
fn random_free(space: &RobotCSpace, seed: u64) -> Vec<f64> {
    let tries = (0..1000).map(|i| random(space, 1000 * seed + i));
    let free: Vec<_> = tries.collect();
    let is_free = |q: &&Vec<f64>| space.obstacle(q).unwrap().is_none();
    free.iter()
        .find(is_free)
        .expect("one of a thousand is free")
        .clone()
}
