//! Clearance: distance to the nearest obstacle, and its gradient.

use super::{CSpace, RobotCSpace, Workspace};
use crate::math::Vector;
use crate::world::{self, WorldDistance};
use crate::{Result, kernel};

/// Distance of robots to the nearest obstacle, and its gradient.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Clearance {
    /// The nearest pair: its distance, its nearest points, its elements.
    pub nearest: WorldDistance,
    /// Derivative of the distance by each degree of freedom, m/rad or m/m; zeros where the pair overlaps.
    pub gradient: Vec<f64>,
}

impl RobotCSpace {
    /// Distance to the nearest obstacle, over all pairs that count of which one is a link of these robots or something
    /// attached to them; `None` where there is no such pair. Margins of the
    /// [filter](crate::world::PairFilter::with_margin) are not taken off.
    ///
    /// # Errors
    ///
    /// As [`obstacle`](Self::obstacle).
    pub fn clearance(&self, q: &[f64]) -> Result<Option<Clearance>> {
        self.with_workspace(|ws| self.clearance_with(q, ws))
    }

    /// [`clearance`](Self::clearance) in a workspace of the caller.
    ///
    /// # Errors
    ///
    /// As [`clearance`](Self::clearance).
    pub fn clearance_with(&self, q: &[f64], ws: &mut Workspace) -> Result<Option<Clearance>> {
        ws.update(&self.snapshot)?;
        self.check_values(q)?;
        let ws = &mut ws.poses.world;
        self.set_robots(q, ws)?;
        let nearest = self.snapshot.collider.clearance_with(&self.ids(), ws)?;
        let Some(nearest) = nearest else {
            return Ok(None);
        };
        let mut gradient = vec![0.0; self.n_dofs()];
        self.add_gradient(&nearest, ws, &mut gradient)?;
        Ok(Some(Clearance { nearest, gradient }))
    }

    /// Adds the gradient of a distance: the Jacobians of the nearest points along the line between them. `false` where there is
    /// no such line, because the pair overlaps or touches.
    pub(super) fn add_gradient(
        &self,
        nearest: &WorldDistance,
        ws: &world::Workspace,
        gradient: &mut [f64],
    ) -> Result<bool> {
        let (Some(on_a), Some(on_b)) = (nearest.on_a, nearest.on_b) else {
            return Ok(false);
        };
        let Some(direction) = (on_b - on_a).try_normalize(0.0) else {
            return Ok(false);
        };
        for (entity, point, away) in [(nearest.a, on_a, -direction), (nearest.b, on_b, direction)] {
            let Some((id, link)) = self.world().carrier(entity) else {
                continue;
            };
            let Some(member) = self.members().iter().find(|member| member.id == id) else {
                continue;
            };
            let robot = &member.robot;
            let (tree, bodies) = (robot.tree(), ws.state(id)?.bodies(robot));
            let columns = &mut gradient[member.range.clone()];
            for body in tree.chain(robot.attachment(link).body) {
                let [_, v] = kernel::column(tree, bodies, body, point.coords.into());
                columns[body] += away.dot(&Vector::from(v));
            }
        }
        Ok(true)
    }
}
