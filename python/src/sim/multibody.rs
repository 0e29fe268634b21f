//! Bodies in redundant coordinates, connected by joints, rods, couplings and springs.

use kinworld::math::{Inertia, Motion};
use kinworld::sim::{
    Axes, Coupling, DistanceConstraint, Drive, GenericJoint, IntegratorState, JointId, Load,
    Marker, MultibodySystem as Bodies, RobotBodies, Spring,
};
use kinworld::{LinkId, Point, Pose};
use pyo3::prelude::*;

use super::control::Problem;
use super::sensor::LinkRef;
use super::tree::{BaseIn, moving_base};
use crate::convert::{Array1, Array2, PoseIn, Reals, Rows, Vec3, array1, pose_array};
use crate::error::{call, error, fail};
use crate::inertia::matrix3;
use crate::objects::RigidObject;
use crate::robot::Robot;

/// Rigid bodies in redundant coordinates, connected by joints, rods, couplings and springs; loops are welcome.
///
/// A frame is ``None`` for the ground's, a link for its own, or ``(link, point)`` or ``(link, pose)`` for one on a
/// link; ``(None, pose)`` is one on the ground. Links and joints are named or counted.
///
/// >>> import kinworld as kw
/// >>> system = kw.sim.MultibodySystem(gravity=(0, 0, -9.81))
/// >>> system.add_body("bob", mass=2.0, moment=[[.1, 0, 0], [0, .1, 0], [0, 0, .1]], pose=kw.se3.from_translation((1, 0, 0)))
/// 0
/// >>> system.add_distance("rod", None, "bob", 1.0)
/// >>> end = kw.sim.simulate(system, 0.5, step=1e-3)
/// >>> system.residual(end)[0] < 1e-9
/// True
#[pyclass(module = "kinworld.sim")]
#[derive(Clone)]
pub(crate) struct MultibodySystem {
    pub(super) system: Bodies,
    pub(super) robot: Option<RobotBodies>,
    pub(super) problem: Problem,
}

/// A frame that joints and springs attach to.
#[derive(FromPyObject)]
pub(super) enum MarkerIn {
    At(Option<LinkRef>, Vec3),
    Placed(Option<LinkRef>, PoseIn),
    On(LinkRef),
}

/// Which motions a joint leaves free: a name, or three translations and three rotations.
#[derive(FromPyObject)]
enum AxesIn {
    Name(String),
    Free([bool; 3], [bool; 3]),
}

impl AxesIn {
    fn axes(self) -> PyResult<Axes> {
        Ok(match self {
            Self::Free(translation, rotation) => Axes::new(translation, rotation),
            Self::Name(name) => match name.as_str() {
                "fixed" => Axes::FIXED,
                "revolute" => Axes::REVOLUTE,
                "prismatic" => Axes::PRISMATIC,
                "cylindrical" => Axes::CYLINDRICAL,
                "universal" => Axes::UNIVERSAL,
                "spherical" => Axes::SPHERICAL,
                "planar" => Axes::PLANAR,
                "free" => Axes::FREE,
                _ => {
                    return Err(error(format!(
                        "unknown joint {name:?}; expected fixed, revolute, prismatic, cylindrical, universal, spherical, \
                         planar, free or three translations and three rotations as booleans"
                    )));
                }
            },
        })
    }
}

impl MultibodySystem {
    pub(super) fn link(&self, link: &LinkRef) -> PyResult<LinkId> {
        link.find(usize::MAX >> 1, |name| {
            self.system.link_id(name).map_err(fail)
        })
    }

    fn joint(&self, joint: &LinkRef) -> PyResult<JointId> {
        let count = self.system.joints().len();
        match joint {
            LinkRef::Index(i) => crate::convert::index(*i, count, "joint").map(JointId::new),
            LinkRef::Name(name) => self.system.joint_id(name).map_err(fail),
        }
    }

