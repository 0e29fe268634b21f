//! Xacro: XML with properties, macros, conditions and includes, expanded to plain XML.
//!
//! Properties are evaluated when they are needed, macros see the names of their caller, and numbers are written as
//! Python writes them: the rules of ROS's `xacro`. Expressions are a part of Python (arithmetic, comparison, lists,
//! maps, `math`, functions of texts) without side effects; files are found as meshes are, by path and by package.
//!
//! [`Expanded`] keeps the origin of each line, so that a diagnostic about the result names its source.

mod define;
mod evaluate;
mod expand;
mod expression;
mod functions;
mod macros;
mod operators;
mod part;
mod scope;
mod token;
mod value;
mod write;
mod yaml;

use std::path::{Path, PathBuf};

use self::expand::Call;
use self::write::Origin;
use super::context::Context;
use crate::Diagnostic;

/// Plain XML, and the origin of each of its lines.
#[derive(Debug)]
pub(super) struct Expanded {
    pub(super) text: String,
    origins: Vec<Origin>,
    files: Vec<PathBuf>,
    calls: Vec<Call>,
}

/// Expands the text of a file.
pub(super) fn expand(
    context: &mut Context<'_>,
    path: &Path,
    text: &str,
) -> Result<Expanded, Diagnostic> {
    expand::expand(context, path, text)
}

/// True if a file is to be expanded: by its suffix, or because it contains `<xacro:`.
pub(super) fn is_xacro(path: &Path, text: &str) -> bool {
    super::suffix(path) == "xacro" || text.contains("<xacro:")
}

impl Expanded {
    /// A diagnostic about the result as one about its origin.
    pub(super) fn at_origin(&self, diagnostic: Diagnostic) -> Diagnostic {
        let line = diagnostic
            .line
            .and_then(|line| (line as usize).checked_sub(1));
        let Some(origin) = line.and_then(|line| self.origins.get(line)) else {
            return diagnostic;
        };
        let Some(path) = self.files.get(origin.file) else {
            return diagnostic;
        };
        let help = trace(&self.calls, &self.files, origin.call);
        let help = match (diagnostic.help.clone(), help) {
            (Some(advice), Some(trace)) => Some(format!("{advice}; {trace}")),
            (advice, trace) => advice.or(trace),
        };
        let diagnostic = diagnostic.at(path, origin.position.line, origin.position.column);
        Diagnostic { help, ..diagnostic }
    }
}

/// The macros that led to a call, innermost first.
fn trace(calls: &[Call], files: &[PathBuf], call: Option<usize>) -> Option<String> {
    const SHOWN: usize = 4;
    let next = |i: usize| calls.get(i);
    let chain = std::iter::successors(call.and_then(next), |call| call.outer.and_then(next));
    let mut parts: Vec<String> = chain
        .take(SHOWN + 1)
        .map(|call| {
            let path = files.get(call.file).map_or(Path::new(""), PathBuf::as_path);
            let (line, column) = (call.position.line, call.position.column);
            format!(
                "macro `{}` called at {}:{line}:{column}",
                call.name,
                path.display()
            )
        })
        .collect();
    if parts.len() > SHOWN {
        parts.truncate(SHOWN);
        parts.push("…".to_owned());
    }
    (!parts.is_empty()).then(|| format!("in {}", parts.join(", in ")))
}
