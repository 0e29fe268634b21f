//! Contacts with friction: cones, equilibrium, closure, support.

use kinworld::contact as kw;
use kinworld::math::Wrench;
use kinworld::{LinkId, Robot as Model, Vector};
use pyo3::prelude::*;

use crate::convert::{Array1, Array2, LinkKey, Rows, Vec3, Vec6, array1, array2, matrix};
use crate::describe::{count, first, number, triple};
use crate::error::{call, call_detached};
use crate::geometry::ContactPair;
use crate::state::{GRAVITY, State};

/// Coulomb's friction cone: forces that push along ``normal`` (3) with a tangential part of at most ``friction`` times
/// the normal part.
#[pyclass(frozen, module = "kinworld.contact")]
pub(crate) struct FrictionCone(kw::FrictionCone);

#[pymethods]
impl FrictionCone {
    #[new]
    fn new(normal: Vec3, friction: f64) -> PyResult<Self> {
        call(|| kw::FrictionCone::new(normal.vector(), friction)).map(Self)
    }

    /// The unit normal (3).
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.normal().as_slice())
    }

    /// Coefficient of friction.
    #[getter]
    fn friction(&self) -> f64 {
        self.0.friction()
    }

    /// Angle between the normal and the surface of the cone, rad.
    #[getter]
    fn angle(&self) -> f64 {
        self.0.angle()
    }

    /// The cone of the opposite normal: of the reaction.
    fn reflected(&self) -> Self {
        Self(self.0.reflected())
    }

    /// Two unit vectors (2 × 3) at right angles to the normal and each other.
    #[getter]
    fn tangents<'py>(&self, py: Python<'py>) -> Array2<'py> {
        vectors(py, &self.0.tangents())
    }

    /// How far a force (3) is outside the cone, N; 0 or less within.
    fn excess(&self, force: Vec3) -> f64 {
        self.0.excess(&force.vector())
    }

    /// Whether a force (3) is within the cone.
    fn contains(&self, force: Vec3) -> bool {
        self.0.contains(&force.vector())
    }

    /// The nearest force (3) within the cone.
    fn project<'py>(&self, py: Python<'py>, force: Vec3) -> Array1<'py> {
        array1(py, self.0.project(&force.vector()).as_slice())
    }

    /// Edges (n × 3) of an inscribed pyramid.
    fn edges<'py>(&self, py: Python<'py>, n: usize) -> PyResult<Array2<'py>> {
        call(|| Ok(self.0.edges(n))).map(|edges| vectors(py, &edges))
    }

    fn __repr__(&self) -> String {
        let normal = triple(*self.0.normal());
        format!(
            "FrictionCone: normal {normal}, friction {}",
            self.0.friction()
        )
    }
}

/// A point contact on a body: a point (3) in the world, the normal (3) into the body, the coefficient of friction.
#[pyclass(frozen, from_py_object, module = "kinworld.contact")]
#[derive(Clone)]
pub(crate) struct ContactPoint(kw::ContactPoint);

#[pymethods]
impl ContactPoint {
    #[new]
    fn new(point: Vec3, normal: Vec3, friction: f64) -> PyResult<Self> {
        call(|| kw::ContactPoint::new(point.point(), normal.vector(), friction)).map(Self)
    }

    /// The contact on the first shape of a pair that collision detection found.
    #[staticmethod]
    fn between(pair: &Bound<'_, ContactPair>, friction: f64) -> PyResult<Self> {
        call(|| kw::ContactPoint::between(&pair.get().0, friction)).map(Self)
    }

    /// The point (3), m.
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.point.coords.as_slice())
    }

    /// The unit normal (3), into the body.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.cone.normal().as_slice())
    }

    /// Coefficient of friction.
    #[getter]
    fn friction(&self) -> f64 {
        self.0.cone.friction()
    }

    /// The friction cone.
    #[getter]
    fn cone(&self) -> FrictionCone {
        FrictionCone(self.0.cone)
    }

    /// The contact on the other body.
    fn reflected(&self) -> Self {
        Self(self.0.reflected())
    }

    fn __repr__(&self) -> String {
        let (p, n) = (&self.0.point, self.0.cone.normal());
        format!(
            "ContactPoint(({}, {}, {}), ({}, {}, {}), {})",
            p.x,
            p.y,
            p.z,
            n.x,
            n.y,
            n.z,
            self.0.cone.friction()
        )
    }
}

