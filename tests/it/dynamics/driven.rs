//! Drivers that move several links, and driver friction.

use kinworld::dynamics::{self, Loads, Task};
use kinworld::kinematics::{self, DriverDof, DriverSpace};
use kinworld::math::Inertia;
use kinworld::robot::{Driver, DriverKind, JointKind, LinkMotion, LinkSpec, Servo};
use kinworld::{Robot, RobotBuilder, State, Vector};
use nalgebra::DMatrix;
use proptest::prelude::*;

use super::{GRAVITY, close, external_wrenches, larger_workspace, size, state, vector};
use crate::common::errors::assert_refused;
use crate::common::files::data;
use random_robots::{Moving, any_moving_heavy_robot, cases};

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn driver_dofs_and_robot_dofs_agree(driven in any_driven_robot()) {
        let Driven { m, space, y, dy } = &driven;
        let q = space.config(y).unwrap();
        let by_matrix = space.matrix() * vector(y) + vector(space.offset());
        close(&vector(&q), &by_matrix, 1e-15, size(&by_matrix))?;
        let again = space.dof_values(&m.robot, &q).unwrap();
        close(&vector(&again), &vector(y), 1e-13, size(&vector(&q)))?;

        // drivers agree
        let mut driven = q.clone();
        let values = kinematics::config_to_drivers(&m.robot, &q).unwrap();
        kinematics::config_from_drivers(&m.robot, &values, &mut driven).unwrap();
        close(&vector(&driven), &vector(&q), 1e-12, size(&vector(&q)))?;
        let dq = vector(&space.velocity(dy).unwrap());
        prop_assert!((dq.dot(&vector(&m.ddq)) - vector(dy).dot(&vector(&space.forces(&m.ddq).unwrap()))).abs() < 1e-11);
    }

    // against the same links with constraints: rows of zero relative acceleration
    #[test]
    fn driven_links_move_as_constrained_links(driven in any_driven_robot()) {
        let Driven { m, space, dy, .. } = &driven;
        let now = driven.state();
        let wrenches = external_wrenches(m);
        let loads = Loads::new(GRAVITY).with_wrenches(&wrenches);
        let u = space.forces(&m.ddq).unwrap();
        let ddy = dynamics::driver_forward_dynamics(&m.robot, &now, loads, space, &u).unwrap();
        let ours = vector(&space.velocity(&ddy).unwrap());

        let rows = driven.constraints();
        let drift = vec![0.0; rows.nrows()];
        let task = Task::new(&rows, &drift);
        let held = dynamics::constrained_dynamics(&m.robot, &now, loads, &m.ddq, &task).unwrap();
        let idle = dynamics::forward_dynamics(&m.robot, &now, loads, &m.ddq).unwrap();
        close(&ours, &vector(&held.ddq), 1e-9, size(&vector(&idle)).max(size(&ours)))?;

        let again = dynamics::driver_inverse_dynamics(&m.robot, &now, loads, space, &ddy).unwrap();
        let taken = dynamics::driver_inverse_dynamics(&m.robot, &now, loads, space, &vec![0.0; dy.len()]).unwrap();
        close(&vector(&again), &vector(&u), 1e-10, size(&vector(&taken)).max(size(&vector(&u))))?;
    }

    #[test]
    fn the_driver_mass_matrix_is_the_projected_mass_matrix(driven in any_driven_robot()) {
        let Driven { m, space, .. } = &driven;
        let now = driven.state();
        let s = space.matrix();
        let mass = dynamics::mass_matrix(&m.robot, &now);
        let expected = s.transpose() * &mass * &s;
        let ours = dynamics::driver_mass_matrix(&m.robot, &now, space);
        close(&ours, &expected, 1e-13, size(&expected))?;
        prop_assert_eq!(&ours, &ours.transpose());
        let inverse = dynamics::driver_mass_matrix_inverse(&m.robot, &now, space).unwrap();
        let identity = DMatrix::identity(space.len(), space.len());
        close(&(&inverse * &ours), &identity, 1e-12, size(&inverse) * size(&ours) * space.len() as f64)?;
        let bias = dynamics::driver_bias_forces(&m.robot, &now, &GRAVITY, space);
        let expected = s.transpose() * vector(&dynamics::bias_forces(&m.robot, &now, &GRAVITY));
        close(&vector(&bias), &expected, 1e-13, size(&expected))?;
    }

    #[test]
    fn friction_dissipates_energy_and_enters_no_other_function(driven in any_driven_robot(), slip in 0.0..0.5) {
        let Driven { m, space, dy, .. } = &driven;
        let now = driven.state();
        let friction = dynamics::friction_forces(&m.robot, &now, slip).unwrap();
        let power = vector(&friction).dot(&vector(now.velocity()));
        prop_assert!(power <= 0.0);

        // force on each driver by the formula
        let driver_forces = space.forces(&friction).unwrap();
        for ((dof, force), &rate) in space.dofs().iter().zip(&driver_forces).zip(dy) {
            let expected = match *dof {
                DriverDof::Driver(d) => {
                    let servo = m.robot.drivers()[d].servo;
                    let direction = if slip == 0.0 { rate.signum() } else { (rate / slip).tanh() };
                    -servo.viscous_friction * rate - servo.dry_friction * direction
                }
                _ => 0.0,
            };
            prop_assert!((force - expected).abs() < 1e-12, "{force} {expected}");
        }

        let mut builder = RobotBuilder::from(&m.robot);
        builder.drivers.iter_mut().flatten().for_each(|driver| driver.servo = Servo::default());
        let smooth = builder.build().unwrap();
        let there = State::restore(&smooth, &now.snapshot()).unwrap();
        prop_assert_eq!(
            dynamics::forward_dynamics(&m.robot, &now, &GRAVITY, &m.ddq),
            dynamics::forward_dynamics(&smooth, &there, &GRAVITY, &m.ddq)
        );
        prop_assert!(dynamics::friction_forces(&smooth, &there, slip).unwrap().iter().all(|x| *x == 0.0));
    }

    #[test]
    fn a_workspace_keeps_no_state_between_calls_for_drivers(driven in any_driven_robot()) {
        let Driven { m, space, dy, .. } = &driven;
        let now = driven.state();
        let mut ws = larger_workspace(&m.robot);
        let (mut forward, mut inverse) = (vec![0.0; space.len()], vec![0.0; space.len()]);
        for _ in 0..2 {
            dynamics::driver_forward_dynamics_into(&m.robot, &now, &GRAVITY, space, dy, &mut ws, &mut forward).unwrap();
            dynamics::driver_inverse_dynamics_into(&m.robot, &now, &GRAVITY, space, dy, &mut ws, &mut inverse).unwrap();
            prop_assert_eq!(&forward, &dynamics::driver_forward_dynamics(&m.robot, &now, &GRAVITY, space, dy).unwrap());
            prop_assert_eq!(&inverse, &dynamics::driver_inverse_dynamics(&m.robot, &now, &GRAVITY, space, dy).unwrap());
        }
    }
}

