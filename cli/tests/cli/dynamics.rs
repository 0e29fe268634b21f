//! What `dynamics` answers: a lift and a crane, whose numbers a reader can check.

use serde_json::{Value, json};

use crate::common::{ask, run, scratch};

/// A bridge of 300 kg slides along x and carries a hook of 50 kg, which slides along z.
const CRANE: &str = r#"<robot name="crane">
  <link name="world"/>
  <link name="bridge"><inertial><mass value="300"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <link name="hook"><inertial><mass value="50"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="x" type="prismatic"><parent link="world"/><child link="bridge"/><axis xyz="1 0 0"/>
    <limit lower="-9" upper="9" velocity="1" effort="1"/></joint>
  <joint name="z" type="prismatic"><parent link="bridge"/><child link="hook"/><axis xyz="0 0 1"/>
    <limit lower="-9" upper="9" velocity="1" effort="1"/></joint>
</robot>"#;

#[test]
fn forces_come_with_gravity_and_only_those_that_are_asked_for() {
    let crane = scratch("dynamics/crane.urdf", CRANE);
    let mass_matrix = json!([[350.0, 0.0], [0.0, 50.0]]);
    let still =
        json!({"mass_matrix": mass_matrix, "coriolis": [0.0, 0.0], "gravity_forces": [0.0, 490.5]});
    let cases = [
        (json!({}), json!({})),
        (json!({"dq": [1.0, -2.0]}), json!({})),
        (json!({"ddq": [2.0, 1.0]}), json!({"tau": [700.0, 540.5]})),
        (json!({"tau": [700.0, 0.0]}), json!({"ddq": [2.0, -9.81]})),
        (
            json!({"tau": [700.0, 0.0], "ddq": [0.0, 0.0], "gravity": [0, 0, -10]}),
            json!({"tau": [0.0, 500.0], "ddq": [2.0, -10.0], "gravity_forces": [0.0, 500.0]}),
        ),
    ];
    for (asked, output) in cases {
        let request = merged(&json!({"op": "dynamics", "q": [0.0, 1.0]}), &asked);
        let answer = &ask(&[&crane], &[&request.to_string()])[0];
        let expected = merged(&merged(&json!({"ok": true}), &still), &output);
        assert_eq!(rounded(answer), rounded(&expected), "{asked}");
    }
}

#[test]
fn a_link_that_moves_no_mass_is_refused_by_name() {
    let light = scratch("dynamics/light.urdf", &CRANE.replace("\"50\"", "\"0\""));
    let request = r#"{"op":"dynamics","q":[0,0],"tau":[1,0]}"#;
    let answer = &ask(&[&light], &[request])[0];
    assert_eq!(answer["ok"], false);
    let error = answer["error"].as_str().expect("a sentence");
    assert!(
        error.starts_with("link `hook`: its dof has no inertia"),
        "{error}"
    );
    let output = run(&["dynamics", &light, "--torque", "1,0"]);
    assert_eq!(output.code, 1);
    assert!(output.stderr.contains("link `hook`"), "{}", output.stderr);
}

#[test]
fn the_table_has_a_row_per_dof() {
    let crane = scratch("dynamics/table.urdf", CRANE);
    let table = run(&["dynamics", &crane, "--accel", "2,1"]).stdout;
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let heads = ["joint", "coriolis", "gravity", "tau", "M", "x", "M", "z"];
    assert_eq!(rows[0], heads);
    assert_eq!(rows[1][..4], ["x", "0.000000", "0.000000", "700.000000"]);
    assert_eq!(
        rows[2][2..],
        ["490.500000", "540.500000", "0.000000", "50.000000"]
    );
    assert_eq!(rows.len(), 3);
}

/// The fields of both, those of `b` where both have one.
fn merged(a: &Value, b: &Value) -> Value {
    let mut all = a.clone();
    for (name, value) in b.as_object().expect("an object") {
        all[name] = value.clone();
    }
    all
}

/// The same with numbers to nine decimals, and zero without a sign, whatever the order of its fields.
fn rounded(value: &Value) -> String {
    match value {
        Value::Number(x) => {
            let text = format!("{:.9}", x.as_f64().expect("a float"));
            text.replace("-0.000000000", "0.000000000")
        }
        Value::Array(values) => values.iter().map(rounded).collect::<Vec<_>>().join(" "),
        Value::Object(fields) => {
            let mut fields: Vec<String> = fields
                .iter()
                .map(|(name, value)| format!("{name}: {}", rounded(value)))
                .collect();
            fields.sort();
            fields.join("\n")
        }
        other => other.to_string(),
    }
}
