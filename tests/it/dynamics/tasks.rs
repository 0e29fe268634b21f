//! Tasks, contacts and impacts, against dense algebra and against forward dynamics.

use kinworld::dynamics::{self, Contacts, Loads, Task, TaskDynamics};
use kinworld::kinematics;
use kinworld::math::Inertia;
use kinworld::robot::{LinkMotion, LinkSpec};
use kinworld::{Error, LinkId, Point, Robot, RobotBuilder, State, Vector};
use nalgebra::{DMatrix, DVector, SymmetricEigen, dmatrix};
use proptest::prelude::*;

use super::{GRAVITY, close, external_wrenches, larger_workspace, size, state, vector};
use random_robots::{Moving, any_moving_heavy_robot, cases};

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn damped_tasks_match_dense_algebra(m in any_moving_heavy_robot(), damping in 0.01..1.0) {
        let state = state(&m.robot, &m.q, &m.dq);
        let contacts = touching(&m, &state);
        let task = contacts.task().with_damping(damping);
        let ours = dynamics::task_dynamics(&m.robot, &state, &GRAVITY, &task).unwrap();

        let dense = Dense::of(&m.robot, &state, &task);
        let gram = &dense.gram + DMatrix::from_diagonal_element(task.len(), task.len(), damping);
        let inertia = gram.try_inverse().unwrap();
        close(&ours.inertia, &inertia, 1e-9, size(&inertia))?;
        let inverse = dense.solved.transpose() * &inertia;
        close(&ours.inverse, &inverse, 1e-9, size(&inverse))?;
        let coriolis = vector(&dynamics::coriolis_forces(&m.robot, &state));
        let coriolis = &dense.solved * coriolis - vector(task.drift);
        close(&ours.coriolis, &(&inertia * &coriolis), 1e-9, size(&inertia) * size(&coriolis))?;
        let weight = &dense.solved * vector(&dynamics::gravity_forces(&m.robot, &state, &GRAVITY));
        close(&ours.gravity, &(&inertia * &weight), 1e-9, size(&inertia) * size(&weight))?;
        let kernel = DMatrix::identity(m.q.len(), m.q.len()) - &inverse * task.jacobian;
        close(&ours.null_space, &kernel, 1e-9, size(&kernel))?;
        let alone = dynamics::operational_space_inertia(&m.robot, &state, &task).unwrap();
        prop_assert_eq!(alone, ours.inertia);
    }

    #[test]
    fn a_force_on_a_task_accelerates_it_as_its_inertia_says(m in any_moving_heavy_robot(), push in -9.0..9.0) {
        let state = state(&m.robot, &m.q, &m.dq);
        let mut contacts = Contacts::new(&m.robot);
        contacts.hold_point(&m.robot, &state, m.link, &m.point);
        let task = contacts.task();
        let dense = Dense::of(&m.robot, &state, &task);
        match dynamics::task_dynamics(&m.robot, &state, &GRAVITY, &task) {
            Ok(TaskDynamics { inertia, coriolis, gravity, inverse, null_space, .. }) => {
                prop_assume!(dense.rank == 3 && dense.least > 1e-6);
                let (identity, n) = (DMatrix::identity(3, 3), m.q.len());
                close(&(task.jacobian * &inverse), &identity, 1e-9 / dense.least, 1.0)?;
                close(&(&null_space * &null_space), &null_space, 1e-9 / dense.least, size(&null_space))?;

                // null-space forces do not accelerate the task
                let force = DVector::from_element(3, push);
                let tau = task.jacobian.transpose() * &force + null_space.transpose() * vector(&m.ddq);
                let ddq = dynamics::forward_dynamics(&m.robot, &state, &GRAVITY, tau.as_slice()).unwrap();
                let acceleration = task.jacobian * vector(&ddq) + vector(task.drift);
                let taken = &inertia * acceleration + &coriolis + &gravity;
                let terms = size(&inertia) * size(&vector(&ddq)) * size(&task.jacobian.into_owned());
                close(&taken, &force, 1e-9 / dense.least, terms.max(n as f64))?;
            }
            Err(error) => {
                prop_assert!(dense.rank < 3 || dense.least < 1e-6, "{error}");
                prop_assert!(error.to_string().starts_with("task: row "), "{error}");
            }
        }
    }

    // three points of one link have nine rows of rank six; the link itself repeats them, and another link may be its
    // descendant, or fixed
    #[test]
    fn redundant_contacts_hold(m in any_moving_heavy_robot()) {
        let state = state(&m.robot, &m.q, &m.dq);
        let contacts = touching(&m, &state);
        let wanted = vector(&m.dq);
        let drift = -(contacts.task().jacobian * &wanted);
        let jacobian = contacts.task().jacobian;
        let task = Task::new(jacobian, drift.as_slice());
        let dense = Dense::of(&m.robot, &state, &task);
        prop_assume!(dense.is_clear);

        let wrenches = external_wrenches(&m);
        let loads = Loads::new(GRAVITY).with_wrenches(&wrenches);
        let solution = dynamics::constrained_dynamics(&m.robot, &state, loads, &m.ddq, &task).unwrap();
        let (ddq, forces) = (vector(&solution.ddq), vector(&solution.forces));

        // the contacts have the prescribed acceleration, and the robot that under their forces
        let idle = dynamics::forward_dynamics(&m.robot, &state, loads, &m.ddq).unwrap();
        let size_of_motion = size(&vector(&idle)).max(size(&wanted)).max(size(&ddq));
        let length = size(&task.jacobian.into_owned());
        close(&(task.jacobian * &ddq), &-&drift, 1e-8 / dense.least, size_of_motion * length)?;
        let tau = vector(&m.ddq) + task.jacobian.transpose() * &forces;
        let again = dynamics::forward_dynamics(&m.robot, &state, loads, tau.as_slice()).unwrap();
        close(&vector(&again), &ddq, 1e-8 / dense.least, size_of_motion)?;

        // against the eigenvectors of the same problem
        let lacking = -(&drift + task.jacobian * vector(&idle));
        let expected = dense.smallest_forces(&lacking);
        close(&forces, &expected, 1e-8 / dense.least, size(&expected))?;
    }

    #[test]
    fn contradictory_contacts_are_solved_by_least_squares(m in any_moving_heavy_robot()) {
        let state = state(&m.robot, &m.q, &m.dq);
        let contacts = touching(&m, &state);
        let task = contacts.task();
        let dense = Dense::of(&m.robot, &state, &task);
        prop_assume!(dense.is_clear);
        let solution = dynamics::constrained_dynamics(&m.robot, &state, &GRAVITY, &m.ddq, &task).unwrap();
        let idle = dynamics::forward_dynamics(&m.robot, &state, &GRAVITY, &m.ddq).unwrap();
        let lacking = -(vector(task.drift) + task.jacobian * vector(&idle));
        let expected = dense.smallest_forces(&lacking);
        close(&vector(&solution.forces), &expected, 1e-8 / dense.least, size(&expected).max(size(&lacking)))?;
    }

    #[test]
    fn an_impact_reverses_the_contact_velocity(m in any_moving_heavy_robot(), restitution in 0.0..1.0) {
        let before = state(&m.robot, &m.q, &m.dq);
        let contacts = touching(&m, &before);
        let task = contacts.task();
        let dense = Dense::of(&m.robot, &before, &task);
        prop_assume!(dense.is_clear);
        let impact = dynamics::impulse_dynamics(&m.robot, &before, &task, restitution).unwrap();
        let (dq, impulses) = (vector(&impact.dq), vector(&impact.impulses));
        let (before_impact, after_impact) = (task.jacobian * vector(&m.dq), task.jacobian * &dq);
        close(&after_impact, &(-restitution * &before_impact), 1e-8 / dense.least, size(&before_impact))?;
        let mass = dynamics::mass_matrix(&m.robot, &before);
        let change = &mass * (&dq - vector(&m.dq));
        let impulse = task.jacobian.transpose() * &impulses;
        close(&change, &impulse, 1e-9 / dense.least, size(&mass) * size(&dq))?;

        // energy decreases, and is constant for elastic contacts
        let energy = |dq: &[f64]| dynamics::kinetic_energy(&m.robot, &state(&m.robot, &m.q, dq));
        prop_assert!(energy(&impact.dq) <= energy(&m.dq) * (1.0 + 1e-9));
        let bounce = dynamics::impulse_dynamics(&m.robot, &before, &task, 1.0).unwrap();
        let (after, before) = (energy(&bounce.dq), energy(&m.dq));
        prop_assert!((after - before).abs() <= 1e-8 / dense.least * before);
    }

    #[test]
    fn a_workspace_keeps_no_state_between_calls_for_tasks(m in any_moving_heavy_robot()) {
        let state = state(&m.robot, &m.q, &m.dq);
        let contacts = touching(&m, &state);
        let all = contacts.task().with_damping(0.1);
        let first = all.jacobian.rows(0, 3).into_owned();
        let point = Task::new(&first, &all.drift[..3]).with_damping(0.1);
        let mut ws = larger_workspace(&m.robot);
        let mut task_space = TaskDynamics::default();
        let (mut solution, mut impact) = Default::default();
        for task in [all, point, all] {
            dynamics::task_dynamics_into(&m.robot, &state, &GRAVITY, &task, &mut ws, &mut task_space).unwrap();
            dynamics::constrained_dynamics_into(&m.robot, &state, &GRAVITY, &m.ddq, &task, &mut ws, &mut solution).unwrap();
            dynamics::impulse_dynamics_into(&m.robot, &state, &task, 0.5, &mut ws, &mut impact).unwrap();
            prop_assert_eq!(&task_space, &dynamics::task_dynamics(&m.robot, &state, &GRAVITY, &task).unwrap());
            prop_assert_eq!(&solution, &dynamics::constrained_dynamics(&m.robot, &state, &GRAVITY, &m.ddq, &task).unwrap());
            prop_assert_eq!(&impact, &dynamics::impulse_dynamics(&m.robot, &state, &task, 0.5).unwrap());
        }
    }
}

