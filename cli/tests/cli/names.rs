//! Joints, groups, named states, degrees and limits on the command line and in `query`.

use serde_json::{Value, json};

use crate::common::{self, Run, run, scratch};

const ARM: &str = "robots/arm6.urdf";

fn data(path: &str) -> String {
    format!("data/{path}")
}

/// The answer to one request.
fn ask(files: &[&str], request: &Value) -> Value {
    common::ask(files, &[&request.to_string()]).remove(0)
}

trait Refused {
    /// The message of a run that failed.
    fn refused(self) -> String;
}

impl Refused for Run {
    fn refused(self) -> String {
        assert_ne!(self.code, 0, "{}", self.stdout);
        self.stderr
    }
}

fn srdf() -> String {
    data("srdf/arm6.srdf")
}

#[test]
fn some_joints_are_set_by_name_and_the_rest_stays() {
    let all = run(&["fk", &data(ARM), "--config", "0,0.5,0,0,-1,0", "--json"]).json();
    let some = run(&["fk", &data(ARM), "--config", "axis5=-1,axis2=0.5", "--json"]).json();
    assert_eq!(some, all);
    let asked = ask(
        &[&data(ARM)],
        &json!({"op": "fk", "q": {"axis2": 0.5, "axis5": -1.0}}),
    );
    assert_eq!(asked["links"], all["links"]);
    let links = &all["links"];
    assert_eq!(links[3]["name"], "elbow");
    assert_eq!(links[3]["joint_name"], "axis3");

    let error = run(&["fk", &data(ARM), "--config", "axs2=0.5"]).refused();
    assert!(
        error.contains("no joint named `axs2`; did you mean `axis2`? there are: axis1"),
        "{error}"
    );
    let error = run(&["fk", &data(ARM), "--config", "0.5"]).refused();
    assert!(
        error.contains("needs 6 values, got 1; name joints to set some"),
        "{error}"
    );
}

#[test]
fn a_joint_stands_for_its_link_with_a_note() {
    let by_link = run(&["fk", &data(ARM), "--link", "flange"]);
    let by_joint = run(&["fk", &data(ARM), "--link", "axis6"]);
    assert_eq!(by_joint.stdout, by_link.stdout);
    assert!(by_link.stderr.is_empty(), "{}", by_link.stderr);
    assert_eq!(
        by_joint.stderr,
        "note: `axis6` is a joint; its link `flange` is taken\n"
    );
}

#[test]
fn degrees_are_radians_times_a_constant() {
    let radians = run(&[
        "fk",
        &data(ARM),
        "--config",
        "0.5235987755982988,0,-0.7853981633974483,0,0,0",
        "--json",
    ]);
    let degrees = run(&[
        "fk",
        &data(ARM),
        "--config",
        "30,0,-45,0,0,0",
        "--degrees",
        "--json",
    ]);
    assert_eq!(degrees.json(), radians.json());
    let table = run(&[
        "fk",
        &data(ARM),
        "--config",
        "axis1=30",
        "--degrees",
        "--link",
        "shoulder",
    ])
    .stdout;
    assert!(
        table.contains("yaw [deg]") && table.contains("30.000000"),
        "{table}"
    );

    // the slides of the gripper are lengths either way
    let gripper = data("robots/gripper.urdf");
    let metres = run(&["fk", &gripper, "--config", "left_slide=0.02", "--json"]);
    let same = run(&[
        "fk",
        &gripper,
        "--config",
        "left_slide=0.02",
        "--degrees",
        "--json",
    ]);
    assert_eq!(same.json(), metres.json());

    let at = ["--config", "axis1=30", "--dq", "90,0,0,0,0,0", "--degrees"];
    let degrees = run(&[&["dynamics", &data(ARM), "--json"], &at[..]].concat()).json();
    let at = [
        "--config",
        "axis1=0.5235987755982988",
        "--dq",
        "1.5707963267948966,0,0,0,0,0",
    ];
    let radians = run(&[&["dynamics", &data(ARM), "--json"], &at[..]].concat()).json();
    assert_eq!(degrees, radians);
}

