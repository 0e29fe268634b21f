//! Wrenches about points in the axes of frames, and their balances on links.

use std::sync::Arc;

use kinworld::math::Wrench;
use kinworld::wrench as kw;
use kinworld::wrench::{FrameId, FrameMotion};
use kinworld::{Pose, Robot as Model};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::convert::{
    Array1, Array2, LinkKey, PoseIn, Reals, Rows, Vec3, Vec6, array1, matrix, pose_array,
    rotation_array,
};
use crate::error::{call, error};
use crate::inertia::matrix3;
use crate::robot::Robot;
use crate::state::{GRAVITY, State};

/// A frame that ``Frames.add`` made.
#[pyclass(frozen, from_py_object, module = "kinworld.wrench")]
#[derive(Clone)]
pub(crate) struct Frame(FrameId);

#[pymethods]
impl Frame {
    fn __repr__(&self) -> String {
        format!("Frame {}", name_of(self.0, None))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }
}

fn name_of(frame: FrameId, robot: Option<&Model>) -> String {
    match frame {
        FrameId::World => "world".to_owned(),
        FrameId::Link(link) => robot.map_or_else(
            || format!("link {}", link.index()),
            |robot| robot.link(link).name().to_owned(),
        ),
        FrameId::Custom(i) => format!("custom {i}"),
    }
}

/// A frame: ``None`` for the world, a link, or one that ``Frames.add`` made.
#[derive(FromPyObject)]
pub(crate) enum FrameIn {
    Custom(Frame),
    Link(LinkKey),
}

/// A point fixed in a frame: a frame for its origin, or ``(frame, point)``.
#[derive(FromPyObject)]
pub(crate) enum SiteIn {
    Point(Option<FrameIn>, Vec3),
    Origin(FrameIn),
}

fn frame_of(frame: Option<&FrameIn>, robot: &Model) -> PyResult<FrameId> {
    match frame {
        None => Ok(FrameId::World),
        Some(FrameIn::Custom(frame)) => Ok(frame.0),
        Some(FrameIn::Link(link)) => link.of(robot).map(FrameId::Link),
    }
}

fn site_of(site: Option<&SiteIn>, robot: &Model) -> PyResult<kw::Site> {
    match site {
        None => Ok(kw::Site::WORLD),
        Some(SiteIn::Origin(frame)) => frame_of(Some(frame), robot).map(kw::Site::origin),
        Some(SiteIn::Point(frame, p)) => Ok(kw::Site {
            frame: frame_of(frame.as_ref(), robot)?,
            position: p.point(),
        }),
    }
}

/// Frames of a robot at one instant of a motion, and others that move independently.
///
/// A frame is ``None`` for the world, a link, or what ``add`` returned. A site is a frame, for its origin, or
/// ``(frame, point)``; as an observer it has the axes of the frame.
///
/// >>> import kinworld as kw
/// >>> arm = kw.Robot.load("data/robots/planar3R.rob")
/// >>> frames = kw.wrench.Frames(arm.state([0, 0, 0], [1, 0, 0]))
/// >>> frames.relative("link2", None)[1]
/// array([0., 2., 0.])
#[pyclass(module = "kinworld.wrench")]
pub(crate) struct Frames {
    robot: Arc<Model>,
    state: kinworld::State,
    ddq: Vec<f64>,
    custom: Vec<FrameMotion>,
}

impl Frames {
    fn with<T>(&self, query: impl FnOnce(&kw::Frames<'_>) -> kinworld::Result<T>) -> PyResult<T> {
        call(|| {
            let mut frames = kw::Frames::new(&self.robot, &self.state, &self.ddq)?;
            for frame in &self.custom {
                frames.add(*frame)?;
            }
            query(&frames)
        })
    }

    fn wrap(&self, wrench: kw::AppliedWrench) -> AppliedWrench {
        AppliedWrench {
            wrench,
            robot: self.robot.clone(),
        }
    }
}

type ThreeVectors<'py> = (Array1<'py>, Array1<'py>, Array1<'py>);

fn relative<'py>(py: Python<'py>, motion: &kw::Relative) -> ThreeVectors<'py> {
    (
        array1(py, motion.position.as_slice()),
        array1(py, motion.velocity.as_slice()),
        array1(py, motion.acceleration.as_slice()),
    )
}

