//! Loop closures beside MuJoCo's equality constraints, springs, and couplings by tendons.

use kinworld::dynamics::{self, Contacts};
use kinworld::math::Pose;
use kinworld::nalgebra::DVector;
use kinworld::robot::{DriverKind, LoopClosure, LoopFrame, LoopKind, RobotBuilder};
use kinworld::sim::{Forces, Integrator, KinematicTree, Method, MultibodySystem, Steps};
use kinworld::{DofId, GRAVITY, Robot, State, kinematics};

use super::{refusal, robot, warnings, world};
use crate::io::scratch::folder;

/// Two chains on a slide, and an equality.
fn chains(equality: &str) -> String {
    format!(
        "<mujoco model='loops'><compiler angle='radian'/><worldbody>
        <body name='base' pos='0.1 0.2 0.3' euler='0 0.1 0'><geom size='0.1' mass='1'/><joint name='z' type='slide' axis='0 0 1'/>
        <body name='left' pos='0 0 1' euler='0.1 0.2 0.3'><joint name='a' axis='0 1 0'/><geom size='0.1' mass='1'/>
          <body name='left_tip' pos='0.5 0 0.1'><joint name='b' axis='0 1 0.2' pos='0.1 0 0'/><geom size='0.1' mass='1'/>
            <site name='s1' pos='0.1 0.2 0.3' euler='0 0.4 0'/></body></body>
        <body name='right' pos='1 0.2 1' euler='0 0 0.5'><joint name='c' axis='0 1 0'/><geom size='0.1' mass='1'/>
          <body name='right_tip' pos='0.1 0 0.4'><joint name='d' type='slide' axis='1 0 0.3'/><geom size='0.1' mass='1'/>
            <site name='s2' pos='-0.1 0.1 0.1' euler='0.3 0 0'/></body></body></body></worldbody>
        <equality>{equality}</equality></mujoco>"
    )
}

/// An equality, `efc_pos` and the first row of `efc_J` of MuJoCo 4.0.0 at `Q`.
type Case = (&'static str, &'static [f64], [f64; 5]);

const Q: [f64; 5] = [0.05, 0.3, -0.2, 0.4, 0.1];
const DQ: [f64; 5] = [0.5, 1.0, -0.7, 0.3, 0.9];

const CASES: [Case; 7] = [
    (
        "<connect body1='left_tip' body2='right_tip' anchor='0.2 0.1 0.05'/>",
        &[
            -0.17552357287697096,
            -0.04781541107898901,
            -0.2587457553748571,
        ],
        [
            0.0,
            -0.24936098344039365,
            -0.016503335655335665,
            -0.12881312138131593,
            -0.8572445306490994,
        ],
    ),
    (
        "<connect body1='left_tip' anchor='0.2 0.1 0.05'/>",
        &[
            -0.040750435306719734,
            0.018823774705208296,
            -0.13736734026994735,
        ],
        [
            0.09983341664682815,
            -0.24936098344039365,
            -0.016503335655335665,
            0.0,
            0.0,
        ],
    ),
    (
        "<connect site1='s1' site2='s2'/>",
        &[
            -0.6529476386761092,
            -0.05912496410728285,
            -0.24737230812403554,
        ],
        [
            0.0,
            0.007627735449869083,
            0.22695168017356385,
            -0.36331200367881705,
            -0.8572445306490994,
        ],
    ),
    (
        "<weld body1='left_tip' body2='right_tip'/>",
        &[
            -0.22608053690694785,
            -0.09485539077420674,
            -0.13019805689866493,
            0.006976191142369789,
            -0.1451981667630806,
            -0.009229000964439293,
        ],
        [
            0.0,
            0.0040478888950358505,
            0.23946580425541514,
            -0.2435735999942128,
            -0.8572445306490994,
        ],
    ),
    (
        "<weld body1='left_tip' body2='right_tip' anchor='0.1 0.2 0.3'/>",
        &[
            -0.28189633925188917,
            -0.13451382585534888,
            -0.0725659987340006,
            0.006976191142369789,
            -0.1451981667630806,
            -0.009229000964439293,
        ],
        [
            0.0,
            0.2304312982734855,
            0.4228153170872897,
            -0.42999197016821666,
            -0.8572445306490994,
        ],
    ),
    (
        "<weld body1='left_tip' body2='right_tip' relpose='0.3 0.1 -0.2 0.8 0.6 0 0' anchor='0.1 0.2 0.3'/>",
        &[
            -0.8364004520363029,
            -0.2807244670658118,
            -0.8825913161833229,
            0.6766709983352791,
            -0.11140055857820866,
            -0.028420693192649542,
        ],
        [
            0.0,
            -0.5082003058001595,
            -0.2774161730360479,
            -0.42999197016821666,
            -0.8572445306490994,
        ],
    ),
    (
        "<weld site1='s1' site2='s2'/>",
        &[
            -0.6529476386761092,
            -0.05912496410728285,
            -0.24737230812403554,
            -0.02748036641852223,
            0.11420222778951883,
            -0.08495426098690237,
        ],
        [
            0.0,
            0.007627735449869083,
            0.22695168017356385,
            -0.36331200367881705,
            -0.8572445306490994,
        ],
    ),
];

