//! Equivalent models of one robot have the same forces.

use kinworld::dynamics;
use kinworld::math::Inertia;
use kinworld::robot::{JointKind, LinkMotion, LinkSpec};
use kinworld::{LinkId, Pose, Robot, RobotBuilder, State, Vector, kinematics};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

use super::{GRAVITY, close, size, state, vector};
use random_robots::{Moving, any_moving_heavy_robot, any_moving_robot, any_pose, cases};

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn forces_do_not_change_under_a_rigid_motion_of_robot_and_gravity(m in any_moving_heavy_robot(), x in any_pose()) {
        let mut moved = RobotBuilder::from(&m.robot);
        for link in moved.links.iter_mut().filter(|link| link.parent.is_none()) {
            link.placement = x * link.placement;
        }
        let moved = moved.build().unwrap();
        let here = Terms::of(&m.robot, &m, &GRAVITY);
        Terms::of(&moved, &m, &(x.rotation * GRAVITY)).matches(&here)?;
    }

    #[test]
    fn a_mounted_robot_equals_a_robot_of_all_links(
        a in any_moving_heavy_robot(),
        b in any_moving_heavy_robot(),
        placement in any_pose(),
    ) {
        let mut mounted = RobotBuilder::from(&a.robot);
        let other = RobotBuilder::from(&b.robot);
        mounted.mount(Some(a.link), &other, &placement, Some("other")).unwrap();

        let mut flat = RobotBuilder::new("flat");
        for link in RobotBuilder::from(&a.robot).links {
            flat.add_link(link);
        }
        let shift = flat.links.len();
        for mut link in other.links {
            link.placement = if link.parent.is_none() { placement * link.placement } else { link.placement };
            link.parent = Some(link.parent.map_or(a.link, |id| LinkId::new(id.index() + shift)));
            link.name.insert_str(0, "other:");
            flat.add_link(link);
        }
        let both = |a: &[f64], b: &[f64]| [a, b].concat();
        let m = Moving {
            robot: flat.build().unwrap(),
            q: both(&a.q, &b.q),
            dq: both(&a.dq, &b.dq),
            ddq: both(&a.ddq, &b.ddq),
            ..a
        };
        let flat = Terms::of(&m.robot, &m, &GRAVITY);
        Terms::of(&mounted.build().unwrap(), &m, &GRAVITY).matches(&flat)?;
    }

    #[test]
    fn fixed_links_are_part_of_their_parent(m in any_moving_heavy_robot()) {
        let merged = merged(&m.robot);
        prop_assert_eq!(merged.links().len(), merged.n_dofs());
        let here = Terms::of(&m.robot, &m, &GRAVITY);
        Terms::of(&merged, &m, &GRAVITY).matches(&here)?;
    }

    #[test]
    fn a_floating_joint_equals_six_links(
        m in any_moving_heavy_robot(),
        base in prop::array::uniform6(-3.0..3.0),
        rates in prop::array::uniform6(-3.0..3.0),
    ) {
        // accelerations are singular where the three angles are
        prop_assume!(f64::cos(base[4]).abs() > 0.1);
        let with_base = |list: &[f64], base: &[f64]| [base, list].concat();
        let mut m = Moving {
            q: with_base(&m.q, &base),
            dq: with_base(&m.dq, &rates),
            ddq: with_base(&m.ddq, &rates),
            ..m
        };
        let arm = RobotBuilder::from(&m.robot);
        let mut floating = arm.with_base(JointKind::Floating).unwrap();
        floating.links[5].inertia = hull();
        let floating = Terms::of(&floating.build().unwrap(), &m, &GRAVITY);

        // with negative axes, so that it is not compiled into a floating joint
        let mut links = RobotBuilder::new("six links");
        let mut last = None;
        for motion in SIX {
            last = Some(links.add_link(LinkSpec::new("base", last, motion)));
        }
        links.links[5].inertia = hull();
        links.mount(last, &arm, &Pose::identity(), None).unwrap();
        let links = links.build().unwrap();
        for list in [&mut m.q, &mut m.dq, &mut m.ddq] {
            list[..6].iter_mut().for_each(|x| *x = -*x);
        }
        Terms::of(&links, &m, &GRAVITY).negated(6).matches(&floating)?;
    }

    #[test]
    fn joint_power_is_the_rate_of_the_energy_of_the_links(m in any_moving_robot()) {
        let now = state(&m.robot, &m.q, &m.dq);
        let tau = dynamics::inverse_dynamics(&m.robot, &now, &GRAVITY, &m.ddq).unwrap();
        let power = vector(&tau).dot(&vector(&m.dq));

        // per rotor I q̇ q̈; per link m v·(a − g) and ω·(I α)
        let (mut rate, mut terms) = (0.0, 1.0);
        for (i, armature) in m.robot.armature().enumerate() {
            let spin = armature * m.dq[i] * m.ddq[i];
            rate += spin;
            terms += spin.abs();
        }
        for (i, link) in m.robot.links().iter().enumerate() {
            let (id, body) = (LinkId::new(i), link.inertia());
            let v = kinematics::point_velocity(&m.robot, &now, id, &body.com);
            let a = kinematics::point_acceleration(&m.robot, &now, id, &body.com, &m.ddq).unwrap();
            let w = kinematics::angular_velocity(&m.robot, &now, id);
            let alpha = kinematics::angular_acceleration(&m.robot, &now, id, &m.ddq).unwrap();
            let r = now.pose(&m.robot, id).rotation;
            let linear = body.mass * v.dot(&(a - GRAVITY));
            let angular = (r.inverse() * w).dot(&(body.moment * (r.inverse() * alpha)));
            rate += linear + angular;
            terms += linear.abs() + angular.abs();
        }
        prop_assert!((power - rate).abs() <= 1e-11 * terms, "{power} {rate} {terms}");
    }
}

