//! Clearance: distance to the nearest obstacle, and its gradient.

use super::{CSpace, RobotCSpace, Workspace};
use crate::world::{self, WorldDistance};
use crate::{Result, kinematics};

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
        nearest
            .map(|nearest| self.with_gradient(nearest, ws))
            .transpose()
    }

    /// Gradient of a distance: the Jacobians of the nearest points along the line between them.
    fn with_gradient(&self, nearest: WorldDistance, ws: &world::Workspace) -> Result<Clearance> {
        let mut gradient = vec![0.0; self.n_dofs()];
        if let (Some(on_a), Some(on_b)) = (nearest.on_a, nearest.on_b)
            && let Some(direction) = (on_b - on_a).try_normalize(0.0)
        {
            for (entity, point, away) in
                [(nearest.a, on_a, -direction), (nearest.b, on_b, direction)]
            {
                let Some((id, link)) = self.world().carrier(entity) else {
                    continue;
                };
                let Some(member) = self.members().iter().find(|member| member.id == id) else {
                    continue;
                };
                let state = ws.state(id)?;
                let local = state
                    .pose(&member.robot, link)
                    .inverse_transform_point(&point);
                let columns = kinematics::position_jacobian(&member.robot, state, link, &local);
                for (sum, column) in gradient[member.range.clone()]
                    .iter_mut()
                    .zip(columns.column_iter())
                {
                    *sum += away.dot(&column);
                }
            }
        }
        Ok(Clearance { nearest, gradient })
    }
}
