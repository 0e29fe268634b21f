//! Mechanisms answer at once, whatever was asked or changed before.

use kinworld::math::{Motion, Wrench};
use kinworld::sim::{
    Evaluation, IntegratorState, KinematicTree, Mechanism, MultibodySystem, PlanarBody,
};
use kinworld::{LinkId, Point, Vector};

use super::robots::load;
use crate::common::numbers::assert_close;

/// Everything that a mechanism answers at a time.
fn answers<M: Mechanism>(mechanism: &mut M, link: LinkId, state: &IntegratorState) -> Vec<f64> {
    let now = mechanism.at(state.t, &state.y).unwrap();
    let motion = now.point_motion(link, &Point::new(0.1, 0.2, 0.3)).unwrap();
    let energy = now.energy();
    let mut out = motion.position.coords.as_slice().to_vec();
    out.extend(motion.velocity.to_angular_first());
    out.extend(motion.acceleration.to_angular_first());
    out.extend([energy.kinetic, energy.potential]);
    for list in [
        now.positions(),
        now.velocities(),
        now.accelerations(),
        now.residual_forces(),
    ] {
        out.extend(list);
    }
    out
}

/// Asks at two states in turn, after other calls, and of a copy that was never asked.
fn check<M: Mechanism + Clone>(mut used: M, link: LinkId, states: &[IntegratorState; 2]) {
    let unused = used.clone();
    let fresh = states
        .each_ref()
        .map(|state| answers(&mut unused.clone(), link, state));
    assert_ne!(fresh[0], fresh[1]);
    let mut rates = vec![0.0; used.size()];
    for (state, expected) in [(1, 1), (0, 0), (1, 1)] {
        used.rates(0.7, &states[0].y, &mut rates).unwrap();
        let found = answers(&mut used, link, &states[state]);
        assert_close("answers", &found, &fresh[expected], 1e-12);
    }
}

#[test]
fn nothing_is_called_before_a_query() {
    let robot = load("arm6.urdf");
    let link = LinkId::new(robot.links().len() - 1);
    let numbers = |x: f64| [x, -x, 0.5 * x, 0.2, x, 0.1];

    let mut tree = KinematicTree::new(robot.clone());
    let states = [0.3, -0.8].map(|x| {
        tree.initial_state(0.0, &numbers(x), &numbers(2.0 * x))
            .unwrap()
    });
    check(tree, link, &states);

    let (mut system, bodies) = MultibodySystem::from_robot(&robot).unwrap();
    let states = [0.3, -0.8].map(|x| {
        bodies
            .initial_state(&mut system, 0.0, &numbers(x), &numbers(2.0 * x))
            .unwrap()
    });
    check(system, link, &states);

    let mut body = PlanarBody::new(2.0, 3.0, [0.1, 0.2]).unwrap();
    body.torque = 1.0;
    let states = [0.3, -0.8].map(|x| body.initial_state(0.0, [x, 1.0, x], [0.5, x, 2.0]));
    check(body, LinkId::new(0), &states);
}

#[test]
fn a_change_of_a_mechanism_is_seen_at_once() {
    let robot = load("arm6.urdf");
    let link = LinkId::new(robot.links().len() - 1);
    let mut tree = KinematicTree::new(robot.clone());
    let state = tree.initial_state(0.0, &[0.4; 6], &[0.0; 6]).unwrap();
    let before = answers(&mut tree, link, &state);
    tree.forces.gravity = Vector::zeros();
    let weightless = tree.at(0.0, &state.y).unwrap();
    assert!(
        weightless
            .accelerations()
            .iter()
            .all(|ddq| ddq.abs() < 1e-12)
    );
    assert!(weightless.energy().potential.abs() < 1e-300);
    let push = Wrench {
        force: Vector::x(),
        ..Wrench::default()
    };
    tree.forces.wrenches = vec![(link, push)];
    let pushed = tree.at(0.0, &state.y).unwrap();
    let motion = pushed.point_motion(link, &Point::origin()).unwrap();
    assert_eq!(motion.velocity, Motion::default());
    assert!(motion.acceleration.linear.x > 1e-3);
    assert_ne!(before, answers(&mut tree, link, &state));

    // redundant constraints too: of a loop that was closed a moment ago
    let (mut system, bodies) = MultibodySystem::from_robot(&robot).unwrap();
    let state = bodies
        .initial_state(&mut system, 0.0, &[0.0; 6], &[0.0; 6])
        .unwrap();
    assert!(system.redundancies(&state).unwrap().is_empty());
    let again = system.joints()[0].clone();
    system.add_joint(again).unwrap();
    let twice = system.redundancies(&state).unwrap();
    assert_eq!(twice.iter().map(|found| found.rows).sum::<usize>(), 5);
}

#[test]
fn controllers_find_the_configuration_of_every_mechanism() {
    let robot = load("gripper.urdf");
    let n = robot.n_dofs();
    let (at, rates) = (robot.initial_config().to_vec(), vec![0.0; n]);
    let (mut q, mut dq) = (vec![f64::NAN; n], vec![f64::NAN; n]);

    let mut tree = KinematicTree::new(robot.clone());
    let state = tree.initial_state(0.0, &at, &rates).unwrap();
    tree.config_into(&state.y, &mut q, &mut dq);
    assert_eq!(
        (&q, &dq),
        (&tree.config(&state.y), &tree.velocity(&state.y))
    );

    let (mut system, bodies) = MultibodySystem::from_robot(&robot).unwrap();
    let state = bodies.initial_state(&mut system, 0.0, &at, &rates).unwrap();
    (q, dq) = (vec![f64::NAN; n], vec![f64::NAN; n]);
    bodies
        .config_into(&mut system, 0.0, &state.y, &mut q, &mut dq)
        .unwrap();
    let [q_there, dq_there] = bodies.motion(&mut system, &state).unwrap();
    assert_eq!((&q, &dq), (&q_there, &dq_there));
    assert!(q.iter().all(|q| q.is_finite()));
    let error = bodies.config_into(&mut system, 0.0, &state.y, &mut q[1..], &mut dq);
    assert!(
        error
            .unwrap_err()
            .to_string()
            .starts_with("configuration needs")
    );
}