/// Dynamics of a robot at one motion.
struct Terms {
    mass: DMatrix<f64>,
    bias: DVector<f64>,
    gravity: DVector<f64>,
    tau: DVector<f64>,
    /// Under the forces `ddq`.
    acceleration: DVector<f64>,
}

impl Terms {
    fn of(robot: &Robot, m: &Moving, gravity: &Vector) -> Self {
        let here: State = state(robot, &m.q, &m.dq);
        let tau = dynamics::inverse_dynamics(robot, &here, gravity, &m.ddq).unwrap();
        Self {
            mass: dynamics::mass_matrix(robot, &here),
            bias: vector(&dynamics::bias_forces(robot, &here, gravity)),
            gravity: vector(&dynamics::gravity_forces(robot, &here, gravity)),
            tau: vector(&tau),
            acceleration: vector(
                &dynamics::forward_dynamics(robot, &here, gravity, &m.ddq).unwrap(),
            ),
        }
    }

    /// The same with the opposite sign of the first dofs.
    fn negated(mut self, first: usize) -> Self {
        for i in 0..first {
            self.mass.row_mut(i).neg_mut();
            self.mass.column_mut(i).neg_mut();
            for list in [
                &mut self.bias,
                &mut self.gravity,
                &mut self.tau,
                &mut self.acceleration,
            ] {
                list[i] = -list[i];
            }
        }
        self
    }

    fn matches(&self, other: &Self) -> Result<(), TestCaseError> {
        let forces = size(&other.bias)
            .max(size(&other.tau))
            .max(size(&other.mass));
        close(&self.mass, &other.mass, 1e-12, size(&other.mass))?;
        close(&self.bias, &other.bias, 1e-12, forces)?;
        close(&self.gravity, &other.gravity, 1e-12, forces)?;
        close(&self.tau, &other.tau, 1e-12, forces)?;

        // accelerations of a nearly singular robot are inaccurate; their forces are not
        let difference = &self.mass * (&self.acceleration - &other.acceleration);
        let terms = size(&other.mass) * size(&other.acceleration);
        close(&difference, &(0.0 * &difference), 1e-10, terms)
    }
}

/// The robot without its fixed links: their inertia is added to that of their parent.
fn merged(robot: &Robot) -> Robot {
    let mut merged = RobotBuilder::new("merged");
    // of each link: its moving ancestor in the merged robot, and its pose in that
    let mut attached: Vec<(Option<LinkId>, Pose)> = Vec::new();
    for mut link in RobotBuilder::from(robot).links {
        let (carrier, x) = link
            .parent
            .map_or((None, Pose::identity()), |id| attached[id.index()]);
        let x = x * link.placement;
        if link.motion != LinkMotion::Fixed {
            link.parent = carrier;
            link.placement = x;
            attached.push((Some(merged.add_link(link)), Pose::identity()));
            continue;
        }
        if let Some(id) = carrier {
            let inertia = &mut merged.links[id.index()].inertia;
            *inertia = inertia.merged(&link.inertia.transformed(&x));
        }
        attached.push((carrier, x));
    }
    merged.build().unwrap()
}

/// Inertia of the floating body.
fn hull() -> Inertia {
    Inertia {
        mass: 3.0,
        com: [0.1, -0.2, 0.3].into(),
        moment: nalgebra::Matrix3::from_diagonal(&Vector::new(0.5, 0.6, 0.7)),
    }
}

/// A floating joint with negative axes.
const SIX: [LinkMotion; 6] = [
    LinkMotion::Prismatic(Vector::new(-1.0, 0.0, 0.0)),
    LinkMotion::Prismatic(Vector::new(0.0, -1.0, 0.0)),
    LinkMotion::Prismatic(Vector::new(0.0, 0.0, -1.0)),
    LinkMotion::Revolute(Vector::new(0.0, 0.0, -1.0)),
    LinkMotion::Revolute(Vector::new(0.0, -1.0, 0.0)),
    LinkMotion::Revolute(Vector::new(-1.0, 0.0, 0.0)),
];
