//! A whole scene through `query`, against Klampt's numbers for it.

use std::path::Path;

use serde_json::{Value, json};

use crate::common::{ask, data};

/// The answers about the scene to some requests.
#[track_caller]
fn ask_cell(requests: &[Value]) -> Vec<Value> {
    let scene = std::fs::read_to_string(data("scenes/arm6_cell.txt")).expect("the scene");
    let files = scene
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    let files: Vec<String> = files
        .map(|line| Path::new("data/scenes").join(line).display().to_string())
        .collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let lines: Vec<String> = requests.iter().map(Value::to_string).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    ask(&files, &lines)
}

/// What Klampt says about the scene.
fn golden() -> Value {
    let path = data("golden/klampt/arm6_cell.txt.json");
    let text = std::fs::read_to_string(path).expect("golden numbers");
    serde_json::from_str(&text).expect("JSON")
}

/// Klampt's cases, and our answers to some requests about each.
fn cases(requests: impl Fn(&Value) -> Vec<Value>) -> Vec<(Value, Vec<Value>)> {
    let golden = golden();
    let cases = golden["cases"].as_array().expect("cases");
    let asked: Vec<Vec<Value>> = cases.iter().map(requests).collect();
    let mut answers = ask_cell(&asked.concat()).into_iter();
    let of_case = cases.iter().zip(asked);
    of_case
        .map(|(case, asked)| (case.clone(), answers.by_ref().take(asked.len()).collect()))
        .collect()
}

#[test]
fn ids_are_those_of_klampt() {
    let golden = golden();
    let info = &ask_cell(&[json!({"op": "info"})])[0];

    let word = |value: &Value| value.as_str().expect("a name").to_owned();
    let mut named: Vec<(Value, String)> = Vec::new();
    for kind in ["terrains", "rigid_objects", "robots"] {
        for thing in info[kind].as_array().expect("a list") {
            let name = word(&thing["name"]);
            for link in thing["links"].as_array().into_iter().flatten() {
                named.push((
                    link["id"].clone(),
                    format!("{name}[{}]", word(&link["name"])),
                ));
            }
            named.push((thing["id"].clone(), name));
        }
    }
    assert_eq!(named.len(), golden["ids"].as_object().expect("ids").len());
    for (id, name) in named {
        assert_eq!(golden["ids"][id.to_string()], json!(name), "{id}");
    }
}

#[test]
fn colliding_pairs_are_those_of_klampt() {
    let collide = |case: &Value| vec![json!({"op": "collide", "q": case["q"]})];
    let mut seen = 0;
    for (case, answers) in cases(collide) {
        let answer = &answers[0];
        let doubtful = case["doubtful"].as_array().expect("pairs");
        let sure = |pairs: &Value| -> Vec<Value> {
            let pairs = pairs.as_array().expect("pairs").iter();
            pairs
                .filter(|pair| !doubtful.contains(pair))
                .cloned()
                .collect()
        };
        assert_eq!(
            sure(&answer["ids"]),
            sure(&case["colliding"]),
            "at {}",
            case["q"]
        );

        let pairs = answer["pairs"].as_array().expect("pairs").len();
        assert_eq!(pairs, answer["ids"].as_array().expect("ids").len());
        seen += pairs;
    }
    assert!(seen > 0, "some of the cases collide");
}

