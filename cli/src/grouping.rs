//! Warnings of a kind, gathered: thirty missing meshes are one message.

use std::collections::HashMap;

use kinworld::{Diagnostic, Severity};

/// A diagnostic, and what differs in the others of its kind.
#[derive(Debug)]
pub(crate) struct Group<'a> {
    pub(crate) first: &'a Diagnostic,
    /// Names of the others: the first words in backticks that differ, else the file, else the line.
    pub(crate) others: Vec<String>,
}

/// Groups of warnings in the order of their first ones; fewer than three of a kind stay apart.
pub(crate) fn groups<'a>(list: impl IntoIterator<Item = &'a Diagnostic>) -> Vec<Group<'a>> {
    let list: Vec<&Diagnostic> = list.into_iter().collect();
    let mut kinds: HashMap<String, Vec<usize>> = HashMap::new();
    for (i, diagnostic) in list.iter().enumerate() {
        kinds.entry(kind(diagnostic)).or_default().push(i);
    }
    let mut groups = Vec::new();
    for (i, &first) in list.iter().enumerate() {
        let alike = &kinds[&kind(first)];
        if alike.len() < FEWEST || first.severity != Severity::Warning {
            groups.push(Group {
                first,
                others: Vec::new(),
            });
        } else if alike[0] == i {
            let others = alike[1..]
                .iter()
                .map(|&other| difference(first, list[other]));
            groups.push(Group {
                first,
                others: others.collect(),
            });
        }
    }
    groups
}

/// Least size of a group.
const FEWEST: usize = 3;

/// The message without names and numbers, and without the list of places that were searched.
fn kind(diagnostic: &Diagnostic) -> String {
    let message = diagnostic
        .message
        .split("; tried ")
        .next()
        .unwrap_or_default();
    let mut kind = String::new();
    for (i, part) in message.split('`').enumerate() {
        // every other part is between backticks
        match i % 2 {
            0 => kind.extend(part.chars().filter(|c| !c.is_ascii_digit())),
            _ => kind.push('`'),
        }
    }
    kind
}

/// What a diagnostic is about that the first of its kind is not.
fn difference(first: &Diagnostic, other: &Diagnostic) -> String {
    let (theirs, ours) = (names(&first.message), names(&other.message));
    // a link before its mesh
    let differing = ours.iter().zip(&theirs).find(|(a, b)| a != b);
    if let Some((name, _)) = differing {
        return (*name).to_owned();
    }
    if let Some(element) = other
        .element
        .as_ref()
        .filter(|_| first.element != other.element)
    {
        return names(element)
            .first()
            .map_or(element.as_str(), |name| name)
            .to_owned();
    }
    let file = |d: &Diagnostic| d.path.as_ref().map(|path| path.display().to_string());
    match (file(other), other.line) {
        (Some(path), _) if first.path != other.path => path,
        (_, Some(line)) => format!("line {line}"),
        (path, None) => path.unwrap_or_else(|| "the same again".to_owned()),
    }
}

/// The words in backticks.
fn names(message: &str) -> Vec<&str> {
    let message = message.split("; tried ").next().unwrap_or_default();
    message.split('`').skip(1).step_by(2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warnings(messages: &[&str]) -> Vec<Diagnostic> {
        let lines = messages.iter().zip(1..);
        lines
            .map(|(&message, line)| Diagnostic::warning(message).at("arm.urdf", line, 1))
            .collect()
    }

    #[test]
    fn three_of_a_kind_are_one_group_and_two_are_not() {
        let list = warnings(&[
            "link `a` has no inertia",
            "joint `j`: no limits",
            "link `b` has no inertia",
            "joint `k`: no limits",
            "link `c` has no inertia",
        ]);
        let groups = groups(&list);
        let found: Vec<(&str, String)> = groups
            .iter()
            .map(|group| (&*group.first.message, group.others.join(", ")))
            .collect();
        let expected = [
            ("link `a` has no inertia", "b, c".to_owned()),
            ("joint `j`: no limits", String::new()),
            ("joint `k`: no limits", String::new()),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn others_are_told_by_what_differs() {
        let missing = warnings(&[
            "`package://p/a.stl` cannot be found; tried x/a.stl, `y`",
            "`package://p/b.stl` cannot be found; tried x/b.stl",
            "`package://p/c.stl` cannot be found; tried x/c.stl",
        ]);
        assert_eq!(
            groups(&missing)[0].others,
            ["package://p/b.stl", "package://p/c.stl"]
        );
        let same = warnings(&["no unit", "no unit", "no unit"]);
        assert_eq!(groups(&same)[0].others, ["line 2", "line 3"]);
        let mut files = same;
        files[2].path = Some("leg.urdf".into());
        assert_eq!(groups(&files)[0].others, ["line 2", "leg.urdf"]);
    }

    #[test]
    fn errors_stay_apart() {
        let errors: Vec<_> = ["a", "b", "c"]
            .map(|name| Diagnostic::error(format!("`{name}` is wrong")))
            .into();
        assert_eq!(groups(&errors).len(), 3);
    }
}
