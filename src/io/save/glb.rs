//! Writer of worlds as binary glTF 2: a mesh once, a node per link, rigid object and terrain.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::buffer::{Buffer, put};
use crate::geometry::MeshMaterials;
use crate::io::SaveOptions;
use crate::io::mesh::to_light;
use crate::io::output::Target;
use crate::math::{Pose, Vector, so3};
use crate::robot::LinkMotion;
use crate::scene::{Body, Drawn, Scene};
use crate::world::{EntityId, RobotRef, WorldModel};
use crate::{Diagnostic, LoadError, Result};

/// Writes a world to a `.glb`, and returns warnings about shapes that it cannot hold.
pub(super) fn save(
    world: &WorldModel,
    path: &Path,
    options: &SaveOptions,
) -> Result<Vec<Diagnostic>> {
    let write = || {
        let target = Target::of(path, options)?;
        let scene = Scene::new(world, false);
        let bytes = Writer::new(&scene).world(world);
        let bytes = bytes.map_err(|problem| Diagnostic::error(problem).in_file(path))?;
        target.write(&bytes)?;
        Ok(scene.left_out)
    };
    let left_out = write().map_err(|error: Diagnostic| LoadError::from(error))?;
    let warning = |lost| Diagnostic::warning(format!("not kept: {lost}")).in_file(path);
    Ok(left_out.into_iter().map(warning).collect())
}

struct Writer<'a> {
    scene: &'a Scene,
    buffer: Buffer,
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    /// Attributes and indices of each mesh of the scene, once they are written.
    parts: Vec<Option<Parts>>,
    /// The mesh of a file for a mesh of the scene and the material that it is drawn with.
    drawn: HashMap<(usize, usize, bool), usize>,
}

/// What all meshes of a file share that show the same mesh of the scene.
#[derive(Clone)]
struct Parts {
    attributes: Value,
    /// Indices of each run of triangles, and its own material.
    runs: Vec<(usize, Option<usize>)>,
}

impl<'a> Writer<'a> {
    fn new(scene: &'a Scene) -> Self {
        Self {
            scene,
            buffer: Buffer::default(),
            nodes: Vec::new(),
            meshes: Vec::new(),
            parts: vec![None; scene.meshes.len()],
            drawn: HashMap::new(),
        }
    }

    fn world(mut self, world: &WorldModel) -> std::result::Result<Vec<u8>, String> {
        // z up becomes y up
        let half = std::f64::consts::FRAC_1_SQRT_2;
        self.nodes
            .push(json!({ "name": "world", "rotation": [-half, 0.0, 0.0, half] }));
        let mut children = Vec::new();
        for robot in world.robots() {
            children.push(self.robot(robot));
        }
        let scene = self.scene;
        for body in &scene.bodies {
            if !matches!(body.entity, EntityId::Link(..)) {
                let node = placed(&body.name, &body.pose);
                children.push(self.body(node, body));
            }
        }
        add_children(self.nodes.first_mut(), children);
        let color = |color: [f64; 4]| {
            let [r, g, b, a] = color;
            [to_light(r), to_light(g), to_light(b), a]
        };
        let materials = scene.materials.iter().map(|material| {
            let mut value = json!({
                "doubleSided": true,
                "pbrMetallicRoughness": {
                    "baseColorFactor": color(material.color),
                    "metallicFactor": 0.0,
                    "roughnessFactor": 0.7,
                },
            });
            if !material.name.is_empty() {
                put(&mut value, "name", json!(material.name));
            }
            if material.color[3] < 1.0 {
                put(&mut value, "alphaMode", json!("BLEND"));
            }
            value
        });
        let document = json!({
            "asset": { "version": "2.0", "generator": concat!("kinworld ", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [{ "nodes": [0] }],
            "nodes": self.nodes,
        });
        let mut document = match document {
            Value::Object(document) => document,
            _ => Map::new(),
        };
        // empty lists are not allowed
        if !self.meshes.is_empty() {
            document.insert("meshes".to_owned(), self.meshes.into());
            document.insert("materials".to_owned(), materials.collect());
        }
        self.buffer.into_glb(document)
    }

    /// Adds a robot, a node per link below that of its parent; returns the index of its node.
    fn robot(&mut self, robot: RobotRef<'_>) -> usize {
        let top = self.add(json!({ "name": robot.name() }));
        let scene = self.scene;
        let bodies = scene.bodies.iter();
        let mut bodies =
            bodies.filter(|body| matches!(body.entity, EntityId::Link(id, _) if id == robot.id()));
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); robot.n_links()];
        let mut of_top = Vec::new();
        let mut links = Vec::new();
        for (i, link) in robot.links().enumerate() {
            let model = link.model();
            let q = model
                .dof()
                .and_then(|dof| robot.config().get(dof.index()).copied());
            let pose = model.placement() * model.motion().pose(q.unwrap_or(0.0));
            let mut node = placed(model.name(), &pose);
            put(&mut node, "extras", extras(robot, i));
            if let Some(body) = bodies.next() {
                links.push(self.body(node, body));
            } else {
                links.push(self.add(node));
            }
            match model.parent() {
                Some(parent) => {
                    if let Some(of_parent) = children.get_mut(parent.index()) {
                        of_parent.extend(links.last());
                    }
                }
                None => of_top.extend(links.last()),
            }
        }
        for (node, children) in links.into_iter().zip(children) {
            add_children(self.nodes.get_mut(node), children);
        }
        add_children(self.nodes.get_mut(top), of_top);
        top
    }

