//! The ops `state` and `spheres`, and `starts` of `ik`.

use serde_json::{Value, json};

use crate::common::{ask, data, run};

fn path(name: &str) -> String {
    data(name).display().to_string()
}

#[test]
fn state_has_the_configurations_and_poses_of_info_and_what_is_attached() {
    let files = ["robots/arm6.urdf", "objects/crate.obj", "objects/can.obj"].map(path);
    let files = files.each_ref().map(String::as_str);
    let q = json!({ "op": "set", "robots": { "arm6": [0.5, 0.25, 0, 0, 0.125, 0] } });
    let answers = ask(
        &files,
        &[
            r#"{"op":"attach","object":"crate","link":"flange"}"#,
            &q.to_string(),
            r#"{"op":"state"}"#,
            r#"{"op":"info"}"#,
            r#"{"op":"fk"}"#,
            r#"{"op":"state","q":[1]}"#,
        ],
    );
    let [state, info, fk, wrong] = &answers[2..] else {
        panic!("six answers");
    };
    assert_eq!(state["robots"]["arm6"], info["robots"][0]["q"]);
    for object in info["rigid_objects"].as_array().unwrap() {
        let own = &state["objects"][object["name"].as_str().unwrap()];
        assert_eq!(own["rotation"], object["rotation"]);
        assert_eq!(own["translation"], object["translation"]);
        assert_eq!(
            own.get("attached").is_some(),
            object["attached"].is_string()
        );
    }
    // the pose of the link times that in the link is that of the object
    let crate_ = &state["objects"]["crate"];
    let on = &crate_["attached"];
    assert_eq!([&on["robot"], &on["link"]], ["arm6", "flange"]);
    let link = &fk["links"][on["index"].as_u64().unwrap() as usize];
    assert_eq!(link["name"], "flange");
    let number = |value: &Value| value.as_f64().unwrap();
    for i in 0..3 {
        let turned =
            (0..3).map(|k| number(&link["rotation"][i][k]) * number(&on["translation"][k]));
        let found = number(&link["translation"][i]) + turned.sum::<f64>();
        assert!((found - number(&crate_["translation"][i])).abs() < 1e-12);
    }
    assert_eq!(wrong["ok"], false);
}

#[test]
fn spheres_are_those_of_spherize() {
    let file = path("robots/arm6.urdf");
    let requests = [r#"{"op":"spheres","max":4}"#, r#"{"op":"spheres","max":0}"#];
    let [of_query, wrong] = &ask(&[&file], &requests)[..] else {
        panic!("two answers");
    };
    let of_command = run(&["spherize", &file, "--spheres", "4", "--json"]).json();
    assert_eq!(*of_query, of_command);
    assert_eq!(wrong["error"], "`max` must be from 1 to 256");
}

#[test]
fn ik_with_one_start_descends_from_there_and_nowhere_else() {
    let file = path("robots/arm6.urdf");
    let far = r#""link":"flange","position":[3,0,0.5],"q":[0.1,0.2,0.3,0.1,0.2,0.3]"#;
    let [one, many, reachable] = &ask(
        &[&file],
        &[
            &format!("{{\"op\":\"ik\",{far},\"starts\":1}}"),
            &format!("{{\"op\":\"ik\",{far},\"starts\":50}}"),
            &format!("{{\"op\":\"reachable\",{far},\"starts\":1}}"),
        ],
    )[..] else {
        panic!("three answers");
    };
    assert_eq!(one["success"], false);
    assert_eq!(one["residual"], reachable["residual"]);
    assert_eq!(reachable["starts"], 1);
    assert!(many["residual"].as_f64() <= one["residual"].as_f64());
}
