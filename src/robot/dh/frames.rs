//! Frames of a Denavit-Hartenberg table, computed from its rows.

use nalgebra::{Translation3, Unit};

use super::{DhRow, DhTable};
use crate::math::{Pose, Rotation};
use crate::{Error, Result};

impl DhTable {
    /// World frame of each link (one per row), as the convention of the table defines it.
    ///
    /// The [robot](Self::build) has the same frames in the links [of the rows](Self::row_links); this is the product of
    /// the rows alone. For a robot that was loaded, take the table by [`standard`](super::standard) or
    /// [`modified`](super::modified) and its values by [`row_values`](super::row_values).
    ///
    /// # Errors
    ///
    /// [`Error::Length`] unless there is one value per row; [`Error::Invalid`] for a row whose parent is a
    /// later row.
    pub fn link_frames(&self, q: &[f64]) -> Result<Vec<Pose>> {
        Ok(self.frames(q)?.into_iter().map(|(_, link)| link).collect())
    }

    /// World frame after the motion of each joint (one per row): its z is the axis, but for [`General`](super::General) rows.
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

    /// World frame of each link (one per row), moved to its centre of mass.
    ///
    /// # Errors
    ///
    /// As [`link_frames`](Self::link_frames).
    pub fn com_frames(&self, q: &[f64]) -> Result<Vec<Pose>> {
        let frames = self.link_frames(q)?.into_iter().zip(&self.rows);
        let at_com = |(frame, row): (Pose, &DhRow)| frame * Translation3::from(row.inertia.com);
        Ok(frames.map(at_com).collect())
    }

    /// Joint frame and link frame of each row.
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
            let (before, axis, after) = row.around_joint(i)?;
            let moved = if row.prismatic {
                Pose::from_parts((axis * q).into(), Rotation::identity())
            } else {
                let rotation = Rotation::from_axis_angle(&Unit::new_unchecked(axis), q);
                Pose::from_parts(Translation3::identity(), rotation)
            };
            let joint = parent * before * moved;
            frames.push((joint, joint * after));
        }
        Ok(frames)
    }
}
