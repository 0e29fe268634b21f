//! Parser of a tree of elements into a [`Document`]: sections and default classes.

use std::collections::HashMap;

use super::document::{Class, Document, Node};
use super::notes::Notes;
use super::schema;
use crate::Diagnostic;

/// Sorts the elements of a model, with its includes in place, into sections.
pub(super) fn document(root: Node, notes: &mut Notes<'_>) -> Result<Document, Diagnostic> {
    let mut document = Document {
        file: root.place.file,
        name: root.word("model").map(str::to_owned),
        place: root.place,
        compilers: Vec::new(),
        options: Vec::new(),
        classes: vec![Class {
            parent: None,
            elements: Vec::new(),
        }],
        class_index: HashMap::new(),
        assets: Vec::new(),
        worlds: Vec::new(),
        contacts: Vec::new(),
        equalities: Vec::new(),
        tendons: Vec::new(),
        actuators: Vec::new(),
        keys: Vec::new(),
        sensors: Vec::new(),
        others: Vec::new(),
        models: HashMap::new(),
    };
    document.class_index.insert("main".to_owned(), 0);
    schema::check(&root, notes)?;
    for section in root.children {
        let into = match section.name.as_str() {
            "compiler" => {
                document.compilers.push(section);
                continue;
            }
            "option" => {
                document.options.push(section);
                continue;
            }
            "default" => {
                top_class(&mut document, section, notes)?;
                continue;
            }
            "worldbody" => {
                document.worlds.push(section);
                continue;
            }
            "asset" => &mut document.assets,
            "contact" => &mut document.contacts,
            "equality" => &mut document.equalities,
            "tendon" => &mut document.tendons,
            "actuator" => &mut document.actuators,
            "keyframe" => &mut document.keys,
            "sensor" => &mut document.sensors,
            _ => {
                document.others.push(section);
                continue;
            }
        };
        into.extend(section.children);
    }
    Ok(document)
}

/// Adds a `<default>` directly below `<mujoco>`: the class `main`, whatever it is called the first time.
fn top_class(document: &mut Document, node: Node, notes: &mut Notes<'_>) -> Result<(), Diagnostic> {
    let name = node.word("class").unwrap_or("main").to_owned();
    let known = document.class_index.get(&name);
    if known != Some(&0) {
        if document.classes.len() > 1 || document.class_index.len() > 1 {
            let problem =
                format!("the top-level default class is `main` and cannot be called `{name}` here");
            return Err(notes.error(node.place, "default", problem));
        }
        document.class_index.insert(name, 0);
    }
    fill(document, 0, node, notes)
}

/// Adds the elements of a `<default>` to a class, and the classes inside it.
fn fill(
    document: &mut Document,
    class: usize,
    node: Node,
    notes: &mut Notes<'_>,
) -> Result<(), Diagnostic> {
    for child in node.children {
        if child.name != "default" {
            let elements = document.classes.get_mut(class).map(|c| &mut c.elements);
            elements.expect("the class was added").push(child);
            continue;
        }
        let Some(name) = child.word("class").map(str::to_owned) else {
            let problem = "a class inside another one needs the attribute `class`";
            return Err(notes.error(child.place, "default", problem));
        };
        if document.class_index.contains_key(&name) {
            let problem = format!("there is a class `{name}` already");
            return Err(notes.error(child.place, "default", problem));
        }
        let inner = document.classes.len();
        document.class_index.insert(name, inner);
        document.classes.push(Class {
            parent: Some(class),
            elements: Vec::new(),
        });
        fill(document, inner, child, notes)?;
    }
    Ok(())
}
