//! Position and Jacobian of the tip of an arm, and one step of inverse kinematics: the worked example of Klampt's manual.
//!
//! ```sh
//! cargo run --example move_arm
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_4};

use kinworld::{Point, Vector, WorldModel};
use nalgebra::Matrix3;

fn main() -> kinworld::Result<()> {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    let mut world = WorldModel::load(format!("{data}/robots/planar3R.rob"))?.value;
    let mut arm = world.robot_mut("planar3R")?;
    let p = Point::new(1.0, 0.0, 0.0); // the tip, in the frame of the last link

    // the first link is horizontal, the second at 45°, the last vertical
    arm.set_config(&[0.0, FRAC_PI_4, FRAC_PI_4])?;
    let tip = arm.link("link2")?;
    let (p_w, jacobian) = (tip.world_position(&p), tip.position_jacobian(&p));
    println!("tip at {:.4?}", p_w.coords.data.0[0]);
    println!("position Jacobian: {jacobian:.4}");
    let h = FRAC_1_SQRT_2;
    assert!((p_w - Point::new(1.0 + h, 0.0, 1.0 + h)).norm() < 1e-15);
    let expected = Matrix3::new(
        -(1.0 + h),
        -(1.0 + h),
        -1.0, //
        0.0,
        0.0,
        0.0, //
        1.0 + h,
        h,
        0.0,
    );
    assert!((jacobian.clone() - expected).amax() < 1e-15);

    // one step of a millimetre up, with the least-norm joint motion: dq = J⁺ · dx
    let lift = Vector::new(0.0, 0.0, 0.001);
    let inverse = jacobian
        .pseudo_inverse(1e-9)
        .expect("the threshold is positive");
    let dq = inverse * lift;
    let q: Vec<f64> = arm
        .view()
        .config()
        .iter()
        .zip(&dq)
        .map(|(q, dq)| q + dq)
        .collect();
    arm.set_config(&q)?;
    let lifted = arm.link("link2")?.world_position(&p);
    println!("one step later at {:.4?}", lifted.coords.data.0[0]);
    // the Jacobian is exact to first order, so the error is of second order
    let error = (lifted - (p_w + lift)).norm();
    assert!(error > 0.0 && error < 1e-6);
    Ok(())
}
