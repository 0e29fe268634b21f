//! Texts that are not shown: those of files that another file names, and that are no part of a model by their suffix.

use std::path::Path;

use crate::{Diagnostic, LoadError};

/// Suffixes of the files of models, whose words messages may quote. A `.config` is Klampt's or anyone's.
const SHOWN: [&str; 25] = [
    "bt", "coff", "configs", "dae", "env", "geom", "gltf", "ikgoal", "json", "mtl", "obj", "off",
    "pcd", "ply", "rob", "sdf", "srdf", "stl", "tri", "urdf", "world", "xacro", "xml", "yaml",
    "yml",
];

/// What is said instead of a message about a part of such a file.
const MESSAGE: &str = "is not what the file that names it expects";
const HELP: &str = "the text is not shown, because another file names this one and its suffix is not that of a model";

/// True if words of a file that another file names may be shown.
pub(crate) fn is_shown(path: &Path) -> bool {
    SHOWN.contains(&super::suffix(path).as_str())
}

/// The diagnostic, without words of a file that is not to be shown. `named` are the files that the caller named.
pub(crate) fn hidden(diagnostic: Diagnostic, named: &[&Path]) -> Diagnostic {
    let is_hidden = diagnostic.line.is_some()
        && diagnostic
            .path
            .as_deref()
            .is_some_and(|path| !named.contains(&path) && !is_shown(path));
    if !is_hidden {
        return diagnostic;
    }
    Diagnostic {
        message: MESSAGE.to_owned(),
        help: Some(HELP.to_owned()),
        element: None,
        is_hidden: true,
        ..diagnostic
    }
}

/// The same for an error and its warnings.
pub(crate) fn hidden_error(error: LoadError, named: &[&Path]) -> LoadError {
    let warnings = error.warnings.into_iter();
    LoadError {
        warnings: warnings.map(|warning| hidden(warning, named)).collect(),
        diagnostic: Box::new(hidden(*error.diagnostic, named)),
    }
}
