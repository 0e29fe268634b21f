//! Forward kinematics and Jacobians: the same robots and work as the peers are measured on (`tests/peers/rbd`).

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use kinworld::{LinkId, Point, Robot, State, kinematics};
use nalgebra::Matrix6xX;

/// A six-axis arm, and a chain of thirty links.
const ROBOTS: [&str; 2] = ["arm6", "snake30"];

/// Number of configurations in rotation, so that branch predictors do not learn one.
const CONFIGS: usize = 256;

fn load(name: &str) -> (Robot, Vec<Vec<f64>>) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/robots");
    let robot = Robot::load(data.join(name).with_extension("urdf")).expect("a robot of data/");
    let robot = robot.value;
    let configs = (0..CONFIGS as u64).map(|seed| kinematics::sample(&robot, seed, 1.0));
    let configs = configs.collect();
    (robot, configs)
}

/// A configuration to poses of all links.
fn fk(c: &mut Criterion) {
    let mut group = c.benchmark_group("fk");
    for name in ROBOTS {
        let (robot, configs) = load(name);
        let mut state = State::new(&robot);
        let mut configs = configs.iter().cycle();
        group.bench_function(name, |b| {
            b.iter(|| {
                let q = configs.next().expect("endless");
                state.set_config(&robot, q).expect("a configuration");
                black_box(&state);
            });
        });
    }
}

/// A configuration to poses of all links and the 6 × n Jacobian of the last one, in world axes.
fn jacobian(c: &mut Criterion) {
    let mut group = c.benchmark_group("jacobian");
    for name in ROBOTS {
        let (robot, configs) = load(name);
        let mut state = State::new(&robot);
        let tip = LinkId::new(robot.links().len() - 1);
        let mut out = Matrix6xX::zeros(robot.n_dofs());
        let mut configs = configs.iter().cycle();
        group.bench_function(name, |b| {
            b.iter(|| {
                let q = configs.next().expect("endless");
                state.set_config(&robot, q).expect("a configuration");
                kinematics::jacobian_into(&robot, &state, tip, &Point::origin(), &mut out);
                black_box(&out);
            });
        });
    }
}

criterion_group!(benches, fk, jacobian);
criterion_main!(benches);
