//! Views of chosen degrees of freedom of a robot.

use nalgebra::Matrix6xX;

use super::{State, jacobian_columns};
use crate::math::Point;
use crate::robot::{DofId, Limits, LinkId, Robot};
use crate::{Error, Result};

/// A view of chosen degrees of freedom of a robot: one arm of two, the fingers of a hand.
///
/// It owns no state. Values of the chosen degrees of freedom are `k` numbers in the order of the choice.
///
/// # Examples
///
/// ```
/// use kinworld::kinematics::{State, SubRobot};
/// use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::Vector;
///
/// let mut builder = RobotBuilder::new("arm");
/// let upper = builder.add_link(LinkSpec::new("upper", None, LinkMotion::Revolute(Vector::y())));
/// let fore = builder.add_link(LinkSpec::new("fore", Some(upper), LinkMotion::Revolute(Vector::y())));
/// let arm = builder.build()?;
///
/// let elbow = SubRobot::of_links(&arm, &[fore])?;
/// let mut state = State::new(&arm);
/// elbow.set_config(&mut state, &[0.5])?;
/// assert_eq!(state.config(), [0.0, 0.5]);
/// assert_eq!(elbow.config(&state), [0.5]);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
#[doc(alias = "SubRobotModel")]
pub struct SubRobot<'r> {
    robot: &'r Robot,
    dofs: Vec<DofId>,
}

impl<'r> SubRobot<'r> {
    /// A view of these degrees of freedom.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where a degree of freedom does not exist or is named twice.
    pub fn new(robot: &'r Robot, dofs: &[DofId]) -> Result<Self> {
        let mut is_chosen = vec![false; robot.n_dofs()];
        for dof in dofs {
            match is_chosen.get_mut(dof.index()) {
                Some(chosen) if !*chosen => *chosen = true,
                Some(_) => {
                    return Err(Error::invalid(
                        "sub-robot",
                        format!("degree of freedom {} is named twice", dof.index()),
                    ));
                }
                None => {
                    let problem = format!(
                        "there is no degree of freedom {}; there are {}",
                        dof.index(),
                        robot.n_dofs()
                    );
                    return Err(Error::invalid("sub-robot", problem));
                }
            }
        }
        Ok(Self {
            robot,
            dofs: dofs.to_vec(),
        })
    }

    /// A view of the degrees of freedom of these links; links without one add none.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where a link does not exist or is named twice.
    pub fn of_links(robot: &'r Robot, links: &[LinkId]) -> Result<Self> {
        let n = robot.links().len();
        if let Some(id) = links.iter().find(|id| id.index() >= n) {
            let problem = format!("there is no link {}; there are {n}", id.index());
            return Err(Error::invalid("sub-robot", problem));
        }
        let dofs: Vec<DofId> = links
            .iter()
            .filter_map(|&id| robot.link(id).dof())
            .collect();
        Self::new(robot, &dofs)
    }

    /// The whole robot.
    #[must_use]
    pub fn robot(&self) -> &'r Robot {
        self.robot
    }

    /// The chosen degrees of freedom (k).
    #[must_use]
    pub fn dofs(&self) -> &[DofId] {
        &self.dofs
    }

    /// The limits of the chosen degrees of freedom (k).
    #[must_use]
    pub fn limits(&self) -> Vec<Limits> {
        self.dofs
            .iter()
            .map(|dof| self.robot.limits()[dof.index()])
            .collect()
    }

    /// The chosen values (k) out of n values of the whole robot.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] where `full` does not have n values.
    pub fn from_full(&self, full: &[f64]) -> Result<Vec<f64>> {
        self.robot.check_config_length(full)?;
        Ok(self.dofs.iter().map(|dof| full[dof.index()]).collect())
    }

    /// Writes the chosen values (k) into the n values of the whole robot; the others stay.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] where one of them has the wrong length; nothing changes then.
    pub fn to_full(&self, chosen: &[f64], full: &mut [f64]) -> Result<()> {
        self.robot.check_config_length(full)?;
        if chosen.len() != self.dofs.len() {
            let (expected, found) = (self.dofs.len(), chosen.len());
            return Err(Error::Length {
                what: "values of the sub-robot",
                expected,
                found,
            });
        }
        for (dof, value) in self.dofs.iter().zip(chosen) {
            full[dof.index()] = *value;
        }
        Ok(())
    }

    /// The chosen part of a state's configuration (k).
    ///
    /// # Panics
    ///
    /// If the state belongs to a smaller robot.
    #[must_use]
    pub fn config(&self, state: &State) -> Vec<f64> {
        self.dofs
            .iter()
            .map(|dof| state.config()[dof.index()])
            .collect()
    }

    /// Sets the chosen degrees of freedom (k) of a state; the others stay.
    ///
    /// # Errors
    ///
    /// As [`State::set_config`]; nothing changes then.
    pub fn set_config(&self, state: &mut State, chosen: &[f64]) -> Result<()> {
        state.set_dofs(self.robot, &self.dofs, chosen)
    }

    /// The Jacobian of a point of a link with respect to the chosen degrees of freedom: 6 × k, as
    /// [`jacobian`](super::jacobian).
    #[must_use]
    pub fn jacobian(&self, state: &State, link: LinkId, p_link: &Point) -> Matrix6xX<f64> {
        jacobian_columns(self.robot, state, link, p_link, &self.dofs)
    }
}
