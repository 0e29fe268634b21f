//! Collision checks of an arm in its cell: set a configuration, then test the arm against itself and the world.
//!
//! The scene and the configurations are those on which `tests/peers/klampt_collide.py` times Klampt: one half is
//! collision-free, so that every pair has to be excluded, the other stops at the first collision. The same arm among
//! more and more small boxes shows the cost of the broad phase.

use std::hint::black_box;
use std::path::Path;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use kinworld::geometry::Primitive;
use kinworld::planning::{CSpace, RobotCSpace};
use kinworld::world::{PairFilter, Terrain, WorldCollider, WorldModel};
use kinworld::{Point, Vector, kinematics};
use serde_json::Value;

fn collide(criterion: &mut Criterion) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
    let scene =
        std::fs::read_to_string(data.join("scenes/arm6_cell.txt")).expect("the scene is there");
    let mut world = WorldModel::new();
    for line in scene.lines().filter(|line| !line.starts_with('#')) {
        let loaded = world.load_element(data.join("scenes").join(line));
        assert!(loaded.expect("the scene loads").diagnostics.is_empty());
    }
    let golden = std::fs::read_to_string(data.join("golden/klampt/arm6_cell.txt.json"));
    let golden: Value =
        serde_json::from_str(&golden.expect("the numbers are there")).expect("they are JSON");
    let cases = golden["cases"].as_array().expect("a list of cases");

    let arm = world.robot("arm6").expect("the arm is in the scene").id();
    let collider =
        WorldCollider::new(&world, &PairFilter::default()).expect("the scene can be frozen");
    let mut ws = collider.workspace();
    let mut is_hit = |q: &[f64]| {
        ws.set_config(arm, q).expect("a configuration of the arm");
        let hit = collider.robot_collides_with(arm, &mut ws);
        hit.expect("the arm is in the scene")
    };

    let mut group = criterion.benchmark_group("collide");
    for (name, expected) in [("arm6_cell_free", false), ("arm6_cell_hit", true)] {
        let chosen = cases.iter().filter(|case| {
            let pairs = case["colliding"].as_array().expect("a list of pairs");
            pairs.is_empty() != expected
        });
        let configs: Vec<Vec<f64>> = chosen.map(config).collect();
        assert!(configs.iter().all(|q| is_hit(q) == expected));
        let mut next = configs.iter().cycle();
        group.bench_function(name, |bencher| {
            bencher.iter(|| is_hit(black_box(next.next().expect("there are configurations"))));
        });
    }
    group.finish();
}

/// The arm in collision-free configurations among a number of boxes of a few centimetres.
fn crowd(criterion: &mut Criterion) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
    let arm = WorldModel::load(data.join("robots/arm6.urdf")).expect("the arm loads");
    let mut group = criterion.benchmark_group("crowd");
    for n in [4, 16, 64, 256, 1024] {
        let mut world = arm.value.clone();
        for i in 0..n {
            let half = Vector::repeat(0.02);
            let cube = Primitive::aabb(position(i) - half, position(i) + half).expect("a box");
            let cube = Terrain::new(format!("box {i}"), Some(cube.into()));
            world.add_terrain(cube).expect("a new name");
        }
        let arm = world.robot("arm6").expect("the arm");
        let (id, model) = (arm.id(), arm.model());
        let space = RobotCSpace::new(&world, &[id]).expect("a space");
        let configs = (0..).map(|seed| kinematics::sample(model, seed, 1.0));
        let free: Vec<Vec<f64>> = configs
            .filter(|q| space.is_free(q).expect("a configuration"))
            .take(300)
            .collect();
        let mut next = free.iter().cycle();
        group.bench_function(BenchmarkId::from_parameter(n), |bencher| {
            bencher
                .iter(|| space.is_free(black_box(next.next().expect("there are configurations"))));
        });
    }
    group.finish();
}

/// Position of a box: a low-discrepancy sequence of multiples of an irrational number's powers.
fn position(i: u32) -> Point {
    let steps = [0.819_172_513_4, 0.671_043_606_7, 0.549_700_477_9];
    Point::from(steps.map(|step: f64| 3.0 * (step * f64::from(i)).fract() - 1.5))
}

fn config(case: &Value) -> Vec<f64> {
    let values = case["q"].as_array().expect("a configuration");
    values
        .iter()
        .map(|value| value.as_f64().expect("a number"))
        .collect()
}

criterion_group!(benches, collide, crowd);
criterion_main!(benches);