#[test]
fn what_is_beyond_limits_is_warned_of_once_with_its_range() {
    let slip = run(&["fk", &data(ARM), "--config", "90,45,0,0,0,0"]);
    let warnings = "warning: 2 joints are beyond their limits: `axis1` at 90 (-2.96706 to 2.96706 rad), \
                    `axis2` at 45 (-1.65806 to 2.26893 rad)\n  \
                    help: angles are in radians; as degrees all are within limits: --degrees\n";
    assert_eq!(slip.stderr, warnings);
    // 400° is beyond as well: no advice
    let other = run(&["fk", &data(ARM), "--config", "axis1=400"]).stderr;
    assert!(
        other.starts_with("warning: a joint is beyond") && !other.contains("--degrees"),
        "{other}"
    );
    let given = run(&["fk", &data(ARM), "--config", "axis1=175", "--degrees"]).stderr;
    assert_eq!(
        given,
        "warning: a joint is beyond its limits: `axis1` at 175 (-170 to 170°)\n"
    );

    let at = ["--config", "axis2=3"];
    let beyond = json!([{"robot": "arm6", "joint": "axis2", "q": 3.0, "q_min": -1.6580627893946132, "q_max": 2.2689280275926285}]);
    for command in [
        &["fk"][..],
        &["jacobian"],
        &["dynamics"],
        &["collide"],
        &["ik", "--link", "flange", "--position", "0.4,0.1,0.5"],
    ] {
        let ran = run(&[
            &command[..1],
            &[&data(ARM)],
            &command[1..],
            &at,
            &["--json"],
        ]
        .concat());
        assert_eq!(ran.json()["beyond_limits"], beyond, "{command:?}");
        assert_eq!(
            ran.stderr.matches("beyond").count(),
            1,
            "{command:?}: {}",
            ran.stderr
        );
    }
    let inside = run(&["fk", &data(ARM), "--json"]).json();
    assert!(inside.get("beyond_limits").is_none());
    let asked = ask(&[&data(ARM)], &json!({"op": "com", "q": {"axis2": 3.0}}));
    assert_eq!(asked["beyond_limits"], beyond);
}

#[test]
fn groups_and_named_states_of_an_srdf_are_used() {
    let with = |args: &[&str]| {
        let (arm, srdf) = (data(ARM), srdf());
        run(&[&args[..1], &[&arm, "--srdf", &srdf], &args[1..]].concat())
    };
    let ready = with(&["fk", "--config", "@ready", "--json"]).json();
    let same = run(&[
        "fk",
        &data(ARM),
        "--config",
        "0.5,0.4,0.4,0,0.5,0",
        "--json",
    ])
    .json();
    assert_eq!(ready, same);
    let changed = with(&["fk", "--config", "@arm/ready,axis1=0", "--json"]).json();
    let same = run(&["fk", &data(ARM), "--config", "0,0.4,0.4,0,0.5,0", "--json"]).json();
    assert_eq!(changed, same);
    let error = with(&["fk", "--config", "@redy"]).refused();
    assert!(
        error.contains("no state named `redy`; did you mean `ready`? there are: home, ready, up"),
        "{error}"
    );
    let error = run(&["fk", &data(ARM), "--config", "@ready"]).refused();
    assert!(
        error.contains("`arm6` has no named states; --srdf arm6=FILE"),
        "{error}"
    );

    let path = with(&[
        "plan", "--group", "wrist", "--from", "ready", "--to", "up", "--json",
    ])
    .json();
    let path = path["path"].as_array().unwrap().clone();
    assert_eq!(path[0], json!([0.5, 0.4, 0.4, 0.0, 0.5, 0.0]));
    assert_eq!(
        path.last().unwrap(),
        &json!([0.5, 0.4, 0.4, 0.0, -0.7, 0.0])
    );
    let error = with(&[
        "plan",
        "--group",
        "wrist",
        "--from",
        "home",
        "--to",
        "axis1=0.3",
    ])
    .refused();
    assert!(
        error.contains("goal: joint `axis1` of `arm6` stays at 0, and is at 0.3"),
        "{error}"
    );

    let found = with(&[
        "ik",
        "--group",
        "shoulder",
        "--config",
        "@ready",
        "--link",
        "flange",
        "--position",
        "0.4,0.1,0.5",
        "--json",
    ]);
    let q = found.json()["q"].clone();
    assert_eq!(json!([q[2], q[3], q[4], q[5]]), json!([0.4, 0.0, 0.5, 0.0]));
    let error = with(&[
        "ik",
        "--group",
        "leg",
        "--link",
        "flange",
        "--position",
        "0,0,1",
    ])
    .refused();
    assert!(
        error.contains("no group named `leg`; there are: arm, wrist, shoulder"),
        "{error}"
    );
}

