//! Models of MuJoCo (MJCF) and of Gazebo and Drake (SDF) on every command, and files written in these formats.

use serde_json::{Value, json};

use crate::common::{ask, command, folder, run, scratch};

const ARM: &str = "data/mjcf/arm.xml";
const YARD: &str = "data/sdf/yard.sdf";
const LINKAGE: &str = "data/sdf/joints.sdf";

/// A crane of two links with shapes, a frame at its tip, and a slab.
const CRANE: &str = r#"<sdf version="1.11"><world name="w">
<model name="crane">
  <joint name="foot" type="fixed"><parent>world</parent><child>post</child></joint>
  <link name="post"><inertial><mass>9</mass></inertial>
    <collision name="c"><pose>0 0 0.2 0 0 0</pose><geometry><box><size>0.1 0.1 0.4</size></box></geometry></collision></link>
  <link name="jib"><pose relative_to="slew"/><inertial><mass>2</mass></inertial>
    <collision name="c"><pose>0.4 0 0 0 1.5707963 0</pose><geometry><cylinder><radius>0.03</radius><length>0.5</length></cylinder></geometry></collision></link>
  <joint name="slew" type="revolute"><pose relative_to="post">0 0 0.5 0 0 0</pose><parent>post</parent><child>jib</child>
    <axis><xyz>0 0 1</xyz><limit><lower>-2</lower><upper>2</upper><effort>50</effort><velocity>1</velocity></limit></axis></joint>
  <link name="hook"><pose relative_to="luff"/><inertial><mass>1</mass></inertial>
    <collision name="c"><geometry><sphere><radius>0.04</radius></sphere></geometry></collision></link>
  <joint name="luff" type="prismatic"><pose relative_to="jib">0.8 0 0 0 0 0</pose><parent>jib</parent><child>hook</child>
    <axis><xyz>0 0 -1</xyz><limit><lower>0</lower><upper>0.3</upper><effort>50</effort></limit></axis></joint>
  <frame name="tip" attached_to="hook"><pose>0 0 -0.04 0 0 0</pose></frame>
</model>
<model name="slab"><static>true</static><link name="l">
  <collision name="c"><pose>0 0 -0.1 0 0 0</pose><geometry><box><size>3 3 0.1</size></box></geometry></collision></link></model>
</world></sdf>"#;

/// One request for each operation; `link` is a link of the robot, which moves from `a` to `b`, all within limits.
fn requests(name: &str, a: &[f64], link: &str, object: &str) -> Vec<Value> {
    let mut b = a.to_vec();
    b[0] += 0.01;
    let zeros = vec![0.0; a.len()];
    let with = |op: &str, more: Value| {
        let mut request = json!({ "op": op, "robot": name });
        for (key, value) in more.as_object().expect("an object") {
            request[key] = value.clone();
        }
        request
    };
    vec![
        json!({ "op": "info" }),
        with("fk", json!({ "q": b })),
        with(
            "jacobian",
            json!({ "link": link, "point": [0.0, 0.0, 0.0] }),
        ),
        with("frame", json!({ "link": link, "dq": zeros })),
        with("com", json!({})),
        with(
            "ik",
            json!({ "link": link, "position": [0.1, 0.1, 0.5], "starts": 1 }),
        ),
        with(
            "reachable",
            json!({ "link": link, "position": [0.1, 0.1, 0.5], "starts": 1 }),
        ),
        with("dynamics", json!({ "dq": zeros, "tau": zeros })),
        with("interpolate", json!({ "from": a, "to": b, "u": 0.5 })),
        with("config_distance", json!({ "from": a, "to": b })),
        with("collide", json!({ "q": a })),
        with("contacts", json!({ "q": a })),
        with("spheres", json!({})),
        with(
            "distance",
            json!({ "q": a, "a": format!("{name}[{link}]"), "b": object }),
        ),
        with(
            "ray",
            json!({ "q": a, "origin": [0.0, 0.0, 5.0], "direction": [0.0, 0.0, -1.0] }),
        ),
        with("free", json!({ "q": a })),
        with("edge", json!({ "from": a, "to": b })),
        with("clearance", json!({ "q": a })),
        with("plan", json!({ "from": a, "to": b, "max_iterations": 100 })),
        with("wrench", json!({ "link": link, "dq": zeros, "ddq": zeros })),
        json!({ "op": "state" }),
        json!({ "op": "load", "file": "data/objects/ball.obj", "name": "toy" }),
        json!({ "op": "set", "robots": { name: b } }),
        with("attach", json!({ "object": "toy", "link": link })),
        json!({ "op": "detach", "object": "toy" }),
        json!({ "op": "remove", "element": "toy" }),
    ]
}

