//! Coriolis matrix of one configuration.

use super::PackedDerivatives;
use crate::kernel::forward::Frame;
use crate::kernel::joint_armature::add_ball_coriolis;
use crate::kernel::tree::Tree;
use crate::math::{Level, Work};

/// Half of the derivative of Coriolis forces by velocity: they are quadratic, `c_i = Γ_ijk q̇_j q̇_k` with Christoffel's
/// symbols, so that the half is `Γ_ijk q̇_k`.
#[derive(Debug)]
pub(crate) struct Coriolis<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) bodies: &'a [Frame<f64>],
    pub(crate) dq: &'a [f64],
    pub(crate) scratch: &'a mut PackedDerivatives,
    /// n × n, column after column.
    pub(crate) out: &'a mut [f64],
}

impl Work for Coriolis<'_> {
    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let Self {
            tree, scratch, out, ..
        } = self;
        let Some(centre) = self.bodies.get(tree.centre()) else {
            return;
        };
        scratch.set_poses::<N, L>(tree, self.bodies, centre.origin());
        scratch.drift::<N, L>(tree, self.dq);
        scratch.branches.update(tree);

        // partials by configuration are discarded
        let mut ddq = std::mem::take(&mut scratch.ddq);
        ddq.fill(0.0);
        scratch.accelerate::<N, L>(tree, self.dq, &ddq, [0.0; 3]);
        scratch.multiply::<N, L>(tree);
        let mut unwanted = std::mem::take(&mut scratch.unwanted);
        scratch.partials::<N, L>(tree, &mut unwanted, out);
        (scratch.unwanted, scratch.ddq) = (unwanted, ddq);
        for number in &mut *out {
            *number *= 0.5;
        }
        add_ball_coriolis(tree, self.bodies, self.dq, out);
    }
}
