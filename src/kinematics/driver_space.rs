//! Independent degrees of freedom of a robot whose drivers couple links.

use nalgebra::DMatrix;

use super::drivers::config_to_drivers;
use super::state::{check, check_values};
use crate::Result;
use crate::robot::{DofId, DriverKind, JointKind, Robot};

/// Independent degrees of freedom `y` (m) of a robot whose drivers couple its links: `q = S y + q₀`.
///
/// | degree of freedom of the robot | value |
/// |---|---|
/// | of a normal, translation or rotation driver | `q = y` of the driver |
/// | of an affine driver, as that of a URDF joint and those that mimic it | `q = scale · y + offset` |
/// | of a weld without a driver; with a scale of 0 | constant: the initial value; the offset |
/// | any other, as those of a floating base | itself |
///
/// Drivers come first, in their order, without those that move nothing; then the degrees of freedom without a
/// driver. [`dynamics::driver_inverse_dynamics`](crate::dynamics::driver_inverse_dynamics) and the functions beside
/// it compute with them.
#[derive(Debug, Clone, PartialEq)]
pub struct DriverSpace {
    dofs: Vec<DriverDof>,
    // for each degree of freedom of the robot: the index in y that it follows, and its scale
    follows: Vec<Option<(usize, f64)>>,
    offset: Vec<f64>,
}

/// Source of one of the independent degrees of freedom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DriverDof {
    /// The value of the driver at this position in [`Robot::drivers`].
    Driver(usize),
    /// A degree of freedom that no driver moves.
    Dof(DofId),
}

impl DriverSpace {
    /// The independent degrees of freedom of a robot.
    #[must_use]
    pub fn new(robot: &Robot) -> Self {
        let n = robot.n_dofs();
        let mut space = Self {
            dofs: Vec::new(),
            follows: vec![None; n],
            offset: vec![0.0; n],
        };
        let mut is_taken = vec![false; n];
        for (d, driver) in robot.drivers().iter().enumerate() {
            let (scales, offsets): (&[f64], &[f64]) = match &driver.kind {
                DriverKind::Affine { scale, offset, .. } => (scale, offset),
                _ => (&[1.0], &[0.0]),
            };
            let y = space.dofs.len();
            for ((&link, &scale), &offset) in driver.kind.links().iter().zip(scales).zip(offsets) {
                let Some(dof) = robot.link(link).dof() else {
                    continue;
                };
                is_taken[dof.index()] = true;
                space.offset[dof.index()] = offset;
                space.follows[dof.index()] = (scale != 0.0).then_some((y, scale));
            }
            if scales.iter().any(|scale| *scale != 0.0) {
                space.dofs.push(DriverDof::Driver(d));
            }
        }
        for (i, &link) in robot.dofs().iter().enumerate() {
            let is_weld = || {
                robot
                    .joint_of(link)
                    .is_some_and(|joint| joint.kind == JointKind::Weld)
            };
            if is_taken[i] {
                continue;
            }
            if is_weld() {
                space.offset[i] = robot.initial_config()[i];
            } else {
                space.follows[i] = Some((space.dofs.len(), 1.0));
                space.dofs.push(DriverDof::Dof(DofId::new(i)));
            }
        }
        space
    }

    /// Number of independent degrees of freedom, m.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.dofs.len()
    }

    /// Returns whether nothing can move.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.dofs.is_empty()
    }

    /// The independent degrees of freedom (m).
    #[must_use]
    #[inline]
    pub fn dofs(&self) -> &[DriverDof] {
        &self.dofs
    }

    /// Matrix `S` (n × m), with at most one number in each row.
    #[must_use]
    pub fn matrix(&self) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(self.follows.len(), self.len());
        for (i, y, scale) in self.entries() {
            out[(i, y)] = scale;
        }
        out
    }

    /// Offset `q₀` (n).
    #[must_use]
    #[inline]
    pub fn offset(&self) -> &[f64] {
        &self.offset
    }

    /// Configuration (n) of the robot, `q = S y + q₀`.
    ///
    /// # Errors
    ///
    /// [`Error::Length`](crate::Error::Length) or, for a number that is not finite,
    /// [`Error::Invalid`](crate::Error::Invalid).
    pub fn config(&self, y: &[f64]) -> Result<Vec<f64>> {
        let mut q = self.velocity(y)?;
        for (q, offset) in q.iter_mut().zip(&self.offset) {
            *q += offset;
        }
        Ok(q)
    }

    /// Velocity (n) of the robot, `q̇ = S ẏ`; accelerations map likewise.
    ///
    /// # Errors
    ///
    /// As [`config`](Self::config).
    pub fn velocity(&self, dy: &[f64]) -> Result<Vec<f64>> {
        let mut dq = vec![0.0; self.offset.len()];
        self.velocity_into(dy, &mut dq)?;
        Ok(dq)
    }

    /// [`velocity`](Self::velocity) without allocation.
    ///
    /// # Errors
    ///
    /// As [`config`](Self::config); nothing is written then.
    ///
    /// # Panics
    ///
    /// If `out` does not have one number per degree of freedom of the robot.
    pub fn velocity_into(&self, dy: &[f64], out: &mut [f64]) -> Result<()> {
        check_values("free degrees of freedom", self.len(), dy)?;
        assert_eq!(
            out.len(),
            self.offset.len(),
            "one number per degree of freedom"
        );
        out.fill(0.0);
        for (i, y, scale) in self.entries() {
            out[i] = scale * dy[y];
        }
        Ok(())
    }

    /// Values (m) of the independent degrees of freedom in a configuration; those of drivers as in
    /// [`config_to_drivers`](super::config_to_drivers).
    ///
    /// # Errors
    ///
    /// As [`config`](Self::config).
    ///
    /// # Panics
    ///
    /// If the robot is another than that of [`new`](Self::new).
    pub fn dof_values(&self, robot: &Robot, q: &[f64]) -> Result<Vec<f64>> {
        check("configuration", robot, q)?;
        let values = config_to_drivers(robot, q)?;
        let value = |dof: &DriverDof| match *dof {
            DriverDof::Driver(d) => values[d],
            DriverDof::Dof(dof) => q[dof.index()],
        };
        Ok(self.dofs.iter().map(value).collect())
    }

    /// Generalised forces (m) on the independent degrees of freedom, `Sᵀ τ`, for generalised forces `τ` (n) of
    /// the robot.
    ///
    /// # Errors
    ///
    /// As [`config`](Self::config).
    pub fn forces(&self, tau: &[f64]) -> Result<Vec<f64>> {
        check_values("generalised forces", self.offset.len(), tau)?;
        let mut out = vec![0.0; self.len()];
        self.forces_into(tau, &mut out);
        Ok(out)
    }

    /// [`forces`](Self::forces) of numbers that were checked before.
    pub(crate) fn forces_into(&self, tau: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (i, y, scale) in self.entries() {
            out[y] += scale * tau[i];
        }
    }

    /// Row, column and value of each entry of `S`.
    #[inline]
    pub(crate) fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        let follows = self.follows.iter().enumerate();
        follows.filter_map(|(i, follows)| follows.map(|(y, scale)| (i, y, scale)))
    }
}
