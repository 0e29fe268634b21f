//! Faults while files are written: a full device, a folder in the way, a kill. The old file survives, and nothing is left over.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use crate::common::{bytes_below, command, data, folder, run};

/// A body on a vertical slide.
const STONE: &str = r#"<robot name="stone">
  <link name="world"/>
  <link name="stone"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="z" type="prismatic"><parent link="world"/><child link="stone"/><axis xyz="0 0 1"/>
    <limit lower="-9" upper="9" velocity="1" effort="1"/></joint>
</robot>"#;

/// Every command that writes a file: its arguments, and the file.
fn writers(root: &Path) -> Vec<(Vec<String>, PathBuf)> {
    let stone = root.join("in/stone.urdf");
    std::fs::create_dir_all(root.join("in")).unwrap();
    std::fs::create_dir_all(root.join("out")).unwrap();
    std::fs::write(&stone, STONE).unwrap();
    let arm = data("robots/arm6.urdf").display().to_string();
    let stone = stone.display().to_string();
    let words = |line: &str| -> Vec<String> {
        let words = line.split_whitespace();
        words
            .map(|word| match word {
                "ARM" => arm.clone(),
                "STONE" => stone.clone(),
                "OUT/run.csv" => root.join("out/run.csv").display().to_string(),
                word => word.to_owned(),
            })
            .collect()
    };
    [
        ("convert ARM", "arm.xml"),
        ("convert ARM", "arm.rob"),
        ("convert ARM", "arm.ply"),
        (
            "simulate STONE --duration 2 --period 0.001 --output",
            "run.csv",
        ),
        (
            "simulate STONE --duration 2 --period 0.001 --output",
            "run.json",
        ),
        (
            "simulate STONE --duration 2 --period 0.01 --plot",
            "run.svg",
        ),
        (
            "simulate STONE --duration 2 --output OUT/run.csv --plot",
            "run.svg",
        ),
        ("plan STONE --to 0.5 --output", "way.csv"),
        ("plan STONE --to 0.5 --output", "way.path"),
        ("plan STONE --to 0.5 --output", "way.json"),
        ("acm ARM --samples 200 --output", "arm.srdf"),
        ("spherize ARM --spheres 4 --output", "balls.json"),
        ("spherize ARM --spheres 4 --output", "balls.urdf"),
    ]
    .map(|(line, file)| {
        let file = root.join("out").join(file);
        let mut args = words(line);
        args.push(file.display().to_string());
        (args, file)
    })
    .to_vec()
}

/// An old file of another content; an SRDF is completed, and must be one.
fn old(file: &Path) -> &'static str {
    match file.extension().is_some_and(|suffix| suffix == "srdf") {
        true => "<robot name=\"arm6\"/>\n",
        false => "old\n",
    }
}

/// A run that may write files of so many blocks of 512 bytes.
fn limited(args: &[String], blocks: usize) -> Output {
    Command::new("sh")
        .args([
            "-c",
            &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\""),
            "sh",
        ])
        .arg(env!("CARGO_BIN_EXE_kinworld"))
        .args(args)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[test]
fn a_full_device_leaves_the_old_file_and_nothing_else() {
    let root = folder("full_device");
    for (args, file) in writers(&root) {
        for has_old in [true, false] {
            let name = format!("{args:?} {has_old}");
            std::fs::remove_dir_all(root.join("out")).unwrap();
            std::fs::create_dir(root.join("out")).unwrap();
            if has_old {
                std::fs::write(&file, old(&file)).unwrap();
            }
            let before = bytes_below(&root.join("out"));
            let output = limited(&args, 0);
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{name}: {said}");
            assert!(
                said.contains("cannot be written: file too large"),
                "{name}: {said}"
            );
            assert_eq!(
                said.contains("the old file is unchanged"),
                has_old,
                "{said}"
            );
            assert_eq!(bytes_below(&root.join("out")), before, "{name}");
            let left = std::fs::read_dir(root.join("out")).unwrap().count();
            assert_eq!(left, usize::from(has_old), "{name}: no folder is left");
        }
    }
}

