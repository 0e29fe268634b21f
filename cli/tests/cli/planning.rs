//! What `free`, `edge`, `clearance` and `plan` answer: a slider before a wall, whose numbers a reader can check.

use serde_json::{Value, json};

use crate::common::{ask, run, scratch};

/// A sphere of radius 0.5 on a prismatic joint along x, up to 4 m.
const SLIDER: &str = r#"<robot name="slider">
  <link name="rail"/>
  <link name="ball"><collision><geometry><sphere radius="0.5"/></geometry></collision></link>
  <joint name="x" type="prismatic"><parent link="rail"/><child link="ball"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="4" velocity="1" effort="1"/></joint>
</robot>"#;

/// From x = 2 on.
const WALL: &str = "OFF\n4 2 0\n2 -9 -9\n2 9 -9\n2 9 9\n2 -9 9\n3 0 1 2\n3 0 2 3\n";

fn answers(requests: &[Value]) -> Vec<Value> {
    let (slider, wall) = (
        scratch("planning/slider.urdf", SLIDER),
        scratch("planning/wall.off", WALL),
    );
    let lines: Vec<String> = requests.iter().map(Value::to_string).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    ask(&[&slider, &wall], &lines)
}

#[test]
fn a_configuration_is_free_or_says_why_not() {
    let answers = answers(&[
        json!({"op": "free", "q": [1.0]}),
        json!({"op": "free", "q": [1.75], "shape": "mesh"}),
        json!({"op": "free", "q": [-0.5], "shape": "hull"}),
        json!({"op": "free", "q": [1.0], "shape": "cube"}),
        json!({"op": "free", "q": [1.0, 2.0]}),
    ]);
    assert_eq!(answers[0], json!({"ok": true, "free": true}));
    let reason = "`wall` and `slider[ball]` collide";
    assert_eq!(
        answers[1],
        json!({"ok": true, "free": false, "reason": reason})
    );
    let reason = "joint `x` of `slider` is at -0.5, outside of 0 to 4";
    assert_eq!(
        answers[2],
        json!({"ok": true, "free": false, "reason": reason})
    );
    for refused in &answers[3..] {
        assert_eq!(refused["ok"], false, "{refused}");
    }
}

#[test]
fn a_way_says_what_it_meets_first_and_where() {
    let answers = answers(&[
        json!({"op": "edge", "from": [0.0], "to": [1.0]}),
        json!({"op": "edge", "from": [0.0], "to": [4.0], "resolution": 0.25}),
        json!({"op": "edge", "from": [0.0], "to": [5.0]}),
        json!({"op": "edge", "from": [0.0], "to": [4.0], "resolution": 0.0}),
    ]);
    assert_eq!(answers[0], json!({"ok": true, "free": true}));
    assert_eq!(answers[1]["free"], false);

    // touching collides: the first of the samples 0, 0.25, … that reaches 1.5
    assert_eq!(answers[1]["t"], 1.5 / 4.0);
    assert_eq!(answers[1]["pair"], json!(["wall", "slider[ball]"]));
    assert!(
        answers[2].get("pair").is_some(),
        "the wall comes before the limit"
    );
    assert_eq!(answers[3]["ok"], false);
}

#[test]
fn the_clearance_is_the_gap_and_its_slope() {
    let answer = &answers(&[json!({"op": "clearance", "q": [1.0]})])[0];
    let near =
        |value: &Value, expected: f64| (value.as_f64().expect("a number") - expected).abs() < 1e-9;
    assert!(near(&answer["distance"], 0.5), "{answer}");
    assert!(near(&answer["gradient"][0], -1.0), "{answer}");
    assert!(
        near(&answer["on_a"][0], 2.0) && near(&answer["on_b"][0], 1.5),
        "{answer}"
    );
    assert_eq!(answer["pair"], json!(["wall", "slider[ball]"]));
}

