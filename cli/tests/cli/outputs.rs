//! Files that commands write: no other is replaced, and none is half written.

use std::path::{Path, PathBuf};

use crate::common::{Run, bytes_below, data, folder, run};

/// An arm of one link, whose mesh is scaled as it is read.
const ARM: &str =
    "links a\ntparent 1 0 0 0 1 0 0 0 1 0 0 0\ngeometry \"arm_files/link0.off\"\ngeomscale 0.1\n";

fn convert(from: &Path, to: &Path, more: &[&str]) -> Run {
    let paths = [from, to].map(|path| path.display().to_string());
    run(&[&["convert", &paths[0], &paths[1]], more].concat())
}

/// `arm.rob` and its mesh in a fresh folder.
fn arm(name: &str) -> PathBuf {
    let root = folder(name);
    std::fs::create_dir(root.join("arm_files")).unwrap();
    std::fs::copy(data("meshes/cube.off"), root.join("arm_files/link0.off")).unwrap();
    std::fs::write(root.join("arm.rob"), ARM).unwrap();
    root
}

#[test]
fn a_mesh_that_was_read_is_kept() {
    let root = arm("kept_mesh");
    let before = bytes_below(&root);
    for _ in 0..3 {
        let run = convert(&root.join("arm.rob"), &root.join("arm.xml"), &[]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(
            run.stderr
                .contains("its other files are in `arm_xml_files`: it did not write `arm_files`"),
            "{}",
            run.stderr
        );
        let after = bytes_below(&root);
        assert!(before.iter().all(|(path, bytes)| after[path] == *bytes));
        let mesh = std::fs::read_to_string(root.join("arm_xml_files/a.off")).unwrap();
        let size = |text: &str| -> f64 {
            let numbers = text
                .split_whitespace()
                .filter_map(|w| w.parse::<f64>().ok());
            numbers.skip(3).take(3).fold(0.0, |a, x| x.abs().max(a))
        };
        let original = std::fs::read_to_string(root.join("arm_files/link0.off")).unwrap();
        assert!(
            (size(&mesh) - 0.1 * size(&original)).abs() < 1e-12,
            "{mesh}"
        );
    }
    assert!(!root.join("arm_xml_files_2").exists());
}

#[test]
fn a_neighbour_of_the_same_name_is_kept() {
    let root = folder("kept_neighbour");
    let other = convert(&data("robots/arm6.urdf"), &root.join("cell.rob"), &[]);
    assert_eq!(other.code, 0, "{}", other.stderr);
    let before = bytes_below(&root);
    assert!(before.len() > 3, "{before:?}");
    let run = convert(&data("robots/gripper.urdf"), &root.join("cell.xml"), &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("`cell_xml_files`"), "{}", run.stderr);
    let after = bytes_below(&root);
    assert!(before.iter().all(|(path, bytes)| after[path] == *bytes));
    assert!(after.len() > before.len());
}

#[test]
fn a_file_that_was_read_is_replaced_only_on_demand() {
    let root = arm("on_demand");
    let before = bytes_below(&root);
    let mesh = root.join("arm_files/link0.off");
    let refused = convert(&root.join("arm.rob"), &mesh, &[]);
    assert_eq!(refused.code, 1);
    assert!(
        refused
            .stderr
            .contains("would be overwritten by what is made of it"),
        "{}",
        refused.stderr
    );
    assert_eq!(bytes_below(&root), before);
    let forced = convert(&root.join("arm.rob"), &mesh, &["--force"]);
    assert_eq!(forced.code, 0, "{}", forced.stderr);
    assert_ne!(std::fs::read(&mesh).unwrap(), before[&mesh]);
}

#[test]
fn force_uses_the_folder_of_another_document() {
    let root = arm("forced_folder");
    let run = convert(&root.join("arm.rob"), &root.join("arm.xml"), &["--force"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(root.join("arm_files/a.off").exists());
    assert!(!root.join("arm_xml_files").exists());
    assert!(root.join("arm_files/link0.off").exists(), "of another name");
}

/// A ball on a slide along x, up to 4 m, and a wall at 2 m.
const SLIDER: &str = r#"<robot name="slider">
  <link name="rail"/>
  <link name="ball"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.5"/></geometry></collision></link>
  <joint name="x" type="prismatic"><parent link="rail"/><child link="ball"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="4" velocity="1" effort="1"/></joint>
</robot>"#;
const WALL: &str = "OFF\n4 2 0\n2 -9 -9\n2 9 -9\n2 9 9\n2 -9 9\n3 0 1 2\n3 0 2 3\n";

#[test]
fn no_path_is_code_3_and_nothing_stale_survives() {
    let root = folder("no_path");
    let [slider, wall] = [("slider.urdf", SLIDER), ("wall.off", WALL)].map(|(name, text)| {
        std::fs::write(root.join(name), text).unwrap();
        root.join(name).display().to_string()
    });
    let search = ["plan", &slider, &wall, "--to", "3", "--time", "0.2"];
    let plain = run(&search);
    assert_eq!((plain.code, &*plain.stdout), (3, ""));
    assert!(
        plain.stderr.contains("error: no path found within 0.2 s"),
        "{}",
        plain.stderr
    );
    let json = run(&[&search[..], &["--json"]].concat());
    assert_eq!(json.code, 3);
    let json = json.json();
    assert_eq!(
        (&json["ok"], &json["path"]),
        (&true.into(), &serde_json::Value::Null)
    );
    assert!(
        json["reason"]
            .as_str()
            .unwrap()
            .starts_with("no path found")
    );

    for name in ["way.csv", "way.path", "way.json"] {
        let file = root.join(name);
        std::fs::write(&file, "old\n").unwrap();
        let output = ["--output", file.to_str().unwrap()];
        let searched = run(&[&search[..], &output].concat());
        assert_eq!(searched.code, 3, "{}", searched.stderr);
        if name == "way.json" {
            let text = std::fs::read_to_string(&file).unwrap();
            assert!(
                text.contains("\"path\":null,\"reason\":\"no path"),
                "{text}"
            );
        } else {
            assert!(!file.exists(), "{name}");
            assert!(
                searched
                    .stderr
                    .contains("the file of an earlier run is removed")
            );
        }
        // refused before it began
        std::fs::write(&file, "old\n").unwrap();
        let refused = run(&[&["plan", &slider, &wall, "--to", "9"][..], &output].concat());
        assert_eq!(refused.code, 1);
        assert!(
            refused.stderr.contains("the old file is unchanged"),
            "{}",
            refused.stderr
        );
        assert_eq!(std::fs::read(&file).unwrap(), b"old\n");
    }
}

#[test]
fn a_target_that_is_not_reached_is_code_3() {
    let arm = data("robots/arm6.urdf").display().to_string();
    let search = ["ik", &arm, "--link", "link6", "--position", "9,0,0"];
    let info = run(&["info", &arm, "--json"]).json();
    let last = info["robots"][0]["links"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .clone();
    let name = last["name"].as_str().or(last.as_str()).unwrap().to_owned();
    let search = search.map(|word| if word == "link6" { name.as_str() } else { word });
    let plain = run(&search);
    assert_eq!(plain.code, 3, "{}", plain.stderr);
    assert!(
        plain.stdout.contains("nearest configuration"),
        "{}",
        plain.stdout
    );
    assert!(
        plain.stderr.contains("the target is not reached"),
        "{}",
        plain.stderr
    );
    let json = run(&[&search[..], &["--json"]].concat());
    assert_eq!(json.code, 3);
    let json = json.json();
    assert_eq!(json["success"], false);
    assert!(
        json["reason"].as_str().unwrap().contains("not reached"),
        "{json}"
    );
}

#[test]
fn a_simulation_that_stops_is_code_3_and_keeps_what_was_computed() {
    let root = folder("stopped");
    let slider = root.join("slider.urdf").display().to_string();
    std::fs::write(&slider, SLIDER).unwrap();
    let table = root.join("run.csv");
    let setup = root.join("stiff.json");
    // a spring that one step of this length makes unstable
    let text = r#"{"duration": 100, "step": 0.1, "period": 0.1, "method": "euler", "config": [1],
        "pd": {"p": 1e6, "d": 0, "position": [0]}}"#;
    std::fs::write(&setup, text).unwrap();
    std::fs::write(&table, "old\n").unwrap();
    let run = run(&[
        "simulate",
        &slider,
        "--setup",
        setup.to_str().unwrap(),
        "--json",
        "--output",
        table.to_str().unwrap(),
    ]);
    assert_eq!(run.code, 3, "{} {}", run.stdout, run.stderr);
    let answer = run.json();
    assert!(
        answer["reason"]
            .as_str()
            .unwrap()
            .starts_with("stopped at t = "),
        "{answer}"
    );
    let rows = std::fs::read_to_string(&table).unwrap();
    assert!(
        rows.starts_with("time,") && rows.lines().count() > 5,
        "{rows}"
    );
}

#[test]
fn a_simulation_does_not_replace_what_it_read() {
    let root = folder("not_over_itself");
    let [slider, setup] = [
        ("slider.urdf", SLIDER),
        ("setup.json", r#"{"duration": 0.01}"#),
    ]
    .map(|(name, text)| {
        std::fs::write(root.join(name), text).unwrap();
        root.join(name).display().to_string()
    });
    let before = bytes_below(&root);
    for option in ["--output", "--plot"] {
        for file in [&slider, &setup] {
            let run = run(&["simulate", &slider, "--setup", &setup, option, file]);
            assert_eq!(run.code, 1, "{option} {file}");
            assert!(
                run.stderr.contains("would be overwritten"),
                "{}",
                run.stderr
            );
        }
    }
    let both = root.join("x.svg").display().to_string();
    assert_eq!(
        run(&["simulate", &slider, "--output", &both, "--plot", &both]).code,
        1
    );
    assert_eq!(bytes_below(&root), before);
    #[cfg(unix)]
    {
        let run = run(&[
            "simulate",
            &slider,
            "--duration",
            "0.01",
            "--output",
            "/dev/stdout",
        ]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.starts_with("time,"), "{}", run.stdout);
    }
}

#[test]
fn a_placed_world_does_not_replace_what_it_is_made_of() {
    let root = arm("placed_over");
    let before = bytes_below(&root);
    let robot = root.join("arm.rob").display().to_string();
    let mesh = root.join("arm_files/link0.off").display().to_string();
    for target in [&robot, &mesh] {
        let refused = run(&["place", &robot, "--at", "0,0,1", "--output", target]);
        assert_eq!(refused.code, 1, "{target}");
        let said = "would be overwritten by what is made of it";
        assert!(refused.stderr.contains(said), "{}", refused.stderr);
        assert_eq!(bytes_below(&root), before, "{target}");
    }
}

/// What a killed process left goes a day later; what may be in use, or is of others, stays.
#[test]
fn stale_temporary_files_are_removed_by_the_next_write() {
    use std::time::{Duration, SystemTime};

    let folder = folder("outputs/stale");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_kinworld"))
        .arg("--version")
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let dead = child.id();
    child.wait().unwrap();
    let alive = std::process::id();
    let two_days_ago = SystemTime::now() - Duration::from_secs(48 * 3600);
    let write = |name: String, is_old: bool| {
        let path = folder.join(name);
        std::fs::write(&path, "half").unwrap();
        if is_old {
            let file = std::fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(two_days_ago).unwrap();
        }
        path
    };
    let gone = write(format!(".kinworld-{dead}-0-00000001.part"), true);
    let kept = [
        write(format!(".kinworld-{dead}-1-00000001.part"), false),
        write(format!(".kinworld-{alive}-0-00000001.part"), true),
        write(format!(".kinworld-{dead}-mine.part"), true),
        write("notes.part".to_owned(), true),
    ];
    let output = folder.join("out.obj").display().to_string();
    let ran = run(&["place", "data/objects/crate.obj", "--output", &output]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(!gone.exists());
    for path in kept {
        // whether a process runs is known on Linux alone
        assert!(path.exists() || cfg!(not(target_os = "linux")), "{path:?}");
    }
}
