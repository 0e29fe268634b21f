//! Running the binary.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// The one line of JSON on standard output.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let line = self.stdout.strip_suffix('\n').expect("a whole line");
        assert!(!line.contains('\n'), "one line, not {line}");
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }
}

/// A run without input.
pub(crate) fn run(args: &[&str]) -> Run {
    feed(args, b"")
}

/// A run that is given bytes on standard input.
pub(crate) fn feed(args: &[&str], input: &[u8]) -> Run {
    let mut child = command(args).spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("it has an input");
    std::thread::scope(|scope| {
        // a run that ends early does not read everything
        scope.spawn(move || stdin.write_all(input).ok());
        let output = child.wait_with_output().expect("it ends");
        let text = |bytes| String::from_utf8(bytes).expect("it prints UTF-8");
        Run {
            code: output.status.code().expect("no signal ended it"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    })
}

/// The answers of `query` to some lines, one for each.
#[track_caller]
pub(crate) fn ask(files: &[&str], lines: &[&str]) -> Vec<Value> {
    let args = [&["query"], files].concat();
    let run = feed(&args, (lines.join("\n") + "\n").as_bytes());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let answers: Vec<Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    assert_eq!(answers.len(), lines.len(), "one answer per line");
    answers
}

/// The binary, in the folder of this project, all of its streams piped.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinworld"));
    command
        .args(args)
        .current_dir(root())
        .env_remove("KINWORLD_PACKAGE_PATH")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A file under `data/`.
pub(crate) fn data(path: &str) -> PathBuf {
    root().join("data").join(path)
}

/// The folder of this project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The path of a file that a test writes for itself.
///
/// Tests that run at the same time may write the same file: it appears as a whole, or not yet.
pub(crate) fn scratch(path: &str, content: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(path);
    let folder = path.parent().expect("a folder");
    std::fs::create_dir_all(folder).expect("a folder to write to");
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let draft = folder.join(format!("draft{}", NEXT.fetch_add(1, Ordering::Relaxed)));
    std::fs::write(&draft, content).expect("a file to write");
    std::fs::rename(&draft, &path).expect("a file in its place");
    path.display().to_string()
}

/// An empty folder of this name that a test writes to.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("the folder of an earlier run");
    }
    std::fs::create_dir_all(&folder).expect("a folder to write to");
    folder
}

/// The bytes of every file below a folder, by path.
pub(crate) fn bytes_below(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            all.extend(bytes_below(&path));
        } else {
            let bytes = std::fs::read(&path).expect("a file");
            all.insert(path, bytes);
        }
    }
    all
}
