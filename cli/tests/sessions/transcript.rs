//! Transcripts: their text, and what their commands print.

use std::fmt;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Commands with what they print, and remarks between them.
#[derive(Debug)]
pub(crate) struct Transcript {
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    /// Remarks and empty lines.
    Remark(String),
    /// Command line, and what it prints.
    Command { line: String, printed: String },
}

impl Transcript {
    pub(crate) fn parse(text: &str) -> Self {
        let mut parts: Vec<Part> = Vec::new();
        for line in text.lines() {
            let remark = || Part::Remark(format!("{line}\n"));
            match (line.strip_prefix("$ "), parts.last_mut()) {
                (Some(command), _) => parts.push(Part::Command {
                    line: command.to_owned(),
                    printed: String::new(),
                }),
                (None, None) => parts.push(remark()),
                (None, Some(Part::Remark(_))) => parts.push(remark()),
                (None, Some(_)) if line.starts_with("# ") => parts.push(remark()),
                (None, Some(Part::Command { printed, .. })) => {
                    printed.push_str(line);
                    printed.push('\n');
                }
            }
        }
        Self { parts }
    }

    /// The folder in which the commands run, from `# needs VARIABLE/FOLDER`, or the variable that is not set.
    fn folder(&self) -> Result<PathBuf, String> {
        let needed = self.parts.iter().find_map(|part| match part {
            Part::Remark(text) => text.strip_prefix("# needs "),
            Part::Command { .. } => None,
        });
        let Some(needed) = needed else {
            return Ok(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
        };
        let (variable, folder) = needed.trim().split_once('/').expect("VARIABLE/FOLDER");
        match std::env::var_os(variable) {
            Some(root) => Ok(Path::new(&root).join(folder)),
            None => Err(format!("{variable} is not set")),
        }
    }

    /// The reason why the transcript cannot be played here.
    pub(crate) fn missing(&self) -> Option<String> {
        self.folder().err()
    }

    /// The transcript with what its commands print now.
    pub(crate) fn played(&self, name: &str) -> Self {
        let folder = self.folder().expect("a folder");
        assert!(folder.is_dir(), "{} is missing", folder.display());
        let out = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("sessions")
            .join(name);
        if out.exists() {
            std::fs::remove_dir_all(&out).expect("the folder of an earlier run");
        }
        std::fs::create_dir_all(&out).expect("a folder to write to");
        let play = |part: &Part| match part {
            Part::Remark(text) => Part::Remark(text.clone()),
            Part::Command { line, .. } => Part::Command {
                line: line.clone(),
                printed: printed(line, &folder, &out),
            },
        };
        Self {
            parts: self.parts.iter().map(play).collect(),
        }
    }
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            match part {
                Part::Remark(text) => f.write_str(text)?,
                Part::Command { line, printed } => write!(f, "$ {line}\n{printed}")?,
            }
        }
        Ok(())
    }
}

/// What a command prints on both streams, in order, and its exit code unless it is 0.
fn printed(line: &str, folder: &Path, out: &Path) -> String {
    let shown = out.display().to_string();
    let words = words(&line.replace("$OUT", &shown));
    let (input, words) = match words.iter().position(|word| word == "|") {
        Some(pipe) => (words[1..pipe].join(" ") + "\n", &words[pipe + 1..]),
        None => (String::new(), &words[..]),
    };
    assert_eq!(words[0], "kinworld", "{line}");
    let path = out.with_extension("printed");
    let both = File::create(&path).expect("a file for both streams");
    let clone = |file: &File| Stdio::from(file.try_clone().expect("a second handle"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_kinworld"))
        .args(&words[1..])
        .current_dir(folder)
        .env_remove("KINWORLD_PACKAGE_PATH")
        .stdin(Stdio::piped())
        .stdout(clone(&both))
        .stderr(clone(&both))
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("it has an input");
    // a run that ends early reads nothing
    stdin.write_all(input.as_bytes()).ok();
    drop(stdin);
    let code = child
        .wait()
        .expect("it ends")
        .code()
        .expect("no signal ended it");
    let mut text = std::fs::read_to_string(&path).expect("what was printed");
    let here = folder
        .canonicalize()
        .expect("the folder")
        .display()
        .to_string();
    text = text
        .replace(&shown, "$OUT")
        .replace(&format!("{here}/"), "")
        .replace(&format!("{}/", folder.display()), "");
    if code != 0 {
        text.push_str(&format!("[exit {code}]\n"));
    }
    text
}

/// Words of a command line; quotes hold words together.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (' ', None) => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}
