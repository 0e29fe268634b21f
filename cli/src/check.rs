//! `check`: load a file, say what is wrong with it, and tell facts about it.

use std::path::Path;

use kinworld::io::Loader;
use kinworld::{Error, Loaded};
use serde_json::Value;

use crate::args::{Check, Kind};
use crate::facts::{self, Facts};
use crate::output::Output;
use crate::report::Report;
use crate::table::{count, printable};
use crate::{Failure, load};

/// Checks each file on its own; fails after the last one if any was refused.
pub(crate) fn run(check: Check, output: &mut Output) -> Result<(), Failure> {
    let mut loader = Loader::with_options(check.load.into());
    let mut report = if check.json {
        Report::short()
    } else {
        Report::with_excerpts()
    };
    let mut refused = false;
    for path in &check.paths {
        let (facts, n_errors, n_warnings) = match read(&mut loader, path, check.kind) {
            Ok(Loaded { value, diagnostics }) => {
                report.diagnostics(&diagnostics);
                (value, 0, diagnostics.len())
            }
            Err(error) => {
                report.error(&error);
                (Facts::new(), 1, n_warnings(&error))
            }
        };
        refused |= n_errors > 0;
        if check.json {
            output.line(&line(facts, n_errors, n_warnings))?;
        } else {
            output.text(&summary(path, &facts, n_errors, n_warnings))?;
        }
    }
    if refused {
        Err(Failure::Refused)
    } else {
        Ok(())
    }
}

/// The facts about one file, taken for a kind or for what its content says.
fn read(loader: &mut Loader, path: &Path, kind: Option<Kind>) -> Result<Loaded<Facts>, Error> {
    let kind = match kind {
        Some(kind) => kind,
        None => load::kind(path)?,
    };
    if kind == Kind::Mesh {
        return Ok(loader.geometry(path)?.map(|mesh| facts::of_mesh(&mesh)));
    }
    if kind == Kind::Configurations {
        return Ok(loader
            .configurations(path)?
            .map(|configs| facts::of_configs(&configs)));
    }
    let world = load::alone(loader, path, kind)?;
    Ok(world.map(|world| facts::of_world(&world, kind)))
}

fn n_warnings(error: &Error) -> usize {
    match error {
        Error::Load(error) => error.warnings.len(),
        _ => 0,
    }
}

/// One line of JSON.
fn line(mut facts: Facts, n_errors: usize, n_warnings: usize) -> String {
    facts.insert("n_errors".to_owned(), n_errors.into());
    facts.insert("n_warnings".to_owned(), n_warnings.into());
    Value::Object(facts).to_string()
}

/// One line on how it went, then the facts that fit on a line each.
fn summary(path: &Path, facts: &Facts, n_errors: usize, n_warnings: usize) -> String {
    let mut text = format!(
        "{}: {}, {}\n",
        printable(&path.display().to_string()),
        count(n_errors, "error"),
        count(n_warnings, "warning"),
    );
    for (name, value) in facts {
        if value.is_number() || name == "aabb" {
            text += &format!("  {name:<10}  {value}\n");
        }
    }
    text
}
