//! Equilibrium, closure and support of point contacts.

use kinworld::contact as kw;
use kinworld::math::Wrench;
use kinworld::{LinkId, Robot as Model, Vector};
use pyo3::prelude::*;

use super::cone::ContactPoint;
use super::results::{Equilibrium, RobotEquilibrium, SupportPolygon};
use crate::convert::{Array1, Array2, LinkKey, Rows, Vec3, Vec6, array1, matrix};
use crate::error::{call, call_detached};
use crate::state::{GRAVITY, State};

fn rows_of(forces: &Rows) -> PyResult<Vec<Vector>> {
    Ok(forces
        .of_width(3, "forces")?
        .chunks_exact(3)
        .map(Vector::from_column_slice)
        .collect())
}

fn points(contacts: &[ContactPoint]) -> Vec<kw::ContactPoint> {
    contacts.iter().map(|contact| contact.0).collect()
}

fn friction(pyramid: Option<u32>) -> kw::Friction {
    pyramid.map_or(kw::Friction::Exact, kw::Friction::Pyramid)
}

fn space(normal: Option<Vec3>) -> kw::GraspSpace {
    normal.map_or(kw::GraspSpace::Spatial, |normal| {
        kw::GraspSpace::Planar(normal.vector())
    })
}

fn on_links(
    robot: &Model,
    contacts: &[(LinkKey, ContactPoint)],
) -> PyResult<Vec<(LinkId, kw::ContactPoint)>> {
    contacts
        .iter()
        .map(|(link, contact)| Ok((link.of(robot)?, contact.0)))
        .collect()
}

/// Contact forces that balance a load (6): a wrench about the point ``about``, moment first, in world axes.
///
/// The cones are exact, or pyramids with ``pyramid`` edges.
#[pyfunction]
#[pyo3(signature = (contacts, load, about=Vec3([0.0; 3]), *, pyramid=None))]
pub(crate) fn equilibrium(
    py: Python<'_>,
    contacts: Vec<ContactPoint>,
    load: Vec6,
    about: Vec3,
    pyramid: Option<u32>,
) -> PyResult<Equilibrium> {
    let (contacts, load) = (points(&contacts), Wrench::from_angular_first(load.0));
    call_detached(py, || {
        kw::equilibrium(&contacts, &load, &about.point(), friction(pyramid))
    })
    .map(Equilibrium)
}

/// Whether the contacts resist every load: in space, or in the plane of a ``normal`` (3).
#[pyfunction]
#[pyo3(signature = (contacts, *, normal=None))]
pub(crate) fn force_closure(
    py: Python<'_>,
    contacts: Vec<ContactPoint>,
    normal: Option<Vec3>,
) -> PyResult<bool> {
    let contacts = points(&contacts);
    call_detached(py, || kw::force_closure(&contacts, &space(normal)))
}

/// How far the contacts are from losing force closure; 0 or less without it.
#[pyfunction]
#[pyo3(signature = (contacts, *, normal=None))]
pub(crate) fn closure_margin(
    py: Python<'_>,
    contacts: Vec<ContactPoint>,
    normal: Option<Vec3>,
) -> PyResult<f64> {
    let contacts = points(&contacts);
    call_detached(py, || kw::closure_margin(&contacts, &space(normal)))
}

/// The support polygon of contacts on any ground.
#[pyfunction]
#[pyo3(signature = (contacts, *, pyramid=None))]
pub(crate) fn support_polygon(
    py: Python<'_>,
    contacts: Vec<ContactPoint>,
    pyramid: Option<u32>,
) -> PyResult<SupportPolygon> {
    let contacts = points(&contacts);
    call_detached(py, || kw::support_polygon(&contacts, friction(pyramid))).map(SupportPolygon)
}

/// The support polygon of contacts on level ground: their convex hull.
#[pyfunction]
pub(crate) fn level_support(contacts: Vec<ContactPoint>) -> PyResult<SupportPolygon> {
    call(|| kw::level_support(&points(&contacts))).map(SupportPolygon)
}

/// The matrix (6 × 3k) from contact forces to their wrench about a point, moment first.
#[pyfunction]
#[pyo3(signature = (contacts, about=Vec3([0.0; 3])))]
pub(crate) fn grasp_matrix<'py>(
    py: Python<'py>,
    contacts: Vec<ContactPoint>,
    about: Vec3,
) -> PyResult<Array2<'py>> {
    call(|| Ok(kw::grasp_matrix(&points(&contacts), &about.point()))).map(|m| matrix(py, &m))
}

/// The wrench (6) of contact forces (k × 3) about a point, moment first.
#[pyfunction]
#[pyo3(signature = (contacts, forces, about=Vec3([0.0; 3])))]
pub(crate) fn net_wrench<'py>(
    py: Python<'py>,
    contacts: Vec<ContactPoint>,
    forces: Rows,
    about: Vec3,
) -> PyResult<Array1<'py>> {
    let forces = same_count(contacts.len(), &forces)?;
    call(|| Ok(kw::net_wrench(&points(&contacts), &forces, &about.point())))
        .map(|wrench| array1(py, &wrench.to_angular_first()))
}

/// Joint forces (n) of contact forces (k × 3) on links: the sum of Jᵀ f. ``contacts`` are pairs of a link and a
/// ``ContactPoint``.
#[pyfunction]
pub(crate) fn joint_forces<'py>(
    py: Python<'py>,
    state: &State,
    contacts: Vec<(LinkKey, ContactPoint)>,
    forces: Rows,
) -> PyResult<Array1<'py>> {
    let forces = same_count(contacts.len(), &forces)?;
    state.with(py, |robot, state| {
        let contacts = on_links(robot, &contacts)?;
        call(|| Ok(kw::joint_forces(robot, state, &contacts, &forces))).map(|tau| array1(py, &tau))
    })
}

/// Contact forces and driver forces within their limits that hold a robot in gravity.
#[pyfunction]
#[pyo3(signature = (state, contacts, *, gravity=GRAVITY, pyramid=None))]
pub(crate) fn robot_equilibrium(
    py: Python<'_>,
    state: &State,
    contacts: Vec<(LinkKey, ContactPoint)>,
    gravity: Vec3,
    pyramid: Option<u32>,
) -> PyResult<RobotEquilibrium> {
    state.with(py, |robot, state| {
        let contacts = on_links(robot, &contacts)?;
        call(|| {
            let (gravity, friction) = (gravity.vector(), friction(pyramid));
            kw::robot_equilibrium(robot, state, &contacts, &gravity, friction)
        })
        .map(|found| RobotEquilibrium(found, robot.clone()))
    })
}

fn same_count(count: usize, forces: &Rows) -> PyResult<Vec<Vector>> {
    if count == forces.count {
        return rows_of(forces);
    }
    Err(crate::error::error(format!(
        "there are {count} contacts and {} forces",
        forces.count
    )))
}
