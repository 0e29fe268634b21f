//! How long it takes to tell whether an arm in its cell collides: move it, then test it against itself and the world.
//!
//! The scene and the configurations are those on which `tests/peers/klampt_collide.py` times Klampt: one half collides
//! with nothing, so that every pair has to be ruled out, the other stops at the first collision.

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use kinworld::world::{PairFilter, WorldCollider, WorldModel};
use serde_json::Value;

fn collide(criterion: &mut Criterion) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
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
        let hit = collider.robot_collision_with(arm, &mut ws);
        hit.expect("the arm is in the scene").is_some()
    };

    let mut group = criterion.benchmark_group("collide");
    for (name, expected) in [("arm6_cell_free", false), ("arm6_cell_hit", true)] {
        let chosen = cases.iter().filter(|case| {
            let pairs = case["colliding"].as_array().expect("a list of pairs");
            pairs.is_empty() != expected
        });
        let configs: Vec<Vec<f64>> = chosen.map(config).collect();
        assert!(configs.iter().all(|q| is_hit(q) == expected));
        let mut turn = configs.iter().cycle();
        group.bench_function(name, |bencher| {
            bencher.iter(|| is_hit(black_box(turn.next().expect("there are configurations"))));
        });
    }
    group.finish();
}

fn config(case: &Value) -> Vec<f64> {
    let values = case["q"].as_array().expect("a configuration");
    values
        .iter()
        .map(|value| value.as_f64().expect("a number"))
        .collect()
}

criterion_group!(benches, collide);
criterion_main!(benches);