/// Klampt keeps vertices as float32: distances agree to 1e-6 m.
#[test]
fn distances_are_those_of_klampt() {
    let distances = |case: &Value| {
        let distances = case["distances"].as_array().expect("a list");
        let request = |distance: &Value| {
            let [a, b] = [&distance["between"][0], &distance["between"][1]];
            json!({"op": "distance", "q": case["q"], "robot": "arm6", "a": a, "b": b})
        };
        distances.iter().map(request).collect()
    };
    for (case, answers) in cases(distances) {
        for (expected, answer) in case["distances"]
            .as_array()
            .into_iter()
            .flatten()
            .zip(answers)
        {
            let [d, e] = [&answer, expected].map(|v| v["distance"].as_f64().expect("a number"));
            assert!((d - e).abs() < 1e-6, "{expected}: {answer}");

            // the points that it names are that far apart
            let point =
                |value: &Value| serde_json::from_value::<[f64; 3]>(value.clone()).expect("a point");
            let (a, b) = (point(&answer["on_a"]), point(&answer["on_b"]));
            let apart = (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
            assert!((apart - d).abs() < 1e-12, "{answer}");
        }
    }
}

/// The robot is the nearest of its links, in either order, by name or by number.
#[test]
fn a_robot_is_as_far_as_its_nearest_link() {
    let q = json!([0, 0.3, 0.2, 0, 0.4, 0]);
    let request = |a: Value, b: Value| json!({"op": "distance", "q": q, "a": a, "b": b});
    let mut requests = vec![
        request(json!("crate"), json!("arm6")),
        request(json!(8), json!(4)),
    ];
    requests.extend((9..15).map(|link| request(json!(link), json!("crate"))));
    let answers = ask_cell(&requests);
    let distance = |answer: &Value| answer["distance"].as_f64().expect("a number");
    let links = answers[2..].iter().map(distance);
    let least = links.fold(f64::INFINITY, f64::min);
    for answer in &answers[..2] {
        assert!((distance(answer) - least).abs() < 1e-12, "{answer}");
    }
    assert_eq!(answers[0]["on_a"], answers[1]["on_b"]);
}

#[test]
fn what_overlaps_is_at_distance_0_without_points() {
    // straight out and down: the forearm is in the table
    let q = [0.0, 1.5, 0.5, 0.0, 0.0, 0.0];
    let answer = &ask_cell(&[json!({"op": "distance", "a": "table", "b": "arm6", "q": q})])[0];
    let pair = ["table", "arm6[forearm]"];
    let expected = json!({"ok": true, "distance": 0.0, "on_a": null, "on_b": null, "normal": null, "pair": pair});
    assert_eq!(*answer, expected);
}

#[test]
fn everything_overlaps_itself_and_a_robot_its_links() {
    let pairs = [
        ("table", "table"),
        ("arm6", "arm6"),
        ("arm6", "arm6[wrist]"),
        ("arm6[wrist]", "arm6[wrist]"),
    ];
    let requests = pairs.map(|(a, b)| json!({"op": "distance", "a": a, "b": b}));
    for (answer, pair) in ask_cell(&requests).iter().zip(pairs) {
        assert_eq!(answer["distance"], json!(0.0), "{pair:?}");
        for absent in ["on_a", "on_b", "normal"] {
            assert_eq!(answer[absent], json!(null), "{pair:?}");
        }
        assert_eq!(answer["pair"][0], answer["pair"][1], "{pair:?}");
    }
}

/// The crate is 0.08 m high and stands 0.2 mm above a table of 0.2 m.
#[test]
fn a_ray_hits_the_first_element() {
    let request = |origin: [f64; 3], z: f64| json!({"op": "ray", "origin": origin, "direction": [0.0, 0.0, z]});
    let answers = ask_cell(&[
        request([0.7, 0.25, 1.0], -0.5),
        request([0.7, 0.25, 0.24], 1.0),
        request([0.7, 0.25, 1.0], 0.001),
        request([0.0, 0.0, 1.0], -1.0),
    ]);
    let expect = |answer: &Value, hit: &str, distance: f64, height: f64| {
        assert_eq!(answer["hit"], json!(hit));
        let found = answer["distance"].as_f64().expect("a number");
        assert!((found - distance).abs() < 1e-9, "{answer}");
        let point: [f64; 3] = serde_json::from_value(answer["point"].clone()).expect("a point");
        assert!((point[2] - height).abs() < 1e-9, "{answer}");
    };
    expect(&answers[0], "crate", 1.0 - 0.2802, 0.2802);
    assert_eq!(answers[0]["normal"], json!([0.0, 0.0, 1.0]));
    // from inside: back faces count
    expect(&answers[1], "crate", 0.2802 - 0.24, 0.2802);
    let none = json!({"ok": true, "hit": null, "point": null, "distance": null, "normal": null});
    assert_eq!(answers[2], none);
    assert_eq!(answers[3]["hit"], json!("arm6[upper_arm]"));
}
