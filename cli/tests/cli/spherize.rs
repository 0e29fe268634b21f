//! Sphere covers of links.

use serde_json::{Value, json};

use crate::common::{ask, run, scratch};

/// A plank of 1 × 0.1 × 0.1 m that slides along x.
const SLIDER: &str = r#"<robot name="slider">
  <link name="rail"/>
  <link name="plank"><collision><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
  <joint name="x" type="prismatic"><parent link="rail"/><child link="plank"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="4" velocity="1" effort="1"/></joint>
</robot>"#;

/// From x = 2 on.
const WALL: &str = "OFF\n4 2 0\n2 -9 -9\n2 9 -9\n2 9 9\n2 -9 9\n3 0 1 2\n3 0 2 3\n";

#[test]
fn spheres_of_a_plank_are_written_to_a_file() {
    let slider = scratch("spherize/slider.urdf", SLIDER);
    let answer = run(&["spherize", &slider, "--spheres", "10", "--json"]).json();
    let plank = &answer["links"][1];
    assert_eq!(plank["outer"].as_array().unwrap().len(), 10);

    // no better than spheres around ten cubes of 0.1 m, and no worse than around five pieces of twice that length
    let least = 0.1 * (0.75_f64.sqrt() - 0.5);
    let most = 0.015_f64.sqrt() - 0.05;
    let overshoot = plank["overshoot"].as_f64().unwrap();
    assert!((0.95 * least..most).contains(&overshoot), "{overshoot}");
    assert!(!plank["inner"].as_array().unwrap().is_empty());

    let spheres = scratch("spherize/spheres.urdf", "");
    let wrote = run(&["spherize", &slider, "--spheres", "10", "--output", &spheres]);
    assert_eq!(wrote.code, 0, "{}", wrote.stderr);
    let again = run(&["spherize", &spheres, "--json"]).json();
    assert_eq!(again["links"][1]["outer"].as_array().unwrap().len(), 10);
    assert_eq!(again["links"][1]["overshoot"], json!(0.0));

    let refused = run(&["spherize", &slider, "--spheres", "0"]);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stderr.contains("must be from 1 to 4096, got 0"),
        "{}",
        refused.stderr
    );
}

#[test]
fn configurations_free_with_spheres_are_free() {
    let files = [
        scratch("spherize/free.urdf", SLIDER),
        scratch("spherize/wall.off", WALL),
    ];
    let free = |x: f64, shape: &str| json!({"op": "free", "q": [x], "shape": shape}).to_string();
    let lines = [
        free(1.4, "spheres"),
        free(1.495, "spheres"),
        free(1.495, "mesh"),
        free(1.6, "spheres"),
    ];
    let answers = ask(
        &[&files[0], &files[1]],
        &lines.each_ref().map(String::as_str),
    );
    let said: Vec<&Value> = answers.iter().map(|answer| &answer["free"]).collect();
    assert_eq!(said, [true, false, true, false]);
}