#[test]
fn every_operation_answers_for_models_of_mujoco_and_gazebo() {
    let crane = scratch("models/crane.sdf", CRANE);
    let cases: [(&str, &str, &[f64], &str, &str); 2] = [
        (
            ARM,
            "arm",
            &[0.3, 0.4, 0.5, 0.6, 0.01, 0.017],
            "forearm",
            "post",
        ),
        (&crane, "crane", &[0.0, 0.1], "hook", "slab"),
    ];
    for (file, name, q, link, object) in cases {
        let requests = requests(name, q, link, object);
        assert_eq!(requests.len(), 26);
        let lines: Vec<String> = requests.iter().map(Value::to_string).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        for (line, answer) in lines.iter().zip(ask(&[file], &lines)) {
            assert_eq!(answer["ok"], true, "{file}: {line}\n{answer}");
        }
    }
}

#[test]
fn check_knows_the_models() {
    for file in [
        ARM,
        YARD,
        LINKAGE,
        "data/mjcf/walker.xml",
        "data/mjcf/scene.xml",
    ] {
        let checked = run(&["check", file, "--json"]);
        assert_eq!(checked.code, 0, "{file}: {}", checked.stderr);
        assert!(
            checked.json()["total_mass"]
                .as_f64()
                .is_some_and(|mass| mass > 0.0),
            "{file}"
        );
    }
}

#[test]
fn keyframes_are_named_configurations() {
    let at_home = run(&["fk", ARM, "--config", "@home", "--json"]);
    assert_eq!(at_home.code, 0, "{}", at_home.stderr);
    let said = run(&[
        "fk",
        ARM,
        "--config",
        "0.3,0.4,0.5,0.6,0.01,0.015",
        "--json",
    ]);
    assert_eq!(at_home.json()["links"], said.json()["links"]);
}

#[test]
fn sites_and_frames_are_links() {
    let poses = run(&["fk", ARM, "--json"]).json();
    let has = |poses: &Value, name: &str| {
        let links = poses["links"].as_array().expect("links");
        links.iter().any(|link| link["name"] == name)
    };
    assert!(has(&poses, "elbow_mount") && has(&poses, "eye"), "{poses}");
    let crane = scratch("models/framed_crane.sdf", CRANE);
    let frames = run(&["fk", &crane, "--json"]);
    assert!(has(&frames.json(), "tip"), "{}", frames.stderr);
}

#[test]
fn an_srdf_stands_beside_a_model_of_mujoco() {
    let srdf = scratch(
        "models/arm.srdf",
        r#"<robot name="arm"><group name="wrist"><joint name="flex"/></group>
<group_state name="bent" group="wrist"><joint name="flex" value="0.7"/></group_state></robot>"#,
    );
    let bent = run(&["fk", ARM, "--srdf", &srdf, "--config", "@bent", "--json"]);
    assert_eq!(bent.code, 0, "{}", bent.stderr);
    let straight = run(&["fk", ARM, "--json"]).json();
    assert_ne!(bent.json()["links"], straight["links"]);
}

