//! States: a configuration and a velocity of a robot, and everything that follows from them.

mod dynamics;
mod energy;
mod kinematics;
mod task;

pub(crate) use dynamics::{GRAVITY, wrenches};

use std::sync::Arc;

use kinworld::world::RobotId;
use kinworld::{LinkId, Robot as Model, dynamics as dyn_};
use pyo3::prelude::*;

use crate::convert::{Array1, Array2, LinkKey, Reals, array1, pose_array};
use crate::describe::numbers;
use crate::error::{call, error, fail};
use crate::robot::Robot;
use crate::world::World;

/// A robot somewhere: configuration, velocity, poses, and the kinematics and dynamics of them.
///
/// Setting the configuration updates all poses. What a method returns is a new array, never a view of the state.
///
/// >>> import kinworld as kw
/// >>> state = kw.Robot.load("data/robots/planar3R.rob").state([0, 0.5, 0])
/// >>> state.jacobian("link2", (1, 0, 0)).shape
/// (6, 3)
#[pyclass(subclass, module = "kinworld")]
pub(crate) struct State {
    at: At,
    scratch: Option<Box<Scratch>>,
}

/// Where the robot and its state are kept.
enum At {
    Own {
        robot: Arc<Model>,
        state: kinworld::State,
    },
    World {
        world: Py<World>,
        id: RobotId,
    },
}

/// Memory of the algorithms.
pub(crate) struct Scratch {
    robot: Arc<Model>,
    pub(crate) dynamics: dyn_::Workspace,
    pub(crate) matrix: kinworld::nalgebra::DMatrix<f64>,
    pub(crate) columns: kinworld::nalgebra::Matrix6xX<f64>,
    pub(crate) vector: Vec<f64>,
}

impl Scratch {
    /// Memory for a robot.
    pub(crate) fn new(robot: &Arc<Model>) -> Box<Self> {
        let n = robot.n_dofs();
        Box::new(Self {
            dynamics: dyn_::Workspace::new(robot),
            matrix: kinworld::nalgebra::DMatrix::zeros(n, n),
            columns: kinworld::nalgebra::Matrix6xX::zeros(n),
            vector: vec![0.0; n],
            robot: robot.clone(),
        })
    }
}

impl State {
    /// A state of its own.
    pub(crate) fn of(robot: &Arc<Model>, q: Option<&[f64]>, dq: Option<&[f64]>) -> PyResult<Self> {
        call(|| {
            let mut state = kinworld::State::new(robot);
            if let Some(q) = q {
                state.set_config(robot, q)?;
            }
            if let Some(dq) = dq {
                state.set_velocity(robot, dq)?;
            }
            Ok(Self {
                at: At::Own {
                    robot: robot.clone(),
                    state,
                },
                scratch: None,
            })
        })
    }

    /// The state of a robot of a world.
    pub(crate) fn in_world(world: Py<World>, id: RobotId) -> Self {
        Self {
            at: At::World { world, id },
            scratch: None,
        }
    }

    /// The world and the robot, of a state in a world.
    pub(crate) fn place(&self) -> Option<(&Py<World>, RobotId)> {
        match &self.at {
            At::Own { .. } => None,
            At::World { world, id } => Some((world, *id)),
        }
    }

    /// Asks a robot and its state.
    #[inline]
    pub(crate) fn ask<T>(
        &self,
        py: Python<'_>,
        query: impl FnOnce(&Arc<Model>, &kinworld::State) -> kinworld::Result<T>,
    ) -> PyResult<T> {
        match &self.at {
            At::Own { robot, state } => call(|| query(robot, state)),
            At::World { world, id } => {
                let world = world.bind(py).try_borrow()?;
                call(|| {
                    let robot = world.model.robot(*id)?;
                    query(robot.model(), robot.state())
                })
            }
        }
    }

    /// Asks about a link.
    #[inline]
    pub(crate) fn ask_link<T>(
        &self,
        py: Python<'_>,
        link: &LinkKey,
        query: impl FnOnce(&Arc<Model>, &kinworld::State, LinkId) -> kinworld::Result<T>,
    ) -> PyResult<T> {
        self.with(py, |robot, state| {
            let link = link.of(robot)?;
            call(|| query(robot, state, link))
        })
    }

