//! Integrators: explicit and implicit methods over slices, with steps of one length or chosen by their error.

mod control;
mod explicit;
mod lu;
mod method;
mod newmark;
mod ode;
mod run;
mod split;
mod stepper;
mod tableau;
mod watch;

pub use method::{Method, Steps, Tolerance};
pub use ode::{FirstOrder, ImplicitEnd, ImplicitStep, Ode, SecondOrder, first_order, second_order};
pub use run::{Integrator, Outcome, Phase, Step, Stop};
pub use tableau::Tableau;
pub use watch::{Crossing, Reply, Watch};