#[test]
fn a_singular_task_needs_damping() {
    let arm = arm();
    let singular = state(&arm, &[0.4, 0.0], &[1.0, -1.0]);
    let (jacobian, drift) = plane(&arm, &singular);
    let task = Task::new(&jacobian, &drift);
    let error = dynamics::operational_space_inertia(&arm, &singular, &task).unwrap_err();
    assert!(error.to_string().starts_with("task: row "), "{error}");
    let damped = task.with_damping(1e-3);
    let inertia = dynamics::operational_space_inertia(&arm, &singular, &damped).unwrap();
    assert!(inertia.iter().all(|x| x.is_finite()));

    // near the singularity the inertia is large but finite
    let bent = state(&arm, &[0.4, 1e-4], &[0.0; 2]);
    let (jacobian, drift) = plane(&arm, &bent);
    let task = Task::new(&jacobian, &drift);
    let inertia = dynamics::operational_space_inertia(&arm, &bent, &task).unwrap();
    assert!(inertia.amax() > 1e6 && inertia.amax() < 1e10, "{inertia}");
}

#[test]
fn no_contacts_give_free_motion() {
    let arm = arm();
    let state = state(&arm, &[0.4, 0.3], &[1.0, -1.0]);
    let nothing = Contacts::new(&arm);
    let (task, tau) = (nothing.task(), [1.0, 2.0]);
    assert!(task.is_empty());
    let solution = dynamics::constrained_dynamics(&arm, &state, &GRAVITY, &tau, &task).unwrap();
    let free = dynamics::forward_dynamics(&arm, &state, &GRAVITY, &tau).unwrap();
    assert!((vector(&solution.ddq) - vector(&free)).amax() < 1e-12);
    assert!(solution.forces.is_empty());
    let impact = dynamics::impulse_dynamics(&arm, &state, &task, 0.3).unwrap();
    assert_eq!(impact.dq, [1.0, -1.0]);
    let task_space = dynamics::task_dynamics(&arm, &state, &GRAVITY, &task).unwrap();
    assert_eq!(task_space.null_space, DMatrix::identity(2, 2));
    assert!(task_space.inertia.is_empty());
}

