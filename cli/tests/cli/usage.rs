//! Exit codes, messages and wrong usage.

use crate::common::{command, feed, run};

const PLANAR: &str = "data/robots/planar3R.rob";

#[test]
fn wrong_usage_exits_2_with_a_hint() {
    let cases: &[&[&str]] = &[
        &[],
        &["fly"],
        &["info"],
        &["query"],
        &["check"],
        &["fk", PLANAR, "--config"],
        &["fk", PLANAR, "--config", "0,zero,0"],
        &["fk", PLANAR, "--config", "0,,0"],
        &["fk", PLANAR, "--config", "nan,0,0"],
        &["fk", PLANAR, "--config", "inf,0,0"],
        &["fk", PLANAR, "--config", "1e999,0,0"],
        &["fk", PLANAR, "--config", "0,0,0", "--config", "0,0,0"],
        &["jacobian", PLANAR, "--point", "0,0"],
        &["jacobian", PLANAR, "--point", "0,0,0,0"],
        &["dynamics", PLANAR, "--gravity", "9.81"],
        &["dynamics", PLANAR, "--dq", "fast"],
        &["dynamics", PLANAR, "--velocity", "0,0,0"],
        &["collide", PLANAR, "--point", "0,0,0"],
        &["query", PLANAR, "--json"],
        &["bench"],
        &["bench", PLANAR, "--config", "0,0,0"],
        &["info", PLANAR, "--config", "0,0,0"],
        &["info", PLANAR, "--base", "flying"],
        &["info", PLANAR, "--fixed-joints", "drop"],
        &["info", PLANAR, "--package", "name"],
        &["info", PLANAR, "--package", "=dir"],
        &["info", PLANAR, "--frobnicate"],
        &["check", PLANAR, "--as", "drone"],
    ];
    for args in cases {
        let run = run(args);
        assert_eq!(run.code, 2, "{args:?}");
        assert_eq!(run.stdout, "", "{args:?}");
        assert!(
            run.stderr.contains("Usage:") || run.stderr.contains("--help"),
            "{args:?}: {}",
            run.stderr
        );
    }
}

#[test]
fn help_and_version_exit_0() {
    for command in [
        "bench", "info", "check", "fk", "ik", "jacobian", "collide", "query",
    ] {
        let run = run(&[command, "--help"]);
        assert_eq!(run.code, 0);
        let takes_json = run.stdout.contains("--json");
        assert_eq!(takes_json, command != "query", "{command}");
        assert!(
            run.stdout.contains("kinworld "),
            "{command} shows an example"
        );
    }
    assert_eq!(run(&["--help"]).code, 0);
    assert_eq!(
        run(&["--version"]).stdout,
        format!("kinworld {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn an_invalid_file_exits_1_with_its_path() {
    for command in [
        "bench", "info", "check", "fk", "jacobian", "collide", "query",
    ] {
        let run = run(&[command, "no/such/arm.urdf"]);
        assert_eq!(run.code, 1, "{command}");
        assert!(
            run.stderr.starts_with("no/such/arm.urdf: error: "),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn an_invalid_request_exits_1_with_the_error_of_the_op() {
    let cases: &[&[&str]] = &[
        &["fk", PLANAR, "--config", "0,0"],
        &["fk", PLANAR, "--robot", "none"],
        &["fk", PLANAR, "--link", "none"],
        &["jacobian", PLANAR, "--link", "3"],
        &["jacobian", PLANAR, "--link", "-1"],
        &["collide", PLANAR, "--robot", "1"],
        &["collide", PLANAR, "--config", ""],
    ];
    for args in cases {
        let plain = run(args);
        assert_eq!(plain.code, 1, "{args:?}");
        assert_eq!(plain.stdout, "", "{args:?}");
        assert!(
            plain.stderr.starts_with("error: "),
            "{args:?}: {}",
            plain.stderr
        );

        let json = run(&[args, &["--json"][..]].concat());
        assert_eq!(json.code, 1, "{args:?}");
        let answer = json.json();
        assert_eq!(answer["ok"], false, "{args:?}");
        let error = answer["error"].as_str().expect("a message");
        assert_eq!(json.stderr, format!("error: {error}\n"), "{args:?}");
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = command(&["query", PLANAR]).spawn().expect("it starts");
    drop(child.stdout.take());
    let input = child.stdin.take().expect("an input");
    let requests = "{\"op\":\"info\"}\n".repeat(9999);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut input = input;
            std::io::Write::write_all(&mut input, requests.as_bytes()).ok();
        });
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    });
}

#[test]
fn answers_are_flushed_line_by_line() {
    use std::io::{BufRead, BufReader, Write};

    let mut child = command(&["query", PLANAR]).spawn().expect("it starts");
    let mut input = child.stdin.take().expect("an input");
    let mut output = BufReader::new(child.stdout.take().expect("an output"));
    for id in 0..3 {
        // the input stays open: an answer that waits for its end would never come
        writeln!(input, "{{\"op\":\"info\",\"id\":{id}}}").expect("it reads");
        let mut line = String::new();
        output.read_line(&mut line).expect("it answers");
        assert!(
            line.starts_with(&format!("{{\"ok\":true,\"id\":{id},")),
            "{line}"
        );
    }
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn empty_input_is_not_an_error() {
    let run = feed(&["query", PLANAR], b"");
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::File::create("/dev/full").expect("a device that is always full");
    let run = command(&["info", PLANAR])
        .stdout(full)
        .output()
        .expect("it ends");
    assert_eq!(run.status.code(), Some(1));
    let message = String::from_utf8_lossy(&run.stderr);
    assert!(
        message.starts_with("error: cannot write to standard output: "),
        "{message}"
    );
}

#[test]
fn an_input_that_cannot_be_read_is_an_error() {
    let folder = std::fs::File::open(env!("CARGO_MANIFEST_DIR")).expect("a folder");
    let run = command(&["query", PLANAR])
        .stdin(folder)
        .output()
        .expect("it ends");
    assert_eq!(run.status.code(), Some(1));
    let message = String::from_utf8_lossy(&run.stderr);
    assert!(
        message.starts_with("error: cannot read standard input: "),
        "{message}"
    );
}

#[test]
fn commands_for_robots_need_one() {
    let crate_file = "data/objects/crate.obj";
    for command in ["fk", "jacobian"] {
        let run = run(&[command, crate_file]);
        assert_eq!(run.code, 1, "{command}");
        assert_eq!(run.stderr, "error: the world has no robot\n");
    }
    assert_eq!(run(&["collide", crate_file]).stdout, "no collisions\n");
    assert_eq!(run(&["collide", crate_file, "--robot", "0"]).code, 1);
}

#[test]
fn collide_lists_the_pairs_of_one_link() {
    let scene = [
        "collide",
        "data/robots/planar3R.rob",
        "data/terrains/table.env",
        "--config",
        "0,3.1,3.1",
    ];
    let with = |more: &[&str]| run(&[&scene[..], more].concat());
    assert!(
        with(&["--link", "link2"])
            .stdout
            .contains("planar3R[link0]")
    );
    assert!(
        with(&["--link", "link1"])
            .stdout
            .ends_with("no collisions with planar3R[link1]\n")
    );
    let pairs = |more: &[&str]| {
        let answer = with(&[more, &["--json"]].concat()).json();
        answer["pairs"].as_array().expect("pairs").len()
    };
    assert_eq!(pairs(&["--link", "link1"]), 0);
    assert!(pairs(&["--link", "link2"]) > 0);
    assert_eq!(with(&["--link", "elbow"]).code, 1);
}
