//! The shapes of a world: fitted in once, however many things wear them.

use std::collections::HashMap;

use nalgebra::{Matrix3, Matrix4, Translation3};

use super::document::{Fit, Transform};
use crate::Result;
use crate::geometry::Geometry;
use crate::math::{Pose, Rotation, Vector, so3};

/// Shapes by the file that they come from and by the numbers of their fit.
#[derive(Debug, Default)]
pub(super) struct Fitted {
    shapes: HashMap<(String, [u64; 16]), Geometry>,
}

impl Fitted {
    /// A shape, scaled, turned, shifted and with its margin; `file` stands for the shape as it was.
    pub(super) fn fit(&mut self, file: &str, shape: &Geometry, fit: &Fit) -> Result<Geometry> {
        let map = fit.map();
        let mut fitted = shape.clone();
        if map != Matrix4::identity() {
            let bits: Vec<u64> = map.iter().map(|x| x.to_bits()).collect();
            let bits = <[u64; 16]>::try_from(bits).expect("four by four numbers");
            let key = (file.to_owned(), bits);
            fitted = match self.shapes.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let moved = shape.transformed(&map)?;
                    self.shapes.insert(key, moved.clone());
                    moved
                }
            };
        }
        match fit.margin {
            Some(margin) => fitted.with_margin(margin),
            None => Ok(fitted),
        }
    }
}

impl Fit {
    /// `x -> R S x + t`
    fn map(&self) -> Matrix4<f64> {
        let scale = Vector::from(self.scale.unwrap_or([1.0; 3]));
        let pose = self.transform.pose().unwrap_or_else(Pose::identity);
        pose.to_homogeneous() * Matrix3::from_diagonal(&scale).to_homogeneous()
    }

    /// Whether it changes nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.scale.is_none() && self.transform.pose().is_none() && self.margin.is_none()
    }
}

impl Transform {
    /// The pose that it means, `None` where nothing is given.
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
