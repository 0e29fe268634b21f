//! The library in a WebAssembly module, without files, threads, clock or environment.

use std::path::Path;
use std::process::Command;

use crate::common::files::report;

#[path = "../wasm/src/work.rs"]
mod work;

const TARGET: &str = "wasm32-unknown-unknown";

/// The answers of the module: tip height, colliding pairs at 0 and at 1 rad, waypoints of a plan, sum of many tips.
fn answers() -> kinworld::Result<[f64; 5]> {
    Ok([
        work::tip_height()?,
        work::colliding_pairs(0.0)? as f64,
        work::colliding_pairs(1.0)? as f64,
        work::waypoints()? as f64,
        work::many()?,
    ])
}

#[test]
fn the_work_of_the_module_is_right_on_this_machine() {
    let [height, at_0, at_1, waypoints, many] = answers().unwrap();
    assert!((height - 1.0).abs() < 1e-12, "{height}");
    assert_eq!([at_0, at_1], [1.0, 0.0]);
    assert!(waypoints >= 3.0, "{waypoints}");
    let tip = |k: i32| {
        let (a, b) = (2e-3 * f64::from(k), 2e-3 * f64::from(k) + 1e-3);
        a.sin() + (a + b).sin()
    };
    let expected: f64 = (0..1000).map(tip).sum();
    assert!((many - expected).abs() < 1e-9, "{many} {expected}");
}

#[test]
#[ignore = "builds the library again for wasm32-unknown-unknown: run with --ignored where that target and node are installed"]
fn a_module_in_node_answers_like_this_machine() {
    let output = |command: &mut Command| {
        let output = command
            .output()
            .ok()
            .filter(|output| output.status.success())?;
        Some(String::from_utf8(output.stdout).expect("text"))
    };
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let libraries =
        output(Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]));
    if !libraries.is_some_and(|folder| Path::new(folder.trim()).is_dir()) {
        return report(&format!(
            "wasm: skipped, the target {TARGET} is not installed"
        ));
    }
    if output(Command::new("node").arg("--version")).is_none() {
        return report("wasm: skipped, there is no node");
    }

    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wasm");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wasm");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--release", "--target", TARGET, "--target-dir"])
        .arg(&target)
        .current_dir(&folder)
        .status();
    assert!(
        built.is_ok_and(|status| status.success()),
        "it does not build"
    );
    let module = target.join(TARGET).join("release/kinworld_wasm_test.wasm");
    let said = output(Command::new("node").arg(folder.join("run.mjs")).arg(module));
    let said = said.expect("the module answers");
    let found: Vec<f64> = serde_json::from_str(said.trim()).expect("numbers, and no NaN");
    for (found, expected) in found.iter().zip(answers().unwrap()) {
        assert!((found - expected).abs() < 1e-9, "{said}");
    }
    assert_eq!(found.len(), 5);
}
