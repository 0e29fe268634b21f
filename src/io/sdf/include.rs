//! The file that was asked for, and the models that it includes.

use std::path::{Path, PathBuf};

use super::document::{Document, Model, Name, Place, Version};
use super::fields::{Fields, Notes};
use super::parse;
use crate::Diagnostic;
use crate::io::context::Context;
use crate::io::position::Position;
use crate::io::resolve::Referrer;
use crate::io::source::FilePath;
use crate::io::xml::{self, Element};

/// The world of a file; a file of models is a world of these.
pub(super) fn read(
    context: &mut Context<'_>,
    path: &FilePath,
    notes: &Notes<'_>,
) -> Result<Model, Diagnostic> {
    let mut reader = Reader {
        context,
        notes,
        chain: Vec::new(),
        includes: 0,
    };
    let mut document = reader.file(path)?;
    let mut worlds = document.worlds.drain(..);
    let first = worlds.next();
    for other in worlds {
        notes.warn(
            other.place,
            &format!("world `{}`", other.name),
            "only the first world of a file is read",
        );
    }
    let mut world = match first {
        Some(world) => world,
        None if document.models.is_empty() => {
            let problem = "it has neither a <world> nor a <model>";
            return Err(notes.error(START, "sdf", problem));
        }
        None => Model::default(),
    };
    world.models.append(&mut document.models);
    Ok(world)
}

/// The start of the file that was asked for.
pub(super) const START: Place = Place {
    file: 0,
    position: Position { line: 1, column: 1 },
};

/// Reads files with what they include.
pub(super) struct Reader<'a, 'c, 'r> {
    pub(super) context: &'a mut Context<'c>,
    pub(super) notes: &'a Notes<'r>,
    /// Canonical paths of the files being read, outermost first.
    chain: Vec<PathBuf>,
    includes: usize,
}

