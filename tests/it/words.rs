//! Names that others bind to use the words of `src/guide/glossary.md`: public items and fields, JSON fields, operations,
//! options, help and messages. Prose and private names are kept by reading.

use std::fs;
use std::path::Path;

use crate::architecture::rust_files;
use crate::common::files::root;

/// Words that went, as parts of public names.
const GONE_FROM_NAMES: &[&str] = &[
    "abreast",
    "apart",
    "ball",
    "balls",
    "blow",
    "carried",
    "coordinate",
    "coordinates",
    "corner",
    "crossing",
    "dimension",
    "eight",
    "facing",
    "four",
    "gap",
    "give",
    "grown",
    "hair",
    "heaps",
    "home",
    "inwards",
    "kinship",
    "lean",
    "lessen",
    "lineage",
    "look",
    "note",
    "notes",
    "outwards",
    "paint",
    "passed",
    "patience",
    "phase",
    "picture",
    "push",
    "pushes",
    "remark",
    "remarks",
    "reply",
    "room",
    "slid",
    "slide",
    "slides",
    "slip",
    "slips",
    "slope",
    "slopes",
    "stretch",
    "stretched",
    "suspect",
    "suspects",
    "tier",
    "tiers",
    "told",
    "tops",
    "touch",
    "turn",
    "turned",
    "turns",
    "watch",
    "watched",
    "way",
    "ways",
    "whole",
];

/// Public names that keep such a word, each in a sense of its own.
const KEPT_NAMES: &[&str] = &[
    // the joint of Klampt and URDF
    "BallAndSocket",
    // the eight corners of a box
    "corners",
    // colours, depths and elements as a camera sees them
    "Picture",
    "picture",
    // links that an attached object may touch, as in MoveIt
    "touch",
    "may_touch",
];

/// Phrases that went from messages and help.
const GONE_FROM_TEXTS: &[&str] = &[
    "abreast",
    "balls",
    "blow",
    "hang on",
    "hangs on",
    "is known here",
    "kinship",
    "lineage",
    "nothing that is known",
    "numbers of a coordinate",
    "out of the numbers",
    "patience",
    "pushes",
    "remark",
    "rooms",
    "slides along",
    "slope",
    "stretches",
    "suspects",
    "that turn",
    "tiers",
    "what it hangs",
    "who plans",
    "who looks",
    "the way from",
    "the ways",
];

#[test]
fn public_names_use_the_words_of_the_glossary() {
    let mut seen = 0;
    let mut gone = Vec::new();
    for path in rust_files(&root().join("src")) {
        let text = read(&path);
        for (number, line) in text.lines().enumerate() {
            let Some(name) = public_name(line) else {
                continue;
            };
            seen += 1;
            if let Some(word) = gone_part(name) {
                gone.push(format!(
                    "{}:{}: `{name}` has `{word}`",
                    path.display(),
                    number + 1
                ));
            }
        }
    }
    assert!(seen > 1500, "only {seen} public names were found");
    assert!(gone.is_empty(), "{}", gone.join("\n"));
}

#[test]
fn options_and_json_fields_use_the_words_of_the_glossary() {
    let (mut seen, mut gone) = (0, Vec::new());
    for path in rust_files(&root().join("cli/src")) {
        let text = read(&path);
        // keys of answers and requests stand in quotes; fields of arguments and requests are names of options and of JSON
        for (number, line) in code(&text) {
            let fields = field_name(line).into_iter();
            for name in literals(line)
                .filter(|literal| is_key(literal))
                .chain(fields)
            {
                seen += 1;
                if let Some(word) = gone_part(name) {
                    gone.push(format!(
                        "{}:{number}: `{name}` has `{word}`",
                        path.display()
                    ));
                }
            }
        }
    }
    assert!(seen > 500, "only {seen} names were found");
    assert!(gone.is_empty(), "{}", gone.join("\n"));
}

