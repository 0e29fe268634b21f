//! Ranges of axes, and their ticks.

/// Range of values, never empty.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    least: f64,
    span: f64,
}

impl Range {
    pub(super) fn of(values: impl Iterator<Item = f64>) -> Self {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite()) {
            (least, most) = (least.min(value), most.max(value));
        }
        if least > most {
            return Self {
                least: 0.0,
                span: 1.0,
            };
        }
        let span = most - least;
        let smallest = 1e-9 * least.abs().max(most.abs()).max(1e-3);
        if span.is_finite() && span > smallest {
            return Self { least, span };
        }
        let least = least.clamp(-1e300, 1e300);
        Self {
            least: least - 0.5 * smallest.max(1.0),
            span: smallest.max(1.0).max(span.min(1e300)),
        }
    }

    /// Relative position of a value in the range, 0 to 1.
    pub(super) fn part(self, value: f64) -> f64 {
        (value - self.least) / self.span
    }

    /// Round values in the range: about six, in steps of 1, 2 or 5 times a power of ten.
    pub(super) fn ticks(self) -> impl Iterator<Item = f64> {
        let rough = self.span / 6.0;
        let power = 10.0_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|k| k * power)
            .into_iter()
            .find(|step| *step >= rough)
            .unwrap_or(rough);
        let (first, last) = (
            (self.least / step).ceil(),
            ((self.least + self.span) / step + 1e-9).floor(),
        );
        let count = (last - first).clamp(0.0, 20.0) as u32;
        (0..=count).map(move |k| (first + f64::from(k)) * step)
    }
}

/// Label of a tick, without trailing zeros.
pub(super) fn label(x: f64) -> String {
    let text = if x == 0.0 || (1e-3..1e5).contains(&x.abs()) {
        format!("{x:.6}")
    } else {
        return format!("{x:.2e}");
    };
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}
