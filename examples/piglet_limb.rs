//! Joint wrenches of a piglet's leg, in the frames of the world and of each segment.
//!
//! Mielke (2020), "The N-segment piglet limb": three segments that rotate at constant rates, without gravity. The
//! fictitious wrenches depend on the observer, the joint wrench does not.
//!
//! ```sh
//! cargo run --example piglet_limb
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use kinworld::robot::JointKind;
use kinworld::wrench::{self, AppliedWrench, FrameId, Frames, Segment, Site};
use kinworld::{LinkId, Point, State, Vector};

const NAMES: [&str; 3] = ["humerus", "radius", "metacarpus"];
const LENGTHS: [f64; 3] = [0.8, 0.6, 0.4]; // m
const MASSES: [f64; 3] = [0.7, 0.5, 0.3]; // kg
const RATES: [f64; 3] = [1.0, 2.0, 4.0]; // rad/s

fn main() -> kinworld::Result<()> {
    let segments = [0, 1, 2].map(|i| Segment::new(NAMES[i], LENGTHS[i], MASSES[i]));
    let limb = wrench::limb("piglet", JointKind::Normal, &segments)?;
    let last = LinkId::new(2);

    // observers: the world at the shoulder, and each segment at its lower end
    let lower_end = |i: usize| Site::on_link(LinkId::new(i), Point::new(0.0, LENGTHS[i], 0.0));
    let observers = [Site::WORLD, lower_end(0), lower_end(1), lower_end(2)];

    let mut state = State::new(&limb);
    for t in [0.0, 0.5, 1.0] {
        println!("after {t} s\n");
        state.set_config(&limb, &RATES.map(|rate| rate * t))?;
        state.set_velocity(&limb, &RATES)?;
        let frames = Frames::new(&limb, &state, &[0.0; 3])?;

        for observer in &observers {
            let balance = wrench::balance(&frames, last, observer, &Vector::zeros(), &[])?;
            println!("{}", wrench::table(&limb, &[balance]));

            // in the axes of the segment, the values that the notebook prints, for each observer
            let joint = balance.joint.expressed(FrameId::Link(last), &frames)?;
            let (s, c) = (|k: f64| (k * t).sin(), |k: f64| (k * t).cos());
            let printed = [
                0.0,
                0.0,
                81.0 * s(4.0) / 250.0 + 6.0 * s(6.0) / 125.0,
                -81.0 * s(4.0) / 50.0 - 6.0 * s(6.0) / 25.0,
                -81.0 * c(4.0) / 50.0 - 6.0 * c(6.0) / 25.0 - 147.0 / 50.0,
                0.0,
            ];
            for (ours, printed) in <[f64; 6]>::from(joint.wrench).iter().zip(printed) {
                assert!((ours - printed).abs() < 1e-12);
            }
        }
    }

    // at rest on the ground: an external force of 20 N acts upwards at the tip, and the shoulder bears the rest of the weight
    state.set_config(&limb, &[0.0, -0.4, 0.8])?;
    state.set_velocity(&limb, &[0.0; 3])?;
    let frames = Frames::new(&limb, &state, &[0.0; 3])?;
    let gravity = Vector::new(0.0, 9.81, 0.0); // the limb hangs along +y
    let force = Vector::new(0.0, -20.0, 0.0);
    let contact = AppliedWrench::pure_force(force, lower_end(2), FrameId::World);
    let all = wrench::chain(&frames, &Site::WORLD, &gravity, &[(last, contact)])?;
    println!("on the ground\n\n{}", wrench::table(&limb, &all));
    let weight: f64 = MASSES.iter().sum::<f64>() * 9.81;
    assert!((all[0].joint.wrench.force.y - (20.0 - weight)).abs() < 1e-12);
    Ok(())
}
