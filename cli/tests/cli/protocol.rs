//! The protocol of `query`, line by line.

use serde_json::{Value, json};

use crate::common::{ask, feed};

const PLANAR: &str = "data/robots/planar3R.rob";
const GRIPPER: &str = "data/robots/gripper.rob";

/// Each line is refused with a message that holds the words beside it, and the next one is answered.
#[test]
fn bad_requests_are_refused_one_by_one_and_the_session_goes_on() {
    let deep = format!(
        r#"{{"op":"fk","q":{}{}}}"#,
        "[".repeat(9999),
        "]".repeat(9999)
    );
    let cases = [
        // not an object
        ("[]", "must not be empty"),
        (r#"[{"op":"info"}"#, "list does not end"),
        (r#"[{"op":"info"}] []"#, "or a list"),
        ("7", "object"),
        ("null", "object"),
        (r#""fk""#, "object"),
        ("fk", "JSON"),
        ("{", "JSON"),
        (r#"{"op":"info""#, "does not end"),
        (r#"{"op" "info"}"#, "`:`"),
        (r#"{op:"info"}"#, "double quotes"),
        (r#"{"op":"info",}"#, "double quotes"),
        (r#"{"op":"info"} {"op":"info"}"#, "one per line"),
        ("\u{feff}{}", "JSON"),
        // the op
        ("{}", "`op` is missing"),
        (r#"{"op":"fly"}"#, "no op named `fly`"),
        (r#"{"op":7}"#, "`op` must be"),
        (r#"{"op":null}"#, "`op` must be"),
        // fields
        (r#"{"op":"info","q":[0,0,0]}"#, "no field `q`"),
        (
            r#"{"op":"fk","q":[0,0,0],"config":[]}"#,
            "no field `config`",
        ),
        (
            r#"{"op":"ray","origin":[0,0,0],"direction":[1,0,0],"dq":[]}"#,
            "no field `dq`",
        ),
        (
            r#"{"op":"dynamics","q":[0,0,0],"torque":[0,0,0]}"#,
            "no field `torque`",
        ),
        (
            r#"{"op":"jacobian","q":[0,0,0],"point":[0,0,0]}"#,
            "`link` is missing",
        ),
        (
            r#"{"op":"jacobian","q":[0,0,0],"link":0}"#,
            "`point` is missing",
        ),
        (
            r#"{"op":"interpolate","a":[0,0,0],"b":[0,0,0]}"#,
            "`u` is missing",
        ),
        (r#"{"op":"config_distance","a":[0,0,0]}"#, "`to` is missing"),
        (r#"{"op":"distance","a":"planar3R"}"#, "`b` is missing"),
        (r#"{"op":"ray","origin":[0,0,0]}"#, "`direction` is missing"),
        (
            r#"{"op":"fk","q":[0,0,0],"q":[0,0,0]}"#,
            "`q` is given twice",
        ),
        (r#"{"op":"info","op":"info"}"#, "`op` is given twice"),
        (r#"{"op":"info","\u006fp":"info"}"#, "`op` is given twice"),
        (r#"{"op":"info","id":1,"id":1}"#, "`id` is given twice"),
        // lengths and types
        (r#"{"op":"fk","q":[0,0]}"#, "needs 3 values, got 2"),
        (r#"{"op":"fk","q":[0,0,0,0]}"#, "needs 3 values, got 4"),
        (r#"{"op":"fk","q":[]}"#, "needs 3 values, got 0"),
        (r#"{"op":"fk","q":0}"#, "`q` must be"),
        (
            r#"{"op":"dynamics","q":[0,0,0],"dq":[0]}"#,
            "velocity needs 3 values, got 1",
        ),
        (
            r#"{"op":"dynamics","q":[0,0,0],"ddq":[]}"#,
            "acceleration needs 3 values, got 0",
        ),
        (
            r#"{"op":"dynamics","q":[0,0,0],"tau":[0,0,0,0]}"#,
            "torque needs 3 values, got 4",
        ),
        (
            r#"{"op":"dynamics","q":[0,0,0],"gravity":-9.81}"#,
            "`gravity` must be",
        ),
        (
            r#"{"op":"dynamics","q":[0,0,0],"tau":[0,0,1e999]}"#,
            "`tau` must be",
        ),
        (r#"{"op":"fk","q":null}"#, "`q` must be"),
        (r#"{"op":"fk","q":{"0":0}}"#, "no joint named `0`"),
        (r#"{"op":"fk","q":{"link0":"x"}}"#, "`q` must be"),
        (r#"{"op":"fk","q":[0,0,"0"]}"#, "`q` must be"),
        (r#"{"op":"fk","q":[0,0,true]}"#, "`q` must be"),
        (r#"{"op":"fk","q":[0,0,null]}"#, "`q` must be"),
        (r#"{"op":"fk","q":[0,0,[0]]}"#, "`q` must be"),
        (
            r#"{"op":"fk","q":[[0,0,0],0]}"#,
            "configuration 1: `q` must be",
        ),
        (
            r#"{"op":"fk","q":[[0,0,0],[0]]}"#,
            "configuration 1: a configuration of",
        ),
        // names of other clients
        (r#"{"op":"fk","config":[0,0,0]}"#, "it is `q`"),
        (r#"{"op":"dynamics","velocity":[0,0,0]}"#, "it is `dq`"),
        (r#"{"op":"dynamics","accel":[0,0,0]}"#, "it is `ddq`"),
        (r#"{"op":"dynamics","torque":[0,0,0]}"#, "it is `tau`"),
        (
            r#"{"op":"plan","start":[0,0,0],"to":[0,0,0]}"#,
            "it is `from`",
        ),
        (r#"{"op":"plan","goal":[0,0,0]}"#, "it is `to`"),
        (
            r#"{"op":"interpolate","a":[0,0,0],"from":[0,0,0],"to":[0,0,0],"u":0}"#,
            "`a` is `from`",
        ),
        (
            r#"{"op":"ik","link":0,"position":[0,0,0],"q":[0,0,0],"q0":[0,0,0]}"#,
            "`q0` is `q`",
        ),
        (r#"{"op":"collide","q":null}"#, "`q` must be"),
        (
            r#"{"op":"jacobian","q":[0,0,0],"link":0,"point":[0,0]}"#,
            "`point` must be",
        ),
        (
            r#"{"op":"jacobian","q":[0,0,0],"link":0,"point":[0,0,0,0]}"#,
            "`point` must be",
        ),
        (
            r#"{"op":"jacobian","q":[0,0,0],"link":0.0,"point":[0,0,0]}"#,
            "`link` must be",
        ),
        (
            r#"{"op":"interpolate","a":[0,0,0],"b":[0,0,0],"u":"0.5"}"#,
            "`u` must be",
        ),
        (
            r#"{"op":"ray","origin":[0,0],"direction":[1,0,0]}"#,
            "`origin` must be",
        ),
        // not finite
        (r#"{"op":"fk","q":[0,0,1e999]}"#, "`q` must be"),
        (r#"{"op":"fk","q":[0,0,NaN]}"#, "`q` must be"),
        (r#"{"op":"fk","q":[0,0,-Infinity]}"#, "`q` must be"),
        (r#"{"op":"fk","q":[0,0,"inf"]}"#, "`q` must be"),
        (
            r#"{"op":"interpolate","a":[0,0,0],"b":[0,0,0],"u":1e999}"#,
            "`u` must be",
        ),
        // what is pointed at
        (r#"{"op":"fk","q":[0,0,0],"robot":1}"#, "no robot"),
        (r#"{"op":"fk","q":[0,0,0],"robot":-1}"#, "`robot` must be"),
        (r#"{"op":"fk","q":[0,0,0],"robot":true}"#, "`robot` must be"),
        (r#"{"op":"fk","q":[0,0,0],"robot":null}"#, "`robot` must be"),
        (
            r#"{"op":"fk","q":[0,0,0],"robot":"planar"}"#,
            "no robot named `planar`",
        ),
        (
            r#"{"op":"fk","q":[0,0,0],"robot":"0"}"#,
            "no robot named `0`",
        ),
        (r#"{"op":"collide","robot":1,"q":[0]}"#, "no robot"),
        (r#"{"op":"collide","robot":0}"#, "`q` is missing"),
        (
            r#"{"op":"jacobian","q":[0,0,0],"link":3,"point":[0,0,0]}"#,
            "no link",
        ),
        (
            r#"{"op":"jacobian","q":[0,0,0],"link":99999999999999999999,"point":[0,0,0]}"#,
            "`link` must be",
        ),
        (
            r#"{"op":"jacobian","q":[0,0,0],"link":"Link0","point":[0,0,0]}"#,
            "no link named `Link0`",
        ),
        (r#"{"op":"distance","a":0,"b":4}"#, "no element with id 4"),
        (
            r#"{"op":"distance","a":0,"b":"planar3R[Link0]"}"#,
            "no element named",
        ),
        (
            r#"{"op":"ray","origin":[0,0,0],"direction":[0,0,0]}"#,
            "is not a direction",
        ),
        // too deep
        (&deep, "`q` must be"),
    ];
    let info = r#"{"op":"info"}"#;
    let lines: Vec<&str> = cases.iter().flat_map(|(line, _)| [*line, info]).collect();
    let answers = ask(&[PLANAR], &lines);
    for ((line, words), answers) in cases.iter().zip(answers.chunks(2)) {
        let line: String = line.chars().take(99).collect();
        assert_eq!(answers[0]["ok"], json!(false), "{line}");
        let error = answers[0]["error"].as_str().expect("a message");
        assert!(error.contains(words), "{line}: `{error}` lacks `{words}`");
        let fields = answers[0].as_object().expect("an object").len();
        assert_eq!(fields, answers[0].get("id").map_or(2, |_| 3), "{line}");
        assert_eq!(answers[1]["ok"], json!(true), "{line}");
    }
}

#[test]
fn any_id_comes_back_as_it_was_sent() {
    let ids = [
        "7",
        "-0.0",
        "1e999",
        "123456789012345678901234567890",
        "null",
        "false",
        r#""a \"b\" \u00e4 }{][,:""#,
        r#"[1,[2,{"a":[]}],"]"]"#,
        r#"{"id":{"id":1},"op":"x","a":1,"a":2}"#,
    ];
    for id in ids {
        for (op, ok) in [("info", true), ("fly", false), ("ray", false)] {
            for line in [
                format!(r#"{{"id":{id},"op":"{op}"}}"#),
                format!(r#"  {{ "op" : "{op}" , "id" :  {id}  }}  "#),
            ] {
                let run = feed(&["query", PLANAR], line.as_bytes());
                let start = format!(r#"{{"ok":{ok},"id":{id},"#);
                assert!(run.stdout.starts_with(&start), "{line}: {}", run.stdout);
            }
        }
    }
}

#[test]
fn the_id_comes_back_from_broken_lines_where_it_can_be_read() {
    let answers = ask(
        &[PLANAR],
        &[
            r#"{"op":"fk","q":[NaN,0,0],"id":1}"#,
            r#"{"id":2,"op":"fk","q":[0,0"#,
            r#"{"id":3,"op":"info"} more"#,
            r#"{"id":4,"op":"info","op":"info"}"#,
            r#"{"id":5,"id":6,"op":"info"}"#,
            r#"{"op":"fk","id":{"nan":NaN}}"#,
        ],
    );
    for (answer, id) in answers.iter().zip(1..=5) {
        assert_eq!(answer["id"], json!(id), "{answer}");
        assert_eq!(answer["ok"], json!(false), "{answer}");
    }
    assert_eq!(answers[5].get("id"), None);
    assert_eq!(answers[5]["ok"], json!(false));
}

#[test]
fn an_id_nested_without_end_is_refused() {
    let line = format!(
        r#"{{"op":"info","id":{}{}}}"#,
        "[".repeat(99999),
        "]".repeat(99999)
    );
    let answers = ask(&[PLANAR], &[&line, r#"{"op":"info","id":[[]]}"#]);
    assert_eq!(answers[0]["ok"], json!(false));
    assert_eq!(answers[0].get("id"), None);
    assert_eq!(answers[1]["id"], json!([[]]));
}

#[test]
fn a_list_of_requests_is_answered_by_a_list_of_the_same_answers() {
    let requests = [
        r#"{"op":"set","robots":{"planar3R":[0.1,0.2,0.3]},"id":"a]"}"#,
        r#"{"op":"fly","id":2}"#,
        r#"{"op":"fk"}"#,
        "7",
        r#"{"op":"set","robots":{"planar3R":[0,0]}}"#,
        r#"{"op":"state"}"#,
    ];
    let one_by_one = ask(&[PLANAR], &requests);
    let oks: Vec<&Value> = one_by_one.iter().map(|answer| &answer["ok"]).collect();
    assert_eq!(oks, [true, false, true, false, false, true]);
    let list = format!(" [ {} ] ", requests.join(" , "));
    assert_eq!(ask(&[PLANAR], &[&list]), [Value::Array(one_by_one)]);
}

#[test]
fn a_list_that_is_too_long_or_broken_changes_nothing() {
    let set = r#"{"op":"set","robots":{"planar3R":[1,0,0]}}"#;
    let state = r#"{"op":"state"}"#;
    let most = format!("[{}]", [set; 64].join(","));
    let long = format!("[{}]", [set; 65].join(","));
    let broken = format!("[{set},{set}");
    let more = format!("[{set}]{set}");
    let lines = [state, &long, &broken, &more, state, &most, state];
    let answers = ask(&[PLANAR], &lines);
    for (answer, words) in [
        (&answers[1], "more than 64 requests"),
        (&answers[2], "the list does not end"),
        (&answers[3], "more after the end"),
    ] {
        let error = answer["error"].as_str().expect("an error");
        assert!(error.contains(words), "{error}");
    }
    assert_eq!(answers[0], answers[4]);
    assert_eq!(answers[5].as_array().map(Vec::len), Some(64));
    assert_eq!(answers[6]["robots"]["planar3R"], json!([1.0, 0.0, 0.0]));
}

#[test]
fn blank_lines_are_skipped_and_the_last_line_needs_no_end() {
    let run = feed(
        &["query", PLANAR],
        b"\n  \t\r\n{\"op\":\"info\",\"id\":1}\r\n\n{\"op\":\"info\",\"id\":2}",
    );
    let ids: Vec<Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["id"].clone())
        .collect();
    assert_eq!(ids, [json!(1), json!(2)]);
    assert_eq!(run.code, 0);
}

#[test]
fn bytes_that_are_not_utf8_are_refused_without_an_end() {
    let run = feed(
        &["query", PLANAR],
        b"{\"op\":\"fk\xff\",\"id\":1}\n\xc0\x80\n\0\n{\"op\":\"info\"}\n",
    );
    let ok: Vec<bool> = run
        .stdout
        .lines()
        .map(|line| line.contains("\"ok\":true"))
        .collect();
    assert_eq!(ok, [false, false, false, true]);
    assert_eq!(run.code, 0);
}

#[test]
fn a_line_of_many_megabytes_is_refused_and_the_next_one_answered() {
    let mut input = vec![b'['; (16 << 20) + 1];
    input.extend(b"\n{\"op\":\"info\"}\n");
    let run = feed(&["query", PLANAR], &input);
    let ok: Vec<bool> = run
        .stdout
        .lines()
        .map(|line| line.contains("\"ok\":true"))
        .collect();
    assert_eq!(ok, [false, true]);
}

/// A line of a million fields takes no longer than any line of its length.
#[test]
fn a_line_of_very_many_fields_is_refused() {
    let fields: Vec<String> = (0..500_000).map(|i| format!("\"{i}\":0")).collect();
    let line = format!("{{{}}}", fields.join(","));
    let answers = ask(&[PLANAR], &[&line]);
    assert_eq!(answers[0]["error"], json!("`op` is missing"));
}

#[test]
fn questions_do_not_change_the_world() {
    let fk = r#"{"op":"fk","q":[0.1,0.2,0.3]}"#;
    let collide = r#"{"op":"collide"}"#;
    let moved = r#"{"op":"collide","q":[0,3.1,3.1]}"#;
    let answers = ask(&[PLANAR], &[collide, fk, moved, collide, fk]);
    assert_eq!(answers[0], answers[3]);
    assert_eq!(answers[1], answers[4]);
}

#[test]
fn as_many_values_as_drivers_move_the_drivers() {
    // width 0.01 m, half of it each; tilt 0.2 rad with 0.1 rad ahead; the palm is welded
    let [answer, error] = &ask(
        &[GRIPPER],
        &[
            r#"{"op":"interpolate","a":[0.01,0.2],"b":[0,0,0,0,0],"u":0}"#,
            r#"{"op":"fk","q":[0.01,0.2,0]}"#,
        ],
    )[..] else {
        panic!("two answers");
    };
    let q: Vec<f64> = serde_json::from_value(answer["q"].clone()).expect("numbers");
    for (q, expected) in q.iter().zip([0.0, 0.005, 0.005, 0.3, -0.3]) {
        assert!((q - expected).abs() < 1e-15, "{answer}");
    }
    let error = error["error"].as_str().expect("a message");
    assert!(
        error.contains("needs 5 values, or 2 for its drivers, got 3"),
        "{error}"
    );
}

#[test]
fn one_number_more_is_a_configuration_again() {
    // the quadruped has 18 dofs and 12 drivers: dofs without a driver stay as loaded
    let zeros = |n| format!("[{}]", vec!["0"; n].join(","));
    let lines = [18, 12].map(|n| format!(r#"{{"op":"fk","q":{}}}"#, zeros(n)));
    let answers = ask(
        &["data/robots/quadruped.rob"],
        &lines.each_ref().map(String::as_str),
    );
    let height = |answer: &Value| answer["links"][5]["translation"][2].as_f64();
    assert_eq!(height(&answers[0]), Some(0.0));
    assert_ne!(height(&answers[1]), Some(0.0), "{}", answers[1]);
}

#[test]
fn a_file_that_cannot_be_loaded_ends_the_session_before_any_answer() {
    for file in ["data/robots/none.rob", "data", "data/README.md"] {
        let run = feed(&["query", PLANAR, file], b"{\"op\":\"info\"}\n");
        assert_eq!(run.code, 1, "{file}");
        assert_eq!(run.stdout, "", "{file}");
        assert!(
            run.stderr.contains(&format!("{file}: error: ")),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn numbers_read_back_exactly() {
    let q = [0.1, 1.0 / 3.0, 2.2250738585072014e-308];
    let line = format!(r#"{{"op":"interpolate","a":{q:?},"b":{q:?},"u":0}}"#);
    let answers = ask(&["data/robots/planar3R.rob"], &[&line]);
    let back: [f64; 3] = serde_json::from_value(answers[0]["q"].clone()).expect("numbers");
    assert_eq!(back.map(f64::to_bits), q.map(f64::to_bits));
}
