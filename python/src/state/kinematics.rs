//! Kinematics of a state.

use kinworld::kinematics as kin;
use kinworld::kinematics::{Reference, RowOrder};
use kinworld::world::SelfCollisionOptions;
use pyo3::prelude::*;

use super::State;
use crate::convert::{
    Array1, Array2, ArrayN, DofKey, LinkKey, Reals, Vec3, array_n, array1, matrix, six_rows,
};
use crate::error::{call, error};

const ORIGIN: Vec3 = Vec3([0.0; 3]);

/// `"angular_first"` or `"linear_first"`.
fn row_order(name: &str) -> PyResult<RowOrder> {
    match name {
        "angular_first" => Ok(RowOrder::AngularFirst),
        "linear_first" => Ok(RowOrder::LinearFirst),
        _ => Err(error(format!(
            "order is \"angular_first\" or \"linear_first\", not {name:?}"
        ))),
    }
}

/// `"local"`, `"local_world_aligned"` or `"world"`.
fn reference(name: &str) -> PyResult<Reference> {
    match name {
        "local" => Ok(Reference::Local),
        "local_world_aligned" => Ok(Reference::LocalWorldAligned),
        "world" => Ok(Reference::World),
        _ => Err(error(format!(
            "reference is \"local\", \"local_world_aligned\" or \"world\", not {name:?}"
        ))),
    }
}

/// Three matrices n × n as an array.
fn hessian<'py>(
    py: Python<'py>,
    parts: &[kinworld::nalgebra::DMatrix<f64>; 3],
) -> PyResult<ArrayN<'py>> {
    let n = parts[0].nrows();
    // nalgebra's order is by columns
    let numbers = parts
        .iter()
        .flat_map(|part| part.transpose().iter().copied().collect::<Vec<_>>());
    array_n(py, &[3, n, n], numbers.collect())
}