#[test]
fn contacts_of_a_fixed_link_have_zero_forces() {
    let mut builder = RobotBuilder::new("statue");
    let stone = builder.add_link(LinkSpec::new("stone", None, LinkMotion::Fixed));
    let statue = builder.build().unwrap();
    let state = State::new(&statue);
    let mut contacts = Contacts::new(&statue);
    contacts.hold_link(&statue, &state, stone);
    let solution =
        dynamics::constrained_dynamics(&statue, &state, &GRAVITY, &[], &contacts.task()).unwrap();
    assert_eq!(solution.forces, [0.0; 6]);
    assert!(solution.ddq.is_empty());
}

#[test]
fn invalid_tasks_are_errors() {
    let arm = arm();
    let state = State::new(&arm);
    let one = dmatrix![1.0, 0.0];
    let broken = dmatrix![1.0, f64::NAN];
    let huge = dmatrix![1e200, 0.0];
    let wide = dmatrix![1.0, 0.0, 0.0];
    let message_of = |task: Task<'_>| {
        let answers = [
            dynamics::operational_space_inertia(&arm, &state, &task).map(drop),
            dynamics::task_dynamics(&arm, &state, &GRAVITY, &task).map(drop),
            dynamics::constrained_dynamics(&arm, &state, &GRAVITY, &[0.0; 2], &task).map(drop),
            dynamics::impulse_dynamics(&arm, &state, &task, 0.0).map(drop),
        ];
        let messages = answers.map(|answer| answer.unwrap_err().to_string());
        assert!(
            messages.iter().all(|message| *message == messages[0]),
            "{messages:?}"
        );
        messages[0].clone()
    };
    for (task, message) in [
        (
            Task::new(&wide, &[0.0]),
            "row of the task's Jacobian needs 2 values, got 3",
        ),
        (
            Task::new(&one, &[]),
            "drift of the task needs 1 values, got 0",
        ),
        (
            Task::new(&one, &[f64::NAN]),
            "drift of the task: value 0 is NaN, it must be finite",
        ),
        (
            Task::new(&broken, &[0.0]),
            "Jacobian of the task: must be finite",
        ),
        (
            Task::new(&one, &[0.0]).with_damping(-1.0),
            "damping of the task: is -1, it must be finite and not negative",
        ),
        (
            Task::new(&huge, &[0.0]),
            "Jacobian of the task: its values overflow when multiplied",
        ),
    ] {
        assert_eq!(message_of(task), message);
    }
    let task = Task::new(&one, &[0.0]);
    for restitution in [-0.1, 1.1, f64::NAN] {
        let error = dynamics::impulse_dynamics(&arm, &state, &task, restitution).unwrap_err();
        assert!(
            matches!(&error, Error::Invalid { what, .. } if what == "restitution"),
            "{error}"
        );
    }
    let short = dynamics::constrained_dynamics(&arm, &state, &GRAVITY, &[0.0], &task);
    assert!(
        matches!(short, Err(Error::Length { what: "torque", .. })),
        "{short:?}"
    );
}

