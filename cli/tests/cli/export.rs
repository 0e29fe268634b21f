//! Pages that commands write.

use serde_json::{Value, json};

use crate::common::{folder, run, scratch};

const ARM: &str = "data/robots/arm6.urdf";

/// The data in a page.
fn data_of(path: &str) -> Value {
    let html = std::fs::read_to_string(path).expect("the page is written");
    let (_, rest) = html
        .split_once("<script type=\"application/json\" id=\"data\">")
        .expect("it has data");
    let (data, _) = rest.split_once("</script>").expect("they end");
    serde_json::from_str(data).expect("they are JSON")
}

fn page(name: &str) -> String {
    let folder = folder(&format!("export_{name}"));
    folder.join("page.html").display().to_string()
}

#[test]
fn a_world_becomes_a_page() {
    let out = page("world");
    let run = run(&[
        "export",
        "data/worlds/cell.xml",
        &out,
        "--collisions",
        "--title",
        "a cell",
    ]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    let data = data_of(&out);
    assert_eq!(data["title"], "a cell");
    assert_eq!(data["robots"].as_array().expect("robots").len(), 2);
    assert_eq!(data["collisions"], json!([]));
}

#[test]
fn a_configuration_is_that_of_the_page_and_of_its_collisions() {
    let out = page("config");
    let scene = [ARM, "data/terrains/table.env", "data/objects/crate.obj"];
    let config = ["--config", "0.5,1,0,0,0,0"];
    let args = [
        &["export"],
        &scene[..],
        &config[..],
        &[&out, "--collisions"],
    ]
    .concat();
    assert_eq!(run(&args).code, 0);
    let data = data_of(&out);
    assert_eq!(
        data["robots"][0]["q"],
        json!([0.5, 1.0, 0.0, 0.0, 0.0, 0.0])
    );
    let told = run(&[&["collide"], &scene[..], &config[..], &["--json"]].concat()).json();
    let n = told["pairs"].as_array().expect("pairs").len();
    assert_eq!(data["collisions"].as_array().expect("known").len(), n);
    assert!(n > 0);
}

#[test]
fn tables_and_paths_are_played() {
    let out = page("motion");
    let run_csv = folder("export_table").join("run.csv").display().to_string();
    let simulated = run(&["simulate", ARM, "--duration", "0.2", "--output", &run_csv]);
    assert_eq!(simulated.code, 0, "{}", simulated.stderr);
    let played = run(&["export", ARM, &out, "--motion", &run_csv]);
    assert_eq!((played.code, played.stderr.as_str()), (0, ""));
    let data = data_of(&out);
    assert_eq!(data["motion"]["n"], 21);
    let titles: Vec<&str> = data["plots"]
        .as_array()
        .expect("plots")
        .iter()
        .filter_map(|plot| plot["title"].as_str())
        .collect();
    assert!(
        titles.starts_with(&["position", "velocity", "acceleration"]),
        "{titles:?}"
    );

    let path = scratch(
        "export_path.json",
        r#"{"ok":true,"path":[[0,0,0,0,0,0],[1,0,0,0,0,0]]}"#,
    );
    let played = run(&["export", ARM, &out, "--motion", &path]);
    assert_eq!((played.code, played.stderr.as_str()), (0, ""));
    // one radian in a second, 30 samples and the end
    assert_eq!(data_of(&out)["motion"]["n"], 31);
}

#[test]
fn what_cannot_be_exported_is_refused_before_anything_is_written() {
    let out = page("refused");
    let cases: &[(&[&str], &str)] = &[
        (
            &["export", ARM],
            "a page is written to a file that ends with .html",
        ),
        (&["export", &out], "name the files first, then the page"),
        (&["export", ARM, "none.urdf", &out], "none.urdf"),
        (&["export", ARM, &out, "--motion", "none.csv"], "none.csv"),
        (
            &["export", ARM, &out, "--motion", "data/worlds/none.json"],
            "cannot be read",
        ),
        (
            &[
                "export",
                "data/objects/crate.obj",
                &out,
                "--motion",
                "data/motions/swing.csv",
            ],
            "the world has no robot",
        ),
        (&["export", ARM, &out, "--config", "1,2"], "needs 6 values"),
    ];
    for (args, problem) in cases {
        let run = run(args);
        assert_eq!(run.code, 1, "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(problem), "{args:?}: {}", run.stderr);
        assert!(!std::path::Path::new(&out).exists(), "{args:?}");
    }
    let path = scratch("export_nothing.json", r#"{"path":null,"reason":"none"}"#);
    let run = run(&["export", ARM, &out, "--motion", &path]);
    assert!(run.stderr.contains("holds no `path`"), "{}", run.stderr);
}

#[test]
fn a_scene_is_converted_to_glb() {
    let out = folder("export_glb").join("cell.glb").display().to_string();
    let run = run(&["convert", "data/worlds/cell.xml", &out]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let bytes = std::fs::read(&out).expect("it is written");
    assert!(bytes.starts_with(b"glTF\x02\0\0\0"));
}

#[test]
fn plan_shows_its_path() {
    let out = page("plan");
    let to = ["--to", "1,0,0,0,0,0"];
    let run = run(&[&["plan", ARM], &to[..], &["--html", &out]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.starts_with("axis1,"));
    let data = data_of(&out);
    assert!(data["motion"]["n"].as_u64() > Some(20));
    assert_eq!(data["motion"]["collisions"], json!([[0, []]]));
}

#[test]
fn simulate_shows_the_motion_and_its_sensors() {
    let out = page("simulate");
    let run = run(&["simulate", ARM, "--duration", "0.1", "--html", &out]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let data = data_of(&out);
    assert_eq!(data["motion"]["n"], 11);
    let titles: Vec<&Value> = data["plots"]
        .as_array()
        .expect("plots")
        .iter()
        .map(|plot| &plot["title"])
        .collect();
    assert_eq!(titles, ["position", "velocity"]);
}

#[test]
fn collide_shows_the_pairs() {
    let out = page("collide");
    let scene = [ARM, "data/terrains/table.env", "data/objects/crate.obj"];
    let args = [
        &["collide"],
        &scene[..],
        &["--config", "0.5,1,0,0,0,0", "--html", &out],
    ]
    .concat();
    assert_eq!(run(&args).code, 0);
    assert_eq!(
        data_of(&out)["collisions"].as_array().expect("known").len(),
        3
    );
    // a world without a robot
    assert_eq!(
        run(&["collide", "data/objects/crate.obj", "--html", &out]).code,
        0
    );
    assert_eq!(data_of(&out)["collisions"], json!([]));
}

#[test]
fn check_shows_diagnostics_beside_the_robot() {
    let out = page("check");
    let odd = scratch(
        "export_odd.urdf",
        "<robot name='odd'>\n<link name='base'/>\n<link name='arm'><visual><geometry><sphere radius='1'/></geometry></visual></link>\n<joint name='j' type='continuous'><parent link='base'/><child link='arm'/><axis xyz='0 0 1'/></joint></robot>",
    );
    let told = run(&["check", &odd, "--html", &out]);
    assert_eq!(told.code, 0, "{}", told.stderr);
    let data = data_of(&out);
    assert_eq!(data["robots"][0]["name"], "odd");
    let notes = data["notes"].as_array().expect("notes");
    assert!(
        notes.iter().any(|note| note["severity"] == "warning"),
        "{notes:?}"
    );
    // a file that cannot be loaded has its error
    let broken = scratch("export_broken.urdf", "<robot name='x'><link/></robot>");
    assert_eq!(run(&["check", &broken, "--html", &out]).code, 1);
    assert_eq!(data_of(&out)["notes"][0]["severity"], "error");
}

#[test]
fn wrench_plots_moments_and_forces() {
    let out = page("wrench");
    let of = [
        "wrench",
        "data/robots/planar3R.rob",
        "--motion",
        "data/motions/swing.csv",
    ];
    let told = run(&[&of[..], &["--html", &out]].concat());
    assert_eq!(told.code, 0, "{}", told.stderr);
    let titles = |data: &Value| -> Vec<String> {
        let plots = data["plots"].as_array().expect("plots").iter();
        plots
            .filter_map(|plot| Some(plot["title"].as_str()?.to_owned()))
            .collect()
    };
    let data = data_of(&out);
    assert!(
        titles(&data).contains(&"link1: joint moment".to_owned()),
        "{:?}",
        titles(&data)
    );
    let told = run(&[&of[..], &["--link", "link1", "--html", &out]].concat());
    assert_eq!(told.code, 0, "{}", told.stderr);
    assert_eq!(titles(&data_of(&out)).len(), 3 + 18);
}

#[test]
fn a_page_replaces_no_input() {
    let copy = scratch(
        "export_input.html",
        "<robot name='x'><link name='a'/></robot>",
    );
    for args in [
        &["collide", ARM, "--html", "x.png"][..],
        &["simulate", ARM, "--html", "none/page.html"],
        &["check", &copy, "--as", "robot", "--html", &copy],
    ] {
        let run = run(args);
        assert_eq!(run.code, 1, "{args:?}");
        assert!(run.stdout.is_empty(), "{}", run.stdout);
    }
}
