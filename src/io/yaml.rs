//! YAML as a tree of texts with their positions: what they mean is up to the reader of a format.

use std::collections::HashMap;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Tag};

use super::position::Position;

/// A value and its position.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) content: Content,
    /// A tag such as `!degrees` that is not one of YAML itself.
    pub(super) tag: Option<String>,
    pub(super) position: Position,
}

/// Content of a [`Node`].
#[derive(Debug, Clone)]
pub(super) enum Content {
    /// A text; `is_plain` is false where quotes, a block or the tag `!!str` say that it is no number.
    Scalar {
        text: String,
        is_plain: bool,
    },
    List(Vec<Node>),
    /// Keys and values as they are written, also of keys that are there twice.
    Map(Vec<(Node, Node)>),
}

/// A problem and its position.
pub(super) type Problem = (Position, String);

/// The one document of a text; `None` where it is empty.
pub(super) fn parse(text: &str) -> Result<Option<Node>, Problem> {
    let mut builder = Builder::default();
    for event in Parser::new_from_str(text) {
        let (event, span) =
            event.map_err(|error| (position(error.marker()), error.info().to_owned()))?;
        let at = position(&span.start);
        builder.take(event, at).map_err(|problem| (at, problem))?;
    }
    Ok(builder.document)
}

/// Largest depth of maps and lists.
const DEEPEST: usize = 50;

/// Most values of a document, those that aliases repeat included.
const MOST: usize = 1 << 20;

/// Builds a tree from the events of a parser.
#[derive(Default)]
struct Builder {
    /// The lists and maps that are open, the outermost first.
    open: Vec<Open>,
    /// Values with a name, `&name`, that others repeat, `*name`, each with the number of values in it.
    anchors: HashMap<usize, (Node, usize)>,
    /// Number of values so far.
    count: usize,
    document: Option<Node>,
}

/// A list or a map whose end has not been read.
struct Open {
    anchor: usize,
    tag: Option<String>,
    position: Position,
    is_map: bool,
    /// Items, or keys and values in turn.
    items: Vec<Node>,
    /// Number of values before it.
    before: usize,
}

impl Builder {
    fn take(&mut self, event: Event<'_>, position: Position) -> Result<(), String> {
        match event {
            Event::DocumentStart(_) if self.document.is_some() => {
                Err("a second document begins here; one is read".to_owned())
            }
            Event::Scalar(text, style, anchor, tag) => {
                let tag = tag.as_deref();
                let is_text =
                    tag.is_some_and(|tag| tag.is_yaml_core_schema() && tag.suffix == "str");
                let content = Content::Scalar {
                    text: text.into_owned(),
                    is_plain: matches!(style, ScalarStyle::Plain) && !is_text,
                };
                let tag = own(tag);
                self.add(
                    Node {
                        content,
                        tag,
                        position,
                    },
                    anchor,
                    1,
                )
            }
            Event::Alias(anchor) => {
                let (node, count) = self
                    .anchors
                    .get(&anchor)
                    .ok_or("a value that repeats itself has no end")?;
                let (count, most) = (*count, MOST.saturating_sub(self.count));
                if count > most {
                    return Err(format!("repeated values make more than {MOST} of them"));
                }
                let node = Node {
                    position,
                    ..node.clone()
                };
                self.add(node, 0, count)
            }
            Event::SequenceStart(anchor, tag) => self.open(anchor, tag.as_deref(), position, false),
            Event::MappingStart(anchor, tag) => self.open(anchor, tag.as_deref(), position, true),
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            _ => Ok(()),
        }
    }

    fn open(
        &mut self,
        anchor: usize,
        tag: Option<&Tag>,
        position: Position,
        is_map: bool,
    ) -> Result<(), String> {
        if self.open.len() >= DEEPEST {
            return Err(format!("nested more than {DEEPEST} deep"));
        }
        self.open.push(Open {
            anchor,
            tag: own(tag),
            position,
            is_map,
            items: Vec::new(),
            before: self.count,
        });
        Ok(())
    }

    fn close(&mut self) -> Result<(), String> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        let content = if open.is_map {
            let mut items = open.items.into_iter();
            let pairs = std::iter::from_fn(|| Some((items.next()?, items.next()?)));
            Content::Map(pairs.collect())
        } else {
            Content::List(open.items)
        };
        let node = Node {
            content,
            tag: open.tag,
            position: open.position,
        };
        let count = self.count - open.before + 1;
        self.count = open.before;
        self.add(node, open.anchor, count)
    }

    /// Puts a whole value, with `count` values in it, where the parser is: into the innermost list or map that is open.
    fn add(&mut self, node: Node, anchor: usize, count: usize) -> Result<(), String> {
        self.count += count;
        if self.count > MOST {
            return Err(format!("has more than {MOST} values"));
        }
        // anchors count from 1
        if anchor > 0 {
            self.anchors.insert(anchor, (node.clone(), count));
        }
        match self.open.last_mut() {
            Some(open) => open.items.push(node),
            None => self.document = Some(node),
        }
        Ok(())
    }
}

/// A tag that is not one of YAML itself.
fn own(tag: Option<&Tag>) -> Option<String> {
    let own = tag.filter(|tag| !tag.is_yaml_core_schema());
    own.map(ToString::to_string)
}

fn position(marker: &Marker) -> Position {
    let number = |x: usize| u32::try_from(x).unwrap_or(u32::MAX);
    Position {
        line: number(marker.line()),
        column: number(marker.col().saturating_add(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_said_with_its_position() {
        let cases: [(&str, [u32; 2], &str); 5] = [
            ("a: 1\n b: 2\n", [2, 3], "mapping values are not allowed"),
            ("a: 1\nb: *x\n", [2, 4], "unknown anchor"),
            ("a: &x\n  b: *x\n", [2, 6], "repeats itself"),
            ("a: 1\n---\nb: 2\n", [2, 1], "a second document"),
            ("a: [1, 2\n", [2, 1], ""),
        ];
        for (text, [line, column], part) in cases {
            let (at, problem) = parse(text).unwrap_err();
            assert_eq!(at, Position { line, column }, "{text:?}: {problem}");
            assert!(problem.contains(part), "{text:?}: {problem}");
        }
        let (_, problem) = parse(&"[".repeat(100)).unwrap_err();
        assert_eq!(problem, "nested more than 50 deep");
        parse(&"[".repeat(100_000)).unwrap_err();
    }

    #[test]
    fn values_know_where_they_stand() {
        let node = parse("# first\na:\n  - 'x'\n  - {b: 2}\n")
            .unwrap()
            .unwrap();
        let Content::Map(pairs) = node.content else {
            panic!("no map")
        };
        let Content::List(items) = &pairs[0].1.content else {
            panic!("no list")
        };
        let at = |node: &Node| (node.position.line, node.position.column);
        assert_eq!(
            [at(&pairs[0].0), at(&items[0]), at(&items[1])],
            [(2, 1), (3, 5), (4, 5)]
        );
    }

    #[test]
    fn aliases_of_aliases_are_refused_before_they_grow() {
        let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for i in 1..12 {
            let last = format!("*a{}", i - 1);
            text += &format!("a{i}: &a{i} [{}]\n", [last.as_str(); 10].join(", "));
        }
        let (_, problem) = parse(&text).unwrap_err();
        assert_eq!(problem, "repeated values make more than 1048576 of them");
    }
}
