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
    let limit = step_limit(setup);
    let chosen = Integrator::new(method, steps)?.with_step_limit(limit);
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
                "the fastest mode, about {fastest:.0e} 1/s ({label}), needs {needed:.0e} steps"
            );
            let advice = "what moves there has almost no inertia: give it mass and moments, or name --method or --step";
            return Err(Refusal(format!("{problem}; {advice}")));
        }
        let steps = Steps::Adaptive(Tolerance::new(TOLERANCE, TOLERANCE));
        let adaptive = Integrator::new(Method::Dopri5, steps)?;
        return Ok((adaptive.with_step_limit(limit), None));
    }
    let warning = format!(
        "step {} ms × fastest mode {:.3e} 1/s ({}) = {:.2}: unstable with {}; try --method dopri5 or --step {}",
        1e3 * h,
        stability.fastest,
        stability.label,
        h * stability.fastest,
        setup::name(method),
        short(stability.longest_step),
    );
    Ok((chosen, Some(Diagnostic::warning(warning))))
}

/// Message for a run that has used up its steps.
pub(super) fn used_up(steps: usize, t: f64, y: &[f64]) -> String {
    let largest = y.iter().fold(0.0_f64, |max, x| max.max(x.abs()));
    format!(
        "stopped at {t:.6} s: {steps} steps did not reach the end, values are up to {largest:.1e}; where the motion does not \
         diverge, a looser --tolerance, an implicit method such as trapezoidal, or a larger `step_limit` of the setup helps"
    )
}

/// Largest number of steps: of the setup; else of adaptive runs alone, which shorten their steps without end.
fn step_limit(setup: &Setup) -> usize {
    let adaptive = STEPS_PER_SECOND * setup.duration.unwrap_or(1.0).max(1.0);
    match (setup.step_limit, setup.step) {
        (Some(limit), _) => limit,
        (None, Some(_)) => usize::MAX,
        (None, None) => adaptive as usize,
    }
}

/// A length of steps without a row of zeros.
fn short(step: f64) -> String {
    match step {
        0.0..1e-5 => format!("{step:e}"),
        _ => step.to_string(),
    }
}

/// Number of adaptive steps in a second of simulated time that a run may need; a humanoid with stiff friction needs 10⁵.
const STEPS_PER_SECOND: f64 = 1e7;
/// Number of steps that the default method may need.
const MOST_STEPS: f64 = 1e8;
