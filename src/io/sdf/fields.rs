//! Readers of the numbers and words of SDF, which are texts of elements.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::document::{Located, Name, Place, Version};
use crate::Diagnostic;
use crate::io::fields::shortened;
use crate::io::report::Report;
use crate::io::source::FilePath;
use crate::io::xml::Element;
use crate::math::{Rotation, Vector, so3};

/// The files of one call, and what is said about them.
#[derive(Debug)]
pub(super) struct Notes<'r> {
    pub(super) report: &'r Report,
    pub(super) files: RefCell<Vec<FilePath>>,
    /// What is left out: the first place of each kind, and their number.
    left_out: RefCell<BTreeMap<String, (Place, usize)>>,
}

impl<'r> Notes<'r> {
    pub(super) fn new(report: &'r Report) -> Self {
        Self {
            report,
            files: RefCell::default(),
            left_out: RefCell::default(),
        }
    }

    /// The path of a file.
    pub(super) fn path(&self, file: usize) -> FilePath {
        let files = self.files.borrow();
        files
            .get(file)
            .expect("places are in files that were read")
            .clone()
    }

    /// An error about a subject, such as ``link `elbow` ``.
    pub(super) fn error(
        &self,
        place: Place,
        subject: &str,
        problem: impl AsRef<str>,
    ) -> Diagnostic {
        let path = self.path(place.file);
        let file = self.report.of_file(&path);
        file.error(place.position, subject, problem)
    }

    pub(super) fn warn(&self, place: Place, subject: &str, problem: impl AsRef<str>) {
        let path = self.path(place.file);
        let file = self.report.of_file(&path);
        file.warn(place.position, subject, problem);
    }

    /// Notes something that is left out; each kind is reported once.
    pub(super) fn leave_out(&self, what: impl Into<String>, place: Place) {
        let mut left_out = self.left_out.borrow_mut();
        left_out.entry(what.into()).or_insert((place, 0)).1 += 1;
    }

    /// One warning for each kind of thing that was left out.
    pub(super) fn report_left_out(&self) {
        for (what, (place, count)) in std::mem::take(&mut *self.left_out.borrow_mut()) {
            let often = match count {
                1 => String::new(),
                count => format!(" ({count} times)"),
            };
            self.warn(place, "sdf", format!("{what}{often}"));
        }
    }
}

/// Reads the children of elements of one file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields<'a, 'r> {
    pub(super) notes: &'a Notes<'r>,
    pub(super) file: usize,
    pub(super) version: Version,
}

