//! `simulate --degrees`: tables in degrees.

use serde_json::{Value, json};

use crate::common::{run, scratch};

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("a number, not {value}"))
}

#[test]
fn tables_follow_degrees_and_name_joints_as_motions_do() {
    let robot = "data/robots/arm6.urdf";
    let folder = scratch("simulate/degrees.txt", "");
    let table = |name: &str| folder.replace("degrees.txt", name);
    let simulate = |output: &str, angle: &str, more: &[&str]| {
        let start = format!("axis1={angle}");
        let args = ["simulate", robot, "--duration", "0.02", "--output", output];
        let output = run(&[&args[..], &["--config", &start], more].concat());
        assert_eq!(output.code, 0, "{}", output.stderr);
        output.stdout
    };
    let (in_degrees, in_radians) = (table("deg.csv"), table("rad.csv"));
    let text = simulate(&in_degrees, "45", &["--degrees"]);
    assert!(text.contains("q_axis1 [deg]     45.000000"), "{text}");
    simulate(&in_radians, "0.7853981633974483", &[]);
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    let (deg, rad) = (read(&in_degrees), read(&in_radians));
    assert!(deg.starts_with("time,q_axis1 [deg],") && deg.contains(",dq_axis6 [deg/s]\n"));
    assert!(rad.starts_with("time,q_axis1,") && rad.contains(",dq_axis6\n"));

    // both are the same motion for `wrench`, and so is one with the names of links
    let wrenches = |motion: &str| {
        let output = run(&["wrench", robot, "--motion", motion, "--link", "flange"]);
        assert_eq!(output.code, 0, "{}", output.stderr);
        assert_eq!(output.stderr, "");
        let words = output
            .stdout
            .lines()
            .skip(1)
            .flat_map(|line| line.split(',').skip(2));
        words
            .map(|word| word.parse().unwrap())
            .collect::<Vec<f64>>()
    };
    let old = table("old.csv");
    let links = [
        "shoulder",
        "upper_arm",
        "elbow",
        "forearm",
        "wrist",
        "flange",
    ];
    let head = (1..).zip(links).fold(rad, |text, (k, link)| {
        text.replace(&format!("axis{k}"), link)
    });
    assert!(head.starts_with("time,q_shoulder,"));
    std::fs::write(&old, head).unwrap();
    let expected = wrenches(&in_radians);
    assert!(expected.iter().any(|x| x.abs() > 1.0));
    for (found, same) in [(wrenches(&in_degrees), 1e-9), (wrenches(&old), 0.0)] {
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.iter().zip(&expected) {
            assert!((a - b).abs() <= same, "{a} {b}");
        }
    }

    // JSON stays in radians; columns to plot are found without their unit
    let json = table("deg.json");
    simulate(
        &json,
        "45",
        &[
            "--degrees",
            "--plot",
            &table("deg.svg"),
            "--columns",
            "q_axis1",
        ],
    );
    let json: Value = serde_json::from_str(&read(&json)).unwrap();
    assert_eq!(json["columns"][1], json!("q_axis1"));
    assert!((number(&json["rows"][0][1]) - std::f64::consts::FRAC_PI_4).abs() < 1e-15);
    assert!(read(&table("deg.svg")).contains(">q_axis1 [deg]</text>"));
}

#[test]
fn angles_of_every_kind_are_in_degrees_and_lengths_are_not() {
    let robot = "data/robots/mobile_arm.rob";
    let setup = r#"{"duration": 0.01, "sensors": [{"quantity": "positions", "name": "q"}, {"quantity": "accelerations", "name": "ddq"},
        {"quantity": "angular_velocity", "link": "LINK", "name": "w"}, {"quantity": "position", "link": "LINK", "name": "p"}, {"quantity": "energy"}]}"#;
    let info = run(&["info", robot, "--json"]).json();
    let link = info["robots"][0]["links"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .clone();
    let link = link["name"].as_str().unwrap();
    for redundant in ["false", "true"] {
        let setup = setup.replace("LINK", link);
        let setup = setup.replacen('{', &format!("{{\"redundant\": {redundant}, "), 1);
        let setup = scratch("simulate/kinds.json", &setup);
        let columns = |degrees: &[&str]| {
            let output = run(&[&["simulate", robot, "--setup", &setup], degrees].concat());
            assert_eq!(output.code, 0, "{}", output.stderr);
            let rows = output
                .stdout
                .lines()
                .skip(1)
                .take_while(|line| !line.is_empty());
            rows.map(|row| row.trim().to_owned()).collect::<Vec<_>>()
        };
        let (plain, shown) = (columns(&[]), columns(&["--degrees"]));
        assert_eq!(plain.len(), shown.len());
        for (plain, shown) in plain.iter().zip(&shown) {
            let name = plain.split_whitespace().next().unwrap();
            let (name, values) = (name, shown.split_once("  ").unwrap().0);
            let is_angle = values.contains('[');
            let expected = match name.split('_').next().unwrap() {
                "w" => true,
                "q" | "ddq" => !["_tx", "_ty", "_x", "_y", "lift", "finger"]
                    .iter()
                    .any(|end| name.contains(end)),
                _ => false,
            };
            assert_eq!(is_angle, expected, "{name}: {shown}");
        }
    }
}