    /// Asks with the memory of the algorithms.
    #[inline]
    pub(crate) fn ask_with<T>(
        &mut self,
        py: Python<'_>,
        query: impl FnOnce(&Arc<Model>, &kinworld::State, &mut Scratch) -> kinworld::Result<T>,
    ) -> PyResult<T> {
        let mut scratch = self.scratch.take();
        let result = self.ask(py, |robot, state| {
            if scratch
                .as_ref()
                .is_none_or(|scratch| !Arc::ptr_eq(&scratch.robot, robot))
            {
                scratch = Some(Scratch::new(robot));
            }
            let scratch = scratch.as_mut().expect("made above");
            query(robot, state, scratch)
        });
        self.scratch = scratch;
        result
    }

    /// Gives the robot and its state to a function that may fail as Python does.
    #[inline]
    pub(crate) fn with<T>(
        &self,
        py: Python<'_>,
        query: impl FnOnce(&Arc<Model>, &kinworld::State) -> PyResult<T>,
    ) -> PyResult<T> {
        match &self.at {
            At::Own { robot, state } => query(robot, state),
            At::World { world, id } => {
                let world = world.bind(py).try_borrow()?;
                let robot = world.model.robot(*id).map_err(fail)?;
                query(robot.model(), robot.state())
            }
        }
    }

    /// The robot.
    pub(crate) fn model(&self, py: Python<'_>) -> PyResult<Arc<Model>> {
        self.with(py, |robot, _| Ok(robot.clone()))
    }

    #[inline]
    fn change(
        &mut self,
        py: Python<'_>,
        own: impl FnOnce(&Model, &mut kinworld::State) -> kinworld::Result<()>,
        in_world: impl FnOnce(&mut kinworld::world::RobotMut<'_>) -> kinworld::Result<()>,
    ) -> PyResult<()> {
        match &mut self.at {
            At::Own { robot, state } => call(|| own(robot, state)),
            At::World { world, id } => {
                let mut world = world.bind(py).try_borrow_mut()?;
                call(|| in_world(&mut world.model.robot_mut(*id)?))
            }
        }
    }
}

#[pymethods]
impl State {
    #[new]
    #[pyo3(signature = (robot, q=None, dq=None))]
    fn new(robot: &Bound<'_, Robot>, q: Option<Reals>, dq: Option<Reals>) -> PyResult<Self> {
        Self::of(&robot.get().model, q.as_deref(), dq.as_deref())
    }

    /// The robot.
    #[getter]
    fn robot(&self, py: Python<'_>) -> PyResult<Robot> {
        self.model(py).map(Robot::new)
    }

    /// The configuration (n), rad or m.
    #[getter]
    fn config<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        self.ask(py, |_, state| Ok(array1(py, state.config())))
    }

    #[setter(config)]
    fn assign_config(&mut self, py: Python<'_>, q: Reals) -> PyResult<()> {
        self.set_config(py, q)
    }

