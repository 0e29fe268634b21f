//! `ik`, as a command and as an op: where a robot has to be so that a link is somewhere.

use serde_json::{Value, json};

use crate::common::{ask, run};

const ARM: &str = "data/robots/arm6.urdf";
const PLANAR: &str = "data/robots/planar3R.rob";

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("a list").iter();
    list.map(|x| x.as_f64().expect("a number")).collect()
}

/// Where `fk` puts the flange, and which link that is.
fn flange(q: &[f64]) -> (Value, Vec<f64>, usize) {
    let line = json!({ "op": "fk", "q": q }).to_string();
    let answer = ask(&[ARM], &[&line]).remove(0);
    let mut links = answer["links"].as_array().expect("a list").iter();
    let index = links.position(|link| link["name"] == "flange");
    let index = index.expect("a flange");
    let link = &answer["links"][index];
    (
        link["rotation"].clone(),
        numbers(&link["translation"]),
        index,
    )
}

fn assert_near(ours: &[f64], theirs: &[f64], tolerance: f64) {
    for (a, b) in ours.iter().zip(theirs) {
        assert!((a - b).abs() <= tolerance, "{ours:?} is not {theirs:?}");
    }
}

#[test]
fn what_is_found_is_there() {
    let (rotation, position, index) = flange(&[0.3, -0.4, 0.9, 0.2, -0.7, 0.1]);
    let position_alone = json!({ "op": "ik", "link": "flange", "position": position });
    let whole = json!({
        "op": "ik", "link": index, "position": position, "rotation": rotation,
        "q0": [0, 0, 0, 0, 0, 0], "seed": 3, "tolerance": 1e-10, "robot": 0, "id": 7,
    });
    let lines = [position_alone.to_string(), whole.to_string()];
    let answers = ask(&[ARM], &[&lines[0], &lines[1]]);
    for (i, answer) in answers.iter().enumerate() {
        assert_eq!(answer["ok"], true, "{answer}");
        assert_eq!(answer["success"], true, "{answer}");
        assert!(answer["residual"].as_f64().unwrap() <= 1e-9);
        let (turned, reached, _) = flange(&numbers(&answer["q"]));
        assert_near(&reached, &position, 2e-9);
        if i == 1 {
            assert_eq!(answer["id"], 7);
            for row in 0..3 {
                assert_near(&numbers(&turned[row]), &numbers(&rotation[row]), 2e-9);
            }
        }
    }

    // the same request has the same answer
    assert_eq!(ask(&[ARM], &[&lines[1]])[0], answers[1]);
}

#[test]
fn what_is_out_of_reach_is_answered_with_the_nearest() {
    let line = r#"{"op":"ik","link":"link2","point":[1,0,0],"position":[0,0,5]}"#;
    let answer = ask(&[PLANAR], &[line]).remove(0);
    assert_eq!(
        (&answer["ok"], &answer["success"]),
        (&json!(true), &json!(false))
    );
    assert!(
        (answer["residual"].as_f64().unwrap() - 2.0).abs() < 1e-3,
        "{answer}"
    );

    let run = run(&[
        "ik",
        PLANAR,
        "--link",
        "link2",
        "--point",
        "1,0,0",
        "--position",
        "0,0,5",
    ]);
    assert_eq!(run.code, 3);
    assert!(run.stdout.starts_with("unreachable"), "{}", run.stdout);
}

#[test]
fn the_command_answers_as_the_op_does() {
    let (rotation, position, _) = flange(&[0.3, -0.4, 0.9, 0.2, -0.7, 0.1]);
    let rows = (0..3).flat_map(|row| numbers(&rotation[row]));
    let words = rows.chain(position.iter().copied());
    let words: Vec<String> = words.map(|x| x.to_string()).collect();
    let words = words.join(",");
    let pose = ["--link", "flange", "--pose", &words, "--seed", "5"];
    let ours = run(&[&["ik", ARM, "--json"], &pose[..]].concat()).json();
    let line = json!({
        "op": "ik", "link": "flange", "position": position, "rotation": rotation, "seed": 5,
    });
    assert_eq!(ours["success"], true, "{ours}");
    assert_eq!(ours, ask(&[ARM], &[&line.to_string()])[0]);

    // six numbers: roll about x is what the first row leaves alone
    let level = run(&[
        "ik",
        ARM,
        "--link",
        "flange",
        "--pose",
        "0,0,0,0.1,0,0",
        "--json",
    ])
    .json();
    assert_eq!(level["ok"], true, "{level}");

    let table = run(&[&["ik", ARM], &pose[..]].concat());
    assert!(
        table.stdout.starts_with("reached: error "),
        "{}",
        table.stdout
    );
}

#[test]
fn collisions_are_avoided_on_request() {
    let files = ["data/robots/planar3R.rob", "data/objects/ball.obj"];
    let target = [
        "--link",
        "link2",
        "--point",
        "1,0,0",
        "--position",
        "1.2,0,1.4",
    ];
    let args = [
        &["ik"],
        &files[..],
        &target,
        &["--json", "--avoid-collisions"],
    ]
    .concat();
    let found = run(&args).json();
    assert_eq!(found["success"], true, "{found}");
    let line = json!({ "op": "collide", "q": found["q"] }).to_string();
    assert_eq!(ask(&files, &[&line])[0]["pairs"], json!([]));
}

