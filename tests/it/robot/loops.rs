//! Loop closures: what edits make of them, and what is refused.

use kinworld::math::Pose;
use kinworld::robot::{
    LinkMotion, LinkSpec, LoopClosure, LoopFrame, LoopKind, Robot, RobotBuilder,
};
use kinworld::{LinkId, State, Vector, kinematics};

/// Two arms on a base, with a closure between a fixed part of the first and the second.
fn pair(kind: LoopKind) -> RobotBuilder {
    let mut robot = RobotBuilder::new("pair");
    let mut add = |name: &str, parent, motion, placement| {
        let mut link = LinkSpec::new(name, parent, motion);
        link.placement = placement;
        robot.add_link(link)
    };
    let turn = |axis: Vector| LinkMotion::Revolute(axis);
    let base = add("base", None, turn(Vector::z()), Pose::identity());
    let left = add(
        "left",
        Some(base),
        turn(Vector::y()),
        Pose::translation(0.0, 0.5, 0.0),
    );
    let flange = add(
        "flange",
        Some(left),
        LinkMotion::Fixed,
        Pose::rotation(Vector::new(0.1, 0.2, 0.3)),
    );
    let right = add(
        "right",
        Some(base),
        turn(Vector::x()),
        Pose::translation(0.0, -0.5, 0.1),
    );
    let a = LoopFrame::new(Some(flange), Pose::translation(0.3, 0.0, 0.2));
    let b = LoopFrame::new(Some(right), Pose::rotation(Vector::new(0.0, 0.4, 0.1)));
    robot
        .loop_closures
        .push(LoopClosure::new("rod", kind, a, b));
    robot
}

fn errors(robot: &Robot, q: &[f64]) -> Vec<f64> {
    let mut state = State::new(robot);
    state.set_config(robot, q).unwrap();
    kinematics::loop_errors(robot, &state)
}

fn assert_same(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    let is_same = a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-14);
    assert!(is_same, "{a:?} is not {b:?}");
}

#[test]
fn reduced_and_mounted_robots_keep_their_loops() {
    let q = [0.3, -0.7, 0.4];
    for kind in [LoopKind::Spherical, LoopKind::Revolute, LoopKind::Fixed] {
        let builder = pair(kind);
        let robot = builder.clone().build().unwrap();
        let before = errors(&robot, &q);
        assert_eq!(before.len(), kind.n_rows());
        assert!(before.iter().any(|e| e.abs() > 0.1));

        let (reduced, _) = builder.reduce().unwrap();
        let reduced = reduced.build().unwrap();
        assert_eq!(reduced.links().len(), 3);
        assert_same(&errors(&reduced, &q), &before);

        // moved as a whole: vectors in the world rotate, lengths stay
        let mut cell = RobotBuilder::new("cell");
        let stand = cell.add_link(LinkSpec::new("stand", None, LinkMotion::Fixed));
        let at = Pose::translation(1.0, 2.0, 3.0);
        cell.mount(Some(stand), &builder, &at, Some("p")).unwrap();
        let cell = cell.build().unwrap();
        assert_eq!(cell.loop_closures()[0].name, "p:rod");
        assert_same(&errors(&cell, &q), &before);

        let (without, _) = builder.subset(&[LinkId::new(0), LinkId::new(1)]).unwrap();
        assert!(without.build().unwrap().loop_closures().is_empty());
    }
}

#[test]
fn a_closure_to_the_world_moves_with_a_mounted_robot() {
    let mut arm = pair(LoopKind::Fixed);
    arm.loop_closures[0].b = LoopFrame::new(None, Pose::translation(0.2, 0.0, 0.0));
    let q = [0.3, -0.7, 0.4];
    let before = errors(&arm.clone().build().unwrap(), &q);
    let mut cart = RobotBuilder::new("cart");
    let top = cart.add_link(LinkSpec::new(
        "top",
        None,
        LinkMotion::Prismatic(Vector::x()),
    ));
    let at = Pose::translation(1.0, 2.0, 3.0);
    cart.mount(Some(top), &arm, &at, None).unwrap();
    let cart = cart.build().unwrap();
    assert_same(&errors(&cart, &[5.0, q[0], q[1], q[2]]), &before);
}

#[test]
fn jacobians_are_derivatives_where_loops_are_closed() {
    for kind in [LoopKind::Spherical, LoopKind::Revolute, LoopKind::Fixed] {
        let mut builder = pair(kind);
        let q = [0.3, -0.7, 0.4];
        // closed at q by the choice of the second frame
        let open = builder.clone().build().unwrap();
        let mut state = State::new(&open);
        state.set_config(&open, &q).unwrap();
        let closure = &mut builder.loop_closures[0];
        let (a, b) = (closure.a, closure.b.link.unwrap());
        let x_a = state.pose(&open, a.link.unwrap()) * a.pose;
        closure.b.pose = state.pose(&open, b).inverse() * x_a;
        let robot = builder.build().unwrap();
        assert!(errors(&robot, &q).iter().all(|e| e.abs() < 1e-14));
        let mut state = State::new(&robot);
        state.set_config(&robot, &q).unwrap();
        let jacobian = kinematics::loop_jacobian(&robot, &state);
        let h = 1e-6;
        for i in 0..3 {
            let at = |sign: f64| {
                let mut moved = q;
                moved[i] += sign * h;
                errors(&robot, &moved)
            };
            let numeric = at(1.0)
                .into_iter()
                .zip(at(-1.0))
                .map(|(p, m)| (p - m) / (2.0 * h));
            for (row, numeric) in numeric.enumerate() {
                let exact = jacobian[(row, i)];
                assert!(
                    (exact - numeric).abs() < 1e-9,
                    "{kind:?} {row} {i}: {exact} {numeric}"
                );
            }
        }
    }
}

#[test]
fn closures_of_nothing_are_refused() {
    let with = |change: &dyn Fn(&mut LoopClosure)| {
        let mut robot = pair(LoopKind::Fixed);
        change(&mut robot.loop_closures[0]);
        robot.build().unwrap_err().to_string()
    };
    let said = with(&|closure| closure.a.link = Some(LinkId::new(9)));
    assert_eq!(said, "loop closure `rod`: there are only 4 links");
    let said = with(&|closure| closure.b.link = closure.a.link);
    assert_eq!(said, "loop closure `rod`: it connects a link to itself");
    let said = with(&|closure| closure.a.pose = Pose::translation(f64::NAN, 0.0, 0.0));
    assert_eq!(
        said,
        "loop closure `rod`: the pose of a frame is not finite"
    );
}
