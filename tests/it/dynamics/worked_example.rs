//! The two-link planar arm with a point mass at the end of each link: Craig, Introduction to Robotics (3rd ed.),
//! example 6.7, equations 6.58 to 6.62.

use kinworld::dynamics;
use kinworld::math::Inertia;
use kinworld::robot::{LinkMotion, LinkSpec};
use kinworld::{Point, RobotBuilder, Vector};

use super::state;
use crate::common::numbers::assert_close;

#[test]
fn the_planar_arm_of_the_book() {
    let (m1, m2, l1, l2, g) = (1.5, 0.7, 0.4, 0.3, 9.81);
    let point = |mass, x| Inertia {
        mass,
        com: Point::new(x, 0.0, 0.0),
        ..Inertia::zero()
    };
    let mut builder = RobotBuilder::new("2R");
    let mut upper = LinkSpec::new("upper", None, LinkMotion::Revolute(Vector::z()));
    upper.inertia = point(m1, l1);
    let upper = builder.add_link(upper);
    let mut fore = LinkSpec::new("fore", Some(upper), LinkMotion::Revolute(Vector::z()));
    fore.placement.translation.vector.x = l1;
    fore.inertia = point(m2, l2);
    builder.add_link(fore);
    let robot = builder.build().unwrap();

    let (q, dq, ddq) = ([0.6, -1.1], [0.9, 1.7], [-2.0, 0.8]);
    let state = state(&robot, &q, &dq);
    let (s2, c2) = q[1].sin_cos();
    let (c1, c12) = (q[0].cos(), (q[0] + q[1]).cos());

    let h12 = m2 * l2 * l2 + m2 * l1 * l2 * c2;
    let h11 = h12 + m2 * l1 * l2 * c2 + (m1 + m2) * l1 * l1;
    let mass = [h11, h12, h12, m2 * l2 * l2];
    let coriolis = [
        -m2 * l1 * l2 * s2 * (dq[1] * dq[1] + 2.0 * dq[0] * dq[1]),
        m2 * l1 * l2 * s2 * dq[0] * dq[0],
    ];
    let second = m2 * l2 * g * c12;
    let gravity = [second + (m1 + m2) * l1 * g * c1, second];
    let tau =
        [0, 1].map(|i| mass[2 * i] * ddq[0] + mass[2 * i + 1] * ddq[1] + coriolis[i] + gravity[i]);

    // gravity along −y, as in the book
    let down = Vector::new(0.0, -g, 0.0);
    let near = 1e-14;
    assert_close(
        "M",
        dynamics::mass_matrix(&robot, &state).as_slice(),
        &mass,
        near,
    );
    assert_close(
        "C",
        &dynamics::coriolis_forces(&robot, &state),
        &coriolis,
        near,
    );
    assert_close(
        "G",
        &dynamics::gravity_forces(&robot, &state, &down),
        &gravity,
        near,
    );
    let ours = dynamics::inverse_dynamics(&robot, &state, &down, &ddq).unwrap();
    assert_close("τ", &ours, &tau, 1e-13);
    let ours = dynamics::forward_dynamics(&robot, &state, &down, &tau).unwrap();
    assert_close("q̈", &ours, &ddq, 1e-12);
}
