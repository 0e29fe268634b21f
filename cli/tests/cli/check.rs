//! `check`: facts, verdicts and the lines of files.

use serde_json::{Value, json};

use crate::common::run;

/// The facts about a file, and how the run ended.
fn facts(args: &[&str]) -> (Value, i32) {
    let run = run(&[&["check", "--json"], args].concat());
    (run.json(), run.code)
}

#[test]
fn a_robot_is_described_link_by_link() {
    // what the file says: three links of 1 kg in a chain, 0 to 360 degrees, 12 triangles each
    let (facts, code) = facts(&["data/robots/planar3R.rob"]);
    assert_eq!(code, 0);
    for (name, expected) in [
        ("n_links", json!(3)),
        ("n_joints", json!(3)),
        ("link_names", json!(["link0", "link1", "link2"])),
        ("parents", json!([-1, 0, 1])),
        ("qmin", json!([0.0, 0.0, 0.0])),
        ("total_mass", json!(3.0)),
        ("n_tris", json!(36)),
        ("n_errors", json!(0)),
        ("n_warnings", json!(0)),
    ] {
        assert_eq!(facts[name], expected, "{name}");
    }
    for qmax in facts["qmax"].as_array().expect("a list") {
        let error = qmax.as_f64().expect("a number") - std::f64::consts::TAU;
        assert!(error.abs() < 1e-15, "{qmax}");
    }
}

#[test]
fn fixed_links_are_counted_and_limits_are_per_dof() {
    let (facts, _) = facts(&["data/robots/arm6.urdf"]);
    assert_eq!(facts["n_links"], json!(7));
    assert_eq!(facts["n_joints"], json!(6));
    assert_eq!(facts["qmin"].as_array().map(Vec::len), Some(6));
}

#[test]
fn each_kind_has_its_own_facts() {
    let cases: &[(&[&str], &[&str])] = &[
        (
            &["data/robots/planar3R.rob"],
            &[
                "n_links",
                "n_joints",
                "link_names",
                "parents",
                "qmin",
                "qmax",
                "total_mass",
                "n_tris",
                "aabb",
            ],
        ),
        (
            &["data/objects/crate.obj"],
            &["total_mass", "n_tris", "aabb"],
        ),
        (
            &["--as", "rigid_object", "data/meshes/cube.off"],
            &["total_mass", "n_tris", "aabb"],
        ),
        (&["data/terrains/floor.env"], &["n_tris", "aabb"]),
        (
            &["--as", "terrain", "data/meshes/cube.off"],
            &["n_tris", "aabb"],
        ),
        (&["data/meshes/cube.off"], &["n_tris", "aabb", "area"]),
        (&["data/meshes/ball.obj"], &["n_tris", "aabb", "area"]),
        (
            &["--as", "world", "data/objects/crate.obj"],
            &[
                "n_links",
                "n_joints",
                "total_mass",
                "n_robots",
                "n_objects",
                "n_terrains",
                "n_tris",
                "aabb",
            ],
        ),
    ];
    for (args, names) in cases {
        let (facts, code) = facts(args);
        assert_eq!(code, 0, "{args:?}");
        let found: Vec<&String> = facts.as_object().expect("an object").keys().collect();
        assert_eq!(
            found,
            [names, &["n_errors", "n_warnings"][..]].concat(),
            "{args:?}"
        );
    }
}

#[test]
fn a_world_of_terrains_has_no_mass() {
    let (facts, _) = facts(&["--as", "world", "data/terrains/floor.env"]);
    assert_eq!(facts["total_mass"].to_string(), "0.0");
}

#[test]
fn boxes_are_tight_and_in_the_world() {
    // a cube of 0.1 × 0.14 × 0.08 m, rotated about z by the angle with cosine 0.8, at (0.7, 0.25, 0.2402)
    let (facts, _) = facts(&["data/objects/crate.obj"]);
    let half = [
        (0.8 * 0.1 + 0.6 * 0.14) / 2.0,
        (0.6 * 0.1 + 0.8 * 0.14) / 2.0,
        0.04,
    ];
    for (k, center) in [0.7, 0.25, 0.2402].into_iter().enumerate() {
        for (corner, sign) in [(0, -1.0), (1, 1.0)] {
            let value = facts["aabb"][corner][k].as_f64().expect("a number");
            assert!((value - (center + sign * half[k])).abs() < 1e-9, "{facts}");
        }
    }
}

