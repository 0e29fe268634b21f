//! Energy error of several integrators for a double pendulum that rotates full circles.
//!
//! ```sh
//! cargo run --release --example double_pendulum
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use kinworld::math::Inertia;
use kinworld::robot::{LinkMotion, LinkSpec};
use kinworld::sim::{Evaluation, Integrator, KinematicTree, Mechanism, Method, Steps};
use kinworld::{Point, Pose, RobotBuilder, Vector};

fn main() -> kinworld::Result<()> {
    // two weights of 1 kg, each at the end of a rod of 1 m
    let mut robot = RobotBuilder::new("double pendulum");
    let mut last = None;
    for name in ["upper", "lower"] {
        let mut rod = LinkSpec::new(name, last, LinkMotion::Revolute(Vector::y()));
        rod.inertia = Inertia {
            mass: 1.0,
            com: Point::new(1.0, 0.0, 0.0),
            ..Inertia::zero()
        };
        if last.is_some() {
            rod.placement = Pose::translation(1.0, 0.0, 0.0);
        }
        last = Some(robot.add_link(rod));
    }
    let mut tree = KinematicTree::new(robot.build()?);
    tree.forces.gravity = Vector::new(0.0, 0.0, -9.81);

    println!("energy after 10 s, by steps of 1 ms:");
    for (method, allowed) in [
        (Method::ExplicitEuler, 50.0),
        (Method::SemiImplicitEuler, 2.0),
        (Method::VelocityVerlet, 0.1),
        (Method::Trapezoidal, 0.1),
        (Method::Rk44, 1e-4),
        (Method::Rk67, 1e-8),
        (Method::Dop853, 1e-8),
    ] {
        // both rods horizontal, at rest
        let mut state = tree.initial_state(0.0, &[0.0, 0.0], &[0.0, 0.0])?;
        let mut integrator = Integrator::new(method, Steps::Length(1e-3))?;
        integrator.run(&mut tree, &mut state, 10.0, &mut ())?;

        // the initial energy is zero
        let energy = tree.at(state.t, &state.y)?.energy().total();
        println!("  {energy:+.1e} J  {method:?}");
        assert!(energy.abs() < allowed);
    }
    Ok(())
}
