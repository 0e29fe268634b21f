//! `bench`: kernels, table and errors.

use serde_json::Value;

use crate::common::{run, scratch};

const ARM: &str = "data/robots/arm6.urdf";

/// One configuration at a time, then many.
const KEYS: &[&str] = &[
    "fk",
    "jacobian",
    "rnea",
    "crba",
    "aba",
    "rnea_derivatives",
    "aba_derivatives",
    "minverse",
    "fk_batch",
    "jacobian_batch",
    "rnea_batch",
    "crba_batch",
    "aba_batch",
    "fk_lanes",
    "jacobian_lanes",
    "rnea_lanes",
    "crba_lanes",
    "aba_lanes",
];

/// Two arms on one pole; the hook of the second has no mass.
const LIGHT: &str = r#"<robot name="light">
  <link name="pole"/>
  <link name="arm"><inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <link name="hook"/>
  <joint name="shoulder" type="continuous"><parent link="pole"/><child link="arm"/><axis xyz="0 0 1"/></joint>
  <joint name="wrist" type="continuous"><parent link="arm"/><child link="hook"/><axis xyz="1 0 0"/></joint>
</robot>"#;

#[test]
fn every_kernel_takes_time() {
    let answer = run(&["bench", ARM, "--json"]).json();
    assert_eq!(answer["ok"], true);
    assert_eq!(answer["robot"], "arm6");
    assert_eq!(answer["n_dofs"], 6);
    assert_eq!(answer["unavailable"], serde_json::json!({}));
    for key in KEYS {
        let ns = answer[key].as_f64();
        let ns = ns.unwrap_or_else(|| panic!("a time of {key}, not {}", answer[key]));
        assert!(ns > 1.0, "{key}: {ns} ns");
    }
    // contains fk, and takes longer even on a busy machine
    let ns = |key: &str| answer[key].as_f64().expect("a time");
    assert!(ns("minverse") > ns("fk"));
}

#[test]
fn the_table_has_a_row_per_kernel() {
    let table = run(&["bench", ARM]).stdout;
    let (head, rows) = table.split_once('\n').expect("lines");
    assert!(head.starts_with("robot arm6: 6 dofs, "), "{head}");
    let rows: Vec<Vec<&str>> = rows
        .lines()
        .map(|row| row.split_whitespace().collect())
        .collect();
    assert_eq!(rows[0], ["kernel", "time", "description"]);
    let keys: Vec<&str> = rows[1..].iter().map(|row| row[0]).collect();
    assert_eq!(keys, KEYS);
    for row in &rows[1..] {
        assert!(row[1].parse::<f64>().is_ok(), "{row:?}");
        assert!(["ns", "µs", "ms"].contains(&row[2]), "{row:?}");
    }
}

#[test]
fn an_unavailable_kernel_is_null_with_a_reason() {
    let light = scratch("bench/light.urdf", LIGHT);
    let answer = run(&["bench", &light, "--json"]).json();
    assert_eq!(answer["ok"], true);
    for key in [
        "aba",
        "aba_derivatives",
        "minverse",
        "aba_batch",
        "aba_lanes",
    ] {
        assert_eq!(answer[key], Value::Null);
        let reason = answer["unavailable"][key].as_str().expect("a reason");
        assert!(
            reason.contains("link `hook`: its dof has no inertia"),
            "{reason}"
        );
    }
    for key in ["fk", "rnea", "crba", "jacobian_batch", "rnea_lanes"] {
        assert!(answer[key].is_f64(), "{key}: {}", answer[key]);
        assert_eq!(answer["unavailable"][key], Value::Null);
    }
    let table = run(&["bench", &light]);
    assert_eq!(table.code, 0);
    assert!(
        table.stdout.contains("unavailable: link `hook`"),
        "{}",
        table.stdout
    );
}

#[test]
fn a_robot_without_dofs_is_an_error() {
    let still = scratch(
        "bench/still.urdf",
        r#"<robot name="still"><link name="a"/></robot>"#,
    );
    let run = run(&["bench", &still, "--json"]);
    assert_eq!(run.code, 1);
    assert_eq!(run.json()["ok"], false);
    assert!(
        run.stderr.contains("`still` has no degrees of freedom"),
        "{}",
        run.stderr
    );
}
