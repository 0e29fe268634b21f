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

    let told = run(&[
        "check",
        "--json",
        &robot,
        "--package",
        &format!("shapes={folder}"),
    ]);
    assert_eq!(told.code, 0, "{}", told.stderr);
    assert_eq!(told.json()["n_tris"], json!(12));

    // the last of several, and the others do no harm
    let others = [
        "--package",
        "a=/nowhere",
        "--package",
        "b=/nowhere",
        "--package",
    ];
    let told = run(&[
        &["check", "--json", &robot],
        &others[..],
        &[&format!("shapes={folder}")],
    ]
    .concat());
    assert_eq!(told.json()["n_tris"], json!(12));

    let told = run(&["check", "--json", &robot]);
    assert!(
        told.stderr.contains("package://shapes/cube.off"),
        "{}",
        told.stderr
    );
    assert!(told.stderr.contains("\n  help: "), "{}", told.stderr);
}

#[test]
fn meshes_that_are_not_read_need_not_be_there() {
    let robot = scratch("loading_none/box.urdf", BOX);
    let told = run(&["check", "--json", &robot, "--no-meshes"]);
    assert_eq!(told.code, 0);
    assert_eq!(told.json()["n_tris"], json!(0));
}

#[test]
fn warnings_go_to_standard_error_with_their_place_and_answers_do_not() {
    // `deg` is no number: it is left out, and said so
    let odd = "links a\nparents -1\ntparent 1 0 0 0 1 0 0 0 1 0 0 0\nqmin 0 deg\n";
    let odd = scratch("loading_odd/odd.rob", odd);
    for command in ["info", "check", "fk", "jacobian", "collide", "query"] {
        let told = run(&[command, "--json", &odd]);
        assert_eq!(told.code, 0, "{command}: {}", told.stderr);
        let start = format!("{odd}:4:8: warning: ");
        assert!(
            told.stderr.starts_with(&start),
            "{command}: {}",
            told.stderr
        );
        assert!(!told.stdout.contains("warning:"), "{command}");
    }
    let told = run(&["check", "--json", &odd]);
    assert_eq!(told.json()["n_warnings"], json!(1));
}
