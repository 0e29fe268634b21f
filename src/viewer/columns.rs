//! Plots of a page as data.

use serde_json::{Value, json};

use super::pack::Pack;
use super::plot::Plot;
use crate::{Error, Result};

/// Plots as data: the values of their curves go to `pack`.
pub(super) fn json(plots: &[Plot], n_times: usize, pack: &mut Pack) -> Result<Value> {
    let mut all = Vec::new();
    for plot in plots {
        let mut curves = Vec::new();
        for (name, values) in &plot.curves {
            if values.len() != n_times {
                let problem = format!("{} values for {n_times} times", values.len());
                return Err(Error::invalid(format!("curve `{name}` of a page"), problem));
            }
            curves.push(json!([name, pack.singles(values.iter().copied())]));
        }
        all.push(json!({ "title": plot.title, "unit": plot.unit, "curves": curves }));
    }
    Ok(all.into())
}
