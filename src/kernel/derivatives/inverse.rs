//! The slopes of inverse dynamics for one configuration.

use super::pushes::{keep_axes, take_off};
use super::{Abreast, Push, Slopes};
use crate::kernel::eight::sum_inwards;
use crate::kernel::forward::Frame;
use crate::kernel::tree::Tree;
use crate::math::{Level, Work};

/// How the forces that a motion takes change with it.
///
/// Gravity and pushes keep their size and their axes in the world, and what is pushed stays the same point of the body.
#[derive(Debug)]
pub(crate) struct InverseDerivatives<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) bodies: &'a [Frame<f64>],
    pub(crate) dq: &'a [f64],
    pub(crate) ddq: &'a [f64],
    pub(crate) gravity: [f64; 3],
    pub(crate) pushes: &'a [Push],
    pub(crate) scratch: &'a mut Abreast,
    pub(crate) out: Slopes<'a, f64>,
}

impl Work for InverseDerivatives<'_> {
    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let Self {
            tree, scratch, out, ..
        } = self;
        let Some(centre) = self.bodies.get(tree.centre()) else {
            return;
        };
        let p_w = centre.origin();
        scratch.place::<N, L>(tree, self.bodies, p_w);
        scratch.drift::<N, L>(tree, self.dq);
        scratch.accelerate::<N, L>(tree, self.dq, self.ddq, self.gravity);
        take_off(self.pushes, p_w, scratch);
        sum_inwards(tree, &mut scratch.forces);
        scratch.multiply::<N, L>(tree);
        scratch.branches.find(tree);
        scratch.masses::<N, L>(tree, out.by_input);
        scratch.slopes::<N, L>(tree, out.by_config, out.by_velocity);
        keep_axes(tree, self.pushes, p_w, scratch, out.by_config);
    }
}
