//! Line plots of the columns of a table over time, as marks and as SVG.

mod drawing;
mod range;
mod svg;

pub use drawing::{Drawing, Mark, TextAnchor};

use self::range::{Range, label};
use crate::sim::Table;
use crate::{Error, Result};

impl Drawing {
    /// Small multiples of these columns over time, of all columns where none is named: a panel for up to seven columns of
    /// one sensor.
    ///
    /// Values that are not finite interrupt a line.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for an unknown column.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::sim::plot::Drawing;
    /// use kinworld::sim::{PlanarBody, Probe, Recorder, Sensor};
    ///
    /// let mut body = PlanarBody::new(2.0, 0.3, [0.0; 2])?;
    /// let state = body.initial_state(0.0, [0.0; 3], [1.0; 3]);
    /// let sensors = vec![Sensor::new("q", Probe::Positions)];
    /// let table = Recorder::start(sensors, 0.1, &mut body, &state)?.into_table();
    /// assert!(Drawing::of_table(&table, &["q_y"])?.to_svg().contains(">q_y</text>"));
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn of_table(table: &Table, columns: &[&str]) -> Result<Self> {
        Ok(drawing(table, &chosen(table, columns)?))
    }

    /// The drawing as SVG.
    #[must_use]
    pub fn to_svg(&self) -> String {
        svg::svg(self)
    }
}

/// Small multiples: a panel for up to as many columns of one sensor as there are colours.
fn drawing(table: &Table, chosen: &[usize]) -> Drawing {
    let panels = panels(table, chosen);

    // the legend is beside the lines, one name below the other
    let longest = chosen.iter().map(|&i| table.columns()[i].chars().count());
    let legend = 16.0 + LETTER * longest.max().unwrap_or(0) as f64;
    let right = legend.max(RIGHT);
    let across = match panels.len() {
        0..=3 => 1,
        4..=12 => 2,
        _ => 3,
    };
    let (width, height) = match panels.len() {
        0..=1 => (LEFT + LINES + right, HEIGHT),
        2..=3 => (LEFT + LINES + right, SMALL),
        _ => (LEFT + SMALL_LINES + right, SMALL),
    };
    let mut drawing = Drawing::new(
        width * across as f64,
        height * panels.len().div_ceil(across).max(1) as f64,
    );
    // down the columns: what belongs together is below one another
    let down = panels.len().div_ceil(across).max(1);
    for (k, columns) in panels.iter().enumerate() {
        let corner = (width * (k / down) as f64, height * (k % down) as f64);
        let size = (width - right, height);
        panel(&mut drawing, table, columns, corner, size);
    }
    drawing
}

/// Columns of each panel: of one sensor, in even parts.
fn panels(table: &Table, chosen: &[usize]) -> Vec<Vec<usize>> {
    let sensor = |i: usize| table.columns()[i].split('_').next().unwrap_or("");
    let same = chosen.chunk_by(|&a, &b| sensor(a) == sensor(b));
    let parts = same.flat_map(|columns| {
        let n = columns.len().div_ceil(COLORS.len());
        columns.chunks(columns.len().div_ceil(n))
    });
    parts.map(<[usize]>::to_vec).collect()
}

/// Draws lines, axes and legend of some columns.
fn panel(
    out: &mut Drawing,
    table: &Table,
    columns: &[usize],
    (left, top): (f64, f64),
    (width, height): (f64, f64),
) {
    let rows = || table.rows().filter(|row| row[0].is_finite());
    let time = Range::of(rows().map(|row| row[0]));
    let value = Range::of(rows().flat_map(|row| columns.iter().map(|&i| row[i])));
    let (right, bottom) = (left + width, top + height - BOTTOM);
    let (left, top) = (left + LEFT, top + TOP);
    let x = |t: f64| left + (right - left) * time.part(t);
    let y = |v: f64| bottom - (bottom - top) * value.part(v);
    for tick in time.ticks() {
        let x = x(tick);
        out.line([Some((x, top)), Some((x, bottom))], GRID, 1.0);
        out.text((x, bottom + 16.0), TextAnchor::Middle, BLACK, label(tick));
    }
    for tick in value.ticks() {
        let y = y(tick);
        out.line([Some((left, y)), Some((right, y))], GRID, 1.0);
        out.text((left - 6.0, y + 4.0), TextAnchor::End, BLACK, label(tick));
    }
    out.text((right, bottom + 34.0), TextAnchor::End, BLACK, "time, s");
    for (k, (&i, color)) in columns.iter().zip(COLORS).enumerate() {
        let point = |row: &[f64]| row[i].is_finite().then(|| (x(row[0]), y(row[i])));
        out.line(rows().map(point), color, 1.5);
        let y = top + 14.0 + 16.0 * k as f64;
        let name = table.columns()[i].clone();
        out.text((right + 8.0, y), TextAnchor::Start, color, name);
    }
}

