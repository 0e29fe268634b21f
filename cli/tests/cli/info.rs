//! `info`: every field, and what "as loaded" means.

use serde_json::{Value, json};

use crate::common::{ask, run, scratch};

/// Three links; one motor rotates the last, one translates the first against the second.
const TOY: &str = "\
links a b c
parents -1 0 0
jointtype r p r
tparent 1 0 0 0 1 0 0 0 1 0 0 0  1 0 0 0 1 0 0 0 1 0 0 1  1 0 0 0 1 0 0 0 1 0 0 2
axis 0 0 2  1 0 0  0 1 0
q 0.25 0.5 0.75
qmin -1 -inf 0
qmax 1 inf 2
velmax 3 inf 4
mass 1 2 4
com 0 0 0  0 0 0  0.5 0 0
inertia 1 0 0 0 2 0.25 0 0.25 2  1 0 0 0 2 0.25 0 0.25 2  1 0 0 0 2 0.25 0 0.25 2
joint weld 0
joint normal 1
joint spin 2
driver translation 0 1
driver normal 2
";

const IDENTITY: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const INERTIA: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.25], [0.0, 0.25, 2.0]];

#[test]
fn every_field_of_a_robot_is_there_in_order() {
    let toy = scratch("info_fields/toy.rob", TOY);
    let link = |name, id: usize, parent, kind, joint, axis, mass, com: [f64; 3]| {
        json!({
            "name": name, "id": id, "parent": parent, "dof": id - 1,
            "kind": kind, "joint": joint, "joint_name": null,
            "joint_type": if joint == "normal" { kind } else { joint }, "axis": axis, "rotation": IDENTITY,
            "translation": [0.0, 0.0, id as f64 - 1.0], "mass": mass, "com": com,
            "inertia": INERTIA,
        })
    };
    let dof = |link: usize, q_min, q_max, v_max| {
        json!({
            "joint": (["a", "b", "c"][link]), "link": link, "q_min": q_min, "q_max": q_max, "v_max": v_max,
            "a_max": "inf", "tau_max": "inf",
        })
    };
    let expected = json!({
        "ok": true,
        "protocol": 2,
        "units": {
            "length": "m", "angle": "rad", "time": "s", "mass": "kg", "force": "N", "moment": "N m",
        },
        "robots": [{
            "name": "toy",
            "id": 0,
            "q": [0.25, 0.5, 0.75],
            "links": [
                link("a", 1, Value::Null, "revolute", "weld", [0.0, 0.0, 2.0], 1.0, [0.0; 3]),
                link("b", 2, json!(0), "prismatic", "normal", [1.0, 0.0, 0.0], 2.0, [0.0; 3]),
                link("c", 3, json!(0), "revolute", "spin", [0.0, 1.0, 0.0], 4.0, [0.5, 0.0, 0.0]),
            ],
            "base_link": "a",
            "leaf_links": ["b", "c"],
            "end_effectors": [],
            "groups": [],
            "states": [],
            "dofs": [
                dof(0, json!(-1.0), json!(1.0), json!(3.0)),
                dof(1, json!("-inf"), json!("inf"), json!("inf")),
                dof(2, json!(0.0), json!(2.0), json!(4.0)),
            ],
            "drivers": [
                {"name": "a", "type": "translation", "links": [0, 1]},
                {"name": "c", "type": "normal", "links": [2]},
            ],
            "loops": [],
            "sensors": [],
        }],
        "rigid_objects": [],
        "terrains": [],
    });
    let output = run(&["info", &toy, "--json"]);
    assert_eq!(output.json(), expected);
    assert_eq!(output.stdout, format!("{expected}\n"), "in this order");
}

