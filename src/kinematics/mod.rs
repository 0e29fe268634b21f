//! Where a robot is: forward kinematics, Jacobians, centre of mass, metric. Floor 3.

/// A configuration, a velocity and the poses that follow from it.
#[derive(Debug, Clone)]
pub struct State {
    q: Vec<f64>,
}

impl State {
    /// The configuration (n), rad or m.
    #[must_use]
    pub fn config(&self) -> &[f64] {
        &self.q
    }
}
