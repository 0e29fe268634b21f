//! `wrench`: a stone on a sling and a recorded swing, with results that can be checked by hand.

use serde_json::{Value, json};

use crate::common::{ask, run, scratch};

/// A hand of 1 kg translates along x; a stone of 2 kg rotates about its z axis, 1 m away.
const SLING: &str = r#"<robot name="sling">
  <link name="ground"/>
  <link name="hand"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <link name="stone"><inertial><origin xyz="1 0 0"/><mass value="2"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>
  <joint name="x" type="prismatic"><parent link="ground"/><child link="hand"/><axis xyz="1 0 0"/>
    <limit lower="-9" upper="9" velocity="1" effort="1"/></joint>
  <joint name="turn" type="continuous"><parent link="hand"/><child link="stone"/><axis xyz="0 0 1"/></joint>
</robot>"#;

const KEYS: [&str; 9] = [
    "dynamic",
    "joint",
    "gravity",
    "tip",
    "external",
    "dalembert",
    "euler",
    "centrifugal",
    "coriolis",
];

fn numbers(value: &Value) -> Vec<f64> {
    let list = value
        .as_array()
        .unwrap_or_else(|| panic!("a list, not {value}"));
    list.iter().map(|x| x.as_f64().expect("a number")).collect()
}

#[track_caller]
fn close(ours: &Value, theirs: [f64; 6]) {
    for (a, b) in numbers(ours).iter().zip(theirs) {
        assert!((a - b).abs() < 1e-12, "{ours} is not {theirs:?}");
    }
    assert_eq!(numbers(ours).len(), 6);
}

#[test]
fn the_balance_matches_a_calculation_by_hand() {
    let sling = scratch("wrench/sling.urdf", SLING);
    let still = r#"{"op":"wrench","q":[0,0],"dq":[0,3],"ddq":[0,0],"link":"stone"}"#;
    let along = r#"{"op":"wrench","q":[0,0],"dq":[0,3],"ddq":[0,0],"link":2,"observer":"stone","gravity":[0,0,0]}"#;
    let moved = r#"{"op":"wrench","q":[0,0],"dq":[0,0],"ddq":[5,2],"link":"stone","observer":"stone","gravity":[0,0,0]}"#;
    let pushed = r#"{"op":"wrench","q":[0,0],"dq":[0,0],"ddq":[0,0],"link":"hand","gravity":[0,0,0],
        "external":[{"link":"stone","point":[1,0,0],"wrench":[0,0,1,0,4,0]},{"link":"hand","point":[0,0,0],"wrench":[0,0,0,0,0,7]}]}"#;
    let pushed = pushed.replace('\n', " ");
    let answers = ask(&[&sling], &[still, along, moved, &pushed]);
    for answer in &answers {
        assert_eq!(answer["ok"], true);
        let keys: Vec<&String> = answer.as_object().expect("an object").keys().collect();
        assert_eq!(keys.len(), 10, "{keys:?}");
        let sum = |k: usize| {
            KEYS[1..]
                .iter()
                .map(|key| numbers(&answer[*key])[k])
                .sum::<f64>()
        };
        for k in 0..6 {
            assert!((sum(k) - numbers(&answer["dynamic"])[k]).abs() < 1e-12);
        }
    }

    // the joint force is m ω² r inward and carries the weight, with the default gravity
    close(&answers[0]["dynamic"], [0.0, 0.0, 0.0, -18.0, 0.0, 0.0]);
    close(&answers[0]["gravity"], [0.0, 19.62, 0.0, 0.0, 0.0, -19.62]);
    close(&answers[0]["joint"], [0.0, -19.62, 0.0, -18.0, 0.0, 19.62]);
    // an observer that rotates with the stone sees no motion
    close(&answers[1]["dynamic"], [0.0; 6]);
    close(&answers[1]["centrifugal"], [0.0, 0.0, 0.0, 18.0, 0.0, 0.0]);
    close(&answers[1]["joint"], [0.0, 0.0, 0.0, -18.0, 0.0, 0.0]);
    // nor does an accelerating one, with two fictitious forces
    close(&answers[2]["dalembert"], [0.0, 0.0, 0.0, -10.0, 0.0, 0.0]);
    close(&answers[2]["euler"], [0.0, 0.0, -4.0, 0.0, -4.0, 0.0]);
    close(&answers[2]["joint"], [0.0, 0.0, 4.0, 10.0, 4.0, 0.0]);
    // a wrench on the stone is transmitted to the hand: 4 N at 1 m, and 1 N m
    close(&answers[3]["tip"], [0.0, 0.0, 5.0, 0.0, 4.0, 0.0]);
    close(&answers[3]["external"], [0.0, 0.0, 0.0, 0.0, 0.0, 7.0]);
    close(&answers[3]["joint"], [0.0, 0.0, -5.0, 0.0, -4.0, -7.0]);
}

