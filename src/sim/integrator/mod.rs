//! Integrators of ordinary differential equations: explicit and implicit methods with fixed or adaptive steps.

mod control;
mod explicit;
mod lu;
mod method;
mod newmark;
mod observer;
mod ode;
mod run;
mod split;
mod stability;
mod step;
mod stepper;
mod tableau;

pub use method::{Method, Steps, Tolerance};
pub use observer::{Action, EventDirection, Observer};
pub use ode::{FirstOrder, ImplicitEnd, ImplicitStep, Ode, SecondOrder, first_order, second_order};
pub use run::{Integrator, IntegratorState, Outcome, Termination};
pub use stability::Stability;
pub use step::Step;
pub use tableau::Tableau;
