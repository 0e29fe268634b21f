//! Edits of the files of a view.

use serde_json::{Value, json};

use super::live::{Client, View};
use super::parsed;
use crate::common::{data, folder};

const ARM: &str = r#"<robot name="arm">
<link name="base"/><link name="upper"/><link name="lower"/>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
<joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
</robot>
"#;

/// The next event about the files, and the state that was sent with it.
fn reloaded(client: &mut Client) -> (Value, Value) {
    let mut state = Value::Null;
    loop {
        let event = client.event();
        if event["event"] == "files" {
            return (event, state);
        }
        state = event;
    }
}

#[test]
fn an_edit_keeps_joints_by_name_and_an_error_keeps_the_world() {
    let folder = folder("view/reload");
    let file = folder.join("arm.urdf");
    std::fs::write(&file, ARM).unwrap();
    let path = file.display().to_string();
    let view = View::of(&[&path]);
    let mut client = view.client();
    client.ask(r#"{"op":"set","robots":{"arm":{"elbow":0.5}}}"#);

    // an error, with the line that it is in
    std::fs::write(&file, ARM.replace("xyz=\"0 1 0\"", "xyz=\"0 1\"")).unwrap();
    let (files, state) = reloaded(&mut client);
    assert_eq!(files["ok"], false);
    assert_eq!(state["scene"], 0);
    assert_eq!(state["robots"]["arm"], json!([0.0, 0.5]));
    let said = &files["diagnostics"][0];
    assert_eq!(said["severity"], "error");
    let excerpt = said["excerpt"].as_str().expect("an excerpt");
    assert!(
        excerpt.contains("xyz=\"0 1\"") && excerpt.contains('^'),
        "{excerpt}"
    );
    assert!(
        said["place"].as_str().unwrap().contains("arm.urdf:4:"),
        "{said}"
    );
    assert!(parsed(&client.ask(r#"{"op":"fk"}"#))["links"].is_array());
    // who comes later is told as well
    let mut late = view.socket(None).unwrap();
    assert_eq!(reloaded(&mut late).0["ok"], false);

    // a joint before the others: values go with their names
    let wrist = r#"<link name="plate"/><joint name="plate" type="revolute"><parent link="base"/><child link="plate"/><axis xyz="0 0 1"/><limit lower="0.25" upper="2" effort="1" velocity="1"/></joint>"#;
    let more = ARM.replace(
        "<joint name=\"shoulder\"",
        &format!("{wrist}<joint name=\"shoulder\""),
    );
    std::fs::write(&file, more).unwrap();
    let (files, state) = reloaded(&mut client);
    assert_eq!(files["ok"], true, "{files}");
    assert_eq!(state["scene"], 1);
    let info = parsed(&client.ask(r#"{"op":"info"}"#));
    let dofs = info["robots"][0]["dofs"].as_array().unwrap();
    assert_eq!(dofs.len(), 3);
    for (dof, q) in dofs.iter().zip(info["robots"][0]["q"].as_array().unwrap()) {
        let expected = if dof["joint"] == "elbow" { 0.5 } else { 0.0 };
        assert_eq!(q.as_f64(), Some(expected), "{dof}");
    }
}

#[test]
fn an_edit_keeps_what_was_attached_loaded_and_removed() {
    let folder = folder("view/kept");
    let file = folder.join("arm.urdf");
    std::fs::write(&file, ARM).unwrap();
    let path = file.display().to_string();
    let [table, crate_] =
        ["terrains/table.env", "objects/crate.obj"].map(|path| data(path).display().to_string());
    let view = View::of(&[&path, &table, &crate_]);
    let mut client = view.client();
    for request in [
        json!({ "op": "remove", "element": "table" }),
        json!({ "op": "load", "file": crate_, "name": "second" }),
        json!({ "op": "set", "objects": { "second": { "translation": [1, 2, 3] } } }),
        json!({ "op": "set", "robots": { "arm": { "shoulder": 0.25 } } }),
        json!({ "op": "attach", "object": "crate", "link": "lower" }),
        json!({ "op": "set", "robots": { "arm": { "elbow": 0.5 } } }),
    ] {
        let answer = client.ask(&request.to_string());
        assert!(answer.starts_with("{\"ok\":true"), "{answer}");
    }
    let before = parsed(&client.ask(r#"{"op":"state"}"#));
    std::fs::write(&file, ARM.replace("effort=\"1\"", "effort=\"25\"")).unwrap();
    let (files, state) = reloaded(&mut client);
    assert_eq!(files["ok"], true, "{files}");
    assert_eq!(state["robots"], before["robots"]);
    assert_eq!(state["objects"]["second"], before["objects"]["second"]);
    let crate_ = |state: &Value| state["objects"]["crate"].clone();
    assert_eq!(crate_(&state)["attached"]["link"], "lower");
    for (now, was) in [
        (&crate_(&state), &crate_(&before)),
        (&crate_(&state)["attached"], &crate_(&before)["attached"]),
    ] {
        for k in 0..3 {
            let [now, was] = [now, was].map(|pose| pose["translation"][k].as_f64().unwrap());
            assert!((now - was).abs() < 1e-12, "{now} and {was}");
        }
    }
    assert_eq!(
        parsed(&client.ask(r#"{"op":"info"}"#))["terrains"],
        json!([])
    );
}
