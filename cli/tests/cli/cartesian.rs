//! Links along lines, arcs and screws: `cartesian` of `query` and of the command line.

use serde_json::{Value, json};

use crate::common::{ask, data, folder, run, scratch};

const ARM: &str = "data/robots/arm6.urdf";
const FROM: &str = "0,0.5,1,0,0.5,0";

/// Positions of the flange at configurations.
fn positions(path: &Value) -> Vec<[f64; 3]> {
    let lines: Vec<String> = path
        .as_array()
        .unwrap()
        .iter()
        .map(|q| json!({"op": "fk", "q": q}).to_string())
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let flange = |answer: &Value| {
        let links = answer["links"].as_array().unwrap();
        let link = links.iter().find(|link| link["name"] == "flange").unwrap();
        serde_json::from_value(link["translation"].clone()).unwrap()
    };
    ask(&[ARM], &lines).iter().map(flange).collect()
}

#[test]
fn a_link_moves_straight_and_on_an_arc() {
    let start = positions(&json!([[0, 0.5, 1, 0, 0.5, 0]]))[0];
    let center = [start[0] - 0.05, start[1], start[2] + 0.1];
    let request = json!({
        "op": "cartesian", "link": "flange", "from": [0, 0.5, 1, 0, 0.5, 0], "pieces": [
            {"move": [0, 0, 0.1]},
            {"arc": {"center": center, "axis": [0, 0, 1], "angle": 1}},
        ],
    });
    let answers = ask(&[ARM], &[&request.to_string()]);
    let answer = &answers[0];
    assert_eq!(answer["ok"], true, "{answer}");
    assert!(answer["reason"].is_null(), "{answer}");
    assert_eq!(answer["reached"], answer["length"]);
    assert!((answer["length"].as_f64().unwrap() - 0.15).abs() < 1e-9);
    assert!(answer["deviation"].as_f64().unwrap() < 1e-4, "{answer}");
    let path = positions(&answer["path"]);
    assert!(path.len() >= 30, "{}", path.len());
    for [x, y, z] in &path {
        let on_line = (x - start[0]).hypot(y - start[1]) < 1e-7;
        let radius = (x - center[0]).hypot(y - center[1]);
        let on_arc = (radius - 0.05).abs() < 1e-7 && (z - center[2]).abs() < 1e-7;
        assert!(on_line || on_arc, "{x} {y} {z}");
    }
    let [x, y, _] = path[path.len() - 1];
    let angle = (y - center[1]).atan2(x - center[0]);
    assert!((angle - 1.0).abs() < 1e-6, "{angle}");

    // the same by the command line, in degrees, where it is asked for
    let angle = format!("{:?}", 1f64.to_degrees());
    let arc = format!(
        "arc={},{},{},0,0,1,{angle}",
        center[0], center[1], center[2]
    );
    let from = FROM
        .split(',')
        .map(|q| q.parse::<f64>().unwrap().to_degrees());
    let from = from.map(|q| format!("{q:?}")).collect::<Vec<_>>().join(",");
    let words = [
        "cartesian",
        ARM,
        "--link",
        "flange",
        "--degrees",
        "--from",
        &from,
    ];
    let pieces = ["--piece", "move=0,0,0.1", "--piece", &arc, "--json"];
    let told = run(&[&words[..], &pieces].concat()).json();
    let rows = |answer: &Value| -> Vec<Vec<f64>> {
        serde_json::from_value(answer["path"].clone()).unwrap()
    };
    let (ours, theirs) = (rows(&told), rows(answer));
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().flatten().zip(theirs.iter().flatten()) {
        assert!((ours - theirs).abs() < 1e-6);
    }
}

