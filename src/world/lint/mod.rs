//! Plausibility checks of a world whose files could all be read.

mod bodies;
mod limits;
mod meshes;
mod pairs;
mod plugins;

use super::{RobotRef, WorldModel};
use crate::Diagnostic;
use crate::geometry::Geometry;
use crate::math::{Inertia, Pose};

impl WorldModel {
    /// Warnings about implausible models, each about an element, without a position in a file.
    ///
    /// | about | warnings |
    /// |---|---|
    /// | bodies | heavier than any material, an inertia much too large or small for the shape, a centre of mass far outside of it |
    /// | limits | a dof that cannot move, angles that look like degrees, a start outside of the limits |
    /// | meshes | very many triangles, holes in what should be solid, sizes that look like millimetres |
    /// | pairs | links that collide where the robot starts, tested pairs that can never touch, or have no shape |
    /// | plugins | those of Gazebo in a URDF, which are kept and not run |
    ///
    /// None of these is an error; they are frequent causes of unstable simulations and failing planners.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::geometry::{Geometry, Primitive};
    /// use kinworld::math::Point;
    /// use kinworld::world::{RigidObject, WorldModel};
    ///
    /// // a sphere of 1 cm radius and 10 kg
    /// let mut ball = RigidObject::new("ball");
    /// ball.geometry = Some(Primitive::sphere(Point::origin(), 0.01)?.into());
    /// ball.inertia.mass = 10.0;
    /// let mut world = WorldModel::new();
    /// world.add_rigid_object(ball)?;
    /// assert!(world.lint()[0].message.contains("heavier than any material"));
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[must_use]
    pub fn lint(&self) -> Vec<Diagnostic> {
        let mut found = Warnings::default();
        for robot in self.robots() {
            lint_robot(robot, &mut found);
        }
        for (_, object) in self.rigid_objects() {
            let label = format!("rigid object `{}`", object.name);
            let shape = object.geometry.as_ref();
            bodies::body(&label, &object.inertia, shape, &mut found);
            meshes::shape(&label, shape, true, &mut found);
        }
        for (_, terrain) in self.terrains() {
            let label = format!("terrain `{}`", terrain.name);
            meshes::shape(&label, terrain.geometry.as_ref(), false, &mut found);
        }
        found.0
    }
}

fn lint_robot(robot: RobotRef<'_>, found: &mut Warnings) {
    let name = robot.name();
    for link in robot.model().links() {
        let label = format!("link `{}` of robot `{name}`", link.name());
        let seen = || link.visual().first().map(|element| &element.geometry);
        bodies::body(&label, link.inertia(), link.shape().or_else(seen), found);
        meshes::shape(&label, link.shape(), true, found);
    }
    limits::limits(robot, found);
    pairs::pairs(robot, found);
    plugins::plugins(robot, found);
}

/// Warnings in the order in which they are found.
#[derive(Debug, Default)]
struct Warnings(Vec<Diagnostic>);

impl Warnings {
    fn add(&mut self, label: &str, problem: impl AsRef<str>, help: &str) {
        let warning = Diagnostic::warning(format!("{label}: {}", problem.as_ref()));
        self.0.push(warning.about(label).help(help));
    }
}

/// Edge lengths of the box around a shape in its own frame, m; `None` without a finite box.
fn size(shape: &Geometry) -> Option<[f64; 3]> {
    let around = shape.aabb(&Pose::identity())?;
    Some((around.max - around.min).into())
}

/// Returns whether the mass is positive.
fn has_mass(inertia: &Inertia) -> bool {
    inertia.mass > 0.0
}

/// Lists up to a dozen names and the number of others.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let shown = names.get(..SHOWN.min(names.len())).unwrap_or_default();
    match names.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
