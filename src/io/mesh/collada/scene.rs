//! Depth-first traversal of the nodes of a scene.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use nalgebra::Matrix4;

use super::document::{Document, child, children, descend};
use super::primitive::{Part, parts};
use super::{material, transform};
use crate::Diagnostic;
use crate::geometry::Appearance;
use crate::io::mesh::found::{Budget, Triangles};
use crate::io::xml::Element;

/// Triangles of a scene, collected node by node.
#[derive(Debug)]
pub(super) struct Scene<'a, 'd> {
    document: &'d Document<'a>,
    found: Triangles,
    /// Geometries read so far, by the address of their element.
    read: HashMap<usize, Rc<Vec<Part<'a>>>>,
    /// Indices of materials by the address of their element, and of those known by name only.
    materials: HashMap<usize, usize>,
    named: HashMap<&'a str, usize>,
    budget: Budget,
}

/// Work left to do.
enum Step<'a> {
    Enter(&'a Element, Matrix4<f64>),
    Leave(&'a Element),
}

impl<'a, 'd> Scene<'a, 'd> {
    pub(super) fn new(document: &'d Document<'a>) -> Self {
        Self {
            document,
            found: Triangles::default(),
            read: HashMap::new(),
            materials: HashMap::new(),
            named: HashMap::new(),
            budget: Budget::default(),
        }
    }

    /// Returns the collected triangles.
    pub(super) fn finish(self) -> Triangles {
        self.found
    }

    /// Collects the geometry of all nodes of the scene.
    pub(super) fn walk(&mut self) -> Result<(), Diagnostic> {
        let unit = self.unit()?;
        let roots = self.roots()?;
        let mut steps: Vec<Step<'a>> = Vec::new();
        let mut open = HashSet::new();
        for root in roots.into_iter().rev() {
            steps.push(Step::Enter(root, Matrix4::new_scaling(unit)));
        }
        while let Some(step) = steps.pop() {
            let (node, placement) = match step {
                Step::Enter(node, placement) => (node, placement),
                Step::Leave(node) => {
                    open.remove(&node.span.start);
                    continue;
                }
            };
            if !open.insert(node.span.start) {
                return Err(self.document.error(node, "the node contains itself"));
            }
            self.budget
                .node()
                .map_err(|problem| self.document.error(node, problem))?;
            steps.push(Step::Leave(node));
            let placement = placement * transform::of_node(self.document, node)?;
            let first = steps.len();
            for element in &node.children {
                match element.name.as_str() {
                    "node" => steps.push(Step::Enter(element, placement)),
                    "instance_node" => match self.document.target(element, "url", "node") {
                        Ok(target) => steps.push(Step::Enter(target, placement)),
                        Err(trouble) => self.without(trouble),
                    },
                    "instance_geometry" => match self.document.target(element, "url", "geometry") {
                        Ok(geometry) => self.add(geometry, element, &placement)?,
                        Err(trouble) => self.without(trouble),
                    },
                    "instance_controller" => self.add_controller(element, &placement)?,
                    _ => {}
                }
            }
            // restores the order of the file
            if let Some(children) = steps.get_mut(first..) {
                children.reverse();
            }
        }
        Ok(())
    }

    /// The length of the file's unit in metres.
    fn unit(&self) -> Result<f64, Diagnostic> {
        let unit = descend(self.document.root, &["asset", "unit"]);
        let Some((unit, meter)) = unit.and_then(|unit| Some((unit, unit.attribute("meter")?)))
        else {
            return Ok(1.0);
        };
        let length = meter.value.trim().parse::<f64>().ok();
        let length = length.filter(|x| x.is_finite() && *x > 0.0);
        length.ok_or_else(|| {
            let value = &meter.value;
            let message = format!("the `meter` of <unit> must be a positive number, got `{value}`");
            self.document.error(unit, message)
        })
    }

    /// The scenes to show: the one that the file names, else all of them.
    fn roots(&mut self) -> Result<Vec<&'a Element>, Diagnostic> {
        let root = self.document.root;
        if let Some(instance) = descend(root, &["scene", "instance_visual_scene"]) {
            let scene = self.document.target(instance, "url", "visual_scene")?;
            return Ok(vec![scene]);
        }
        let scenes: Vec<_> = children(root, "library_visual_scenes")
            .flat_map(|library| children(library, "visual_scene"))
            .collect();
        if scenes.is_empty() {
            let message = "the file has no <visual_scene>";
            return Err(self.document.error(root, message));
        }
        let warning = "the file has no <scene>; every <visual_scene> is read";
        self.document.warn(root, warning);
        Ok(scenes)
    }

    /// Warns that the element a reference names is left out.
    fn without(&mut self, trouble: Diagnostic) {
        let message = format!("{}; it is left out of the scene", trouble.message);
        self.document.add(Diagnostic {
            severity: crate::Severity::Warning,
            message,
            ..trouble
        });
    }

    /// Adds skinned or morphing geometry in its bind shape.
    fn add_controller(
        &mut self,
        instance: &'a Element,
        placement: &Matrix4<f64>,
    ) -> Result<(), Diagnostic> {
        let document = self.document;
        let mut at = instance;
        let mut attribute = "url";
        let mut placement = *placement;
        // a controller may deform the result of another one; a longer chain is taken for a cycle
        const LONGEST: usize = 16;
        for _ in 0..LONGEST {
            if let Ok(geometry) = document.target(at, attribute, "geometry") {
                return self.add(geometry, instance, &placement);
            }
            let controller = match document.target(at, attribute, "controller") {
                Ok(controller) => controller,
                Err(trouble) => {
                    self.without(trouble);
                    return Ok(());
                }
            };
            let Some(bent) = child(controller, "skin").or_else(|| child(controller, "morph"))
            else {
                let message = "<controller> has no <skin> and no <morph>";
                return Err(document.error(controller, message));
            };
            if let Some(shape) = child(bent, "bind_shape_matrix") {
                let numbers = document.numbers(shape)?;
                if numbers.len() != 16 {
                    let n = numbers.len();
                    let message = format!("<bind_shape_matrix> needs 16 numbers, got {n}");
                    return Err(document.error(shape, message));
                }
                placement *= Matrix4::from_row_slice(&numbers);
            }
            (at, attribute) = (bent, "source");
        }
        Err(document.error(instance, "the controllers refer to each other in a cycle"))
    }

    /// Adds the triangles of a geometry with a transform.
    fn add(
        &mut self,
        geometry: &'a Element,
        instance: &'a Element,
        placement: &Matrix4<f64>,
    ) -> Result<(), Diagnostic> {
        let key = geometry.span.start;
        let parts = match self.read.get(&key) {
            Some(parts) => {
                let size = |part: &Part<'_>| part.points.len() + part.triangles.len();
                let copied = self.budget.copy(parts.iter().map(size).sum());
                copied.map_err(|problem| self.document.error(instance, problem))?;
                Rc::clone(parts)
            }
            None => {
                let mesh = child(geometry, "mesh");
                let parts = match mesh {
                    Some(mesh) => parts(self.document, mesh)?,
                    None => {
                        let warning = "<geometry> without a <mesh> is ignored";
                        self.document.warn(geometry, warning);
                        Vec::new()
                    }
                };
                let parts = Rc::new(parts);
                self.read.insert(key, Rc::clone(&parts));
                parts
            }
        };
        let linear = placement.fixed_view::<3, 3>(0, 0);
        let is_mirrored = linear.determinant() < 0.0;
        for part in parts.iter() {
            let start = self.found.triangles.len();
            self.found
                .append(&part.points, &[], &part.triangles, placement, is_mirrored);
            if let Some(symbol) = part.material {
                let material = self.material(symbol, instance)?;
                let end = self.found.triangles.len();
                self.found.materials.extend(start..end, material);
            }
        }
        Ok(())
    }

    /// Index of the material that an instance binds to a symbol.
    fn material(&mut self, symbol: &'a str, instance: &'a Element) -> Result<usize, Diagnostic> {
        let is_bound = |bound: &&Element| {
            bound
                .attribute("symbol")
                .is_some_and(|known| known.value == symbol)
        };
        let bound = descend(instance, &["bind_material", "technique_common"])
            .and_then(|binds| children(binds, "instance_material").find(is_bound));
        let material = match bound {
            Some(bound) => match self.document.target(bound, "target", "material") {
                Ok(material) => Some(material),
                Err(trouble) => {
                    self.without(trouble);
                    None
                }
            },
            // many programs write the material's id instead of a symbol
            None => self.document.by_id("material", symbol),
        };
        let materials = &mut self.found.materials.materials;
        let known = match material {
            Some(material) => self.materials.get(&material.span.start),
            None => self.named.get(symbol),
        };
        if let Some(&number) = known {
            return Ok(number);
        }
        materials.push(match material {
            Some(material) => material::appearance(self.document, material)?,
            None => Appearance {
                name: symbol.to_owned(),
                ..Appearance::default()
            },
        });
        let number = materials.len() - 1;
        match material {
            Some(material) => self.materials.insert(material.span.start, number),
            None => self.named.insert(symbol, number),
        };
        Ok(number)
    }
}
