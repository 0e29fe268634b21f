//! What looks wrong with a world although every file in it could be read.

mod bodies;
mod limits;
mod meshes;
mod pairs;

use super::{RobotRef, WorldModel};
use crate::Diagnostic;
use crate::geometry::Geometry;
use crate::math::{Inertia, Pose};

impl WorldModel {
    /// What looks wrong, each about an element, without a place in a file.
    ///
    /// | about | what is remarked on |
    /// |---|---|
    /// | bodies | heavier than any material, an inertia much too large or small for the shape, a centre of mass far outside of it |
    /// | limits | a coordinate that cannot move, angles that look like degrees, a start outside of the limits |
    /// | meshes | very many triangles, holes in what should be solid, sizes that look like millimetres |
    /// | pairs | links that collide where the robot starts, tested pairs that can never touch, or have no shape |
    ///
    /// Nothing of this is an error: it is what people look for when a simulation explodes or a planner finds nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::geometry::{Geometry, Primitive};
    /// use kinworld::math::Point;
    /// use kinworld::world::{RigidObject, WorldModel};
    ///
    /// // a ball of 1 cm that weighs 10 kg
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
        let mut found = Findings::default();
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

fn lint_robot(robot: RobotRef<'_>, found: &mut Findings) {
    let name = robot.name();
    for link in robot.model().links() {
        let label = format!("link `{}` of robot `{name}`", link.name());
        let seen = || link.visual().first().map(|element| &element.geometry);
        bodies::body(&label, link.inertia(), link.shape().or_else(seen), found);
        meshes::shape(&label, link.shape(), true, found);
    }
    limits::limits(robot, found);
    pairs::pairs(robot, found);
}

/// Remarks as they come up.
#[derive(Debug, Default)]
struct Findings(Vec<Diagnostic>);

impl Findings {
    fn add(&mut self, label: &str, problem: impl AsRef<str>, help: &str) {
        let remark = Diagnostic::warning(format!("{label}: {}", problem.as_ref()));
        self.0.push(remark.about(label).help(help));
    }
}

/// The edges of the box around a shape in its own frame, m; `None` where it has none.
fn size(shape: &Geometry) -> Option<[f64; 3]> {
    let around = shape.aabb(&Pose::identity())?;
    Some((around.max - around.min).into())
}

/// Whether there is anything to weigh.
fn has_mass(inertia: &Inertia) -> bool {
    inertia.mass > 0.0
}

/// Up to a dozen names, and how many more there are.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let shown = names.get(..SHOWN.min(names.len())).unwrap_or_default();
    match names.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
