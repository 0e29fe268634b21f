//! Collision geometry that is missing: what answers and refusals say of it.

use kinworld::{EntityId, Error, MissingGeometry, Robot, WorldModel};
use serde_json::{Map, Value};

/// Names of elements without the geometry that they should have.
pub(crate) fn names(world: &WorldModel, missing: &[(EntityId, MissingGeometry)]) -> Vec<String> {
    let names = missing.iter().map(|(entity, _)| world.name(*entity));
    names.filter_map(Result::ok).collect()
}

/// Names of the links of a robot without the geometry that they should have.
pub(crate) fn links(robot: &Robot) -> Vec<String> {
    let missing = robot.missing_geometry();
    let names = missing.iter().map(|&(id, _)| robot.link(id).name());
    names.map(str::to_owned).collect()
}

/// Adds the names to an answer, as `missing_geometry`; nothing where none is missing.
pub(crate) fn add(answer: &mut Map<String, Value>, names: &[String]) {
    if !names.is_empty() {
        answer.insert("missing_geometry".to_owned(), names.into());
    }
}

/// The answer with the names.
pub(crate) fn with(mut answer: Value, names: &[String]) -> Value {
    if let Value::Object(fields) = &mut answer {
        add(fields, names);
    }
    answer
}

/// A line of text with the names; empty where none is missing.
pub(crate) fn line(names: &[String]) -> String {
    /// Names in a line, at most.
    const SHOWN: usize = 8;
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match names {
        [] => String::new(),
        names => {
            let shown = names[..names.len().min(SHOWN)].join(", ");
            format!("missing geometry, taken as free: {shown}{more}\n")
        }
    }
}

/// The message of an error, with the options of the command line for geometry that is missing.
pub(crate) fn message(error: &Error) -> String {
    let Error::MissingGeometry { elements, problem } = error else {
        return error.to_string();
    };
    let has = |reasons: &[MissingGeometry]| elements.iter().any(|(_, why)| reasons.contains(why));
    let mut advice = Vec::new();
    if has(&[MissingGeometry::NotLoaded]) {
        advice.push("leave out `--no-meshes`");
    }
    if has(&[MissingGeometry::LeftOut]) {
        advice.push("give `--package NAME=DIR` for the files that the warnings name");
    }
    if has(&[MissingGeometry::VisualOnly, MissingGeometry::LeftOut]) {
        advice.push("take visual geometry with `--use-visual`");
    }
    if has(&[MissingGeometry::NoShapes, MissingGeometry::Empty]) {
        advice.push("add collision geometry to the file");
    }
    advice.push("answer as if nothing were there with `--allow-missing-geometry`");
    format!("{problem}; {}", advice.join(", or "))
}