impl Reader<'_, '_, '_> {
    fn file(&mut self, path: &FilePath) -> Result<Document, Diagnostic> {
        let text = self.context.read_text(path)?;
        let file = {
            let mut files = self.notes.files.borrow_mut();
            files.push(path.clone());
            files.len() - 1
        };
        let limits = &self.context.options().limits;
        let root = xml::parse(&text, self.notes.report.of_file(path), limits)?;
        self.chain.push(self.context.canonical(path));
        let document = self.document(&root, &text, file);
        self.chain.pop();
        document
    }

    fn document(
        &mut self,
        root: &Element,
        text: &str,
        file: usize,
    ) -> Result<Document, Diagnostic> {
        let mut fields = Fields {
            notes: self.notes,
            file,
            version: Version(1, 7),
        };
        if root.name != "sdf" {
            let problem = format!(
                "an SDF file starts with <sdf>, this one with <{}>",
                root.name
            );
            return Err(fields.error(root, "sdf", problem));
        }
        fields.version = version(&fields, root)?;
        let mut document = Document::default();
        for child in &root.children {
            match child.name.as_str() {
                "world" => document
                    .worlds
                    .push(parse::scope(self, fields, child, text)?),
                "model" => document
                    .models
                    .push(parse::scope(self, fields, child, text)?),
                "include" => document.models.extend(self.include(fields, child)?),
                name => parse::other(fields, child, name, "sdf"),
            }
        }
        Ok(document)
    }

    /// The model of an `<include>`; `None` for one that cannot be read as SDF.
    pub(super) fn include(
        &mut self,
        fields: Fields<'_, '_>,
        element: &Element,
    ) -> Result<Option<Model>, Diagnostic> {
        let subject = "include";
        let place = fields.place(element);
        let Some(uri) = fields.text(element, "uri") else {
            return Err(fields.error(element, subject, "<include> needs a <uri>"));
        };
        let limits = &self.context.options().limits;
        self.includes += 1;
        if self.includes > limits.mounts {
            let problem = format!("more than {} files are included", limits.mounts);
            let error = self.notes.error(place, subject, problem);
            return Err(error.help("raise `limits.mounts` of the load options"));
        }
        if self.chain.len() > limits.mount_depth {
            let problem = format!(
                "models include models more than {} deep",
                limits.mount_depth
            );
            let error = self.notes.error(place, subject, problem);
            return Err(error.help("raise `limits.mount_depth` of the load options"));
        }
        let path = self.find(fields.file, &uri)?;
        if path.extension().is_some_and(|suffix| suffix == "urdf") {
            let problem = format!(
                "`{}` is a URDF, which is left out: load it beside this file",
                uri.text
            );
            self.notes.warn(uri.place, subject, problem);
            return Ok(None);
        }
        if self.chain.contains(&self.context.canonical(&path)) {
            let problem = format!("`{}` includes itself", path.display());
            return Err(self.notes.error(uri.place, subject, problem));
        }
        let mut included = self.file(&path)?;
        let mut models = included.models.drain(..);
        let Some(mut model) = models.next() else {
            let problem = format!("`{}` has no <model>", uri.text);
            return Err(self.notes.error(uri.place, subject, problem));
        };
        if models.next().is_some() {
            let problem = format!("`{}` has several models; the first one counts", uri.text);
            self.notes.warn(uri.place, subject, problem);
        }
        if let Some(name) = fields.text(element, "name") {
            model.name = name.text;
        }
        if let Some(pose) = fields.pose(element, subject)? {
            model.pose = Some(pose);
            // where a pose is given, it is that of this frame
            model.placement_frame = fields.text(element, "placement_frame");
        }
        if let Some(is_static) = fields.boolean(element, "static", subject)? {
            model.is_static = is_static;
        }
        let merge = element.attribute("merge").map(|merge| merge.value.trim());
        model.is_merged = matches!(merge, Some("true" | "1"));
        Ok(Some(model))
    }

    /// The file of an address: a file, or a folder with a `model.config`.
    fn find(&self, file: usize, uri: &Name) -> Result<FilePath, Diagnostic> {
        let at = |error: Diagnostic| {
            let path = self.notes.path(uri.place.file);
            error.named_at(&path, uri.place.position.line, uri.place.position.column)
        };
        let from = self.notes.path(file);
        let from = Referrer::new(&from);
        let suffix = Path::new(&uri.text).extension();
        if suffix.is_some_and(|suffix| {
            ["sdf", "world", "xml", "urdf"]
                .iter()
                .any(|known| suffix == *known)
        }) {
            return self.context.find(from, &uri.text).map_err(at);
        }
        let folder = uri.text.trim_end_matches('/');
        if let Ok(config) = self.context.find(from, &format!("{folder}/model.config"))
            && let Some(name) = self.main_file(&config)?
        {
            return self
                .context
                .find(from, &format!("{folder}/{name}"))
                .map_err(at);
        }
        self.context
            .find(from, &format!("{folder}/model.sdf"))
            .map_err(at)
    }

    /// The file that a `model.config` names: that of the newest version.
    fn main_file(&self, config: &FilePath) -> Result<Option<String>, Diagnostic> {
        let text = self.context.read_text(config)?;
        let limits = &self.context.options().limits;
        let root = xml::parse(&text, self.notes.report.of_file(config), limits)?;
        let files = root.children.iter().filter(|child| child.name == "sdf");
        let version = |element: &Element| {
            let text = element
                .attribute("version")
                .map(|version| version.value.clone());
            text.as_deref().and_then(Version::of).unwrap_or_default()
        };
        let newest = files.max_by_key(|element| version(element));
        Ok(newest.map(|element| element.text.trim().to_owned()))
    }
}

impl Version {
    /// `1.7` or `1.7.2`.
    fn of(text: &str) -> Option<Self> {
        let mut parts = text.trim().split('.');
        let major = parts.next()?.parse().ok()?;
        let minor = parts.next().map_or(Some(0), |minor| minor.parse().ok())?;
        Some(Self(major, minor))
    }
}

/// The version of a file; that of Gazebo 11 where none is given.
fn version(fields: &Fields<'_, '_>, root: &Element) -> Result<Version, Diagnostic> {
    let Some(given) = fields.attribute(root, "version") else {
        fields.notes.warn(
            fields.place(root),
            "sdf",
            "<sdf> has no `version`; it is read as 1.7",
        );
        return Ok(Version(1, 7));
    };
    match Version::of(&given.text) {
        Some(version @ Version(1, 4..=12)) => Ok(version),
        Some(version @ Version(1, 13..)) => {
            let problem = format!(
                "version {} is newer than 1.12, which it is read as",
                given.text
            );
            fields.notes.warn(given.place, "sdf", problem);
            Ok(version)
        }
        Some(Version(1, 2 | 3)) => {
            // their elements are those of 1.4
            let problem = format!(
                "version {} is older than 1.4, which it is read as",
                given.text
            );
            fields.notes.warn(given.place, "sdf", problem);
            Ok(Version(1, 4))
        }
        _ => {
            let problem = format!("version `{}` is not read: 1.4 to 1.12 are", given.text);
            Err(fields.notes.error(given.place, "sdf", problem))
        }
    }
}
