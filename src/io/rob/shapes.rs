//! The shapes of a `.rob`.

use std::collections::HashMap;

use nalgebra::Matrix4;

use super::build::Build;
use crate::geometry::Geometry;
use crate::io::is_robot;
use crate::io::position::Position;
use crate::io::resolve::Referrer;
use crate::io::rows::pose_from_rows;
use crate::math::Pose;
use crate::robot::Element;
use crate::{LoadError, MissingGeometry};

impl Build<'_, '_> {
    /// Gives each link its shape: loaded, then scaled, with its margin, then transformed.
    pub(super) fn add_shapes(&mut self) -> Result<(), LoadError> {
        let doc = self.doc;
        let names = doc.geometry.items.iter().map(|item| item.value);
        let mounted = doc.mounts.iter().map(|line| line.file.text);
        let files = names.chain(mounted.filter(|name| !is_robot(name)));
        self.ctx.read_ahead(Referrer::new(self.path), files);
        // a mesh that several links have in one size is scaled once
        let mut scaled_shapes: HashMap<(&str, u64), Geometry> = HashMap::new();
        for (i, item) in doc.geometry.items.iter().enumerate() {
            let scale = doc.geom_scale.get_or_only(i);
            let size = scale.map_or(1.0, |item| item.value);
            let key = (item.value, size.to_bits());
            let mut shape = match scaled_shapes.get(&key) {
                Some(shape) => shape.clone(),
                None => {
                    let Some(mut shape) = self.shape(item.value, item.position)? else {
                        if !item.value.is_empty() {
                            self.miss_shape(i);
                        }
                        continue;
                    };
                    if size == 0.0 {
                        let position = scale.map_or(item.position, |item| item.position);
                        return Err(self.error(position, "`geomscale` cannot be 0").into());
                    }
                    if let Some(scale) = scale
                        && (size - 1.0).abs() > 0.0
                    {
                        let scaled = self.ctx.moved(&shape, &Matrix4::new_scaling(size));
                        shape = scaled.map_err(|error| self.refused(scale.position, error))?;
                    }
                    scaled_shapes.insert(key, shape.clone());
                    shape
                }
            };
            if let Some(margin) = doc.geom_margin.get_or_only(i) {
                let wider = shape.with_margin(margin.value);
                shape = wider.map_err(|error| self.refused(margin.position, error))?;
            }
            self.add_shape(i, Element::new(shape));
        }
        for (word, numbers) in &doc.geom_transforms {
            let link = self.link(word)?.index();
            let map = Matrix4::from_row_slice(numbers);
            let spec = self.robot.links.get(link);
            let Some(element) = spec.and_then(|spec| spec.collision.first()) else {
                if self.ctx.options().load_geometry {
                    let message = format!("link {link} has no geometry to transform");
                    self.warn(
                        word.position,
                        message,
                        "remove the line, or give the link a geometry",
                    );
                }
                continue;
            };
            let moved = element.geometry.transformed(&map);
            let moved = moved.map_err(|error| self.refused(word.position, error))?;
            let spec = self.robot.links.get_mut(link).expect("it has an element");
            spec.collision.clear();
            spec.visual.clear();
            self.add_shape(link, Element::new(moved));
        }
        Ok(())
    }

    /// Adds the mounted shapes to those of their links.
    pub(super) fn mount_shapes(&mut self) -> Result<(), LoadError> {
        for line in &self.doc.mounts {
            if is_robot(line.file.text) {
                continue;
            }
            let Some(link) = self.link_or_world(&line.link)? else {
                let message = "a shape cannot be mounted on the world";
                let error = self.error(line.link.position, message);
                return Err(error
                    .help("mount it on a link, or make it a terrain")
                    .into());
            };
            let placement = match line.transform {
                Some(rows) => pose_from_rows(&rows.value),
                None => Pose::identity(),
            };
            if let Some(shape) = self.shape(line.file.text, line.file.position)? {
                self.add_shape(link.index(), Element::placed(shape, placement));
            } else if !line.file.text.is_empty() {
                self.miss_shape(link.index());
            }
        }
        Ok(())
    }

    /// Adds a shape to a link, for collision and display.
    fn add_shape(&mut self, link: usize, element: Element) {
        let link = self.robot.links.get_mut(link);
        let link = link.expect("the caller knows the link");
        link.visual.push(element.clone());
        link.collision.push(element);
    }

    /// Notes that a shape of a link is not loaded.
    fn miss_shape(&mut self, link: usize) {
        let link = self.robot.links.get_mut(link);
        let link = link.expect("the caller knows the link");
        link.missing_geometry = Some(MissingGeometry::NotLoaded);
    }

    /// The shape in the file of a name.
    fn shape(&mut self, name: &str, position: Position) -> Result<Option<Geometry>, LoadError> {
        let shape = self.ctx.geometry(Referrer::new(self.path), name);
        shape.map_err(|error| {
            error
                .named_at(self.path, position.line, position.column)
                .into()
        })
    }
}
