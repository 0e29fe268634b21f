//! How near robots are to what is in their way.

use super::RobotCSpace;
use crate::world::{RobotId, WorldDistance};
use crate::{Result, kinematics};

/// How far robots are from the nearest obstacle.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Clearance {
    /// The nearest pair: how far apart, where, and who.
    pub nearest: WorldDistance,
    /// What a motion of each coordinate adds to the distance, m/rad or m/m; zeros where the pair overlaps.
    pub gradient: Vec<f64>,
}

impl RobotCSpace {
    /// How near the nearest obstacle is, over all pairs that count of which one is a link of these robots or something that
    /// they hold; `None` where there is no such pair. Margins of the
    /// [filter](crate::world::PairFilter::with_margin) do not make it nearer.
    ///
    /// # Errors
    ///
    /// As [`obstacle`](Self::obstacle).
    pub fn clearance(&mut self, q: &[f64]) -> Result<Option<Clearance>> {
        self.check(q)?;
        self.put(q)?;
        let ids: Vec<RobotId> = self.members().iter().map(|member| member.id).collect();
        let nearest = self.collider.clearance_with(&ids, &mut self.ws)?;
        nearest
            .map(|nearest| self.with_gradient(nearest))
            .transpose()
    }

    /// How the distance changes with each coordinate: what the Jacobians of the nearest points make along the line
    /// between them.
    fn with_gradient(&self, nearest: WorldDistance) -> Result<Clearance> {
        let mut gradient = vec![0.0; self.n_coordinates()];
        if let (Some(on_a), Some(on_b)) = (nearest.on_a, nearest.on_b)
            && let Some(apart) = (on_b - on_a).try_normalize(0.0)
        {
            for (entity, point, away) in [(nearest.a, on_a, -apart), (nearest.b, on_b, apart)] {
                let Some((id, link)) = self.world().carrier(entity) else {
                    continue;
                };
                let Some(member) = self.members().iter().find(|member| member.id == id) else {
                    continue;
                };
                let state = self.ws.state(id)?;
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