#[test]
fn invalid_requests_are_errors() {
    let sling = scratch("wrench/refused.urdf", SLING);
    let base = json!({"op": "wrench", "q": [0, 0], "dq": [0, 0], "ddq": [0, 0], "link": "stone"});
    let wrench = json!({"link": "stone", "point": [0, 0, 0], "wrench": [0, 0, 0, 0, 0, 0]});
    let with = |field: &str, value: Value| {
        let mut request = base.clone();
        match value {
            Value::Null => drop(request.as_object_mut().expect("an object").remove(field)),
            value => request[field] = value,
        }
        request.to_string()
    };
    let with_external = |field: &str, value: Value| {
        let mut wrench = wrench.clone();
        match value {
            Value::Null => drop(wrench.as_object_mut().expect("an object").remove(field)),
            value => wrench[field] = value,
        }
        with("external", json!([wrench]))
    };
    let cases = [
        (with("dq", Value::Null), "`dq` is missing"),
        (with("ddq", Value::Null), "`ddq` is missing"),
        (with("link", Value::Null), "`link` is missing"),
        (
            with("q", json!([0])),
            "a configuration of `sling` needs 2 values, got 1",
        ),
        (with("dq", json!([0])), "velocity needs 2 values, got 1"),
        (
            with("ddq", json!([0, 0, 0])),
            "acceleration needs 2 values, got 3",
        ),
        (
            with("link", json!("rope")),
            "no link named `rope`; there are: ground, hand, stone",
        ),
        (
            with("observer", json!("moon")),
            "no link named `moon`; there are: ground, hand, stone",
        ),
        (with("observer", json!(7)), "no link"),
        (
            with("gravity", json!([0, 0])),
            "`gravity` must be a list of three finite numbers",
        ),
        (
            with("tau", json!([0, 0])),
            "`wrench` has no field `tau`; there are: robot, q, dq, ddq, link, observer, gravity, external",
        ),
        (
            with("external", json!({})),
            "`external` must be a list of objects",
        ),
        (
            with("external", json!([1])),
            "`external` 0: it must be an object",
        ),
        (
            with_external("link", Value::Null),
            "`external` 0: `link` is missing",
        ),
        (
            with_external("point", Value::Null),
            "`external` 0: `point` is missing",
        ),
        (
            with_external("wrench", Value::Null),
            "`external` 0: `wrench` is missing",
        ),
        (
            with_external("wrench", json!([1, 2, 3])),
            "`external` 0: `wrench` must be a list of six finite numbers, moment first",
        ),
        (
            with_external("point", json!([1, 2, "3"])),
            "`external` 0: `point` must be a list of three finite numbers",
        ),
        (
            with_external("id", json!(1)),
            "`external` 0: `external` has no field `id`; there are: link, point, wrench",
        ),
        (with_external("link", json!("rope")), "no link named `rope`"),
    ];
    let lines: Vec<&str> = cases.iter().map(|(line, _)| line.as_str()).collect();
    for (answer, (line, message)) in ask(&[&sling], &lines).iter().zip(&cases) {
        assert_eq!(answer["ok"], false, "{line}");
        let error = answer["error"].as_str().expect("a sentence");
        assert!(error.starts_with(message), "{line}: {error}");
    }
}

