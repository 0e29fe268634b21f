//! Visual and collision shapes of links.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use nalgebra::Matrix4;

use super::document::{At, Document, Form, Link, Material, Shape};
use super::joint::pose;
use super::rules::Rules;
use crate::geometry::{Appearance, Geometry, Primitive};
use crate::io::context::Context;
use crate::io::report::FileReport;
use crate::io::resolve::Referrer;
use crate::io::words::listed;
use crate::math::{Point, Pose, Vector};
use crate::robot::{Element, LinkSpec};
use crate::{Diagnostic, MissingGeometry};

/// Shapes that were read.
#[derive(Clone, Default)]
struct Elements {
    found: Vec<Element>,
    /// Whether one could not be read.
    lacks_some: bool,
}

impl Elements {
    /// Returns whether there were none, other than points.
    fn is_empty(&self) -> bool {
        self.found.is_empty() && !self.lacks_some
    }
}

/// Makes the shapes of one file.
pub(super) struct Shapes<'a, 'c, 'd> {
    context: &'a mut Context<'c>,
    file: &'a Path,
    rules: &'a Rules<'d>,
    /// Materials with more than a name.
    materials: HashMap<&'d str, &'d Material>,
    /// Meshes by name and scale; the same ones are shared.
    meshes: HashMap<(String, [u64; 3]), Option<Geometry>>,
    /// Names of meshes that were reported.
    missing: HashSet<String>,
}

impl<'a, 'c, 'd> Shapes<'a, 'c, 'd> {
    pub(super) fn new(
        document: &'d Document,
        file: &'a Path,
        rules: &'a Rules<'d>,
        context: &'a mut Context<'c>,
    ) -> Self {
        let shapes = document.links.iter().flat_map(|link| &link.visual);
        let inline = shapes.filter_map(|shape| shape.material.as_ref());
        let mut materials = HashMap::new();
        for material in document.materials.iter().chain(inline) {
            if let Some(name) = &material.name
                && (material.color.is_some() || material.texture.is_some())
            {
                materials.entry(name.as_str()).or_insert(material);
            }
        }
        let visual = document.links.iter().flat_map(|link| &link.visual);
        let collision = document.links.iter().flat_map(|link| &link.collision);
        let worn = visual.chain(collision.filter(|_| !rules.use_visual));
        let meshes = worn.filter_map(|shape| match &shape.form {
            Form::Mesh { filename, .. } => Some(filename.value.as_str()),
            _ => None,
        });
        let from = Referrer {
            file,
            package_root: rules.package_root.as_deref(),
        };
        context.read_ahead(from, meshes);
        Self {
            context,
            file,
            rules,
            materials,
            meshes: HashMap::new(),
            missing: HashSet::new(),
        }
    }

    /// Gives a link its collision shapes and its visual ones, and notes which are missing.
    pub(super) fn give(
        &mut self,
        spec: &mut LinkSpec,
        link: &Link,
        report: FileReport<'_>,
    ) -> Result<(), Diagnostic> {
        // all shapes of a link or none
        if !self.context.options().load_geometry {
            let has_shapes = !(link.collision.is_empty() && link.visual.is_empty());
            spec.missing_geometry = has_shapes.then_some(MissingGeometry::NotLoaded);
            return Ok(());
        }
        let subject = format!("link `{}`", link.name);
        let visual = self.elements(&link.visual, &subject, report)?;
        let mut collision = if self.rules.use_visual {
            visual.clone()
        } else {
            self.elements(&link.collision, &subject, report)?
        };
        let has_none = collision.is_empty() && !visual.is_empty();
        if (has_none || collision.lacks_some) && self.context.options().use_visual {
            collision.found.extend_from_slice(&visual.found);
            collision.lacks_some = visual.lacks_some || visual.is_empty();
        }
        let has_none = collision.is_empty() && !visual.is_empty();
        spec.missing_geometry = match () {
            () if collision.lacks_some => Some(MissingGeometry::LeftOut),
            () if has_none => Some(MissingGeometry::VisualOnly),
            () => None,
        };
        (spec.collision, spec.visual) = (collision.found, visual.found);
        Ok(())
    }

    fn elements(
        &mut self,
        shapes: &[Shape],
        subject: &str,
        report: FileReport<'_>,
    ) -> Result<Elements, Diagnostic> {
        let mut elements = Elements::default();
        for shape in shapes {
            let Some(geometry) = self.geometry(shape, subject, report)? else {
                elements.lacks_some |= !shape.form.is_point();
                continue;
            };
            elements.found.push(Element {
                name: shape.name.clone().unwrap_or_default(),
                placement: pose(&shape.origin),
                geometry,
                appearance: shape.material.as_ref().map(|m| self.appearance(m)),
            });
        }
        Ok(elements)
    }

