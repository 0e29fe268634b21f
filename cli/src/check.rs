//! `check`: loads files and reports errors, warnings and facts.

use std::path::Path;

use kinworld::io::Loader;
use kinworld::viewer::Page;
use kinworld::world::Terrain;
use kinworld::{Diagnostic, Error, Loaded, WorldModel};
use serde_json::Value;

use crate::args::{Check, Kind};
use crate::excerpt::Excerpts;
use crate::facts::{self, Facts};
use crate::output::Output;
use crate::placed::Placed;
use crate::report::{self, Report};
use crate::request::Refusal;
use crate::table::{count, printable};
use crate::{Failure, export, load};

/// Checks each file on its own; fails after the last one if any had an error.
pub(crate) fn run(check: Check, output: &mut Output) -> Result<(), Failure> {
    let mut loader = Loader::with_options(check.load.into());
    let mut report = if check.json {
        Report::full()
    } else {
        Report::with_excerpts()
    };
    let mut failed = false;
    let (mut shown, mut said) = (WorldModel::new(), Vec::new());
    let page = export::file(check.page.html.as_ref(), &check.paths).map_err(refused)?;
    for path in &check.paths {
        let file = Placed::of(path).map_err(refused)?;
        let (facts, counts) = match read(&mut loader, &file, check.kind) {
            Ok(Loaded {
                value, diagnostics, ..
            }) => {
                let Checked {
                    facts,
                    lints,
                    world,
                } = value;
                report.diagnostics(&diagnostics);
                report.diagnostics(&lints);
                if page.is_some() {
                    shown.append(world);
                    said.extend(diagnostics.iter().chain(&lints).cloned());
                }
                let counts = Counts {
                    warnings: diagnostics.len(),
                    lints: lints.len(),
                    ..Counts::default()
                };
                (facts, counts)
            }
            Err(error) => {
                report.error(&error);
                if let Error::Load(error) = &error {
                    said.extend(error.warnings.iter().cloned());
                    said.push((*error.diagnostic).clone());
                }
                let counts = Counts {
                    errors: 1,
                    warnings: n_warnings(&error),
                    ..Counts::default()
                };
                (Facts::new(), counts)
            }
        };
        failed |= counts.errors > 0;
        if check.json {
            output.line(&line(facts, &counts))?;
        } else {
            output.text(&summary(path, &facts, &counts))?;
        }
    }
    if let Some(file) = page {
        let title = match check.paths.as_slice() {
            [path] => format!("check of {}", path.display()),
            paths => format!("check of {} files", paths.len()),
        };
        let mut page = Page::new(&shown).with_title(title);
        let mut excerpts = Excerpts::default();
        for item in &said {
            let excerpt = excerpts.of(item).unwrap_or_default();
            page = page.with_excerpt(item, &excerpt);
        }
        let page = match said.is_empty() {
            true => page.with_text("no error and no warning"),
            false => page,
        };
        export::write(&page, &file).map_err(refused)?;
    }
    if failed {
        Err(Failure::Refused)
    } else {
        Ok(())
    }
}

/// A file that could be loaded.
#[derive(Debug)]
struct Checked {
    facts: Facts,
    lints: Vec<Diagnostic>,
    /// What it holds, to be shown.
    world: WorldModel,
}

fn refused(Refusal(problem): Refusal) -> Failure {
    report::refusal(&problem);
    Failure::Refused
}

/// Numbers of diagnostics of a file.
#[derive(Debug, Default)]
struct Counts {
    errors: usize,
    /// Warnings of the loader.
    warnings: usize,
    /// Lints of the loaded content.
    lints: usize,
}

/// Facts and lints of one file, of a given or detected kind.
fn read(loader: &mut Loader, file: &Placed, kind: Option<Kind>) -> Result<Loaded<Checked>, Error> {
    let path = file.path.as_path();
    let pose = file.pose.map(|pose| pose.resolve(false));
    let lints = |world: &WorldModel| {
        let lints = world.lint().into_iter();
        lints.map(|lint| lint.in_file(path)).collect()
    };
    let kind = match kind {
        Some(kind) => kind,
        None => load::kind(path)?,
    };
    if kind == Kind::Mesh {
        let mesh = loader.geometry(path)?;
        let mut world = WorldModel::new();
        let id = world.add_terrain(Terrain::new("mesh", Some(mesh.value.clone())))?;
        if let Some(pose) = &pose {
            world = world.placed(pose)?;
        }
        let moved = world.terrain(id)?.geometry.clone();
        let mesh = mesh.map(|mesh| moved.unwrap_or(mesh));
        return Ok(mesh.map(|mesh| Checked {
            facts: facts::of_mesh(&mesh),
            lints: lints(&world),
            world,
        }));
    }
    if kind == Kind::Configurations {
        if pose.is_some() {
            let problem = "has a pose after `@`, but configurations have none";
            return Err(Error::Load(Diagnostic::error(problem).in_file(path).into()));
        }
        return Ok(loader.configurations(path)?.map(|configs| Checked {
            facts: facts::of_configs(&configs),
            lints: Vec::new(),
            world: WorldModel::new(),
        }));
    }
    let mut world = load::alone(loader, path, kind)?;
    if let Some(pose) = &pose {
        world.value = load::moved(world.value, kind == Kind::RigidObject, pose)?;
    }
    Ok(world.map(|world| Checked {
        facts: facts::of_world(&world, kind),
        lints: lints(&world),
        world,
    }))
}

fn n_warnings(error: &Error) -> usize {
    match error {
        Error::Load(error) => error.warnings.len(),
        _ => 0,
    }
}

/// One line of JSON.
fn line(mut facts: Facts, counts: &Counts) -> String {
    facts.insert("n_errors".to_owned(), counts.errors.into());
    facts.insert("n_warnings".to_owned(), counts.warnings.into());
    if counts.lints > 0 {
        facts.insert("n_lints".to_owned(), counts.lints.into());
    }
    Value::Object(facts).to_string()
}

/// Summary line, then the facts that fit on a line each.
fn summary(path: &Path, facts: &Facts, counts: &Counts) -> String {
    let lints = match counts.lints {
        0 => String::new(),
        n => format!(", {}", count(n, "lint")),
    };
    let mut text = format!(
        "{}: {}, {}{lints}\n",
        printable(&path.display().to_string()),
        count(counts.errors, "error"),
        count(counts.warnings, "warning"),
    );
    for (name, value) in facts {
        if value.is_number() || name == "aabb" {
            text += &format!("  {name:<10}  {value}\n");
        }
    }
    text
}
