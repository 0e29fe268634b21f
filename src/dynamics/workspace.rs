//! Memory for the algorithms.

use super::gram::Gram;
use crate::kernel::{Composites, Crba, ExternalWrench, PackedDerivatives, single};
use crate::robot::Robot;

/// The memory that the functions of this room compute in: make one per robot and thread, and use it for every call.
///
/// It carries nothing from one call to the next.
#[derive(Debug, Clone)]
pub struct Workspace {
    pub(super) rnea: single::Rnea,
    pub(super) aba: single::Aba,
    pub(super) mass: single::Crba,
    pub(super) inverse: single::Inverse,
    // of momentum, and of mass matrices too large for `mass`
    pub(super) crba: Crba<f64>,
    pub(super) derivatives: PackedDerivatives,
    pub(super) composites: Composites<f64>,
    // the Jacobian of the first moment
    pub(super) moments: Vec<[f64; 3]>,
    // wrenches on bodies
    pub(super) pushes: Vec<ExternalWrench>,
    // of each body: angular, linear
    pub(super) velocities: Vec<[[f64; 3]; 2]>,
    // the mass matrix (n × n), to take apart
    pub(super) matrix: Vec<f64>,
    // numbers (n) that nobody asked for: what its diagonal was, torques
    pub(super) column: Vec<f64>,
    // zero for each coordinate: its rate or acceleration where there is none
    pub(super) rest: Vec<f64>,
    // of a task: J M⁻¹ (k × n, column-major), J M⁻¹ Jᵀ
    pub(super) solved: Vec<f64>,
    pub(super) gram: Gram,
}

impl Workspace {
    /// Room for a robot of this size, or for a smaller one.
    #[must_use]
    pub fn new(robot: &Robot) -> Self {
        let (tree, n) = (robot.tree(), robot.n_dofs());
        Self {
            rnea: single::Rnea::new(tree),
            aba: single::Aba::new(tree),
            mass: single::Crba::new(tree),
            inverse: single::Inverse::new(tree),
            crba: Crba::new(tree),
            derivatives: PackedDerivatives::new(tree),
            composites: Composites::new(tree),
            moments: vec![[0.0; 3]; n],
            pushes: Vec::new(),
            velocities: vec![[[0.0; 3]; 2]; n],
            matrix: vec![0.0; n * n],
            column: vec![0.0; n],
            rest: vec![0.0; n],
            solved: Vec::new(),
            gram: Gram::default(),
        }
    }
}
