//! One call that simulates anything.

use kinworld::sim::{IntegratorState, KinematicTree, PlanarBody as Body};
use kinworld::{LinkId, Robot as Model};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

use super::control::{Callbacks, Problem, run};
use super::multibody::MultibodySystem;
use super::planar::PlanarBody;
use super::recording::Recording;
use super::running::Running;
use super::sensor::{LinkRef, SensorIn, or_default};
use super::steps::Stepping;
use super::tree::{BaseIn, FrictionIn, PdIn, StopsIn, moving_base, user_force};
use crate::convert::{Reals, Vec3};
use crate::error::{call, error, fail};
use crate::objects::RigidObject;
use crate::robot::Robot;
use crate::state::State;
use crate::world::{RigidObjectView, World};

/// Arguments that only some mechanisms take.
struct Given {
    pd: Option<PdIn>,
    joint: Option<Reals>,
    loads: Option<Py<PyDict>>,
    gravity: Option<Vec3>,
    friction: Option<FrictionIn>,
    stops: Option<StopsIn>,
    springs: bool,
    force: Option<Py<PyAny>>,
    base: Option<BaseIn>,
    reference: Option<Reals>,
    q: Option<Reals>,
    dq: Option<Reals>,
    t: f64,
}

impl Given {
    /// Refuses arguments that a mechanism does not know.
    fn refuse(&self, what: &str, known: &[&str]) -> PyResult<()> {
        let given = [
            ("pd", self.pd.is_some()),
            ("joint", self.joint.is_some()),
            ("loads", self.loads.is_some()),
            ("gravity", self.gravity.is_some()),
            ("friction", self.friction.is_some()),
            ("stops", self.stops.is_some()),
            ("springs", self.springs),
            ("force", self.force.is_some()),
            ("base", self.base.is_some()),
            ("reference", self.reference.is_some()),
            ("q", self.q.is_some()),
            ("dq", self.dq.is_some()),
        ];
        match given
            .iter()
            .find(|(name, given)| *given && !known.contains(name))
        {
            Some((name, _)) => Err(PyTypeError::new_err(format!(
                "{what} takes no argument `{name}`; it takes {}",
                known.join(", ")
            ))),
            None => Ok(()),
        }
    }
}