/// Quantities of a task by dense algebra.
struct Dense {
    /// `J M⁻¹`.
    solved: DMatrix<f64>,
    /// `J M⁻¹ Jᵀ`.
    gram: DMatrix<f64>,
    /// The same with a diagonal of ones, but for rows of zeros, and the scales.
    scaled: DMatrix<f64>,
    scales: DVector<f64>,
    /// Number of its eigenvalues above rounding, and the least of them.
    rank: usize,
    least: f64,
    /// True if each eigenvalue is clearly rounding or clearly not.
    is_clear: bool,
}

impl Dense {
    fn of(robot: &Robot, state: &State, task: &Task<'_>) -> Self {
        let mass = dynamics::mass_matrix(robot, state);
        let j = task.jacobian.into_owned();
        let solved = match mass.cholesky() {
            Some(factor) => factor.solve(&j.transpose()).transpose(),
            None => j.clone(),
        };
        let gram = &solved * j.transpose();
        let largest = gram.diagonal().iter().fold(0.0_f64, |m, x| m.max(*x));
        let scale = |x: f64| {
            if x > 1e-24 * largest {
                1.0 / x.sqrt()
            } else {
                0.0
            }
        };
        let scales = gram.diagonal().map(scale);
        let scaled = DMatrix::from_diagonal(&scales) * &gram * DMatrix::from_diagonal(&scales);
        let values = scaled.clone().symmetric_eigenvalues();
        let zero_rows = scales.iter().filter(|s| **s == 0.0).count();
        let is_rounding = |x: &f64| x.abs() < 1e-12;
        let real = || values.iter().filter(|x| !is_rounding(x));
        Self {
            solved,
            gram,
            rank: real().count(),
            least: real().fold(1.0, |m, x| x.min(m)),
            is_clear: zero_rows < task.len() && real().all(|x| *x > 1e-5),
            scaled,
            scales,
        }
    }

