//! Coordinates of MuJoCo: configurations with quaternions, angular velocities in the frame of the body.
//!
//! | joint | here | `qpos` | `qvel` |
//! |---|---|---|---|
//! | hinge, slide | 1 | the same number | the same number |
//! | free | x, y, z, rotations about z, y, x | x, y, z, quaternion (w first) | velocity in the world, angular velocity in the body |
//! | ball | rotations about z, y, x | quaternion (w first) | angular velocity in the body |
//!
//! A `qpos` of a robot is the part of the model's that belongs to its bodies: it begins at `jnt_qposadr` of its first joint.
//! With E from [`Robot::mujoco_velocity_map`], `qvel = E dq`, forces are `tau = Eᵀ qfrc`, and mass matrices `M = Eᵀ M_mujoco E`.

use nalgebra::{DMatrix, Matrix3};

use super::{JointKind, Robot};
use crate::math::so3;
use crate::{Error, Result};

/// A joint and where its numbers lie.
struct Block {
    /// Degrees of freedom, in order of the chain.
    dofs: Vec<usize>,
    /// Those of them that are angles about z, y and x, if it rotates freely.
    angles: Option<[usize; 3]>,
}

impl Robot {
    /// The configuration that is `qpos` in MuJoCo.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] where the numbers do not fit the robot, [`Error::Invalid`] for a quaternion of length 0, numbers that
    /// are not finite, and a floating or ball joint that is no chain of x, y, z and rotations about z, y, x.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::Robot;
    ///
    /// # let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data/mjcf");
    /// let walker = Robot::load(format!("{data}/walker.xml"))?.value;
    /// let mut qpos = walker.config_to_mujoco(walker.initial_config())?;
    /// qpos[3..7].copy_from_slice(&[0.5, 0.5, 0.5, 0.5]);
    /// let q = walker.config_from_mujoco(&qpos)?;
    /// assert!(walker.config_to_mujoco(&q)?.iter().zip(&qpos).all(|(a, b)| (a - b).abs() < 1e-12));
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[doc(alias = "qpos")]
    pub fn config_from_mujoco(&self, qpos: &[f64]) -> Result<Vec<f64>> {
        let blocks = self.mujoco_blocks()?;
        let width = |block: &Block| block.dofs.len() + usize::from(block.angles.is_some());
        check_length("qpos", blocks.iter().map(width).sum(), qpos)?;
        let mut q = vec![0.0; self.n_dofs()];
        let mut rest = qpos;
        for block in &blocks {
            let (own, behind) = rest.split_at(width(block));
            rest = behind;
            let Some(angles) = block.angles else {
                copy(&block.dofs, own, &mut q);
                continue;
            };
            let (moves, quaternion) = own.split_at(block.dofs.len() - 3);
            copy(&block.dofs, moves, &mut q);
            let quaternion = [quaternion[0], quaternion[1], quaternion[2], quaternion[3]];
            let [roll, pitch, yaw] = so3::to_rpy(&so3::from_wxyz(quaternion)?);
            copy(&angles, &[yaw, pitch, roll], &mut q);
        }
        match q.iter().all(|x| x.is_finite()) {
            true => Ok(q),
            false => Err(Error::invalid("qpos", "has a number that is not finite")),
        }
    }

    /// The `qpos` in MuJoCo of a configuration: the inverse of [`config_from_mujoco`](Self::config_from_mujoco), with w ≥ 0.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] where `q` does not fit the robot, [`Error::Invalid`] as there.
    pub fn config_to_mujoco(&self, q: &[f64]) -> Result<Vec<f64>> {
        self.check_config_length(q)?;
        let mut qpos = Vec::with_capacity(q.len() + 1);
        for block in self.mujoco_blocks()? {
            let Some(angles) = block.angles else {
                qpos.extend(block.dofs.iter().map(|&dof| q[dof]));
                continue;
            };
            let moves = &block.dofs[..block.dofs.len() - 3];
            qpos.extend(moves.iter().map(|&dof| q[dof]));
            let [yaw, pitch, roll] = angles.map(|dof| q[dof]);
            qpos.extend(so3::to_wxyz(&so3::from_rpy([roll, pitch, yaw])));
        }
        Ok(qpos)
    }

    /// E(q) with `qvel = E dq`, n × n: the identity but for the rotations of free and ball joints.
    ///
    /// # Errors
    ///
    /// As [`config_to_mujoco`](Self::config_to_mujoco), and [`Error::Invalid`] for a robot with welds, which MuJoCo has not.
    pub fn mujoco_velocity_map(&self, q: &[f64]) -> Result<DMatrix<f64>> {
        self.check_config_length(q)?;
        let blocks = self.mujoco_blocks()?;
        let n = q.len();
        if blocks.iter().map(|block| block.dofs.len()).sum::<usize>() != n {
            let problem = "has welds, which are no degrees of freedom in MuJoCo";
            return Err(Error::invalid(format!("robot `{}`", self.name), problem));
        }
        let mut map = DMatrix::zeros(n, n);
        let mut row = 0;
        for block in &blocks {
            let moves = block.dofs.len() - if block.angles.is_some() { 3 } else { 0 };
            for (k, &dof) in block.dofs.iter().take(moves).enumerate() {
                map[(row + k, dof)] = 1.0;
            }
            if let Some(angles) = block.angles {
                let rates = rates(angles.map(|dof| q[dof]));
                for (column, &dof) in angles.iter().enumerate() {
                    for axis in 0..3 {
                        map[(row + moves + axis, dof)] = rates[(axis, column)];
                    }
                }
            }
            row += block.dofs.len();
        }
        Ok(map)
    }