#[test]
fn a_path_is_found_or_the_reason_told() {
    let answers = answers(&[
        json!({"op": "plan", "from": [0.0], "to": [1.25]}),
        json!({"op": "plan", "from": [0.0], "to": [3.0], "max_iterations": 50, "seed": 1}),
        json!({"op": "plan", "from": [0.0], "to": [3.0], "max_seconds": 0.0}),
        json!({"op": "plan", "from": [0.0], "to": [2.0]}),
        json!({"op": "plan", "from": [0.0], "to": [3.0], "max_seconds": -1.0}),
    ]);
    assert_eq!(answers[0], json!({"ok": true, "path": [[0.0], [1.25]]}));
    let reason = "no path found within 50 samples";
    assert_eq!(
        answers[1],
        json!({"ok": true, "path": null, "reason": reason})
    );
    assert_eq!(answers[2]["path"], Value::Null);
    assert!(
        answers[2]["reason"]
            .as_str()
            .expect("a sentence")
            .contains("within 0 s")
    );
    let error = "goal: `wall` and `slider[ball]` collide";
    assert_eq!(answers[3], json!({"ok": false, "error": error}));
    assert_eq!(answers[4]["ok"], false);
}

#[test]
fn a_path_goes_to_the_file_that_is_named() {
    let slider = scratch("planning/file.urdf", SLIDER);
    let table = run(&["plan", &slider, "--to", "2.5"]);
    assert_eq!((table.code, table.stdout.as_str()), (0, "x\n0.0\n2.5\n"));
    for (suffix, expected) in [
        ("path", "0\t1 0\n1\t1 2.5\n"),
        ("csv", "x\n0.0\n2.5\n"),
        ("json", "{\"ok\":true,\"path\":[[0.0],[2.5]]}\n"),
    ] {
        let file = scratch(&format!("planning/path.{suffix}"), "");
        let output = run(&["plan", &slider, "--to", "2.5", "--output", &file]);
        assert_eq!(
            (output.code, output.stdout.as_str()),
            (0, ""),
            "{}",
            output.stderr
        );
        assert_eq!(
            std::fs::read_to_string(&file).expect("it was written"),
            expected
        );
    }
    let output = run(&["plan", &slider, "--to", "2.5", "--output", "path.txt"]);
    assert_eq!(output.code, 1);
    assert!(
        output.stderr.contains(".csv, .json or .path"),
        "{}",
        output.stderr
    );
    let output = run(&["plan", &slider, "--to", "-1"]);
    assert_eq!(output.code, 1);
    assert!(
        output
            .stderr
            .contains("goal: joint `x` of `slider` is at -1"),
        "{}",
        output.stderr
    );
}

/// A planar slider, with a wall that a path leads around.
const TABLE: &str = r#"<robot name="puck">
  <link name="table"/><link name="slide"/>
  <link name="ball"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="x" type="prismatic"><parent link="table"/><child link="slide"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="4" velocity="1" effort="1"/></joint>
  <joint name="y" type="prismatic"><parent link="slide"/><child link="ball"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="4" velocity="1" effort="1"/></joint>
</robot>"#;

#[test]
fn what_is_wrong_with_a_file_of_limits_is_said_as_of_any_file() {
    let slider = scratch("planning/limited.urdf", SLIDER);
    let plan = |limits: &str| {
        let from_to = ["plan", &slider, "--from", "0", "--to", "1.25"];
        run(&[&from_to[..], &["--limits", limits]].concat())
    };
    let odd = "joint_limits:\n  x: {max_acceleration: 2, colour: 1}\n  z: {max_velocity: 1}\n";
    let odd = scratch("planning/odd.yaml", odd);
    let found = plan(&odd);
    assert_eq!(found.code, 0, "{}", found.stderr);
    let expected = format!(
        "{odd}:2:28: warning: `colour` is not a field of `joint_limits`\n\
         {odd}:3:3: warning: robot `slider` has no joint `z`; its limits are left out\n"
    );
    assert!(found.stderr.ends_with(&expected), "{}", found.stderr);

    let wrong = "joint_limits:\n  x: {has_velocity_limits: maybe}\n";
    let wrong = scratch("planning/wrong.yaml", wrong);
    let refused = plan(&wrong);
    let expected = format!(
        "error: {wrong}:2:7: `has_velocity_limits` is `maybe`, which is not `true` or `false`\n"
    );
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.ends_with(&expected), "{}", refused.stderr);
}

