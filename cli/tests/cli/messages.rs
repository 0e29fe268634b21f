//! Amount and colours of messages, completions and the manual page.

use crate::common::{command, run, scratch};

/// A robot whose meshes are missing: a warning for each.
fn meshless(name: &str, n: usize) -> String {
    let link = |i: usize| {
        format!(
            "<link name='l{i}'><collision><geometry><mesh filename='package://none/m{i}.stl'/>\
             </geometry></collision></link>\n"
        )
    };
    let joint = |i: usize| {
        format!("<joint name='j{i}' type='fixed'><parent link='l0'/><child link='l{i}'/></joint>\n")
    };
    let links: String = (0..n).map(link).collect();
    let joints: String = (1..n).map(joint).collect();
    scratch(
        name,
        &format!("<robot name='r'>\n{links}{joints}</robot>\n"),
    )
}

#[test]
fn warnings_of_a_kind_are_one_message() {
    let robot = meshless("messages/many.urdf", 12);
    let grouped = run(&["info", &robot]);
    assert_eq!(
        grouped.stderr.matches("warning: ").count(),
        1,
        "{}",
        grouped.stderr
    );
    assert!(
        grouped
            .stderr
            .contains("\n  and 11 more of this kind: l1, l2, l3, "),
        "{}",
        grouped.stderr
    );
    assert!(
        grouped.stderr.contains(", … (--verbose lists all)\n"),
        "{}",
        grouped.stderr
    );
    for all in [
        &["info", &*robot, "--verbose"][..],
        &["-v", "info", &robot],
        &["check", &robot],
    ] {
        let all = run(all);
        let n = all.stderr.matches("`package://none/").count();
        assert!(n >= 12, "{}", all.stderr);
        assert!(!all.stderr.contains("of this kind"), "{}", all.stderr);
    }
    let two = run(&["info", &meshless("messages/two.urdf", 2)]);
    assert_eq!(two.stderr.matches("warning: ").count(), 2, "{}", two.stderr);
}

#[test]
fn a_quiet_run_prints_errors_only() {
    let robot = meshless("messages/quiet.urdf", 4);
    for args in [["-q", "info", &robot], ["info", &robot, "--quiet"]] {
        let run = run(&args);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        assert!(run.stdout.contains("robot r"));
    }
    // hints beside answers: limits, joints named as links, goals, what is left out
    let arm = "data/robots/arm6.urdf";
    let beyond = ["--config", "axis2=3", "--link", "axis6"];
    let pose = ["--to-pose", "flange", "0.4,0.1,0.5"];
    for args in [
        [&["fk", arm], &beyond[..]].concat(),
        [&["plan", arm], &pose[..]].concat(),
        vec![
            "simulate",
            arm,
            "data/objects/crate.obj",
            "--duration",
            "0.01",
        ],
    ] {
        let loud = run(&args);
        assert!(!loud.stderr.is_empty(), "{args:?}");
        let quiet = run(&[&args[..], &["--quiet"]].concat());
        assert_eq!((quiet.code, quiet.stderr.as_str()), (0, ""), "{args:?}");
        assert_eq!(quiet.stdout, loud.stdout);
    }
    let wrong = run(&["info", "no/such.urdf", "--quiet"]);
    assert_eq!(wrong.code, 1);
    assert!(wrong.stderr.contains("error: "), "{}", wrong.stderr);
    let strict = run(&["info", &robot, "--quiet", "--strict"]);
    assert_eq!(strict.code, 1);
    assert!(strict.stderr.contains("error: "), "{}", strict.stderr);
}

#[test]
fn colours_are_those_that_are_asked_for() {
    const RED: &str = "\u{1b}[31m";
    let plain = run(&["info", "no/such.urdf"]);
    assert!(
        !plain.stderr.contains('\u{1b}'),
        "not a terminal: {}",
        plain.stderr
    );
    for args in [
        &["--color", "always", "info", "no/such.urdf"][..],
        &["info", "no/such.urdf", "--color=always"],
        // errors of the command line, too
        &["info", "--frobnicate", "--color=always"],
        &["--color", "always", "fly"],
    ] {
        let run = run(args);
        assert!(run.stderr.contains(RED), "{args:?}: {:?}", run.stderr);
    }
    let asked = command(&["info", "no/such.urdf", "--color=always"])
        .env("NO_COLOR", "1")
        .output()
        .expect("it ends");
    assert!(
        String::from_utf8_lossy(&asked.stderr).contains(RED),
        "asked for, in spite of NO_COLOR"
    );
    let forced = |color: &str, variable: &str| {
        let output = command(&["info", "no/such.urdf", "--color", color])
            .env(variable, "1")
            .output()
            .expect("it ends");
        String::from_utf8_lossy(&output.stderr).contains(RED)
    };
    assert!(forced("auto", "CLICOLOR_FORCE"));
    assert!(!forced("never", "CLICOLOR_FORCE"));
    assert!(!forced("auto", "NO_COLOR"));
    assert_eq!(run(&["info", "x.urdf", "--color", "blue"]).code, 2);
    // the message without its colours is the same
    let colored = run(&["info", "no/such.urdf", "--color=always"]).stderr;
    let mut parts = colored.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.split_once('m').expect("the end of a colour").1);
    assert_eq!(rest.fold(first, |text, part| text + part), plain.stderr);
}

#[test]
fn slips_of_commands_and_options_get_a_suggestion() {
    for (args, tip) in [
        (&["distnace", "x.urdf"][..], "'distance'"),
        (&["fk", "x.urdf", "--conifg", "0"], "'--config'"),
        (&["info", "x.urdf", "--bace", "fixed"], "'--base'"),
        (&["completions", "fihs"], "fish"),
    ] {
        let run = run(args);
        assert_eq!(run.code, 2, "{args:?}");
        assert!(run.stderr.contains(tip), "{args:?}: {}", run.stderr);
    }
}

#[test]
fn completions_know_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let run = run(&["completions", shell]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{shell}");
        for word in ["distance", "fixed-joints", "simulate", "kinworld"] {
            assert!(run.stdout.contains(word), "{shell} knows {word}");
        }
    }
}

#[test]
fn the_manual_page_has_every_command() {
    let page = run(&["man"]);
    assert_eq!((page.code, page.stderr.as_str()), (0, ""));
    assert!(page.stdout.contains(".TH kinworld 1"));
    for command in [
        "info",
        "check",
        "fk",
        "plan",
        "simulate",
        "query",
        "completions",
    ] {
        let heading = format!("kinworld {command}").to_uppercase();
        assert!(page.stdout.contains(&heading), "{command}");
    }
    assert!(page.stdout.contains("Exit codes"));
}