#[test]
fn every_writer_replaces_an_old_file_and_keeps_its_mode_and_link() {
    let root = folder("kept_mode");
    for (args, file) in writers(&root) {
        let real = file.with_file_name("real");
        std::fs::write(&real, old(&file)).unwrap();
        std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o604)).unwrap();
        let _ = std::fs::remove_file(&file);
        std::os::unix::fs::symlink("real", &file).unwrap();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = run(&args);
        assert_eq!(output.code, 0, "{args:?}: {}", output.stderr);
        assert!(file.symlink_metadata().unwrap().is_symlink(), "{args:?}");
        assert_ne!(
            std::fs::read(&real).unwrap(),
            old(&file).as_bytes(),
            "{args:?}"
        );
        let mode = real.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o604, "{args:?}");
    }
}

#[test]
fn a_folder_in_the_way_and_one_that_is_missing_are_refused() {
    let root = folder("in_the_way");
    for (args, file) in writers(&root) {
        std::fs::create_dir_all(file.join("kept")).unwrap();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = run(&args);
        assert_eq!(output.code, 1, "{args:?}");
        assert!(
            output.stderr.contains("is a folder, not a file"),
            "{}",
            output.stderr
        );
        assert!(file.join("kept").is_dir());
        std::fs::remove_dir_all(&file).unwrap();
    }
    assert!(
        std::fs::read_dir(root.join("out"))
            .unwrap()
            .next()
            .is_none()
    );
    for (mut args, file) in writers(&root) {
        let nowhere = root.join("nowhere");
        args.pop();
        args.push(
            nowhere
                .join(file.file_name().unwrap())
                .display()
                .to_string(),
        );
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = run(&args);
        assert_eq!(output.code, 1, "{args:?}");
        assert!(
            output.stderr.contains("cannot be written: no folder `"),
            "{}",
            output.stderr
        );
        assert!(!nowhere.exists(), "{args:?}");
    }
}

#[test]
fn a_folder_that_may_not_be_written_is_left_as_it_is() {
    let root = folder("read_only");
    let all = writers(&root);
    for (_, file) in &all {
        std::fs::write(file, old(file)).unwrap();
    }
    let out = root.join("out");
    let before = bytes_below(&out);
    std::fs::set_permissions(&out, std::fs::Permissions::from_mode(0o555)).unwrap();
    // modes do not bind an administrator
    let is_bound = std::fs::write(out.join("probe"), "").is_err();
    if is_bound {
        for (args, _) in &all {
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let output = run(&args);
            assert_eq!(output.code, 1, "{args:?}");
            assert!(
                output.stderr.contains("permission denied"),
                "{}",
                output.stderr
            );
        }
    }
    std::fs::set_permissions(&out, std::fs::Permissions::from_mode(0o755)).unwrap();
    let _ = std::fs::remove_file(out.join("probe"));
    assert_eq!(bytes_below(&out), before);
}

/// What a reader finds: the document, and the files that it names, whichever of its folders they are in.
fn found(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let text = std::fs::read_to_string(root.join("arm.rob")).unwrap();
    let folders = [
        "arm_files",
        "arm_rob_files",
        "arm_rob_files_2",
        "arm_rob_files_3",
    ];
    let named = folders.map(|folder| format!("{folder}/"));
    let mut named = named.iter().filter(|folder| text.contains(*folder));
    let folder = named.next().unwrap();
    assert_eq!(named.next(), None, "{text}");
    let text = text.replace(folder, "FILES/");
    let files = bytes_below(&root.join(folder)).into_iter();
    let files = files.filter_map(|(path, bytes)| {
        let name = path.file_name()?;
        (name != ".kinworld.json").then(|| (Path::new("FILES").join(name), bytes))
    });
    let document = (PathBuf::from("arm.rob"), text.into_bytes());
    files.chain([document]).collect()
}