#[test]
fn a_plan_reaches_one_of_several_goals_and_names_it() {
    let (arm, srdf) = (data(ARM), srdf());
    let pose = ["--to-pose", "flange", "0.4,0.1,0.5,0,1.5708,0"];
    let ran = run(&[&["plan", &arm, "--json"], &pose[..]].concat());
    let answer = ran.json();
    assert_eq!(
        answer["goal"],
        json!({"index": 0, "name": "`flange` at 0.4, 0.1, 0.5"})
    );
    assert_eq!(
        ran.stderr,
        "note: reached goal 1: `flange` at 0.4, 0.1, 0.5\n"
    );
    let end = answer["path"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .to_string();
    let there = run(&[
        "fk",
        &arm,
        "--config",
        end.trim_matches(['[', ']']),
        "--json",
    ])
    .json();
    for (at, wanted) in [0.4, 0.1, 0.5].into_iter().enumerate() {
        let x = there["links"][6]["translation"][at].as_f64().unwrap();
        assert!((x - wanted).abs() < 1e-6, "{there}");
    }

    // a quaternion of the same rotation, and degrees, are the same goal
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let quaternion = format!("0.4,0.1,0.5,0,{half},0,{half}");
    let same = run(&[
        "plan",
        &arm,
        "--json",
        "--to-pose",
        "flange",
        "0.4,0.1,0.5,0,90,0",
        "--degrees",
    ])
    .json();
    let by_quaternion = run(&["plan", &arm, "--json", "--to-pose", "flange", &quaternion]).json();
    let end = |answer: &Value| answer["path"].as_array().unwrap().last().unwrap().clone();
    for (a, b) in end(&same)
        .as_array()
        .unwrap()
        .iter()
        .zip(end(&by_quaternion).as_array().unwrap())
    {
        assert!((a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-6);
    }

    let far = ["--to-pose", "flange", "4,0,0"];
    let either = run(&[
        &["plan", &arm, "--srdf", &srdf, "--json", "--to", "ready"],
        &far[..],
    ]
    .concat())
    .json();
    assert_eq!(either["goal"], json!({"index": 0, "name": "ready"}));
    let never = run(&[&["plan", &arm, "--json"], &far[..]].concat());
    assert!(
        never.json()["reason"]
            .as_str()
            .unwrap()
            .starts_with("`flange` does not get there")
    );
}

#[test]
fn an_srdf_is_for_the_robot_of_its_name() {
    let (arm, srdf) = (data(ARM), srdf());
    let two = [data("robots/scara.urdf"), arm.clone()];
    let ran = run(&["info", &two[0], &two[1], "--srdf", &srdf, "--json"]);
    assert!(ran.stderr.is_empty(), "{}", ran.stderr);
    let robots = ran.json()["robots"].clone();
    assert_eq!(robots[0]["groups"], json!([]));
    assert_eq!(robots[1]["groups"][1]["name"], "wrist");
    assert_eq!(
        robots[1]["groups"][1]["joints"],
        json!(["axis4", "axis5", "axis6"])
    );
    let given = run(&[
        "info",
        &two[0],
        &two[1],
        "--srdf",
        &format!("arm6={srdf}"),
        "--json",
    ])
    .json();
    assert_eq!(given["robots"], robots);
    let lost = run(&["info", &two[0], &two[1], "--srdf", &format!("arm={srdf}")]).stderr;
    assert!(
        lost.contains("is for robot `arm`, which is not there; there are: "),
        "{lost}"
    );

    let configs = scratch("names/arm.configs", "6 0 0 0 0 0 0\n6 0.1 0.2 0.3 0 0 0\n");
    let ran = run(&["fk", &arm, "--states", &configs, "--config", "@1", "--json"]).json();
    let same = run(&["fk", &arm, "--config", "0.1,0.2,0.3,0,0,0", "--json"]).json();
    assert_eq!(ran, same);
}

#[test]
fn info_shows_what_the_file_calls_things() {
    let ran = run(&["info", &data(ARM), "--srdf", &srdf()]).stdout;
    for line in [
        "base link: world\n",
        "leaf links: flange\n",
        "end effectors: tool (group wrist, on flange)\n",
        "groups: arm (6 dofs), wrist (3 dofs), shoulder (2 dofs)\n",
        "named states: home (arm), ready (arm), up (wrist)\n",
    ] {
        assert!(ran.contains(line), "{ran}");
    }
    let info = run(&["info", &data("robots/drone.urdf"), "--json"]).json();
    let links = info["robots"][0]["links"].as_array().unwrap();
    let kinds: Vec<_> = links
        .iter()
        .map(|link| link["joint_type"].as_str().unwrap())
        .collect();
    for kind in ["continuous", "revolute", "fixed"] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
    let degrees = run(&["info", &data(ARM), "--degrees"]).stdout;
    assert!(
        degrees.contains("170.000000") && degrees.contains("deg"),
        "{degrees}"
    );
}

#[test]
fn misspelt_words_find_their_neighbour() {
    let asked = ask(&[&data(ARM)], &json!({"op": "fkk"}));
    let error = asked["error"].as_str().unwrap();
    assert!(
        error.starts_with("no op named `fkk`; did you mean `fk`? there are: info, fk"),
        "{error}"
    );
    let error = run(&["simulate", &data(ARM), "--method", "rk4"]).refused();
    assert!(
        error.contains("no method named `rk4`; did you mean `rk44`?"),
        "{error}"
    );
    let error = run(&["fk", &data(ARM), "--robot", "arm7"]).refused();
    assert!(
        error.contains("no robot named `arm7`; did you mean `arm6`?"),
        "{error}"
    );
    let error = run(&["fk", &data(ARM), "--link", "flang"]).refused();
    assert!(
        error.contains("no link named `flang`; did you mean `flange`?"),
        "{error}"
    );
}

#[test]
fn velocities_and_forces_are_given_by_joint_as_well() {
    let arm = data(ARM);
    let by = |command: &str, dq: &[&str]| {
        let more: &[&str] = match command {
            "simulate" => &["--duration", "0.02"],
            _ => &["--ddq", "axis2=0.5", "--tau", "axis3=1"],
        };
        run(&[&[command, &arm, "--json"], dq, more].concat()).json()
    };
    for command in ["simulate", "dynamics"] {
        let listed = by(command, &["--dq", "0,0.5,0,0,0,0.25"]);
        assert_eq!(listed["ok"], json!(true), "{listed}");
        let named = by(command, &["--dq", "axis6=0.25,axis2=0.5"]);
        assert_eq!(named, listed, "{command}");
        let angle = 0.5_f64.to_degrees();
        let degrees = by(command, &["--dq", &format!("axis2={angle}"), "--degrees"]);
        let [a, b] = [&degrees, &by(command, &["--dq", "axis2=0.5"])];
        let coriolis = |answer: &Value| answer["coriolis"][2].as_f64().unwrap_or_default();
        assert!((coriolis(a) - coriolis(b)).abs() < 1e-12);
        assert_ne!(a["ok"], json!(false), "{a}");
    }
    let old = run(&[
        "simulate",
        &arm,
        "--velocity",
        "axis2=0.5",
        "--duration",
        "0.02",
        "--json",
    ]);
    assert_eq!(old.json(), by("simulate", &["--dq", "axis2=0.5"]));
    let wrong = run(&["simulate", &arm, "--dq", "axis7=1"]);
    assert_eq!(wrong.code, 1);
    assert!(
        wrong.stderr.contains("no joint named `axis7`"),
        "{}",
        wrong.stderr
    );
    let states = srdf();
    let files = [arm.as_str(), "--srdf", &states];
    let named = json!({"op": "dynamics", "dq": {"axis2": 0.5, "axis6": 0.25}, "ddq": {"axis2": 0.5}, "tau": {"axis3": 1}});
    let listed = by("dynamics", &["--dq", "0,0.5,0,0,0,0.25"]);
    assert_eq!(ask(&files, &named), listed);
    let batch = json!({"op": "dynamics", "dq": [{"axis2": 0.5}, [0, 0.5, 0, 0, 0, 0]], "q": ["@home", [0, 0, 0, 0, 0, 0]]});
    let answers = ask(&files, &batch)["answers"].clone();
    assert_eq!(answers[0], answers[1], "{answers}");
    assert!(answers[0]["coriolis"].is_array(), "{answers}");
}