    /// Adds the node of a body, with a child per shape; returns its index.
    fn body(&mut self, node: Value, body: &Body) -> usize {
        let index = self.add(node);
        let mut children = Vec::new();
        for drawn in &body.visual {
            let mesh = self.mesh(drawn);
            let mut node = placed("", &drawn.placement);
            put(&mut node, "mesh", json!(mesh));
            children.push(self.add(node));
        }
        add_children(self.nodes.get_mut(index), children);
        index
    }

    fn add(&mut self, node: Value) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Index of the mesh for a shape: one per material that it is drawn with, on the same numbers.
    fn mesh(&mut self, drawn: &Drawn) -> usize {
        let key = (drawn.mesh, drawn.material, drawn.covers);
        if let Some(&known) = self.drawn.get(&key) {
            return known;
        }
        let parts = self.parts(drawn.mesh);
        let primitive = |(indices, own): &(usize, Option<usize>)| {
            let own = own.filter(|_| !drawn.covers);
            json!({
                "attributes": parts.attributes,
                "indices": indices,
                "material": own.unwrap_or(drawn.material),
            })
        };
        let mut primitives: Vec<Value> = parts.runs.iter().map(primitive).collect();
        if primitives.is_empty() {
            // points
            primitives.push(json!({
                "attributes": parts.attributes,
                "material": drawn.material,
                "mode": 0,
            }));
        }
        self.meshes.push(json!({ "primitives": primitives }));
        self.drawn.insert(key, self.meshes.len() - 1);
        self.meshes.len() - 1
    }

    fn parts(&mut self, index: usize) -> Parts {
        if let Some(Some(known)) = self.parts.get(index) {
            return known.clone();
        }
        let scene = self.scene;
        let Some(of_scene) = scene.meshes.get(index) else {
            return Parts {
                attributes: json!({}),
                runs: Vec::new(),
            };
        };
        let mesh = &of_scene.mesh;
        let mut attributes = json!({ "POSITION": self.buffer.positions(mesh.vertices()) });
        let colors = mesh
            .materials()
            .map(|materials: &MeshMaterials| materials.vertex_colors.as_slice());
        if let Some(colors) = colors.filter(|colors| !colors.is_empty()) {
            let color = |&[r, g, b, a]: &[f32; 4]| {
                let [r, g, b] = [r, g, b].map(|c| to_light(f64::from(c)));
                [r, g, b, f64::from(a)]
            };
            put(
                &mut attributes,
                "COLOR_0",
                json!(self.buffer.colors(colors.iter().map(color))),
            );
        }
        let triangles = mesh.triangles();
        let runs = of_scene.runs.iter().map(|(run, own)| {
            let run = triangles.get(run.clone()).unwrap_or_default();
            (self.buffer.indices(run, mesh.vertices().len()), *own)
        });
        let parts = Parts {
            attributes,
            runs: runs.collect(),
        };
        if let Some(slot) = self.parts.get_mut(index) {
            *slot = Some(parts.clone());
        }
        parts
    }
}

/// A node with a pose.
fn placed(name: &str, pose: &Pose) -> Value {
    let mut node = json!({});
    if !name.is_empty() {
        put(&mut node, "name", json!(name));
    }
    let translation: [f64; 3] = pose.translation.vector.into();
    if pose.translation.vector != Vector::zeros() {
        put(&mut node, "translation", json!(translation));
    }
    if *pose.rotation.matrix() != nalgebra::Matrix3::identity() {
        put(&mut node, "rotation", json!(so3::to_xyzw(&pose.rotation)));
    }
    node
}

/// The joint of a link, for programs that move it.
fn extras(robot: RobotRef<'_>, index: usize) -> Value {
    let model = robot.model();
    let Some(link) = model.links().get(index) else {
        return Value::Null;
    };
    let mut extras = json!({ "mass": link.inertia().mass });
    let (Some(dof), Some(axis)) = (link.dof(), link.motion().axis()) else {
        return extras;
    };
    let mut joint = json!({
        "name": model.dof_name(dof),
        "motion": match link.motion() {
            LinkMotion::Prismatic(_) => "prismatic",
            _ => "revolute",
        },
        "axis": [axis.x, axis.y, axis.z],
        "position": robot.config().get(dof.index()),
    });
    if let Some(limits) = model.limits().get(dof.index()) {
        // an infinite limit is none
        if limits.q_min.is_finite() {
            put(&mut joint, "min", json!(limits.q_min));
        }
        if limits.q_max.is_finite() {
            put(&mut joint, "max", json!(limits.q_max));
        }
    }
    put(&mut extras, "joint", joint);
    extras
}

fn add_children(node: Option<&mut Value>, mut children: Vec<usize>) {
    let Some(node) = node.filter(|_| !children.is_empty()) else {
        return;
    };
    if let Some(more) = node.get("children").and_then(Value::as_array) {
        let known = more.iter().filter_map(Value::as_u64);
        let known = known.filter_map(|index| usize::try_from(index).ok());
        children.splice(0..0, known.collect::<Vec<_>>());
    }
    put(node, "children", json!(children));
}
