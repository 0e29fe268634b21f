//! What the subcommands print, and that `--json` is the answer of the op of the same name.

use serde_json::{Value, json};

use crate::common::{ask, run};

const PLANAR: &str = "data/robots/planar3R.rob";

/// A fixed word of the command line, and the request that it stands for.
#[test]
fn json_is_the_answer_of_the_op_of_the_same_name() {
    let q = "-0.1,0.7,1e-3";
    let cases: &[(&[&str], Value)] = &[
        (&["info"], json!({"op": "info"})),
        (&["collide"], json!({"op": "collide"})),
        (
            &["collide", "--config", q],
            json!({"op": "collide", "q": [-0.1, 0.7, 1e-3]}),
        ),
        (&["fk"], json!({"op": "fk", "q": [0, 0, 0]})),
        (
            &["fk", "--config", q],
            json!({"op": "fk", "q": [-0.1, 0.7, 1e-3]}),
        ),
        (
            &["fk", "--q", q, "--robot", "planar3R"],
            json!({"op": "fk", "q": [-0.1, 0.7, 1e-3]}),
        ),
        (
            &[
                "jacobian", "--config", q, "--link", "link1", "--point", "-1,0,2",
            ],
            json!({"op": "jacobian", "q": [-0.1, 0.7, 1e-3], "link": 1, "point": [-1, 0, 2]}),
        ),
        (
            &["jacobian", "--config=-0.1,0,0", "--link=2", "--robot", "0"],
            json!({"op": "jacobian", "q": [-0.1, 0, 0], "link": "link2", "point": [0, 0, 0]}),
        ),
        (
            &["dynamics", "--config", q],
            json!({"op": "dynamics", "q": [-0.1, 0.7, 1e-3]}),
        ),
        (
            &[
                "dynamics",
                "--config",
                q,
                "--dq",
                "-1,2,0",
                "--ddq",
                "-1,0,3",
                "--gravity",
                "0,0,-9.8",
            ],
            json!({"op": "dynamics", "q": [-0.1, 0.7, 1e-3], "dq": [-1, 2, 0], "ddq": [-1, 0, 3],
                "gravity": [0, 0, -9.8]}),
        ),
        (
            &["dynamics", "--tau", "-1,0.5,0"],
            json!({"op": "dynamics", "q": [0, 0, 0], "tau": [-1, 0.5, 0]}),
        ),
        // the last link, its origin, the robot as loaded
        (
            &["jacobian"],
            json!({"op": "jacobian", "q": [0, 0, 0], "link": 2, "point": [0, 0, 0]}),
        ),
    ];
    for (args, request) in cases {
        let args = [&args[..1], &[PLANAR, "--json"], &args[1..]].concat();
        let output = run(&args);
        assert_eq!(output.code, 0, "{args:?}: {}", output.stderr);
        let answer = &ask(&[PLANAR], &[&request.to_string()])[0];
        assert_eq!(output.json(), *answer, "{args:?}");
        assert_eq!(answer["ok"], true, "{answer}");
    }
}

#[test]
fn a_link_and_a_point_select_in_json_too() {
    let args = ["fk", PLANAR, "--config", "0.1,0.2,0.3", "--json"];
    let all = run(&args).json();
    let one = run(&[&args[..], &["--link", "1"]].concat()).json();
    assert_eq!(one["links"], json!([all["links"][1]]));
    let ahead = run(&[&args[..], &["--link", "1", "--point", "1,0,0"]].concat()).json();
    let near = |i: usize| {
        let (ours, next) = (&ahead["links"][0], &all["links"][2]);
        let x = |link: &Value| link["translation"][i].as_f64().expect("a number");
        (x(ours) - x(next)).abs() < 1e-12
    };
    assert!((0..3).all(near), "{ahead}");
}

#[test]
fn former_names_of_options_say_what_they_are_now() {
    for (old, new) in [
        ("--velocity", "--dq"),
        ("--accel", "--ddq"),
        ("--torque", "--tau"),
    ] {
        let run = run(&["dynamics", PLANAR, old, "0,0,0"]);
        assert_eq!(run.code, 2);
        let said = format!("the option is now {new}");
        assert!(run.stderr.contains(&said), "{}", run.stderr);
    }
}

/// The worked example of Klampt's manual.
#[test]
fn the_worked_example_of_the_manual() {
    let q = "0,0.7853981633974483,0.7853981633974483";
    let fk = run(&[
        "fk", PLANAR, "--config", q, "--link", "2", "--point", "1,0,0",
    ])
    .stdout;
    let row: Vec<&str> = fk
        .lines()
        .nth(1)
        .expect("one link")
        .split_whitespace()
        .collect();
    assert_eq!(row[..5], ["2", "link2", "1.707107", "0.000000", "1.707107"]);
    assert_eq!(fk.lines().count(), 2);

    let jacobian = run(&[
        "jacobian", PLANAR, "--config", q, "--point", "1,0,0", "--json",
    ])
    .json();
    let expected = [
        [-1.7071067811865475, -1.7071067811865475, -1.0],
        [0.0, 0.0, 0.0],
        [1.7071067811865477, 0.7071067811865477, 0.0],
    ];
    for (row, expected) in expected.iter().enumerate() {
        for (column, expected) in expected.iter().enumerate() {
            let value = jacobian["jacobian"][row + 3][column]
                .as_f64()
                .expect("a number");
            assert!((value - expected).abs() <= 4e-16, "{row} {column}: {value}");
        }
    }
}