const ARM: &str = "data/robots/planar3R.rob";
const SWING: &str = "data/motions/swing.csv";

/// The lines of a run's comma-separated values.
fn cells(text: &str) -> Vec<Vec<&str>> {
    text.lines().map(|line| line.split(',').collect()).collect()
}

#[test]
fn a_motion_comes_out_as_a_line_per_instant_and_link() {
    let all = run(&["wrench", ARM, "--motion", SWING]);
    assert_eq!((all.code, all.stderr.as_str()), (0, ""));
    let rows = cells(&all.stdout);
    assert_eq!(rows.len(), 1 + 101 * 3);
    assert_eq!(rows[0][..3], ["time", "link", "dynamic_mx"]);
    assert_eq!(rows[0].len(), 2 + 9 * 6);
    assert_eq!(rows[0].last(), Some(&"coriolis_fz"));
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));

    let one = run(&[
        "wrench",
        ARM,
        "--motion",
        SWING,
        "--link",
        "link1",
        "--observer",
        "link0",
        "--json",
    ])
    .json();
    assert_eq!(
        (&one["ok"], &one["observer"]),
        (&json!(true), &json!("link0"))
    );
    let wrenches = one["wrenches"].as_array().expect("a list");
    assert_eq!(wrenches.len(), 101);

    // the same as `query` says with the derivatives that the motion was made of
    for entry in [&wrenches[0], &wrenches[37], &wrenches[100]] {
        assert_eq!(entry["link"], "link1");
        let t = entry["time"].as_f64().expect("a time");
        let (paces, sizes) = ([1.0, 2.0, 3.0], [0.5, 0.4, 0.3]);
        let of = |f: &dyn Fn(f64, f64) -> f64| {
            let all = paces.iter().zip(sizes).map(|(w, a)| a * f(*w, w * t));
            all.collect::<Vec<f64>>()
        };
        let request = json!({
            "op": "wrench", "link": "link1", "observer": "link0",
            "q": of(&|_, x| x.sin()), "dq": of(&|w, x| w * x.cos()), "ddq": of(&|w, x| -w * w * x.sin()),
        });
        let answer = &ask(&[ARM], &[&request.to_string()])[0];
        for key in KEYS {
            for (a, b) in numbers(&entry[key]).iter().zip(numbers(&answer[key])) {
                assert!((a - b).abs() < 1e-4, "{key} at {t}: {a} is not {b}");
            }
        }
    }
}

