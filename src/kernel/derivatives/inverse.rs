//! The slopes of inverse dynamics for one configuration.

use super::Asked;
use super::pushes::{keep_axes, take_off};
use crate::kernel::eight::sum_inwards;
use crate::math::{Level, Work};

/// How the forces that a motion takes change with it, at the accelerations in `rest`.
#[derive(Debug)]
pub(crate) struct InverseDerivatives<'a>(pub(crate) Asked<'a>);

impl Work for InverseDerivatives<'_> {
    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let Asked {
            tree,
            bodies,
            dq,
            rest: ddq,
            gravity,
            pushes,
            scratch,
            out,
        } = self.0;
        let Some(centre) = bodies.get(tree.centre()) else {
            return;
        };
        let p_w = centre.origin();
        scratch.place::<N, L>(tree, bodies, p_w);
        scratch.drift::<N, L>(tree, dq);
        scratch.accelerate::<N, L>(tree, dq, ddq, gravity);
        take_off(pushes, p_w, scratch);
        sum_inwards(tree, &mut scratch.forces);
        scratch.multiply::<N, L>(tree);
        scratch.branches.find(tree);
        scratch.masses::<N, L>(tree, out.by_input);
        scratch.slopes::<N, L>(tree, out.by_config, out.by_velocity);
        keep_axes(tree, pushes, p_w, scratch, out.by_config);
    }
}
