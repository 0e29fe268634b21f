//! World files on the command line, and going from one format to another.

use serde_json::json;

use crate::common::{ask, run, scratch};

#[test]
fn a_world_file_is_a_world_for_every_command() {
    let cell = "data/worlds/cell.xml";
    let info = run(&["info", cell, "--json"]).json();
    assert_eq!(info["robots"][1]["name"], "reacher");
    let facts = run(&["check", cell, "--as", "world", "--json"]).json();
    assert_eq!(facts["n_objects"], 5);
    assert_eq!(facts["n_terrains"], 4);
    assert_eq!(facts["n_warnings"], 0);
    // the configuration is that of the file
    let there = run(&["fk", cell, "--json"]).json();
    let said = run(&[
        "fk",
        cell,
        "--config",
        "0.3,0.4,-0.5,0.2,0.6,-0.1",
        "--json",
    ])
    .json();
    assert_eq!(there, said);
    assert_eq!(run(&["collide", cell, "--json"]).json()["pairs"], json!([]));
    let answers = ask(&[cell], &[r#"{"op":"distance","a":"can","b":"disc"}"#]);
    assert!(answers[0]["distance"].as_f64().expect("a number") > 0.1);
}

#[test]
fn configurations_are_checked() {
    let file = scratch("worlds/two.configs", "2 0 1\n1 0.5\n");
    assert_eq!(run(&["check", &file, "--json"]).json()["n_configs"], 2);
    let run = run(&["info", &file]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr
            .contains("is a list of configurations, where one element"),
        "{}",
        run.stderr
    );
}

#[test]
fn convert_writes_another_format_and_says_what_is_lost() {
    let rob = scratch("convert/arm.rob", "");
    let done = run(&["convert", "data/robots/arm6.urdf", &rob]);
    assert_eq!(
        (done.code, done.stdout.as_str()),
        (0, ""),
        "{}",
        done.stderr
    );
    assert!(
        done.stderr
            .contains("arm.rob: warning: 1 of 7 links have no degree of freedom"),
        "{}",
        done.stderr
    );
    let folder = rob.strip_suffix("arm.rob").expect("its folder");
    for name in ["arm.urdf", "arm.xml", "arm.ply", "again.rob"] {
        let done = run(&["convert", &rob, &format!("{folder}{name}")]);
        assert_eq!(done.code, 0, "{name}: {}", done.stderr);
    }
    let masses = ["arm.urdf", "arm.xml", "again.rob"].map(|name| {
        let facts = run(&["check", "--json", &format!("{folder}{name}")]).json();
        facts["total_mass"].clone()
    });
    assert_eq!(masses, [json!(37.5), json!(37.5), json!(37.5)]);
}

#[test]
fn convert_refuses_what_cannot_be() {
    let rob = scratch(
        "refuse/arm.rob",
        "links a\ntparent 1 0 0 0 1 0 0 0 1 0 0 0\n",
    );
    let itself = run(&["convert", &rob, &rob]);
    assert_eq!(itself.code, 1);
    assert!(
        itself
            .stderr
            .contains("error: would be overwritten by what is made of it"),
        "{}",
        itself.stderr
    );
    let can = "data/objects/can.obj";
    let other = run(&["convert", can, &format!("{rob}.urdf")]);
    assert_eq!(other.code, 1);
    assert!(
        other
            .stderr
            .contains("holds 0 robots, where one is to be written"),
        "{}",
        other.stderr
    );
    let unknown = run(&["convert", can, &format!("{rob}.step3")]);
    assert_eq!(unknown.code, 1);
    assert!(
        unknown.stderr.contains("is a rigid object"),
        "{}",
        unknown.stderr
    );
    assert_eq!(run(&["convert", can]).code, 2);
}