#[test]
fn convert_writes_models_that_read_back() {
    let place = folder("models_written");
    let to = |name: &str| place.join(name).display().to_string();
    let cases: [(&str, &str, &[&str]); 7] = [
        ("data/robots/arm6.urdf", "arm.mjcf", &[]),
        ("data/robots/arm6.urdf", "arm.xml", &["--to", "mjcf"]),
        ("data/robots/arm6.urdf", "arm.sdf", &[]),
        (ARM, "from_mujoco.urdf", &[]),
        (ARM, "from_mujoco.sdf", &[]),
        ("data/worlds/cell.xml", "cell.mjcf", &[]),
        ("data/worlds/cell.xml", "cell.world", &[]),
    ];
    for (from, name, more) in cases {
        let to = to(name);
        let done = run(&[&["convert", from, &to], more].concat());
        assert_eq!(done.code, 0, "{name}: {}", done.stderr);
        let mass = |file: &str| {
            run(&["check", file, "--json"]).json()["total_mass"]
                .as_f64()
                .expect("a mass")
        };
        let (old, new) = (mass(from), mass(&to));
        assert!((old - new).abs() < 1e-9 * old, "{name}: {old} {new}");
    }
    let text = std::fs::read_to_string(to("arm.xml")).expect("it was written");
    assert!(text.contains("<mujoco model=\"arm6\">"), "{text}");
    let plain = run(&["convert", "data/robots/arm6.urdf", &to("plain.xml")]);
    assert_eq!(plain.code, 0, "{}", plain.stderr);
    let text = std::fs::read_to_string(to("plain.xml")).expect("it was written");
    assert!(text.contains("<world>"), "{text}");
}

#[test]
fn descriptions_of_robots_come_from_the_cache() {
    let cache = folder("descriptions_cache");
    let place = cache.join("example-robot-data/robots/panda_description/urdf");
    std::fs::create_dir_all(&place).expect("a folder");
    std::fs::copy("../data/robots/panda.urdf", place.join("panda.urdf")).expect("a copy");
    let run = |file: &str| {
        let mut command = command(&["info", file, "--json"]);
        command.env("ROBOT_DESCRIPTIONS_CACHE", &cache);
        let output = command.output().expect("it runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    };
    let (code, stdout, stderr) = run("robot_descriptions:panda_description");
    assert_eq!(code, Some(0), "{stderr}");
    let plain = crate::common::run(&["info", "data/robots/panda.urdf", "--json"]);
    let robots = |text: &str| serde_json::from_str::<Value>(text).expect("JSON")["robots"].clone();
    assert_eq!(robots(&stdout), robots(&plain.stdout));
    let cases = [
        (
            "robot_descriptions:panda_mj_description",
            "has no `mujoco_menagerie`\n  get it with: pip install robot_descriptions && python -c \"import robot_descriptions.panda_mj_description\"",
        ),
        (
            "robot_descriptions:solo_description",
            "is not in the copy of `example-robot-data` there",
        ),
        (
            "robot_descriptions:pandas_description",
            "did you mean `panda_description`?",
        ),
    ];
    for (file, said) in cases {
        let (code, _, stderr) = run(file);
        assert_eq!(code, Some(2), "{file}: {stderr}");
        assert!(stderr.contains(said), "{file}: {stderr}");
    }
}

#[test]
fn sensors_of_a_model_are_listed_and_recorded() {
    let listed = run(&["info", ARM]);
    let line = listed
        .stdout
        .lines()
        .find(|line| line.starts_with("sensors: "));
    let line = line.unwrap_or_else(|| panic!("{}", listed.stdout));
    assert!(
        line.contains("elbow_gyro (angular_velocity_local of elbow_mount)"),
        "{line}"
    );
    let info = run(&["info", ARM, "--json"]).json();
    let sensors = info["robots"][0]["sensors"].as_array().unwrap();
    let eye = sensors
        .iter()
        .find(|sensor| sensor["name"] == "eye_axes")
        .unwrap();
    assert_eq!(
        (&eye["quantity"], &eye["link"]),
        (&json!("quaternion"), &json!("eye"))
    );

    let table = folder("recorded_sensors").join("run.csv");
    let table = table.to_str().unwrap();
    let output = run(&["simulate", ARM, "--duration", "0.1", "--output", table]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    let csv = std::fs::read_to_string(table).unwrap();
    let head = csv.lines().next().unwrap();
    for column in ["q_yaw", "elbow_gyro_z", "eye_axes_w", "hand_position_x"] {
        assert!(
            head.split(',').any(|name| name == column),
            "{column}: {head}"
        );
    }
}