    /// The velocity (n), rad/s or m/s.
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        self.ask(py, |_, state| Ok(array1(py, state.velocity())))
    }

    #[setter(velocity)]
    fn assign_velocity(&mut self, py: Python<'_>, dq: Reals) -> PyResult<()> {
        self.set_velocity(py, dq)
    }

    /// Sets the configuration (n) and updates the poses. Limits are not enforced; the velocity stays.
    fn set_config(&mut self, py: Python<'_>, q: Reals) -> PyResult<()> {
        self.change(
            py,
            |robot, state| state.set_config(robot, &q),
            |robot| robot.set_config(&q),
        )
    }

    /// Sets the velocity (n); the configuration stays.
    fn set_velocity(&mut self, py: Python<'_>, dq: Reals) -> PyResult<()> {
        self.change(
            py,
            |robot, state| state.set_velocity(robot, &dq),
            |robot| robot.set_velocity(&dq),
        )
    }

    /// Pose (4 × 4) of a link in the world, or relative to the link ``frame``.
    #[pyo3(signature = (link, frame=None))]
    fn pose<'py>(
        &self,
        py: Python<'py>,
        link: LinkKey,
        frame: Option<LinkKey>,
    ) -> PyResult<Array2<'py>> {
        self.with(py, |robot, state| {
            let link = link.of(robot)?;
            match frame {
                None => call(|| Ok(state.pose(robot, link))),
                Some(frame) => {
                    let frame = frame.of(robot)?;
                    call(|| {
                        Ok(kinworld::kinematics::relative_pose(
                            robot, state, link, frame,
                        ))
                    })
                }
            }
        })
        .map(|pose| pose_array(py, &pose))
    }

    /// Pose (4 × 4) of a link in its parent; in the world for a root.
    fn pose_in_parent<'py>(&self, py: Python<'py>, link: LinkKey) -> PyResult<Array2<'py>> {
        self.ask_link(py, &link, |robot, state, link| {
            Ok(state.pose_in_parent(robot, link))
        })
        .map(|pose| pose_array(py, &pose))
    }

    /// The value of the dof that moves a link, rad or m.
    fn dof_position(&self, py: Python<'_>, link: LinkKey) -> PyResult<f64> {
        self.with(py, |robot, state| {
            let id = link.of(robot)?;
            let dof = robot.link(id).dof().ok_or_else(|| {
                error(format!(
                    "link `{}` has no degree of freedom",
                    robot.link(id).name()
                ))
            })?;
            Ok(state.config()[dof.index()])
        })
    }

    /// The value of each driver, rad or m.
    #[getter]
    fn driver_values<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        self.ask(py, |robot, state| {
            kinworld::kinematics::config_to_drivers(robot, state.config())
        })
        .map(|u| array1(py, &u))
    }

    /// Sets the value of each driver.
    fn set_driver_values(&mut self, py: Python<'_>, values: Reals) -> PyResult<()> {
        self.change(
            py,
            |robot, state| {
                let mut q = state.config().to_vec();
                kinworld::kinematics::config_from_drivers(robot, &values, &mut q)?;
                state.set_config(robot, &q)
            },
            |robot| robot.set_driver_values(&values),
        )
    }

    /// The velocity of each driver, rad/s or m/s.
    #[getter]
    fn driver_velocities<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        self.ask(py, |robot, state| {
            kinworld::kinematics::velocity_to_drivers(robot, state.velocity())
        })
        .map(|du| array1(py, &du))
    }

    /// Sets the velocity of each driver.
    fn set_driver_velocities(&mut self, py: Python<'_>, values: Reals) -> PyResult<()> {
        self.change(
            py,
            |robot, state| {
                let mut dq = state.velocity().to_vec();
                kinworld::kinematics::velocity_from_drivers(robot, &values, &mut dq)?;
                state.set_velocity(robot, &dq)
            },
            |robot| robot.set_driver_velocities(&values),
        )
    }

    /// A state of its own with the same configuration and velocity.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        self.ask(py, |robot, state| {
            let at = At::Own {
                robot: robot.clone(),
                state: state.clone(),
            };
            Ok(Self { at, scratch: None })
        })
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    #[expect(unused_variables, reason = "the memo of Python")]
    fn __deepcopy__(&self, py: Python<'_>, memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |robot, state| {
            let mut text = format!("State of '{}' at {}", robot.name(), numbers(state.config()));
            if state.velocity().iter().any(|&v| v.abs() > 0.0) {
                text += &format!(", velocity {}", numbers(state.velocity()));
            }
            Ok(text)
        })
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Robot, Array1<'py>, Array1<'py>))> {
        let py = slf.py();
        let class = py.get_type::<Self>().into_any();
        slf.borrow().with(py, |robot, state| {
            let parts = (
                Robot::new(robot.clone()),
                array1(py, state.config()),
                array1(py, state.velocity()),
            );
            Ok((class, parts))
        })
    }
}