#[test]
fn no_meshes_means_no_triangles() {
    let (facts, code) = facts(&["data/robots/arm6.rob", "--no-meshes"]);
    assert_eq!(code, 0);
    assert_eq!(facts["n_tris"], json!(0));
    assert_eq!(facts["aabb"], Value::Null);
}

#[test]
fn an_invalid_file_counts_as_an_error() {
    let cases: &[&[&str]] = &[
        &["data/none.rob"],
        &["data"],
        &["data/README.md"],
        &["--as", "robot", "data/meshes/cube.off"],
        &["--as", "rigid_object", "data/robots/arm6.rob"],
        &["--as", "terrain", "data/robots/arm6.rob"],
        &["--as", "mesh", "data/robots/arm6.rob"],
        &["data/robots/arm6.rob", "--base", "floating"],
        &["data/robots/arm6.rob", "--fixed-joints", "merge"],
    ];
    for args in cases {
        let (facts, code) = facts(args);
        assert_eq!(code, 1, "{args:?}");
        assert_eq!(facts, json!({"n_errors": 1, "n_warnings": 0}), "{args:?}");
    }
}

#[test]
fn files_after_an_invalid_one_are_checked() {
    let run = run(&[
        "check",
        "--json",
        "data/none.rob",
        "data/robots/planar3R.rob",
    ]);
    assert_eq!(run.code, 1);
    let errors: Vec<bool> = run
        .stdout
        .lines()
        .map(|line| line.contains("\"n_errors\":1"))
        .collect();
    assert_eq!(errors, [true, false]);
}

#[test]
fn the_line_of_the_file_is_shown_with_a_mark_under_the_column() {
    let file = "data/malformed/urdf/attribute_twice.urdf";
    let run = run(&["check", file]);
    assert_eq!(run.code, 1);
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert!(
        lines[0].starts_with(&format!("{file}:2:21: error: ")),
        "{}",
        run.stderr
    );
    assert_eq!(lines[1], r#"  2 |   <link name="base" name="arm"/>"#);
    assert_eq!(lines[2].find('^'), lines[1].find(r#"name="arm""#));
    assert_eq!(run.stdout, format!("{file}: 1 error, 0 warnings\n"));
}

#[test]
fn lints_are_counted_separately_from_warnings() {
    let heavy = r#"<robot name="r"><link name="a"><inertial><mass value="900"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
<collision><geometry><sphere radius="0.05"/></geometry></collision></link></robot>"#;
    let file = crate::common::scratch("check/heavy.urdf", heavy);
    let run = run(&["check", &file]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stdout
            .starts_with(&format!("{file}: 0 errors, 0 warnings, 1 lint\n")),
        "{}",
        run.stdout
    );
    assert!(
        run.stderr.contains("heavier than any material"),
        "{}",
        run.stderr
    );
    let (facts, _) = facts(&[&file]);
    assert_eq!(
        (&facts["n_warnings"], &facts["n_lints"]),
        (&json!(0), &json!(1))
    );
}

#[test]
fn urdf_options_change_the_dofs() {
    let n = |args: &[&str]| {
        let (facts, code) = facts(&[&["data/robots/arm6.urdf"], args].concat());
        assert_eq!(code, 0, "{args:?}");
        (
            facts["n_links"].as_u64(),
            facts["qmin"].as_array().map(Vec::len),
        )
    };
    // six virtual links, of which the root is the last
    let (links, dofs) = n(&["--base", "floating"]);
    assert_eq!(dofs, Some(12));
    assert_eq!(links, Some(12));
    assert_eq!(n(&["--base", "fixed"]), (Some(7), Some(6)));
    assert_eq!(
        n(&["--fixed-joints", "keep"]),
        n(&["--fixed-joints", "merge"])
    );
}