#[test]
fn mimic_fingers_have_one_dof() {
    let robot = Robot::load(data("robots/gripper.urdf")).unwrap().value;
    let space = DriverSpace::new(&robot);
    assert_eq!(space.len(), robot.drivers().len());
    assert!(space.len() < robot.n_dofs());
    let motor = DriverDof::Driver(robot.driver_index("left_finger").unwrap());
    let mut y = vec![0.0; space.len()];
    y[space.dofs().iter().position(|c| *c == motor).unwrap()] = 0.01;

    // from the file: multipliers 1, 5 and −5, offsets 0, 0.1 and −0.1
    let q = space.config(&y).unwrap();
    for (link, expected) in [
        ("left_finger", 0.01),
        ("right_finger", 0.01),
        ("left_pad", 0.15),
        ("right_pad", -0.15),
    ] {
        let dof = robot.link(robot.link_id(link).unwrap()).dof().unwrap();
        let x = q[dof.index()];
        assert!((x - expected).abs() < 1e-15, "{link}: {x} {expected}");
    }
}

#[test]
fn welds_are_fixed_and_links_without_a_driver_are_free() {
    let mut builder = RobotBuilder::new("cart");
    let mut links = Vec::new();
    for (name, initial) in [
        ("free", 0.0),
        ("welded", 0.4),
        ("driven", 0.0),
        ("offset", 0.0),
    ] {
        let mut link = LinkSpec::new(
            name,
            links.last().copied(),
            LinkMotion::Prismatic(Vector::x()),
        );
        link.inertia = Inertia {
            mass: 1.0,
            ..Inertia::zero()
        };
        link.initial = initial;
        links.push(builder.add_link(link));
    }
    builder.add_joint(JointKind::Weld, links[1], None);
    let fixed = DriverKind::Affine {
        links: vec![links[3]],
        scale: vec![0.0],
        offset: vec![0.7],
    };
    builder.add_driver("fixed", fixed, None);
    builder.add_driver("motor", DriverKind::Normal { link: links[2] }, None);
    let cart = builder.build().unwrap();
    let space = DriverSpace::new(&cart);
    assert_eq!(
        space.dofs(),
        [
            DriverDof::Driver(1),
            DriverDof::Dof(kinworld::DofId::new(0))
        ]
    );
    assert_eq!(space.config(&[0.1, 0.2]).unwrap(), [0.2, 0.4, 0.1, 0.7]);
    let mass = dynamics::driver_mass_matrix(&cart, &State::new(&cart), &space);
    assert_eq!(mass.as_slice(), [2.0, 2.0, 2.0, 4.0]);
    assert!(!space.is_empty());
    let still = State::new(&cart);
    for (answer, part) in [
        (
            space.config(&[0.1]),
            "free degrees of freedom needs 2 values, got 1",
        ),
        (space.velocity(&[0.1, f64::NAN]), "value 1 is NaN"),
        (
            space.forces(&[0.1]),
            "generalised forces needs 4 values, got 1",
        ),
        (
            space.dof_values(&cart, &[0.0; 3]),
            "configuration needs 4 values, got 3",
        ),
        (
            dynamics::driver_forward_dynamics(&cart, &still, &GRAVITY, &space, &[0.0]),
            "driver forces needs 2 values, got 1",
        ),
        (
            dynamics::driver_inverse_dynamics(&cart, &still, &GRAVITY, &space, &[0.0]),
            "needs 2 values, got 1",
        ),
        (
            dynamics::friction_forces(&cart, &still, -1.0),
            "slip: is -1, it must be finite",
        ),
        (
            dynamics::friction_forces(&cart, &still, f64::NAN),
            "slip: is NaN, it must be finite",
        ),
    ] {
        assert_refused(answer, part);
    }
}

