//! Energies, momenta and regressors of a state.

use kinworld::dynamics as dyn_;
use pyo3::prelude::*;

use super::{GRAVITY, State};
use crate::convert::{Array1, Array2, LinkKey, Reals, Vec3, array1, matrix};

#[pymethods]
impl State {
    /// Kinetic energy, J.
    fn kinetic_energy(&mut self, py: Python<'_>) -> PyResult<f64> {
        self.ask_with(py, |r, s, scratch| {
            Ok(dyn_::kinetic_energy_with(r, s, &mut scratch.dynamics))
        })
    }

    /// Potential energy, J; zero where the centre of mass is at the origin.
    #[pyo3(signature = (gravity=GRAVITY))]
    fn potential_energy(&self, py: Python<'_>, gravity: Vec3) -> PyResult<f64> {
        self.ask(py, |r, s| {
            Ok(dyn_::potential_energy(r, s, &gravity.vector()))
        })
    }

    /// Linear momentum (3) in world axes, N·s.
    fn linear_momentum<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        self.ask(py, |r, s| Ok(dyn_::linear_momentum(r, s)))
            .map(|v| array1(py, v.as_slice()))
    }

    /// Angular momentum (3) about the centre of mass in world axes, N·m·s.
    fn angular_momentum<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        self.ask(py, |r, s| Ok(dyn_::angular_momentum(r, s)))
            .map(|v| array1(py, v.as_slice()))
    }

    /// Momentum (6) about a point of the world, angular first.
    fn momentum<'py>(&self, py: Python<'py>, p: Vec3) -> PyResult<Array1<'py>> {
        self.ask(py, |r, s| Ok(dyn_::momentum(r, s, &p.point())))
            .map(|h| array1(py, &h.to_angular_first()))
    }

    /// Centroidal momentum matrix (6 × n): the momentum about the centre of mass is its product with dq.
    fn centroidal_momentum_matrix<'py>(&self, py: Python<'py>) -> PyResult<Array2<'py>> {
        self.ask(py, |r, s| Ok(dyn_::centroidal_momentum_matrix(r, s)))
            .map(|a| matrix(py, &a))
    }

    /// Time derivative (6 × n) of the centroidal momentum matrix.
    fn centroidal_momentum_matrix_dot<'py>(&self, py: Python<'py>) -> PyResult<Array2<'py>> {
        self.ask(py, |r, s| Ok(dyn_::centroidal_momentum_matrix_dot(r, s)))
            .map(|a| matrix(py, &a))
    }

    /// The rate (6) of the centroidal momentum that the velocity alone causes.
    fn centroidal_momentum_bias<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        self.ask(py, |r, s| Ok(dyn_::centroidal_momentum_bias(r, s)))
            .map(|h| array1(py, &h.to_angular_first()))
    }

    /// Regressor Y (n × 10·links): τ = Y θ with the inertial parameters θ.
    #[pyo3(signature = (ddq, *, gravity=GRAVITY))]
    fn inertial_regressor<'py>(
        &self,
        py: Python<'py>,
        ddq: Reals,
        gravity: Vec3,
    ) -> PyResult<Array2<'py>> {
        self.ask(py, |r, s| {
            dyn_::inertial_regressor(r, s, &gravity.vector(), &ddq)
        })
        .map(|y| matrix(py, &y))
    }

    /// Inertial parameters θ (10·links): mass, mass × com (3), moment about the origin (6), link by link.
    fn inertial_parameters<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        self.ask(py, |r, _| Ok(dyn_::inertial_parameters(r)))
            .map(|p| array1(py, &p))
    }

    /// Regressor (6 × 10·links) of the wrench at the base.
    #[pyo3(signature = (ddq, *, gravity=GRAVITY))]
    fn base_wrench_regressor<'py>(
        &self,
        py: Python<'py>,
        ddq: Reals,
        gravity: Vec3,
    ) -> PyResult<Array2<'py>> {
        self.ask(py, |r, s| {
            dyn_::base_wrench_regressor(r, s, &gravity.vector(), &ddq)
        })
        .map(|y| matrix(py, &y))
    }

    /// Regressor (6 × 10) of one link's own inertial forces.
    #[pyo3(signature = (link, ddq, *, gravity=GRAVITY))]
    fn link_regressor<'py>(
        &self,
        py: Python<'py>,
        link: LinkKey,
        ddq: Reals,
        gravity: Vec3,
    ) -> PyResult<Array2<'py>> {
        self.ask_link(py, &link, |r, s, l| {
            dyn_::link_regressor(r, s, &gravity.vector(), l, &ddq)
        })
        .map(|y| matrix(py, &y))
    }

    /// Regressor (10·links) of the kinetic energy.
    fn kinetic_energy_regressor<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        self.ask(py, |r, s| Ok(dyn_::kinetic_energy_regressor(r, s)))
            .map(|y| array1(py, &y))
    }

    /// Regressor (10·links) of the potential energy.
    #[pyo3(signature = (gravity=GRAVITY))]
    fn potential_energy_regressor<'py>(
        &self,
        py: Python<'py>,
        gravity: Vec3,
    ) -> PyResult<Array1<'py>> {
        self.ask(py, |r, s| {
            Ok(dyn_::potential_energy_regressor(r, s, &gravity.vector()))
        })
        .map(|y| array1(py, &y))
    }
}
