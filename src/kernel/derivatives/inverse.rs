//! Partials of inverse dynamics for one configuration.

use super::DerivativeQuery;
use super::external::{add_fixed_axes_correction, subtract_external};
use crate::kernel::joint_armature::add_ball_partials;
use crate::kernel::pack::accumulate_to_parents;
use crate::math::{Level, Work};

/// Partials of inverse dynamics at the accelerations in `input`.
#[derive(Debug)]
pub(crate) struct InverseDerivatives<'a>(pub(crate) DerivativeQuery<'a>);

impl Work for InverseDerivatives<'_> {
    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let DerivativeQuery {
            tree,
            bodies,
            dq,
            input: ddq,
            gravity,
            external,
            scratch,
            mut out,
        } = self.0;
        let Some(centre) = bodies.get(tree.centre()) else {
            return;
        };
        let p_w = centre.origin();
        scratch.set_poses::<N, L>(tree, bodies, p_w);
        scratch.drift::<N, L>(tree, dq);
        scratch.accelerate::<N, L>(tree, dq, ddq, gravity);
        subtract_external(external, p_w, scratch);
        accumulate_to_parents(tree, &mut scratch.forces);
        scratch.multiply::<N, L>(tree);
        scratch.branches.update(tree);
        scratch.mass_matrix::<N, L>(tree, out.wrt_input);
        scratch.partials::<N, L>(tree, out.wrt_q, out.wrt_v);
        add_fixed_axes_correction(tree, external, p_w, scratch, out.wrt_q);
        add_ball_partials(tree, bodies, [dq, ddq], &mut out);
    }
}
