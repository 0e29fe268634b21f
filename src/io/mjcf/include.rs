//! Files of a model: the main one, those that it includes, and the models that it attaches.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::document::{Document, Node, Place};
use super::notes::Notes;
use super::parse;
use crate::io::context::Context;
use crate::io::resolve::Referrer;
use crate::io::source::FilePath;
use crate::io::xml::{self, Element};
use crate::{Diagnostic, LoadError};

/// Deepest nesting of models that attach models.
const DEPTH: usize = 16;
/// Largest number of files of a model.
const FILES: usize = 1000;

/// The main model and those that it attaches, the main one first.
pub(super) fn read(
    context: &mut Context<'_>,
    file: &FilePath,
    notes: &mut Notes<'_>,
) -> Result<Vec<Document>, LoadError> {
    let mut reader = Reader {
        context,
        notes,
        elements: 0,
        documents: Vec::new(),
        known: Vec::new(),
    };
    reader.model(file, 0)?;
    Ok(reader.documents)
}

struct Reader<'a, 'c, 'r> {
    context: &'a mut Context<'c>,
    notes: &'a mut Notes<'r>,
    /// Elements so far, in all files.
    elements: usize,
    documents: Vec<Document>,
    /// Canonical paths of the models that are being read or were read, with their documents.
    known: Vec<(PathBuf, Option<usize>)>,
}

impl Reader<'_, '_, '_> {
    /// Reads a model and those that it attaches; returns its index.
    fn model(&mut self, path: &FilePath, depth: usize) -> Result<usize, Diagnostic> {
        let name = self.context.canonical(path);
        let slot = self.known.len();
        self.known.push((name.clone(), None));
        let root = self.root(path)?;
        let place = root.1;
        let mut included = HashSet::from([name]);
        let at = At {
            file: place.file,
            depth: 0,
            main: path,
            path,
        };
        let root = self.node(root.0, at, &mut included)?;
        let document = parse::document(root, self.notes)?;
        let index = self.documents.len();
        self.documents.push(document);
        let models: Vec<Node> = self
            .documents
            .get(index)
            .map(|document| &document.assets)
            .into_iter()
            .flatten()
            .filter(|asset| asset.name == "model")
            .cloned()
            .collect();
        for model in models {
            let child = self.attached(&model, path, depth)?;
            let name = model.word("name").map_or_else(
                || {
                    let document = self.documents.get(child);
                    document
                        .and_then(|document| document.name.clone())
                        .unwrap_or_default()
                },
                str::to_owned,
            );
            if let Some(document) = self.documents.get_mut(index) {
                document.models.insert(name, child);
            }
        }
        if let Some(known) = self.known.get_mut(slot) {
            known.1 = Some(index);
        }
        Ok(index)
    }

    /// Reads the model of an `<asset><model>`.
    fn attached(
        &mut self,
        model: &Node,
        from: &FilePath,
        depth: usize,
    ) -> Result<usize, Diagnostic> {
        let subject = "model";
        let Some(file) = model.attribute("file") else {
            let problem = "<model> needs the attribute `file`";
            return Err(self.notes.error(model.place, subject, problem));
        };
        let place = Place {
            file: model.place.file,
            position: file.position,
        };
        if depth >= DEPTH {
            let problem = format!("models attach models more than {DEPTH} deep");
            return Err(self.notes.error(place, subject, problem));
        }
        let path = self.find(from, file.value.trim(), place)?;
        let name = self.context.canonical(&path);
        if let Some((_, known)) = self.known.iter().find(|(known, _)| *known == name) {
            return known.ok_or_else(|| {
                let problem = format!("`{}` attaches itself", path.display());
                self.notes.error(place, subject, problem)
            });
        }
        self.model(&path, depth + 1)
    }

    /// The root element of a file, and its place.
    fn root(&mut self, path: &FilePath) -> Result<(Element, Place), Diagnostic> {
        if self.notes.files.paths.len() >= FILES {
            let message = format!("the model has more than {FILES} files");
            return Err(Diagnostic::error(message).in_file(path));
        }
        let text = self.context.read_text(path)?;
        let file = self.notes.files.paths.len();
        self.notes.files.paths.push(path.to_path_buf());
        let limits = &self.context.options().limits;
        let root = xml::parse(&text, self.notes.of_file(file), limits)?;
        let position = root.position;
        if !matches!(root.name.as_str(), "mujoco" | "mujocoinclude") {
            let problem = format!(
                "an MJCF model starts with <mujoco>, this file with <{}>",
                root.name
            );
            let place = Place { file, position };
            return Err(self.notes.error(place, "model", problem));
        }
        Ok((root, Place { file, position }))
    }

    /// An element with its includes replaced by what they hold.
    fn node(
        &mut self,
        element: Element,
        at: At<'_>,
        included: &mut HashSet<PathBuf>,
    ) -> Result<Node, Diagnostic> {
        let place = Place {
            file: at.file,
            position: element.position,
        };
        self.elements += 1;
        let limits = self.context.options().limits;
        if self.elements > limits.elements {
            let most = limits.elements;
            let problem = format!("it has more than {most} elements, includes among them");
            let error = self.notes.error(place, "model", problem);
            return Err(error.help("raise `limits.elements` of the load options"));
        }
        if at.depth > limits.nesting {
            let most = limits.nesting;
            let problem = format!("elements and includes are nested more than {most} deep");
            let error = self.notes.error(place, "model", problem);
            return Err(error.help("raise `limits.nesting` of the load options"));
        }
        let inner = At {
            depth: at.depth + 1,
            ..at
        };
        let mut children = Vec::with_capacity(element.children.len());
        for child in element.children {
            if child.name == "include" {
                children.extend(self.included(&child, inner, included)?);
            } else {
                children.push(self.node(child, inner, included)?);
            }
        }
        Ok(Node {
            name: element.name,
            place,
            attributes: element.attributes,
            children,
        })
    }

    /// The elements of a file that is included.
    fn included(
        &mut self,
        include: &Element,
        at: At<'_>,
        included: &mut HashSet<PathBuf>,
    ) -> Result<Vec<Node>, Diagnostic> {
        let place = |position| Place {
            file: at.file,
            position,
        };
        let Some(name) = include.attribute("file") else {
            let problem = "<include> needs the attribute `file`";
            let error = self
                .notes
                .error(place(include.position), "include", problem);
            return Err(error);
        };
        let place = place(name.position);
        let word = name.value.trim();
        // MuJoCo looks beside the main file; beside the one that includes is what people mean
        let found = match self.find(at.main, word, place) {
            Err(error) if at.main != at.path => {
                self.find(at.path, word, place).map_err(|_| error)?
            }
            found => found?,
        };
        if !included.insert(self.context.canonical(&found)) {
            let problem = format!("`{word}` is included twice, which a model may not do");
            return Err(self.notes.error(place, "include", problem));
        }
        let (root, root_place) = self.root(&found)?;
        let inner = At {
            file: root_place.file,
            path: &found,
            ..at
        };
        Ok(self.node(root, inner, included)?.children)
    }

    fn find(&self, from: &Path, name: &str, place: Place) -> Result<FilePath, Diagnostic> {
        let found = self.context.find(Referrer::new(from), name);
        found.map_err(|error| {
            let path = self.notes.path(place.file);
            error.named_at(path, place.position.line, place.position.column)
        })
    }
}

/// The element that is being read: its file, and how deep it lies.
#[derive(Clone, Copy)]
struct At<'p> {
    file: usize,
    depth: usize,
    main: &'p FilePath,
    path: &'p FilePath,
}