#[pymethods]
impl Frames {
    #[new]
    #[pyo3(signature = (state, ddq=None))]
    fn new(py: Python<'_>, state: &State, ddq: Option<Reals>) -> PyResult<Self> {
        let frames = state.ask(py, |robot, state| {
            let rest = || vec![0.0; robot.n_dofs()];
            Ok(Self {
                robot: robot.clone(),
                state: state.clone(),
                ddq: ddq.as_ref().map_or_else(rest, Reals::to_vec),
                custom: Vec::new(),
            })
        })?;
        frames.with(|_| Ok(()))?;
        Ok(frames)
    }

    /// The robot.
    #[getter]
    fn robot(&self) -> Robot {
        Robot::new(self.robot.clone())
    }

    /// Adds a frame with a pose (4 × 4) in the world, velocity and acceleration (6 each, angular first, world axes).
    #[pyo3(signature = (pose, *, velocity=Vec6([0.0; 6]), acceleration=Vec6([0.0; 6])))]
    fn add(&mut self, pose: PoseIn, velocity: Vec6, acceleration: Vec6) -> PyResult<Frame> {
        let motion = |six: Vec6| kinworld::math::Motion::from_angular_first(six.0);
        let (v, a) = (motion(velocity), motion(acceleration));
        let frame = FrameMotion {
            pose: pose.0,
            angular_velocity: v.angular,
            velocity: v.linear,
            angular_acceleration: a.angular,
            acceleration: a.linear,
        };
        self.custom.push(frame);
        if let Err(problem) = self.with(|_| Ok(())) {
            self.custom.pop();
            return Err(problem);
        }
        let number = u32::try_from(self.custom.len() - 1).unwrap_or(u32::MAX);
        Ok(Frame(FrameId::Custom(number)))
    }

