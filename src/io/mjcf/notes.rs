//! Errors and warnings about elements, in whichever file of the model they are.

use std::collections::BTreeMap;
use std::path::Path;

use super::document::{Files, Place};
use crate::Diagnostic;
use crate::io::report::{FileReport, Report};

/// Sink for the diagnostics of one model.
#[derive(Debug)]
pub(super) struct Notes<'r> {
    pub(super) files: Files,
    report: &'r Report,
    /// Parts that are left out: the first place of each kind, and their number.
    left_out: BTreeMap<String, (Place, usize)>,
}

impl<'r> Notes<'r> {
    pub(super) fn new(report: &'r Report) -> Self {
        Self {
            files: Files::default(),
            report,
            left_out: BTreeMap::new(),
        }
    }

    /// The path of a file.
    pub(super) fn path(&self, file: usize) -> &Path {
        self.files.paths.get(file).map_or(Path::new(""), |p| p)
    }

    /// The sink for one file.
    pub(super) fn of_file(&self, file: usize) -> FileReport<'_> {
        self.report.of_file(self.path(file))
    }

    /// An error about a subject, such as ``joint `elbow` ``.
    pub(super) fn error(
        &self,
        place: Place,
        subject: &str,
        problem: impl AsRef<str>,
    ) -> Diagnostic {
        self.of_file(place.file)
            .error(place.position, subject, problem)
    }

    /// Adds a warning about a subject.
    pub(super) fn warn(&self, place: Place, subject: &str, problem: impl AsRef<str>) {
        self.of_file(place.file)
            .warn(place.position, subject, problem);
    }

    /// Counts a part that is left out; each kind is reported once.
    pub(super) fn leave_out(&mut self, what: impl Into<String>, place: Place) {
        self.left_out.entry(what.into()).or_insert((place, 0)).1 += 1;
    }

    /// Reports what was left out, in the order of the first places.
    pub(super) fn report_left_out(&mut self) {
        let mut kinds: Vec<_> = std::mem::take(&mut self.left_out).into_iter().collect();
        kinds.sort_by_key(|(_, (place, _))| (place.file, place.position));
        for (what, (place, count)) in kinds {
            let often = match count {
                1 => String::new(),
                count => format!(" ({count} times)"),
            };
            self.warn(place, "model", format!("{what}{often}"));
        }
    }
}
