//! Frames of a robot at one instant of a motion.

use std::sync::Arc;

use kinworld::Robot as Model;
use kinworld::math::Wrench;
use kinworld::wrench as kw;
use kinworld::wrench::{FrameId, FrameMotion};
use pyo3::prelude::*;

use super::applied::AppliedWrench;
use crate::convert::{
    Array1, Array2, LinkKey, PoseIn, Reals, Vec3, Vec6, array1, matrix, pose_array, rotation_array,
};
use crate::error::call;
use crate::robot::Robot;
use crate::state::State;

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

pub(super) fn name_of(frame: FrameId, robot: Option<&Model>) -> String {
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

pub(super) fn frame_of(frame: Option<&FrameIn>, robot: &Model) -> PyResult<FrameId> {
    match frame {
        None => Ok(FrameId::World),
        Some(FrameIn::Custom(frame)) => Ok(frame.0),
        Some(FrameIn::Link(link)) => link.of(robot).map(FrameId::Link),
    }
}

pub(super) fn site_of(site: Option<&SiteIn>, robot: &Model) -> PyResult<kw::Site> {
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
    pub(super) robot: Arc<Model>,
    state: kinworld::State,
    ddq: Vec<f64>,
    custom: Vec<FrameMotion>,
}

impl Frames {
    pub(super) fn with<T>(
        &self,
        query: impl FnOnce(&kw::Frames<'_>) -> kinworld::Result<T>,
    ) -> PyResult<T> {
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
