//! A rigid body in a plane.

use kinworld::sim::{IntegratorState, PlanarBody as Body, PlanarForce};
use pyo3::prelude::*;

use super::control::{Controlled, refused};
use crate::convert::{Array1, Array2, array1, matrix};
use crate::error::call;

impl Controlled for Body {
    fn motion(&mut self, state: &IntegratorState) -> kinworld::Result<[Vec<f64>; 2]> {
        let (q, dq) = state.y.split_at(3);
        Ok([q.to_vec(), dq.to_vec()])
    }

    fn command(&mut self, forces: Vec<f64>) -> kinworld::Result<()> {
        let &[x, y, torque] = &forces[..] else {
            let problem = format!(
                "gave {} numbers, a planar body takes a force (2) and a torque",
                forces.len()
            );
            return Err(refused("controller", problem));
        };
        self.torque = torque;
        self.forces = vec![PlanarForce {
            point: [0.0; 2],
            force: [x, y],
        }];
        Ok(())
    }
}

/// A rigid body that moves in the plane z = 0: q = (x, y, angle). Its centre of mass may be anywhere in it.
///
/// ``inertia`` is about the reference point, or about the centre of mass with ``about_com``, kg·m². ``forces`` are
/// pairs of a point in the body and a force in world axes (2 each), ``torque`` is about z.
///
/// >>> import kinworld as kw
/// >>> body = kw.sim.PlanarBody(1.0, 2.0)
/// >>> kw.sim.simulate(body, 1.0, q=(1.5, 1, 0), dq=(0.5, 0, 1), step=0.1).config
/// array([2., 1., 1.])
#[pyclass(frozen, module = "kinworld.sim")]
#[derive(Clone)]
pub(crate) struct PlanarBody(pub(super) Body);

#[pymethods]
impl PlanarBody {
    #[new]
    #[pyo3(signature = (mass, inertia, com=[0.0; 2], *, about_com=false, gravity=[0.0; 2], forces=Vec::new(), torque=0.0,
        reference=[0.0; 3]))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn new(
        mass: f64,
        inertia: f64,
        com: [f64; 2],
        about_com: bool,
        gravity: [f64; 2],
        forces: Vec<([f64; 2], [f64; 2])>,
        torque: f64,
        reference: [f64; 3],
    ) -> PyResult<Self> {
        let mut body = call(|| {
            if about_com {
                Body::from_com_inertia(mass, inertia, com)
            } else {
                Body::new(mass, inertia, com)
            }
        })?;
        body.gravity = gravity;
        body.torque = torque;
        body.reference = reference;
        body.forces = forces
            .into_iter()
            .map(|(point, force)| PlanarForce { point, force })
            .collect();
        Ok(Self(body))
    }

    /// Mass matrix (3 × 3) at an angle, rad.
    fn mass_matrix<'py>(&self, py: Python<'py>, theta: f64) -> Array2<'py> {
        matrix(py, &self.0.mass_matrix(theta))
    }

    /// Coriolis and centrifugal forces (3) at an angle and an angular velocity.
    fn coriolis_forces<'py>(&self, py: Python<'py>, theta: f64, omega: f64) -> Array1<'py> {
        array1(py, &self.0.coriolis_forces(theta, omega))
    }

    /// Gravity force (3) at an angle, on the right-hand side of the equation of motion.
    fn gravity_force<'py>(&self, py: Python<'py>, theta: f64) -> Array1<'py> {
        array1(py, &self.0.gravity_force(theta))
    }

    /// Jacobian (3 × 3) of a point (2) of the body at an angle.
    fn position_jacobian<'py>(&self, py: Python<'py>, theta: f64, point: [f64; 2]) -> Array2<'py> {
        matrix(py, &self.0.position_jacobian(theta, point))
    }

    /// Jacobian (3 × 3) of the rotation.
    fn rotation_jacobian<'py>(&self, py: Python<'py>) -> Array2<'py> {
        matrix(py, &self.0.rotation_jacobian())
    }

    fn __repr__(&self) -> String {
        format!(
            "PlanarBody: gravity {:?}, {} forces",
            self.0.gravity,
            self.0.forces.len()
        )
    }
}
