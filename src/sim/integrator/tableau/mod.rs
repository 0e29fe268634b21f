//! Butcher tableaus of explicit Runge–Kutta methods.

mod dop853;

pub(super) use dop853::{DOP853, INTERPOLANT, MORE_A, MORE_C};

/// Butcher tableau of an explicit method: `k_i = f(t + c_i h, y + h Σ a_ij k_j)`, then `y + h Σ b_i k_i`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tableau {
    pub(super) order: u32,
    pub(super) a: &'static [&'static [f64]],
    pub(super) b: &'static [f64],
    pub(super) c: &'static [f64],
    pub(super) estimate: Option<Estimate>,
    pub(super) dense: Dense,
}

/// Error estimate of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Estimate {
    /// `h Σ e_i k_i`, where the last weight is that of the rates at the end of the step; the order of the embedded
    /// method.
    Difference { weights: &'static [f64], order: u32 },
    /// Combination of two such estimates, as in Hairer's program.
    TwoOrders {
        third: &'static [f64; 12],
        fifth: &'static [f64; 12],
    },
}

/// Dense output of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dense {
    /// Cubic Hermite interpolant of the values and rates at both ends.
    Cubic,
    /// Quartic interpolant of Dormand and Prince.
    Dopri5,
    /// Interpolant of order 7 with three more stages.
    Dop853,
}

impl Tableau {
    /// Order of convergence: the global error is proportional to this power of the step.
    #[must_use]
    pub fn order(&self) -> u32 {
        self.order
    }

    /// Number of stages, s.
    #[must_use]
    pub fn stages(&self) -> usize {
        self.b.len()
    }

    /// Coefficients `a` (s rows): weights of the preceding stages in each stage.
    #[must_use]
    pub fn a(&self) -> &'static [&'static [f64]] {
        self.a
    }

    /// Weights `b` (s) of the stages in the step.
    #[must_use]
    pub fn b(&self) -> &'static [f64] {
        self.b
    }

    /// Nodes `c` (s): time of each stage, as a fraction of the step.
    #[must_use]
    pub fn c(&self) -> &'static [f64] {
        self.c
    }

    /// Returns whether the method has an error estimate, as adaptive steps need it.
    #[must_use]
    pub fn has_estimate(&self) -> bool {
        self.estimate.is_some()
    }
}

/// Explicit Euler method, order 1.
pub(super) const EULER: Tableau = Tableau {
    order: 1,
    a: &[&[]],
    b: &[1.0],
    c: &[0.0],
    estimate: None,
    dense: Dense::Cubic,
};

/// Explicit midpoint method, order 2.
pub(super) const MIDPOINT: Tableau = Tableau {
    order: 2,
    a: &[&[], &[0.5]],
    b: &[0.0, 1.0],
    c: &[0.0, 0.5],
    estimate: None,
    dense: Dense::Cubic,
};

/// Heun's method, order 3.
pub(super) const RK33: Tableau = Tableau {
    order: 3,
    a: &[&[], &[1.0 / 3.0], &[0.0, 2.0 / 3.0]],
    b: &[0.25, 0.0, 0.75],
    c: &[0.0, 1.0 / 3.0, 2.0 / 3.0],
    estimate: None,
    dense: Dense::Cubic,
};

/// Classical Runge–Kutta method, order 4.
pub(super) const RK44: Tableau = Tableau {
    order: 4,
    a: &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
    b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    c: &[0.0, 0.5, 0.5, 1.0],
    estimate: None,
    dense: Dense::Cubic,
};

