//! Limits of a degree of freedom.

/// Limits of a degree of freedom, its derivatives and its effort.
///
/// They are not enforced: a configuration beyond its limits is accepted. See
/// [`in_limits`](crate::kinematics::in_limits) and [`clamp_to_limits`](crate::kinematics::clamp_to_limits).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[doc(alias = "getJointLimits")]
#[doc(alias = "jnt_range")]
pub struct Limits {
    /// Smallest position, rad or m.
    #[cfg_attr(feature = "serde", serde(with = "infinite"))]
    pub q_min: f64,
    /// Largest position, rad or m.
    #[cfg_attr(feature = "serde", serde(with = "infinite"))]
    pub q_max: f64,
    /// Smallest velocity, rad/s or m/s; usually `-v_max`.
    #[cfg_attr(feature = "serde", serde(with = "infinite"))]
    pub v_min: f64,
    /// Largest velocity, rad/s or m/s.
    #[cfg_attr(feature = "serde", serde(with = "infinite"))]
    pub v_max: f64,
    /// Largest magnitude of the acceleration, rad/s² or m/s².
    #[cfg_attr(feature = "serde", serde(with = "infinite"))]
    pub a_max: f64,
    /// Largest magnitude of the torque or force, N·m or N.
    #[cfg_attr(feature = "serde", serde(with = "infinite"))]
    pub tau_max: f64,
    /// Largest magnitude of torque times velocity, W.
    #[cfg_attr(feature = "serde", serde(with = "infinite"))]
    pub power_max: f64,
}

impl Limits {
    /// No limit at all.
    pub const UNLIMITED: Self = Self {
        q_min: f64::NEG_INFINITY,
        q_max: f64::INFINITY,
        v_min: f64::NEG_INFINITY,
        v_max: f64::INFINITY,
        a_max: f64::INFINITY,
        tau_max: f64::INFINITY,
        power_max: f64::INFINITY,
    };

    /// Positions between two values, everything else without a limit.
    #[must_use]
    pub fn position(q_min: f64, q_max: f64) -> Self {
        Self {
            q_min,
            q_max,
            ..Self::UNLIMITED
        }
    }

    /// Bounds the velocity by ±`v_max`, rad/s or m/s.
    #[must_use]
    pub fn with_velocity(mut self, v_max: f64) -> Self {
        (self.v_min, self.v_max) = (-v_max, v_max);
        self
    }

    /// Bounds the magnitude of the acceleration, rad/s² or m/s².
    #[must_use]
    pub fn with_acceleration(mut self, a_max: f64) -> Self {
        self.a_max = a_max;
        self
    }

    /// Bounds the magnitude of the torque or force, N·m or N.
    #[must_use]
    pub fn with_torque(mut self, tau_max: f64) -> Self {
        self.tau_max = tau_max;
        self
    }

    /// Bounds the magnitude of the power, W.
    #[must_use]
    pub fn with_power(mut self, power_max: f64) -> Self {
        self.power_max = power_max;
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::UNLIMITED
    }
}

/// Serialises infinite numbers as `"inf"` and `"-inf"`, which JSON can hold.
#[cfg(feature = "serde")]
pub(crate) mod infinite {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// A number in a file.
    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Number {
        Finite(f64),
        Word(String),
    }

    impl From<f64> for Number {
        fn from(x: f64) -> Self {
            if x.is_finite() {
                Self::Finite(x)
            } else {
                Self::Word(x.to_string())
            }
        }
    }

    fn number<E: serde::de::Error>(number: Number) -> Result<f64, E> {
        match number {
            Number::Finite(x) => Ok(x),
            Number::Word(word) => word
                .parse()
                .map_err(|_| E::custom(format!("`{word}` is not a number"))),
        }
    }

    pub(crate) fn serialize<S: Serializer>(x: &f64, s: S) -> Result<S::Ok, S::Error> {
        Number::from(*x).serialize(s)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<f64, D::Error> {
        number(Number::deserialize(d)?)
    }

    /// The same for `[min, max]`.
    pub(crate) mod pair {
        use super::{Deserialize, Deserializer, Number, Serialize, Serializer, number};

        pub(crate) fn serialize<S: Serializer>(x: &[f64; 2], s: S) -> Result<S::Ok, S::Error> {
            x.map(Number::from).serialize(s)
        }

        pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<[f64; 2], D::Error> {
            let [min, max] = <[Number; 2]>::deserialize(d)?;
            Ok([number(min)?, number(max)?])
        }
    }
}
