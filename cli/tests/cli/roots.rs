//! Files that a file may name: `--root`, and what the tool shows of files.

use std::io::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::{command, data, run, scratch};

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
    assert!(!Path::new(&output).exists());
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

/// `load` of `query` opens files of the session's folders, and what these name is confined as on the command line.
#[test]
fn roots_apply_to_files_that_a_request_loads() {
    let cube = std::fs::read_to_string(data("meshes/cube.off")).expect("a cube");
    let cube = scratch("roots/query/private/cube.off", &cube);
    let private = cube.strip_suffix("/cube.off").expect("its folder");
    let text = format!("mesh \"{cube}\"\n");
    let object = scratch("roots/query/model/a.obj", &text);
    let model = object.strip_suffix("/a.obj").expect("its folder");
    let lines = [&object, &cube].map(|file| json!({"op": "load", "file": file}).to_string());
    let robot = data("robots/planar3R.rob").canonicalize().expect("a robot");
    let robot = robot.display().to_string();
    // the current folder is one of those that requests may load from
    let here = scratch("roots/query/here/empty.txt", "");
    let here = Path::new(&here).parent().expect("a folder");
    let ask = |options: &[&str]| -> Vec<Value> {
        let mut child = command(&[&["query", robot.as_str()], options].concat())
            .current_dir(here)
            .spawn()
            .expect("the binary starts");
        let input = child.stdin.take();
        let text = lines.join("\n") + "\n";
        input
            .expect("an input")
            .write_all(text.as_bytes())
            .expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let answers = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"));
        answers.collect()
    };
    let outside = "is outside of the folders that requests may load from";
    for answer in ask(&[]) {
        let error = answer["error"].as_str().expect("a refusal");
        assert!(error.contains(outside), "{error}");
    }
    // the object may be loaded, but not what it names
    let answers = ask(&["--root", model]);
    let error = answers[0]["error"].as_str().expect("a refusal");
    assert!(
        error.contains("is outside the folders whose files this file may name"),
        "{error}"
    );
    assert!(
        answers[1]["error"]
            .as_str()
            .is_some_and(|error| error.contains(outside))
    );
    let answers = ask(&["--root", model, "--root", private]);
    assert_eq!(answers[0]["added"], json!(["a"]), "{}", answers[0]);
    assert_eq!(answers[1]["ok"], json!(true), "{}", answers[1]);
}
