//! Choice of the integrator, and warnings of steps that are too long.

use kinworld::Diagnostic;
use kinworld::sim::{Integrator, IntegratorState, Method, Ode, Stability, Steps, Tolerance};

use super::setup::{self, Setup, TOLERANCE};
use crate::request::Refusal;

/// Integrator of a setup, with a warning where its steps are unstable.
///
/// Without a method and a step it is the default, unless that would be unstable here: then an adaptive one. What that could not
/// finish is refused.
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
        let needed = stability.fastest * setup.duration.unwrap_or(1.0);
        if needed > MOST_STEPS {
            let Stability { fastest, label, .. } = stability;
            let problem = format!(
                "the fastest mode, {fastest:.1e} 1/s ({label}), needs about {needed:.0e} steps"
            );
            let advice = "what moves there has almost no inertia: give it mass and moments, or name --method or --step";
            return Err(Refusal(format!("{problem}; {advice}")));
        }
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

/// Number of steps that the default method may need; a humanoid with stiff friction needs 10⁵ a second.
const MOST_STEPS: f64 = 1e8;
