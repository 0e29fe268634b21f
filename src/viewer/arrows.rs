//! Contact points and forces: arrows at points of the world.

use serde_json::{Value, json};

use super::pack::Pack;
use crate::geometry::{Geometry, query};
use crate::math::{Point, Pose, Vector};
use crate::world::{EntityId, Workspace, WorldModel};
use crate::{Error, Result};

/// Most contact points of a pair.
const MOST: usize = 8;

/// Arrows for each time of a motion; a single list where nothing moves.
#[derive(Debug, Clone, Default)]
pub(super) struct Arrows(Vec<Vec<[f64; 6]>>);

impl Arrows {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds the arrows of the next time.
    pub(super) fn push(&mut self, arrows: Vec<[f64; 6]>) {
        self.0.push(arrows);
    }

    /// Adds forces, each at its point, to those that are there.
    pub(super) fn add(&mut self, forces: &[Vec<(Point, Vector)>]) -> Result<()> {
        let mut all = forces.iter().flatten();
        if !all.all(|(point, force)| point.iter().chain(force).all(|x| x.is_finite())) {
            return Err(Error::invalid("forces of a page", "a number is not finite"));
        }
        if !self.0.is_empty() && self.0.len() != forces.len() {
            let problem = format!("{} lists, but there were {}", forces.len(), self.0.len());
            return Err(Error::invalid("forces of a page", problem));
        }
        self.0.resize(forces.len(), Vec::new());
        for (all, more) in self.0.iter_mut().zip(forces) {
            all.extend(more.iter().map(|(point, force)| arrow(point, force)));
        }
        Ok(())
    }

    /// As data, for so many times; columns of numbers go to `pack`.
    pub(super) fn json(&self, n_times: usize, pack: &mut Pack) -> Result<Value> {
        if self.0.iter().all(Vec::is_empty) {
            return Ok(Value::Null);
        }
        if self.0.len() != n_times.max(1) {
            let problem = format!("{} lists for {n_times} times", self.0.len());
            return Err(Error::invalid("forces of a page", problem));
        }
        let mut first = 0;
        let starts = self.0.iter().map(|arrows| {
            first += arrows.len();
            first
        });
        let starts: Vec<usize> = std::iter::once(0).chain(starts).collect();
        let numbers = self.0.iter().flatten().flatten().copied();
        Ok(json!({ "starts": starts, "rows": pack.singles(numbers) }))
    }
}

fn arrow(at: &Point, along: &Vector) -> [f64; 6] {
    [at.x, at.y, at.z, along.x, along.y, along.z]
}

/// Contact points of pairs that collide, on the second of each, with the normal times the depth.
pub(super) fn contacts(
    world: &WorldModel,
    workspace: &Workspace,
    pairs: &[(EntityId, EntityId)],
) -> Result<Vec<[f64; 6]>> {
    let mut all = Vec::new();
    for &(a, b) in pairs {
        let (Some(a), Some(b)) = (placed(world, workspace, a)?, placed(world, workspace, b)?)
        else {
            continue;
        };
        let found = query::contacts((&a.0, &a.1), (&b.0, &b.1), 0.0, MOST)?;
        let arrows = found
            .iter()
            .map(|contact| arrow(&contact.point_b, &(contact.normal * contact.depth)));
        all.extend(arrows);
    }
    Ok(all)
}

/// The geometry of an element, and its pose in a workspace.
fn placed(
    world: &WorldModel,
    workspace: &Workspace,
    entity: EntityId,
) -> Result<Option<(Geometry, Pose)>> {
    let Some(shape) = world.geometry(entity) else {
        return Ok(None);
    };
    let pose = match entity {
        EntityId::RigidObject(id) => workspace.pose(id)?,
        EntityId::Link(robot, link) => {
            let model = world.robot(robot)?.model();
            workspace.state(robot)?.pose(model, link)
        }
        _ => Pose::identity(),
    };
    Ok(Some((shape.geometry, pose)))
}
