//! Worlds with convex hulls or convex parts for collision.

use std::collections::HashMap;

use super::{RigidObject, WorldModel};
use crate::Result;
use crate::geometry::{Geometry, PartOptions, Shape};
use crate::robot::RobotBuilder;
use crate::threads;

impl WorldModel {
    /// The same world with each mesh and point cloud of its links and rigid objects replaced by its convex hull.
    ///
    /// Hulls are solid and contain the shapes that they replace, so what is free with them is free without them. Primitives
    /// stay, and so do terrains, whose hulls would fill the free space. Members of a group get a hull each; flat
    /// shapes, which have none, stay as they are. Handles, poses and configurations are the same. Each shape gets its hull
    /// once, however many links and objects have it, and with the feature `parallel` on all threads of rayon's current pool,
    /// with the same result; [`LoadOptions::hulls`](crate::io::LoadOptions::hulls) does so while a file loads.
    ///
    /// # Errors
    ///
    /// As [`RobotBuilder::build`], which checks each robot again.
    pub fn with_hulls(&self) -> Result<Self> {
        let hulls = Replacements::hulls(self.collision_shapes());
        self.with_shapes(|shape| hulls.of(shape))
    }

    /// The same world with each mesh of its links and rigid objects replaced by convex parts: see
    /// [`Geometry::to_convex_parts`].
    ///
    /// They replace meshes as [hulls](Self::with_hulls) do, but do not fill concavities such as the bend of a link. A mesh
    /// that cannot be decomposed gets its hull. Each shape is decomposed once, however many links and objects have it, and with the feature `parallel` on all threads of rayon's current pool, with the same result. A mesh of ten
    /// thousand triangles takes about a second.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) for options out of range, and as [`RobotBuilder::build`].
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::WorldModel;
    /// use kinworld::geometry::PartOptions;
    /// use kinworld::world::{PairFilter, WorldCollider};
    ///
    /// let world = WorldModel::load("data/robots/arm6.urdf")?.value;
    /// let parts = world.with_convex_parts(&PartOptions::default())?;
    /// let collider = WorldCollider::new(&parts, &PairFilter::default())?;
    /// assert_eq!(collider.first_collision(), None);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn with_convex_parts(&self, options: &PartOptions) -> Result<Self> {
        options.check()?;
        let cut = |shape: &Geometry| {
            let hulls = shape.convex_hulls(options);
            let hulls = hulls.or_else(|_| shape.to_hull().map(|hull| vec![hull]));
            hulls.ok().map(Geometry::of_hulls)
        };
        let parts = Replacements::new(self.collision_shapes(), cut);
        self.with_shapes(|shape| parts.of(shape))
    }

    /// The collision shapes of links and rigid objects.
    fn collision_shapes(&self) -> impl Iterator<Item = &Geometry> {
        let links = self
            .robots
            .iter()
            .flat_map(|(_, placed)| placed.robot.links());
        let elements = links.flat_map(|link| link.collision());
        let objects = self.rigid_objects();
        let objects = objects.filter_map(|(_, object)| object.geometry.as_ref());
        elements.map(|element| &element.geometry).chain(objects)
    }

    /// The same world with replacements for the meshes and clouds of links and rigid objects, where there are any.
    fn with_shapes(&self, other: impl Fn(&Geometry) -> Option<Geometry>) -> Result<Self> {
        let mut world = self.clone();
        for robot in self.robots() {
            let mut builder = RobotBuilder::from(&**robot.model());
            replace_in_links(&mut builder, &other)?;
            world.replace_robot(robot.id(), builder.build()?)?;
        }
        for (id, object) in self.rigid_objects() {
            let geometry = object.geometry.as_ref();
            let shape = geometry.map(|g| replaced(g, &other)).transpose()?;
            world.rigid_object_mut(id)?.object.geometry = shape;
        }
        Ok(world)
    }
}

/// A shape with replacements for its meshes and clouds.
fn replaced(
    geometry: &Geometry,
    other: &impl Fn(&Geometry) -> Option<Geometry>,
) -> Result<Geometry> {
    let shape = match geometry.shape() {
        Shape::Primitive(_) | Shape::Hull(_) => return Ok(geometry.clone()),
        Shape::Mesh(_) | Shape::Cloud(_) => match other(geometry) {
            Some(shape) => shape,
            None => return Ok(geometry.clone()),
        },
        Shape::Group(members) => {
            let members = members
                .iter()
                .map(|(pose, member)| Ok((*pose, replaced(member, other)?)));
            Geometry::group(members.collect::<Result<_>>()?)
        }
    };
    shape.with_margin(geometry.margin())
}

/// Replaces the shapes of the links of a robot as [`WorldModel::with_hulls`] does.
pub(crate) fn hull_links(builder: &mut RobotBuilder) -> Result<()> {
    let elements = builder.links.iter().flat_map(|link| &link.collision);
    let hulls = Replacements::hulls(elements.map(|element| &element.geometry));
    replace_in_links(builder, &|shape| hulls.of(shape))
}

/// Replaces the shape of an object as [`WorldModel::with_hulls`] does.
pub(crate) fn hull_object(object: &mut RigidObject) -> Result<()> {
    let hulls = Replacements::hulls(&object.geometry);
    let geometry = object.geometry.as_ref();
    object.geometry = geometry
        .map(|geometry| replaced(geometry, &|shape| hulls.of(shape)))
        .transpose()?;
    Ok(())
}

fn replace_in_links(
    builder: &mut RobotBuilder,
    other: &impl Fn(&Geometry) -> Option<Geometry>,
) -> Result<()> {
    for link in &mut builder.links {
        for element in &mut link.collision {
            element.geometry = replaced(&element.geometry, other)?;
        }
    }
    Ok(())
}

/// Replacements of meshes and clouds, computed once for each.
struct Replacements(HashMap<(usize, bool), Option<Geometry>>);

impl Replacements {
    fn new<'a>(
        shapes: impl IntoIterator<Item = &'a Geometry>,
        make: impl Fn(&Geometry) -> Option<Geometry> + Sync,
    ) -> Self {
        let mut each_once = HashMap::new();
        for shape in shapes {
            gather(shape, &mut each_once);
        }
        let each_once: Vec<_> = each_once.into_iter().collect();
        let made = threads::map(&each_once, &|_, (_, shape)| make(shape));
        let keys = each_once.iter().map(|(key, _)| *key);
        Self(keys.zip(made).collect())
    }

    fn hulls<'a>(shapes: impl IntoIterator<Item = &'a Geometry>) -> Self {
        Self::new(shapes, |shape| shape.to_hull().ok().map(Geometry::from))
    }

    fn of(&self, shape: &Geometry) -> Option<Geometry> {
        self.0.get(&key(shape)).cloned().flatten()
    }
}

/// Key of a replacement: the shape, and for parts whether it is solid.
fn key(shape: &Geometry) -> (usize, bool) {
    (shape.shape_identity(), shape.is_solid())
}

/// Collects meshes and clouds.
fn gather(geometry: &Geometry, shapes: &mut HashMap<(usize, bool), Geometry>) {
    match geometry.shape() {
        Shape::Group(members) => members.iter().for_each(|(_, m)| gather(m, shapes)),
        Shape::Mesh(_) | Shape::Cloud(_) => {
            shapes.insert(key(geometry), geometry.clone());
        }
        Shape::Primitive(_) | Shape::Hull(_) => {}
    }
}