    fn marker(&self, marker: Option<MarkerIn>) -> PyResult<Marker> {
        let on = |link: Option<LinkRef>| match link {
            None => Ok(Marker::GROUND),
            Some(link) => self.link(&link).map(Marker::on),
        };
        Ok(match marker {
            None => Marker::GROUND,
            Some(MarkerIn::On(link)) => on(Some(link))?,
            Some(MarkerIn::At(link, p)) => on(link)?.at(p.point()),
            Some(MarkerIn::Placed(link, pose)) => on(link)?.with_pose(pose.0),
        })
    }
}

#[pymethods]
impl MultibodySystem {
    #[new]
    #[pyo3(signature = (*, gravity=Vec3([0.0, 0.0, -9.81])))]
    fn new(gravity: Vec3) -> Self {
        let mut system = Bodies::new();
        system.gravity = gravity.vector();
        Self {
            system,
            robot: None,
            problem: Problem::default(),
        }
    }

    /// The bodies and joints of a robot; ``simulate`` then takes ``q`` and ``dq`` (n) of the robot.
    #[staticmethod]
    fn from_robot(robot: &Bound<'_, Robot>) -> PyResult<Self> {
        let (system, bodies) = call(|| Bodies::from_robot(&robot.get().model))?;
        Ok(Self {
            system,
            robot: Some(bodies),
            problem: Problem::default(),
        })
    }

    /// Adds a body and returns its index. ``com`` (3) is in its frame, ``moment`` (3 × 3) about the centre of mass.
    #[pyo3(signature = (name, *, mass, moment, com=Vec3([0.0; 3]), pose=None))]
    fn add_body(
        &mut self,
        name: String,
        mass: f64,
        moment: Rows,
        com: Vec3,
        pose: Option<PoseIn>,
    ) -> PyResult<usize> {
        let inertia = Inertia {
            mass,
            com: com.point(),
            moment: matrix3(&moment, "moment")?,
        };
        let pose = pose.map_or_else(Pose::identity, |pose| pose.0);
        call(|| self.system.add_body(name, &inertia, &pose)).map(LinkId::index)
    }

    /// Adds a rigid object as a body, with its velocity, and returns its index.
    fn add_object(&mut self, object: &Bound<'_, RigidObject>) -> PyResult<usize> {
        call(|| self.system.add_object(&object.get().0)).map(LinkId::index)
    }

    /// Adds a frame on a link or on the ground and returns its index, for sensors.
    #[pyo3(signature = (name, at))]
    fn add_frame(&mut self, name: String, at: Option<MarkerIn>) -> PyResult<usize> {
        let at = self.marker(at)?;
        call(|| self.system.add_frame(name, &at)).map(LinkId::index)
    }

    /// Adds a joint between two frames and returns its index.
    ///
    /// ``axes`` is ``"revolute"`` (about z), ``"prismatic"`` (along z), ``"fixed"``, ``"cylindrical"``,
    /// ``"universal"``, ``"spherical"``, ``"planar"``, ``"free"``, or the free translations and rotations as booleans.
    #[pyo3(signature = (name, axes, a, b))]
    fn add_joint(
        &mut self,
        name: String,
        axes: AxesIn,
        a: Option<MarkerIn>,
        b: Option<MarkerIn>,
    ) -> PyResult<usize> {
        let (axes, a, b) = (axes.axes()?, self.marker(a)?, self.marker(b)?);
        call(|| self.system.add_joint(GenericJoint::new(name, axes, a, b))).map(JointId::index)
    }

    /// Adds a massless rod: a constant distance between the origins of two frames, m.
    #[pyo3(signature = (name, a, b, length))]
    fn add_distance(
        &mut self,
        name: String,
        a: Option<MarkerIn>,
        b: Option<MarkerIn>,
        length: f64,
    ) -> PyResult<()> {
        let (a, b) = (self.marker(a)?, self.marker(b)?);
        call(|| {
            self.system
                .add_distance(DistanceConstraint::new(name, a, b, length))
        })
    }

