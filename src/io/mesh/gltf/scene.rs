//! Depth-first traversal of the nodes of a scene.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use nalgebra::{Matrix4, Quaternion, UnitQuaternion};

use super::accessor::Buffers;
use super::material;
use super::primitive::{Part, part};
use crate::Diagnostic;
use crate::io::json::Node;
use crate::io::mesh::found::{Budget, Triangles};

/// Triangles of a scene, collected node by node.
pub(super) struct Scene<'a, 'b> {
    root: Node<'a>,
    buffers: &'b mut Buffers<'a>,
    found: Triangles,
    meshes: HashMap<usize, Rc<Vec<Part>>>,
    materials: HashMap<usize, usize>,
    budget: Budget,
}

/// Work left to do.
enum Step<'a> {
    Enter(Node<'a>, Matrix4<f64>),
    Leave(usize),
}

/// Rotation from y up to z up: (x, y, z) becomes (x, −z, y).
const Z_UP: Matrix4<f64> = Matrix4::new(
    1.0, 0.0, 0.0, 0.0, //
    0.0, 0.0, -1.0, 0.0, //
    0.0, 1.0, 0.0, 0.0, //
    0.0, 0.0, 0.0, 1.0,
);

impl<'a, 'b> Scene<'a, 'b> {
    pub(super) fn new(root: Node<'a>, buffers: &'b mut Buffers<'a>) -> Self {
        Self {
            root,
            buffers,
            found: Triangles::default(),
            meshes: HashMap::new(),
            materials: HashMap::new(),
            budget: Budget::default(),
        }
    }

    /// Returns the collected triangles.
    pub(super) fn finish(self) -> Triangles {
        self.found
    }

    /// Collects the geometry of all nodes of the scene.
    pub(super) fn walk(&mut self) -> Result<(), Diagnostic> {
        let mut steps: Vec<Step<'a>> = Vec::new();
        for scene in self.scenes()? {
            for node in scene.list("nodes")? {
                steps.push(Step::Enter(node, Z_UP));
            }
        }
        steps.reverse();
        let mut open = HashSet::new();
        while let Some(step) = steps.pop() {
            let (reference, placement) = match step {
                Step::Enter(reference, placement) => (reference, placement),
                Step::Leave(index) => {
                    open.remove(&index);
                    continue;
                }
            };
            let node = reference.in_list(&self.root, "nodes")?;
            let index = reference.index()?;
            if !open.insert(index) {
                return Err(node.error("contains itself"));
            }
            self.budget.node().map_err(|problem| node.error(&problem))?;
            steps.push(Step::Leave(index));
            let placement = placement * transform(&node)?;
            if let Some(mesh) = node.member("mesh") {
                self.add(&node, &mesh, &placement)?;
            }
            let children = node.list("children")?.into_iter().rev();
            steps.extend(children.map(|child| Step::Enter(child, placement)));
        }
        Ok(())
    }

    /// The default scene; the first one if the file names none.
    fn scenes(&self) -> Result<Vec<Node<'a>>, Diagnostic> {
        if let Some(index) = self.root.member("scene") {
            return Ok(vec![index.in_list(&self.root, "scenes")?]);
        }
        let first = self.root.list("scenes")?.into_iter().next();
        let missing = || self.root.error("the file has no scene");
        Ok(vec![first.ok_or_else(missing)?])
    }

    /// Adds the triangles of a mesh with a transform.
    fn add(
        &mut self,
        node: &Node<'a>,
        reference: &Node<'a>,
        placement: &Matrix4<f64>,
    ) -> Result<(), Diagnostic> {
        let index = reference.index()?;
        let parts = match self.meshes.get(&index) {
            Some(parts) => {
                let size = |part: &Part| part.points.len() + part.triangles.len();
                let copied = self.budget.copy(parts.iter().map(size).sum());
                copied.map_err(|problem| node.error(&problem))?;
                Rc::clone(parts)
            }
            None => {
                let mesh = reference.in_list(&self.root, "meshes")?;
                let mut parts = Vec::new();
                for primitive in mesh.list("primitives")? {
                    parts.extend(part(&primitive, self.buffers)?);
                }
                let parts = Rc::new(parts);
                self.meshes.insert(index, Rc::clone(&parts));
                parts
            }
        };
        let is_mirrored = placement.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
        for part in parts.iter() {
            self.found.append(
                &part.points,
                &part.colors,
                &part.triangles,
                placement,
                is_mirrored,
            );
            if let Some(index) = part.material {
                let material = self.material(index)?;
                let end = self.found.triangles.len();
                let start = end - part.triangles.len();
                self.found.materials.extend(start..end, material);
            }
        }
        Ok(())
    }

    /// Index of a material among those collected, added if it is new.
    fn material(&mut self, index: usize) -> Result<usize, Diagnostic> {
        if let Some(&number) = self.materials.get(&index) {
            return Ok(number);
        }
        let Some(node) = self.root.item("materials", index) else {
            let message = format!("there is no {index} in `materials`");
            return Err(self.root.error(&message));
        };
        let appearance = material::appearance(&self.root, &node)?;
        self.found.materials.materials.push(appearance);
        let number = self.found.materials.materials.len() - 1;
        self.materials.insert(index, number);
        Ok(number)
    }
}

/// The matrix of a node, or its translation, rotation and scale.
fn transform(node: &Node<'_>) -> Result<Matrix4<f64>, Diagnostic> {
    if let Some(matrix) = node.member("matrix") {
        return Ok(Matrix4::from_column_slice(&matrix.numbers::<16>()?));
    }
    let mut map = Matrix4::identity();
    if let Some(translation) = node.member("translation") {
        map *= Matrix4::new_translation(&translation.numbers::<3>()?.into());
    }
    if let Some(rotation) = node.member("rotation") {
        let [x, y, z, w] = rotation.numbers()?;
        let Some(turn) = UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 0.0) else {
            return Err(rotation.error("is not a rotation: all its numbers are 0"));
        };
        map *= turn.to_homogeneous();
    }
    if let Some(scale) = node.member("scale") {
        map *= Matrix4::new_nonuniform_scaling(&scale.numbers::<3>()?.into());
    }
    Ok(map)
}