#[pymethods]
impl State {
    /// Position (3) in the world of the point ``p`` (3) of a link.
    #[pyo3(signature = (link, p=ORIGIN))]
    fn world_position<'py>(
        &self,
        py: Python<'py>,
        link: LinkKey,
        p: Vec3,
    ) -> PyResult<Array1<'py>> {
        self.ask_link(py, &link, |r, s, l| {
            Ok(kin::world_position(r, s, l, &p.point()))
        })
        .map(|p| array1(py, p.coords.as_slice()))
    }

    /// Position (3) in a link's frame of the point ``p`` (3) of the world.
    fn local_position<'py>(
        &self,
        py: Python<'py>,
        link: LinkKey,
        p: Vec3,
    ) -> PyResult<Array1<'py>> {
        self.ask_link(py, &link, |r, s, l| {
            Ok(kin::local_position(r, s, l, &p.point()))
        })
        .map(|p| array1(py, p.coords.as_slice()))
    }

    /// Direction (3) in the world of the direction ``d`` (3) of a link.
    fn world_direction<'py>(
        &self,
        py: Python<'py>,
        link: LinkKey,
        d: Vec3,
    ) -> PyResult<Array1<'py>> {
        self.ask_link(py, &link, |r, s, l| {
            Ok(kin::world_direction(r, s, l, &d.vector()))
        })
        .map(|d| array1(py, d.as_slice()))
    }

    /// Direction (3) in a link's frame of the direction ``d`` (3) of the world.
    fn local_direction<'py>(
        &self,
        py: Python<'py>,
        link: LinkKey,
        d: Vec3,
    ) -> PyResult<Array1<'py>> {
        self.ask_link(py, &link, |r, s, l| {
            Ok(kin::local_direction(r, s, l, &d.vector()))
        })
        .map(|d| array1(py, d.as_slice()))
    }

    /// Jacobian (6 × n) of the point ``p`` of a link, in world axes: rows 0–2 angular, 3–5 linear.
    ///
    /// ``order="linear_first"`` swaps the halves, as in Pinocchio.
    #[pyo3(signature = (link, p=ORIGIN, *, order="angular_first"))]
    fn jacobian<'py>(
        &mut self,
        py: Python<'py>,
        link: LinkKey,
        p: Vec3,
        order: &str,
    ) -> PyResult<Array2<'py>> {
        let linear_first = row_order(order)? == RowOrder::LinearFirst;
        let id = self.with(py, |robot, _| link.of(robot))?;
        self.ask_with(py, |robot, state, scratch| {
            kin::jacobian_into(robot, state, id, &p.point(), &mut scratch.columns);
            Ok(six_rows(py, scratch.columns.as_slice(), linear_first))
        })
    }

    /// Jacobian (3 × n) of the position of the point ``p`` of a link, in world axes.
    #[pyo3(signature = (link, p=ORIGIN))]
    fn position_jacobian<'py>(
        &self,
        py: Python<'py>,
        link: LinkKey,
        p: Vec3,
    ) -> PyResult<Array2<'py>> {
        self.ask_link(py, &link, |r, s, l| {
            Ok(kin::position_jacobian(r, s, l, &p.point()))
        })
        .map(|j| matrix(py, &j))
    }

    /// Jacobian (3 × n) of the angular velocity of a link, in world axes.
    fn orientation_jacobian<'py>(&self, py: Python<'py>, link: LinkKey) -> PyResult<Array2<'py>> {
        self.ask_link(py, &link, |r, s, l| Ok(kin::orientation_jacobian(r, s, l)))
            .map(|j| matrix(py, &j))
    }

    /// Jacobian (6 × n) of a link's frame: ``reference`` is ``"local"``, ``"local_world_aligned"`` or ``"world"``.
    #[pyo3(signature = (link, reference="local_world_aligned"))]
    fn frame_jacobian<'py>(
        &self,
        py: Python<'py>,
        link: LinkKey,
        reference: &str,
    ) -> PyResult<Array2<'py>> {
        let reference = self::reference(reference)?;
        self.ask_link(py, &link, |r, s, l| {
            Ok(kin::frame_jacobian(r, s, l, reference))
        })
        .map(|j| matrix(py, &j))
    }

    /// Velocity (6) of a link's frame, angular first.
    #[pyo3(signature = (link, reference="local_world_aligned"))]
    fn frame_velocity<'py>(
        &self,
        py: Python<'py>,
        link: LinkKey,
        reference: &str,
    ) -> PyResult<Array1<'py>> {
        let reference = self::reference(reference)?;
        self.ask_link(py, &link, |r, s, l| {
            Ok(kin::frame_velocity(r, s, l, reference))
        })
        .map(|v| array1(py, &v.to_angular_first()))
    }

    /// Columns (6 × k) of the Jacobian for some degrees of freedom.
    #[pyo3(signature = (link, dofs, p=ORIGIN))]
    fn jacobian_columns<'py>(
        &self,
        py: Python<'py>,
        link: LinkKey,
        dofs: Vec<DofKey>,
        p: Vec3,
    ) -> PyResult<Array2<'py>> {
        self.with(py, |robot, state| {
            let (link, dofs) = (link.of(robot)?, DofKey::all_of(&dofs, robot)?);
            call(|| Ok(kin::jacobian_columns(robot, state, link, &p.point(), &dofs)))
        })
        .map(|j| matrix(py, &j))
    }

    /// Jacobian (6 × n) of the point ``p`` of a link relative to another link, in the axes of that link.
    #[pyo3(signature = (link, relative_to, p=ORIGIN))]
    fn relative_jacobian<'py>(
        &self,
        py: Python<'py>,
        link: LinkKey,
        relative_to: LinkKey,
        p: Vec3,
    ) -> PyResult<Array2<'py>> {
        self.with(py, |robot, state| {
            let (link, base) = (link.of(robot)?, relative_to.of(robot)?);
            call(|| Ok(kin::relative_jacobian(robot, state, link, &p.point(), base)))
        })
        .map(|j| matrix(py, &j))
    }

    /// Velocity (6) of the point ``p`` of a link relative to another link, angular first, in the axes of that link.
    #[pyo3(signature = (link, relative_to, p=ORIGIN))]
    fn relative_velocity<'py>(
        &self,
        py: Python<'py>,
        link: LinkKey,
        relative_to: LinkKey,
        p: Vec3,
    ) -> PyResult<Array1<'py>> {
        self.with(py, |robot, state| {
            let (link, base) = (link.of(robot)?, relative_to.of(robot)?);
            call(|| Ok(kin::relative_velocity(robot, state, link, &p.point(), base)))
        })
        .map(|v| array1(py, &v.to_angular_first()))
    }

    /// Time derivative (6 × n) of the Jacobian of the point ``p`` of a link.
    #[pyo3(signature = (link, p=ORIGIN))]
    fn jacobian_dot<'py>(&self, py: Python<'py>, link: LinkKey, p: Vec3) -> PyResult<Array2<'py>> {
        self.ask_link(py, &link, |r, s, l| {
            Ok(kin::jacobian_dot(r, s, l, &p.point()))
        })
        .map(|j| matrix(py, &j))
    }

    /// The acceleration (6) of the point ``p`` of a link that the velocity alone causes, angular first.
    #[pyo3(signature = (link, p=ORIGIN))]
    fn jacobian_dot_times_velocity<'py>(
        &self,
        py: Python<'py>,
        link: LinkKey,
        p: Vec3,
    ) -> PyResult<Array1<'py>> {
        self.ask_link(py, &link, |r, s, l| {
            Ok(kin::jacobian_dot_times_velocity(r, s, l, &p.point()))
        })
        .map(|a| array1(py, &a.to_angular_first()))
    }

    /// Second derivatives (3 × n × n) of the position of the point ``p`` of a link.
    #[pyo3(signature = (link, p=ORIGIN))]
    fn position_hessian<'py>(
        &self,
        py: Python<'py>,
        link: LinkKey,
        p: Vec3,
    ) -> PyResult<ArrayN<'py>> {
        let parts = self.ask_link(py, &link, |r, s, l| {
            Ok(kin::position_hessian(r, s, l, &p.point()))
        })?;
        hessian(py, &parts)
    }

    /// Derivatives (3 × n × n) of the orientation Jacobian of a link.
    fn orientation_hessian<'py>(&self, py: Python<'py>, link: LinkKey) -> PyResult<ArrayN<'py>> {
        let parts = self.ask_link(py, &link, |r, s, l| Ok(kin::orientation_hessian(r, s, l)))?;
        hessian(py, &parts)
    }

    /// Velocity (3) of the point ``p`` of a link in world axes, m/s.
    #[pyo3(signature = (link, p=ORIGIN))]
    fn point_velocity<'py>(
        &self,
        py: Python<'py>,
        link: LinkKey,
        p: Vec3,
    ) -> PyResult<Array1<'py>> {
        self.ask_link(py, &link, |r, s, l| {
            Ok(kin::point_velocity(r, s, l, &p.point()))
        })
        .map(|v| array1(py, v.as_slice()))
    }

    /// Angular velocity (3) of a link in world axes, rad/s.
    fn angular_velocity<'py>(&self, py: Python<'py>, link: LinkKey) -> PyResult<Array1<'py>> {
        self.ask_link(py, &link, |r, s, l| Ok(kin::angular_velocity(r, s, l)))
            .map(|v| array1(py, v.as_slice()))
    }

    /// Acceleration (3) of the point ``p`` of a link in world axes for joint accelerations ``ddq`` (n), m/s².
    #[pyo3(signature = (link, ddq, p=ORIGIN))]
    fn point_acceleration<'py>(
        &self,
        py: Python<'py>,
        link: LinkKey,
        ddq: Reals,
        p: Vec3,
    ) -> PyResult<Array1<'py>> {
        self.ask_link(py, &link, |r, s, l| {
            kin::point_acceleration(r, s, l, &p.point(), &ddq)
        })
        .map(|v| array1(py, v.as_slice()))
    }

    /// Angular acceleration (3) of a link in world axes for joint accelerations ``ddq`` (n), rad/s².
    fn angular_acceleration<'py>(
        &self,
        py: Python<'py>,
        link: LinkKey,
        ddq: Reals,
    ) -> PyResult<Array1<'py>> {
        self.ask_link(py, &link, |r, s, l| {
            kin::angular_acceleration(r, s, l, &ddq)
        })
        .map(|v| array1(py, v.as_slice()))
    }

    /// Partial derivatives (6 × n each) of the velocity of the point ``p`` of a link: by q, by dq.
    #[pyo3(signature = (link, p=ORIGIN))]
    fn velocity_derivatives<'py>(
        &self,
        py: Python<'py>,
        link: LinkKey,
        p: Vec3,
    ) -> PyResult<(Array2<'py>, Array2<'py>)> {
        self.ask_link(py, &link, |r, s, l| {
            Ok(kin::velocity_derivatives(r, s, l, &p.point()))
        })
        .map(|d| (matrix(py, &d.dv_dq), matrix(py, &d.dv_dv)))
    }

    /// Partial derivatives (6 × n each) of the acceleration of the point ``p`` of a link: by q, by dq, by ddq.
    #[pyo3(signature = (link, ddq, p=ORIGIN))]
    fn acceleration_derivatives<'py>(
        &self,
        py: Python<'py>,
        link: LinkKey,
        ddq: Reals,
        p: Vec3,
    ) -> PyResult<(Array2<'py>, Array2<'py>, Array2<'py>)> {
        self.ask_link(py, &link, |r, s, l| {
            kin::acceleration_derivatives(r, s, l, &p.point(), &ddq)
        })
        .map(|d| {
            (
                matrix(py, &d.da_dq),
                matrix(py, &d.da_dv),
                matrix(py, &d.da_da),
            )
        })
    }

    /// Centre of mass (3) in the world, m.
    fn com<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        self.ask(py, |r, s| Ok(kin::com(r, s)))
            .map(|p| array1(py, p.coords.as_slice()))
    }

    /// Velocity (3) of the centre of mass in world axes, m/s.
    fn com_velocity<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        self.ask(py, |r, s| Ok(kin::com_velocity(r, s)))
            .map(|v| array1(py, v.as_slice()))
    }

    /// Jacobian (3 × n) of the centre of mass in world axes.
    fn com_jacobian<'py>(&self, py: Python<'py>) -> PyResult<Array2<'py>> {
        self.ask(py, |r, s| Ok(kin::com_jacobian(r, s)))
            .map(|j| matrix(py, &j))
    }

    /// Time derivative (3 × n) of the Jacobian of the centre of mass.
    fn com_jacobian_dot<'py>(&self, py: Python<'py>) -> PyResult<Array2<'py>> {
        self.ask(py, |r, s| Ok(kin::com_jacobian_dot(r, s)))
            .map(|j| matrix(py, &j))
    }

    /// Moment of inertia (3 × 3) of the whole robot about its centre of mass in world axes, kg·m².
    fn total_inertia<'py>(&self, py: Python<'py>) -> PyResult<Array2<'py>> {
        self.ask(py, |r, s| Ok(kin::total_inertia(r, s)))
            .map(|i| matrix(py, &i))
    }

    /// Pairs of links that collide with each other, as names.
    ///
    /// Where collision geometry is missing this raises `MissingGeometryError`, unless ``allow_missing_geometry`` is set.
    #[pyo3(signature = (*, allow_missing_geometry=false))]
    fn self_collisions(
        &self,
        py: Python<'_>,
        allow_missing_geometry: bool,
    ) -> PyResult<Vec<(String, String)>> {
        let options =
            SelfCollisionOptions::default().with_allow_missing_geometry(allow_missing_geometry);
        self.ask(py, |robot, state| {
            let name = |link| robot.link(link).name().to_owned();
            let pairs = kinworld::world::self_collisions_with(robot, state, options)?;
            Ok(pairs.into_iter().map(|(a, b)| (name(a), name(b))).collect())
        })
    }
}
