//! Simulation: integrators against closed forms and order conditions, mechanisms against each other and other programs.

mod conditions;
mod evaluations;
mod events;
mod floating;
mod multibody;
mod oracle;
mod orders;
mod refs;
mod refused;
mod robots;
mod shaken;
mod spec;
mod steps;
mod stops;
mod tables;
mod trees;

use kinworld::sim::Method;

/// All methods.
const METHODS: [Method; 12] = [
    Method::ExplicitEuler,
    Method::ExplicitMidpoint,
    Method::Rk33,
    Method::Rk44,
    Method::Rk67,
    Method::Ode23,
    Method::Dopri5,
    Method::Dop853,
    Method::SemiImplicitEuler,
    Method::VelocityVerlet,
    Method::Trapezoidal,
    Method::GeneralizedAlpha { rho: 0.8 },
];
