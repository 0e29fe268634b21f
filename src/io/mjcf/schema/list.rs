//! The list of all elements of MJCF, read from `list.txt`, whose head says how it is written.

use std::sync::OnceLock;

const LIST: &str = include_str!("list.txt");

/// An element that MJCF has.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: &'static str,
    pub(super) often: Often,
    /// In alphabetical order.
    pub(super) attributes: Vec<&'static str>,
    pub(super) rules: Vec<Rule>,
    pub(super) children: Vec<Self>,
}

/// How often an element may occur in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Often {
    Once,
    AnyNumber,
    /// Any number, and in itself.
    Recursive,
}

/// A rule about attributes of an element, in groups.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) kind: RuleKind,
    pub(super) groups: Vec<Vec<&'static str>>,
}

/// What a rule demands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RuleKind {
    /// Attributes of one group at most.
    AtMostOne,
    /// All attributes of one group at least.
    AtLeastOne,
    /// All attributes or none.
    Together,
}

/// `<mujoco>`, with all elements in it.
pub(super) fn elements() -> &'static Element {
    static MODEL: OnceLock<Element> = OnceLock::new();
    MODEL.get_or_init(|| {
        let lines = LIST.lines().filter(|line| !line.starts_with('#'));
        let mut lines = lines.peekable();
        let first = lines.next().unwrap_or_default();
        element(first, &mut lines)
    })
}

/// The element of a line, with those of the lines after it that are in it.
fn element(
    line: &'static str,
    rest: &mut std::iter::Peekable<impl Iterator<Item = &'static str>>,
) -> Element {
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let mut words = line.split_whitespace();
    let name = words.next().unwrap_or_default();
    let often = match words.next() {
        Some("R") => Often::Recursive,
        Some("*") => Often::AnyNumber,
        _ => Often::Once,
    };
    let mut element = Element {
        name,
        often,
        attributes: words.collect(),
        rules: Vec::new(),
        children: Vec::new(),
    };
    while let Some(inner) = rest.next_if(|next| indentation(next) > indentation(line)) {
        match inner.trim_start().strip_prefix("= ") {
            Some(text) => element.rules.push(rule(text)),
            None => element.children.push(self::element(inner, rest)),
        }
    }
    element
}

fn rule(text: &'static str) -> Rule {
    let (kind, groups) = text.split_once(' ').unwrap_or((text, ""));
    let kind = match kind {
        "most" => RuleKind::AtMostOne,
        "least" => RuleKind::AtLeastOne,
        _ => RuleKind::Together,
    };
    let groups = groups.split('|');
    let groups = groups
        .map(|group| group.split_whitespace().collect())
        .collect();
    Rule { kind, groups }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts elements, attributes and rules, and checks that each line was understood.
    fn walk(element: &Element, counts: &mut [usize; 3]) {
        counts[0] += 1;
        counts[1] += element.attributes.len();
        counts[2] += element.rules.len();
        assert!(element.attributes.is_sorted(), "{}", element.name);
        for rule in &element.rules {
            assert!(rule.groups.len() > 1, "{}", element.name);
            let names = rule.groups.iter().flatten();
            for name in names {
                let known = element.attributes.binary_search(name);
                assert!(known.is_ok(), "{} {name}", element.name);
            }
        }
        for child in &element.children {
            walk(child, counts);
        }
    }

    #[test]
    fn all_lines_are_understood() {
        let model = elements();
        assert_eq!(model.name, "mujoco");
        let mut counts = [0; 3];
        walk(model, &mut counts);
        let lines = || LIST.lines().filter(|line| !line.starts_with('#'));
        let is_rule = |line: &&str| line.trim_start().starts_with('=');
        let words = lines().filter(|line| !is_rule(line));
        let words: usize = words.map(|line| line.split_whitespace().count()).sum();
        let n_rules = lines().filter(is_rule).count();
        let n_elements = lines().count() - n_rules;
        assert_eq!(counts, [n_elements, words - 2 * n_elements, n_rules]);
    }
}