#[test]
fn external_wrenches_reach_the_parent_links() {
    let motion = scratch("wrench/pushed.csv", "0,0,0,0,0,0,0,0,0,0\n");
    let at = |wrenches: &[&str], link: &str, key: &str| {
        let mut args = vec![
            "wrench",
            ARM,
            "--motion",
            &motion,
            "--json",
            "--gravity",
            "0,0,0",
            "--link",
            link,
        ];
        for external in wrenches {
            args.extend(["--external", external]);
        }
        run(&args).json()["wrenches"][0][key].clone()
    };

    // with the arm along x, 10 N down at the tip: 3 m from the first joint
    let tip = "link2:1,0,0:0,0,-10";
    close(
        &at(&[tip], "link2", "external"),
        [0.0, 10.0, 0.0, 0.0, 0.0, -10.0],
    );
    close(
        &at(&[tip], "link0", "joint"),
        [0.0, -30.0, 0.0, 0.0, 0.0, 10.0],
    );
    let moment = "1:0,2,0,0,0,-10";
    close(
        &at(&[tip, moment], "link0", "joint"),
        [0.0, -42.0, 0.0, 0.0, 0.0, 20.0],
    );
    for (wrong, message) in [
        ("link2", "expected LINK:"),
        (":0,0,1", "expected LINK:"),
        ("link2:0,0", "3 or 6 values"),
        ("link2:0,0,x", "not a number"),
    ] {
        let run = run(&["wrench", ARM, "--motion", &motion, "--external", wrong]);
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
    let unknown = run(&[
        "wrench",
        ARM,
        "--motion",
        &motion,
        "--external",
        "rope:0,0,1",
    ]);
    assert_eq!(unknown.code, 1);
    assert!(
        unknown.stderr.contains("no link named `rope`"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn the_table_shows_each_instant() {
    let motion = scratch(
        "wrench/still.csv",
        "0,0,0,0,0,0,0,0,0,0\n1,0,0,0,0,0,0,0,0,0\n",
    );
    let args = [
        "wrench", ARM, "--motion", &motion, "--table", "--link", "link2",
    ];
    let table = run(&[&args[..], &["--gravity", "0,0,-10"]].concat());
    assert_eq!(table.code, 0, "{}", table.stderr);
    let lines: Vec<&str> = table.stdout.lines().collect();
    assert_eq!(lines[0], "after 0 s");
    assert_eq!(lines[2], "link2, about its origin, observed from the world");
    let weight: Vec<&str> = lines[5].split_whitespace().collect();
    assert_eq!(weight[0], "gravity");
    assert_eq!(weight[4..], ["0.0000", "0.0000", "-10.0000"]);
    assert!(lines.contains(&"after 1 s"));
    assert_eq!(run(&[&args[..], &["--json"]].concat()).code, 2);
}

#[test]
fn an_invalid_motion_is_an_error_with_its_position() {
    let motion = scratch(
        "wrench/bad.csv",
        "time,link0,link1,link2\n0,0,0,0\n1,0,zero,0\n",
    );
    for format in [&[][..], &["--json"], &["--table"]] {
        let refused = run(&[&["wrench", ARM, "--motion", &motion], format].concat());
        assert_eq!((refused.code, refused.stdout.as_str()), (1, ""));
        let position = format!("{motion}:3:5: error: `zero` is not a finite number\n");
        assert!(refused.stderr.starts_with(&position), "{}", refused.stderr);
    }
    let refused = run(&["wrench", ARM, "--motion", SWING, "--link", "link7"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("no link named `link7`"));
    assert_eq!(run(&["wrench", ARM]).code, 2);
}

#[test]
fn a_motion_may_name_joints_and_have_degrees() {
    let sling = scratch("wrench/units.urdf", SLING);
    let quarter = std::f64::consts::FRAC_PI_2;
    let rows = |head: &str, scale: f64| {
        let row = |t: f64| format!("{t},{t},{}\n", t * quarter * scale);
        format!(
            "{head}\n{}",
            (0..5).map(|i| row(f64::from(i) * 0.25)).collect::<String>()
        )
    };
    let degrees = 180.0 / std::f64::consts::PI;
    let ask = |name: &str, text: &str, options: &[&str]| {
        let motion = scratch(&format!("wrench/{name}.csv"), text);
        let args = [&["wrench", &sling, "--motion", &motion, "--json"], options].concat();
        let ran = run(&args);
        assert_eq!(ran.stderr, "", "{name}");
        ran.json()["wrenches"].clone()
    };
    let by_link = ask("by_link", &rows("time,hand,stone", 1.0), &[]);
    assert!(by_link.is_array(), "{by_link}");
    assert_eq!(
        ask(
            "by_joint",
            &rows("time,q_x,turn [rad]", 1.0),
            &["--degrees"]
        ),
        by_link
    );
    for (name, head, options) in [
        ("marked", "time,x [m],turn [deg]", &[][..]),
        ("option", "time,x,turn", &["--degrees"]),
    ] {
        let found = ask(name, &rows(head, degrees), options);
        let instants = found.as_array().unwrap().iter();
        for (a, b) in instants.zip(by_link.as_array().unwrap()) {
            let wrench = |x: &Value| numbers(&x["joint"]);
            for (a, b) in wrench(a).iter().zip(wrench(b)) {
                assert!((a - b).abs() < 1e-9, "{name}: {a} {b}");
            }
        }
    }
}
