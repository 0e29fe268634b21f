//! Where the frames of a table are, straight from its rows.

use nalgebra::Translation3;

use super::{DhRow, DhTable};
use crate::math::{Pose, Rotation, Vector};
use crate::{Error, Result};

impl DhTable {
    /// The frame (one per row, in the world) of each link: that of the table, which depends on the convention.
    ///
    /// The [robot](Self::build) has them too, as the links called like the rows; this is the product of the rows
    /// alone, without gravity, limits or velocities.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] unless there is one degree of freedom per row; [`Error::Invalid`] for a row that hangs
    /// on one behind it.
    pub fn link_frames(&self, q: &[f64]) -> Result<Vec<Pose>> {
        Ok(self.frames(q)?.into_iter().map(|(_, link)| link).collect())
    }

    /// The frame (one per row, in the world) behind the motion of each joint: its z is the axis.
    ///
    /// # Errors
    ///
    /// As [`link_frames`](Self::link_frames).
    pub fn joint_frames(&self, q: &[f64]) -> Result<Vec<Pose>> {
        Ok(self
            .frames(q)?
            .into_iter()
            .map(|(joint, _)| joint)
            .collect())
    }

    /// The frame (one per row, in the world) of each link, moved to its centre of mass.
    ///
    /// # Errors
    ///
    /// As [`link_frames`](Self::link_frames).
    pub fn com_frames(&self, q: &[f64]) -> Result<Vec<Pose>> {
        let frames = self.link_frames(q)?.into_iter().zip(&self.rows);
        let at_com = |(frame, row): (Pose, &DhRow)| frame * Translation3::from(row.inertia.com);
        Ok(frames.map(at_com).collect())
    }

    /// Of each row the frame of the joint and that of the link.
    fn frames(&self, q: &[f64]) -> Result<Vec<(Pose, Pose)>> {
        if q.len() != self.rows.len() {
            return Err(Error::Length {
                what: "configuration",
                expected: self.rows.len(),
                found: q.len(),
            });
        }
        let mut frames: Vec<(Pose, Pose)> = Vec::with_capacity(q.len());
        for (i, (row, &q)) in self.rows.iter().zip(q).enumerate() {
            let parent = match self.parent(i)? {
                Some(parent) => frames[parent].1,
                None => self.base,
            };
            let (before, after) = row.parameters.around_joint();
            let moved = if row.prismatic {
                Pose::translation(0.0, 0.0, q)
            } else {
                let rotation = Rotation::from_axis_angle(&Vector::z_axis(), q);
                Pose::from_parts(Translation3::identity(), rotation)
            };
            let joint = parent * before * moved;
            frames.push((joint, joint * after));
        }
        Ok(frames)
    }
}
