//! Transformations of the shapes of a world.

use nalgebra::{Matrix3, Matrix4, Translation3};

use super::document::{Fit, Transform};
use crate::Result;
use crate::geometry::Geometry;
use crate::io::context::Context;
use crate::math::{Pose, Rotation, Vector, so3};

impl Fit {
    /// A shape, scaled, rotated, translated and with its margin; bodies with the same transformation share it.
    pub(super) fn of(&self, shape: &Geometry, ctx: &mut Context<'_>) -> Result<Geometry> {
        let map = self.map();
        let fitted = if map == Matrix4::identity() {
            shape.clone()
        } else {
            ctx.moved(shape, &map)?
        };
        match self.margin {
            Some(margin) => fitted.with_margin(margin),
            None => Ok(fitted),
        }
    }

    /// `x -> R S x + t`
    fn map(&self) -> Matrix4<f64> {
        let scale = Vector::from(self.scale.unwrap_or([1.0; 3]));
        let pose = self.transform.pose().unwrap_or_else(Pose::identity);
        pose.to_homogeneous() * Matrix3::from_diagonal(&scale).to_homogeneous()
    }
}

impl Transform {
    /// The pose, `None` where no attribute is given.
    pub(super) fn pose(&self) -> Option<Pose> {
        let turns = self.rpy.is_some() || self.moment.is_some();
        if self.translation.is_none() && !turns && self.about.iter().all(Option::is_none) {
            return None;
        }
        let mut rotation = match (self.moment, self.rpy) {
            (Some(moment), _) => so3::from_rotation_vector(&moment.into()),
            (None, Some(rpy)) => so3::from_rpy(rpy),
            (None, None) => Rotation::identity(),
        };
        // about x, then y, then z, whatever their order in the file
        for (axis, angle) in [Vector::x(), Vector::y(), Vector::z()]
            .iter()
            .zip(self.about)
        {
            if let Some(angle) = angle {
                rotation = so3::from_axis_angle(axis, angle) * rotation;
            }
        }
        let [x, y, z] = self.translation.unwrap_or_default();
        Some(Pose::from_parts(Translation3::new(x, y, z), rotation))
    }
}