    /// Pose (4 × 4), velocity and acceleration (6 each, angular first) of a frame in world axes.
    #[pyo3(signature = (frame))]
    fn motion<'py>(
        &self,
        py: Python<'py>,
        frame: Option<FrameIn>,
    ) -> PyResult<(Array2<'py>, Array1<'py>, Array1<'py>)> {
        let frame = frame_of(frame.as_ref(), &self.robot)?;
        let motion = self.with(|frames| frames.motion(frame))?;
        let six = |angular: &kinworld::Vector, linear: &kinworld::Vector| {
            let m = kinworld::math::Motion {
                angular: *angular,
                linear: *linear,
            };
            array1(py, &m.to_angular_first())
        };
        Ok((
            pose_array(py, &motion.pose),
            six(&motion.angular_velocity, &motion.velocity),
            six(&motion.angular_acceleration, &motion.acceleration),
        ))
    }

    /// The rotation (3 × 3) that expresses vectors of one frame in another.
    #[pyo3(signature = (to, source))]
    fn rotation<'py>(
        &self,
        py: Python<'py>,
        to: Option<FrameIn>,
        source: Option<FrameIn>,
    ) -> PyResult<Array2<'py>> {
        let robot = &self.robot;
        let (to, source) = (
            frame_of(to.as_ref(), robot)?,
            frame_of(source.as_ref(), robot)?,
        );
        self.with(|frames| frames.rotation(to, source))
            .map(|r| rotation_array(py, &r))
    }

    /// Position (3) of a site in the world.
    #[pyo3(signature = (point))]
    fn position<'py>(&self, py: Python<'py>, point: Option<SiteIn>) -> PyResult<Array1<'py>> {
        let point = site_of(point.as_ref(), &self.robot)?;
        self.with(|frames| frames.position(&point))
            .map(|p| array1(py, p.coords.as_slice()))
    }

    /// Position, velocity and acceleration (3 each) of a point as an observer sees them, in the observer's axes.
    #[pyo3(signature = (point, observer))]
    fn relative<'py>(
        &self,
        py: Python<'py>,
        point: Option<SiteIn>,
        observer: Option<SiteIn>,
    ) -> PyResult<ThreeVectors<'py>> {
        let robot = &self.robot;
        let (point, observer) = (
            site_of(point.as_ref(), robot)?,
            site_of(observer.as_ref(), robot)?,
        );
        self.with(|frames| frames.relative(&point, &observer))
            .map(|motion| relative(py, &motion))
    }

    /// Position, velocity and acceleration (3 each) of one point minus those of another, in the axes of a frame.
    #[pyo3(signature = (source, to, axes))]
    fn between<'py>(
        &self,
        py: Python<'py>,
        source: Option<SiteIn>,
        to: Option<SiteIn>,
        axes: Option<FrameIn>,
    ) -> PyResult<ThreeVectors<'py>> {
        let robot = &self.robot;
        let (source, to) = (
            site_of(source.as_ref(), robot)?,
            site_of(to.as_ref(), robot)?,
        );
        let axes = frame_of(axes.as_ref(), robot)?;
        self.with(|frames| frames.between(&source, &to, axes))
            .map(|motion| relative(py, &motion))
    }

    /// Angular velocity and acceleration (3 each) of a frame as another sees them, in the axes of the other.
    #[pyo3(signature = (of, seen_from))]
    fn angular<'py>(
        &self,
        py: Python<'py>,
        of: Option<FrameIn>,
        seen_from: Option<FrameIn>,
    ) -> PyResult<(Array1<'py>, Array1<'py>)> {
        let robot = &self.robot;
        let (of, from) = (
            frame_of(of.as_ref(), robot)?,
            frame_of(seen_from.as_ref(), robot)?,
        );
        self.with(|frames| frames.angular(of, from))
            .map(|(w, dw)| (array1(py, w.as_slice()), array1(py, dw.as_slice())))
    }

    /// Moment of inertia (3 × 3) of a link about a site in the axes of a frame, kg·m².
    #[pyo3(signature = (link, about, axes))]
    fn inertia<'py>(
        &self,
        py: Python<'py>,
        link: LinkKey,
        about: Option<SiteIn>,
        axes: Option<FrameIn>,
    ) -> PyResult<Array2<'py>> {
        let robot = &self.robot;
        let link = link.of(robot)?;
        let about = site_of(about.as_ref(), robot)?;
        let axes = frame_of(axes.as_ref(), robot)?;
        self.with(|frames| frames.inertia(link, &about, axes))
            .map(|m| matrix(py, &m))
    }

    /// A wrench about a site, in the axes of a frame: a moment and a force (3 each), N·m and N.
    #[pyo3(signature = (*, force=Vec3([0.0; 3]), moment=Vec3([0.0; 3]), at=None, axes=None))]
    fn wrench(
        &self,
        force: Vec3,
        moment: Vec3,
        at: Option<SiteIn>,
        axes: Option<FrameIn>,
    ) -> PyResult<AppliedWrench> {
        let point = site_of(at.as_ref(), &self.robot)?;
        let axes = frame_of(axes.as_ref(), &self.robot)?;
        let wrench = Wrench {
            moment: moment.vector(),
            force: force.vector(),
        };
        Ok(self.wrap(kw::AppliedWrench::new(wrench, point, axes)))
    }

    fn __repr__(&self) -> String {
        format!("Frames of '{}'", self.robot.name())
    }
}

/// A wrench about a point, in the axes of a frame. ``Frames.wrench`` makes one.
#[pyclass(frozen, from_py_object, module = "kinworld.wrench")]
#[derive(Clone)]
pub(crate) struct AppliedWrench {
    wrench: kw::AppliedWrench,
    robot: Arc<Model>,
}

impl AppliedWrench {
    fn wrap(&self, wrench: kw::AppliedWrench) -> Self {
        Self {
            wrench,
            robot: self.robot.clone(),
        }
    }
}

