//! The armature of ball joints, which acts on their angular velocity.

use kinworld::math::Inertia;
use kinworld::robot::{JointKind, LinkMotion, LinkSpec};
use kinworld::sim::MultibodySystem;
use kinworld::{LinkId, Point, Robot, RobotBuilder, Vector, batch, dynamics, kinematics};
use nalgebra::{DMatrix, Matrix3xX};
use proptest::prelude::*;

use super::{GRAVITY, close, external_wrenches, size, state, vector};
use random_robots::{Moving, any_vector, cases};

/// What a ball joint carries, and its armature.
const ARMATURE: f64 = 0.7;

/// An arm of two joints, a ball joint about these axes, and another arm on it; `floating`, on a free body; in motion.
fn moving(axes: [Vector; 3], numbers: &[f64], is_free: bool) -> Moving {
    let mut builder = RobotBuilder::new("ball");
    let body = |x: f64| Inertia {
        mass: 1.0 + x,
        com: Point::new(0.1, 0.2 * x, -0.3),
        moment: nalgebra::Matrix3::from_diagonal(&Vector::new(0.2, 0.3, 0.4)),
    };
    let mut parent = None;
    let mut joints = Vec::new();
    let arm = [
        Vector::y(),
        Vector::x(),
        axes[0],
        axes[1],
        axes[2],
        Vector::z(),
        Vector::y(),
    ];
    for (k, axis) in arm.into_iter().enumerate() {
        let mut link = LinkSpec::new(format!("link {k}"), parent, LinkMotion::Revolute(axis));
        if !(3..5).contains(&k) {
            link.placement.translation = nalgebra::Translation3::new(0.3, -0.1, 0.2);
        }
        if !(2..4).contains(&k) {
            link.inertia = body(0.3 * k as f64);
        }
        if k == 4 {
            link.armature = ARMATURE;
        }
        let base = parent;
        parent = Some(builder.add_link(link));
        if !(2..=4).contains(&k) {
            joints.push((JointKind::Normal, parent, base));
        }
    }
    for (kind, link, base) in joints {
        builder.add_joint(kind, link.unwrap(), base);
    }
    builder.add_joint(
        JointKind::BallAndSocket,
        LinkId::new(4),
        Some(LinkId::new(1)),
    );
    if is_free {
        builder = builder.with_base(JointKind::Floating).unwrap();
        builder.links[5].inertia = body(2.0);
    }
    let robot = builder.build().unwrap();
    let n = robot.n_dofs();
    let list = |from: usize| numbers[from..from + n].to_vec();
    Moving {
        q: list(0),
        dq: list(n),
        ddq: list(2 * n),
        link: LinkId::new(robot.links().len() - 1),
        point: Point::new(0.1, 0.2, 0.3),
        robot,
    }
}

fn any_moving() -> BoxedStrategy<Moving> {
    let axes = [any_vector(1.0), any_vector(1.0), any_vector(1.0)];
    let axes = axes.prop_filter("axes", |axes| {
        axes.iter().all(|axis| axis.norm() > 0.2)
            && axes[0].cross(&axes[1]).norm() > 0.1
            && axes[1].cross(&axes[2]).norm() > 0.1
    });
    let standard = Just([Vector::z(), Vector::y(), Vector::x()]);
    let numbers = prop::collection::vec(-1.0..1.0, 3 * 13);
    (prop_oneof![standard, axes], numbers, any::<bool>())
        .prop_map(|(axes, numbers, is_free)| moving(axes, &numbers, is_free))
        .boxed()
}

/// The robot without the armature.
fn bare(m: &Moving) -> Robot {
    let mut builder = RobotBuilder::from(&m.robot);
    for link in &mut builder.links {
        link.armature = 0.0;
    }
    builder.build().unwrap()
}

/// The Jacobian of the angular velocity of the joint, `s_1, s_2, s_3` in the columns of its angles.
fn angular_jacobian(m: &Moving, q: &[f64]) -> Matrix3xX<f64> {
    let (robot, now) = (&m.robot, state(&m.robot, q, &m.dq));
    let link = |name: &str| robot.link_id(name).unwrap();
    let of = |link| kinematics::orientation_jacobian(robot, &now, link);
    of(link("link 4")) - of(link("link 1"))
}

