//! Velocities, accelerations and forces as users give them: one value per dof, or some by name.

use kinworld::Robot;

use crate::config::{radians, unit};
use crate::request::{LARGEST, Refusal};

/// One value per dof, or values of some joints; those of the others are zero.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum DofValues {
    All(Vec<f64>),
    Some(Vec<(String, f64)>),
}

impl DofValues {
    /// The values of a word: `0,1,2` or `elbow=1,wrist=2`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let words = text.split(',').filter(|_| !text.trim().is_empty());
        if !text.contains('=') {
            return words.map(number).collect::<Result<_, _>>().map(Self::All);
        }
        let named = |word: &str| match word.rsplit_once('=') {
            Some((name, value)) => Ok((name.trim().to_owned(), number(value)?)),
            None => Err(format!("`{word}` is not JOINT=VALUE")),
        };
        words.map(named).collect::<Result<_, _>>().map(Self::Some)
    }

    /// One value per dof; angles in rad, if they are given in degrees. The number of values is checked by whoever uses them.
    pub(crate) fn resolve(&self, robot: &Robot, degrees: bool) -> Result<Vec<f64>, Refusal> {
        let values = match self {
            Self::All(values) => return Ok(radians(robot, values, degrees)),
            Self::Some(values) => values,
        };
        let mut all = vec![0.0; robot.n_dofs()];
        for (name, value) in values {
            let dof = robot.dof_id(name)?;
            all[dof.index()] = value * unit(robot, dof, degrees);
        }
        Ok(all)
    }
}

fn number(word: &str) -> Result<f64, String> {
    match word.trim().parse::<f64>() {
        Ok(x) if x.abs() <= LARGEST => Ok(x),
        Ok(x) if x.is_finite() => Err(format!("`{word}` is beyond {LARGEST:?}")),
        Ok(_) => Err(format!("`{word}` is not finite")),
        Err(_) => Err(format!("`{word}` is not a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_a_list_or_have_names() {
        let of = DofValues::parse;
        assert_eq!(of("1, -2e0"), Ok(DofValues::All(vec![1.0, -2.0])));
        assert_eq!(of(""), Ok(DofValues::All(Vec::new())));
        let named = vec![("a=b".to_owned(), 1.0), ("c".to_owned(), 2.0)];
        assert_eq!(of("a=b=1, c = 2"), Ok(DofValues::Some(named)));
        for wrong in ["a=1,2", "a=x", "1,x", "a=inf", "1e101"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