#[test]
fn every_field_of_objects_and_terrains_is_there_in_order() {
    let object = scratch(
        "info_things/box.obj",
        "mesh \"cube.off\"\nT 0 -1 0  1 0 0  0 0 1  1 2 3\nmass 5\ncom 0.5 0.25 0\ninertia 1 1 1\n",
    );
    let ground = scratch(
        "info_things/ground.env",
        "mesh \"cube.off\"\nkFriction 0.75\n",
    );
    let cube = std::fs::read_to_string(crate::common::data("meshes/cube.off")).expect("a cube");
    scratch("info_things/cube.off", &cube);
    let expected = json!({
        "ok": true,
        "protocol": 2,
        "units": {
            "length": "m", "angle": "rad", "time": "s", "mass": "kg", "force": "N", "moment": "N m",
        },
        "robots": [],
        "rigid_objects": [{
            "name": "box",
            "id": 1,
            "rotation": [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
            "translation": [1.0, 2.0, 3.0],
            "mass": 5.0,
            "com": [0.5, 0.25, 0.0],
            "attached": null,
        }],
        "terrains": [{"name": "ground", "id": 0, "friction": 0.75}],
    });
    let output = run(&["info", "--json", &object, &ground]);
    assert_eq!(output.stdout, format!("{expected}\n"), "{}", output.stderr);
}

#[test]
fn a_fixed_link_has_no_dof_axis_or_joint() {
    let info = run(&["info", "data/robots/arm6.urdf", "--json"]).json();
    let root = &info["robots"][0]["links"][0];
    let nothing = json!({
        "name": "world", "id": 1, "parent": null, "dof": null,
        "kind": "fixed", "joint": null, "joint_name": null, "joint_type": "fixed", "axis": null, "rotation": IDENTITY,
        "translation": [0.0, 0.0, 0.0], "mass": 0.0, "com": [0.0, 0.0, 0.0],
        "inertia": [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
    });
    assert_eq!(*root, nothing);
    assert_eq!(info["robots"][0]["links"][1]["dof"], json!(0));
    assert_eq!(info["robots"][0]["dofs"][0]["link"], json!(1));
}

#[test]
fn the_default_configuration_is_that_of_the_file() {
    let toy = scratch("info_current/toy.rob", TOY);
    let fk = run(&["fk", &toy, "--json"]).json();
    let [at_q, by_drivers] = &ask(
        &[&toy],
        &[
            r#"{"op":"fk","q":[0.25,0.5,0.75]}"#,
            r#"{"op":"interpolate","a":[0,0.1],"b":[0,0.1],"u":0}"#,
        ],
    )[..] else {
        panic!("two answers");
    };
    assert_eq!(fk, *at_q);

    // the second link has no driver and keeps the value of the file
    assert_eq!(by_drivers["q"][1], json!(0.5));
    assert_eq!(by_drivers["q"][2], json!(0.1));
}

/// Link `c` weighs 4 kg of 7, half a metre from its axis.
#[test]
fn the_centre_of_mass_counts_every_link() {
    let toy = scratch("info_com/toy.rob", TOY);
    let com = &ask(&[&toy], &[r#"{"op":"com","q":[0,1,0]}"#])[0];
    assert_eq!(com["mass"], json!(7.0));
    let value = |k: usize| com["com"][k].as_f64().expect("a number");
    assert!((value(0) - (2.0 * 1.0 + 4.0 * 0.5) / 7.0).abs() < 1e-15);
    assert!((value(2) - (2.0 * 1.0 + 4.0 * 2.0) / 7.0).abs() < 1e-15);
    let partial = com["jacobian"][0][1].as_f64().expect("a number");
    assert!((partial - 2.0 / 7.0).abs() < 1e-15, "{com}");
}

#[test]
fn the_first_of_equal_names_is_used() {
    let (one, two) = (
        scratch("info_names/1/toy.rob", TOY),
        scratch("info_names/2/toy.rob", TOY),
    );
    let q = [0.0, 0.0, 0.0];
    let lines = [
        json!({"op": "fk", "robot": "toy", "q": q}).to_string(),
        json!({"op": "fk", "robot": 1, "q": q}).to_string(),
        json!({"op": "info"}).to_string(),
        json!({"op": "fk", "robot": 2, "q": q}).to_string(),
    ];
    let answers = ask(&[&one, &two], &lines.each_ref().map(String::as_str));
    assert_eq!(answers[0], answers[1], "the same robot twice");
    let ids: Vec<&Value> = (0..2).map(|k| &answers[2]["robots"][k]["id"]).collect();
    assert_eq!(ids, [&json!(0), &json!(4)]);
    assert_eq!(answers[3]["ok"], json!(false));
}

#[test]
fn tables_show_what_the_json_says() {
    let toy = scratch("info_table/toy.rob", TOY);
    let output = run(&["info", &toy]);
    assert_eq!(output.code, 0);
    let expected = "\
robot toy: 3 links, 3 dofs, 2 drivers, 7.000000 kg
  #  link  parent  joint  type       mass [kg]  dof         q      q min     q max     v max  unit
  0  a     -       -      weld        1.000000    0  0.250000  -1.000000  1.000000  3.000000  rad
  1  b     a       -      prismatic   2.000000    1  0.500000       -inf       inf       inf  m
  2  c     a       -      spin        4.000000    2  0.750000   0.000000  2.000000  4.000000  rad
base link: a
leaf links: b, c

drivers of toy
  driver  type         links
  a       translation  a, b
  c       normal       c
";
    assert_eq!(output.stdout, expected);
}

#[test]
fn control_characters_in_names_are_not_printed() {
    let sly = TOY.replace("links a b c", "links a \u{1b}[2Jb c");
    let toy = scratch("info_sly/toy.rob", &sly);
    for args in [["info", &toy], ["fk", &toy], ["jacobian", &toy]] {
        let output = run(&args);
        assert_eq!(output.code, 0, "{}", output.stderr);
        assert!(
            !output.stdout.contains('\u{1b}') && output.stdout.contains('\u{fffd}'),
            "{args:?}"
        );
    }
}