#[test]
fn messages_and_help_use_the_words_of_the_glossary() {
    let (mut seen, mut gone) = (0, Vec::new());
    for folder in ["src", "cli/src"] {
        for path in rust_files(&root().join(folder)) {
            let text = read(&path);
            let is_help = path.components().any(|part| part.as_os_str() == "args");
            for (number, line) in text.lines().enumerate() {
                let trimmed = line.trim_start();
                // doc comments of arguments are their help
                let texts: Vec<&str> = match trimmed.strip_prefix("///") {
                    Some(help) if is_help => vec![help],
                    _ if trimmed.starts_with("//") => continue,
                    _ => literals(line).collect(),
                };
                for text in texts {
                    seen += 1;
                    let lower = text.to_lowercase();
                    if let Some(phrase) = GONE_FROM_TEXTS
                        .iter()
                        .find(|phrase| has_phrase(&lower, phrase))
                    {
                        gone.push(format!(
                            "{}:{}: `{phrase}` in: {text}",
                            path.display(),
                            number + 1
                        ));
                    }
                }
            }
        }
    }
    assert!(seen > 3000, "only {seen} texts were found");
    assert!(gone.is_empty(), "{}", gone.join("\n"));
}

#[test]
fn a_word_that_comes_back_is_found() {
    assert_eq!(
        public_name("    pub fn way_between(&self) {"),
        Some("way_between")
    );
    assert_eq!(public_name("    pub by_slope: f64,"), Some("by_slope"));
    assert_eq!(public_name("    pub(crate) fn way_between(&self) {"), None);
    assert_eq!(gone_part("way_between"), Some("way"));
    assert_eq!(gone_part("PointSlopes"), Some("slopes"));
    assert_eq!(gone_part("BallAndSocket"), None);
    assert!(has_phrase("it hangs on a link", "hangs on"));
    assert!(!has_phrase("blowing", "blow"));
}

/// The name that a line makes public: an item, or a field of a public struct.
fn public_name(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let rest = rest
        .trim_start_matches("const fn ")
        .trim_start_matches("unsafe ");
    let kinds = [
        "fn ", "struct ", "enum ", "trait ", "type ", "const ", "static ", "mod ",
    ];
    let rest = kinds
        .iter()
        .find_map(|kind| rest.strip_prefix(kind))
        .unwrap_or(rest);
    let end = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    let name = &rest[..end];
    (!name.is_empty() && name != "use").then_some(name)
}

/// A field of a struct of arguments or requests: `name: Type,` at any depth of indentation.
fn field_name(line: &str) -> Option<&str> {
    let line = line.trim();
    let line = line
        .strip_prefix("pub(crate) ")
        .or_else(|| line.strip_prefix("pub(super) "))
        .unwrap_or(line);
    let (name, rest) = line.split_once(": ")?;
    let is_name = name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    (is_name
        && rest.ends_with(',')
        && rest.starts_with(|c: char| c.is_ascii_uppercase() || c == '&'))
    .then_some(name)
}

/// What stands in quotes on a line.
fn literals(line: &str) -> impl Iterator<Item = &str> {
    line.split('"').skip(1).step_by(2)
}

fn is_key(literal: &str) -> bool {
    !literal.is_empty()
        && literal
            .chars()
            .all(|c| c.is_ascii_lowercase() || c == '_' || c == '-')
}

/// The first part of a name that went.
fn gone_part(name: &str) -> Option<&'static str> {
    if KEPT_NAMES.contains(&name) {
        return None;
    }
    let mut parts = vec![String::new()];
    let mut before = '_';
    for c in name.chars() {
        let is_start = c == '_' || c == '-' || (c.is_uppercase() && !before.is_uppercase());
        if is_start {
            parts.push(String::new());
        }
        if c.is_alphanumeric() {
            parts
                .last_mut()
                .expect("there is one")
                .extend(c.to_lowercase());
        }
        before = c;
    }
    let mut gone = GONE_FROM_NAMES.iter().copied();
    gone.find(|word| parts.iter().any(|part| part == word))
}

/// Whether a text has a phrase between the borders of words.
fn has_phrase(text: &str, phrase: &str) -> bool {
    let is_border = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    text.match_indices(phrase).any(|(at, _)| {
        is_border(text[..at].chars().next_back())
            && is_border(text[at + phrase.len()..].chars().next())
    })
}

/// Lines of code with their numbers.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text
        .lines()
        .enumerate()
        .map(|(number, line)| (number + 1, line));
    lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
