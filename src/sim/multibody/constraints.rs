//! Constraints between bodies: joints, distances, couplings.

use super::joint::Axes;
use super::{MultibodySystem, parts};
use crate::math::{Point, Pose};
use crate::robot::LinkId;
use crate::{Error, Result};

/// Index of a joint in [`MultibodySystem::joints`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId(u32);

impl JointId {
    /// Id of this index.
    ///
    /// # Panics
    ///
    /// If `index` is 2³² or more.
    #[must_use]
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 joints"))
    }

    /// Index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Frame on a link, or on the ground, that joints and springs attach to.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Marker {
    /// Link, `None` for the ground.
    pub link: Option<LinkId>,
    /// Frame, in that of the link or of the ground.
    pub pose: Pose,
}

impl Marker {
    /// Frame of the ground.
    pub const GROUND: Self = Self {
        link: None,
        pose: IDENTITY,
    };

    /// Frame of a link.
    #[must_use]
    pub const fn on(link: LinkId) -> Self {
        Self {
            link: Some(link),
            pose: IDENTITY,
        }
    }

    /// Sets the origin to this point of the link, or of the ground.
    #[must_use]
    pub fn at(mut self, p: Point) -> Self {
        self.pose.translation = p.into();
        self
    }

    /// Sets the frame in that of the link, or of the ground.
    #[must_use]
    pub fn with_pose(mut self, pose: Pose) -> Self {
        self.pose = pose;
        self
    }
}

const IDENTITY: Pose = Pose {
    rotation: nalgebra::Rotation::from_matrix_unchecked(nalgebra::Matrix3::new(
        1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0,
    )),
    translation: nalgebra::Translation {
        vector: nalgebra::Vector3::new(0.0, 0.0, 0.0),
    },
};

/// Joint between two frames: locks some relative motions, and has a degree of freedom for each of the others.
///
/// Its degrees of freedom are, of those that are free: the position of the origin of `b` along x, y, z of `a`, then the
/// angles of the successive rotations about z, y, x that lead from `a` to `b`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GenericJoint {
    /// Name.
    pub name: String,
    /// Free motions.
    pub axes: Axes,
    /// First frame: positions are measured from it.
    pub a: Marker,
    /// Second frame.
    pub b: Marker,
}

impl GenericJoint {
    /// Joint of this name from `a` to `b`.
    #[must_use]
    pub fn new(name: impl Into<String>, axes: Axes, a: Marker, b: Marker) -> Self {
        Self {
            name: name.into(),
            axes,
            a,
            b,
        }
    }
}

/// Massless rod: a constant distance between the origins of two frames.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DistanceConstraint {
    /// Name.
    pub name: String,
    /// First frame.
    pub a: Marker,
    /// Second frame.
    pub b: Marker,
    /// Distance, m; positive. (Coincident points are a [spherical](Axes::SPHERICAL) joint.)
    pub length: f64,
}

impl DistanceConstraint {
    /// Distance, m, between the origins of `a` and `b`.
    #[must_use]
    pub fn new(name: impl Into<String>, a: Marker, b: Marker, length: f64) -> Self {
        Self {
            name: name.into(),
            a,
            b,
            length,
        }
    }
}

/// Linear constraint on joints' degrees of freedom, such as a gear: `Σ factor · q = value`.
#[doc(alias = "gear")]
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Coupling {
    /// Name.
    pub name: String,
    /// Terms: joint, index of its degree of freedom, factor.
    pub terms: Vec<(JointId, usize, f64)>,
    /// Value of the sum, in the unit of the terms.
    pub value: f64,
}

impl Coupling {
    /// Constraint `Σ factor · q = value` of terms (joint, index of its degree of freedom, factor).
    #[must_use]
    pub fn new(name: impl Into<String>, terms: Vec<(JointId, usize, f64)>, value: f64) -> Self {
        Self {
            name: name.into(),
            terms,
            value,
        }
    }
}

impl MultibodySystem {
    /// Adds a joint.
    ///
    /// Of the joints of a loop, one that locks the fewest motions closes it.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a frame that is not finite, or on an unknown link.
    pub fn add_joint(&mut self, joint: GenericJoint) -> Result<JointId> {
        self.check_ends(&format!("joint `{}`", joint.name), [&joint.a, &joint.b])?;
        self.plan = None;
        self.joints.push(joint);
        Ok(JointId::new(self.joints.len() - 1))
    }

    /// Adds a distance constraint.
    ///
    /// # Errors
    ///
    /// As [`add_joint`](Self::add_joint), and for a length that is not positive.
    pub fn add_distance(&mut self, distance: DistanceConstraint) -> Result<()> {
        let what = format!("distance `{}`", distance.name);
        self.check_ends(&what, [&distance.a, &distance.b])?;
        if !(distance.length > 0.0 && distance.length.is_finite()) {
            let problem = format!(
                "is {} m, it must be positive; coincident points are a spherical joint",
                distance.length
            );
            return Err(Error::invalid(what, problem));
        }
        self.plan = None;
        self.distances.push(distance);
        Ok(())
    }

    /// Adds a coupling.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for an empty list of terms, an unknown joint or degree of freedom, or a number that is not
    /// finite.
    pub fn add_coupling(&mut self, coupling: Coupling) -> Result<()> {
        let what = || format!("coupling `{}`", coupling.name);
        let is_finite =
            coupling.value.is_finite() && coupling.terms.iter().all(|t| t.2.is_finite());
        if coupling.terms.is_empty() || !is_finite {
            let problem = "needs at least one term, and finite numbers";
            return Err(Error::invalid(what(), problem));
        }
        for &(joint, dof, _) in &coupling.terms {
            self.check_dof(&what(), joint, dof)?;
        }
        self.plan = None;
        self.couplings.push(coupling);
        Ok(())
    }

    fn check_ends(&self, what: &str, ends: [&Marker; 2]) -> Result<()> {
        for end in ends {
            self.attachment(end)?;
            if !parts::is_finite(&end.pose) {
                return Err(Error::invalid(what, "its frames must be finite"));
            }
        }
        Ok(())
    }

    pub(super) fn check_dof(&self, what: &str, joint: JointId, i: usize) -> Result<()> {
        let Some(found) = self.joints.get(joint.index()) else {
            let (asked, n) = (joint.index(), self.joints.len());
            let problem = format!("there is no joint {asked}; there are {n}");
            return Err(Error::invalid(what, problem));
        };
        let n = found.axes.n_free();
        if i < n {
            return Ok(());
        }
        let problem = format!(
            "joint `{}` has no degree of freedom {i}; it has {n}",
            found.name
        );
        Err(Error::invalid(what, problem))
    }
}