#[test]
fn connect_and_weld_have_the_residuals_and_jacobians_of_mujoco() {
    for (equality, residual, row) in CASES {
        let robot = robot(&chains(equality));
        let [closure] = robot.loop_closures() else {
            panic!("one closure of {equality}");
        };
        let mut state = State::new(&robot);
        state.set_config(&robot, &Q).unwrap();
        let errors = kinematics::loop_errors(&robot, &state);
        let jacobian = kinematics::loop_jacobian(&robot, &state);
        assert_eq!(errors.len(), residual.len());

        // here rotations come first
        let first = errors.len() - 3;
        for k in 0..3 {
            assert!(
                (errors[first + k] - residual[k]).abs() < 1e-14,
                "{equality}: {errors:?}"
            );
        }
        for (ours, theirs) in jacobian.row(first).iter().zip(row) {
            assert!((ours - theirs).abs() < 1e-14, "{equality}: {jacobian}");
        }
        // MuJoCo's is the vector part of a quaternion
        let half: f64 = residual[3..].iter().map(|x| x * x).sum::<f64>().sqrt();
        let angle: f64 = errors[..first].iter().map(|x| x * x).sum::<f64>().sqrt();
        assert!(
            (angle - 2.0 * half.asin()).abs() < 1e-13,
            "{equality}: {errors:?}"
        );
        assert_eq!(closure.kind == LoopKind::Fixed, first == 3);
    }
}

#[test]
fn loops_are_written_and_read_again() {
    let path = folder().join("loops.mjcf");
    for (equality, residual, _) in CASES {
        let robot = robot(&chains(equality));
        let lost = robot.save(&path).unwrap();
        let again = Robot::load(&path).unwrap().value;
        let said = lost.iter().any(|d| d.message.contains("loop closures"));
        // MuJoCo takes the second point of a `connect` of bodies from the initial pose
        let is_open = equality.contains("connect site1");
        assert_eq!(said, is_open, "{equality}: {lost:?}");
        assert_eq!(again.loop_closures().is_empty(), is_open, "{equality}");
        if is_open {
            continue;
        }
        let names = |robot: &Robot| -> Vec<String> {
            let dofs = (0..5).map(|k| robot.dof_name(DofId::new(k)).to_owned());
            dofs.collect()
        };
        assert_eq!(names(&robot), names(&again));
        let errors = |robot: &Robot| {
            let mut state = State::new(robot);
            state.set_config(robot, &Q).unwrap();
            kinematics::loop_errors(robot, &state)
        };
        let (before, after) = (errors(&robot), errors(&again));
        let first = before.len() - 3;
        for k in 0..3 {
            assert!((after[first + k] - residual[k]).abs() < 1e-12, "{equality}");
        }
        // the axes of both frames are others, and so are those of the rotation between them
        let norm = |all: &[f64]| DVector::from_column_slice(&all[..first]).norm();
        assert!((norm(&before) - norm(&after)).abs() < 1e-12, "{equality}");
    }
}