impl<'a> Fields<'a, '_> {
    pub(super) fn place(&self, element: &Element) -> Place {
        Place {
            file: self.file,
            position: element.position,
        }
    }

    pub(super) fn error(
        &self,
        element: &Element,
        subject: &str,
        problem: impl AsRef<str>,
    ) -> Diagnostic {
        self.notes.error(self.place(element), subject, problem)
    }

    /// The first child of a name.
    pub(super) fn child<'e>(&self, element: &'e Element, name: &str) -> Option<&'e Element> {
        element.children.iter().find(|child| child.name == name)
    }

    /// The text of a child; `None` without it and where it is empty.
    pub(super) fn text(&self, element: &Element, name: &str) -> Option<Name> {
        let child = self.child(element, name)?;
        let text = child.text.trim();
        (!text.is_empty()).then(|| Name {
            text: text.to_owned(),
            place: self.place(child),
        })
    }

    /// An attribute that is not empty.
    pub(super) fn attribute(&self, element: &Element, name: &str) -> Option<Name> {
        let attribute = element.attribute(name)?;
        let text = attribute.value.trim();
        (!text.is_empty()).then(|| Name {
            text: text.to_owned(),
            place: Place {
                file: self.file,
                position: attribute.position,
            },
        })
    }

    /// The mandatory name of an element.
    pub(super) fn name(&self, element: &Element) -> Result<Name, Diagnostic> {
        let what = element.name.as_str();
        let name = self.attribute(element, "name").ok_or_else(|| {
            self.error(
                element,
                what,
                format!("<{what}> needs the attribute `name`"),
            )
        })?;
        let is_reserved = name.text == "world" || name.text.starts_with("__");
        if is_reserved || name.text.contains("::") {
            let subject = format!("{what} `{}`", name.text);
            let problem = "`world`, names that begin with `__` and names with `::` are reserved";
            // before 1.7 they were not
            if self.version >= Version(1, 7) {
                return Err(self.notes.error(name.place, &subject, problem));
            }
            self.notes.warn(name.place, &subject, problem);
        }
        Ok(name)
    }

    /// The numbers in the text of an element.
    pub(super) fn list(&self, element: &Element, subject: &str) -> Result<Vec<f64>, Diagnostic> {
        let words = element.text.split_whitespace();
        let read = |word: &str| {
            let number: Option<f64> = word.parse().ok();
            number.filter(|number| !number.is_nan()).ok_or_else(|| {
                let problem = format!("<{}>: `{}` is not a number", element.name, shortened(word));
                self.error(element, subject, problem)
            })
        };
        words.map(read).collect()
    }

    /// `N` finite numbers in the text of a child.
    pub(super) fn numbers<const N: usize>(
        &self,
        element: &Element,
        name: &str,
        subject: &str,
    ) -> Result<Option<[f64; N]>, Diagnostic> {
        let Some(child) = self.child(element, name) else {
            return Ok(None);
        };
        let numbers = self.list(child, subject)?;
        let found = numbers.len();
        let array = <[f64; N]>::try_from(numbers).map_err(|_| {
            let plural = if N == 1 { "" } else { "s" };
            let problem = format!("<{name}> needs {N} number{plural}, got {found}");
            self.error(child, subject, problem)
        })?;
        if array.iter().any(|number| !number.is_finite()) {
            return Err(self.error(child, subject, format!("<{name}> must be finite")));
        }
        Ok(Some(array))
    }

    pub(super) fn number(
        &self,
        element: &Element,
        name: &str,
        subject: &str,
    ) -> Result<Option<f64>, Diagnostic> {
        Ok(self
            .numbers::<1>(element, name, subject)?
            .map(|[number]| number))
    }

    /// A number that may be infinite; from 1e16 on it is, as in the format's own defaults.
    pub(super) fn bound(
        &self,
        element: &Element,
        name: &str,
        subject: &str,
    ) -> Result<Option<f64>, Diagnostic> {
        let Some(child) = self.child(element, name) else {
            return Ok(None);
        };
        match self.list(child, subject)?.as_slice() {
            &[number] if number.abs() >= 1e16 => Ok(Some(f64::INFINITY.copysign(number))),
            &[number] => Ok(Some(number)),
            found => {
                let problem = format!("<{name}> needs 1 number, got {}", found.len());
                Err(self.error(child, subject, problem))
            }
        }
    }

    /// `true`, `false`, `1` or `0`.
    pub(super) fn boolean(
        &self,
        element: &Element,
        name: &str,
        subject: &str,
    ) -> Result<Option<bool>, Diagnostic> {
        let Some(text) = self.text(element, name) else {
            return Ok(None);
        };
        match text.text.to_ascii_lowercase().as_str() {
            "1" | "true" => Ok(Some(true)),
            "0" | "false" => Ok(Some(false)),
            other => {
                let problem = format!("<{name}> must be true or false, got `{}`", shortened(other));
                Err(self.notes.error(text.place, subject, problem))
            }
        }
    }

    /// The `<pose>` of an element.
    pub(super) fn pose(
        &self,
        element: &Element,
        subject: &str,
    ) -> Result<Option<Located>, Diagnostic> {
        let Some(pose) = self.child(element, "pose") else {
            return Ok(None);
        };
        // before 1.7 a pose could name a `frame`, which no program followed
        let relative_to = match self.version {
            Version(1, 0..=6) => None,
            _ => self.attribute(pose, "relative_to"),
        };
        let numbers = self.list(pose, subject)?;
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err(self.error(pose, subject, "<pose> must be finite"));
        }
        let format = pose.attribute("rotation_format");
        let is_quaternion = format.is_some_and(|format| format.value.trim() == "quat_xyzw");
        let scale = match pose.attribute("degrees").map(|d| d.value.trim()) {
            Some("true" | "1") => std::f64::consts::PI / 180.0,
            _ => 1.0,
        };
        let (translation, rotation) = match numbers.as_slice() {
            [] => (Vector::zeros(), Rotation::identity()),
            &[x, y, z, qx, qy, qz, qw] if is_quaternion => {
                let rotation = so3::from_xyzw([qx, qy, qz, qw])
                    .map_err(|error| self.error(pose, subject, format!("<pose>: {error}")))?;
                (Vector::new(x, y, z), rotation)
            }
            &[x, y, z, roll, pitch, yaw] if !is_quaternion => {
                let rotation = so3::from_rpy([roll, pitch, yaw].map(|angle| angle * scale));
                (Vector::new(x, y, z), rotation)
            }
            found => {
                let count = if is_quaternion { 7 } else { 6 };
                let problem = format!("<pose> needs {count} numbers, got {}", found.len());
                return Err(self.error(pose, subject, problem));
            }
        };
        Ok(Some(Located {
            translation,
            rotation,
            relative_to,
        }))
    }
}
