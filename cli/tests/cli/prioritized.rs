//! Motions of several robots: `plan_prioritized` of `query`, and `plan-prioritized`.

use serde_json::{Value, json};

use crate::common::{ask, folder, run};

/// Two arms that face each other across 1.3 m.
const WORLD: &str = "data/worlds/two_arms.xml";
const LEFT: [f64; 6] = [-0.6, 0.9, -0.5, 0.0, 0.4, 0.0];
const START: [f64; 6] = [0.6, 0.9, -0.5, 0.0, 0.4, 0.0];

fn rows(value: &Value) -> Vec<Vec<f64>> {
    serde_json::from_value(value.clone()).unwrap()
}

#[test]
fn two_arms_pass_each_other_in_time() {
    let request = json!({
        "op": "plan_prioritized", "robots": {"left": START}, "goals": {"right": LEFT, "left": LEFT},
        "max_acceleration": 5, "step": 0.05,
    });
    let swept = {
        let mut request = request.clone();
        request["swept"] = json!(0.05);
        request
    };
    let answers = ask(&[WORLD], &[&request.to_string(), &swept.to_string()]);
    for answer in &answers {
        assert_eq!(answer["ok"], true, "{answer}");
        let duration = answer["duration"].as_f64().unwrap();
        let times: Vec<f64> = serde_json::from_value(answer["times"].clone()).unwrap();
        assert!(times[0].abs() < 1e-15);
        assert!((times[times.len() - 1] - duration).abs() < 1e-12);
        let robots = answer["robots"].as_array().unwrap();
        let names: Vec<&Value> = robots.iter().map(|robot| &robot["name"]).collect();
        assert_eq!(names, ["left", "right"], "in load order");
        let arrivals = robots
            .iter()
            .map(|robot| robot["arrival"].as_f64().unwrap());
        assert!((arrivals.fold(0.0, f64::max) - duration).abs() < 1e-12);
        let [left, right] = [0, 1].map(|i: usize| rows(&robots[i]["q"]));
        assert_eq!(left[0], START);
        assert_eq!(right[0], [0.0; 6]);
        for (reached, goal) in left[times.len() - 1]
            .iter()
            .chain(&right[times.len() - 1])
            .zip(LEFT.iter().chain(&LEFT))
        {
            assert!((reached - goal).abs() < 1e-9);
        }
        // by another road: no row collides
        let lines: Vec<String> = left
            .iter()
            .zip(&right)
            .map(|(a, b)| json!({"op": "collide", "robots": {"left": a, "right": b}}).to_string())
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        for (collisions, time) in ask(&[WORLD], &lines).iter().zip(&times) {
            assert_eq!(collisions["pairs"], json!([]), "at {time} s");
        }
        for robot in robots {
            let fastest = rows(&robot["ddq"])
                .concat()
                .into_iter()
                .fold(0.0, |a: f64, x| a.max(x.abs()));
            assert!((3.0..=5.0 + 1e-6).contains(&fastest), "{fastest}");
        }
    }
    for robot in answers[1]["robots"].as_array().unwrap() {
        assert_eq!(robot["waits"], json!([]), "swept volumes need no clock");
    }
}

#[test]
fn the_command_line_writes_a_table_and_a_page() {
    let folder = folder("prioritized/written");
    let table = folder.join("motion.csv").display().to_string();
    let page = folder.join("motion.html").display().to_string();
    let [from, to] = [START, LEFT].map(|q| q.map(|x| format!("{x:?}")).join(","));
    let words = [
        "plan-prioritized",
        WORLD,
        "--from",
        "left",
        &from,
        "--goal",
        "left",
        &to,
        "--goal",
        "right",
        &to,
        "--max-acceleration",
        "5",
        "--step",
        "0.05",
    ];
    let answer = run(&[&words[..], &["--json"]].concat()).json();
    let written = run(&[&words[..], &["--output", &table, "--html", &page]].concat());
    assert_eq!(
        (written.code, written.stdout.as_str()),
        (0, ""),
        "{}",
        written.stderr
    );
    let table = std::fs::read_to_string(table).unwrap();
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(header.len(), 1 + 2 * 3 * 6);
    assert_eq!(
        [header[1], header[7], header[13], header[19]],
        [
            "left:shoulder",
            "left:dq_shoulder",
            "left:ddq_shoulder",
            "right:shoulder"
        ]
    );
    let rows_of_table: Vec<Vec<f64>> = lines
        .map(|line| line.split(',').map(|x| x.parse().unwrap()).collect())
        .collect();
    let right = rows(&answer["robots"][1]["q"]);
    assert_eq!(rows_of_table.len(), right.len());
    for (row, q) in rows_of_table.iter().zip(&right) {
        assert_eq!(row[19..25], q[..]);
    }
    // the same configurations in Klampt's form
    let path = folder.join("motion.path").display().to_string();
    assert_eq!(run(&[&words[..], &["--output", &path]].concat()).code, 0);
    let lines = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines.len(), rows_of_table.len());
    for (row, line) in rows_of_table.iter().zip(lines) {
        let numbers = line.split_whitespace().map(|x| x.parse().unwrap());
        let numbers: Vec<f64> = numbers.collect();
        // the time, the number of degrees of freedom, and these
        let expected = [&[row[0], 12.0], &row[1..7], &row[19..25]].concat();
        assert_eq!(numbers, expected);
    }
    assert!(std::fs::read_to_string(page).unwrap().contains("left"));
}