    /// Smallest forces by the pseudo-inverse.
    fn smallest_forces(&self, lacking: &DVector<f64>) -> DVector<f64> {
        let SymmetricEigen {
            eigenvalues,
            eigenvectors,
        } = self.scaled.clone().symmetric_eigen();
        let inverse = eigenvalues.map(|x| if x > 1e-9 { 1.0 / x } else { 0.0 });
        let along = eigenvectors.transpose() * lacking.component_mul(&self.scales);
        let forces = eigenvectors * along.component_mul(&inverse);
        forces.component_mul(&self.scales)
    }
}

/// Three points of one link, the link itself, and another link.
fn touching(m: &Moving, state: &State) -> Contacts {
    let mut contacts = Contacts::new(&m.robot);
    let p = m.point;
    for p in [p, Point::new(p.y, 1.0, p.x), Point::new(-0.4, p.z, 0.5)] {
        contacts.hold_point(&m.robot, state, m.link, &p);
    }
    contacts.hold_link(&m.robot, state, m.link);
    contacts.hold_point(&m.robot, state, LinkId::new(m.robot.links().len() / 2), &p);
    contacts
}

/// Two revolute links of half a metre, about y.
fn arm() -> Robot {
    let mut builder = RobotBuilder::new("arm");
    let mut parent = None;
    for name in ["upper", "fore"] {
        let mut link = LinkSpec::new(name, parent, LinkMotion::Revolute(Vector::y()));
        link.placement.translation.vector.x = 0.5;
        link.inertia = Inertia {
            mass: 2.0,
            com: Point::new(0.25, 0.0, 0.0),
            moment: nalgebra::Matrix3::from_diagonal_element(0.05),
        };
        parent = Some(builder.add_link(link));
    }
    builder.build().unwrap()
}

/// Jacobian and drift of the tip of the arm in its plane.
fn plane(arm: &Robot, state: &State) -> (DMatrix<f64>, [f64; 2]) {
    let (tip, p) = (LinkId::new(1), Point::new(0.5, 0.0, 0.0));
    let rows = kinematics::position_jacobian(arm, state, tip, &p);
    let drift = kinematics::jacobian_dot_times_velocity(arm, state, tip, &p).linear;
    (
        DMatrix::from_fn(2, 2, |i, j| rows[(2 * i, j)]),
        [drift.x, drift.z],
    )
}
