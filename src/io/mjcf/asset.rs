//! Assets that geoms name: meshes, height fields and materials.

use std::collections::{HashMap, HashSet};

use nalgebra::{Matrix4, Translation3};

use super::document::{Document, Node};
use super::fields::Fields;
use super::mesh_solid::{self, MeshInertia};
use super::notes::Notes;
use super::settings::Settings;
use crate::Diagnostic;
use crate::geometry::{Appearance, ConvexHull, Geometry, Mesh, Shape};
use crate::io::context::Context;
use crate::io::resolve::Referrer;
use crate::math::{Inertia, Point, so3};

/// A mesh that was read, and what it weighs.
#[derive(Debug, Clone, Default)]
pub(super) struct MeshAsset {
    /// `None` where it is not loaded.
    pub(super) geometry: Option<Geometry>,
    /// Mass, centre and moment for density 1.
    pub(super) solid: Option<Inertia>,
}

/// Assets by document and name.
#[derive(Debug, Default)]
pub(super) struct Assets {
    meshes: HashMap<(usize, String), MeshAsset>,
    fields: HashMap<(usize, String), Option<Geometry>>,
    materials: HashMap<(usize, String), Appearance>,
}

/// What the assets of one document are read with.
#[derive(Clone, Copy)]
pub(super) struct Shelf<'a, 'r> {
    pub(super) index: usize,
    pub(super) document: &'a Document,
    pub(super) settings: &'a Settings,
    /// All documents with their settings: a model names assets of those that it attaches.
    pub(super) all: (&'a [Document], &'a [Settings]),
    pub(super) notes: &'a Notes<'r>,
}

impl Assets {
    /// The material of a name.
    pub(super) fn material(
        &mut self,
        shelf: Shelf<'_, '_>,
        name: &str,
    ) -> Result<Option<Appearance>, Diagnostic> {
        let key = (shelf.index, name.to_owned());
        if let Some(known) = self.materials.get(&key) {
            return Ok(Some(known.clone()));
        }
        let Some(node) = shelf.named("material", name) else {
            let Some((owner, own_name)) = shelf.attached("material", name) else {
                return Ok(None);
            };
            let found = self.material(owner, own_name)?;
            self.materials
                .extend(found.clone().map(|material| (key, material)));
            return Ok(found);
        };
        let subject = format!("material `{name}`");
        let fields = shelf.fields(node, &subject, &["material"])?;
        let appearance = Appearance {
            name: name.to_owned(),
            color: Some(fields.numbers::<4>("rgba")?.unwrap_or([1.0; 4])),
            texture: None,
        };
        self.materials.insert(key, appearance.clone());
        Ok(Some(appearance))
    }

    /// The mesh of a name, `None` where there is none.
    pub(super) fn mesh(
        &mut self,
        context: &mut Context<'_>,
        shelf: Shelf<'_, '_>,
        name: &str,
    ) -> Result<Option<&MeshAsset>, Diagnostic> {
        let key = (shelf.index, name.to_owned());
        if !self.meshes.contains_key(&key) {
            let found = if let Some(node) = shelf.named("mesh", name) {
                Some(mesh(context, shelf, node, name)?)
            } else if let Some((owner, own_name)) = shelf.attached("mesh", name) {
                self.mesh(context, owner, own_name)?.cloned()
            } else {
                None
            };
            self.meshes.extend(found.map(|mesh| (key.clone(), mesh)));
        }
        Ok(self.meshes.get(&key))
    }

    /// The height field of a name, the outer `None` where there is none.
    pub(super) fn height_field(
        &mut self,
        context: &mut Context<'_>,
        shelf: Shelf<'_, '_>,
        name: &str,
    ) -> Result<Option<Option<Geometry>>, Diagnostic> {
        let key = (shelf.index, name.to_owned());
        if let Some(known) = self.fields.get(&key) {
            return Ok(Some(known.clone()));
        }
        let Some(node) = shelf.named("hfield", name) else {
            let Some((owner, own_name)) = shelf.attached("hfield", name) else {
                return Ok(None);
            };
            let found = self.height_field(context, owner, own_name)?;
            self.fields.extend(found.clone().map(|field| (key, field)));
            return Ok(found);
        };
        let geometry = super::height_field::read(context, shelf, node, name)?;
        self.fields.insert(key, geometry.clone());
        Ok(Some(geometry))
    }
}

