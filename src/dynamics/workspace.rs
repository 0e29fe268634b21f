//! Scratch memory of the algorithms.

use super::gram::Gram;
use crate::kernel::{Composites, Crba, ExternalWrench, PackedDerivatives, single};
use crate::robot::Robot;

/// Scratch memory of the functions of this module: make one per robot and thread, and pass it to every call.
///
/// No state is kept from one call to the next.
#[derive(Debug, Clone)]
#[doc(alias = "Data")]
#[doc(alias = "mjData")]
pub struct Workspace {
    pub(super) rnea: single::Rnea,
    pub(super) aba: single::Aba,
    pub(super) mass: single::Crba,
    pub(super) inverse: single::Inverse,
    // for momentum, and for mass matrices too large for `mass`
    pub(super) crba: Crba<f64>,
    pub(super) derivatives: PackedDerivatives,
    pub(super) composites: Composites<f64>,
    // the Jacobian of the first moment
    pub(super) moments: Vec<[f64; 3]>,
    // external wrenches on bodies
    pub(super) external: Vec<ExternalWrench>,
    // of each body: angular, linear
    pub(super) velocities: Vec<[[f64; 3]; 2]>,
    // the mass matrix (n × n), factorised in place
    pub(super) matrix: Vec<f64>,
    // intermediate values (n): the diagonal of the mass matrix before factorisation, torques
    pub(super) column: Vec<f64>,
    // a zero per dof, for rates and accelerations that are absent
    pub(super) rest: Vec<f64>,
    // for a task: J M⁻¹ (k × n, column-major), J M⁻¹ Jᵀ
    pub(super) solved: Vec<f64>,
    pub(super) gram: Gram,
}

impl Workspace {
    /// A workspace for a robot of this size, or for a smaller one.
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
            external: Vec::new(),
            velocities: vec![[[0.0; 3]; 2]; n],
            matrix: vec![0.0; n * n],
            column: vec![0.0; n],
            rest: vec![0.0; n],
            solved: Vec::new(),
            gram: Gram::default(),
        }
    }
}
