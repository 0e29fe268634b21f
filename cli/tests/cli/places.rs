//! Poses of files on the command line, `place`, and the commands `distance` and `ray`.

use serde_json::{Value, json};

use crate::common::{ask, run, scratch};

const ARM: &str = "data/robots/arm6.urdf";
const CRATE: &str = "data/objects/crate.obj";
const TABLE: &str = "data/terrains/table.env";

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("a list");
    list.iter().map(|x| x.as_f64().expect("a number")).collect()
}

#[track_caller]
fn assert_near(value: &Value, expected: &[f64]) {
    let found = numbers(value);
    let is_near = found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(is_near, "{found:?} is not {expected:?}");
}

#[test]
fn a_pose_behind_a_file_is_that_of_its_object() {
    let object = |word: &str| run(&["info", word, "--json"]).json()["rigid_objects"][0].clone();
    let here = object(&format!("{CRATE}@0.4,-1,0.2"));
    assert_near(&here["translation"], &[0.4, -1.0, 0.2]);
    assert_eq!(
        here["rotation"],
        json!([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    );
    for quarter in ["1.5707963267948966", "90deg"] {
        let turned = object(&format!("{CRATE}@0,0,0,0,0,{quarter}"));
        assert_near(&turned["rotation"][0], &[0.0, -1.0, 0.0]);
    }
}

#[test]
fn a_pose_moves_robots_terrains_and_worlds_as_a_whole() {
    let q = ["--config", "0.3,0.5,-1,0.2,0.6,-0.1"];
    let fk = |word: &str| run(&[&["fk", word, "--json"], &q[..]].concat()).json();
    let (there, here) = (fk(&format!("{ARM}@1,2,3")), fk(ARM));
    for (there, here) in there["links"]
        .as_array()
        .expect("links")
        .iter()
        .zip(here["links"].as_array().expect("links"))
    {
        let moved: Vec<f64> = numbers(&here["translation"])
            .iter()
            .zip([1.0, 2.0, 3.0])
            .map(|(x, by)| x + by)
            .collect();
        assert_near(&there["translation"], &moved);
        assert_near(&there["quaternion"], &numbers(&here["quaternion"]));
    }
    // all moved together, nothing changes between them
    let pose = "@1,-2,0.5,0.1,0.2,2";
    let [still, moved] = ["", pose].map(|at| {
        let cell = format!("data/worlds/cell.xml{at}");
        run(&["distance", &cell, "--json"]).json()
    });
    let pairs = |answer: &Value| answer["pairs"].as_array().expect("pairs").clone();
    for (a, b) in pairs(&still).iter().zip(&pairs(&moved)) {
        assert_eq!(a["pair"], b["pair"]);
        assert_near(
            &json!([a["distance"]]),
            &[b["distance"].as_f64().expect("a number")],
        );
        assert_ne!(a["on_a"], b["on_a"]);
    }
    let boxes = run(&["place", TABLE, &format!("{TABLE}@0,0,2"), "--json"]).json();
    let z = |i: usize| numbers(&boxes["elements"][i]["aabb"][0])[2];
    assert!((z(1) - z(0) - 2.0).abs() < 1e-12);
}

#[test]
fn a_file_with_an_at_in_its_name_still_loads() {
    let file = scratch(
        "places/arm@1,2,3.urdf",
        "<robot name='arm'><link name='base'/></robot>",
    );
    let links = run(&["fk", &file, "--json"]).json();
    assert_near(&links["links"][0]["translation"], &[0.0, 0.0, 0.0]);
    let links = run(&["fk", &format!("{file}@0,0,1"), "--json"]).json();
    assert_near(&links["links"][0]["translation"], &[0.0, 0.0, 1.0]);
}

#[test]
fn a_wrong_pose_is_refused_with_its_form() {
    for pose in ["0,0", "a,b,c", "1,2,3,4", "0,0,inf", ""] {
        let run = run(&["info", &format!("{CRATE}@{pose}")]);
        assert_eq!(run.code, 1, "{pose}");
        assert!(
            run.stderr.contains("expected X,Y,Z in metres"),
            "{}",
            run.stderr
        );
    }
    let run = run(&["info", "no/such.obj@0,0,1"]);
    assert!(
        run.stderr.starts_with("no/such.obj: error: "),
        "{}",
        run.stderr
    );
}

#[test]
fn a_placed_object_is_written_and_reads_back() {
    let target = scratch("places/crate_placed.txt", "").replace(".txt", ".obj");
    let wrote = run(&[
        "place",
        CRATE,
        "--at",
        "0.4,0,0.2,0,0,90deg",
        "--output",
        &target,
    ]);
    assert_eq!(
        (wrote.code, wrote.stdout.as_str()),
        (0, ""),
        "{}",
        wrote.stderr
    );
    let there = run(&["place", &target, "--json"]).json();
    let said = run(&["place", CRATE, "--at", "0.4,0,0.2,0,0,90deg", "--json"]).json();
    assert_eq!(
        there["elements"][0]["translation"],
        said["elements"][0]["translation"]
    );
    assert_eq!(
        there["elements"][0]["rotation"],
        said["elements"][0]["rotation"]
    );

    // several files make a world; a pose of their own goes before
    let target = target.replace(".obj", ".xml");
    let scene = [ARM, &format!("{TABLE}@0,0,-1"), &format!("{CRATE}@0,0,3")];
    let args = [
        &["place"],
        &scene[..],
        &["--at", "0,1,0", "--output", &target],
    ]
    .concat();
    assert_eq!(run(&args).code, 0);
    let world = run(&["place", &target, "--json"]).json();
    assert_near(&world["elements"][0]["translation"], &[0.0, 1.0, 0.0]);
    assert_near(&world["elements"][1]["translation"], &[0.0, 0.0, 3.0]);

    // conversion takes the same words
    let mesh = target.replace(".xml", ".stl");
    assert_eq!(run(&["convert", &format!("{CRATE}@5,0,0"), &mesh]).code, 0);
    let aabb = run(&["place", &mesh, "--json"]).json()["elements"][0]["aabb"].clone();
    assert!(numbers(&aabb[0])[0] > 4.0, "{aabb}");
}

#[test]
fn distance_and_ray_answer_as_the_ops_do() {
    let q = "0.3,0.5,-1,0.2,0.6,-0.1";
    let config = json!([0.3, 0.5, -1.0, 0.2, 0.6, -0.1]);
    let cases: [(&[&str], Value); 4] = [
        (
            &["distance", "--pair", "can", "disc"],
            json!({"op": "distance", "a": "can", "b": "disc"}),
        ),
        (
            &["distance", "--pair", "arm", "crate", "--config", q],
            json!({"op": "distance", "a": "arm", "b": "crate", "q": config}),
        ),
        (
            &["distance", "--nearest", "3", "--config", q],
            json!({"op": "distance", "nearest": 3, "q": config}),
        ),
        (
            &[
                "ray",
                "--origin",
                "0,0,3",
                "--direction",
                "0.1,0,-1",
                "--config",
                q,
            ],
            json!({"op": "ray", "origin": [0, 0, 3], "direction": [0.1, 0, -1], "q": config}),
        ),
    ];
    const CELL: &str = "data/worlds/cell.xml";
    for (args, request) in cases {
        let args = [&args[..1], &[CELL, "--json"], &args[1..]].concat();
        let output = run(&args);
        assert_eq!(output.code, 0, "{args:?}: {}", output.stderr);
        let answer = &ask(&[CELL], &[&request.to_string()])[0];
        assert_eq!(answer["ok"], true, "{answer}");
        assert_eq!(output.json(), *answer, "{args:?}");
    }
}

#[test]
fn nearest_pairs_are_sorted_and_agree_with_single_ones() {
    const CELL: &str = "data/worlds/cell.xml";
    let nearest = run(&["distance", CELL, "--json"]).json()["pairs"].clone();
    let nearest = nearest.as_array().expect("pairs");
    assert_eq!(nearest.len(), 10);
    let mut last = 0.0;
    for pair in nearest {
        let names: Vec<&str> = (0..2)
            .map(|i| pair["pair"][i].as_str().expect("a name"))
            .collect();
        let single = run(&["distance", CELL, "--json", "--pair", names[0], names[1]]).json();
        assert_eq!(single["distance"], pair["distance"], "{names:?}");
        let distance = pair["distance"].as_f64().expect("a number");
        assert!(distance >= last);
        last = distance;
        // of length 1, along the way from one point to the other; margins shorten the distance
        let (a, b, n) = (
            numbers(&pair["on_a"]),
            numbers(&pair["on_b"]),
            numbers(&pair["normal"]),
        );
        let way: f64 = (0..3).map(|i| (b[i] - a[i]) * n[i]).sum();
        assert!(way >= distance - 1e-12, "{pair}");
        for i in 0..3 {
            assert!((a[i] + way * n[i] - b[i]).abs() < 1e-9, "{pair}");
        }
    }
    let three = run(&["distance", CELL, "--nearest", "3", "--json"]).json();
    assert_eq!(three["pairs"].as_array().expect("pairs")[..], nearest[..3]);
    let none = run(&["distance", CELL, "--nearest", "0"]);
    assert_eq!(none.code, 0, "{}", none.stderr);
}

#[test]
fn a_ray_sees_the_configuration_and_misses_in_words() {
    let ray = |q: &str| {
        let args = [
            "ray",
            ARM,
            "--config",
            q,
            "--from",
            "3,0,0.915",
            "--direction",
            "-1,0,0",
            "--json",
        ];
        run(&args).json()
    };
    let straight = ray("0,0,0,0,0,0");
    let aside = ray("1.5707963,0,0,0,0,0");
    assert!(straight["distance"].as_f64() < aside["distance"].as_f64() || aside["hit"].is_null());
    let miss = run(&["ray", ARM, "--origin", "9,9,9", "--direction", "0,0,1"]);
    assert_eq!((miss.code, miss.stdout.as_str()), (0, "no hit\n"));
    let overlapping = run(&["distance", CRATE, "--pair", "crate", "crate"]);
    assert_eq!(overlapping.code, 0, "{}", overlapping.stderr);
    assert!(
        overlapping.stdout.contains("0.000000"),
        "{}",
        overlapping.stdout
    );
}

#[test]
fn quaternions_are_in_the_table_on_request_and_in_json_always() {
    let q = ["--config", "0.3,0.5,-1,0.2,0.6,-0.1", "--link", "flange"];
    let table = run(&[&["fk", ARM, "--quaternion"], &q[..]].concat()).stdout;
    let json = run(&[&["fk", ARM, "--json"], &q[..]].concat()).json();
    let last = json["links"]
        .as_array()
        .expect("links")
        .last()
        .expect("a link")
        .clone();
    let quaternion = numbers(&last["quaternion"]);
    let row: Vec<f64> = table
        .lines()
        .nth(1)
        .expect("a row")
        .split_whitespace()
        .skip(5)
        .take(4)
        .map(|word| word.parse().expect("a number"))
        .collect();
    assert_eq!(row.len(), 4, "{table}");
    // w and x, y, z are those of the rotation
    let r = |i: usize, j: usize| last["rotation"][i][j].as_f64().expect("a number");
    let w = (1.0 + r(0, 0) + r(1, 1) + r(2, 2)).sqrt() / 2.0;
    let expected = [
        w,
        (r(2, 1) - r(1, 2)) / (4.0 * w),
        (r(0, 2) - r(2, 0)) / (4.0 * w),
        (r(1, 0) - r(0, 1)) / (4.0 * w),
    ];
    for i in 0..4 {
        assert!(
            (quaternion[i] - expected[i]).abs() < 1e-12,
            "{quaternion:?} {expected:?}"
        );
        assert!((row[i] - expected[i]).abs() < 1e-6, "{table}");
    }
}

#[test]
fn angles_of_poses_are_in_degrees_where_that_is_asked_for() {
    let rows = |command: &[&str]| run(command).json();
    let crate_in = |angle: &str| format!("{CRATE}@0,0,0,0,0,{angle}");
    let (plain, marked) = (crate_in("30"), crate_in("30deg"));
    let radians = rows(&["info", &plain, "--json"]);
    let degrees = rows(&["info", &plain, "--degrees", "--json"]);
    assert_eq!(degrees, rows(&["info", &marked, "--json"]));
    assert_ne!(degrees, radians);
    // a unit is a unit
    assert_eq!(degrees, rows(&["info", &marked, "--degrees", "--json"]));
    for command in [
        "fk", "collide", "distance", "jacobian", "dynamics", "simulate",
    ] {
        let arm = |angle: &str| format!("{ARM}@0,0,0,{angle},0,0");
        let asked = rows(&[command, &arm("20"), "--degrees", "--json"]);
        assert_eq!(
            asked,
            rows(&[command, &arm("20deg"), "--json"]),
            "{command}"
        );
    }
    let at = ["--at", "1,0,0,0,0,30", "--json"];
    let placed = rows(&[&["place", CRATE, "--degrees"], &at[..]].concat());
    let said = rows(&["place", CRATE, "--at", "1,0,0,0,0,30deg", "--json"]);
    assert_eq!(placed, said);
    let table = run(&["place", CRATE, "--degrees", "--at", "1,0,0,0,0,30"]).stdout;
    assert!(
        table.contains("[deg]") && table.contains("0.000000,0.000000,30.000000"),
        "{table}"
    );
}

#[test]
fn check_takes_a_pose_and_commands_of_one_robot_say_that_it_changes_nothing() {
    let aabb = |word: &str| run(&["check", word, "--json"]).json()["aabb"].clone();
    for file in [CRATE, TABLE, "data/meshes/cube.off"] {
        let placed = run(&["place", &format!("{file}@1,2,3"), "--json"]).json();
        let there = aabb(&format!("{file}@1,2,3"));
        if !there.is_null() {
            assert_ne!(there, aabb(file), "{file}");
            let elements = &placed["elements"][0]["aabb"];
            for (a, b) in numbers(&there[0]).iter().zip(numbers(&elements[0])) {
                assert!((a - b).abs() < 1e-12, "{file}: {there} {elements}");
            }
        }
    }
    let robot = run(&["check", &format!("{ARM}@1,2,3")]);
    assert_eq!(robot.code, 0, "{}", robot.stderr);
    let wrong = run(&["check", &format!("{ARM}@1,2")]);
    assert_eq!(wrong.code, 1);
    assert!(
        wrong.stderr.contains("expected X,Y,Z in metres"),
        "{}",
        wrong.stderr
    );
    for command in ["acm", "spherize"] {
        let refused = run(&[command, &format!("{ARM}@1,2,3")]);
        assert_eq!(refused.code, 1, "{command}");
        let said = format!("the pose of `{ARM}@1,2,3` changes nothing: ");
        assert!(refused.stderr.contains(&said), "{}", refused.stderr);
        assert!(
            refused.stderr.contains(&format!("give `{ARM}`")),
            "{}",
            refused.stderr
        );
    }
}