#[test]
fn loops_that_mjcf_does_not_have_are_listed() {
    let path = folder().join("loops.mjcf");
    let robot = robot(&chains(CASES[0].0));
    let end = |name: &str| LoopFrame::new(Some(robot.link_id(name).unwrap()), Pose::identity());
    let hinge = LoopClosure::new(
        "hinge",
        LoopKind::Revolute,
        end("left_tip"),
        end("right_tip"),
    );
    // a site and the body that it is fixed in
    let within = LoopClosure::new("", LoopKind::Fixed, end("left_tip"), end("s1"));
    for (closure, expected) in [
        (
            hinge,
            "loop closures that leave a rotation are not kept: `hinge`",
        ),
        (
            within,
            "loop closures within one body are not kept: `left_tip and s1`",
        ),
    ] {
        let mut builder = RobotBuilder::from(&robot);
        builder.loop_closures = vec![closure];
        let lost = builder.build().unwrap().save(&path).unwrap();
        let said: Vec<&str> = lost.iter().map(|d| d.message.as_str()).collect();
        assert!(said.contains(&expected), "{said:?}");
        let again = Robot::load(&path).unwrap().value;
        assert!(again.loop_closures().is_empty());
    }
}

#[test]
fn a_closed_loop_stays_closed_under_constrained_dynamics() {
    for (equality, ..) in CASES {
        let robot = robot(&chains(equality));
        let mut state = State::new(&robot);
        state.set_config(&robot, &Q).unwrap();
        state.set_velocity(&robot, &DQ).unwrap();
        let mut contacts = Contacts::new(&robot);
        contacts.close_loops(&robot, &state);
        let found =
            dynamics::constrained_dynamics(&robot, &state, &GRAVITY, &[0.0; 5], &contacts.task());
        let ddq = DVector::from_vec(found.unwrap().ddq);

        // the drift is the derivative of J q̇ along the velocity
        let at = |h: f64| {
            let q: Vec<f64> = Q.iter().zip(DQ).map(|(q, dq)| q + h * dq).collect();
            let mut state = State::new(&robot);
            state.set_config(&robot, &q).unwrap();
            kinematics::loop_jacobian(&robot, &state) * DVector::from_column_slice(&DQ)
        };
        let h = 1e-5;
        let numeric = (at(h) - at(-h)) / (2.0 * h);
        let drift = DVector::from_vec(kinematics::loop_drift(&robot, &state));
        assert!(
            (&numeric - &drift).amax() < 1e-8,
            "{equality}: {numeric} {drift}"
        );
        if equality.contains("connect") {
            let left = kinematics::loop_jacobian(&robot, &state) * ddq + drift;
            assert!(left.amax() < 1e-9, "{equality}: {left}");
        }
    }
}

#[test]
fn a_simulation_keeps_a_loop_closed() {
    let robot = robot(&chains(CASES[0].0));
    let (mut system, bodies) = MultibodySystem::from_robot(&robot).unwrap();
    assert_eq!(system.n_constraints(), 5 * 5 + 3);
    let q = robot.initial_config().to_vec();
    let mut start = bodies
        .initial_state(&mut system, 0.0, &q, &[0.0; 5])
        .unwrap();
    let method = Method::GeneralizedAlpha { rho: 0.9 };
    let mut integrator = Integrator::new(method, Steps::Length(1e-3)).unwrap();
    integrator
        .run(&mut system, &mut start, 0.1, &mut ())
        .unwrap();
    let [q, dq] = bodies.motion(&mut system, &start).unwrap();
    let mut state = State::new(&robot);
    state.set_config(&robot, &q).unwrap();
    let errors = kinematics::loop_errors(&robot, &state);
    assert!(errors.iter().all(|e| e.abs() < 1e-6), "{errors:?}");
    let jacobian = kinematics::loop_jacobian(&robot, &state);
    assert!((jacobian * DVector::from_vec(dq.to_vec())).amax() < 1e-6);
    // it falls 0.05 m with its base alone; the loop moves all others by that much at most
    assert!((q[0] + 0.5 * 9.81 * 0.1 * 0.1).abs() < 0.02, "{q:?}");
}

