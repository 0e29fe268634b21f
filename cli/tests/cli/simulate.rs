//! Command `simulate`: results and refusals.

use std::path::Path;

use serde_json::{Value, json};

use crate::common::{run, scratch};

/// Body of 2 kg on a vertical rail.
const BODY: &str = r#"<robot name="stone">
  <link name="world"/>
  <link name="stone"><inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="z" type="prismatic"><parent link="world"/><child link="stone"/><axis xyz="0 0 1"/>
    <limit lower="-99" upper="99" velocity="1" effort="1"/></joint>
</robot>"#;

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("a number, not {value}"))
}

#[test]
fn a_body_falls_freely() {
    let urdf = scratch("simulate/stone.urdf", BODY);
    let output = run(&[
        "simulate",
        &urdf,
        "--duration",
        "2",
        "--period",
        "0.5",
        "--gravity",
        "0,0,-10",
        "--json",
    ]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    let output = output.json();
    assert_eq!(
        (&output["ok"], &output["steps"]),
        (&json!(true), &json!(2000))
    );
    assert_eq!(output["columns"], json!(["time", "q_z", "dq_z"]));
    let rows = output["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 5);
    for (k, row) in rows.iter().enumerate() {
        let t = 0.5 * k as f64;
        assert!((number(&row[0]) - t).abs() < 1e-12);
        assert!((number(&row[1]) + 5.0 * t * t).abs() < 1e-9);
        assert!((number(&row[2]) + 10.0 * t).abs() < 1e-9);
    }
    assert!(number(&output["energy_drift"]).abs() < 1e-8);
    assert!((number(&output["energy"][1]["kinetic"]) - 400.0).abs() < 1e-8);
}

/// Body of `BODY` with damping and friction, that falls on a stop.
fn damped() -> String {
    BODY.replace("lower=\"-99\"", "lower=\"-0.1\"").replace(
        "</joint>",
        "<dynamics damping=\"3\" friction=\"0\"/></joint>",
    )
}

#[test]
fn joint_limits_and_damping_are_on_unless_ideal() {
    let urdf = scratch("simulate/damped.urdf", &damped());
    let rows = |args: &[&str]| {
        let output = run(&[&["simulate", &urdf, "--json"], args].concat());
        assert_eq!(output.code, 0, "{}", output.stderr);
        output.json()["rows"].as_array().unwrap().clone()
    };

    // v(t) = −g m/d (1 − exp(−d t/m)), until the stop at −0.1 m
    for row in rows(&["--duration", "0.12"]) {
        let expected = -9.81 * 2.0 / 3.0 * (1.0 - (-1.5 * number(&row[0])).exp());
        assert!((number(&row[2]) - expected).abs() < 1e-9, "{row}");
    }

    // the stop of 2 kg · (100 rad/s)² holds it, compressed by g / (100 rad/s)²
    let last = rows(&["--duration", "2"]).pop().unwrap();
    assert!((number(&last[1]) + 0.1 + 9.81e-4).abs() < 1e-6, "{last}");

    let last = rows(&["--duration", "2", "--ideal"]).pop().unwrap();
    assert!((number(&last[1]) + 0.5 * 9.81 * 4.0).abs() < 1e-8, "{last}");

    // a setup turns on one of the two, and --ideal both off again
    let setup = scratch(
        "simulate/ideal.json",
        r#"{"ideal": true, "friction": true}"#,
    );
    let last = rows(&["--duration", "5", "--setup", &setup]).pop().unwrap();
    assert!(
        number(&last[1]) < -20.0 && number(&last[2]) > -6.54,
        "{last}"
    );
    let last = rows(&["--duration", "2", "--setup", &setup, "--ideal"])
        .pop()
        .unwrap();
    assert!((number(&last[2]) + 9.81 * 2.0).abs() < 1e-8, "{last}");
}

#[test]
fn contact_and_starts_beyond_limits_are_said_to_be_left_out() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../data");
    let (arm, table) = (
        format!("{root}/robots/arm6.urdf"),
        format!("{root}/terrains/table.env"),
    );
    let output = run(&["simulate", &arm, &table, "--duration", "0.01", "--json"]);
    let contact = "no contact: links pass through terrain `table` and each other";
    assert_eq!(output.stderr, format!("warning: {contact}\n"));
    assert_eq!(output.json()["warnings"], json!([contact]));

    // nothing to touch
    let urdf = scratch("simulate/alone.urdf", &damped());
    let output = run(&["simulate", &urdf, "--duration", "0.01", "--json"]);
    assert_eq!(
        (&output.stderr[..], &output.json()["warnings"]),
        ("", &json!([]))
    );

    let args = ["simulate", &urdf, "--duration", "0.01", "--config=-0.5"];
    let output = run(&args);
    let moved =
        "warning: beyond joint limits at the start: `z`; each has its stop where it starts\n";
    assert_eq!(output.stderr, moved);
    assert_eq!(run(&[&args[..], &["--ideal"]].concat()).stderr, "");
}

#[test]
fn steps_that_a_stiff_controller_makes_unstable_are_recognised() {
    let urdf = scratch("simulate/stiff.urdf", BODY);
    let text = r#"{"pd": {"p": 2e8, "d": 2e3, "position": [0.5]}, "duration": 0.5}"#;
    let setup = scratch("simulate/stiff.json", text);

    // 10⁴ rad/s, from p = 2·10⁸ N/m and 2 kg
    let output = run(&["simulate", &urdf, "--setup", &setup, "--step", "0.001"]);
    let mode = "step 1 ms × fastest mode 1.000e4 1/s (velocity of link `stone`) = 10.00: unstable with rk44";
    assert!(output.stderr.contains(mode), "{}", output.stderr);
    let advice = "try --method dopri5 or --step 0.00028";
    assert!(output.stderr.contains(advice), "{}", output.stderr);
    let stopped = "step 1.000e-3 s × fastest mode 1.000e4 1/s (velocity of link `stone`) = 10.00: the step is too long";
    assert!(output.stderr.contains(stopped), "{}", output.stderr);

    // the advice helps
    let ends: Vec<f64> = [&["--step", "0.00028"][..], &["--method", "dopri5"], &[]]
        .iter()
        .map(|args| {
            let all = ["simulate", &urdf, "--setup", &setup, "--json"];
            let output = run(&[&all[..], args].concat());
            assert_eq!((output.code, &output.stderr[..]), (0, ""), "{args:?}");
            let output = output.json();
            let method = if args.first() == Some(&"--step") {
                "rk44"
            } else {
                "dopri5"
            };
            assert_eq!(output["method"], method);
            number(&output["rows"].as_array().unwrap()[50][1])
        })
        .collect();
    for end in ends {
        assert!((end - 0.5).abs() < 1e-5, "{end}");
    }
}

#[test]
fn runs_that_need_too_many_steps_stop_with_the_reason() {
    let urdf = scratch("simulate/endless.urdf", BODY);
    let text =
        r#"{"pd": {"p": 2e8, "d": 2e3, "position": [0.5]}, "tolerance": 1e-9, "step_limit": 20}"#;
    let setup = scratch("simulate/endless.json", text);
    let output = run(&["simulate", &urdf, "--setup", &setup, "--json", "--ideal"]);
    assert_eq!(output.code, 3, "{}", output.stderr);
    let reason = output.json()["reason"].to_string();
    assert!(
        reason.contains("20 steps did not reach the end, values are up to"),
        "{reason}"
    );
    assert!(output.json()["steps"].is_null());
}

#[test]
fn wrenches_and_forces_over_time_act() {
    let urdf = scratch("simulate/pushed.urdf", BODY);
    let setup = |text: &str| {
        let setup = scratch("simulate/pushed.json", text);
        let output = run(&["simulate", &urdf, "--setup", &setup, "--json", "--ideal"]);
        assert_eq!(output.code, 0, "{}", output.stderr);
        let rows = output.json()["rows"].as_array().unwrap().clone();
        let last = rows.last().unwrap();
        [number(&last[1]), number(&last[2])]
    };
    let at = |[q, dq]: [f64; 2], expected: [f64; 2]| {
        assert!(
            (q - expected[0]).abs() < 1e-6 && (dq - expected[1]).abs() < 1e-6,
            "{q} {dq}"
        );
    };

    // 2 kg: 4 N up, as a wrench, as a table that rises from 0, as a sine of one period
    let zero = r#""gravity": [0, 0, 0]"#;
    at(
        setup(&format!(
            r#"{{{zero}, "wrenches": [{{"link": "stone", "force": [7, 0, 4]}}]}}"#
        )),
        [1.0, 2.0],
    );
    let table = r#"{"link": "stone", "times": [0, 1], "values": [0, 4]}"#;
    at(
        setup(&format!(r#"{{{zero}, "forces": [{table}]}}"#)),
        [1.0 / 3.0, 1.0],
    );
    let sine = r#"{"link": "stone", "amplitude": 4, "frequency": 1}"#;
    at(
        setup(&format!(r#"{{{zero}, "forces": [{sine}]}}"#)),
        [1.0 / std::f64::consts::PI, 0.0],
    );
}

#[test]
fn redundant_coordinates_end_where_a_tree_does() {
    let arm = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/robots/arm6.urdf");
    let setup = |text: &str| scratch("simulate/redundant.json", text);
    let ended = |text: &str| {
        let output = run(&["simulate", arm, "--setup", &setup(text), "--json"]);
        assert_eq!(output.code, 0, "{}", output.stderr);
        output.json()
    };
    let common = r#""duration": 0.2, "config": [0.1, 0.2, 0.3, 0.1, 0.2, 0.3], "ideal": true,
        "wrenches": [{"link": "flange", "force": [1, 2, 3], "moment": [0.1, 0.2, 0.3]}]"#;
    let tree = ended(&format!("{{{common}}}"));
    let bodies = ended(&format!("{{{common}, \"redundant\": true, \"rho\": 0.8}}"));
    assert_eq!(
        (&tree["method"], &bodies["method"]),
        (&json!("rk44"), &json!("generalized-alpha"))
    );
    assert_eq!(tree["columns"], bodies["columns"]);
    let last = |it: &Value| {
        it["rows"]
            .as_array()
            .unwrap()
            .last()
            .unwrap()
            .as_array()
            .unwrap()
            .clone()
    };
    for (a, b) in last(&tree).iter().zip(last(&bodies)).take(7) {
        assert!((number(a) - number(&b)).abs() < 1e-4, "{a} {b}");
    }

    let refused = setup(r#"{"rho": 0.5, "method": "rk44"}"#);
    let output = run(&["simulate", arm, "--setup", &refused]);
    let reason = "`rho` is for the method generalized-alpha alone, this one is rk44";
    assert!(output.stderr.contains(reason), "{}", output.stderr);
}

#[test]
fn displacements_are_measured_from_the_reference() {
    let urdf = scratch("simulate/reference.urdf", BODY);
    let setup = r#"{"duration": 0.01, "gravity": [0, 0, 0], "config": [1], "reference": [0.25],
        "sensors": [{"link": "stone", "quantity": "displacement"}]}"#;
    let setup = scratch("simulate/reference.json", setup);
    let rows = run(&["simulate", &urdf, "--setup", &setup, "--json"]).json()["rows"].clone();
    assert_eq!(rows[0], json!([0.0, 0.0, 0.0, 0.75]));
}

#[test]
fn options_take_precedence_over_the_setup() {
    let urdf = scratch("simulate/held.urdf", BODY);
    let setup = json!({
        "duration": 30.0, "method": "dopri5", "tolerance": 1e-9, "period": 0,
        "gravity": [0, 0, -10], "config": [1], "velocity": [-1], "torque": [20],
        "base": {"position": [1, 2, 3], "rpy": [0, 0, 1]},
        "pd": {"p": 50, "d": [20], "position": [0.5]},
        "sensors": [
            {"link": "stone", "point": [1, 0, 0], "quantity": "position", "name": "p"},
            {"quantity": "energy"}, {"quantity": "force"},
        ],
    });
    let setup = scratch("simulate/held.json", &setup.to_string());
    let table = Path::new(&urdf).with_file_name("held.csv");
    let table = table.to_str().unwrap();
    let output = run(&[
        "simulate",
        &urdf,
        "--setup",
        &setup,
        "--duration",
        "10",
        "--output",
        table,
    ]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(output.stdout.contains("to t = 10 s"), "{}", output.stdout);
    let csv = std::fs::read_to_string(table).unwrap();
    assert!(
        csv.starts_with("time,p_x,p_y,p_z,energy_kinetic,energy_potential,energy_total,force_z\n"),
        "{csv}"
    );

    // the torque balances the weight, and the spring moves it to 0.5 m above the base
    let last: Vec<f64> = csv
        .lines()
        .last()
        .unwrap()
        .split(',')
        .map(|x| x.parse().unwrap())
        .collect();
    let expected = [
        10.0,
        1.0 + 1.0_f64.cos(),
        2.0 + 1.0_f64.sin(),
        3.5,
        0.0,
        70.0,
        70.0,
        0.0,
    ];
    for (a, b) in last.iter().zip(expected) {
        assert!((a - b).abs() < 1e-5, "{last:?}");
    }
}

#[test]
fn json_tables_read_back() {
    let urdf = scratch("simulate/json.urdf", BODY);
    let table = Path::new(&urdf).with_file_name("table.json");
    let output = run(&[
        "simulate",
        &urdf,
        "--output",
        table.to_str().unwrap(),
        "--json",
    ]);
    let output = output.json();
    assert!(output.get("rows").is_none(), "the rows are in the file");
    let read: Value = serde_json::from_str(&std::fs::read_to_string(table).unwrap()).unwrap();
    assert_eq!(read["columns"], output["columns"]);
    assert_eq!(read["rows"].as_array().unwrap().len(), 101);
}

#[test]
fn a_setup_in_toml_equals_one_in_json() {
    let urdf = scratch("simulate/toml.urdf", BODY);
    let json = r#"{"duration": 1, "step": 0.01, "gravity": [0, 0, -10], "config": [1],
        "pd": {"p": 50, "d": [20], "position": [0.5]}, "sensors": [{"quantity": "energy"}]}"#;
    let toml = "duration = 1\nstep = 0.01 # a comment\ngravity = [0, 0, -10]\nconfig = [1]\n\n[pd]\np = 50\nd = [20]\n\
                position = [0.5]\n\n[[sensors]]\nquantity = \"energy\"\n";
    let output = [("json", json), ("toml", toml)].map(|(suffix, text)| {
        let setup = scratch(&format!("simulate/same.{suffix}"), text);
        let output = run(&["simulate", &urdf, "--setup", &setup, "--json"]);
        assert_eq!(output.code, 0, "{}", output.stderr);
        output.json()
    });
    assert_eq!(output[0]["rows"], output[1]["rows"]);
    assert_eq!(output[0]["steps"], json!(100));
}

#[test]
fn columns_are_plotted() {
    let urdf = scratch("simulate/drawn.urdf", BODY);
    let plot = Path::new(&urdf).with_file_name("drawn.svg");
    let plot = plot.to_str().unwrap();
    let output = run(&["simulate", &urdf, "--plot", plot, "--columns", "q_z"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    let drawn = std::fs::read_to_string(plot).unwrap();
    assert!(drawn.contains(">q_z</text>") && !drawn.contains("dq_z"));
    let picture = Path::new(&urdf).with_file_name("drawn.PNG");
    let output = run(&["simulate", &urdf, "--plot", picture.to_str().unwrap()]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    let bytes = std::fs::read(picture).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.ends_with(b"IEND\xaeB\x60\x82"));
    let output = run(&["simulate", &urdf, "--plot", plot, "--columns", "wing"]);
    assert!(
        output.stderr.contains("no column named `wing`"),
        "{}",
        output.stderr
    );
}

#[test]
fn invalid_simulations_are_refused_with_the_reason() {
    let urdf = scratch("simulate/refused.urdf", BODY);
    let setup = |name: &str, text: &str| scratch(&format!("simulate/{name}.json"), text);
    let unknown = setup("unknown", r#"{"durations": 2}"#);
    let sensor = setup("sensor", r#"{"sensors": [{"quantity": "colour"}]}"#);
    let nowhere = setup(
        "nowhere",
        r#"{"sensors": [{"quantity": "position", "link": "wing"}]}"#,
    );
    let toml = scratch("simulate/unknown.toml", "step = 0.1\ndurations = 2\n");
    let gains = setup("gains", r#"{"pd": {"p": [1, 2], "d": 1, "position": [0]}}"#);
    let light = scratch(
        "simulate/light.urdf",
        &BODY.replace("mass value=\"2\"", "mass value=\"0\""),
    );
    // adaptive steps would be too many to end
    let stiff = BODY
        .replace("mass value=\"2\"", "mass value=\"1e-12\"")
        .replace("<limit", "<dynamics damping=\"10\"/><limit");
    let stiff = scratch("simulate/stiff.urdf", &stiff);
    for (args, expected) in [
        (vec![&urdf[..], "--setup", "/no/such/file"], "No such file"),
        (
            vec![&urdf, "--setup", &unknown],
            "unknown field `durations`",
        ),
        (vec![&urdf, "--setup", &toml], "unknown field `durations`"),
        (
            vec![&urdf, "--setup", &sensor],
            "no quantity named `colour`",
        ),
        (vec![&urdf, "--setup", &nowhere], "no link named `wing`"),
        (
            vec![&urdf, "--setup", &gains],
            "gain p needs 1 values, got 2",
        ),
        (vec![&urdf, "--method", "magic"], "no method named `magic`"),
        (vec![&urdf, "--step", "0"], "it must be finite and positive"),
        (
            vec![&urdf, "--method", "rk44", "--tolerance", "1e-6"],
            "has no error estimate",
        ),
        (vec![&urdf, "--duration", "-1"], "in order"),
        (vec![&urdf, "--velocity", "1,2"], "velocity needs 1 values"),
        (vec![&light], "link `stone`: its dof has no inertia"),
        (vec![&stiff], "what moves there has almost no inertia"),
    ] {
        let output = run(&[&["simulate"], &args[..]].concat());
        assert_eq!(output.code, 1, "{args:?}: {}", output.stdout);
        assert!(
            output.stderr.contains(expected),
            "{args:?}: {}",
            output.stderr
        );
        assert_eq!(output.stdout, "");
    }
}
