//! Collision geometry that is missing is refused, accepted or replaced.

use serde_json::json;

use crate::common::{ask, run, scratch};

/// Two arms that turn through one another, of which the second has visual geometry alone, and the mesh of the lid is missing.
const ARMS: &str = r#"<robot name="arms">
  <link name="post"/>
  <link name="left"><collision><origin xyz="0.5 0 0"/><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="right"><visual><origin xyz="0.5 0 0"/><geometry><box size="0.2 0.2 0.2"/></geometry></visual></link>
  <joint name="l" type="revolute"><parent link="post"/><child link="left"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
  <joint name="r" type="revolute"><parent link="post"/><child link="right"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
</robot>"#;

#[test]
fn every_command_refuses_and_says_what_helps() {
    let arms = scratch("missing/arms.urdf", ARMS);
    let position = [
        "--link",
        "left",
        "--position",
        "0,0,0",
        "--avoid-collisions",
    ];
    for (command, more) in [
        ("collide", &[][..]),
        ("distance", &[]),
        ("distance", &["--pair", "arms[left]", "arms"]),
        ("ray", &["--origin", "-1,0,0", "--direction", "1,0,0"]),
        ("plan", &["--from", "1,0", "--to", "1,0.1"]),
        ("ik", &position),
        ("acm", &["--samples", "20"]),
        ("spherize", &[]),
    ] {
        let args = [&[command, arms.as_str()], more].concat();
        let refused = run(&args);
        assert_eq!(refused.code, 1, "{command}: {}", refused.stdout);
        for words in [
            "right",
            "visual geometry alone",
            "--use-visual",
            "--allow-missing-geometry",
        ] {
            assert!(
                refused.stderr.contains(words),
                "{command}: {}",
                refused.stderr
            );
        }

        let accepted = run(&[&args[..], &["--allow-missing-geometry", "--json"]].concat());
        let answer = accepted.json();
        assert_eq!(answer["ok"], json!(true), "{command}: {answer}");
        let missing = answer["missing_geometry"][0].as_str().unwrap();
        assert!(missing.contains("right"), "{command}: {answer}");
        let text = run(&[&args[..], &["--allow-missing-geometry"]].concat());
        let said = text.stdout + &text.stderr;
        assert!(
            said.contains("missing geometry, taken as free: "),
            "{command}: {said}"
        );

        let whole = run(&[&args[..], &["--use-visual", "--json"]].concat()).json();
        assert_eq!(whole["ok"], json!(true), "{command}: {whole}");
        assert_eq!(whole["missing_geometry"], json!(null), "{command}: {whole}");
    }
    // the arms collide, which the visual geometry shows
    let pairs = |option| run(&["collide", &arms, option, "--json"]).json()["pairs"].clone();
    assert_eq!(pairs("--use-visual").as_array().unwrap().len(), 1);
    assert_eq!(pairs("--allow-missing-geometry"), json!([]));
    // without meshes, poses are still known
    assert_eq!(run(&["fk", &arms, "--no-meshes"]).code, 0);
    let refused = run(&["collide", &arms, "--no-meshes"]);
    assert!(
        refused.stderr.contains("leave out `--no-meshes`"),
        "{}",
        refused.stderr
    );
}

#[test]
fn every_op_refuses_and_an_answer_names_what_is_missing() {
    let arms = scratch("missing/ops.urdf", ARMS);
    let requests = [
        r#"{"op":"collide"}"#,
        r#"{"op":"distance","a":"arms[left]","b":"arms[left]"}"#,
        r#"{"op":"clearance","q":[0,0]}"#,
        r#"{"op":"free","q":[0,0]}"#,
        r#"{"op":"free","q":[0,0],"shape":"hull"}"#,
        r#"{"op":"edge","from":[0,0],"to":[1,0]}"#,
        r#"{"op":"plan","from":[1,0],"to":[1.5,0]}"#,
    ];
    for (request, answer) in requests.iter().zip(ask(&[&arms], &requests)) {
        assert_eq!(answer["ok"], json!(false), "{request}: {answer}");
        let said = answer["error"].as_str().unwrap();
        assert!(
            said.contains("--allow-missing-geometry"),
            "{request}: {said}"
        );
    }
    for (request, answer) in requests
        .iter()
        .zip(ask(&[&arms, "--allow-missing-geometry"], &requests))
    {
        assert_eq!(answer["ok"], json!(true), "{request}: {answer}");
        assert_eq!(
            answer["missing_geometry"],
            json!(["arms[right]"]),
            "{request}: {answer}"
        );
    }
    for (request, answer) in requests
        .iter()
        .zip(ask(&[&arms, "--use-visual"], &requests))
    {
        assert_eq!(answer["ok"], json!(true), "{request}: {answer}");
        assert_eq!(
            answer["missing_geometry"],
            json!(null),
            "{request}: {answer}"
        );
    }
}

#[test]
fn numbers_out_of_range_are_refused_with_the_range() {
    let arms = scratch("missing/range.urdf", ARMS);
    let lines = [
        r#"{"op":"fk","q":[1e150,0]}"#,
        r#"{"op":"dynamics","q":[0,0],"dq":[1e151,0]}"#,
        r#"{"op":"dynamics","q":[0,0],"tau":[0,-1e101]}"#,
        r#"{"op":"ray","origin":[0,0,1e200],"direction":[0,0,1]}"#,
    ];
    for answer in ask(&[&arms, "--use-visual"], &lines) {
        assert_eq!(answer["ok"], json!(false), "{answer}");
        assert!(
            answer["error"].as_str().unwrap().contains("1e100"),
            "{answer}"
        );
    }
    let refused = run(&["fk", &arms, "--config", "1e101,0"]);
    assert!(
        refused.stderr.contains("from -1e100 to 1e100"),
        "{}",
        refused.stderr
    );
}
