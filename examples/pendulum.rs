//! A beam falls about its end, and a body moves freely in the plane: the small examples of Exudyn's manual.
//!
//! ```sh
//! cargo run --example pendulum
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use std::f64::consts::PI;

use kinworld::math::Inertia;
use kinworld::robot::{LinkMotion, LinkSpec};
use kinworld::sim::{Integrator, KinematicTree, Method, PlanarBody, Steps};
use kinworld::{Point, Pose, RobotBuilder, Vector};
use nalgebra::Matrix3;

fn main() -> kinworld::Result<()> {
    // a beam of 1 m × 0.1 m × 0.1 m and 10 kg, horizontal, at rest
    let (mass, along, across) = (10.0, 1.0_f64, 0.1_f64);
    let about = |a: f64, b: f64| mass * (a * a + b * b) / 12.0;
    let mut beam = LinkSpec::new("beam", None, LinkMotion::Revolute(Vector::z()));
    beam.inertia = Inertia {
        mass,
        com: Point::new(0.5 * along, 0.0, 0.0),
        moment: Matrix3::from_diagonal(&Vector::new(
            about(across, across),
            about(along, across),
            about(along, across),
        )),
    };
    let mut robot = RobotBuilder::new("pendulum");
    robot.add_link(beam);
    let mut tree = KinematicTree::new(robot.build()?).with_base(Pose::translation(0.5, 0.0, 0.0));
    tree.forces.gravity = Vector::new(0.0, -9.81, 0.0);

    let mut state = tree.initial_state(0.0, &[0.0], &[0.0])?;
    let mut integrator = Integrator::new(Method::Rk67, Steps::Count(1000))?;
    integrator.run(&mut tree, &mut state, 1.0, &mut ())?;
    let angle = tree.config(&state.y)[0];
    println!("the beam after 1 s: {angle} rad");
    assert!((angle + 3.134_018_551_808_586).abs() < 1e-13);

    // a disc that translates at 0.5 m/s and rotates at 3/4 π rad/s
    let mut disc = PlanarBody::new(1.0, 2.0, [0.0, 0.0])?;
    let mut state = disc.initial_state(0.0, [1.5, 1.0, 0.25 * PI], [0.5, 0.0, 0.75 * PI]);
    integrator.run(&mut disc, &mut state, 1.0, &mut ())?;
    println!(
        "the disc after 1 s: x = {} m, θ = {} rad",
        state.y[0], state.y[2]
    );
    assert!((state.y[0] - 2.0).abs() < 1e-12 && (state.y[2] - PI).abs() < 1e-12);
    Ok(())
}