    fn geometry(
        &mut self,
        shape: &Shape,
        subject: &str,
        report: FileReport<'_>,
    ) -> Result<Option<Geometry>, Diagnostic> {
        let origin = Point::origin();
        let (name, smallest, primitive) = match shape.form {
            Form::Mesh {
                ref filename,
                scale,
            } => return self.mesh(filename, scale.unwrap_or([1.0; 3]), subject, report),
            Form::Made(ref made) => return Ok(made.clone()),
            Form::Box { size } => {
                let size = Vector::from(size);
                ("box", size.min(), Primitive::cuboid(Pose::identity(), size))
            }
            Form::Sphere { radius } => ("sphere", radius, Primitive::sphere(origin, radius)),
            Form::Cylinder { radius, length } => {
                let cylinder = Primitive::cylinder(origin, Vector::z(), radius, length);
                ("cylinder", radius.min(length), cylinder)
            }
            Form::Capsule { radius, length } => {
                let end = Vector::z() * length / 2.0;
                let capsule = Primitive::capsule(origin - end, origin + end, radius);
                // a capsule of length 0 is a sphere
                let smallest = if length < 0.0 { length } else { radius };
                ("capsule", smallest, capsule)
            }
        };
        if smallest < 0.0 {
            let problem = format!("a size of its {name} is negative");
            return Err(report.error(shape.position, subject, problem));
        }
        if smallest == 0.0 {
            let problem = format!("a size of its {name} is 0; the {name} is ignored");
            report.warn(shape.position, subject, problem);
            return Ok(None);
        }
        let refused =
            |error: crate::Error| report.error(shape.position, subject, error.to_string());
        Ok(Some(primitive.map_err(refused)?.into()))
    }

    /// A mesh; one that cannot be loaded is reported once.
    fn mesh(
        &mut self,
        filename: &At<String>,
        scale: [f64; 3],
        subject: &str,
        report: FileReport<'_>,
    ) -> Result<Option<Geometry>, Diagnostic> {
        let key = (filename.value.clone(), scale.map(f64::to_bits));
        if let Some(known) = self.meshes.get(&key) {
            return Ok(known.clone());
        }
        let from = Referrer {
            file: self.file,
            package_root: self.rules.package_root.as_deref(),
        };
        let loaded = match self.context.geometry(from, &filename.value) {
            Ok(loaded) => loaded,
            Err(trouble) => {
                if self.missing.insert(filename.value.clone()) {
                    report.add(missing(filename, trouble, subject, report));
                }
                None
            }
        };
        let scaled = match loaded {
            Some(geometry) => {
                let scaled = self.scaled(&geometry, scale);
                Some(scaled.map_err(|error| {
                    let problem = format!("mesh `{}`: {error}", filename.value);
                    report.error(filename.position, subject, problem)
                })?)
            }
            None => None,
        };
        self.meshes.insert(key, scaled.clone());
        Ok(scaled)
    }

    fn scaled(&mut self, geometry: &Geometry, scale: [f64; 3]) -> crate::Result<Geometry> {
        let mut map = Matrix4::new_nonuniform_scaling(&scale.into());
        if self.rules.flip_yz {
            // (x, y, z) -> (x, -z, y), before the scale
            map *= Matrix4::new(
                1.0, 0.0, 0.0, 0.0, //
                0.0, 0.0, -1.0, 0.0, //
                0.0, 1.0, 0.0, 0.0, //
                0.0, 0.0, 0.0, 1.0,
            );
        }
        if map == Matrix4::identity() {
            return Ok(geometry.clone());
        }
        self.context.moved(geometry, &map)
    }

    fn appearance(&self, material: &Material) -> Appearance {
        let name = material.name.as_deref().unwrap_or_default();
        let defined = self.materials.get(name).copied().unwrap_or(material);
        Appearance {
            name: name.to_owned(),
            color: material.color.or(defined.color),
            texture: material.texture.clone().or_else(|| defined.texture.clone()),
        }
    }
}

/// The warning about a mesh that cannot be loaded.
fn missing(
    filename: &At<String>,
    trouble: Diagnostic,
    subject: &str,
    report: FileReport<'_>,
) -> Diagnostic {
    let reason = match &trouble.path {
        Some(path) => format!("mesh {}: {}", path.display(), trouble.message),
        None => format!("mesh {}", trouble.message),
    };
    let error = report.error(
        filename.position,
        subject,
        format!("{reason}; it is left out"),
    );
    Diagnostic {
        severity: crate::Severity::Warning,
        help: trouble.help,
        ..error
    }
}

/// Reports one warning about all links with visual but no collision shapes.
pub(super) fn warn_of_visual_only(document: &Document, report: FileReport<'_>) {
    let ghosts = document
        .links
        .iter()
        .filter(|link| link.collision.is_empty() && !link.visual.is_empty());
    let names: Vec<&str> = ghosts.map(|link| link.name.as_str()).collect();
    if !names.is_empty() {
        let problem = format!(
            "links with <visual> and no <collision> never collide: {}",
            listed(&names)
        );
        report.warn(document.position, "robot", problem);
    }
}
