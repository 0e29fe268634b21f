//! Shapes as geoms, meshes and materials.

use super::Writer;
use crate::geometry::{Appearance, Geometry, Shape};
use crate::io::save::{Form, Piece, Tag, pieces, wxyz};
use crate::io::text::numbers;
use crate::math::Pose;
use crate::robot::{Element, LinkSpec};

/// What a geom is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Visual,
    Collision,
    Both,
}

/// A shape to be written, and who has it.
#[derive(Clone, Copy)]
pub(super) struct Solid<'a> {
    pub(super) geometry: &'a Geometry,
    pub(super) pose: Pose,
    pub(super) name: &'a str,
    pub(super) appearance: Option<&'a Appearance>,
    pub(super) friction: Option<f64>,
    pub(super) role: Role,
    /// The link or object.
    pub(super) owner: &'a str,
    pub(super) is_named: bool,
}

impl Writer<'_> {
    /// Writes the shapes of a link; returns the names of those that collide, where `is_named`.
    pub(super) fn shapes(&mut self, link: &LinkSpec, is_named: bool, indent: &str) -> Vec<String> {
        let mut names = Vec::new();
        let is_same = |a: &Element, b: &Element| {
            a.name == b.name
                && a.placement == b.placement
                && a.geometry == b.geometry
                && a.appearance == b.appearance
        };
        let mut is_drawn = vec![false; link.collision.len()];
        let mut todo: Vec<(&Element, Role)> = Vec::new();
        for visual in &link.visual {
            let twin = link
                .collision
                .iter()
                .zip(&mut is_drawn)
                .find(|(collision, is_drawn)| !**is_drawn && is_same(collision, visual));
            let role = match twin {
                Some((_, is_drawn)) => {
                    *is_drawn = true;
                    Role::Both
                }
                None => Role::Visual,
            };
            todo.push((visual, role));
        }
        let alone = match link.visual.is_empty() {
            true => Role::Both,
            false => Role::Collision,
        };
        let rest = link.collision.iter().zip(&is_drawn);
        let rest = rest.filter(|(_, is_drawn)| !**is_drawn);
        todo.extend(rest.map(|(element, _)| (element, alone)));
        for (element, role) in todo {
            let solid = Solid {
                geometry: &element.geometry,
                pose: element.placement,
                name: &element.name,
                appearance: element.appearance.as_ref(),
                friction: None,
                role,
                owner: &link.name,
                is_named: is_named && role != Role::Visual,
            };
            names.extend(self.solid(solid, indent));
        }
        names
    }

    /// Writes a shape; returns the names of its geoms, where they have one.
    pub(super) fn solid(&mut self, solid: Solid<'_>, indent: &str) -> Vec<String> {
        let mut names = Vec::new();
        let parts = pieces(solid.geometry, &solid.pose, solid.owner, &mut self.losses);
        for Piece { form, pose } in parts {
            let tag = Tag::new("geom");
            let name = match solid.is_named {
                true => Some(
                    self.names
                        .geoms
                        .unique(solid.name, &format!("{}_geom", solid.owner)),
                ),
                false => self.names.geoms.free(solid.name),
            };
            let tag = tag.maybe("name", name.as_deref());
            let tag = match solid.role {
                Role::Visual => tag.word("class", "visual"),
                Role::Collision => tag.word("class", "collision"),
                Role::Both => tag,
            };
            let tag = match form {
                Form::Box(size) => tag.word("type", "box").numbers("size", &(size / 2.0)),
                Form::Sphere(radius) => tag.word("type", "sphere").numbers("size", &[radius]),
                Form::Cylinder { radius, length } => tag
                    .word("type", "cylinder")
                    .numbers("size", &[radius, length / 2.0]),
                Form::Capsule { radius, length } => tag
                    .word("type", "capsule")
                    .numbers("size", &[radius, length / 2.0]),
                Form::Ellipsoid(radii) => tag.word("type", "ellipsoid").numbers("size", &radii),
                Form::Mesh(mesh) => {
                    if solid.role != Role::Visual && !matches!(mesh.shape(), Shape::Hull(_)) {
                        let what = "MuJoCo collides with the convex hulls of meshes";
                        self.losses.add(what, solid.owner);
                    }
                    match self.mesh(mesh, solid.owner) {
                        Some(mesh) => tag.word("type", "mesh").word("mesh", &mesh),
                        None => continue,
                    }
                }
            };
            let tag = self.posed(tag, &pose, solid.owner);
            let tag = match solid.friction {
                Some(friction) => tag.numbers("friction", &[friction]),
                None => tag,
            };
            let tag = match solid.appearance {
                Some(appearance) => self.painted(tag, appearance, solid.owner),
                None => tag,
            };
            self.bodies += indent;
            self.bodies += &tag.closed();
            names.extend(name);
        }
        names
    }

    /// Adds a pose.
    pub(super) fn posed(&mut self, tag: Tag, pose: &Pose, owner: &str) -> Tag {
        let mut tag = tag;
        let position = pose.translation.vector;
        if position.iter().any(|x| *x != 0.0) {
            tag = tag.numbers("pos", &position);
        }
        let (quaternion, off) = wxyz(&pose.rotation);
        if off > 1e-9 {
            let what = format!(
                "matrices that are no rotations to the last digit change by up to {:.0e} rad",
                10_f64.powf(off.log10().ceil())
            );
            self.losses.add(what, owner);
        }
        match quaternion {
            [1.0, 0.0, 0.0, 0.0] => tag,
            quaternion => tag.numbers("quat", &quaternion),
        }
    }

    /// Writes a mesh, once; returns the name of its asset.
    fn mesh(&mut self, mesh: &Geometry, owner: &str) -> Option<String> {
        let file = self.output.shape(mesh, owner)?;
        if let Some(known) = self.mesh_assets.get(&file) {
            return Some(known.clone());
        }
        let stem = file
            .rsplit_once('.')
            .map_or(file.as_str(), |(stem, _)| stem);
        let name = self.names.meshes.unique(stem, "mesh");
        let tag = Tag::new("mesh")
            .word("name", &name)
            .word("file", &self.output.beside(&file))
            // masses are given, and a surface has a frame where a flat or open one has no volume
            .word("inertia", "shell");
        self.assets += &format!("    {}", tag.closed());
        self.mesh_assets.insert(file, name.clone());
        Some(name)
    }

    /// Adds a colour, by a material where it has a name.
    fn painted(&mut self, tag: Tag, appearance: &Appearance, owner: &str) -> Tag {
        if appearance.texture.is_some() {
            self.losses.add("textures are not kept", owner);
        }
        let Some(color) = appearance.color else {
            return tag;
        };
        let wish = appearance.name.trim();
        if wish.is_empty() {
            return tag.numbers("rgba", &color);
        }
        let key = format!("{wish} {}", numbers(&color));
        let name = match self.materials.get(&key) {
            Some(known) => known.clone(),
            None => {
                let name = self.names.materials.unique(wish, "material");
                let material = Tag::new("material").word("name", &name);
                let material = material.numbers("rgba", &color).closed();
                self.assets += &format!("    {material}");
                self.materials.insert(key, name.clone());
                name
            }
        };
        tag.word("material", &name)
    }
}
