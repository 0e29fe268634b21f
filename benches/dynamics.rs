//! Inverse dynamics, mass matrix and forward dynamics: the same robots and work as the peers are measured on
//! (`tests/peers/rbd`). Each call gets a new configuration and velocity, so that poses are part of the work.

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use kinworld::dynamics::{self, ForwardDynamicsDerivatives, InverseDynamicsDerivatives, Workspace};
use kinworld::{Robot, State, Vector, kinematics};
use nalgebra::DMatrix;

/// A six-axis arm, and a chain of thirty links.
const ROBOTS: [&str; 2] = ["arm6", "snake30"];

/// Number of configurations in rotation, so that branch predictors do not learn one.
const CONFIGS: usize = 256;

const GRAVITY: Vector = Vector::new(0.0, 0.0, -9.81);

/// A robot, and `calls` on one configuration and velocity after the other.
fn each(c: &mut Criterion, group: &str, mut call: impl FnMut(&Robot, &State, &mut Memory)) {
    let mut group = c.benchmark_group(group);
    for name in ROBOTS {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/robots");
        let file = data.join(name).with_extension("urdf");
        let robot = Robot::load(file).expect("a robot of data/").value;
        let configs: Vec<Vec<f64>> = (0..CONFIGS as u64)
            .map(|seed| kinematics::sample(&robot, seed, 1.0))
            .collect();
        let mut memory = Memory::new(&robot);
        let mut state = State::new(&robot);
        let mut configs = configs.iter().cycle();
        group.bench_function(name, |b| {
            b.iter(|| {
                let q = configs.next().expect("endless");
                state.set_config(&robot, q).expect("a configuration");
                state.set_velocity(&robot, q).expect("a velocity");
                call(&robot, &state, &mut memory);
                black_box(&memory);
            });
        });
    }
}

/// What the calls write into.
struct Memory {
    ws: Workspace,
    input: Vec<f64>,
    output: Vec<f64>,
    matrix: DMatrix<f64>,
    inverse: InverseDynamicsDerivatives,
    forward: ForwardDynamicsDerivatives,
}

impl Memory {
    fn new(robot: &Robot) -> Self {
        let n = robot.n_dofs();
        Self {
            ws: Workspace::new(robot),
            input: kinematics::sample(robot, CONFIGS as u64, 1.0),
            output: vec![0.0; n],
            matrix: DMatrix::zeros(n, n),
            inverse: InverseDynamicsDerivatives::zeros(robot),
            forward: ForwardDynamicsDerivatives::zeros(robot),
        }
    }
}

fn rnea(c: &mut Criterion) {
    each(c, "rnea", |robot, state, memory| {
        let Memory {
            ws, input, output, ..
        } = memory;
        dynamics::inverse_dynamics_into(robot, state, &GRAVITY, input, ws, output)
            .expect("an acceleration");
    });
}

fn crba(c: &mut Criterion) {
    each(c, "crba", |robot, state, memory| {
        dynamics::mass_matrix_into(robot, state, &mut memory.ws, &mut memory.matrix);
    });
}

fn aba(c: &mut Criterion) {
    each(c, "aba", |robot, state, memory| {
        let Memory {
            ws, input, output, ..
        } = memory;
        dynamics::forward_dynamics_into(robot, state, &GRAVITY, input, ws, output)
            .expect("links with masses");
    });
}

fn minverse(c: &mut Criterion) {
    each(c, "minverse", |robot, state, memory| {
        dynamics::mass_matrix_inverse_into(robot, state, &mut memory.ws, &mut memory.matrix)
            .expect("links with masses");
    });
}

fn rnea_derivatives(c: &mut Criterion) {
    each(c, "rnea_derivatives", |robot, state, memory| {
        let Memory {
            ws, input, inverse, ..
        } = memory;
        dynamics::inverse_dynamics_derivatives_into(robot, state, &GRAVITY, input, ws, inverse)
            .expect("an acceleration");
    });
}

fn aba_derivatives(c: &mut Criterion) {
    each(c, "aba_derivatives", |robot, state, memory| {
        let Memory {
            ws, input, forward, ..
        } = memory;
        dynamics::forward_dynamics_derivatives_into(robot, state, &GRAVITY, input, ws, forward)
            .expect("links with masses");
    });
}

criterion_group!(
    benches,
    rnea,
    crba,
    aba,
    minverse,
    rnea_derivatives,
    aba_derivatives
);
criterion_main!(benches);
