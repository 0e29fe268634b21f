//! Inverse kinematics.

#[cfg(feature = "opw")]
mod analytic;
mod arms;
mod closest;
mod objectives;
mod paths;
mod refs;
mod refused;
mod searches;
mod unreachable;

use kinworld::Robot;
use kinworld::kinematics::{self, State};

/// Random numbers independent of the library.
struct Lcg(u64);

impl Lcg {
    fn unit(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A random state within limits; the same for the same seed.
fn somewhere(robot: &Robot, seed: u64) -> State {
    let mut state = State::new(robot);
    let q = kinematics::sample(robot, seed, 1.0);
    state
        .set_config(robot, &q)
        .expect("a configuration within the limits");
    state
}

fn config(robot: &Robot, q: &[f64]) -> State {
    let mut state = State::new(robot);
    state.set_config(robot, q).expect("a configuration");
    state
}
