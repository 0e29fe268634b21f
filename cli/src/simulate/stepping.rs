//! Choice of the integrator, and warnings of steps that are too long.

use kinworld::Diagnostic;
use kinworld::sim::{Integrator, IntegratorState, Method, Ode, Steps, Tolerance};

use super::setup::{self, Setup, TOLERANCE};
use crate::request::Refusal;

/// Integrator of a setup, with a warning where its steps are unstable.
///
/// Without a method and a step it is the default, unless that would be unstable here: then an adaptive one.
pub(super) fn integrator(
    setup: &Setup,
    ode: &mut impl Ode,
    state: &IntegratorState,
) -> Result<(Integrator, Option<Diagnostic>), Refusal> {
    let (method, steps) = setup.method()?;
    let chosen = Integrator::new(method, steps)?;
    let Steps::Length(h) = steps else {
        return Ok((chosen, None));
    };

    // an equation that has no rates here says why when it runs
    let Ok(Some(stability)) = chosen.stability(ode, state, h) else {
        return Ok((chosen, None));
    };
    if !stability.is_unstable() {
        return Ok((chosen, None));
    }
    if setup.method.is_none() && setup.step.is_none() {
        let steps = Steps::Adaptive(Tolerance::new(TOLERANCE, TOLERANCE));
        return Ok((Integrator::new(Method::Dopri5, steps)?, None));
    }
    let warning = format!(
        "step {} ms × fastest mode {:.3e} 1/s ({}) = {:.2}: unstable with {}; try --method dopri5 or --step {}",
        1e3 * h,
        stability.fastest,
        stability.label,
        h * stability.fastest,
        setup::name(method),
        stability.longest_step,
    );
    Ok((chosen, Some(Diagnostic::warning(warning))))
}
