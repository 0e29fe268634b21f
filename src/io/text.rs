//! Values as text, with exactly the digits needed to read them back.

use std::path::Path;

use super::options::LoadLimits;
use super::report::Report;
use super::xml;
use crate::math::{Digits, Pose};

/// A number that reads back as the same number: the shortest one; `inf` and `-inf` for infinities.
pub(super) fn number(x: f64) -> String {
    Digits(x).to_string()
}

/// Numbers separated by spaces.
pub(super) fn numbers<'a>(all: impl IntoIterator<Item = &'a f64>) -> String {
    let words: Vec<String> = all.into_iter().map(|x| number(*x)).collect();
    words.join(" ")
}

/// A rotation row by row, then the translation.
pub(super) fn pose(pose: &Pose) -> String {
    let rows = pose.rotation.matrix().transpose();
    format!("{}  {}", numbers(&rows), numbers(&pose.translation.vector))
}

/// Text between double quotes, as XML has it in attributes.
pub(super) fn xml_attribute(value: &str) -> String {
    let mut text = String::with_capacity(value.len() + 2);
    text.push('"');
    for c in value.chars() {
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '"' => text.push_str("&quot;"),
            // a bare line break would be read as a space
            '\n' => text.push_str("&#10;"),
            '\r' => text.push_str("&#13;"),
            '\t' => text.push_str("&#9;"),
            c => text.push(c),
        }
    }
    text.push('"');
    text
}

/// True if a name in quotes in Klampt's text files reads back unchanged.
pub(super) fn fits_quotes(name: &str) -> bool {
    let is_bad = |c: char| matches!(c, '"' | '#' | '\\') || c.is_control();
    !name.contains(is_bad)
}

/// True if a text is valid inside an XML element.
pub(super) fn is_xml(text: &str) -> bool {
    let element = format!("<x>{text}</x>");
    let (limits, report) = (LoadLimits::default(), Report::default());
    let parsed = xml::parse(&element, report.of_file(Path::new("")), &limits);
    parsed.is_ok_and(|root| root.span == (0..element.len()))
}
