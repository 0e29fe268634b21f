//! Inverse kinematics.

mod analytic;
mod arms;
mod barriers;
mod closest;
mod objectives;
mod paths;
mod priorities;
mod refused;
mod searches;
mod towards;
mod unreachable;

use crate::common::states::{config, somewhere};

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
