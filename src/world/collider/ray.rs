//! Ray casts.

use super::tree::Ray;
use super::{Workspace, WorldCollider};
use crate::geometry::check_direction;
use crate::geometry::query::{self, RayHit};
use crate::math::{Point, Vector};
use crate::world::EntityId;
use crate::{Error, Result};

/// First hit of a ray in a world.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorldRayHit {
    /// The terrain, rigid object or link that it hits.
    pub entity: EntityId,
    /// Hit point in the world, its distance, the normal and the triangle.
    pub hit: RayHit,
}

impl WorldCollider {
    /// First hit of a ray in the frozen world; `None` where there is none.
    ///
    /// Rays hit terrains, rigid objects and links from either side, regardless of the filter and without margins.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for an origin or a direction that is not finite, or a direction of length 0.
    pub fn ray_cast(&self, origin: &Point, direction: &Vector) -> Result<Option<WorldRayHit>> {
        self.with_workspace(|ws| self.ray_cast_with(origin, direction, ws))
    }

    /// [`ray_cast`](Self::ray_cast) at the poses of a workspace.
    ///
    /// # Errors
    ///
    /// As [`ray_cast`](Self::ray_cast).
    pub fn ray_cast_with(
        &self,
        origin: &Point,
        direction: &Vector,
        ws: &mut Workspace,
    ) -> Result<Option<WorldRayHit>> {
        self.check_owns(ws)?;
        let ws = &*ws;
        if origin.iter().any(|c| !c.is_finite()) {
            return Err(Error::invalid("ray origin", "is not finite"));
        }
        let direction = check_direction("ray direction", direction)?;
        let ray = Ray::new(origin, &direction);

        // the nearest hit, and the first part among equals
        let mut best: Option<(usize, RayHit)> = None;
        let mut cast = |part: usize, max: f64| {
            if let Some(hit) = query::ray_cast_at(ws.placed(part), origin, &direction, max)
                && best.is_none_or(|(i, b)| (hit.distance, part) < (b.distance, i))
            {
                best = Some((part, hit));
                return hit.distance;
            }
            max
        };
        let mut max = f64::INFINITY;
        self.scene.tree.along_ray(&ray, max, |still, limit| {
            if !ws.moved.has(still as usize) {
                max = cast(still as usize, limit);
            }
            max
        });
        for (part, bounds) in ws.moved.iter() {
            if ray.meets(bounds, max) {
                max = cast(part, max);
            }
        }
        for (link, bounds) in ws.boxes.iter().enumerate() {
            if ray.meets(bounds, max) {
                max = cast(self.scene.n_still() + link, max);
            }
        }
        Ok(best.map(|(part, hit)| WorldRayHit {
            entity: self.scene.parts[part].entity,
            hit,
        }))
    }
}