#[test]
fn a_path_becomes_the_fastest_motion_within_limits() {
    // 1.25 m at 1 m/s, the limit of the file, with 2 m/s²: half a second up and down
    let request = |more: Value| {
        let mut request = json!({"op": "plan", "from": [0.0], "to": [1.25]});
        for (name, value) in more.as_object().expect("fields") {
            request[name] = value.clone();
        }
        request
    };
    let answers = answers(&[
        request(json!({"max_acceleration": 2.0, "step": 0.25})),
        request(json!({"max_acceleration": [2.0], "max_jerk": 20.0, "max_velocity": [0.5]})),
        request(json!({"trajectory": true})),
        request(json!({"max_acceleration": [1.0, 2.0]})),
        request(json!({"trajectory": false, "max_acceleration": 2.0})),
        request(json!({"max_acceleration": "fast"})),
    ]);
    assert_eq!(answers[0]["path"], json!([[0.0], [1.25]]));
    let motion = &answers[0]["trajectory"];
    let duration = motion["duration"].as_f64().expect("a number");
    assert!((duration - 1.75).abs() < 1e-3, "{duration}");
    assert_eq!(motion["times"][1], json!(0.25));
    let acceleration = motion["ddq"][1][0].as_f64().expect("a number");
    assert!((acceleration - 2.0).abs() < 1e-9, "{acceleration}");
    let used = motion["utilization"]["velocity"][0]
        .as_f64()
        .expect("a number");
    assert!((used - 1.0).abs() < 1e-9, "{used}");

    // 1.25 / 0.5 + 0.5 / 2 + 2 / 20
    let duration = answers[1]["trajectory"]["duration"]
        .as_f64()
        .expect("a number");
    assert!((duration - 2.85).abs() < 2e-3, "{duration}");
    let error = answers[2]["error"].as_str().expect("a sentence");
    assert!(
        error.contains("joint `x`: moves, and has no limit of acceleration"),
        "{error}"
    );
    assert_eq!(
        answers[3]["error"],
        json!("limits of a motion needs 1 values, got 2")
    );
    assert_eq!(answers[4]["trajectory"], Value::Null);
    let error = answers[5]["error"].as_str().expect("a sentence");
    assert!(
        error.contains("`max_acceleration` must be a number, or a list"),
        "{error}"
    );

    let slider = scratch("planning/slider.urdf", SLIDER);
    let from_to = ["plan", &slider, "--from", "0", "--to", "1.25"];
    let output = run(&[&from_to[..], &["--max-acceleration", "2", "--step", "0.5"]].concat());
    assert_eq!(output.code, 0, "{}", output.stderr);
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert_eq!(
        (lines[0], lines[1], lines.len()),
        ("time,x,dq_x,ddq_x", "0.0,0.0,0.0,2.0", 6)
    );
    let output = run(&[&from_to[..], &["--trajectory"]].concat());
    assert_eq!(output.code, 1);
    assert!(
        output.stderr.contains("no limit of acceleration"),
        "{}",
        output.stderr
    );
}

/// At x = 2, up to y = 2.
const SCREEN: &str = "OFF\n4 2 0\n2 -9 -9\n2 2 -9\n2 2 9\n2 -9 9\n3 0 1 2\n3 0 2 3\n";

#[test]
fn every_planner_that_the_help_names_plans_and_others_are_refused_by_name() {
    let (puck, screen) = (
        scratch("planning/puck.urdf", TABLE),
        scratch("planning/screen.off", SCREEN),
    );
    let plan = |planner: &str| {
        let from_to = ["--from", "1,1", "--to", "3,1", "--time", "4", "--json"];
        run(&[
            &["plan", &puck, &screen, "--planner", planner],
            &from_to[..],
        ]
        .concat())
    };
    let mut names = vec!["rrt-connect"];
    if cfg!(feature = "oxmpl") {
        names.extend([
            "oxmpl-prm",
            "oxmpl-rrt",
            "oxmpl-rrt-connect",
            "oxmpl-rrt-star",
        ]);
    }
    for &name in &names {
        let output = plan(name);
        assert_eq!(output.code, 0, "{name}: {}", output.stderr);
        let answer = output.json();
        let waypoints = answer["path"].as_array().expect("a path");
        assert!(waypoints.len() > 2, "{name} goes around the wall");
        assert_eq!(waypoints[0], json!([1.0, 1.0]));
        assert_eq!(waypoints[waypoints.len() - 1], json!([3.0, 1.0]));
    }
    let output = plan("dijkstra");
    assert_eq!(output.code, 2);
    assert!(
        output.stderr.contains(&names.join(", ")),
        "{}",
        output.stderr
    );
}