#[test]
fn a_kill_leaves_the_old_output_or_the_new_one() {
    let root = folder("killed");
    let target = root.join("arm.rob").display().to_string();
    let states = ["robots/arm6.urdf", "robots/gripper.urdf"].map(|robot| {
        let source = data(robot).display().to_string();
        let output = run(&["convert", &source, &target]);
        assert_eq!(output.code, 0, "{}", output.stderr);
        (source, found(&root))
    });
    let valid = |now: &BTreeMap<PathBuf, Vec<u8>>| states.iter().any(|(_, state)| state == now);
    let start = Instant::now();
    run(&["convert", &states[1].0, &target]);
    let whole = start.elapsed();
    for k in 0..12_u32 {
        let (source, _) = &states[(k % 2) as usize];
        let mut child = command(&["convert", source, &target]).spawn().unwrap();
        std::thread::sleep(whole * k / 10);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(valid(&found(&root)), "kill {k}: {:?}", found(&root).keys());
    }
    // the next saves work, and the folders of old versions go (parts of what was killed do when they are old)
    for (source, state) in &states {
        let output = run(&["convert", source, &target]);
        assert_eq!(output.code, 0, "{}", output.stderr);
        assert_eq!(&found(&root), state);
    }
    let folders = bytes_below(&root).into_keys();
    let folders = folders.filter_map(|path| Some(path.parent()?.to_owned()));
    let is_part = |path: &PathBuf| path.extension().is_some_and(|suffix| suffix == "part");
    let mut all: Vec<PathBuf> = folders
        .filter(|path| path != &root && !is_part(path))
        .collect();
    all.dedup();
    assert_eq!(all.len(), 1, "{all:?}");
    // a kill between the folder and the document leaves a folder that nothing names
    let other = ["arm_files", "arm_rob_files"].map(|name| root.join(name));
    let other = other.iter().find(|path| !path.exists()).unwrap();
    copy(&all[0], other);
    let output = run(&["convert", &states[0].0, &target]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert_eq!(found(&root), states[0].1);
    assert!(root.join("arm_rob_files_2").exists());
    assert!(!all[0].exists() && !other.exists());

    let stone = root.join("stone.urdf");
    std::fs::write(&stone, STONE).unwrap();
    let (stone, table) = (stone.display().to_string(), root.join("run.csv"));
    let args = ["simulate", &stone, "--period", "0", "--output"];
    let args = [&args[..], &[table.to_str().unwrap()]].concat();
    let start = Instant::now();
    assert_eq!(run(&args).code, 0);
    let lasts = start.elapsed();
    let whole = std::fs::read(&table).unwrap();
    for k in 0..12_u32 {
        std::fs::write(&table, "old\n").unwrap();
        let mut child = command(&args).spawn().unwrap();
        std::thread::sleep(lasts * k / 10);
        child.kill().unwrap();
        child.wait().unwrap();
        let now = std::fs::read(&table).unwrap();
        assert!(now == b"old\n" || now == whole, "kill {k}");
    }
}

#[test]
fn no_command_changes_the_files_that_it_reads() {
    let root = folder("unchanged");
    copy(&data(""), &root.join("data"));
    let out = root.join("out");
    std::fs::create_dir(&out).unwrap();
    let before = bytes_below(&root.join("data"));
    let files: Vec<&PathBuf> = before
        .keys()
        .filter(|path| {
            let suffix = path.extension().unwrap_or_default().to_string_lossy();
            let is_model = ["rob", "urdf", "obj", "env", "xml", "xacro"].contains(&&*suffix);
            is_model && !path.to_string_lossy().contains("malformed")
        })
        .collect();
    assert!(files.len() > 20, "{files:?}");
    for (i, path) in files.iter().enumerate() {
        let path = path.display().to_string();
        let beside = |suffix: &str| path.rsplit_once('.').unwrap().0.to_owned() + suffix;
        let to = |suffix: &str| out.join(format!("{i}{suffix}")).display().to_string();
        let q = "--samples";
        for args in [
            vec!["info", &path],
            vec!["check", &path],
            vec!["collide", &path],
            vec!["fk", &path],
            vec!["xacro", &path],
            vec!["convert", &path, &to(".xml")],
            vec!["convert", &path, &to(".ply")],
            vec!["convert", &path, &beside("_2.xml")],
            vec!["convert", &path, &beside("_2.rob")],
            vec!["convert", &path, &path],
            vec![
                "simulate",
                &path,
                "--duration",
                "0.002",
                "--output",
                &to(".csv"),
            ],
            vec!["simulate", &path, "--duration", "0.002", "--output", &path],
            vec!["simulate", &path, "--duration", "0.002", "--plot", &path],
            vec!["spherize", &path, "--spheres", "1", "--output", &path],
            vec!["acm", &path, q, "20", "--output", &to(".srdf")],
        ] {
            run(&args);
        }
    }
    let after = bytes_below(&root.join("data"));
    for (path, bytes) in before {
        assert!(
            after.get(&path) == Some(&bytes),
            "{} has changed",
            path.display()
        );
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
