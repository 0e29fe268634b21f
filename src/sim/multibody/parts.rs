//! Parts of a system: bodies and links.

use nalgebra::Matrix3;

use super::MultibodySystem;
use super::constraints::Marker;
use crate::math::{Motion, Pose, Vector};
use crate::robot::LinkId;
use crate::{Error, Result};

/// Rigid body, and its initial motion.
#[derive(Debug, Clone)]
pub(super) struct Body {
    pub(super) name: String,
    pub(super) mass: f64,
    // centre of mass, in the body's frame
    pub(super) com: Vector,
    // about the centre of mass, in the body's axes
    pub(super) moment: Matrix3<f64>,
    pub(super) pose: Pose,
    pub(super) velocity: Motion,
}

/// Named frame.
#[derive(Debug, Clone)]
pub(super) struct Link {
    pub(super) name: String,
    pub(super) attachment: Attachment,
}

/// Body, or ground, that a link is attached to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Attachment {
    Body {
        body: usize,
        pose: Pose,
    },
    Ground(Pose),
    /// Nothing: the link stands for one degree of freedom of a joint with several.
    Virtual,
}

impl MultibodySystem {
    pub(super) fn link(&self, link: LinkId) -> Result<&Link> {
        let n = self.links.len();
        self.links.get(link.index()).ok_or_else(|| {
            let problem = format!("there is no link {}; there are {n}", link.index());
            Error::invalid("system", problem)
        })
    }

    pub(super) fn body_of(&self, link: LinkId) -> Result<usize> {
        let found = self.link(link)?;
        match found.attachment {
            Attachment::Body { body, .. } => Ok(body),
            Attachment::Ground(_) => {
                let what = format!("link `{}`", found.name);
                Err(Error::invalid(what, "it is on the ground, not on a body"))
            }
            Attachment::Virtual => Err(virtual_link(&found.name)),
        }
    }

    /// Attachment of a marker.
    pub(super) fn attachment(&self, marker: &Marker) -> Result<Attachment> {
        let Some(link) = marker.link else {
            return Ok(Attachment::Ground(marker.pose));
        };
        let found = self.link(link)?;
        match found.attachment {
            Attachment::Body { body, pose } => Ok(Attachment::Body {
                body,
                pose: pose * marker.pose,
            }),
            Attachment::Ground(pose) => Ok(Attachment::Ground(pose * marker.pose)),
            Attachment::Virtual => Err(virtual_link(&found.name)),
        }
    }
}

fn virtual_link(name: &str) -> Error {
    let problem = "it stands for one degree of freedom of a joint with several and has no body";
    Error::invalid(format!("link `{name}`"), problem)
}

pub(super) fn is_finite(x: &Pose) -> bool {
    let rotation = x.rotation.matrix().iter();
    rotation.chain(&x.translation.vector).all(|x| x.is_finite())
}
