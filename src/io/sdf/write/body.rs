//! Links with mass and shapes.

use super::Writer;
use crate::geometry::{Appearance, Geometry, Shape};
use crate::io::save::{Form, Names, Piece, Tag, pieces, rpy};
use crate::io::text::{number, numbers};
use crate::math::{Inertia, Pose};
use crate::robot::LinkSpec;

/// A shape to be written.
#[derive(Clone, Copy)]
pub(super) struct Solid<'a> {
    pub(super) tag: &'static str,
    pub(super) geometry: &'a Geometry,
    pub(super) pose: Pose,
    pub(super) name: &'a str,
    pub(super) appearance: Option<&'a Appearance>,
    pub(super) friction: Option<f64>,
    /// The link or object.
    pub(super) owner: &'a str,
}

impl Writer<'_> {
    /// Writes a link at a pose relative to something.
    pub(super) fn link(&mut self, link: &LinkSpec, name: &str, at: Option<(&Pose, &str)>) {
        self.line(1, &Tag::new("link").word("name", name).open());
        if let Some((pose, relative_to)) = at {
            self.pose(2, pose, Some(relative_to), &link.name);
        }
        self.inertial(&link.inertia, &link.name);
        let mut names = Names::default();
        for (tag, elements) in [("visual", &link.visual), ("collision", &link.collision)] {
            for element in elements {
                let solid = Solid {
                    tag,
                    geometry: &element.geometry,
                    pose: element.placement,
                    name: &element.name,
                    appearance: element.appearance.as_ref(),
                    friction: None,
                    owner: &link.name,
                };
                self.solid(solid, &mut names);
            }
        }
        self.line(1, "</link>\n");
    }

    pub(super) fn inertial(&mut self, inertia: &Inertia, name: &str) {
        let m = &inertia.moment;
        if (m - m.transpose()).amax() > 1e-9 * m.amax() {
            let what = "of inertias that are not symmetric only the upper triangle is kept";
            self.losses.add(what, name);
        }
        self.line(2, "<inertial>\n");
        let com = inertia.com.coords;
        if com.iter().any(|x| *x != 0.0) {
            self.element(3, "pose", &format!("{} 0 0 0", numbers(&com)));
        }
        self.element(3, "mass", &number(inertia.mass));
        self.line(3, "<inertia>\n");
        let moments = [
            ("ixx", m.m11),
            ("ixy", m.m12),
            ("ixz", m.m13),
            ("iyy", m.m22),
            ("iyz", m.m23),
            ("izz", m.m33),
        ];
        for (name, moment) in moments {
            self.element(4, name, &number(moment));
        }
        self.line(3, "</inertia>\n");
        self.line(2, "</inertial>\n");
    }

    /// Writes a pose; nothing for the identity of what is around.
    pub(super) fn pose(
        &mut self,
        depth: usize,
        pose: &Pose,
        relative_to: Option<&str>,
        owner: &str,
    ) {
        let relative_to = relative_to.filter(|name| *name != "__model__");
        if relative_to.is_none() && *pose == Pose::identity() {
            return;
        }
        let (angles, off) = rpy(&pose.rotation);
        if off > 1e-9 {
            let most = 10_f64.powf(off.log10().ceil());
            let what = format!(
                "matrices that are no rotations to the last digit change by up to {most:.0e} rad"
            );
            self.losses.add(what, owner);
        }
        let tag = Tag::new("pose").maybe("relative_to", relative_to).open();
        let tag = tag.trim_end();
        let position = numbers(&pose.translation.vector);
        self.line(
            depth,
            &format!("{tag}{position} {}</pose>\n", numbers(&angles)),
        );
    }

    /// Writes a shape.
    pub(super) fn solid(&mut self, solid: Solid<'_>, names: &mut Names) {
        let Solid { tag, owner, .. } = solid;
        let parts = pieces(solid.geometry, &solid.pose, owner, &mut self.losses);
        for Piece { form, pose } in parts {
            if let Form::Mesh(mesh) = form
                && matches!(mesh.shape(), Shape::Hull(_))
            {
                self.losses.add("convex hulls are written as meshes", owner);
            }
            let file = match form {
                Form::Mesh(mesh) => match self.output.shape(mesh, owner) {
                    Some(file) => Some(self.output.beside(&file)),
                    None => continue,
                },
                _ => None,
            };
            let name = names.unique(solid.name, &format!("{owner}_{tag}"));
            self.line(2, &Tag::new(tag).word("name", &name).open());
            self.pose(3, &pose, None, owner);
            self.line(3, "<geometry>\n");
            let (kind, fields): (&str, Vec<(&str, String)>) = match form {
                Form::Box(size) => ("box", vec![("size", numbers(&size))]),
                Form::Sphere(radius) => ("sphere", vec![("radius", number(radius))]),
                Form::Cylinder { radius, length } => round("cylinder", radius, length),
                Form::Capsule { radius, length } => round("capsule", radius, length),
                Form::Ellipsoid(radii) => ("ellipsoid", vec![("radii", numbers(&radii))]),
                Form::Mesh(_) => ("mesh", vec![("uri", file.unwrap_or_default())]),
            };
            self.line(4, &format!("<{kind}>\n"));
            for (name, value) in fields {
                self.element(5, name, &value);
            }
            self.line(4, &format!("</{kind}>\n"));
            self.line(3, "</geometry>\n");
            self.surface(solid);
            self.line(2, &format!("</{tag}>\n"));
        }
    }

    /// Writes colour and friction.
    fn surface(&mut self, solid: Solid<'_>) {
        if let Some(appearance) = solid.appearance {
            if appearance.texture.is_some() {
                self.losses.add("textures are not kept", solid.owner);
            }
            match appearance.color {
                Some(_) if solid.tag != "visual" => {
                    self.losses
                        .add("colours of collision shapes are not kept", solid.owner);
                }
                Some(color) => {
                    self.line(3, "<material>\n");
                    for name in ["ambient", "diffuse"] {
                        self.element(4, name, &numbers(&color));
                    }
                    self.line(3, "</material>\n");
                }
                None => {}
            }
        }
        if let Some(friction) = solid.friction {
            self.line(3, "<surface>\n");
            self.line(4, "<friction>\n");
            self.line(5, "<ode>\n");
            self.element(6, "mu", &number(friction));
            self.line(5, "</ode>\n");
            self.line(4, "</friction>\n");
            self.line(3, "</surface>\n");
        }
    }
}

fn round(
    kind: &'static str,
    radius: f64,
    length: f64,
) -> (&'static str, Vec<(&'static str, String)>) {
    let fields = vec![("radius", number(radius)), ("length", number(length))];
    (kind, fields)
}
