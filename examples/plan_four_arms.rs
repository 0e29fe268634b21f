//! Plans for four arms around one place, one after the other: two leave it, and two come there as soon as they can.
//!
//! ```sh
//! cargo run --example plan_four_arms
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use std::f64::consts::FRAC_PI_2;

use kinworld::planning::{
    MotionLimits, PrioritizedOptions, RobotCSpace, Separation, plan_prioritized,
};
use kinworld::robot::RobotBuilder;
use kinworld::{Pose, Robot, Vector, WorldModel};

fn main() -> kinworld::Result<()> {
    // in the middle of each side of a square, facing its centre
    let arm = Robot::load("data/robots/arm6.urdf")?.value;
    let mut world = WorldModel::new();
    let mut ids = Vec::new();
    for i in 0..4 {
        let angle = FRAC_PI_2 * f64::from(i);
        let at = Vector::new(-angle.cos(), -angle.sin(), 0.0) * 0.75;
        let mut builder = RobotBuilder::from(&arm);
        let root = &mut builder.links[0];
        root.placement = Pose::new(at, Vector::z() * angle) * root.placement;
        ids.push(world.add_robot(builder.build()?));
    }
    let space = RobotCSpace::new(&world, &ids)?.with_sphere_prefilter(8)?;

    // the first and the third reach over the centre at first, the others at last
    let (upright, bent) = ([0.0; 6], [0.3, 0.9, -0.3, 0.0, 0.4, 0.0]);
    let start = [bent, upright, bent, upright].concat();
    let goal = [upright, bent, upright, bent].concat();
    let one = MotionLimits::of(&arm).with_acceleration(&[5.0; 6])?;
    let limits = MotionLimits::joined(&vec![one; 4]);

    for (name, separation) in [
        ("on one clock", Separation::Timed),
        (
            "without a clock",
            Separation::SweptVolumes { spacing: 0.01 },
        ),
    ] {
        let options = PrioritizedOptions::default()
            .with_separation(separation)
            .with_joint(None);
        let found = plan_prioritized(&space, &start, &goal, &limits, &options, |_| true)?;
        let Some(motion) = found.motion else {
            println!("{name}: no order works; {}", found.failed[0].reason);
            continue;
        };
        println!("{name}: all have arrived after {:.2} s", motion.duration());
        for id in found.order {
            let i = ids.iter().position(|other| *other == id);
            println!(
                "  arm {}: arrives after {:.2} s, waits {:.2?}",
                i.map_or(0, |i| i + 1),
                motion.arrival(id).unwrap_or_default(),
                motion.waits(id)
            );
        }
        assert_eq!(motion.check(&limits)?, None);
        assert_eq!(space.joint_motion_collision(&motion)?, None);
    }
    Ok(())
}