#[pymethods]
impl AppliedWrench {
    /// Force (3), N.
    #[getter]
    fn force<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.wrench.wrench.force.as_slice())
    }

    /// Moment (3), N·m.
    #[getter]
    fn moment<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.wrench.wrench.moment.as_slice())
    }

    /// Moment and force (6).
    #[getter]
    fn array<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.wrench.wrench.to_angular_first())
    }

    /// The same wrench about another site.
    #[pyo3(signature = (point, frames))]
    fn translated(&self, point: Option<SiteIn>, frames: &Frames) -> PyResult<Self> {
        let point = site_of(point.as_ref(), &frames.robot)?;
        frames
            .with(|frames| self.wrench.translated(&point, frames))
            .map(|wrench| self.wrap(wrench))
    }

    /// The same wrench in the axes of another frame.
    #[pyo3(signature = (frame, frames))]
    fn expressed(&self, frame: Option<FrameIn>, frames: &Frames) -> PyResult<Self> {
        let frame = frame_of(frame.as_ref(), &frames.robot)?;
        frames
            .with(|frames| self.wrench.expressed(frame, frames))
            .map(|wrench| self.wrap(wrench))
    }

    /// The wrench that is missing to make the others sum up to this one.
    fn equate(&self, others: Vec<Self>) -> PyResult<Self> {
        let others: Vec<_> = others.iter().map(|other| other.wrench).collect();
        call(|| self.wrench.equate(&others)).map(|wrench| self.wrap(wrench))
    }

    fn __add__(&self, other: &Self) -> PyResult<Self> {
        call(|| self.wrench.sum(&other.wrench)).map(|wrench| self.wrap(wrench))
    }

    fn __sub__(&self, other: &Self) -> PyResult<Self> {
        call(|| self.wrench.difference(&other.wrench)).map(|wrench| self.wrap(wrench))
    }

    fn __neg__(&self) -> Self {
        self.wrap(-self.wrench)
    }

    fn __mul__(&self, factor: f64) -> Self {
        self.wrap(self.wrench * factor)
    }

    fn __rmul__(&self, factor: f64) -> Self {
        self.__mul__(factor)
    }

    fn __repr__(&self) -> String {
        format!(
            "<AppliedWrench {} in axes of {}>",
            self.wrench,
            name_of(self.wrench.frame, Some(&self.robot))
        )
    }
}

/// The wrenches on a link about its origin, in the axes of the observer; ``balance["gravity"]`` is one of them.
///
/// ``dynamic``, the rate of the momentum that the observer measures, is the sum of the others: ``joint``, ``gravity``,
/// ``tip``, ``external``, and the fictitious ``dalembert``, ``euler``, ``centrifugal``, ``coriolis``.
#[pyclass(frozen, module = "kinworld.wrench")]
pub(crate) struct Balance {
    balance: kw::Balance,
    robot: Arc<Model>,
}

impl Balance {
    fn rows(&self) -> [(&'static str, kw::AppliedWrench); 9] {
        let it = &self.balance;
        [
            ("dynamic", it.dynamic),
            ("joint", it.joint),
            ("gravity", it.gravity),
            ("tip", it.tip),
            ("external", it.external),
            ("dalembert", it.dalembert),
            ("euler", it.euler),
            ("centrifugal", it.centrifugal),
            ("coriolis", it.coriolis),
        ]
    }
}

#[pymethods]
impl Balance {
    /// The name of the link.
    #[getter]
    fn link(&self) -> &str {
        self.robot.link(self.balance.link).name()
    }

    /// The names of the wrenches.
    fn keys(&self) -> Vec<&'static str> {
        self.rows().iter().map(|(name, _)| *name).collect()
    }

    fn __getitem__(&self, name: &str) -> PyResult<AppliedWrench> {
        let rows = self.rows();
        let found = rows.iter().find(|(row, _)| *row == name);
        let (_, wrench) = found.ok_or_else(|| {
            pyo3::exceptions::PyKeyError::new_err(format!(
                "no wrench {name:?}; there are {}",
                self.keys().join(", ")
            ))
        })?;
        Ok(AppliedWrench {
            wrench: *wrench,
            robot: self.robot.clone(),
        })
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let names: Vec<_> = self
            .keys()
            .into_iter()
            .map(|name| PyString::new(py, name))
            .collect();
        Ok(pyo3::types::PyTuple::new(py, names)?.try_iter()?.into_any())
    }

    fn __len__(&self) -> usize {
        self.rows().len()
    }

    fn __str__(&self) -> String {
        kw::table(&self.robot, std::slice::from_ref(&self.balance))
    }

    fn __repr__(&self) -> String {
        format!("Balance of link '{}'", self.link())
    }
}

/// External wrenches on links: pairs of a link and an ``AppliedWrench``.
fn external_of(
    external: Option<Vec<(LinkKey, AppliedWrench)>>,
    robot: &Model,
) -> PyResult<Vec<(kinworld::LinkId, kw::AppliedWrench)>> {
    external
        .unwrap_or_default()
        .into_iter()
        .map(|(link, wrench)| Ok((link.of(robot)?, wrench.wrench)))
        .collect()
}

