//! Kinematics and dynamics of many configurations at once, beside one at a time; the unit is one configuration.
//!
//! `KINWORLD_SIMD=baseline`, `avx2` or `avx512` chooses the instructions. A batch is small enough for one thread.

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kinworld::{LinkId, Point, Pose, Robot, State, Vector, batch, dynamics, kinematics};
use nalgebra::{DMatrix, Matrix6xX};

/// A six-axis arm, and a chain of thirty links.
const ROBOTS: [&str; 2] = ["arm6", "snake30"];

const CONFIGS: usize = 256;

const GRAVITY: Vector = Vector::new(0.0, 0.0, -9.81);

fn load(name: &str) -> (Robot, Vec<f64>) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/robots");
    let robot = Robot::load(data.join(name).with_extension("urdf")).expect("a robot of data/");
    let robot = robot.value;
    let configs = (0..CONFIGS as u64).flat_map(|seed| kinematics::sample(&robot, seed, 1.0));
    let configs = configs.collect();
    (robot, configs)
}

/// Configurations to poses of the last link, and to poses of all links.
fn fk(c: &mut Criterion) {
    for name in ROBOTS {
        let (robot, configs) = load(name);
        let all: Vec<LinkId> = (0..robot.links().len()).map(LinkId::new).collect();
        let tip = &all[all.len() - 1..];
        let mut group = c.benchmark_group(format!("fk/{name}"));
        group.throughput(Throughput::Elements(CONFIGS as u64));
        for (links, what) in [(tip, "last"), (&all[..], "all")] {
            let mut ws = batch::Workspace::new(&robot);
            let mut out = vec![Pose::identity(); CONFIGS * links.len()];
            group.bench_function(format!("batch, {what}"), |b| {
                b.iter(|| {
                    batch::poses_into(&robot, &configs, links, &mut ws, &mut out)
                        .expect("configurations");
                    black_box(&out);
                });
            });
            let mut state = State::new(&robot);
            group.bench_function(format!("one at a time, {what}"), |b| {
                b.iter(|| {
                    let outs = out.chunks_exact_mut(links.len());
                    for (q, out) in configs.chunks_exact(robot.n_dofs()).zip(outs) {
                        state.set_config(&robot, q).expect("a configuration");
                        for (pose, &link) in out.iter_mut().zip(links) {
                            *pose = state.pose(&robot, link);
                        }
                    }
                    black_box(&out);
                });
            });
        }
    }
}

/// Random configurations.
fn sample(c: &mut Criterion) {
    for name in ROBOTS {
        let (robot, mut configs) = load(name);
        let mut group = c.benchmark_group(format!("sample/{name}"));
        group.throughput(Throughput::Elements(CONFIGS as u64));
        group.bench_function("batch", |b| {
            b.iter(|| {
                batch::sample_into(&robot, 7, 1.0, &mut configs).expect("whole configurations");
                black_box(&configs);
            });
        });
        group.bench_function("one at a time", |b| {
            b.iter(|| {
                for seed in 0..CONFIGS as u64 {
                    black_box(kinematics::sample(&robot, seed, 1.0));
                }
            });
        });
    }
}

/// Configurations to 6 × n Jacobians of the last link, in world axes.
fn jacobian(c: &mut Criterion) {
    for name in ROBOTS {
        let (robot, configs) = load(name);
        let n = robot.n_dofs();
        let tip = LinkId::new(robot.links().len() - 1);
        let point = Point::origin();
        let mut group = c.benchmark_group(format!("jacobian/{name}"));
        group.throughput(Throughput::Elements(CONFIGS as u64));
        let mut ws = batch::Workspace::new(&robot);
        let mut out = vec![0.0; CONFIGS * 6 * n];
        group.bench_function("batch", |b| {
            b.iter(|| {
                batch::jacobians_into(&robot, &configs, tip, &point, &mut ws, &mut out)
                    .expect("configurations");
                black_box(&out);
            });
        });
        let mut state = State::new(&robot);
        let mut out = Matrix6xX::zeros(n);
        group.bench_function("one at a time", |b| {
            b.iter(|| {
                for q in configs.chunks_exact(n) {
                    state.set_config(&robot, q).expect("a configuration");
                    kinematics::jacobian_into(&robot, &state, tip, &point, &mut out);
                    black_box(&out);
                }
            });
        });
    }
}