    /// Adds a gear: the sum of factor × position over ``terms`` of (joint, dof of the joint, factor) stays ``value``.
    #[pyo3(signature = (name, terms, value=0.0))]
    fn add_coupling(
        &mut self,
        name: String,
        terms: Vec<(LinkRef, usize, f64)>,
        value: f64,
    ) -> PyResult<()> {
        let terms = terms
            .iter()
            .map(|(joint, dof, factor)| Ok((self.joint(joint)?, *dof, *factor)))
            .collect::<PyResult<_>>()?;
        call(|| self.system.add_coupling(Coupling::new(name, terms, value)))
    }

    /// Adds a spring and damper between the origins of two frames; ``length`` at rest, m, N/m, N·s/m.
    #[pyo3(signature = (a, b, length, *, stiffness=0.0, damping=0.0))]
    fn add_spring(
        &mut self,
        a: Option<MarkerIn>,
        b: Option<MarkerIn>,
        length: f64,
        stiffness: f64,
        damping: f64,
    ) -> PyResult<()> {
        let spring = Spring::new(self.marker(a)?, self.marker(b)?, length)
            .with_stiffness(stiffness)
            .with_damping(damping);
        self.system.springs.push(spring);
        Ok(())
    }

    /// Adds an actuator of a joint and returns its index:
    /// force + p (position − q) + d (velocity − dq) − inertia · ddq.
    #[pyo3(signature = (joint, dof=0, *, p=0.0, d=0.0, position=0.0, velocity=0.0, force=0.0, inertia=0.0))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn add_drive(
        &mut self,
        joint: LinkRef,
        dof: usize,
        p: f64,
        d: f64,
        position: f64,
        velocity: f64,
        force: f64,
        inertia: f64,
    ) -> PyResult<usize> {
        let drive = Drive::new(self.joint(&joint)?, dof)
            .with_p(p)
            .with_d(d)
            .with_position(position)
            .with_velocity(velocity)
            .with_force(force)
            .with_inertia(inertia);
        self.system.drives.push(drive);
        Ok(self.system.drives.len() - 1)
    }

    /// Adds an external force and moment (3 each) in world axes at a point (3) of a link, N and N·m.
    #[pyo3(signature = (link, *, point=Vec3([0.0; 3]), force=Vec3([0.0; 3]), moment=Vec3([0.0; 3])))]
    fn add_load(&mut self, link: LinkRef, point: Vec3, force: Vec3, moment: Vec3) -> PyResult<()> {
        let load = Load::new(self.link(&link)?)
            .with_point(Point::from(point.0))
            .with_force(force.vector())
            .with_moment(moment.vector());
        self.system.loads.push(load);
        Ok(())
    }

    /// Sets the initial velocities (3 each) of a body, in world axes: angular, and of its origin.
    fn set_velocity(&mut self, link: LinkRef, angular: Vec3, linear: Vec3) -> PyResult<()> {
        let link = self.link(&link)?;
        let velocity = Motion {
            angular: angular.vector(),
            linear: linear.vector(),
        };
        call(|| self.system.set_velocity(link, &velocity))
    }

    /// Moves the ground: to a pose (4 × 4), or by a function of time that returns one, or a pose with its velocity and
    /// acceleration (6 each, angular first).
    fn set_base(&mut self, base: BaseIn) -> PyResult<()> {
        match base {
            BaseIn::Pose(pose) => call(|| self.system.set_base(&pose.0)),
            BaseIn::Function(function) => {
                let motion = moving_base(function, self.problem.clone());
                self.system.set_moving_base(motion);
                Ok(())
            }
        }
    }

    /// Gravity (3), m/s² in world axes.
    #[getter]
    fn gravity<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.system.gravity.as_slice())
    }

    #[setter(gravity)]
    fn assign_gravity(&mut self, gravity: Vec3) {
        self.system.gravity = gravity.vector();
    }

    /// Number of bodies.
    #[getter]
    fn n_bodies(&self) -> usize {
        self.system.n_bodies()
    }

    /// Number of constraints.
    #[getter]
    fn n_constraints(&self) -> usize {
        self.system.n_constraints()
    }

    /// The names of the joints.
    #[getter]
    fn joint_names(&self) -> Vec<&str> {
        self.system
            .joints()
            .iter()
            .map(|joint| joint.name.as_str())
            .collect()
    }

    /// The index of a link.
    fn link_id(&self, name: &str) -> PyResult<usize> {
        self.system.link_id(name).map(LinkId::index).map_err(fail)
    }

    /// The index of a joint.
    fn joint_id(&self, name: &str) -> PyResult<usize> {
        self.system.joint_id(name).map(JointId::index).map_err(fail)
    }

    /// The joint and its dof that a robot's dof became; ``None`` for one that is constant.
    fn joint_dof(&self, dof: usize) -> PyResult<Option<(usize, usize)>> {
        let bodies = self
            .robot
            .as_ref()
            .ok_or_else(|| error("the system was not made of a robot"))?;
        call(|| Ok(bodies.joint_dof(dof))).map(|at| at.map(|(joint, dof)| (joint.index(), dof)))
    }

    /// The values of the integrator at the start, which satisfy all constraints.
    fn initial_values<'py>(&mut self, py: Python<'py>) -> PyResult<Array1<'py>> {
        call(|| self.system.initial_state(0.0)).map(|state| array1(py, &state.y))
    }

    /// Pose (4 × 4) of a link at the end of a recording, or at values of the integrator.
    fn pose<'py>(&self, py: Python<'py>, at: ValuesIn<'_>, link: LinkRef) -> PyResult<Array2<'py>> {
        let (link, (_, y)) = (self.link(&link)?, at.values()?);
        call(|| self.system.pose(&y, link)).map(|pose| pose_array(py, &pose))
    }

    /// Velocity (6) of a link at the end of a recording, or at values of the integrator: angular first, world axes.
    fn velocity<'py>(
        &self,
        py: Python<'py>,
        at: ValuesIn<'_>,
        link: LinkRef,
    ) -> PyResult<Array1<'py>> {
        let (link, (_, y)) = (self.link(&link)?, at.values()?);
        call(|| self.system.velocity(&y, link)).map(|v| array1(py, &v.to_angular_first()))
    }

    /// Largest violation of the constraints: of positions, of velocities, and the constraint's name.
    fn residual(&mut self, at: ValuesIn<'_>) -> PyResult<(f64, f64, String)> {
        let (t, y) = at.values()?;
        call(|| self.system.residual(t, &y))
            .map(|residual| (residual.position, residual.velocity, residual.constraint))
    }

    /// Constraints that follow from others there: names and numbers of rows.
    fn redundancies(&mut self, at: ValuesIn<'_>) -> PyResult<Vec<(String, usize)>> {
        let (t, y) = at.values()?;
        let found = call(|| self.system.redundancies(&IntegratorState::new(t, y)))?;
        let found = found.into_iter();
        Ok(found.map(|found| (found.constraint, found.rows)).collect())
    }

    /// A system of its own with the same parts.
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __repr__(&self) -> String {
        format!(
            "MultibodySystem: {} bodies, {} constraints",
            self.system.n_bodies(),
            self.system.n_constraints()
        )
    }
}

/// The end of a recording, or values.
#[derive(FromPyObject)]
enum ValuesIn<'py> {
    Recording(Bound<'py, super::Recording>),
    Values(Reals),
}

impl ValuesIn<'_> {
    fn values(&self) -> PyResult<(f64, Vec<f64>)> {
        Ok(match self {
            Self::Recording(recording) => recording.get().end_values(),
            Self::Values(values) => (0.0, values.to_vec()),
        })
    }
}
