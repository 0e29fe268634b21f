//! Spatial vectors: changes of frame, duality, momentum.

use kinworld::math::{Inertia, Motion, Wrench, se3};
use kinworld::{Point, Pose, Vector};
use nalgebra::{Matrix3, Vector6};
use proptest::prelude::*;

use random_robots::{any_pose, any_vector, cases};

fn any_motion() -> impl Strategy<Value = Motion> {
    (any_vector(2.0), any_vector(2.0)).prop_map(|(w, v)| Motion {
        angular: w,
        linear: v,
    })
}

fn any_force() -> impl Strategy<Value = Wrench> {
    (any_vector(2.0), any_vector(2.0)).prop_map(|(n, f)| Wrench {
        moment: n,
        force: f,
    })
}

fn any_inertia() -> impl Strategy<Value = Inertia> {
    (0.1..3.0, any_vector(0.5), any_vector(1.0)).prop_map(|(mass, com, d)| Inertia {
        mass,
        com: Point::from(com),
        // two unit masses at ±d, and a sphere, so that the moment about d is not zero
        moment: (Matrix3::from_diagonal_element(d.norm_squared() + 0.1) - d * d.transpose()) * 2.0,
    })
}

fn same(a: impl Into<Vector6<f64>>, b: impl Into<Vector6<f64>>) -> bool {
    (a.into() - b.into()).amax() < 1e-13
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn changes_of_frame_are_invertible_and_keep_power(v in any_motion(), f in any_force(), x in any_pose()) {
        prop_assert!(same(v.transformed(&x).inverse_transformed(&x), v));
        prop_assert!(same(f.transformed(&x).inverse_transformed(&x), f));
        prop_assert!(same(v.transformed(&x.inverse()), v.inverse_transformed(&x)));
        prop_assert!((v.transformed(&x).dot(&f.transformed(&x)) - v.dot(&f)).abs() < 1e-12);
    }

    #[test]
    fn a_transformed_motion_moves_the_same_points(v in any_motion(), x in any_pose(), p in any_vector(1.0)) {
        let velocity = |v: &Motion, p: Vector| v.linear + v.angular.cross(&p);
        let there = velocity(&v.transformed(&x), (x * Point::from(p)).coords);
        prop_assert!((there - x * velocity(&v, p)).amax() < 1e-13);
    }

    #[test]
    fn cross_products_are_rates_of_changes_of_frame(v in any_motion(), m in any_motion(), f in any_force()) {
        let step = 1e-5;
        let [before, after]: [Pose; 2] = [-step, step].map(|h| se3::exp(&(v * h)));
        let rate = (m.transformed(&after) - m.transformed(&before)) * (0.5 / step);
        prop_assert!((Vector6::from(rate) - Vector6::from(v.cross(&m))).amax() < 1e-7);
        let rate = (f.transformed(&after) - f.transformed(&before)) * (0.5 / step);
        prop_assert!((Vector6::from(rate) - Vector6::from(v.cross_force(&f))).amax() < 1e-7);
        prop_assert!((v.cross(&m).dot(&f) + m.dot(&v.cross_force(&f))).abs() < 1e-12);
    }

    #[test]
    fn momentum_and_energy_do_not_depend_on_the_frame(i in any_inertia(), v in any_motion(), x in any_pose()) {
        let there = i.transformed(&x);
        prop_assert!(same(there.momentum(&v.transformed(&x)), i.momentum(&v).transformed(&x)));
        prop_assert!((there.kinetic_energy(&v.transformed(&x)) - i.kinetic_energy(&v)).abs() < 1e-12);
        prop_assert!(same(i.matrix() * Vector6::from(v), i.momentum(&v)));
    }

    #[test]
    fn merged_bodies_move_as_both(a in any_inertia(), b in any_inertia(), v in any_motion()) {
        prop_assert!(same(a.merged(&b).momentum(&v), a.momentum(&v) + b.momentum(&v)));
    }
}