/// Contact forces that balance a load.
#[pyclass(frozen, module = "kinworld.contact")]
pub(crate) struct Equilibrium(kw::Equilibrium);

#[pymethods]
impl Equilibrium {
    /// Forces (k × 3) of the contacts, N.
    #[getter]
    fn forces<'py>(&self, py: Python<'py>) -> Array2<'py> {
        vectors(py, &self.0.forces)
    }

    /// The part (6) of the load that is not balanced, moment first.
    #[getter]
    fn residual<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.0.residual.to_angular_first())
    }

    /// Size of the residual relative to the load.
    #[getter]
    fn error(&self) -> f64 {
        self.0.error
    }

    /// Whether the load is balanced.
    #[getter]
    fn holds(&self) -> bool {
        self.0.holds()
    }

    fn __bool__(&self) -> bool {
        self.0.holds()
    }

    fn __repr__(&self) -> String {
        let holds = if self.0.holds() { "holds" } else { "fails" };
        format!("Equilibrium: {holds}, error {:.1e}", self.0.error)
    }
}

/// Contact forces and motor forces that hold a robot in gravity.
#[pyclass(frozen, module = "kinworld.contact")]
pub(crate) struct RobotEquilibrium(kw::RobotEquilibrium, std::sync::Arc<Model>);

#[pymethods]
impl RobotEquilibrium {
    /// Forces (k × 3) of the contacts, N.
    #[getter]
    fn forces<'py>(&self, py: Python<'py>) -> Array2<'py> {
        vectors(py, &self.0.forces)
    }

    /// Forces of the drivers, N·m or N.
    #[getter]
    fn drivers<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.0.drivers)
    }

    /// Joint forces (n) that are not balanced.
    #[getter]
    fn residual<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.0.residual)
    }

    /// Size of the residual relative to gravity.
    #[getter]
    fn error(&self) -> f64 {
        self.0.error
    }

    /// Whether gravity is balanced.
    #[getter]
    fn holds(&self) -> bool {
        self.0.holds()
    }

    /// Largest driver force relative to its limit.
    #[getter]
    fn effort(&self) -> f64 {
        self.0.effort(&self.1)
    }

    fn __bool__(&self) -> bool {
        self.0.holds()
    }

    fn __repr__(&self) -> String {
        let holds = if self.0.holds() { "holds" } else { "fails" };
        format!("RobotEquilibrium: {holds}, error {:.1e}", self.0.error)
    }
}

/// Horizontal positions of the centre of mass in static equilibrium.
#[pyclass(frozen, module = "kinworld.contact")]
pub(crate) struct SupportPolygon(kw::SupportPolygon);

#[pymethods]
impl SupportPolygon {
    /// The corners (k × 2), counterclockwise, m.
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> Array2<'py> {
        let vertices = &self.0.vertices;
        array2(py, vertices.len(), 2, |out| {
            for (row, vertex) in out.chunks_exact_mut(2).zip(vertices) {
                row.copy_from_slice(vertex.coords.as_slice());
            }
        })
    }

    /// Whether the polygon is bounded.
    #[getter]
    fn is_bounded(&self) -> bool {
        self.0.is_bounded
    }

    /// Area, m².
    #[getter]
    fn area(&self) -> f64 {
        self.0.area()
    }

    /// Distance of (x, y) from the edge, m; negative outside.
    fn margin(&self, x: f64, y: f64) -> f64 {
        self.0.margin(x, y)
    }

    /// Whether (x, y) is inside.
    fn contains(&self, x: f64, y: f64) -> bool {
        self.0.contains(x, y)
    }

    fn __repr__(&self) -> String {
        let vertices = first(&self.0.vertices, |p| {
            format!("({}, {})", number(p.x), number(p.y))
        });
        format!(
            "SupportPolygon: {}: {vertices}",
            count(self.0.vertices.len(), "corner")
        )
    }
}

fn vectors<'py>(py: Python<'py>, vectors: &[Vector]) -> Array2<'py> {
    array2(py, vectors.len(), 3, |out| {
        for (row, vector) in out.chunks_exact_mut(3).zip(vectors) {
            row.copy_from_slice(vector.as_slice());
        }
    })
}

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
