//! Plots of the columns of a table: those of one quantity together.

use std::path::Path;

use kinworld::viewer::Plot;

use crate::request::Refusal;

/// Plots of columns with their names, one value per time.
pub(crate) fn plots(columns: impl IntoIterator<Item = (String, Vec<f64>)>) -> Vec<Plot> {
    let mut plots: Vec<Plot> = Vec::new();
    for (name, values) in columns {
        let (name, unit) = split_unit(&name);
        let title = quantity(name);
        let known = plots
            .iter()
            .position(|plot| plot.title == title && plot.unit == unit);
        let at = known.unwrap_or_else(|| {
            plots.push(Plot::new(title, unit));
            plots.len() - 1
        });
        plots[at].curves.push((name.to_owned(), values));
    }
    plots
}

/// The quantity of a column: `tau` of `tau_elbow`, `tool_position` of `tool_position_x`.
fn quantity(name: &str) -> &str {
    const OF_JOINTS: [&str; 4] = ["q", "dq", "ddq", "tau"];
    const OF_ENERGY: [&str; 3] = ["kinetic", "potential", "total"];
    match (name.split_once('_'), name.rsplit_once('_')) {
        (Some((quantity, _)), _) if OF_JOINTS.contains(&quantity) => quantity,
        (_, Some((quantity, part))) if part.len() <= 2 || OF_ENERGY.contains(&part) => quantity,
        _ => name,
    }
}

/// A name and the unit in brackets behind it.
fn split_unit(name: &str) -> (&str, &str) {
    let parts = name
        .strip_suffix(']')
        .and_then(|name| name.rsplit_once('['));
    parts.map_or((name, ""), |(name, unit)| (name.trim_end(), unit))
}

/// Plots of the columns of a table with a head that begin at these characters of it, counted from 1.
pub(super) fn of_file(file: &Path, starts: &[u32]) -> Result<Vec<Plot>, Refusal> {
    if starts.is_empty() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(file);
    let text =
        text.map_err(|error| Refusal(format!("{}: cannot be read: {error}", file.display())))?;
    let mut lines = text.lines().filter(|line| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    });
    let head = lines.next().unwrap_or_default();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let mut columns = Vec::new();
    let mut at = 1;
    for (i, cell) in head.split(',').enumerate() {
        let blank = cell.chars().take_while(|c| c.is_whitespace()).count();
        let start = u32::try_from(at + blank).unwrap_or(u32::MAX);
        at += cell.chars().count() + 1;
        if !starts.contains(&start) {
            continue;
        }
        let value = |row: &Vec<&str>| row.get(i)?.trim().parse::<f64>().ok();
        let values: Vec<f64> = rows
            .iter()
            .map(|row| value(row).unwrap_or(f64::NAN))
            .collect();
        if values.iter().any(|x| x.is_finite()) {
            columns.push((cell.trim().trim_matches('"').to_owned(), values));
        }
    }
    Ok(plots(columns))
}
