//! Analytical derivatives of inverse and forward dynamics, of the mass matrix and of point motions.
//!
//! Carpentier, Mansard (2018): analytical derivatives of rigid body dynamics algorithms; in the closed form of Singh,
//! Russell, Wensing (2022): efficient analytical derivatives of rigid-body dynamics using spatial vector algebra.
//! O(n d), d the depth of the tree: coordinates on different branches do not interact.
//!
//! Everything is in one common frame: world axes, about a point that moves with the robot, so that descendants of a
//! body only add. For coordinates `j` and `i`, where `i` is `j` or lies beyond it, and every sum of body `i`
//! includes its descendants (`C` in the papers):
//!
//! ```text
//! ∂τ_j/∂q_i = S_jᵀ (2 B_i Ψ̇_i + I_i Ψ̈_i + S_i ×* f_i)      ∂τ_i/∂q_j = S_iᵀ (2 B_i Ψ̇_j + I_i Ψ̈_j)
//! ∂τ_j/∂q̇_i = S_jᵀ (2 B_i S_i + 2 I_i Ψ̇_i)                 ∂τ_i/∂q̇_j = S_iᵀ (2 B_i S_j + 2 I_i Ψ̇_j)
//! ∂τ_j/∂q̈_i = S_jᵀ I_i S_i                                  ∂τ_i/∂q̈_j = the same: M
//! ```
//!
//! | here | Singh et al. | |
//! |---|---|---|
//! | `s` | `Φ_i` | Featherstone's `S_i` |
//! | `v`, `a` | `v_i`, `a_i` | *spatial* accelerations; the world accelerates upwards, `a_0 = −a_g` |
//! | `s_dot` | `Ψ̇_i` | `v_λ × S_i`, the same as `v_i × S_i` because `S_i × S_i = 0` |
//! | `s_ddot` | `Ψ̈_i` | `a_λ × S_i + v_λ × Ψ̇_i`, the same with `a_i` and `v_i` |
//! | [`RigidInertia`](super::spatial::RigidInertia) | `I_i^C` | ten numbers |
//! | [`Drift`](terms::Drift) | `2 B_i^C` | twelve numbers: six of a momentum and a symmetric 3 × 3, instead of 36 |
//! | `force` | `f_i^C` | the wrench that the joint transmits, external wrenches subtracted |
//!
//! `B = ½ (v ×* I − I v× + (I v) ×̄*)`: its linear column is zero, since `v ×* I x + x ×* I v − I (v × x)` vanishes for
//! an `x` that only translates (Jacobi's identity).

mod branches;
mod composites;
mod coriolis;
mod external;
mod forward;
mod generic;
mod inverse;
mod layout;
mod matrices;
#[cfg(test)]
mod more_tests;
mod motion;
mod packed;
mod terms;
#[cfg(test)]
mod tests;

pub(crate) use composites::Composites;
pub(crate) use coriolis::Coriolis;
pub(crate) use external::ExternalWrench;
pub(crate) use forward::forward_dynamics_derivatives;
pub(crate) use generic::{Derivatives, aba_derivatives, rnea_derivatives};
pub(crate) use inverse::InverseDerivatives;
pub(crate) use motion::{PointPartials, point_derivatives};
pub(crate) use packed::PackedDerivatives;

use super::forward::Frame;
use super::tree::Tree;

/// A motion of one configuration to differentiate at.
///
/// Gravity and external wrenches are constant in world axes, and the point of application is fixed to the body.
#[derive(Debug)]
pub(crate) struct DerivativeQuery<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) bodies: &'a [Frame<f64>],
    pub(crate) dq: &'a [f64],
    /// Accelerations, or generalised forces.
    pub(crate) input: &'a [f64],
    pub(crate) gravity: [f64; 3],
    pub(crate) external: &'a [ExternalWrench],
    pub(crate) scratch: &'a mut PackedDerivatives,
    pub(crate) out: Partials<'a, f64>,
}

/// Three n × n matrices for results, column after column; a column per coordinate of differentiation.
#[derive(Debug)]
pub(crate) struct Partials<'a, T> {
    pub(crate) wrt_q: &'a mut [T],
    pub(crate) wrt_v: &'a mut [T],
    /// By the accelerations for inverse dynamics, by the generalised forces for forward dynamics.
    pub(crate) wrt_input: &'a mut [T],
}