impl<'a, 'r> Shelf<'a, 'r> {
    /// The asset of a kind and name; without `name` it has that of its file.
    fn named(self, kind: &str, name: &str) -> Option<&'a Node> {
        let is_meant = |node: &&Node| {
            node.name == kind
                && match (node.word("name"), node.word("file")) {
                    (Some(own), _) => own == name,
                    (None, Some(file)) => stem(file) == name,
                    (None, None) => false,
                }
        };
        self.document.assets.iter().rev().find(is_meant)
    }

    /// The model with an asset of this kind and name among those that are attached, and the name without the prefixes of the
    /// attachments.
    fn attached<'n>(self, kind: &str, name: &'n str) -> Option<(Self, &'n str)> {
        let (documents, settings) = self.all;
        let mut seen = HashSet::from([(self.index, name)]);
        let mut models = vec![(self.document, name)];
        while let Some((document, name)) = models.pop() {
            let mut nodes: Vec<&Node> = document.worlds.iter().collect();
            while let Some(node) = nodes.pop() {
                nodes.extend(&node.children);
                let model = node.word("model").filter(|_| node.name == "attach");
                let Some(&index) = model.and_then(|model| document.models.get(model)) else {
                    continue;
                };
                let prefix = node.word("prefix").unwrap_or_default();
                let (Some(document), Some(settings), Some(name)) = (
                    documents.get(index),
                    settings.get(index),
                    name.strip_prefix(prefix),
                ) else {
                    continue;
                };
                let shelf = Self {
                    index,
                    document,
                    settings,
                    ..self
                };
                if shelf.named(kind, name).is_some() {
                    return Some((shelf, name));
                }
                if seen.insert((index, name)) {
                    models.push((document, name));
                }
            }
        }
        None
    }

    /// The fields of an asset with its defaults.
    pub(super) fn fields(
        self,
        node: &'a Node,
        subject: &'a str,
        kinds: &'a [&'a str],
    ) -> Result<Fields<'a, 'r>, Diagnostic> {
        Fields::with_classes(node, subject, kinds, None, self.document, self.notes)
    }
}

/// Reads the files of the meshes that geoms name in advance, on all threads.
pub(super) fn read_ahead(
    context: &mut Context<'_>,
    documents: &[Document],
    settings: &[Settings],
    notes: &Notes<'_>,
) {
    for (document, settings) in documents.iter().zip(settings) {
        let classes = document.classes.iter().flat_map(|class| &class.elements);
        let mut names = HashSet::new();
        let mut todo: Vec<&Node> = document.worlds.iter().chain(classes).collect();
        while let Some(node) = todo.pop() {
            names.extend(node.word("mesh"));
            todo.extend(&node.children);
        }
        let meshes = document.assets.iter().filter(|node| node.name == "mesh");
        let files = meshes.filter_map(|node| {
            let file = node.word("file")?;
            let name = node.word("name").unwrap_or_else(|| stem(file));
            names.contains(name).then(|| settings.mesh_file(file))
        });
        let files: Vec<String> = files.collect();
        let from = Referrer::new(notes.path(document.file));
        context.read_ahead(from, files.iter().map(String::as_str));
    }
}

/// The name of a file without its folder and suffix.
fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Reads a mesh.
fn mesh(
    context: &mut Context<'_>,
    shelf: Shelf<'_, '_>,
    node: &Node,
    name: &str,
) -> Result<MeshAsset, Diagnostic> {
    let subject = format!("mesh `{name}`");
    let fields = shelf.fields(node, &subject, &["mesh"])?;
    let rule = match fields.choice("inertia", &["convex", "exact", "legacy", "shell"])? {
        Some(0) => MeshInertia::Convex,
        Some(1) => MeshInertia::Exact,
        Some(3) => MeshInertia::Shell,
        _ => MeshInertia::Legacy,
    };
    let scale = fields.numbers::<3>("scale")?.unwrap_or([1.0; 3]);
    let refpos = fields.numbers::<3>("refpos")?.unwrap_or_default();
    let refquat = fields
        .numbers::<4>("refquat")?
        .unwrap_or([1.0, 0.0, 0.0, 0.0]);
    let refquat = so3::from_wxyz(refquat)
        .map_err(|_| fields.error_at("refquat", "`refquat` has length 0, so it is no rotation"))?;
    let Some(raw) = source(context, fields, shelf)? else {
        return Ok(MeshAsset::default());
    };
    let map = Matrix4::new_nonuniform_scaling(&scale.into())
        * refquat.inverse().to_homogeneous()
        * Translation3::from(refpos).inverse().to_homogeneous();
    let refused = |error: crate::Error| fields.error(error.to_string());
    let geometry = match map == Matrix4::identity() {
        true => raw.clone(),
        false => context.moved(&raw, &map).map_err(refused)?,
    };
    let faces: Vec<[Point; 3]> = match raw.shape() {
        Shape::Mesh(mesh) => {
            let faces = mesh.triangle_vertices();
            faces.map(|face| face.map(|p| stored(&p, &map))).collect()
        }
        _ => Vec::new(),
    };
    let solid = match rule {
        MeshInertia::Convex => {
            let vertices: Vec<Point> = faces.iter().flatten().copied().collect();
            let hull = ConvexHull::new(&vertices).map_err(refused)?;
            let faces: Vec<_> = hull.surface().triangle_vertices().collect();
            mesh_solid::of(&faces, rule)
        }
        _ => mesh_solid::of(&faces, rule),
    };
    Ok(MeshAsset {
        geometry: Some(geometry),
        solid,
    })
}

