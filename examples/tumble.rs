//! A free body that rotates about its intermediate axis tumbles through every orientation: comparison with the solution
//! in elliptic functions (Landau and Lifshitz, Mechanics, § 37).
//!
//! ```sh
//! cargo run --example tumble
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use kinworld::math::Inertia;
use kinworld::robot::JointKind;
use kinworld::sim::{Evaluation, Integrator, KinematicTree, Mechanism, Method, Quantity, Steps};
use kinworld::{Point, Pose, RobotBuilder, Vector};
use nalgebra::Matrix3;

fn main() -> kinworld::Result<()> {
    // principal moments in rising order, and a motion that passes close to the intermediate axis
    let [a, b, c] = [0.3_f64, 0.5, 0.7];
    let start = Vector::new(5.0, 0.0, 5.0 * (3.0_f64 / 7.0).sqrt() * 1.0005);

    let mut robot = RobotBuilder::new("racket");
    let body = robot.add_virtual_chain(JointKind::Floating, "racket", None, &Pose::identity())?;
    robot.links[body.index()].inertia = Inertia {
        mass: 1.0,
        com: Point::origin(),
        moment: Matrix3::from_diagonal(&Vector::new(a, b, c)),
    };
    let mut tree = KinematicTree::new(robot.build()?);

    // at zero angles the rates of yaw, pitch and roll are the angular velocities about z, y and x
    let rates = [0.0, 0.0, 0.0, start.z, start.y, start.x];
    let mut state = tree.initial_state(0.0, &[0.0; 6], &rates)?;
    let mut integrator = Integrator::new(Method::Dop853, Steps::Length(2e-3))?;

    let energy = a * start.x.powi(2) + c * start.z.powi(2);
    let momentum = (a * start.x).powi(2) + (c * start.z).powi(2);
    let (short, long) = (energy * c - momentum, momentum - energy * a);
    let pace = ((c - b) * long / (a * b * c)).sqrt();
    let k = ((b - a) * short / ((c - b) * long)).sqrt();
    println!("   t   about the middle axis   elliptic functions   ");
    for second in 1..=10 {
        let t = f64::from(second);
        integrator.run(&mut tree, &mut state, t, &mut ())?;
        let motion = tree.at(t, &state.y)?.point_motion(body, &Point::origin())?;
        let mut w = Vec::new();
        Quantity::AngularVelocityLocal.measure(&motion, &mut w);

        let [sn, cn, dn] = elliptic(pace * t, k);
        let expected = Vector::new(
            (short / (a * (c - a))).sqrt() * cn,
            (short / (b * (c - b))).sqrt() * sn,
            (long / (c * (c - a))).sqrt() * dn,
        );
        println!("{t:4} {:+22.12} {:+22.12}", w[1], expected.y);
        assert!((Vector::from_column_slice(&w) - expected).norm() < 1e-6);
    }
    Ok(())
}

/// Jacobi's sn, cn and dn of modulus `k`, by arithmetic-geometric means (Abramowitz and Stegun, 16.4).
fn elliptic(u: f64, k: f64) -> [f64; 3] {
    let mut means = vec![(1.0, (1.0 - k * k).sqrt(), k)];
    while let Some(&(a, b, c)) = means.last() {
        if c.abs() < 1e-16 || means.len() > 20 {
            break;
        }
        means.push((0.5 * (a + b), f64::sqrt(a * b), 0.5 * (a - b)));
    }
    let last = means.len() - 1;
    let mut phi = f64::powi(2.0, last as i32) * means[last].0 * u;
    for &(a, _, c) in means[1..].iter().rev() {
        phi = 0.5 * (phi + (c / a * phi.sin()).asin());
    }
    let sn = phi.sin();
    [sn, phi.cos(), (1.0 - (k * sn).powi(2)).sqrt()]
}