/// The wrench balance of a link, as an observer sees it.
#[pyfunction]
#[pyo3(signature = (frames, link, *, observer=None, gravity=GRAVITY, external=None))]
pub(crate) fn balance(
    frames: &Frames,
    link: LinkKey,
    observer: Option<SiteIn>,
    gravity: Vec3,
    external: Option<Vec<(LinkKey, AppliedWrench)>>,
) -> PyResult<Balance> {
    let robot = &frames.robot;
    let (link, observer) = (link.of(robot)?, site_of(observer.as_ref(), robot)?);
    let external = external_of(external, robot)?;
    let balance =
        frames.with(|frames| kw::balance(frames, link, &observer, &gravity.vector(), &external))?;
    Ok(Balance {
        balance,
        robot: robot.clone(),
    })
}

/// The wrench balances of all links, as an observer sees them.
#[pyfunction]
#[pyo3(signature = (frames, *, observer=None, gravity=GRAVITY, external=None))]
pub(crate) fn chain(
    frames: &Frames,
    observer: Option<SiteIn>,
    gravity: Vec3,
    external: Option<Vec<(LinkKey, AppliedWrench)>>,
) -> PyResult<Vec<Balance>> {
    let robot = &frames.robot;
    let observer = site_of(observer.as_ref(), robot)?;
    let external = external_of(external, robot)?;
    let balances =
        frames.with(|frames| kw::chain(frames, &observer, &gravity.vector(), &external))?;
    Ok(balances
        .into_iter()
        .map(|balance| Balance {
            balance,
            robot: robot.clone(),
        })
        .collect())
}

/// Balances as a table to read.
#[pyfunction]
pub(crate) fn table(balances: Vec<Bound<'_, Balance>>) -> String {
    let Some(first) = balances.first() else {
        return String::new();
    };
    let rows: Vec<kw::Balance> = balances.iter().map(|it| it.get().balance).collect();
    kw::table(&first.get().robot, &rows)
}

/// A segment of a limb along y from its upper joint: m, kg; ``center`` is the place of the centre of mass relative to
/// the length, ``moment`` (3 × 3) is about it.
#[pyclass(frozen, from_py_object, module = "kinworld.wrench")]
#[derive(Clone)]
pub(crate) struct Segment(kw::Segment);

#[pymethods]
impl Segment {
    #[new]
    #[pyo3(signature = (name, length, mass, *, center=0.5, moment=None))]
    fn new(
        name: String,
        length: f64,
        mass: f64,
        center: f64,
        moment: Option<Rows>,
    ) -> PyResult<Self> {
        let segment = kw::Segment::new(name, length, mass).with_center(center);
        Ok(Self(match moment {
            Some(moment) => segment.with_moment(matrix3(&moment, "moment")?),
            None => segment,
        }))
    }

    fn __repr__(&self) -> String {
        format!(
            "Segment '{}': {} m, {} kg",
            self.0.name, self.0.length, self.0.mass
        )
    }
}

/// A limb attached to the world: planar (``"normal"`` joints about z) or spatial (``"ballandsocket"``).
#[pyfunction]
#[pyo3(signature = (name, segments, *, joint="normal"))]
pub(crate) fn limb(name: &str, segments: Vec<Segment>, joint: &str) -> PyResult<Robot> {
    let kind = joint_kind(joint)?;
    let segments: Vec<_> = segments.into_iter().map(|segment| segment.0).collect();
    call(|| kw::limb(name, kind, &segments)).map(Robot::new)
}

/// The kind of a joint by its name.
pub(crate) fn joint_kind(name: &str) -> PyResult<kinworld::robot::JointKind> {
    use kinworld::robot::JointKind as Kind;
    [
        Kind::Weld,
        Kind::Normal,
        Kind::Spin,
        Kind::Floating,
        Kind::FloatingPlanar,
        Kind::BallAndSocket,
        Kind::Closed,
    ]
    .into_iter()
    .find(|kind| kind.name() == name)
    .ok_or_else(|| {
        error(format!(
            "unknown joint {name:?}; expected weld, normal, spin, floating, floatingplanar, ballandsocket or closed"
        ))
    })
}

/// A pose, or none.
pub(crate) fn pose_or_identity(pose: Option<PoseIn>) -> Pose {
    pose.map_or_else(Pose::identity, |pose| pose.0)
}
