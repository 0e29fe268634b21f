//! Files that a file may name: `--root`, and what the tool shows of files.

use serde_json::json;

use crate::common::{data, run, scratch};

const SECRET: &str = "hunter2";

#[test]
fn a_root_lets_a_file_name_others() {
    let cube = std::fs::read_to_string(data("meshes/cube.off")).expect("a cube");
    let cube = scratch("roots/private/cube.off", &cube);
    let folder = cube.strip_suffix("/cube.off").expect("its folder");
    let object = scratch("roots/model/a.obj", &format!("mesh \"{cube}\"\n"));

    let refused = run(&["check", &object]);
    assert_eq!(refused.code, 1);
    assert!(
        refused
            .stderr
            .contains("is outside the folders whose files this file may name"),
        "{}",
        refused.stderr
    );
    assert!(refused.stderr.contains("--root DIR"), "{}", refused.stderr);

    let allowed = run(&[
        "check", "--json", &object, "--root", "/nowhere", "--root", folder,
    ]);
    assert_eq!(allowed.code, 0, "{}", allowed.stderr);
    assert_eq!(allowed.json()["n_tris"], json!(12));
    // what a person names is trusted
    assert_eq!(run(&["check", &cube]).code, 0);
}

#[test]
fn no_excerpt_shows_a_file_of_another_kind() {
    scratch(
        "roots/excerpt/own.rob",
        "TParent 1 0 0  0 1 0  0 0 1  0 0 0\n",
    );
    scratch("roots/excerpt/notes", &format!("{SECRET}\n"));
    let world = "<world><robot file=\"own.rob\" configfile=\"notes\"/></world>";
    let world = scratch("roots/excerpt/w.xml", world);
    let output = run(&["check", &world]);
    assert_eq!(output.code, 1);
    assert!(output.stderr.contains("notes:1:1:"), "{}", output.stderr);
    assert!(!output.stderr.contains(SECRET), "{}", output.stderr);
    assert!(!output.stdout.contains(SECRET), "{}", output.stdout);

    let outside = "<world><robot file=\"own.rob\" configfile=\"/etc/passwd\"/></world>";
    let outside = scratch("roots/excerpt/outside.xml", outside);
    let output = run(&["check", &outside]);
    assert_eq!(output.code, 1);
    assert!(!output.stderr.contains("root:"), "{}", output.stderr);
}

#[test]
fn a_conversion_copies_no_file_from_outside() {
    let secret = scratch("roots/private/secret.xml", &format!("<s>{SECRET}</s>"));
    let text = format!("TParent 1 0 0  0 1 0  0 0 1  0 0 0\nproperty sensors {secret}\n");
    let robot = scratch("roots/model/copy.rob", &text);
    let output = robot.replace("copy.rob", "copied.rob");
    let converted = run(&["convert", &robot, &output]);
    assert_eq!(converted.code, 1);
    assert!(!std::path::Path::new(&output).exists());
}

#[test]
fn options_for_urdf_pass_over_the_rob_beside_it() {
    let rob = scratch("roots/base/a.rob", "TParent 1 0 0  0 1 0  0 0 1  0 0 0\n");
    let urdf = "<robot name=\"b\"><link name=\"b\"/></robot>";
    let urdf = scratch("roots/base/b.urdf", urdf);
    let both = run(&["info", "--json", "--base", "floating", &rob, &urdf]);
    assert_eq!(both.code, 0, "{}", both.stderr);
    let dofs = both.json()["robots"][1]["dofs"].as_array().map(Vec::len);
    assert_eq!(dofs, Some(6));
    let alone = run(&["info", "--base", "floating", &rob]);
    assert_eq!(alone.code, 1);
    assert!(alone.stderr.contains("applies to URDF only"));
}
