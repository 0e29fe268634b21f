//! A robot cell against Klampt's numbers.

use kinworld::world::{PairFilter, WorldCollider, WorldModel};
use kinworld::{Point, Vector};
use serde_json::Value;

use crate::common::files::{data, json};
use crate::common::numbers::{index, list, number, numbers, word};

/// Klampt computes with single precision in places: its distances are good to this, m.
const TOLERANCE: f64 = 1e-6;

/// The world of a file that lists what is in it.
fn scene(path: &str) -> WorldModel {
    let path = data(path);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut world = WorldModel::new();
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let loaded = world
            .load_element(path.parent().unwrap().join(line))
            .unwrap();
        assert_eq!(loaded.diagnostics, []);
    }
    world
}

fn vector(value: &Value) -> Vector {
    Vector::from_column_slice(&numbers(value))
}

#[test]
fn klampt_sees_the_cell_in_the_same_way() {
    let golden = json(&data("golden/klampt/arm6_cell.txt.json"));
    let world = scene("scenes/arm6_cell.txt");
    let ids = world.klampt_ids();
    for (id, name) in golden["ids"].as_object().unwrap() {
        assert_eq!(ids.name(id.parse().unwrap()).unwrap(), word(name));
    }
    assert_eq!(ids.len(), golden["ids"].as_object().unwrap().len());

    let arm = world.robot(word(&golden["robot"]["name"])).unwrap().id();
    assert_eq!(ids.number(arm), Some(index(&golden["robot"]["id"])));
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let mut ws = collider.workspace();
    let mut pairs = Vec::new();
    for case in list(&golden["cases"]) {
        ws.set_config(arm, &numbers(&case["q"])).unwrap();

        collider.colliding_pairs_with(&mut ws, &mut pairs);
        let doubtful: Vec<_> = list(&case["doubtful"]).iter().map(numbers).collect();
        let certain = |pair: &Vec<f64>| !doubtful.contains(pair);
        let ours = pairs
            .iter()
            .map(|&(a, b)| [a, b].map(|e| ids.number(e).unwrap() as f64).to_vec());
        let theirs = list(&case["colliding"]).iter().map(numbers);
        let ours: Vec<_> = ours.filter(certain).collect();
        let theirs: Vec<_> = theirs.filter(certain).collect();
        assert_eq!(ours, theirs);

        for gap in list(&case["distances"]) {
            let [a, b] = [0, 1].map(|i| world.entity(word(&gap["between"][i])).unwrap());
            let found = collider.distance_with(a, b, &mut ws).unwrap();
            assert!((found.distance - number(&gap["distance"])).abs() < TOLERANCE);
            // where faces are parallel the nearest points are not unique: ours must be as far apart as they say
            let (on_a, on_b) = (found.on_a.unwrap(), found.on_b.unwrap());
            assert!(((on_a - on_b).norm() - found.distance).abs() < 1e-12);
        }

        for ray in list(&case["rays"]) {
            let (origin, direction) = (vector(&ray["origin"]), vector(&ray["direction"]));
            let found = collider
                .ray_cast_with(&Point::from(origin), &direction, &mut ws)
                .unwrap();
            match (&ray["hit"], found) {
                (Value::Null, found) => assert_eq!(found, None),
                (name, Some(found)) => {
                    assert_eq!(world.name(found.entity).unwrap(), word(name));
                    assert!(
                        (found.hit.distance - number(&ray["distance"])).abs() < TOLERANCE,
                        "{name}: {} for {ray}",
                        found.hit.distance
                    );
                    assert!((found.hit.point.coords - vector(&ray["point"])).norm() < TOLERANCE);
                }
                (name, None) => panic!("a ray misses {name}"),
            }
        }
    }
}
