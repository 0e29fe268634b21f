//! Limbs: planar or spatial chains of segments.

use nalgebra::Matrix3;

use crate::math::{Inertia, Point, Pose, Vector};
use crate::robot::{JointKind, LinkMotion, LinkSpec, Robot, RobotBuilder};
use crate::{Error, Result};

/// A segment of a limb, along +y of its frame, whose origin is its upper joint.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Segment {
    /// Name of its link.
    pub name: String,
    /// Distance from its joint to the next, m.
    pub length: f64,
    /// Mass, kg.
    pub mass: f64,
    /// Distance of the centre of mass from the joint, relative to the length.
    pub center: f64,
    /// Moment of inertia about the centre of mass in the segment's axes, kg·m²; zero for a point mass.
    pub moment: Matrix3<f64>,
}

impl Segment {
    /// A point mass at half the length.
    pub fn new(name: impl Into<String>, length: f64, mass: f64) -> Self {
        Self {
            name: name.into(),
            length,
            mass,
            center: 0.5,
            moment: Matrix3::zeros(),
        }
    }

    /// Sets the [centre of mass](Self::center).
    #[must_use]
    pub fn with_center(mut self, center: f64) -> Self {
        self.center = center;
        self
    }

    /// Sets the [moment of inertia](Self::moment).
    #[must_use]
    pub fn with_moment(mut self, moment: Matrix3<f64>) -> Self {
        self.moment = moment;
        self
    }
}

/// A limb attached to the world, each segment to the end of the one before.
///
/// `joint` is [`JointKind::Normal`] for a planar limb, whose segments rotate about z, or [`JointKind::BallAndSocket`] for a
/// spatial one, whose segments have three dofs each (rotations about z, y, x).
///
/// # Errors
///
/// [`Error::Invalid`] for another joint, or a segment with an invalid inertia.
///
/// # Examples
///
/// ```
/// use kinworld::robot::JointKind;
/// use kinworld::wrench::{Segment, limb};
///
/// let leg = [Segment::new("thigh", 0.45, 8.0), Segment::new("shank", 0.42, 3.5)];
/// assert_eq!(limb("leg", JointKind::Normal, &leg)?.n_dofs(), 2);
/// assert_eq!(limb("leg", JointKind::BallAndSocket, &leg)?.n_dofs(), 6);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn limb(name: &str, joint: JointKind, segments: &[Segment]) -> Result<Robot> {
    if !matches!(joint, JointKind::Normal | JointKind::BallAndSocket) {
        let problem = "the joints of a limb are normal or ballandsocket";
        return Err(Error::invalid(format!("limb `{name}`"), problem));
    }
    let mut limb = RobotBuilder::new(name);
    let mut end = (None, Pose::identity());
    for segment in segments {
        let (parent, placement) = end;
        let id = if joint == JointKind::Normal {
            let hinge = LinkMotion::Revolute(Vector::z());
            let mut link = LinkSpec::new(segment.name.clone(), parent, hinge);
            link.placement = placement;
            limb.add_link(link)
        } else {
            limb.add_virtual_chain(joint, &segment.name, parent, &placement)?
        };
        limb.links[id.index()].inertia = Inertia {
            mass: segment.mass,
            com: Point::new(0.0, segment.center * segment.length, 0.0),
            moment: segment.moment,
        };
        end = (Some(id), Pose::translation(0.0, segment.length, 0.0));
    }
    limb.build()
}
