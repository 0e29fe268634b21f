//! A world as triangles to draw: each mesh once, its materials, and the bodies that carry it. Layer 5.

mod body;
pub(crate) mod light;
mod mesh;

use std::collections::{BTreeSet, HashMap};

pub(crate) use body::{Body, Drawn};
pub(crate) use mesh::SceneMesh;

use crate::Pose;
use crate::geometry::{Appearance, Geometry, Shape};
use crate::robot::Element;
use crate::world::WorldModel;

/// What a picture of a world consists of.
#[derive(Debug, Default)]
pub(crate) struct Scene {
    /// Each shape once.
    pub(crate) meshes: Vec<SceneMesh>,
    /// Each colour once.
    pub(crate) materials: Vec<Material>,
    /// Links in the order of robots and links, then rigid objects, then terrains.
    pub(crate) bodies: Vec<Body>,
    /// Shapes without a surface, and textures, which are not drawn.
    pub(crate) left_out: Vec<String>,
    /// Names of textures, each once.
    textures: BTreeSet<String>,
    detail: Detail,
    /// The mesh of each shape, by its identity; `None` if it cannot be drawn.
    known: HashMap<usize, Option<usize>>,
}

/// Triangles of round shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Detail {
    /// Those of [`Geometry::to_mesh`].
    #[default]
    Exact,
    /// Twice as many sides, to look at.
    Fine,
}

/// Colour of a surface.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Material {
    pub(crate) name: String,
    /// Red, green, blue, opacity from 0 to 1, as screens show them.
    pub(crate) color: [f64; 4],
}

/// Colours of what has none of its own.
const LINK: [f64; 4] = [0.80, 0.81, 0.83, 1.0];
const OBJECT: [f64; 4] = [0.42, 0.60, 0.47, 1.0];
const TERRAIN: [f64; 4] = [0.72, 0.69, 0.64, 1.0];

impl Scene {
    /// The scene of a world; with `collision` also the shapes that collide.
    pub(crate) fn new(world: &WorldModel, detail: Detail, collision: bool) -> Self {
        let mut scene = Self {
            detail,
            ..Self::default()
        };
        for robot in world.robots() {
            for link in robot.links() {
                let model = link.model();
                let label = link.name();
                let visual = match model.visual() {
                    [] => model.collision(),
                    visual => visual,
                };
                let mut body = Body::new(link.entity(), label, link.pose());
                body.visual = scene.elements(visual, LINK, label);
                if collision {
                    body.collision = scene.elements(model.collision(), LINK, label);
                }
                scene.bodies.push(body);
            }
        }
        for (id, object) in world.rigid_objects() {
            let mut body = Body::new(id.into(), &object.name, object.pose);
            scene.whole(&mut body, object.geometry.as_ref(), OBJECT, collision);
            scene.bodies.push(body);
        }
        for (id, terrain) in world.terrains() {
            let mut body = Body::new(id.into(), &terrain.name, Pose::identity());
            scene.whole(&mut body, terrain.geometry.as_ref(), TERRAIN, collision);
            scene.bodies.push(body);
        }
        scene.report_textures();
        scene
    }

    /// The shape of a body that has a single one.
    fn whole(
        &mut self,
        body: &mut Body,
        shape: Option<&Geometry>,
        color: [f64; 4],
        collision: bool,
    ) {
        let Some(shape) = shape else {
            return;
        };
        let material = self.material("", color);
        let name = body.name.clone();
        self.add(
            &mut body.visual,
            (shape, Pose::identity()),
            (material, false),
            &name,
        );
        if collision {
            body.collision.clone_from(&body.visual);
        }
    }

    fn elements(&mut self, elements: &[Element], color: [f64; 4], label: &str) -> Vec<Drawn> {
        let mut drawn = Vec::new();
        for element in elements {
            let own = element.appearance.as_ref();
            self.note_texture(own);
            let own = own.and_then(|own| Some((own, own.color?)));
            let material = match own {
                Some((Appearance { name, .. }, color)) => self.material(name, color),
                None => self.material("", color),
            };
            let placed = (&element.geometry, element.placement);
            self.add(&mut drawn, placed, (material, own.is_some()), label);
        }
        drawn
    }

    /// Adds a shape, member by member, with a material that replaces those of the mesh if it `covers` them.
    fn add(
        &mut self,
        drawn: &mut Vec<Drawn>,
        (shape, placement): (&Geometry, Pose),
        (material, covers): (usize, bool),
        label: &str,
    ) {
        if let Shape::Group(members) = shape.shape() {
            for (pose, member) in members {
                let placed = (member, placement * pose);
                self.add(drawn, placed, (material, covers), label);
            }
            return;
        }
        let (identity, detail) = (shape.shape_identity(), self.detail);
        let known = match self.known.get(&identity) {
            Some(&known) => known,
            None => {
                let made = SceneMesh::of(shape, detail, |own| self.material_of(own));
                let known = match made {
                    Ok(mesh) => {
                        self.meshes.push(mesh);
                        Some(self.meshes.len() - 1)
                    }
                    Err(problem) => {
                        self.left_out.push(format!("`{label}`: {problem}"));
                        None
                    }
                };
                self.known.insert(identity, known);
                known
            }
        };
        if let Some(mesh) = known {
            drawn.push(Drawn {
                mesh,
                placement,
                material,
                covers,
            });
        }
    }

    /// Index of the material of an appearance; none without a colour.
    fn material_of(&mut self, own: &Appearance) -> Option<usize> {
        self.note_texture(Some(own));
        own.color.map(|color| self.material(&own.name, color))
    }

    fn note_texture(&mut self, own: Option<&Appearance>) {
        if let Some(texture) = own.and_then(|own| own.texture.as_ref()) {
            self.textures.insert(texture.clone());
        }
    }

    /// Says which textures there are: plain colours are drawn instead.
    fn report_textures(&mut self) {
        let textures = std::mem::take(&mut self.textures);
        let few: Vec<String> = textures
            .iter()
            .take(3)
            .map(|name| format!("`{name}`"))
            .collect();
        let few = few.join(", ");
        let note = match textures.len() {
            0 => return,
            1 => format!("the texture {few}: plain colours are in its place"),
            n @ ..=3 => format!("{n} textures ({few}): plain colours are in their place"),
            n => format!(
                "{n} textures ({few} and {} more): plain colours are in their place",
                n - 3
            ),
        };
        self.left_out.push(note);
    }

    fn material(&mut self, name: &str, color: [f64; 4]) -> usize {
        let new = Material {
            name: name.to_owned(),
            color: color.map(|c| c.clamp(0.0, 1.0)),
        };
        let known = self.materials.iter().position(|known| *known == new);
        known.unwrap_or_else(|| {
            self.materials.push(new);
            self.materials.len() - 1
        })
    }
}