/// Indices of the named columns.
fn chosen(table: &Table, columns: &[&str]) -> Result<Vec<usize>> {
    if columns.is_empty() {
        return Ok((1..table.columns().len()).collect());
    }
    let find = |name: &&str| {
        let has_unit = |column: &String| column.split_once(" [").is_some_and(|(of, _)| of == *name);
        let with_unit = || table.columns().iter().position(has_unit);
        table.column(name).or_else(with_unit).ok_or_else(|| {
            let known = table.columns().iter().map(String::as_str);
            Error::not_found("column", *name, known)
        })
    };
    columns.iter().map(find).collect()
}

/// Size of the lines, and of a plot with one panel or several, in user units; the width grows with the legend.
const LINES: f64 = 650.0;
const SMALL_LINES: f64 = 420.0;
const HEIGHT: f64 = 450.0;
const SMALL: f64 = 240.0;
/// Margins.
const LEFT: f64 = 70.0;
const RIGHT: f64 = 80.0;
const TOP: f64 = 15.0;
const BOTTOM: f64 = 40.0;

/// Width of a letter in a legend, at most.
const LETTER: f64 = 7.5;

/// Line colours: the palette of Okabe and Ito, distinguishable with colour blindness.
const COLORS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000",
];
const GRID: &str = "#dddddd";
const BLACK: &str = "#000000";

#[cfg(test)]
mod tests {
    use crate::sim::{Integrator, Method, PlanarBody, Probe, Recorder, Sensor, Steps};

    use super::*;

    /// Table of a body that falls from rest.
    fn falling_body() -> Table {
        let mut body = PlanarBody::new(2.0, 0.3, [0.0; 2]).unwrap();
        body.gravity = [0.0, -10.0];
        let mut state = body.initial_state(0.0, [0.0; 3], [0.0; 3]);
        let sensors = vec![
            Sensor::new("q", Probe::Positions),
            Sensor::new("e", Probe::Energy),
        ];
        let mut recorder = Recorder::start(sensors, 0.1, &mut body, &state).unwrap();
        let mut integrator = Integrator::new(Method::Rk44, Steps::Count(50)).unwrap();
        integrator
            .run(&mut body, &mut state, 1.0, &mut recorder)
            .unwrap();
        recorder.into_table()
    }

    fn svg(table: &Table, columns: &[&str]) -> Result<String> {
        Ok(Drawing::of_table(table, columns)?.to_svg())
    }

    #[test]
    fn a_plot_has_one_line_per_requested_column() {
        let table = falling_body();
        let lines = |svg: &str| svg.matches("stroke-width=\"1.5\"").count();
        let all = svg(&table, &[]).unwrap();
        assert_eq!(lines(&all), table.columns().len() - 1);
        let plot = svg(&table, &["q_y", "e_kinetic"]).unwrap();
        assert_eq!(lines(&plot), 2);
        assert!(plot.starts_with("<svg ") && plot.contains(">q_y</text>") && !plot.contains("NaN"));
    }

    #[test]
    fn a_falling_body_is_drawn_from_the_top_left_to_the_bottom_right() {
        let plot = svg(&falling_body(), &["q_y"]).unwrap();
        let path = plot.split("<path d=\"M70.00 15.00").last().unwrap();
        assert!(path.contains("L720.00 410.00\""), "{path}");
    }

    #[test]
    fn sensors_have_panels_and_every_legend_fits() {
        let mut columns = vec!["q_y"; 48];
        columns.extend(["e_kinetic"; 2]);
        let drawing = drawing(&falling_body(), &chosen(&falling_body(), &columns).unwrap());
        let panels = panels(&falling_body(), &chosen(&falling_body(), &columns).unwrap());
        let sizes: Vec<usize> = panels.iter().map(Vec::len).collect();
        assert_eq!(sizes, [7, 7, 7, 7, 7, 7, 6, 2]);
        let mut names = 0;
        let mut places = std::collections::BTreeSet::new();
        for mark in &drawing.marks {
            let Mark::Text {
                at: (x, y),
                anchor: TextAnchor::Start,
                text,
                ..
            } = mark
            else {
                continue;
            };
            names += 1;
            assert!(x + 7.5 * text.len() as f64 <= drawing.width && *y < drawing.height - BOTTOM);
            places.insert((x.to_bits(), y.to_bits()));
        }
        assert_eq!((names, places.len()), (50, 50), "no name is over another");
    }

    #[test]
    fn an_unknown_column_is_refused_with_the_known_names() {
        let error = svg(&falling_body(), &["q_w"]).unwrap_err().to_string();
        assert!(error.starts_with("no column named `q_w`"), "{error}");
        assert!(error.contains("there are: time, q_x"), "{error}");
    }
}