/// Configurations to mass matrices.
fn crba(c: &mut Criterion) {
    for name in ROBOTS {
        let (robot, configs) = load(name);
        let n = robot.n_dofs();
        let mut group = c.benchmark_group(format!("crba/{name}"));
        group.throughput(Throughput::Elements(CONFIGS as u64));
        let mut ws = batch::Workspace::new(&robot);
        let mut out = vec![0.0; CONFIGS * n * n];
        group.bench_function("batch", |b| {
            b.iter(|| {
                batch::mass_matrices_into(&robot, &configs, &mut ws, &mut out)
                    .expect("configurations");
                black_box(&out);
            });
        });
        let (mut state, mut ws) = (State::new(&robot), dynamics::Workspace::new(&robot));
        let mut out = DMatrix::zeros(n, n);
        group.bench_function("one at a time", |b| {
            b.iter(|| {
                for q in configs.chunks_exact(n) {
                    state.set_config(&robot, q).expect("a configuration");
                    dynamics::mass_matrix_into(&robot, &state, &mut ws, &mut out);
                    black_box(&out);
                }
            });
        });
    }
}

/// Inverse dynamics, bias forces and forward dynamics; velocities and forces are the numbers of the configurations.
fn forces(c: &mut Criterion) {
    for name in ROBOTS {
        let (robot, x) = load(name);
        let n = robot.n_dofs();
        let mut group = c.benchmark_group(format!("forces/{name}"));
        group.throughput(Throughput::Elements(CONFIGS as u64));
        let mut ws = batch::Workspace::new(&robot);
        let mut out = vec![0.0; CONFIGS * n];
        group.bench_function("rnea, batch", |b| {
            b.iter(|| {
                batch::inverse_dynamics_into(&robot, &x, &x, &x, &GRAVITY, &mut ws, &mut out)
                    .expect("motions");
                black_box(&out);
            });
        });
        group.bench_function("bias, batch", |b| {
            b.iter(|| {
                batch::bias_forces_into(&robot, &x, &x, &GRAVITY, &mut ws, &mut out)
                    .expect("motions");
                black_box(&out);
            });
        });
        group.bench_function("aba, batch", |b| {
            b.iter(|| {
                batch::forward_dynamics_into(&robot, &x, &x, &x, &GRAVITY, &mut ws, &mut out)
                    .expect("motions");
                black_box(&out);
            });
        });

        let (mut state, mut ws) = (State::new(&robot), dynamics::Workspace::new(&robot));
        group.bench_function("rnea, one at a time", |b| {
            b.iter(|| {
                for (x, out) in x.chunks_exact(n).zip(out.chunks_exact_mut(n)) {
                    state.set_config(&robot, x).expect("a configuration");
                    state.set_velocity(&robot, x).expect("a velocity");
                    dynamics::inverse_dynamics_into(&robot, &state, &GRAVITY, x, &mut ws, out)
                        .expect("a motion");
                }
                black_box(&out);
            });
        });
        group.bench_function("aba, one at a time", |b| {
            b.iter(|| {
                for (x, out) in x.chunks_exact(n).zip(out.chunks_exact_mut(n)) {
                    state.set_config(&robot, x).expect("a configuration");
                    state.set_velocity(&robot, x).expect("a velocity");
                    dynamics::forward_dynamics_into(&robot, &state, &GRAVITY, x, &mut ws, out)
                        .expect("a motion");
                }
                black_box(&out);
            });
        });
    }
}

criterion_group!(benches, fk, sample, jacobian, crba, forces);
criterion_main!(benches);
