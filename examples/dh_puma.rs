//! The Puma 560 from its Denavit-Hartenberg table: poses, holding torques, and the table computed from a URDF.
//!
//! ```sh
//! cargo run --example dh_puma
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use std::f64::consts::FRAC_PI_2;

use kinworld::kinematics::RowOrder;
use kinworld::math::Inertia;
use kinworld::robot::dh::{self, DhParameters, DhRow, DhTable, Standard};
use kinworld::{Point, Robot, State, Vector, dynamics, kinematics};

fn main() -> kinworld::Result<()> {
    // θ is the joint's; d, a and α of Corke's toolbox, masses and centres of mass in the frame of each link
    let link = |(i, (d, a, alpha, mass, com)): (usize, (f64, f64, f64, f64, [f64; 3]))| {
        let parameters = Standard {
            theta: 0.0,
            d,
            a,
            alpha,
        };
        let inertia = Inertia {
            mass,
            com: Point::from(com),
            ..Inertia::zero()
        };
        DhRow::revolute(format!("link{}", i + 1), parameters).with_inertia(inertia)
    };
    let rows = [
        (0.0, 0.0, FRAC_PI_2, 20.0, [0.0; 3]),
        (0.0, 0.4318, 0.0, 17.4, [-0.3638, 0.006, 0.2275]),
        (0.15, 0.0203, -FRAC_PI_2, 4.8, [-0.0203, -0.0141, 0.07]),
        (0.4318, 0.0, FRAC_PI_2, 0.82, [0.0, 0.019, 0.0]),
        (0.0, 0.0, -FRAC_PI_2, 0.34, [0.0; 3]),
        (0.0, 0.0, 0.0, 0.09, [0.0, 0.0, 0.032]),
    ];
    let table = DhTable::new("puma560", rows.into_iter().enumerate().map(link).collect());
    let puma = table.build()?;

    // at zero, the upper arm points along x and the forearm up
    let state = State::new(&puma);
    let hand = puma.link_id("link6")?;
    let tip = state.pose(&puma, hand).translation.vector;
    println!("hand at {:.4?}", tip.data.0[0]);
    assert!((tip - Vector::new(0.4318 + 0.0203, -0.15, 0.4318)).norm() < 1e-15);

    // the frames of the table itself agree
    let frames = table.link_frames(&[0.0; 6])?;
    assert!((frames[5].translation.vector - tip).norm() < 1e-15);

    // torques of gravity, and motor torques against it
    let gravity = Vector::new(0.0, 0.0, -9.81);
    let of_gravity = dynamics::static_torques(&puma, &state, &gravity);
    let holding = dynamics::holding_torque(&puma, &state, &gravity);
    println!("holding torques {holding:.3?} N m");
    let mut sums = of_gravity.iter().zip(&holding).map(|(a, b)| a + b);
    assert!(sums.all(|sum| sum.abs() < 1e-12));
    let lever = [
        (17.4, 0.4318 - 0.3638),
        (4.8, 0.4318),
        (0.82 + 0.34 + 0.09, 0.4318 + 0.0203),
    ];
    let by_hand: f64 = lever.iter().map(|(mass, x)| mass * 9.81 * x).sum();
    assert!((holding[1] - by_hand).abs() < 1e-12);

    // linear rows first, as in robotics toolboxes
    let jacobian =
        kinematics::jacobian_in_order(&puma, &state, hand, &Point::origin(), RowOrder::LinearFirst);
    println!("Jacobian, linear rows first: {jacobian:.4}");

    // the table of an arm that was loaded from a file
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/data/robots/puma560.urdf");
    let loaded = Robot::load(file)?.value;
    let read = dh::standard(&loaded, loaded.link_id("link6")?)?;
    for row in &read.rows {
        if let DhParameters::Standard(Standard { theta, d, a, alpha }) = row.parameters {
            println!("θ {theta:7.4}  d {d:7.4}  a {a:7.4}  α {alpha:7.4}");
        }
    }
    Ok(())
}