fn added_mass(m: &Moving, q: &[f64]) -> DMatrix<f64> {
    let jacobian = angular_jacobian(m, q);
    ARMATURE * (jacobian.transpose() * jacobian)
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn mass_matrix_and_energy_are_those_of_a_rotor_that_the_angular_velocity_moves(m in any_moving()) {
        let (robot, bare) = (&m.robot, bare(&m));
        let (now, without) = (state(robot, &m.q, &m.dq), state(&bare, &m.q, &m.dq));
        let mass = dynamics::mass_matrix(robot, &now);
        let expected = dynamics::mass_matrix(&bare, &without) + added_mass(&m, &m.q);
        close(&mass, &expected, 1e-14, size(&mass))?;
        let mut lower = DMatrix::zeros(m.q.len(), m.q.len());
        let mut ws = dynamics::Workspace::new(robot);
        dynamics::mass_matrix_lower_into(robot, &now, &mut ws, &mut lower);
        prop_assert_eq!(lower.lower_triangle(), mass.lower_triangle());

        let turning = (angular_jacobian(&m, &m.q) * vector(&m.dq)).norm_squared();
        let energy = dynamics::kinetic_energy(&bare, &without) + 0.5 * ARMATURE * turning;
        let terms = dynamics::all_terms(robot, &now, &GRAVITY).unwrap();
        for ours in [dynamics::kinetic_energy(robot, &now), terms.kinetic_energy] {
            prop_assert!((ours - energy).abs() <= 1e-13 * energy.max(1.0));
        }
        let momenta = [(robot, &now), (&bare, &without)].map(|(robot, state)| dynamics::momentum(robot, state, &m.point));
        prop_assert_eq!(momenta[0], momenta[1]);
    }

    // Lagrange: d/dt (M q̇) − ∂/∂q (½ q̇ᵀ M q̇), with derivatives of the added mass by differences
    #[test]
    fn forces_follow_from_the_energy(m in any_moving()) {
        let (robot, bare, dq, h) = (&m.robot, bare(&m), vector(&m.dq), 1e-5);
        let shifted = |k: usize, by: f64| {
            let mut q = m.q.clone();
            q[k] += by;
            added_mass(&m, &q)
        };
        let by = |k: usize| (shifted(k, h) - shifted(k, -h)) / (2.0 * h);
        let n = m.q.len();
        let mut expected = added_mass(&m, &m.q) * vector(&m.ddq);
        for k in 0..n {
            let derivative = by(k);
            expected += &derivative * &dq * dq[k];
            expected[k] -= 0.5 * dq.dot(&(&derivative * &dq));
        }
        let now = state(robot, &m.q, &m.dq);
        let tau = |robot: &Robot| {
            let now = state(robot, &m.q, &m.dq);
            vector(&dynamics::inverse_dynamics(robot, &now, &GRAVITY, &m.ddq).unwrap())
        };
        close(&(tau(robot) - tau(&bare)), &expected, 1e-9, size(&expected))?;
        for k in 0..n {
            let without = state(&bare, &m.q, &m.dq);
            let dof = kinworld::robot::DofId::new(k);
            let change = dynamics::mass_matrix_derivative(robot, &now, dof) - dynamics::mass_matrix_derivative(&bare, &without, dof);
            close(&change, &by(k), 1e-9, 1.0)?;
        }

        // C of Christoffel symbols: C q̇ are the Coriolis forces, Ṁ − 2 C is skew
        let coriolis = dynamics::coriolis_matrix(robot, &now);
        let forces = vector(&dynamics::coriolis_forces(robot, &now));
        close(&(&coriolis * &dq), &forces, 1e-12, size(&forces))?;
        let skew = dynamics::mass_matrix_dot(robot, &now) - 2.0 * coriolis;
        close(&(&skew + skew.transpose()), &DMatrix::zeros(n, n), 1e-12, size(&skew))?;
        let rate: DMatrix<f64> = (0..n).map(|k| by(k) * dq[k]).sum();
        let without = state(&bare, &m.q, &m.dq);
        let change = dynamics::mass_matrix_dot(robot, &now) - dynamics::mass_matrix_dot(&bare, &without);
        close(&change, &rate, 1e-9, 1.0)?;
    }

    #[test]
    fn forward_dynamics_inverts_inverse_dynamics(m in any_moving()) {
        let (robot, now, n) = (&m.robot, state(&m.robot, &m.q, &m.dq), m.q.len());
        let mass = dynamics::mass_matrix(robot, &now);
        let inverse = dynamics::mass_matrix_inverse(robot, &now).unwrap();
        close(&(&inverse * &mass), &DMatrix::identity(n, n), 1e-8, 1.0)?;
        let wrenches = external_wrenches(&m);
        let loads = || dynamics::Loads::from(&GRAVITY).with_wrenches(&wrenches);
        let tau = dynamics::inverse_dynamics(robot, &now, loads(), &m.ddq).unwrap();
        let ddq = dynamics::forward_dynamics(robot, &now, loads(), &tau).unwrap();
        close(&vector(&ddq), &vector(&m.ddq), 1e-8, 1.0)?;

        // partials of forces against differences, those of accelerations by M ∂q̈ = −∂τ
        let h = 1e-6;
        let partials = dynamics::inverse_dynamics_derivatives(robot, &now, loads(), &m.ddq).unwrap();
        let forward = dynamics::forward_dynamics_derivatives(robot, &now, loads(), &tau).unwrap();
        let forces = |k: usize, is_rate: bool, by: f64| {
            let (mut q, mut dq) = (m.q.clone(), m.dq.clone());
            (if is_rate { &mut dq } else { &mut q })[k] += by;
            vector(&dynamics::inverse_dynamics(robot, &state(robot, &q, &dq), loads(), &m.ddq).unwrap())
        };
        for (is_rate, of_forces, of_accelerations) in [
            (false, &partials.dtau_dq, &forward.ddq_dq),
            (true, &partials.dtau_dv, &forward.ddq_dv),
        ] {
            for k in 0..n {
                let numeric = (forces(k, is_rate, h) - forces(k, is_rate, -h)) / (2.0 * h);
                close(&of_forces.column(k).into_owned(), &numeric, 1e-7, size(&numeric))?;
            }
            let residual = &mass * of_accelerations + of_forces;
            close(&residual, &DMatrix::zeros(n, n), 1e-8, size(of_forces))?;
        }
        close(&partials.dtau_da, &mass, 1e-13, size(&mass))?;
        close(&forward.ddq_dtau, &inverse, 1e-12, size(&inverse))?;
    }

    // five states, so that lanes are full and not
    #[test]
    fn batches_compute_the_same(m in any_moving()) {
        let (robot, n) = (&m.robot, m.q.len());
        let rows = 5;
        let spread = |list: &[f64]| -> Vec<f64> {
            (0..rows).flat_map(|r| list.iter().map(move |x| x + 0.05 * r as f64)).collect()
        };
        let [q, dq, ddq] = [&m.q, &m.dq, &m.ddq].map(|list| spread(list));
        let torques = batch::inverse_dynamics(robot, &q, &dq, &ddq, &GRAVITY).unwrap();
        let bias = batch::bias_forces(robot, &q, &dq, &GRAVITY).unwrap();
        let masses = batch::mass_matrices(robot, &q).unwrap();
        let accelerations = batch::forward_dynamics(robot, &q, &dq, &ddq, &GRAVITY).unwrap();
        let partials = batch::inverse_dynamics_derivatives(robot, &q, &dq, &ddq, &GRAVITY).unwrap();
        let forward = batch::forward_dynamics_derivatives(robot, &q, &dq, &ddq, &GRAVITY).unwrap();
        for r in 0..rows {
            let row = |list: &[f64]| list[r * n..][..n].to_vec();
            let now = state(robot, &row(&q), &row(&dq));
            let same = |ours: &[f64], theirs: &[f64]| {
                let (ours, theirs) = (vector(ours), vector(theirs));
                close(&ours, &theirs, 1e-8, size(&theirs))
            };
            same(&row(&torques), &dynamics::inverse_dynamics(robot, &now, &GRAVITY, &row(&ddq)).unwrap())?;
            same(&row(&bias), &dynamics::bias_forces(robot, &now, &GRAVITY))?;
            same(&masses[r * n * n..][..n * n], dynamics::mass_matrix(robot, &now).as_slice())?;
            same(&row(&accelerations), &dynamics::forward_dynamics(robot, &now, &GRAVITY, &row(&ddq)).unwrap())?;
            let single = dynamics::inverse_dynamics_derivatives(robot, &now, &GRAVITY, &row(&ddq)).unwrap();
            let blocks = [&single.dtau_dq, &single.dtau_dv, &single.dtau_da];
            for (k, block) in blocks.into_iter().enumerate() {
                same(&partials[(3 * r + k) * n * n..][..n * n], block.as_slice())?;
            }
            let single = dynamics::forward_dynamics_derivatives(robot, &now, &GRAVITY, &row(&ddq)).unwrap();
            let blocks = [&single.ddq_dq, &single.ddq_dv, &single.ddq_dtau];
            for (k, block) in blocks.into_iter().enumerate() {
                same(&forward[(3 * r + k) * n * n..][..n * n], block.as_slice())?;
            }
        }
    }
}

#[test]
fn a_multibody_system_refuses_it() {
    let axes = [Vector::z(), Vector::y(), Vector::x()];
    let m = moving(axes, &[0.3; 39], false);
    let error = MultibodySystem::from_robot(&m.robot).map(drop).unwrap_err();
    assert_eq!(
        error.to_string(),
        "ball joint of link `link 4`: a multibody system has no armature of ball joints: set it to 0, or integrate the robot \
         as a tree"
    );
    assert!(MultibodySystem::from_robot(&bare(&m)).is_ok());
}
