//! Groups, named states and goals of `query`, as the command line has them.

use serde_json::{Value, json};

use crate::common::{ask, run, scratch};

const ARM: &str = "data/robots/arm6.urdf";
const WITH_STATES: [&str; 3] = [ARM, "--srdf", "data/srdf/arm6.srdf"];

/// The fields of an answer without `ok`.
fn fields(answer: &Value) -> Value {
    assert_eq!(answer["ok"], json!(true), "{answer}");
    answer.clone()
}

fn q_of(answer: &Value) -> Vec<f64> {
    serde_json::from_value(answer["q"].clone()).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

#[test]
fn a_group_moves_alone_in_ik_and_plan_as_on_the_command_line() {
    let lines = [
        r#"{"op":"ik","group":"shoulder","q":"@ready","link":"flange","position":[0.4,0.1,0.5]}"#,
        r#"{"op":"plan","group":"wrist","from":"ready","to":"up"}"#,
        r#"{"op":"reachable","group":"shoulder","q":"@ready","link":"flange","position":[0.4,0.1,0.5],"starts":3}"#,
        r#"{"op":"ik","group":"leg","link":"flange","position":[0,0,1]}"#,
    ];
    let answers = ask(&WITH_STATES, &lines);
    let moved = q_of(&answers[0]);
    assert_eq!(moved[2..], [0.4, 0.0, 0.5, 0.0]);

    let srdf = &WITH_STATES[1..];
    let ik = [
        "ik", ARM, "--group", "shoulder", "--config", "@ready", "--json",
    ];
    let target = ["--link", "flange", "--position", "0.4,0.1,0.5"];
    let told = run(&[&ik[..], &target, srdf].concat()).json();
    assert_eq!(told, answers[0]);
    let plan = [
        "plan", ARM, "--group", "wrist", "--from", "ready", "--to", "up", "--json",
    ];
    let told = run(&[&plan[..], srdf].concat()).json();
    assert_eq!(told, answers[1]);
    let path = fields(&answers[1])["path"].as_array().unwrap().clone();
    for corner in &path {
        let shoulder = json!([corner[0], corner[1], corner[2]]);
        assert_eq!(shoulder, json!([0.5, 0.4, 0.4]));
    }
    assert_eq!(path[path.len() - 1][4], json!(-0.7));
    assert_eq!(answers[2]["ok"], json!(true), "{}", answers[2]);
    let error = answers[3]["error"].as_str().unwrap();
    assert!(
        error.contains("no group named `leg`; there are: arm"),
        "{error}"
    );
}

#[test]
fn a_pose_goal_is_reached_whichever_way_its_rotation_is_given() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let plan = |rotation: &str| {
        format!(
            r#"{{"op":"plan","to_pose":{{"link":"flange","position":[0.4,0.1,0.5],{rotation}}}}}"#
        )
    };
    let by_rpy = plan(r#""rpy":[0,1.5707963267948966,0]"#);
    let by_quaternion = plan(&format!(r#""quaternion":[{half},0,{half},0]"#));
    let by_rows = plan(r#""rotation":[[0,0,1],[0,1,0],[-1,0,0]]"#);
    let lines = [by_rpy, by_quaternion, by_rows];
    let answers = ask(&[ARM], &lines.each_ref().map(String::as_str));
    let pose = ["plan", ARM, "--json", "--to-pose", "flange"];
    let told = run(&[&pose[..], &["0.4,0.1,0.5,0,1.5707963267948966,0"]].concat());
    assert_eq!(told.json(), answers[0]);
    let end = |answer: &Value| -> Vec<f64> {
        let path = answer["path"]
            .as_array()
            .unwrap_or_else(|| panic!("{answer}"));
        serde_json::from_value(path.last().unwrap().clone()).unwrap()
    };
    for answer in &answers {
        let name = "`flange` at 0.4, 0.1, 0.5";
        assert_eq!(answer["goal"], json!({"index": 0, "name": name}));
        for (a, b) in end(answer).iter().zip(end(&answers[0])) {
            assert!((a - b).abs() < 1e-6, "{answer}");
        }
    }
}

#[test]
fn of_several_goals_the_reached_one_is_named() {
    let far = r#"{"link":"flange","position":[4,0,0]}"#;
    let near = r#"{"link":"flange","position":[0.4,0.1,0.5]}"#;
    let lines = [
        format!(r#"{{"op":"ik","to_pose":[{far},{near}]}}"#),
        r#"{"op":"ik","link":"flange","position":[0.4,0.1,0.5]}"#.to_owned(),
        format!(r#"{{"op":"plan","to":["@ready"],"to_pose":{far}}}"#),
        format!(r#"{{"op":"plan","to_pose":[{far},{near}],"to":"up","group":"wrist"}}"#),
        format!(r#"{{"op":"reachable","to_pose":[{far},{near}]}}"#),
        format!(r#"{{"op":"plan","to_pose":[{far}]}}"#),
    ];
    let answers = ask(&WITH_STATES, &lines.each_ref().map(String::as_str));
    let named = json!({"index": 1, "name": "`flange` at 0.4, 0.1, 0.5"});
    assert_eq!(answers[0]["goal"], named, "{}", answers[0]);
    // the goals do not disturb one another
    assert_eq!(answers[0]["q"], answers[1]["q"]);
    assert_eq!(answers[1].get("goal"), None);
    assert_eq!(answers[2]["goal"], json!({"index": 0, "name": "@ready"}));
    assert_eq!(answers[3]["goal"]["name"], json!("up"), "{}", answers[3]);
    assert_eq!(answers[4]["goal"], named);
    let reason = answers[5]["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("`flange` does not get there"),
        "{reason}"
    );
}

#[test]
fn a_goal_that_says_too_little_or_too_much_is_refused() {
    let cases = [
        (r#"{"op":"plan"}"#, "`to` or `to_pose`"),
        (r#"{"op":"plan","to":[[0,0],[0]]}"#, "needs 6 values, got 2"),
        (
            r#"{"op":"plan","to":[[0,0,0,0,0,0],7]}"#,
            "`to` 1: `to` must be",
        ),
        (
            r#"{"op":"plan","to_pose":7}"#,
            "`to_pose`: it must be an object",
        ),
        (r#"{"op":"plan","to_pose":[]}"#, "`to_pose` is empty"),
        (
            r#"{"op":"plan","to_pose":{"link":"flange"}}"#,
            "`position` is missing",
        ),
        (
            r#"{"op":"plan","to_pose":{"link":"flange","positon":[0,0,0]}}"#,
            "`to_pose` has no field `positon`: did you mean `position`?",
        ),
        (
            r#"{"op":"ik","to_pose":{"link":0,"position":[0,0,0]},"position":[0,0,0]}"#,
            "`position` is a field of `to_pose`",
        ),
        (
            r#"{"op":"ik","link":0,"position":[0,0,0],"rpy":[0,0,0],"quaternion":[1,0,0,0]}"#,
            "give one of `rotation`, `quaternion` and `rpy`",
        ),
        (r#"{"op":"plan","to":"@home"}"#, "has no named states"),
        (
            r#"{"op":"plan","to":{"axis1":0},"grup":"arm"}"#,
            "`plan` has no field `grup`: did you mean `group`? there are: robot, from, to, to_pose, group,",
        ),
        (
            r#"{"op":"info","robot":0}"#,
            "there are: op, id, robots, with",
        ),
    ];
    let lines = cases.map(|(line, _)| line);
    for ((line, words), answer) in cases.iter().zip(ask(&[ARM], &lines)) {
        let error = answer["error"]
            .as_str()
            .unwrap_or_else(|| panic!("{line}: {answer}"));
        assert!(error.contains(words), "{line}: `{error}` lacks `{words}`");
    }
}

#[test]
fn what_a_change_puts_beyond_limits_is_said() {
    let beyond = json!([{
        "robot": "arm6", "joint": "axis2", "q": 3.0, "q_min": -1.6580627893946132, "q_max": 2.2689280275926285,
    }]);
    let lines = [
        r#"{"op":"set","robots":{"arm6":{"axis2":1}}}"#,
        r#"{"op":"set","robots":{"arm6":{"axis2":3}}}"#,
        r#"{"op":"collide","robots":{"arm6":{"axis2":3}}}"#,
        r#"{"op":"fk","robots":{"arm6":{"axis2":3}}}"#,
    ];
    let answers = ask(&[ARM], &lines);
    assert_eq!(answers[0], json!({"ok": true}));
    assert_eq!(answers[1], json!({"ok": true, "beyond_limits": beyond}));
    for answer in &answers[2..] {
        assert_eq!(answer["beyond_limits"], beyond, "{answer}");
    }
}

#[test]
fn a_batch_takes_configurations_as_one_request_does() {
    let q = [
        r#""@ready""#,
        r#"{"axis2":0.5}"#,
        "[0,0,0,0,0,0]",
        r#""@up,axis1=1""#,
    ];
    let batch = format!(r#"{{"op":"com","q":[ {} ]}}"#, q.join(" , "));
    let single = q.map(|q| format!(r#"{{"op":"com","q":{q}}}"#));
    let mut lines = vec![batch.as_str()];
    lines.extend(single.iter().map(String::as_str));
    let answers = ask(&WITH_STATES, &lines);
    let batch = answers[0]["answers"]
        .as_array()
        .unwrap_or_else(|| panic!("{}", answers[0]));
    assert_eq!(batch.len(), q.len());
    for (one, of_batch) in answers[1..].iter().zip(batch) {
        let mut one = fields(one);
        one.as_object_mut().unwrap().remove("ok");
        assert_eq!(one, *of_batch);
    }
}

#[test]
fn several_goals_of_ik_are_tried_in_their_order() {
    let robot = "data/robots/arm6.urdf";
    let (far, near) = ("4,0,0", "0.4,0.1,0.5");
    let ik = |args: &[&str]| run(&[&["ik", robot], args].concat());
    let first = ik(&["--link", "flange", "--position", near, "--json"]).json();
    let both = ik(&[
        "--to-pose",
        "flange",
        far,
        "--to-pose",
        "flange",
        near,
        "--json",
    ])
    .json();
    let named = json!({"index": 1, "name": "`flange` at 0.4, 0.1, 0.5"});
    assert_eq!((&both["goal"], &both["q"]), (&named, &first["q"]));
    let mixed = ik(&[
        "--link",
        "flange",
        "--position",
        far,
        "--to-pose",
        "flange",
        near,
    ]);
    assert_eq!(mixed.code, 0, "{}", mixed.stderr);
    let line = mixed.stdout.lines().next().unwrap();
    assert!(
        line.starts_with("reached `flange` at 0.4, 0.1, 0.5: "),
        "{line}"
    );

    let none = ik(&[
        "--to-pose",
        "flange",
        far,
        "--to-pose",
        "flange",
        "0,0,9",
        "--json",
    ]);
    assert_eq!(
        (none.code, none.json()["success"].clone()),
        (3, json!(false))
    );
    for (args, said) in [
        (&["--link", "flange"][..], "required"),
        (
            &["--link", "flange", "--to-pose", "flange", near],
            "--link needs --position",
        ),
        (
            &["--point", "0,0,0", "--to-pose", "flange", near],
            "need --link",
        ),
        (
            &["--to-pose", "flange", "1,2"],
            "--to-pose: expected 3, 6 or 7 values, got 2",
        ),
    ] {
        let output = ik(args);
        assert_ne!(output.code, 0);
        assert!(output.stderr.contains(said), "{}", output.stderr);
    }
}

#[test]
fn a_named_state_in_collision_is_said() {
    let srdf = r#"<robot name="arm6"><group name="arm"><joint name="axis2"/><joint name="axis3"/><joint name="axis5"/></group>
  <group_state name="folded" group="arm"><joint name="axis2" value="1"/><joint name="axis3" value="1.2"/><joint name="axis5" value="1.5"/></group_state>
  <group_state name="open" group="arm"><joint name="axis2" value="0.2"/></group_state></robot>"#;
    let srdf = scratch("goals/folded.srdf", srdf);
    let robot = ["data/robots/arm6.urdf", "--srdf", &srdf];
    let simulate = |state: &str| {
        let args = ["--duration", "0.01", "--config", state];
        let output = run(&[&["simulate"], &robot[..], &args].concat());
        assert_eq!(output.code, 0, "{}", output.stderr);
        output.stderr
    };
    let said = "the state `folded` is in collision: `arm6[upper_arm]` and `arm6[forearm]`";
    let folded = simulate("@folded");
    assert!(folded.contains(said), "{folded}");
    assert!(!simulate("@open").contains("in collision"));
    let plan = run(&[&["plan"], &robot[..], &["--from", "folded", "--to", "open"]].concat());
    let said = "start: `arm6[upper_arm]` and `arm6[forearm]` collide";
    assert_eq!(plan.code, 1);
    assert!(plan.stderr.contains(said), "{}", plan.stderr);
}

/// The length of the path that a plan prints, and the index of its goal.
fn planned(more: &[&str]) -> (f64, Value) {
    let args = ["plan", "data/worlds/cell.xml", "--robot", "arm", "--json"];
    let goals = [
        "--to",
        "2.5,0.3,-0.2,0.1,0.5,0.2",
        "--to",
        "-1.2,0.2,0.4,0.3,-0.4,0.1",
    ];
    let output = run(&[&args[..], &goals[..], more].concat());
    assert_eq!(output.code, 0, "{}", output.stderr);
    let answer = output.json();
    let path: Vec<Vec<f64>> = serde_json::from_value(answer["path"].clone()).unwrap();
    let squares = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    let lengths = path
        .windows(2)
        .map(|edge| f64::sqrt(squares(&edge[0], &edge[1])));
    (lengths.sum(), answer["goal"].clone())
}

#[test]
fn a_plan_is_improved_to_the_nearest_goal() {
    let (plain, _) = planned(&[]);
    let (improved, goal) = planned(&["--improve", "300"]);
    assert!(improved <= plain + 1e-9, "{improved} {plain}");
    assert_eq!(goal["index"], 1, "{goal}");
}
