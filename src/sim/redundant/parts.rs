//! What a system is made of.

use nalgebra::Matrix3;

use super::System;
use super::constraints::Marker;
use crate::math::{Motion, Pose, Vector};
use crate::robot::LinkId;
use crate::{Error, Result};

/// A rigid body, and how it begins.
#[derive(Debug, Clone)]
pub(super) struct Body {
    pub(super) name: String,
    pub(super) mass: f64,
    // of the centre of mass, in the body's frame
    pub(super) com: Vector,
    // about the centre of mass, in the body's axes
    pub(super) moment: Matrix3<f64>,
    pub(super) pose: Pose,
    pub(super) velocity: Motion,
}

/// A name for a frame.
#[derive(Debug, Clone)]
pub(super) struct Link {
    pub(super) name: String,
    pub(super) seat: Seat,
}

/// Where a link is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Seat {
    Body {
        body: usize,
        pose: Pose,
    },
    Ground(Pose),
    /// It stands for a coordinate of a joint of several.
    Nowhere,
}

impl System {
    pub(super) fn link(&self, link: LinkId) -> Result<&Link> {
        let n = self.links.len();
        self.links.get(link.index()).ok_or_else(|| {
            let problem = format!("there is no link {}; there are {n}", link.index());
            Error::invalid("system", problem)
        })
    }

    pub(super) fn body_of(&self, link: LinkId) -> Result<usize> {
        let found = self.link(link)?;
        match found.seat {
            Seat::Body { body, .. } => Ok(body),
            Seat::Ground(_) => {
                let what = format!("link `{}`", found.name);
                Err(Error::invalid(what, "it is on the ground, not on a body"))
            }
            Seat::Nowhere => Err(nowhere(&found.name)),
        }
    }

    /// Where a marker is.
    pub(super) fn seat(&self, marker: &Marker) -> Result<Seat> {
        let Some(link) = marker.link else {
            return Ok(Seat::Ground(marker.pose));
        };
        let found = self.link(link)?;
        match found.seat {
            Seat::Body { body, pose } => Ok(Seat::Body {
                body,
                pose: pose * marker.pose,
            }),
            Seat::Ground(pose) => Ok(Seat::Ground(pose * marker.pose)),
            Seat::Nowhere => Err(nowhere(&found.name)),
        }
    }
}

fn nowhere(name: &str) -> Error {
    let problem = "it stands for one coordinate of a joint that has several, no body is there";
    Error::invalid(format!("link `{name}`"), problem)
}

pub(super) fn is_finite(x: &Pose) -> bool {
    let rotation = x.rotation.matrix().iter();
    rotation.chain(&x.translation.vector).all(|x| x.is_finite())
}