#[test]
fn equalities_of_what_is_not_there_are_refused_or_said() {
    let unknown = refusal(&chains("<connect body1='lefty' anchor='0 0 0'/>"));
    assert!(unknown.contains("there is no body `lefty`"), "{unknown}");
    let unknown = refusal(&chains("<weld site1='s1' site2='s3'/>"));
    assert!(unknown.contains("there is no site `s3`"), "{unknown}");
    let nothing = refusal(&chains("<weld/>"));
    let needed = "it needs `site1` and `site2`, or `body1`";
    assert!(nothing.contains(needed), "{nothing}");
    let off = robot(&chains("<weld body1='left' active='false'/>"));
    assert!(off.loop_closures().is_empty());
    let two = "<mujoco><worldbody><body name='a'><joint/><geom size='1'/></body><body name='b' pos='5 0 0'><joint/><geom size='1'/></body></worldbody>
<equality><weld body1='a' body2='b'/></equality></mujoco>";
    let said = warnings(two);
    let expected = "model.xml:2:11: warning: model: <equality><weld> of two robots, or of an object, is left out (2 times)";
    assert_eq!(said, [expected]);
}

#[test]
fn equalities_of_tendons_and_of_single_joints_are_drivers() {
    let text = |equality: &str| {
        format!(
            "<mujoco><compiler angle='radian'/><worldbody><body name='b'><joint name='a' ref='0.3'/><joint name='c' axis='1 0 0'/>
<geom size='1'/></body></worldbody>
<tendon><fixed name='t'><joint joint='a' coef='2'/><joint joint='c' coef='-4'/></fixed></tendon>
<equality>{equality}</equality></mujoco>"
        )
    };
    // 2 (a - 0.3) - 4 c = 0.5
    let coupled = robot(&text("<tendon tendon1='t' polycoef='0.5'/>"));
    let DriverKind::Affine {
        links,
        scale,
        offset,
    } = &coupled.drivers()[0].kind
    else {
        panic!("a follows c");
    };
    assert_eq!(links.len(), 2);
    let q = |u: f64, k: usize| scale[k] * u + offset[k];
    let by_name = |name: &str| {
        links
            .iter()
            .position(|l| coupled.link(*l).joint_name() == Some(name))
    };
    let (a, c) = (by_name("a").unwrap(), by_name("c").unwrap());
    for u in [-1.0, 0.7] {
        assert!((2.0 * (q(u, a) - 0.3) - 4.0 * q(u, c) - 0.5).abs() < 1e-14);
    }

    let held = robot(&text("<joint joint1='a' polycoef='0.2'/>"));
    let space = kinematics::DriverSpace::new(&held);
    assert_eq!(space.len(), 1);
    assert!(
        (space.offset()[0] - 0.5).abs() < 1e-15,
        "{:?}",
        space.offset()
    );
}

#[test]
fn springs_of_joints_are_those_of_mujoco() {
    let text = "<mujoco><compiler angle='radian'/><worldbody><body name='b'>
<joint name='a' stiffness='3' springref='0.5' ref='0.2'/><joint name='s' type='slide' stiffness='8'/><geom size='1'/></body></worldbody></mujoco>";
    let sprung = robot(text);
    let mut state = State::new(&sprung);
    state.set_config(&sprung, &[1.5, -0.25]).unwrap();
    // qfrc_spring of MuJoCo 4.0.0
    assert_eq!(
        dynamics::spring_forces(&sprung, &state).unwrap(),
        [-3.0, 2.0]
    );
    assert_eq!(world(text).unwrap().diagnostics.len(), 0);
}

#[test]
fn a_mass_on_a_spring_swings() {
    let text = "<mujoco><worldbody><body name='b'><joint type='slide' axis='1 0 0' stiffness='8' springref='0.5'/>
<geom size='1' mass='2'/></body></worldbody></mujoco>";
    let mut tree = KinematicTree::new(robot(text));
    tree.forces = Forces::of_robot(tree.robot(), &[0.6]).unwrap();
    let mut state = tree.initial_state(0.0, &[0.6], &[0.0]).unwrap();
    let mut integrator = Integrator::new(Method::Rk67, Steps::Count(200)).unwrap();
    integrator.run(&mut tree, &mut state, 1.5, &mut ()).unwrap();
    // ω² = 8 / 2
    let expected = 0.5 + 0.1 * (2.0_f64 * 1.5).cos();
    assert!((tree.config(&state.y)[0] - expected).abs() < 1e-12);
}