#[test]
fn a_motor_that_moves_no_mass_is_named() {
    let mut builder = RobotBuilder::new("fan");
    let link = LinkSpec::new("blade", None, LinkMotion::Revolute(Vector::z()));
    let blade = builder.add_link(link);
    builder.add_driver("motor", DriverKind::Normal { link: blade }, None);
    let fan = builder.build().unwrap();
    let (state, space) = (State::new(&fan), DriverSpace::new(&fan));
    let error = dynamics::driver_forward_dynamics(&fan, &state, &GRAVITY, &space, &[1.0]);
    let error = error.unwrap_err().to_string();
    assert!(
        error.starts_with("driver `motor`: its dof has no inertia"),
        "{error}"
    );
    assert_refused(
        dynamics::driver_mass_matrix_inverse(&fan, &state, &space),
        "driver `motor`: its dof has no inertia here",
    );
}

/// A robot with drivers that each move several links, and its state.
#[derive(Debug)]
struct Driven {
    m: Moving,
    space: DriverSpace,
    y: Vec<f64>,
    dy: Vec<f64>,
}

impl Driven {
    fn state(&self) -> State {
        let [q, dq] = [self.space.config(&self.y), self.space.velocity(&self.dy)];
        state(&self.m.robot, &q.unwrap(), &dq.unwrap())
    }

    /// A row for each dof that is not the first of its motor: its motion relative to the first.
    fn constraints(&self) -> DMatrix<f64> {
        let (s, mut rows) = (self.space.matrix(), Vec::new());
        let mut first = vec![None; s.ncols()];
        for i in 0..s.nrows() {
            let mut row = DMatrix::zeros(1, s.nrows());
            row[i] = 1.0;
            if let Some(y) = (0..s.ncols()).find(|&y| s[(i, y)] != 0.0) {
                let Some(leader) = first[y] else {
                    first[y] = Some(i);
                    continue;
                };
                row[leader] = -s[(i, y)] / s[(leader, y)];
            }
            rows.push(row);
        }
        DMatrix::from_fn(rows.len(), s.nrows(), |i, j| rows[i][j])
    }
}

fn any_driven_robot() -> impl Strategy<Value = Driven> {
    let scale = prop_oneof![5 => 0.3..2.0, 5 => -2.0..-0.3, 1 => Just(0.0)];
    let choice = (0..5_usize, scale, -1.0..1.0);
    let choices = prop::collection::vec(choice, 60);
    let frictions = prop::array::uniform2(0.0..3.0);
    let numbers = prop::array::uniform2(prop::collection::vec(-2.0..2.0, 60));
    let parts = (any_moving_heavy_robot(), choices, frictions, numbers);
    parts.prop_map(
        |(mut m, choices, [viscous_friction, dry_friction], [y, dy])| {
            let mut builder = RobotBuilder::from(&m.robot);
            let mut drivers = Vec::new();

            // the first group has no driver; each of the second has its own
            for group in 1..5 {
                let dofs = m.robot.dofs().iter().zip(&choices);
                let chosen: Vec<_> = dofs.filter(|(_, choice)| choice.0 == group).collect();
                let kinds = match group {
                    1 => chosen
                        .iter()
                        .map(|(link, _)| DriverKind::Normal { link: **link })
                        .collect(),
                    _ if chosen.is_empty() => Vec::new(),
                    _ => vec![DriverKind::Affine {
                        links: chosen.iter().map(|(link, _)| **link).collect(),
                        scale: chosen.iter().map(|(_, choice)| choice.1).collect(),
                        offset: chosen.iter().map(|(_, choice)| choice.2).collect(),
                    }],
                };
                let servo = Servo::default()
                    .with_viscous_friction(viscous_friction)
                    .with_dry_friction(dry_friction);
                let motor = |kind| Driver::new("motor", kind).with_servo(servo);
                drivers.extend(kinds.into_iter().map(motor));
            }
            builder.drivers = Some(drivers);
            m.robot = builder.build().expect("drivers that share no link");
            let space = DriverSpace::new(&m.robot);
            let n = space.len();
            Driven {
                m,
                y: y[..n].to_vec(),
                dy: dy[..n].to_vec(),
                space,
            }
        },
    )
}