/// Simulates a robot, a rigid object, a multibody system or a planar body for a duration, s.
///
/// What is simulated: a ``Robot``, a ``State`` or a robot of a world from its configuration and velocity, a world with
/// one robot, a ``RigidObject`` or one of a world, ``MultibodySystem``, ``PlanarBody``. It is left as it is; the
/// recording has the end. Contact is not modelled.
///
/// - ``q``, ``dq``: start (n), instead of the state's.
/// - ``controller(t, q, dq)``: joint forces (n), held until the next call: at each step, or every ``control_period`` s.
/// - ``force(t, q, dq)``: joint forces (n) at every evaluation, where a step is not fine enough.
/// - ``pd``: dictionary with ``p``, ``d``, ``position``, ``velocity`` (n each). ``joint``: constant forces (n).
/// - ``loads``: dictionary from links to wrenches (6), moment first. ``gravity`` (3), m/s².
/// - ``friction``: ``True`` for the drivers' with the usual slip velocity, or that velocity.
/// - ``stops``: ``True`` for compliant stops at the limits, or (stiffness, damping).
/// - ``springs``: ``True`` for the springs of the joints.
/// - ``base``: pose (4 × 4), or a function of time that returns one, or one with velocity and acceleration (6 each).
/// - ``method``: see ``methods()``; ``step`` for fixed steps, s, or ``tolerance=(relative, absolute)``, ``max_step``.
/// - ``sensors``: of ``"positions"``, ``"velocities"``, ``"accelerations"``, ``"force"``, ``"energy"`` and ``Sensor``,
///   by default positions, velocities and `Robot.sensors`; every ``period`` s, or at each step for 0.
/// - ``until(t, q, dq)``: the run ends where this number crosses zero. ``progress``: called with the number of steps.
///
/// >>> import kinworld as kw
/// >>> arm = kw.Robot.load("data/robots/planar3R.rob")
/// >>> recording = kw.sim.simulate(arm, 1.0, sensors=["energy"], period=0.25)
/// >>> recording
/// Recording: 5 rows, 4 columns, to 1 s
#[pyfunction]
#[pyo3(signature = (what, duration, *, q=None, dq=None, t=0.0, controller=None, control_period=None, force=None, pd=None,
    joint=None, loads=None, gravity=None, friction=None, stops=None, springs=false, base=None, reference=None, method="dopri5",
    rho=0.8, step=None, tolerance=None, max_step=None, max_steps=None, sensors=None, period=0.0, until=None,
    progress=None))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword-only arguments of Python"
)]
pub(crate) fn simulate(
    py: Python<'_>,
    what: &Bound<'_, PyAny>,
    duration: f64,
    q: Option<Reals>,
    dq: Option<Reals>,
    t: f64,
    controller: Option<Py<PyAny>>,
    control_period: Option<f64>,
    force: Option<Py<PyAny>>,
    pd: Option<PdIn>,
    joint: Option<Reals>,
    loads: Option<Py<PyDict>>,
    gravity: Option<Vec3>,
    friction: Option<FrictionIn>,
    stops: Option<StopsIn>,
    springs: bool,
    base: Option<BaseIn>,
    reference: Option<Reals>,
    method: &str,
    rho: f64,
    step: Option<f64>,
    tolerance: Option<(f64, f64)>,
    max_step: Option<f64>,
    max_steps: Option<usize>,
    sensors: Option<Vec<SensorIn>>,
    period: f64,
    until: Option<Py<PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Recording> {
    if !(duration >= 0.0 && duration.is_finite()) {
        return Err(error(format!(
            "duration is {duration} s, it must be finite and not negative"
        )));
    }
    let mut stepping = Stepping {
        method: method.to_owned(),
        rho,
        step,
        tolerance,
        max_step,
        max_steps,
    };
    let is_default = sensors.is_none();
    let sensors = or_default(sensors);
    let given = Given {
        pd,
        joint,
        loads,
        gravity,
        friction,
        stops,
        springs,
        force,
        base,
        reference,
        q,
        dq,
        t,
    };
    let mut callbacks = Callbacks {
        controller,
        control_period,
        until,
        progress,
        problem: Problem::default(),
    };

    if let Ok(system) = what.cast::<MultibodySystem>() {
        if stepping.method == "dopri5" && stepping.step.is_some() && stepping.tolerance.is_none() {
            // constraints are exact in implicit steps
            "generalized_alpha".clone_into(&mut stepping.method);
        }
        let system = system.try_borrow()?.clone();
        callbacks.problem = system.problem.clone();
        let sensors = probes(&sensors, |link| system.link(link))?;
        let (mut running, state) = start_system(system, &given)?;
        let how = (stepping.integrator()?, sensors, period);
        return run(py, &mut running, state, duration, how, &callbacks);
    }
    if let Ok(body) = what.cast::<PlanarBody>() {
        given.refuse("a planar body", &["q", "dq"])?;
        let mut body: Body = body.get().0.clone();
        let three = |x: &Option<Reals>, name: &str| match x.as_deref() {
            None => Ok([0.0; 3]),
            Some(&[a, b, c]) => Ok([a, b, c]),
            Some(x) => Err(error(format!("{name} has {} numbers, expected 3", x.len()))),
        };
        let start = body.initial_state(t, three(&given.q, "q")?, three(&given.dq, "dq")?);
        let sensors = probes(&sensors, |link| {
            link.find(1, |name| {
                Err(error(format!(
                    "a planar body has one link, 0; there is no {name:?}"
                )))
            })
        })?;
        let how = (stepping.integrator()?, sensors, period);
        return run(py, &mut body, start, duration, how, &callbacks);
    }
    let (mut tree, state) = start_tree(py, what, &given, &callbacks.problem)?;
    let robot = tree.robot();
    let mut sensors = probes(&sensors, |link| {
        link.find(robot.links().len(), |name| {
            robot.link_id(name).map_err(fail)
        })
    })?;
    if is_default {
        let own = robot.sensors().iter().cloned();
        sensors.extend(own.map(kinworld::sim::Sensor::from));
    }
    let how = (stepping.integrator()?, sensors, period);
    run(py, &mut tree, state, duration, how, &callbacks)
}

fn probes(
    sensors: &[SensorIn],
    find: impl Fn(&LinkRef) -> PyResult<LinkId>,
) -> PyResult<Vec<kinworld::sim::Sensor>> {
    sensors.iter().map(|sensor| sensor.build(&find)).collect()
}

fn start_system(system: MultibodySystem, given: &Given) -> PyResult<(Running, IntegratorState)> {
    let MultibodySystem {
        mut system,
        mut robot,
        ..
    } = system;
    if let Some(gravity) = given.gravity {
        system.gravity = gravity.vector();
    }
    let pd = given.pd.as_ref().map(|pd| pd.0.clone()).unwrap_or_default();
    let state = match &mut robot {
        None => {
            given.refuse("a multibody system", &["gravity"])?;
            call(|| system.initial_state(given.t))?
        }
        Some(bodies) => {
            let known = ["gravity", "pd", "joint", "q", "dq"];
            given.refuse("a multibody system of a robot", &known)?;
            let q = given.q.as_deref().ok_or_else(|| {
                error("a system of a robot needs the configuration at the start: q=...")
            })?;
            let rest = vec![0.0; q.len()];
            let dq = given.dq.as_deref().unwrap_or(&rest);
            call(|| {
                bodies.set_pd(&mut system, &pd, given.joint.as_deref().unwrap_or_default())?;
                bodies.initial_state(&mut system, given.t, q, dq)
            })?
        }
    };
    let running = Running { system, robot, pd };
    Ok((running, state))
}

fn start_tree(
    py: Python<'_>,
    what: &Bound<'_, PyAny>,
    given: &Given,
    problem: &Problem,
) -> PyResult<(KinematicTree, IntegratorState)> {
    let object = if let Ok(object) = what.cast::<RigidObject>() {
        Some(object.get().0.clone())
    } else if let Ok(view) = what.cast::<RigidObjectView>() {
        let view = view.get();
        let world = view.world.bind(py).try_borrow()?;
        Some(world.model.rigid_object(view.id).map_err(fail)?.clone())
    } else {
        None
    };
    let (mut tree, state) = if let Some(object) = object {
        given.refuse("a rigid object", &["loads", "gravity", "force", "joint"])?;
        let (tree, mut state) = call(|| KinematicTree::of_object(&object))?;
        state.t = given.t;
        (tree, state)
    } else {
        let (robot, q, dq) = robot_of(py, what)?;
        let q = given.q.as_ref().map_or(q, Reals::to_vec);
        let dq = given.dq.as_ref().map_or(dq, Reals::to_vec);
        let mut tree = KinematicTree::new(robot.clone());
        match &given.base {
            None => {}
            Some(BaseIn::Pose(pose)) => tree = tree.with_base(pose.0),
            Some(BaseIn::Function(function)) => {
                tree = tree.with_moving_base(moving_base(function.clone_ref(py), problem.clone()));
            }
        }
        if let Some(reference) = &given.reference {
            tree = call(|| tree.with_reference(reference))?;
        }
        if let Some(stops) = &given.stops {
            tree.forces.stops = stops.build(&robot, &q)?;
        }
        tree.forces.springs = given.springs;
        tree.forces.friction = given.friction.as_ref().and_then(FrictionIn::slip);
        let state = call(|| tree.initial_state(given.t, &q, &dq))?;
        (tree, state)
    };
    if let Some(pd) = &given.pd {
        tree.forces.pd = pd.0.clone();
    }
    if let Some(joint) = &given.joint {
        tree.forces.joint = joint.to_vec();
    }
    if let Some(gravity) = given.gravity {
        tree.forces.gravity = gravity.vector();
    }
    let loads = given.loads.as_ref().map(|loads| loads.bind(py));
    tree.forces.wrenches = crate::state::wrenches(loads, tree.robot())?;
    if let Some(force) = &given.force {
        tree = tree.with_user_force(user_force(force.clone_ref(py), problem.clone()));
    }
    Ok((tree, state))
}

/// A robot, its configuration and its velocity.
fn robot_of(py: Python<'_>, what: &Bound<'_, PyAny>) -> PyResult<(Arc<Model>, Vec<f64>, Vec<f64>)> {
    if let Ok(robot) = what.cast::<Robot>() {
        let robot = robot.get().model.clone();
        let (q, n) = (robot.initial_config().to_vec(), robot.n_dofs());
        return Ok((robot, q, vec![0.0; n]));
    }
    if let Ok(state) = what.cast::<State>() {
        return state.try_borrow()?.ask(py, |robot, state| {
            let (q, dq) = (state.config().to_vec(), state.velocity().to_vec());
            Ok((robot.clone(), q, dq))
        });
    }
    if let Ok(world) = what.cast::<World>() {
        let world = world.try_borrow()?;
        if world.model.n_robots() != 1 {
            return Err(error(format!(
                "the world has {} robots; simulate one of them: world.robots[...]",
                world.model.n_robots()
            )));
        }
        return call(|| {
            let robot = world.model.robot(0)?;
            let state = robot.state();
            let (q, dq) = (state.config().to_vec(), state.velocity().to_vec());
            Ok((robot.model().clone(), q, dq))
        });
    }
    Err(PyTypeError::new_err(format!(
        "expected a robot, a state, a world, a rigid object, a MultibodySystem or a PlanarBody, got {}",
        what.get_type().name()?
    )))
}
