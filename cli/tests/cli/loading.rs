//! The options that say how files are read, and the warnings of reading.

use serde_json::json;

use crate::common::{data, run, scratch};

const BOX: &str = r#"<robot name="box"><link name="base"><collision><geometry>
<mesh filename="package://shapes/cube.off"/>
</geometry></collision></link></robot>"#;

#[test]
fn packages_are_found_where_the_command_line_says() {
    let robot = scratch("loading/robots/box.urdf", BOX);
    let cube = std::fs::read_to_string(data("meshes/cube.off")).expect("a cube");
    let cube = scratch("loading/elsewhere/cube.off", &cube);
    let folder = cube.strip_suffix("/cube.off").expect("its folder");

    let output = run(&[
        "check",
        "--json",
        &robot,
        "--package",
        &format!("shapes={folder}"),
    ]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert_eq!(output.json()["n_tris"], json!(12));

    // the last of several, and the others do no harm
    let others = [
        "--package",
        "a=/nowhere",
        "--package",
        "b=/nowhere",
        "--package",
    ];
    let output = run(&[
        &["check", "--json", &robot],
        &others[..],
        &[&format!("shapes={folder}")],
    ]
    .concat());
    assert_eq!(output.json()["n_tris"], json!(12));

    let output = run(&["check", "--json", &robot]);
    assert!(
        output.stderr.contains("package://shapes/cube.off"),
        "{}",
        output.stderr
    );
    assert!(output.stderr.contains("\n  help: "), "{}", output.stderr);
}

#[test]
fn meshes_that_are_not_read_need_not_be_there() {
    let robot = scratch("loading_none/box.urdf", BOX);
    let output = run(&["check", "--json", &robot, "--no-meshes"]);
    assert_eq!(output.code, 0);
    assert_eq!(output.json()["n_tris"], json!(0));
}

#[test]
fn warnings_go_to_standard_error_with_their_position() {
    // `deg` is no number: it is left out, and said so
    let odd = "links a\nparents -1\ntparent 1 0 0 0 1 0 0 0 1 0 0 0\nqmin 0 deg\n";
    let odd = scratch("loading_odd/odd.rob", odd);
    for command in ["info", "check", "fk", "jacobian", "collide", "query"] {
        let json = if command == "query" {
            &[][..]
        } else {
            &["--json"]
        };
        let output = run(&[&[command, odd.as_str()], json].concat());
        assert_eq!(output.code, 0, "{command}: {}", output.stderr);
        let start = format!("{odd}:4:8: warning: ");
        assert!(
            output.stderr.starts_with(&start),
            "{command}: {}",
            output.stderr
        );
        assert!(!output.stdout.contains("warning:"), "{command}");
    }
    let output = run(&["check", "--json", &odd]);
    assert_eq!(output.json()["n_warnings"], json!(1));
}

#[test]
fn strict_takes_warnings_for_errors_in_every_command() {
    let robot = scratch("loading/strict/box.urdf", BOX);
    for command in ["check", "info", "fk", "collide"] {
        assert_eq!(run(&[command, &robot]).code, 0);
        let strict = run(&[command, &robot, "--strict"]);
        assert_eq!(strict.code, 1, "{command}");
        assert!(strict.stderr.contains(": error: "), "{}", strict.stderr);
    }
    assert_eq!(run(&["check", "data/robots/arm6.urdf", "--strict"]).code, 0);
}

#[test]
fn an_srdf_switches_pairs_off() {
    let sphere = r#"<collision><geometry><sphere radius="1"/></geometry></collision>"#;
    let link = |name: &str| format!("<link name=\"{name}\">{sphere}</link>");
    let joint = |parent: &str, child: &str| {
        format!(
            "<joint name=\"{child}\" type=\"continuous\"><parent link=\"{parent}\"/><child link=\"{child}\"/></joint>"
        )
    };
    let text = ["a", "b", "c"].map(link).concat() + &joint("a", "b") + &joint("b", "c");
    let robot = scratch(
        "loading/srdf/r.urdf",
        &format!("<robot name=\"r\">{text}</robot>"),
    );
    let srdf = scratch(
        "loading/srdf/r.srdf",
        "<robot name=\"r\"><disable_collisions link1=\"a\" link2=\"c\"/></robot>",
    );
    let collide = |args: &[&str]| run(&[&["collide", "--json", &robot], args].concat()).json();
    assert_eq!(collide(&[])["pairs"], json!([["r[a]", "r[c]"]]));
    assert_eq!(collide(&["--srdf", &srdf])["pairs"], json!([]));
}