#[test]
fn all_postures_of_an_arm_with_a_spherical_wrist_are_found() {
    let puma = "data/robots/puma560.urdf";
    let tool = |q: &Value| {
        let line = json!({ "op": "fk", "q": q }).to_string();
        let answer = ask(&[puma], &[&line]).remove(0);
        let mut links = answer["links"].as_array().expect("a list").iter();
        let tool = links.find(|link| link["name"] == "tool").expect("a tool");
        let rotation = (0..3).flat_map(|row| numbers(&tool["rotation"][row]));
        rotation
            .chain(numbers(&tool["translation"]))
            .collect::<Vec<_>>()
    };
    let q = json!([0.3, 0.5, -0.2, 0.4, 0.6, 0.1]);
    let target = tool(&q);
    let words: Vec<String> = target.iter().map(f64::to_string).collect();
    let words = words.join(",");
    let near = "0.3,0.5,-0.2,0.4,0.6,0.1";
    let args = [
        "ik", puma, "--link", "tool", "--pose", &words, "--all", "--config", near,
    ];
    let found = run(&[&args[..], &["--json"]].concat()).json();
    assert_eq!(found["success"], true, "{found}");
    let postures = found["postures"].as_array().expect("a list");
    assert!(postures.len() > 1, "{found}");
    for posture in postures {
        assert_near(&tool(&posture["q"]), &target, 2e-9);
    }
    assert_near(&numbers(&postures[0]["q"]), &numbers(&q), 1e-8);
    let table = run(&args).stdout;
    assert!(
        table.starts_with(&format!("{} postures, the nearest", postures.len())),
        "{table}"
    );

    // an unreachable pose, and an arm without a spherical wrist
    let far = [
        "ik",
        puma,
        "--link",
        "tool",
        "--pose",
        "9,0,0,0,0,0",
        "--all",
    ];
    let far = run(&far);
    assert_eq!((far.code, &*far.stdout), (3, ""));
    assert!(far.stderr.contains("no posture within"), "{}", far.stderr);
    let planar = [
        "ik",
        PLANAR,
        "--link",
        "2",
        "--pose",
        "1,0,0,0,0,0",
        "--all",
    ];
    let refused = run(&planar);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stderr.contains("spherical wrist"),
        "{}",
        refused.stderr
    );
    let position = [
        "ik",
        puma,
        "--link",
        "tool",
        "--position",
        "0.4,0,0",
        "--all",
    ];
    assert_eq!(run(&position).code, 2);
}

#[test]
fn invalid_requests_are_errors() {
    let cases = [
        (r#"{"op":"ik","position":[0,0,0]}"#, "`link` is missing"),
        (r#"{"op":"ik","link":0}"#, "`position` is missing"),
        (r#"{"op":"ik","link":9,"position":[0,0,0]}"#, "9"),
        (
            r#"{"op":"ik","link":0,"position":[0,0]}"#,
            "`position` must be",
        ),
        (
            r#"{"op":"ik","link":0,"position":[0,0,0],"q":[0,0,0]}"#,
            "no field `q`",
        ),
        (
            r#"{"op":"ik","link":0,"position":[0,0,0],"q0":[0,0]}"#,
            "needs 3 values",
        ),
        (
            r#"{"op":"ik","link":0,"position":[0,0,0],"seed":-1}"#,
            "`seed` must be",
        ),
        (
            r#"{"op":"ik","link":0,"position":[0,0,0],"seed":0.5}"#,
            "`seed` must be",
        ),
        (
            r#"{"op":"ik","link":0,"position":[0,0,0],"tolerance":-1}"#,
            "tolerance",
        ),
        (
            r#"{"op":"ik","link":0,"position":[0,0,0],"tolerance":"x"}"#,
            "`tolerance` must be",
        ),
        (
            r#"{"op":"ik","link":0,"position":[0,0,0],"rotation":[[1,0,0],[0,1,0]]}"#,
            "`rotation` must be",
        ),
        (
            r#"{"op":"ik","link":0,"position":[0,0,0],"rotation":[[2,0,0],[0,1,0],[0,0,1]]}"#,
            "`rotation` must be a rotation matrix",
        ),
        (
            r#"{"op":"ik","link":0,"position":[0,0,0],"rotation":[[1,0,0],[0,1,0],[0,0,-1]]}"#,
            "`rotation` must be a rotation matrix",
        ),
    ];
    let lines: Vec<&str> = cases.iter().map(|(line, _)| *line).collect();
    for (answer, (line, problem)) in ask(&[PLANAR], &lines).iter().zip(cases) {
        assert_eq!(answer["ok"], false, "{line}");
        let message = answer["error"].as_str().unwrap();
        assert!(message.contains(problem), "{line}: {message}");
    }
}

#[test]
fn wrong_usage_exits_2() {
    for wrong in [
        &["ik", PLANAR, "--position", "0,0,0"][..],
        &["ik", PLANAR, "--link", "link2"],
        &["ik", PLANAR, "--link", "link2", "--pose", "0,0,0"],
        &[
            "ik",
            PLANAR,
            "--link",
            "2",
            "--pose",
            "0,0,0,0,0,0",
            "--position",
            "0,0,0",
        ],
        &[
            "ik",
            PLANAR,
            "--link",
            "2",
            "--position",
            "0,0,0",
            "--seed",
            "-1",
        ],
    ] {
        assert_eq!(run(wrong).code, 2, "{wrong:?}");
    }
    let refused = run(&["ik", PLANAR, "--link", "hand", "--position", "0,0,0"]);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stderr.contains("no link named `hand`"),
        "{}",
        refused.stderr
    );
}
