//! First-hour sessions with robots, as transcripts: what a new user types, and what is printed.
//!
//! A transcript is a `.txt` file beside this one. Lines `# …` are remarks; a line `# needs VARIABLE/FOLDER` has the
//! commands run in that folder of what the environment variable names, others run in the folder of this project. After
//! each line `$ kinworld …` comes what the command prints, on both streams as on a terminal, and `[exit N]` unless N is 0.
//! `$ echo '…' | kinworld query …` feeds a line. `$OUT` is an empty folder.
//!
//! Numbers may differ in their last digits. `KINWORLD_UPDATE=1` writes what is printed now into the transcripts.

mod text;
mod transcript;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use transcript::Transcript;

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions");
    let entries = std::fs::read_dir(&folder).expect("the folder of the transcripts");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|suffix| suffix == "txt"));
    files.sort();
    let mut trials: Vec<Trial> = files.into_iter().map(trial).collect();
    trials.push(Trial::test("a_wrong_line_is_seen", || {
        text::a_wrong_line_is_seen();
        Ok(())
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// A test of one transcript, ignored where the environment lacks its robot.
fn trial(path: PathBuf) -> Trial {
    let stem = path.file_stem().expect("a name");
    let name = stem.to_string_lossy().into_owned();
    let text = std::fs::read_to_string(&path).expect("a transcript");
    let transcript = Transcript::parse(&text);
    let missing = transcript.missing();
    let trial = Trial::test(name.clone(), {
        let name = name.clone();
        move || run(&name, &path, &transcript)
    });
    match missing {
        Some(reason) => trial.with_kind(reason).with_ignored_flag(true),
        None => trial,
    }
}

/// Runs a transcript and compares it, or writes it anew.
fn run(name: &str, path: &Path, transcript: &Transcript) -> Result<(), Failed> {
    let now = transcript.played(name);
    if std::env::var_os("KINWORLD_UPDATE").is_some() {
        std::fs::write(path, now.to_string()).expect("the transcript can be written");
        return Ok(());
    }
    match text::difference(&transcript.to_string(), &now.to_string()) {
        Some(difference) => Err(format!(
            "{}: {difference}\nKINWORLD_UPDATE=1 writes what is printed now",
            path.display()
        )
        .into()),
        None => Ok(()),
    }
}