#[test]
fn motions_are_smooth_where_it_is_asked_for_or_the_answer_says_for_whom_not() {
    let [from, to] = [START, LEFT].map(|q| q.map(|x| format!("{x:?}")).join(","));
    let ends = ["--from", "left", &from, "--goal", "left", &to];
    let motion = |more: &[&str]| {
        let words = ["plan-prioritized", WORLD, "--max-acceleration", "5"];
        let output = run(&[&words[..], &ends, more, &["--json"]].concat());
        assert_eq!(output.code, 0, "{}", output.stderr);
        let answer: Value = serde_json::from_str(&output.stdout).unwrap();
        (answer["robots"][0]["smooth"].clone(), output.stderr)
    };
    assert_eq!(motion(&[]), (Value::Null, String::new()));
    assert_eq!(motion(&["--smooth"]), (json!(true), String::new()));
    assert_eq!(motion(&["--smooth", "0.02"]).0, true);

    let request = json!({
        "op": "plan_prioritized", "robots": {"left": START}, "goals": {"left": LEFT},
        "max_acceleration": 5, "smooth": true,
    });
    let answer = &ask(&[WORLD], &[&request.to_string()])[0];
    assert_eq!(answer["robots"][0]["smooth"], true, "{answer}");
}

#[test]
fn what_cannot_be_planned_is_refused() {
    let goals = json!({"left": LEFT, "right": LEFT});
    let ask_for = |change: Value| {
        let mut request = json!({"op": "plan_prioritized", "goals": goals, "max_acceleration": 5});
        for (name, value) in change.as_object().unwrap() {
            request[name] = value.clone();
        }
        request.to_string()
    };
    let cases = [
        (ask_for(json!({"goals": {"middle": LEFT}})), "middle"),
        (ask_for(json!({"goals": {}})), "no robot has a goal"),
        (ask_for(json!({"goals": [LEFT]})), "an object of robots"),
        (ask_for(json!({"goals": {"left": [1, 2]}})), "left"),
        (
            ask_for(json!({"max_acceleration": [1, 2]})),
            "each of the 12 dofs",
        ),
        (ask_for(json!({"max_acceleration": null})), "acceleration"),
        (ask_for(json!({"max_seconds": -1})), "0 or more"),
        (ask_for(json!({"swept": 0})), "positive"),
        (json!({"op": "plan_prioritized"}).to_string(), "`goals`"),
    ];
    let lines: Vec<&str> = cases.iter().map(|(line, _)| line.as_str()).collect();
    for (answer, (line, wanted)) in ask(&[WORLD], &lines).iter().zip(&cases) {
        assert_eq!(answer["ok"], false, "{line}");
        let error = answer["error"].as_str().unwrap();
        assert!(error.contains(wanted), "{line}: {error}");
    }
    let to = LEFT.map(|x| format!("{x:?}")).join(",");
    for (words, wanted) in [
        (
            &["--goal", "left", &to, "--goal", "left", &to][..],
            "two goals",
        ),
        (
            &["--goal", "left", &to, "--from", "right", &to],
            "a start and no goal",
        ),
        (
            &[
                "--goal", "left", &to, "--from", "left", &to, "--from", "0", &to,
            ],
            "two starts",
        ),
        (
            &["--goal", "left", &to, "--max-torque"],
            "no limits of torque",
        ),
        (
            &["--goal", "left", &to, "--deviation", "-1"],
            "-1 is not a number from 0 on",
        ),
        (
            &["--goal", "left", &to, "--smooth", "--max-torque"],
            "no limits of torque",
        ),
        (
            &["--goal", "left", &to, "--output", "motion.txt"],
            ".csv, .json or .path",
        ),
    ] {
        let words = [
            &["plan-prioritized", WORLD, "--max-acceleration", "5"],
            words,
        ]
        .concat();
        let refused = run(&words);
        assert_eq!(refused.code, 1, "{words:?}");
        assert!(refused.stderr.contains(wanted), "{}", refused.stderr);
    }
}
