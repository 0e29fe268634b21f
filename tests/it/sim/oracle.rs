//! Comparison with the crate `differential-equations` on the motion of an arm.

use std::cell::RefCell;

use differential_equations::prelude::{ExplicitRungeKutta, IVP};
use kinworld::Vector;
use kinworld::sim::{KinematicTree, Method, Ode, Steps, Tolerance};

use super::robots::load;
use super::spec::run;
use crate::common::numbers::assert_close;

const Q: [f64; 6] = [0.3, -0.4, 0.8, 0.2, 1.0, -0.3];
const V: [f64; 6] = [0.1, 0.2, -0.1, 0.3, 0.0, 0.2];
const END: f64 = 1.5;

/// Arm that falls.
fn arm() -> KinematicTree {
    let mut tree = KinematicTree::new(load("arm6.urdf"));
    tree.forces.gravity = Vector::new(0.3, -0.5, -9.6);
    tree
}

/// End state by their method.
macro_rules! theirs {
    ($method:expr) => {{
        let tree = RefCell::new(arm());
        let rates = |t: f64, y: &Vec<f64>, dy: &mut Vec<f64>| {
            dy.resize(y.len(), 0.0);
            tree.borrow_mut().rates(t, y, dy).expect("finite rates");
        };
        let start = [Q, V].concat();
        let solution = IVP::ode_from_fn(rates, 0.0, END, start)
            .method($method)
            .solve();
        let Ok(solution) = solution else {
            panic!("their method ends early")
        };
        assert!((solution.t.last().expect("an end") - END).abs() < 1e-12);
        solution.y.last().expect("an end").clone()
    }};
}

/// End state by ours.
fn ours(method: Method, steps: Steps) -> Vec<f64> {
    run(&mut arm(), [&Q, &V], END, method, steps).concat()
}

fn tight() -> Steps {
    Steps::Adaptive(Tolerance::new(1e-12, 1e-13))
}

/// Tolerance of fixed steps. Their times are sums of 300 steps, ours are products: rounding differs by about 1e-16 a step, and the
/// fall of the arm over 1.5 s amplifies it by some 1e4, more or less as the compiler orders the sums. An error of method or
/// step, such as one step too few, is above 1e-6.
const ROUNDING: f64 = 1e-9;

#[test]
fn fixed_steps_equal_those_of_another_library() {
    let h = END / 300.0;
    let count = || Steps::Count(300);
    assert_close(
        "RK44",
        &ours(Method::Rk44, count()),
        &theirs!(ExplicitRungeKutta::rk4(h)),
        ROUNDING,
    );
    assert_close(
        "midpoint",
        &ours(Method::ExplicitMidpoint, count()),
        &theirs!(ExplicitRungeKutta::midpoint(h)),
        ROUNDING,
    );
    assert_close(
        "Euler",
        &ours(Method::ExplicitEuler, count()),
        &theirs!(ExplicitRungeKutta::euler(h)),
        ROUNDING,
    );
}

#[test]
fn adaptive_steps_end_as_those_of_another_library() {
    let other = theirs!(ExplicitRungeKutta::dop853().rtol(1e-12).atol(1e-13));
    for method in [Method::Dop853, Method::Dopri5] {
        assert_close(format!("{method:?}"), &ours(method, tight()), &other, 1e-9);
    }
    let many = Steps::Count(2000);
    assert_close("RK67", &ours(Method::Rk67, many), &other, 1e-9);
    let fifth = theirs!(ExplicitRungeKutta::dopri5().rtol(1e-11).atol(1e-12));
    assert_close("their DOPRI5", &ours(Method::Dop853, tight()), &fifth, 1e-8);
}
