//! Line plots of table columns over time, as SVG.

use std::fmt::Write as _;
use std::path::Path;

use kinworld::sim::Table;

use crate::request::Refusal;

/// SVG plot of these columns over time; all columns where none is named.
///
/// Values that are not finite interrupt a line. An unknown column is refused.
pub(super) fn svg(table: &Table, columns: &[&str]) -> Result<String, Refusal> {
    let chosen = chosen(table, columns)?;

    // the legend is beside the lines, one name below the other
    let longest = chosen.iter().map(|&i| table.columns()[i].chars().count());
    let right =
        (16.0 + LETTER * longest.max().unwrap_or(0) as f64).clamp(RIGHT, WIDTH - LEFT - 200.0);
    let height = HEIGHT.max(TOP + BOTTOM + 16.0 * chosen.len() as f64);
    let rows = || table.rows().filter(|row| row[0].is_finite());
    let time = Range::of(rows().map(|row| row[0]));
    let value = Range::of(rows().flat_map(|row| chosen.iter().map(|&i| row[i])));
    let x = |t: f64| LEFT + (WIDTH - LEFT - right) * time.part(t);
    let y = |v: f64| height - BOTTOM - (height - TOP - BOTTOM) * value.part(v);

    let mut out = String::new();
    let mut put = |text: String| out.push_str(&(text + "\n"));
    put(format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">"#
    ));
    put(r#"<rect width="100%" height="100%" fill="white"/>"#.to_owned());
    for tick in time.ticks() {
        let x = x(tick);
        put(format!(
            r##"<path d="M{x:.2} {TOP}V{:.2}" stroke="#ddd"/><text x="{x:.2}" y="{:.2}" text-anchor="middle">{}</text>"##,
            height - BOTTOM,
            height - BOTTOM + 16.0,
            label(tick)
        ));
    }
    for tick in value.ticks() {
        let y = y(tick);
        put(format!(
            r##"<path d="M{LEFT} {y:.2}H{:.2}" stroke="#ddd"/><text x="{:.2}" y="{:.2}" text-anchor="end">{}</text>"##,
            WIDTH - right,
            LEFT - 6.0,
            y + 4.0,
            label(tick)
        ));
    }
    put(format!(
        r#"<text x="{:.2}" y="{:.2}" text-anchor="end">time, s</text>"#,
        WIDTH - right,
        height - 6.0
    ));
    for (k, &i) in chosen.iter().enumerate() {
        let color = COLORS[k % COLORS.len()];
        let mut line = String::new();
        let mut pen = 'M';
        for row in rows() {
            if row[i].is_finite() {
                write!(line, "{pen}{:.2} {:.2}", x(row[0]), y(row[i]))
                    .expect("writing to a string succeeds");
                pen = 'L';
            } else {
                pen = 'M';
            }
        }
        put(format!(
            r#"<path d="{line}" fill="none" stroke="{color}" stroke-width="1.5"/>"#
        ));
        let name = escaped(&table.columns()[i]);
        let y = TOP + 14.0 + 16.0 * k as f64;
        put(format!(
            r#"<text x="{:.2}" y="{y:.2}" fill="{color}">{name}</text>"#,
            WIDTH - right + 8.0
        ));
    }
    out.push_str("</svg>\n");
    Ok(out)
}

/// Indices of the named columns.
fn chosen(table: &Table, columns: &[&str]) -> Result<Vec<usize>, Refusal> {
    if columns.is_empty() {
        return Ok((1..table.columns().len()).collect());
    }
    let find = |name: &&str| {
        let has_unit = |column: &String| column.split_once(" [").is_some_and(|(of, _)| of == *name);
        let with_unit = || table.columns().iter().position(has_unit);
        table.column(name).or_else(with_unit).ok_or_else(|| {
            let known = table.columns().join(", ");
            Refusal(format!("no column named `{name}`; there are: {known}"))
        })
    };
    columns.iter().map(find).collect()
}

/// Range of values, never empty.
#[derive(Debug, Clone, Copy)]
struct Range {
    least: f64,
    span: f64,
}

impl Range {
    fn of(values: impl Iterator<Item = f64>) -> Self {
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
    fn part(self, value: f64) -> f64 {
        (value - self.least) / self.span
    }

    /// Round values in the range: about six, in steps of 1, 2 or 5 times a power of ten.
    fn ticks(self) -> impl Iterator<Item = f64> {
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
fn label(x: f64) -> String {
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

/// Text with the special characters of XML escaped.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Refuses a file that is not an SVG by its name.
pub(super) fn check(path: &Path) -> Result<(), Refusal> {
    let suffix = path.extension().map(|suffix| suffix.to_ascii_lowercase());
    if suffix.is_some_and(|suffix| suffix == "svg") {
        return Ok(());
    }
    let advice = "plots are written as SVG: name it with `.svg`, and convert that, as by `rsvg-convert -o plot.png plot.svg`";
    Err(Refusal(format!("{}: {advice}", path.display())))
}

/// Size of the plot and its margins, in user units; the right margin and the height grow with the legend.
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 450.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 180.0;
const TOP: f64 = 15.0;
const BOTTOM: f64 = 40.0;

/// Width of a letter in a legend, at most.
const LETTER: f64 = 7.5;

/// Line colours: the palette of Okabe and Ito, distinguishable with colour blindness.
const COLORS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000",
];

#[cfg(test)]
mod tests {
    use kinworld::sim::{Integrator, Method, PlanarBody, Probe, Recorder, Sensor, Steps};

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

    #[test]
    fn a_plot_has_one_line_per_requested_column() {
        let table = falling_body();
        let lines = |svg: &str| svg.matches("fill=\"none\"").count();
        let all = svg(&table, &[]).unwrap();
        assert_eq!(lines(&all), table.columns().len() - 1);
        let plot = svg(&table, &["q_y", "e_kinetic"]).unwrap();
        assert_eq!(lines(&plot), 2);
        assert!(plot.starts_with("<svg ") && plot.contains(">q_y</text>") && !plot.contains("NaN"));
    }

    #[test]
    fn a_falling_body_is_drawn_from_the_top_left_to_the_bottom_right() {
        let plot = svg(&falling_body(), &["q_y", "e_kinetic"]).unwrap();
        let path = plot.split("<path d=\"M70.00 ").nth(2).unwrap();
        assert!(path.contains("L720.00 410.00\""), "{path}");
    }

    #[test]
    fn the_legend_fits() {
        let mut columns = vec!["q_y"; 60];
        columns.push("e_kinetic");
        let plot = svg(&falling_body(), &columns).unwrap();
        assert!(
            plot.contains("viewBox=\"0 0 900 1031\""),
            "{}",
            &plot[..200]
        );
        assert!(
            plot.contains("y=\"989.00\""),
            "the last name is above the lower margin"
        );
    }

    #[test]
    fn other_pictures_are_refused() {
        assert!(check(Path::new("run.SVG")).is_ok());
        let refusal = check(Path::new("run.png")).unwrap_err();
        assert!(
            refusal.0.starts_with("run.png: plots are written as SVG"),
            "{}",
            refusal.0
        );
    }

    #[test]
    fn an_unknown_column_is_refused_with_the_known_names() {
        let refusal = svg(&falling_body(), &["q_w"]).unwrap_err();
        assert!(
            refusal
                .0
                .starts_with("no column named `q_w`; there are: time, q_x"),
            "{}",
            refusal.0
        );
    }
}
