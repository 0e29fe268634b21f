//! The library in a WebAssembly module that Node runs.

use std::path::Path;
use std::process::Command;

use crate::common::files::root;

#[path = "../it/wasm.rs"]
mod native;

const TARGET: &str = "wasm32-unknown-unknown";

/// Why the module cannot be built and run here, if it cannot.
pub(crate) fn missing() -> Option<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let libraries =
        output(Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]));
    if !libraries.is_some_and(|folder| Path::new(folder.trim()).is_dir()) {
        return Some(format!("the target {TARGET} is not installed"));
    }
    let node = output(Command::new("node").arg("--version"));
    node.is_none().then(|| "node is not installed".to_owned())
}

pub(crate) fn a_module_in_node_answers_like_this_machine() {
    let folder = root().join("tests/wasm");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wasm");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--locked", "--target", TARGET, "--target-dir"])
        .arg(&target)
        .current_dir(&folder)
        .status();
    assert!(
        built.is_ok_and(|status| status.success()),
        "it does not build"
    );
    let module = target.join(TARGET).join("debug/kinworld_wasm_test.wasm");
    let said = output(Command::new("node").arg(folder.join("run.mjs")).arg(module));
    let said = said.expect("the module answers");
    let found: Vec<f64> = serde_json::from_str(said.trim()).expect("numbers, and no NaN");
    let expected = native::answers().unwrap();
    assert_eq!(found.len(), expected.len(), "{said}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-9, "{said} {expected}");
    }
}

/// What a command prints, if it succeeds.
fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    let is_done = output.status.success();
    is_done.then(|| String::from_utf8(output.stdout).expect("text"))
}