#[test]
fn a_road_map_is_made_used_and_kept_in_its_file() {
    let (puck, screen) = (
        scratch("planning/mapped.urdf", TABLE),
        scratch("planning/mapped.off", SCREEN),
    );
    let file = scratch("planning/map.json", "");
    std::fs::remove_file(&file).expect("it is there");
    let plan = |more: &[&str]| {
        let from_to = ["--from", "1,1", "--to", "3,1", "--json", "--roadmap", &file];
        run(&[&["plan", &puck, &screen], &from_to[..], more].concat())
    };
    let text = || std::fs::read_to_string(&file).expect("it was written");
    let mut answers = Vec::new();
    let mut texts = Vec::new();
    for _ in 0..3 {
        let output = plan(&[]);
        assert_eq!(output.code, 0, "{}", output.stderr);
        answers.push(output.json());
        texts.push(text());
    }
    let waypoints = answers[0]["path"].as_array().expect("a path");
    assert!(waypoints.len() > 2, "it goes around the wall");
    assert_eq!(answers[1], answers[0]);
    assert_eq!(texts[2], texts[1], "the map has the path");

    // of another robot, or no map at all: the file stays
    let slider = scratch("planning/not_mapped.urdf", SLIDER);
    let output = run(&["plan", &slider, "--to", "3", "--roadmap", &file]);
    assert_eq!(output.code, 1, "{}", output.stderr);
    let problem = "a road map: is of 2 degrees of freedom of `puck`, not of 1";
    assert!(output.stderr.contains(problem), "{}", output.stderr);
    assert_eq!(text(), texts[2]);
    scratch("planning/map.json", "{}");
    let output = plan(&[]);
    assert_eq!(output.code, 1);
    assert!(
        output.stderr.contains("is no road map"),
        "{}",
        output.stderr
    );
    assert_eq!(text(), "{}");
    let output = run(&[
        "plan",
        &puck,
        "--to-pose",
        "puck",
        "1,1,0",
        "--roadmap",
        &file,
    ]);
    assert_eq!(output.code, 2);
}

#[test]
fn a_path_becomes_a_smooth_curve_or_the_answer_says_that_none_is_free() {
    let cell = "data/worlds/cell.xml";
    let from_to = [
        "plan",
        cell,
        "--from",
        "0.9,0.9,0.6,0,0,0",
        "--to",
        "-1,0.9,0.6,0,0,0",
    ];
    let motion = |more: &[&str]| {
        let output = run(&[&from_to[..], &["--max-acceleration", "5", "--json"], more].concat());
        assert_eq!(output.code, 0, "{}", output.stderr);
        let answer: Value = serde_json::from_str(&output.stdout).expect("JSON");
        (answer["trajectory"].clone(), output.stderr)
    };
    let duration = |motion: &Value| motion["duration"].as_f64().expect("a number");
    let (rounded, _) = motion(&[]);
    let (smooth, _) = motion(&["--smooth"]);
    assert_eq!(
        (&rounded["smooth"], &smooth["smooth"]),
        (&Value::Null, &json!(true))
    );
    assert!(duration(&smooth) < 0.9 * duration(&rounded));
    // the second road: `collide` at each row
    let rows = smooth["q"].as_array().expect("rows");
    let collides = rows.iter().map(|q| json!({"op": "collide", "q": q}));
    let asked: Vec<String> = collides.map(|request| request.to_string()).collect();
    let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
    for answer in ask(&[cell], &asked) {
        assert_eq!(answer["pairs"], json!([]), "{answer}");
    }

    // a motion of so little jerk leaves every curve
    let (motion_of_little, stderr) = motion(&["--smooth", "0.02", "--max-jerk", "0.5"]);
    assert_eq!(motion_of_little["smooth"], json!(false));
    let note = "note: no smooth curve beside the path is free: its corners are rounded";
    assert!(stderr.contains(note), "{stderr}");

    for (wrong, problem) in [("-1", "a number of metres"), ("x", "a number of metres")] {
        let output = run(&[&from_to[..], &[&format!("--smooth={wrong}")]].concat());
        assert_eq!(output.code, 2);
        assert!(output.stderr.contains(problem), "{}", output.stderr);
    }
}
