//! The state that a session of `query` keeps.

use serde_json::{Value, json};

use crate::common::{ask, feed, scratch};

const CELL: &str = "data/worlds/cell.xml";
const PLANAR: &str = "data/robots/planar3R.rob";

#[test]
fn what_is_set_stays_and_what_is_tried_does_not() {
    let q = json!([0.1, 0.2, 0.3]);
    let set = json!({"op": "set", "robots": {"planar3R": q}}).to_string();
    let given = json!({"op": "fk", "q": q}).to_string();
    let tried = json!({"op": "fk", "robots": {"planar3R": [1, 1, 1]}}).to_string();
    let with = json!({"op": "fk", "with": {"robots": {"planar3R": [1, 1, 1]}}}).to_string();
    let fk = r#"{"op":"fk"}"#;
    let answers = ask(&[PLANAR], &[fk, &given, &set, fk, &tried, &with, fk]);
    assert_ne!(answers[0], answers[1]);
    assert_eq!(answers[2], json!({"ok": true}));
    assert_eq!(answers[3], answers[1]);
    assert_eq!(answers[4], answers[5]);
    assert_ne!(answers[4], answers[1]);
    assert_eq!(answers[6], answers[1]);
}

/// A change of several elements happens as a whole or not at all.
#[test]
fn an_op_that_fails_changes_nothing() {
    let fine = r#""robots":{"arm":[1,1,1,0,0,0]},"objects":{"ball":{"translation":[9,9,9]}}"#;
    let broken = [
        format!(r#"{{"op":"set",{fine},"attach":[{{"object":"ball","link":"nose"}}]}}"#),
        format!(r#"{{"op":"set",{fine},"attach":[{{"object":"ball","link":0,"touch":["x"]}}]}}"#),
        format!(r#"{{"op":"set",{fine},"remove":["can","nothing"]}}"#),
        format!(r#"{{"op":"set",{fine},"detach":["can"]}}"#),
        r#"{"op":"set","robots":{"arm":[1,1,1,0,0,0],"leg":[0]}}"#.to_owned(),
        r#"{"op":"set","robots":{"arm":[1,1]}}"#.to_owned(),
        r#"{"op":"set","objects":{"ball":{"translation":[9,9,9]},"can":{"translation":[1e999,0,0]}}}"#.to_owned(),
        r#"{"op":"set","objects":{"ball":{"translation":[9,9,9]},"can":{"rotation":[[1,0,0],[0,1,0],[0,0,-1]]}}}"#.to_owned(),
        r#"{"op":"set","objects":{"ball":{"quaternion":[2,0,0,0]}}}"#.to_owned(),
        r#"{"op":"set","objects":{"ball":{"quaternion":[1,0,0,0],"rpy":[0,0,0]}}}"#.to_owned(),
        r#"{"op":"set","objects":{"ball":{}}}"#.to_owned(),
        r#"{"op":"set","objects":{"table":{"translation":[0,0,0]}}}"#.to_owned(),
        r#"{"op":"set","objects":[]}"#.to_owned(),
        r#"{"op":"set","robots":[[0]]}"#.to_owned(),
        r#"{"op":"set"}"#.to_owned(),
        r#"{"op":"set","with":{"remove":["can"]}}"#.to_owned(),
        r#"{"op":"attach","object":"ball","link":"nose"}"#.to_owned(),
        r#"{"op":"detach","object":"ball"}"#.to_owned(),
        r#"{"op":"remove","element":"arm[flange]"}"#.to_owned(),
        r#"{"op":"load","file":"data/objects/none.obj"}"#.to_owned(),
        r#"{"op":"load","file":"data/worlds/cell.xml","name":"x"}"#.to_owned(),
        r#"{"op":"load","file":"data/objects/ball.obj","name":"arm"}"#.to_owned(),
        r#"{"op":"load","file":"/etc/passwd"}"#.to_owned(),
        r#"{"op":"load","file":"data/../../x.rob"}"#.to_owned(),
    ];
    let mut lines = vec![r#"{"op":"info"}"#];
    for line in &broken {
        lines.extend([line.as_str(), r#"{"op":"info"}"#]);
    }
    let answers = ask(&[CELL], &lines);
    for (line, after) in broken.iter().zip(answers[1..].chunks(2)) {
        assert_eq!(after[0]["ok"], json!(false), "{line}: {}", after[0]);
        assert_eq!(after[1], answers[0], "{line}");
    }
}

#[test]
fn an_attached_object_goes_with_the_robot_and_says_so() {
    let answers = ask(
        &[CELL],
        &[
            r#"{"op":"attach","object":"ball","link":"flange"}"#,
            r#"{"op":"info"}"#,
            r#"{"op":"info","robots":{"arm":[1,0.5,0.3,0,0,0]}}"#,
            r#"{"op":"set","objects":{"ball":{"translation":[0,0,0]}}}"#,
            r#"{"op":"set","detach":["ball"],"objects":{"ball":{"translation":[0,0,3]}}}"#,
            r#"{"op":"info"}"#,
        ],
    );
    let ball = |answer: &Value| {
        let objects = answer["rigid_objects"].as_array().expect("objects");
        objects
            .iter()
            .find(|object| object["name"] == "ball")
            .expect("a ball")
            .clone()
    };
    let (still, moved, free) = (ball(&answers[1]), ball(&answers[2]), ball(&answers[5]));
    assert_eq!(still["attached"], "arm[flange]");
    assert_ne!(still["translation"], moved["translation"]);
    let error = answers[3]["error"].as_str().expect("a message");
    assert!(error.contains("attached to `arm[flange]`"), "{error}");
    assert_eq!(free["attached"], Value::Null);
    assert_eq!(free["translation"], json!([0.0, 0.0, 3.0]));
}

#[test]
fn a_file_loaded_twice_has_a_name_for_each() {
    let arm = "data/robots/arm6.urdf";
    let load = json!({"op": "load", "file": arm}).to_string();
    let answers = ask(
        &[arm, arm],
        &[
            r#"{"op":"info"}"#,
            &load,
            r#"{"op":"set","robots":{"arm6#2":[1,0,0,0,0,0]}}"#,
            r#"{"op":"fk","robot":"arm6"}"#,
            r#"{"op":"fk","robot":"arm6#2"}"#,
            r#"{"op":"fk","robot":1}"#,
            r#"{"op":"remove","element":"arm6#2"}"#,
            &load,
            r#"{"op":"load","file":"data/objects/ball.obj","name":"globe"}"#,
        ],
    );
    let robots = answers[0]["robots"].as_array().expect("robots");
    let names: Vec<&Value> = robots.iter().map(|robot| &robot["name"]).collect();
    assert_eq!(names, ["arm6", "arm6#2"]);
    assert_eq!(answers[1]["added"], json!(["arm6#3"]));
    assert_ne!(answers[3], answers[4]);
    assert_eq!(answers[4], answers[5]);
    assert_eq!(answers[7]["added"], json!(["arm6#2"]));
    assert_eq!(answers[8]["added"], json!(["globe"]));
}

#[test]
fn a_loaded_element_collides_and_a_removed_one_does_not() {
    let answers = ask(
        &[PLANAR],
        &[
            r#"{"op":"load","file":"data/objects/crate.obj"}"#,
            r#"{"op":"set","objects":{"crate":{"translation":[0,0,0],"rpy":[0,0,0]}}}"#,
            r#"{"op":"collide"}"#,
            r#"{"op":"collide","with":{"remove":["crate"]}}"#,
            r#"{"op":"collide","with":{"objects":{"crate":{"translation":[0,0,50]}}}}"#,
            r#"{"op":"collide"}"#,
            r#"{"op":"remove","element":"crate"}"#,
            r#"{"op":"collide"}"#,
        ],
    );
    let pairs = |i: usize| answers[i]["pairs"].as_array().expect("pairs").len();
    assert!(pairs(2) > 0, "{}", answers[2]);
    assert_eq!((pairs(3), pairs(4), pairs(7)), (0, 0, 0));
    assert_eq!(answers[5], answers[2]);
}

#[test]
fn two_configurations_of_a_robot_are_refused() {
    let answers = ask(
        &[PLANAR],
        &[
            r#"{"op":"fk","q":[0,0,0],"robots":{"planar3R":[0,0,0]}}"#,
            r#"{"op":"fk","robots":{"planar3R":[0,0,0]},"with":{"robots":{"planar3R":[0,0,0]}}}"#,
        ],
    );
    for answer in answers {
        let error = answer["error"].as_str().expect("a message");
        assert!(error.contains("given twice"), "{error}");
    }
}

/// The help names every op and field that the protocol takes.
#[test]
fn the_help_lists_every_op() {
    let error = &ask(&[PLANAR], &[r#"{"op":"?"}"#])[0]["error"];
    let (_, ops) = error
        .as_str()
        .expect("a message")
        .split_once("there are: ")
        .expect("ops");
    let help = feed(&["query", "--help"], b"").stdout;
    for op in ops.split(", ") {
        assert!(help.contains(&format!(r#"{{"op":"{op}""#)), "{op}");
        let line = format!(r#"{{"op":"{op}","?":0}}"#);
        let error = &ask(&[PLANAR], &[&line])[0]["error"];
        let fields = error
            .as_str()
            .and_then(|error| error.split_once("there are: "));
        for field in fields
            .map_or("", |(_, fields)| fields)
            .split(", ")
            .filter(|x| !x.is_empty())
        {
            assert!(
                help.contains(&format!(r#""{field}""#)) || field == "q0",
                "{op}: {field}"
            );
        }
    }
}

#[test]
fn the_protocol_has_a_version_and_units() {
    let info = &ask(&[PLANAR], &[r#"{"op":"info"}"#])[0];
    assert_eq!(info["protocol"], json!(2));
    assert_eq!(info["units"]["angle"], json!("rad"));
    assert_eq!(info["units"]["length"], json!("m"));
}

#[test]
fn former_names_are_read_or_named_in_an_error() {
    let lines = [
        r#"{"op":"interpolate","from":[0,0,0],"to":[1,1,1],"u":0.5}"#,
        r#"{"op":"interpolate","a":[0,0,0],"b":[1,1,1],"u":0.5}"#,
        r#"{"op":"dynamics","torque":[0,0,0]}"#,
    ];
    let answers = ask(&[PLANAR], &lines);
    assert_eq!(answers[0], answers[1]);
    let error = answers[2]["error"].as_str().expect("a message");
    assert!(error.contains("it is `tau`"), "{error}");
}

/// A file of another folder is not opened, whether it is there or not.
#[test]
fn files_outside_of_the_folders_of_the_session_are_not_loaded() {
    let outside = scratch("session/crate.obj", "crate");
    let secret = json!({"op": "load", "file": "/etc/passwd"}).to_string();
    let nothing = json!({"op": "load", "file": "/etc/no such file"}).to_string();
    let answers = ask(&["data/objects/ball.obj"], &[&secret, &nothing]);
    for answer in &answers {
        let error = answer["error"].as_str().expect("a message");
        assert!(error.contains("outside of the folders"), "{error}");
    }
    // a link that leads out of them
    let link = format!("{outside}.link.obj");
    let _ = std::fs::remove_file(&link);
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/passwd", &link).expect("a link");
    let line = json!({"op": "load", "file": link}).to_string();
    let answer = &ask(&["data/objects/ball.obj"], &[&line])[0];
    assert_eq!(answer["ok"], json!(false), "{answer}");
    assert!(!answer.to_string().contains("root:"), "{answer}");
}

#[test]
fn hostile_lines_are_refused_without_an_end() {
    let deep = format!(r#"{{"op":"set","robots":{}}}"#, r#"{"a":"#.repeat(5000));
    let lines = [
        deep,
        format!(
            r#"{{"op":"fk","q":{}{}}}"#,
            "[".repeat(5000),
            "]".repeat(5000)
        ),
        format!(
            r#"{{"op":"fk","q":[{}[0,0,0]]}}"#,
            "[0,0,0],".repeat(100_001)
        ),
        r#"{"op":"fk","q":[[0,0,0]],"dq":[[]]}"#.to_owned(),
        r#"{"op":"com","q":[[0,0,0]],"dq":[[0,0,0],[0,0,0]]}"#.to_owned(),
        r#"{"op":"com","q":[0,0,0],"dq":[[0,0,0]]}"#.to_owned(),
        r#"{"op":"set","robots":{"planar3R":[1e308,1e308,1e308]},"robots":{}}"#.to_owned(),
        r#"{"op":"attach","object":18446744073709551615,"link":0}"#.to_owned(),
        r#"{"op":"reachable","link":0,"position":[0,0,0],"starts":18446744073709551615}"#
            .to_owned(),
        r#"{"op":"reachable","link":0,"position":[0,0,0],"starts":0}"#.to_owned(),
        r#"{"op":"load","file":"\u0000"}"#.to_owned(),
        r#"{"op":"load","file":""}"#.to_owned(),
    ];
    let run = feed(&["query", PLANAR], (lines.join("\n") + "\n").as_bytes());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.stdout.lines().count(), lines.len());
    for (line, answer) in lines.iter().zip(run.stdout.lines()) {
        let line: String = line.chars().take(90).collect();
        assert!(answer.starts_with(r#"{"ok":false"#), "{line}: {answer}");
    }
}
