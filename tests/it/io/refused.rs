//! What other programs refuse, and names that mean something to them, in files that are written for them.

use kinworld::math::{Inertia, so3};
use kinworld::robot::{JointKind, LinkMotion, LinkSpec, RobotBuilder};
use kinworld::{LinkId, Point, Vector};
use nalgebra::Matrix3;

use super::written::{FORMATS, copied};
use crate::common::random::Random;

/// A link of 1 kg that rotates about z, on another.
fn pendulum(name: &str, base: Option<LinkId>) -> LinkSpec {
    let mut link = LinkSpec::new(name, base, LinkMotion::Revolute(Vector::z()));
    link.inertia = Inertia {
        mass: 1.0,
        com: Point::new(0.1, 0.2, 0.3),
        moment: Matrix3::from_diagonal(&Vector::new(1.0, 1.5, 2.0)),
    };
    link.joint = format!("{name}_joint");
    link
}

#[test]
fn reversed_limits_are_not_written_where_others_refuse_them() {
    let mut builder = RobotBuilder::new("arm");
    let mut link = pendulum("arm", None);
    (link.limits.q_min, link.limits.q_max) = (1.0, -1.0);
    builder.add_link(link);
    let robot = builder.build().unwrap();
    for (suffix, expected) in [
        ("urdf", 1.0),
        ("mjcf", f64::NEG_INFINITY),
        ("sdf", f64::NEG_INFINITY),
    ] {
        let (again, lost) = copied(&robot, suffix);
        let is_said = lost
            .iter()
            .any(|lost| lost.starts_with("limits whose lower end is above"));
        assert_eq!(is_said, suffix != "urdf", "{suffix}: {lost:?}");
        assert!(
            again
                .limits()
                .iter()
                .all(|limits| limits.q_min.total_cmp(&expected).is_eq()),
            "{suffix}"
        );
    }
}

#[test]
fn a_floating_link_named_world_is_not_taken_for_the_world() {
    let mut builder = RobotBuilder::new("arm");
    builder.add_link(pendulum("arm", None));
    let mut builder = builder.with_base(JointKind::Floating).unwrap();
    // the names and limits that a reader of URDF gives
    for (i, link) in builder.links[..5].iter_mut().enumerate() {
        link.name = format!("base{i}");
        link.limits.tau_max = 0.0;
    }
    builder.links[5].limits.tau_max = 0.0;
    builder.links[5].name = "world".to_owned();
    builder.links[5].inertia = builder.links[6].inertia;
    let robot = builder.build().unwrap();
    for suffix in FORMATS {
        let (again, lost) = copied(&robot, suffix);
        assert_eq!(again.n_dofs(), robot.n_dofs(), "{suffix}: {lost:?}");
        let mass = again
            .links()
            .iter()
            .map(|link| link.inertia().mass)
            .sum::<f64>();
        assert!((mass - 2.0).abs() < 1e-12, "{suffix}: {mass}");
    }
}

// MuJoCo refuses moments of which one exceeds the sum of the others by 1e-12, and finds them to as much
#[test]
fn moments_at_the_limit_of_what_is_possible_get_a_margin_in_mjcf() {
    let mut random = Random::new(5);
    for k in 0..200 {
        let excess = [0.0, 1e-13, -1e-13, 1e-10, 1e-3][k % 5];
        let moments = Vector::new(1.0, 1.5, 2.5 * (1.0 + excess));
        let r = *so3::from_rpy([(); 3].map(|()| 3.0 * random.unit())).matrix();
        let mut link = pendulum("arm", None);
        let original = r * Matrix3::from_diagonal(&moments) * r.transpose();
        link.inertia.moment = original;
        let mut builder = RobotBuilder::new("arm");
        builder.add_link(link);
        let (again, lost) = copied(&builder.build().unwrap(), "mjcf");
        let moment = again.links()[0].inertia().moment;
        let mut found = moment.symmetric_eigenvalues();
        found.as_mut_slice().sort_by(f64::total_cmp);
        assert!(found[0] + found[1] > found[2] * (1.0 + 1e-12), "{found:?}");
        assert_eq!(
            lost.iter().any(|lost| lost.contains("A + B >= C")),
            excess > 1e-4,
            "{lost:?}"
        );
        let off = (moment - original).amax();
        assert!(off < 2.5 * excess.max(1e-9), "{off:e}");
    }
}