    /// The velocity at `q` that is `qvel` in MuJoCo.
    ///
    /// # Errors
    ///
    /// As [`mujoco_velocity_map`](Self::mujoco_velocity_map), and [`Error::Invalid`] at a singular orientation (±90° about y).
    #[doc(alias = "qvel")]
    pub fn velocity_from_mujoco(&self, q: &[f64], qvel: &[f64]) -> Result<Vec<f64>> {
        check_length("qvel", self.n_dofs(), qvel)?;
        let map = self.mujoco_velocity_map(q)?;
        let qvel = nalgebra::DVector::from_column_slice(qvel);
        let dq = regular(map)?.solve(&qvel).ok_or_else(singular)?;
        Ok(dq.as_slice().to_vec())
    }

    /// The `qvel` in MuJoCo of a velocity at `q`.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] where `q` or `dq` do not fit the robot, [`Error::Invalid`] as
    /// [`mujoco_velocity_map`](Self::mujoco_velocity_map).
    pub fn velocity_to_mujoco(&self, q: &[f64], dq: &[f64]) -> Result<Vec<f64>> {
        check_length("velocity", self.n_dofs(), dq)?;
        let map = self.mujoco_velocity_map(q)?;
        let dq = nalgebra::DVector::from_column_slice(dq);
        Ok((map * dq).as_slice().to_vec())
    }

    /// The forces at `q` that are `qfrc` in MuJoCo.
    ///
    /// # Errors
    ///
    /// As [`velocity_to_mujoco`](Self::velocity_to_mujoco).
    #[doc(alias = "qfrc_applied")]
    pub fn force_from_mujoco(&self, q: &[f64], qfrc: &[f64]) -> Result<Vec<f64>> {
        check_length("qfrc", self.n_dofs(), qfrc)?;
        let map = self.mujoco_velocity_map(q)?;
        let qfrc = nalgebra::DVector::from_column_slice(qfrc);
        Ok((map.transpose() * qfrc).as_slice().to_vec())
    }

    /// The `qfrc` in MuJoCo of forces at `q`.
    ///
    /// # Errors
    ///
    /// As [`velocity_from_mujoco`](Self::velocity_from_mujoco).
    pub fn force_to_mujoco(&self, q: &[f64], tau: &[f64]) -> Result<Vec<f64>> {
        check_length("force", self.n_dofs(), tau)?;
        let map = self.mujoco_velocity_map(q)?.transpose();
        let tau = nalgebra::DVector::from_column_slice(tau);
        let qfrc = regular(map)?.solve(&tau).ok_or_else(singular)?;
        Ok(qfrc.as_slice().to_vec())
    }

    /// The joints in the order of their degrees of freedom, welds left out.
    fn mujoco_blocks(&self) -> Result<Vec<Block>> {
        let mut blocks = Vec::new();
        let mut is_owned = vec![false; self.n_dofs()];
        for joint in &self.joints {
            let dofs = joint.links.iter().filter_map(|&link| self.link(link).dof());
            let dofs: Vec<usize> = dofs.map(|dof| dof.index()).collect();
            dofs.iter().for_each(|&dof| is_owned[dof] = true);
            let angles = match joint.kind {
                JointKind::Weld | JointKind::Closed => continue,
                JointKind::Floating | JointKind::BallAndSocket => {
                    if !self.is_spherical_chain(joint) {
                        let what = format!("joint `{}`", joint.name);
                        let problem = "is no chain of x, y, z and rotations about z, y, x";
                        return Err(Error::invalid(what, problem));
                    }
                    let last = &dofs[dofs.len() - 3..];
                    Some([last[0], last[1], last[2]])
                }
                _ => None,
            };
            blocks.push(Block { dofs, angles });
        }
        let free = (0..is_owned.len()).filter(|&dof| !is_owned[dof]);
        blocks.extend(free.map(|dof| Block {
            dofs: vec![dof],
            angles: None,
        }));
        blocks.sort_by_key(|block| block.dofs.first().copied());
        Ok(blocks)
    }
}

/// The map from rates of angles about z, y and x to the angular velocity in the rotated frame.
fn rates([_, y, x]: [f64; 3]) -> Matrix3<f64> {
    let ((sy, cy), (sx, cx)) = (y.sin_cos(), x.sin_cos());
    Matrix3::new(-sy, 0.0, 1.0, sx * cy, cx, 0.0, cx * cy, -sx, 0.0)
}

fn copy(dofs: &[usize], from: &[f64], to: &mut [f64]) {
    for (&dof, &value) in dofs.iter().zip(from) {
        to[dof] = value;
    }
}

fn check_length(what: &'static str, expected: usize, numbers: &[f64]) -> Result<()> {
    let found = numbers.len();
    if found == expected {
        return Ok(());
    }
    Err(Error::Length {
        what,
        expected,
        found,
    })
}

/// The factors of a map that is not singular.
fn regular(map: DMatrix<f64>) -> Result<nalgebra::LU<f64, nalgebra::Dyn, nalgebra::Dyn>> {
    let factors = map.lu();
    let smallest = factors
        .u()
        .diagonal()
        .iter()
        .fold(1.0_f64, |m, x| m.min(x.abs()));
    match smallest > 1e-9 {
        true => Ok(factors),
        false => Err(singular()),
    }
}

fn singular() -> Error {
    let problem = "a free or ball joint is rotated by 90° about y, where its angles are singular";
    Error::invalid("configuration", problem)
}
