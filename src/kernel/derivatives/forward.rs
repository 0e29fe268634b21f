//! Partials of forward dynamics for one configuration.
//!
//! From `τ = ID(q, q̇, q̈)`, by the implicit function theorem: `∂q̈/∂q = −M⁻¹ ∂τ/∂q`, `∂q̈/∂q̇ = −M⁻¹ ∂τ/∂q̇`,
//! `∂q̈/∂τ = M⁻¹`, at the acceleration that `τ` causes (Carpentier, Mansard 2018, section IV).

use super::external::{add_fixed_axes_correction, subtract_external};
use super::{DerivativeQuery, PackedDerivatives, Partials};
use crate::kernel::pack::accumulate_to_parents;
use crate::kernel::single::NegatedProduct;
use crate::math::linear::{dot, dot_add};
use crate::math::{Level, Simd, Work};

/// Partials of forward dynamics at the generalised forces in `input`.
///
/// A coordinate that moves no inertia divides by zero: check [`PackedDerivatives::effective_inertias`] before the result.
pub(crate) fn forward_dynamics_derivatives(simd: Simd, mut query: DerivativeQuery<'_>) {
    let (tree, n) = (query.tree, query.tree.len());
    if n == 0 {
        return;
    }
    let inverse = &mut query.scratch.mass_inverse;
    inverse.factorize(simd, tree, query.bodies);
    inverse.write(simd, tree, query.out.wrt_input);

    simd.run(NetForces(&mut query));
    let PackedDerivatives {
        mass_inverse, ddq, ..
    } = &mut *query.scratch;
    mass_inverse.solve(tree, &mut ddq[..n]);
    simd.run(ForcePartials(&mut query));
    let Partials {
        wrt_q,
        wrt_v,
        wrt_input,
    } = query.out;
    if n <= NegatedProduct::MOST_ROWS {
        simd.run_quad(NegatedProduct {
            n,
            matrix: wrt_input,
            of: [wrt_q, wrt_v],
        });
        return;
    }
    let inverse = &mut query.scratch.mass_inverse;
    inverse.divide(simd, tree, [wrt_q, wrt_v]);
}

/// The generalised forces minus those that hold the robot at zero acceleration.
struct NetForces<'a, 'b>(&'a mut DerivativeQuery<'b>);

impl Work for NetForces<'_, '_> {
    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let DerivativeQuery {
            tree,
            bodies,
            dq,
            input: tau,
            gravity,
            external,
            scratch,
            ..
        } = self.0;
        let (n, p_w) = (tree.len(), bodies[tree.centre()].origin());
        scratch.set_poses::<N, L>(tree, bodies, p_w);
        scratch.drift::<N, L>(tree, dq);
        let mut ddq = std::mem::take(&mut scratch.ddq);
        ddq[..n].fill(0.0);
        scratch.accelerate::<N, L>(tree, dq, &ddq[..n], *gravity);
        subtract_external(external, p_w, scratch);
        accumulate_to_parents(tree, &mut scratch.forces);
        for i in 0..n {
            let (s, f) = (scratch.axis(i), scratch.force(i));
            ddq[i] = tau[i] - dot_add(s[0], f.moment, dot(s[1], f.force));
        }
        scratch.ddq = ddq;
    }
}

/// Partials of the generalised forces at the acceleration in `ddq`.
struct ForcePartials<'a, 'b>(&'a mut DerivativeQuery<'b>);

impl Work for ForcePartials<'_, '_> {
    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let DerivativeQuery {
            tree,
            bodies,
            dq,
            gravity,
            external,
            scratch,
            out: Partials { wrt_q, wrt_v, .. },
            ..
        } = self.0;
        let (n, p_w) = (tree.len(), bodies[tree.centre()].origin());
        let ddq = std::mem::take(&mut scratch.ddq);
        scratch.accelerate::<N, L>(tree, dq, &ddq[..n], *gravity);
        scratch.ddq = ddq;
        subtract_external(external, p_w, scratch);
        accumulate_to_parents(tree, &mut scratch.forces);
        scratch.multiply::<N, L>(tree);
        scratch.branches.update(tree);
        scratch.partials::<N, L>(tree, wrt_q, wrt_v);
        add_fixed_axes_correction(tree, external, p_w, scratch, wrt_q);
    }
}