/// A vertex as MuJoCo weighs it: read in single precision.
fn stored(p: &Point, map: &Matrix4<f64>) -> Point {
    map.transform_point(&p.map(|x| f64::from(x as f32)))
}

/// The triangles of a mesh as its file or its attributes give them.
fn source(
    context: &mut Context<'_>,
    fields: Fields<'_, '_>,
    shelf: Shelf<'_, '_>,
) -> Result<Option<Geometry>, Diagnostic> {
    if let Some(vertices) = fields.list("vertex")? {
        return inline(fields, &vertices).map(Some);
    }
    let Some(file) = fields.word("file") else {
        if fields.has("builtin") || fields.node.children.iter().any(|c| c.name == "plugin") {
            fields.warn("meshes that MuJoCo generates (`builtin`, plugins) are left out");
            return Ok(None);
        }
        return Err(fields.error("it has neither `file` nor `vertex`"));
    };
    let file = shelf.settings.mesh_file(file);
    let from = shelf.notes.path(shelf.document.file);
    let place = fields.place("file");
    let loaded = context.geometry(Referrer::new(from), &file);
    let loaded = loaded.map_err(|error| {
        let path = shelf.notes.path(place.file);
        error.named_at(path, place.position.line, place.position.column)
    })?;
    let Some(geometry) = loaded else {
        return Ok(None);
    };
    match geometry.shape() {
        Shape::Mesh(_) => Ok(Some(geometry)),
        _ => Err(fields.error_at("file", format!("`{file}` is no mesh"))),
    }
}

/// A mesh in the file itself; without faces it is the convex hull of its vertices.
fn inline(fields: Fields<'_, '_>, numbers: &[f64]) -> Result<Geometry, Diagnostic> {
    let triples = |what: &str, n: usize| -> Result<(), Diagnostic> {
        let problem = || format!("`{what}` needs three numbers each, got {n}");
        n.is_multiple_of(3)
            .then_some(())
            .ok_or_else(|| fields.error_at(what, problem()))
    };
    triples("vertex", numbers.len())?;
    let vertices: Vec<Point> = numbers
        .chunks_exact(3)
        .filter_map(|p| Some(Point::from(<[f64; 3]>::try_from(p).ok()?)))
        .collect();
    let refused = |error: crate::Error| fields.error(error.to_string());
    let Some(faces) = fields.list("face")? else {
        let hull = ConvexHull::new(&vertices).map_err(refused)?;
        return Ok(hull.surface().clone().into());
    };
    triples("face", faces.len())?;
    let index = |x: &f64| {
        let is_index = *x >= 0.0 && x.fract() == 0.0 && *x < vertices.len() as f64;
        let problem = || {
            let n = vertices.len();
            format!("`face`: {x} is no index of a vertex; there are {n}")
        };
        is_index
            .then_some(*x as u32)
            .ok_or_else(|| fields.error_at("face", problem()))
    };
    let indices: Vec<u32> = faces.iter().map(index).collect::<Result<_, _>>()?;
    let triangles = indices
        .chunks_exact(3)
        .filter_map(|t| <[u32; 3]>::try_from(t).ok())
        .collect();
    Ok(Mesh::new(vertices, triangles).map_err(refused)?.into())
}
