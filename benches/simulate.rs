//! Steps of robots: chains of 3 to 50 links under gravity, as `tests/peers/exudyn_steps.py` gives them to Exudyn, and
//! the chain of 6 in redundant coordinates. One iteration is a hundred steps.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kinworld::math::{Inertia, so3};
use kinworld::robot::{LinkMotion, LinkSpec};
use kinworld::sim::{Integrator, KinematicTree, Method, MultibodySystem, Steps};
use kinworld::{Point, Pose, Robot, RobotBuilder, Vector};
use nalgebra::Matrix3;

/// Rods of 1 m and 2 kg, each joint rotated by a right angle about x from the one before.
fn chain(n: usize) -> Robot {
    let mut robot = RobotBuilder::new("chain");
    let mut last = None;
    for i in 0..n {
        let mut rod = LinkSpec::new(format!("rod{i}"), last, LinkMotion::Revolute(Vector::z()));
        if last.is_some() {
            let turn = so3::from_rpy([std::f64::consts::FRAC_PI_2, 0.0, 0.0]);
            rod.placement = Pose::from_parts(Vector::x().into(), turn);
        }
        rod.inertia = Inertia {
            mass: 2.0,
            com: Point::new(0.5, 0.0, 0.0),
            moment: Matrix3::from_diagonal(&Vector::new(0.01, 0.2, 0.2)),
        };
        last = Some(robot.add_link(rod));
    }
    robot.build().expect("a chain")
}

fn steps(c: &mut Criterion) {
    for (name, method) in [("rk44", Method::Rk44), ("rk67", Method::Rk67)] {
        let mut group = c.benchmark_group(format!("steps/{name}"));
        group.throughput(Throughput::Elements(STEPS as u64));
        for n in [3, 6, 20, 50] {
            let mut tree = KinematicTree::new(chain(n));
            tree.forces.gravity = Vector::new(0.0, 0.0, -9.81);
            let rest = vec![0.0; n];
            let mut integrator = Integrator::new(method, Steps::Count(STEPS)).expect("steps");
            let start = tree.initial_state(0.0, &rest, &rest).expect("a state");
            let mut state = start.clone();
            group.bench_function(n.to_string(), |b| {
                b.iter(|| {
                    state.clone_from(&start);
                    let end = STEPS as f64 * 1e-4;
                    let outcome = integrator.run(&mut tree, &mut state, end, &mut ());
                    black_box(outcome.expect("a run"));
                });
            });
        }
    }
}

/// Chain of six in redundant coordinates, as in Exudyn's redundant formulation.
fn redundant(c: &mut Criterion) {
    let mut group = c.benchmark_group("steps/redundant");
    group.throughput(Throughput::Elements(STEPS as u64));
    let (mut system, bodies) = MultibodySystem::from_robot(&chain(6)).expect("a system");
    system.gravity = Vector::new(0.0, 0.0, -9.81);
    let rest = [0.0; 6];
    let start = bodies
        .initial_state(&mut system, 0.0, &rest, &rest)
        .expect("a state");
    let mut state = start.clone();
    for (name, method) in [
        ("generalized_alpha", Method::GeneralizedAlpha { rho: 0.7 }),
        ("trapezoidal", Method::Trapezoidal),
    ] {
        let mut integrator = Integrator::new(method, Steps::Count(STEPS)).expect("steps");
        group.bench_function(name, |b| {
            b.iter(|| {
                state.clone_from(&start);
                let end = STEPS as f64 * 1e-3;
                let outcome = integrator.run(&mut system, &mut state, end, &mut ());
                black_box(outcome.expect("a run"));
            });
        });
    }
}

const STEPS: usize = 100;

criterion_group!(benches, steps, redundant);
criterion_main!(benches);