/// Butcher (1964): order 6 in seven stages, at the nodes of Lobatto.
pub(super) const RK67: Tableau = Tableau {
    order: 6,
    a: &[
        &[],
        &[LOW],
        &[-ROOT_5 / 10.0, (5.0 + 2.0 * ROOT_5) / 10.0],
        &[
            (-15.0 + 7.0 * ROOT_5) / 20.0,
            (-1.0 + ROOT_5) / 4.0,
            (15.0 - 7.0 * ROOT_5) / 10.0,
        ],
        &[
            (5.0 - ROOT_5) / 60.0,
            0.0,
            1.0 / 6.0,
            (15.0 + 7.0 * ROOT_5) / 60.0,
        ],
        &[
            (5.0 + ROOT_5) / 60.0,
            0.0,
            (9.0 - 5.0 * ROOT_5) / 12.0,
            1.0 / 6.0,
            (-5.0 + 3.0 * ROOT_5) / 10.0,
        ],
        &[
            1.0 / 6.0,
            0.0,
            (-55.0 + 25.0 * ROOT_5) / 12.0,
            (-25.0 - 7.0 * ROOT_5) / 12.0,
            5.0 - 2.0 * ROOT_5,
            (5.0 + ROOT_5) / 2.0,
        ],
    ],
    b: &[
        1.0 / 12.0,
        0.0,
        0.0,
        0.0,
        5.0 / 12.0,
        5.0 / 12.0,
        1.0 / 12.0,
    ],
    c: &[0.0, LOW, HIGH, LOW, HIGH, LOW, 1.0],
    estimate: None,
    dense: Dense::Cubic,
};
const ROOT_5: f64 = 2.236_067_977_499_79;
const LOW: f64 = (5.0 - ROOT_5) / 10.0;
const HIGH: f64 = (5.0 + ROOT_5) / 10.0;

/// Bogacki and Shampine (1989): order 3, with an estimate by order 2.
pub(super) const ODE23: Tableau = Tableau {
    order: 3,
    a: &[&[], &[0.5], &[0.0, 0.75]],
    b: &[2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0],
    c: &[0.0, 0.5, 0.75],
    estimate: Some(Estimate::Difference {
        weights: &[-5.0 / 72.0, 1.0 / 12.0, 1.0 / 9.0, -0.125],
        order: 2,
    }),
    dense: Dense::Cubic,
};

/// Dormand and Prince (1980): order 5, with an estimate by order 4.
pub(super) const DOPRI5: Tableau = Tableau {
    order: 5,
    a: &[
        &[],
        &[0.2],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[
            19372.0 / 6561.0,
            -25360.0 / 2187.0,
            64448.0 / 6561.0,
            -212.0 / 729.0,
        ],
        &[
            9017.0 / 3168.0,
            -355.0 / 33.0,
            46732.0 / 5247.0,
            49.0 / 176.0,
            -5103.0 / 18656.0,
        ],
    ],
    b: &[
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
    c: &[0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0],
    estimate: Some(Estimate::Difference {
        weights: &[
            71.0 / 57600.0,
            0.0,
            -71.0 / 16695.0,
            71.0 / 1920.0,
            -17253.0 / 339_200.0,
            22.0 / 525.0,
            -0.025,
        ],
        order: 4,
    }),
    dense: Dense::Dopri5,
};

/// Weights of the six stages and of the rates at the end in the quartic interpolant, by powers of the fraction of the
/// step, from the first: Hairer, Nørsett, Wanner (1993), section II.6.
pub(super) const DOPRI5_INTERPOLANT: [[f64; 4]; 7] = [
    [
        1.0,
        -8_048_581_381.0 / 2_820_520_608.0,
        8_663_915_743.0 / 2_820_520_608.0,
        -12_715_105_075.0 / 11_282_082_432.0,
    ],
    [0.0; 4],
    [
        0.0,
        131_558_114_200.0 / 32_700_410_799.0,
        -68_118_460_800.0 / 10_900_136_933.0,
        87_487_479_700.0 / 32_700_410_799.0,
    ],
    [
        0.0,
        -1_754_552_775.0 / 470_086_768.0,
        14_199_869_525.0 / 1_410_260_304.0,
        -10_690_763_975.0 / 1_880_347_072.0,
    ],
    [
        0.0,
        127_303_824_393.0 / 49_829_197_408.0,
        -318_862_633_887.0 / 49_829_197_408.0,
        701_980_252_875.0 / 199_316_789_632.0,
    ],
    [
        0.0,
        -282_668_133.0 / 205_662_961.0,
        2_019_193_451.0 / 616_988_883.0,
        -1_453_857_185.0 / 822_651_844.0,
    ],
    [
        0.0,
        40_617_522.0 / 29_380_423.0,
        -110_615_467.0 / 29_380_423.0,
        69_997_945.0 / 29_380_423.0,
    ],
];