#[test]
fn a_speed_or_limits_make_a_trajectory() {
    let words = ["cartesian", ARM, "--link", "flange", "--from", FROM];
    let by = ["--piece", "move_local=0,0,0.1", "--max-acceleration", "20"];
    let told = run(&[&words[..], &by, &["--speed", "0.05", "--json"]].concat()).json();
    let motion = &told["trajectory"];
    // 10 cm at 5 cm/s, and the ramps
    let duration = motion["duration"].as_f64().unwrap();
    assert!(duration > 2.0 && duration < 2.2, "{duration}");
    let path = positions(&motion["q"]);
    for pair in path.windows(2) {
        let step = (0..3)
            .map(|k| (pair[1][k] - pair[0][k]).powi(2))
            .sum::<f64>()
            .sqrt();
        assert!(step < 0.05 * 0.01 * 1.001, "{step}");
    }
    let out = folder("cartesian").join("motion.csv").display().to_string();
    let run = run(&[&words[..], &by, &["--output", &out]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let text = std::fs::read_to_string(out).unwrap();
    assert!(text.starts_with("time,axis1,"), "{text}");
}

#[test]
fn a_rounded_corner_takes_less_time() {
    let words = ["cartesian", ARM, "--link", "flange", "--from", FROM];
    let by = [
        "--piece",
        "move=0,0.1,0",
        "--piece",
        "move=0,0,-0.05",
        "--json",
    ];
    let limits = ["--speed", "0.1", "--max-acceleration", "5"];
    let answer_with = |blend: &[&str]| run(&[&words[..], &by, &limits, blend].concat()).json();
    let (sharp, rounded) = (answer_with(&[]), answer_with(&["--blend", "0.02"]));
    let duration = |answer: &Value| answer["trajectory"]["duration"].as_f64().unwrap();
    assert!(duration(&rounded) < duration(&sharp) - 0.01, "{rounded}");
    assert_eq!(rounded["length"], sharp["length"]);
    // the flange cuts the corner, and ends where it did
    let start = positions(&json!([[0, 0.5, 1, 0, 0.5, 0]]))[0];
    let nearest = |answer: &Value| {
        let off = |[_, y, z]: &[f64; 3]| (y - start[1] - 0.1).hypot(z - start[2]);
        positions(&answer["path"])
            .iter()
            .map(off)
            .fold(f64::INFINITY, f64::min)
    };
    assert!(nearest(&sharp) < 1e-6);
    let by_hand = 0.25 * 0.02 * 2_f64.sqrt();
    let apart = nearest(&rounded);
    assert!(apart > 0.999 * by_hand && apart < 1.2 * by_hand, "{apart}");

    let pieces = json!([{"move": [0, 0.1, 0]}, {"move": [0, 0, -0.05]}]);
    let request = json!({
        "op": "cartesian", "link": "flange", "from": [0, 0.5, 1, 0, 0.5, 0], "pieces": pieces, "blend": 0.02,
        "speed": 0.1, "max_acceleration": 5,
    });
    let answer = &ask(&[ARM], &[&request.to_string()])[0];
    assert_eq!(answer["path"], rounded["path"]);
}

#[test]
fn where_it_stops_it_says_why() {
    let words = ["cartesian", ARM, "--link", "flange", "--from", FROM];
    let far = run(&[&words[..], &["--piece", "move=0,0,9", "--json"]].concat());
    assert_eq!(far.code, 3, "{}", far.stderr);
    let told = far.json();
    let reason = told["reason"].as_str().unwrap();
    assert!(reason.starts_with("stops before "), "{reason}");
    assert!(
        reason.contains("of 9.0000 m: the link does not get there"),
        "{reason}"
    );
    let before = told["path"].as_array().unwrap().len();
    assert!(before > 2, "{before}");
    let reached = told["reached"].as_f64().unwrap();
    assert!(reached > 0.01 && reached < 2.0, "{reached}");

    // into the table
    let table = "data/terrains/table.env";
    let words = ["cartesian", ARM, table, "--link", "flange", "--from", FROM];
    let down = run(&[&words[..], &["--piece", "move=0,0,-2"]].concat());
    assert_eq!(down.code, 3, "{}", down.stderr);
    assert!(down.stderr.contains("stops before"), "{}", down.stderr);
    assert_eq!(down.stdout, "");
}

#[test]
fn wrong_pieces_are_refused_with_what_is_expected() {
    for (piece, problem) in [
        ("move=1,2", "--piece: move: expected 3 values, got 2"),
        ("arc=1,2,3", "--piece: arc: expected 7 values, got 3"),
        ("jump=1", "--piece: expected move=…"),
        ("1,2,3", "--piece: expected move=…"),
        ("line=1,2", "expected 3, 6 or 7 values, got 2"),
        ("move=0,0,0", "piece 1: "),
        ("arc=0,0,0,0,0,0,1", "piece 1: "),
    ] {
        let refused = run(&["cartesian", ARM, "--link", "flange", "--piece", piece]);
        assert_eq!(refused.code, 1, "{piece}: {}", refused.stderr);
        assert!(
            refused.stderr.contains(problem),
            "{piece}: {}",
            refused.stderr
        );
    }
    let words = [
        "cartesian",
        ARM,
        "--link",
        "flange",
        "--piece",
        "move=0,0,0.1",
    ];
    for (option, problem) in [
        ("--spacing=-1", "the step along a Cartesian path"),
        ("--speed=-1", "the largest speed of a path"),
        ("--blend=-1", "the radius of a blend"),
    ] {
        let more = [option, "--max-acceleration", "1", "--from", FROM];
        let refused = run(&[&words[..], &more].concat());
        assert_eq!(refused.code, 1, "{option}: {}", refused.stderr);
        assert!(
            refused.stderr.contains(problem),
            "{option}: {}",
            refused.stderr
        );
    }
    for (fields, problem) in [
        (json!({}), "`pieces`"),
        (json!({"pieces": []}), "has no piece"),
        (json!({"pieces": [7]}), "must be an object with `move`"),
        (json!({"pieces": [{}]}), "it must have one of `move`"),
        (
            json!({"pieces": [{"move": [0, 0, 1], "arc": {}}]}),
            "it must have one of `move`",
        ),
        (
            json!({"pieces": [{"mov": [0, 0, 1]}]}),
            "did you mean `move`?",
        ),
        (
            json!({"pieces": [{"screw": {"axis": [0, 0, 1]}}]}),
            "`through`",
        ),
        (
            json!({"pieces": [{"move": [0, 0, 0.1]}], "spacing": 0}),
            "step along a Cartesian path",
        ),
        (
            json!({"pieces": [{"move": [0, 0, 0.1]}], "speed": 1}),
            "no limit of acceleration",
        ),
        (
            json!({"pieces": [{"move": [0, 0, 0.1]}], "link": "nose"}),
            "nose",
        ),
    ] {
        let mut request =
            json!({"op": "cartesian", "link": "flange", "from": [0, 0.5, 1, 0, 0.5, 0]});
        for (name, value) in fields.as_object().unwrap() {
            request[name] = value.clone();
        }
        let answers = ask(&[ARM], &[&request.to_string()]);
        let error = answers[0]["error"].as_str().unwrap_or_default();
        assert!(error.contains(problem), "{request}: {}", answers[0]);
    }
}

/// A file with two arms side by side.
fn two_arms() -> String {
    let arm = data("robots/arm6.urdf").canonicalize().unwrap();
    let mount = |side: &str, y: f64| {
        let arm = arm.display();
        format!("mount -1 \"{arm}\" 1 0 0 0 1 0 0 0 1 0 {y} 0 as \"{side}\"\n")
    };
    scratch(
        "two_arms/both.rob",
        &(mount("left", 0.35) + &mount("right", -0.35)),
    )
}

#[test]
fn links_move_together_and_others_stay() {
    let both = two_arms();
    let from = "0,0.5,1,0,0.5,0,0,0.5,1,0,0.5,0";
    let both = [&both, "--root", "data"];
    let first = [
        &["cartesian"],
        &both[..],
        &["--from", from, "--link", "left:flange"],
    ]
    .concat();
    let up = ["--piece", "move=0,0,0.06"];
    let found = |with: &[&str]| {
        let run = run(&[&first[..], &up, with, &["--json"]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.json()
    };
    let place = |q: &Value, link: &str| -> [f64; 3] {
        let request = json!({"op": "fk", "q": q}).to_string();
        let answers = ask(&both, &[&request]);
        let links = answers[0]["links"].as_array().unwrap();
        let link = links.iter().find(|found| found["name"] == link).unwrap();
        serde_json::from_value(link["translation"].clone()).unwrap()
    };

    // half of the path of the other is done with half of the first
    let right = "right:flange:move=0.02,0,0";
    let answer = found(&["--also", right, "--also", "right:flange:move=0,0.01,0"]);
    assert_eq!(answer["length"], 0.06);
    let path = answer["path"].as_array().unwrap();
    let (begin, end) = (&path[0], &path[path.len() - 1]);
    let [a, b] = [begin, end].map(|q| place(q, "right:flange"));
    let [x, y, z] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    assert!((x - 0.02).abs() < 1e-7 && (y - 0.01).abs() < 1e-7 && z.abs() < 1e-7);
    let [a, b] = [begin, end].map(|q| place(q, "left:flange"));
    assert!((b[2] - a[2] - 0.06).abs() < 1e-7);

    // the same by `query`
    let request = json!({
        "op": "cartesian", "link": "left:flange", "pieces": [{"move": [0, 0, 0.06]}], "from": begin,
        "also": [{"link": "right:flange", "pieces": [{"move": [0.02, 0, 0]}, {"move": [0, 0.01, 0]}]}],
    });
    let answers = ask(&both, &[&request.to_string()]);
    assert_eq!(answers[0]["path"], answer["path"], "{}", answers[0]);

    // without a piece a link stays
    let still = found(&["--also", "right:flange"]);
    for q in still["path"].as_array().unwrap() {
        let q = q.as_array().unwrap();
        let away = (6..12).map(|k| (q[k].as_f64().unwrap() - begin[k].as_f64().unwrap()).abs());
        assert!(away.fold(0.0, f64::max) < 1e-6);
    }

    for (with, problem) in [
        ("right:flange:jump=1", "--also: expected a link, or LINK:"),
        ("right:flange:move=1", "--also: move: expected 3 values"),
        ("right:flange:move=0,0,0", "`right:flange`: piece 1: "),
        ("left:flange", "two are of `left:flange`"),
        ("right:nose", "right:nose"),
    ] {
        let refused = run(&[&first[..], &up, &["--also", with]].concat());
        assert_eq!(refused.code, 1, "{with}: {}", refused.stderr);
        assert!(refused.stderr.contains(problem), "{}", refused.stderr);
    }
    let mut wrong = request;
    wrong["also"] = json!([{"pieces": []}]);
    let answers = ask(&both, &[&wrong.to_string()]);
    let error = answers[0]["error"].as_str().unwrap_or_default();
    assert!(
        error.contains("`also` 0: ") && error.contains("`link`"),
        "{error}"
    );
}
