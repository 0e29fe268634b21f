//! Columns of a table, drawn over time.

use std::fmt::Write as _;

use super::recorder::Table;
use crate::{Error, Result};

impl Table {
    /// A drawing of some columns over time, as SVG; all of them where none is named.
    ///
    /// Points that are not finite interrupt a line.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] where there is no such column.
    pub fn to_svg(&self, columns: &[&str]) -> Result<String> {
        let chosen = self.chosen(columns)?;
        let rows = || self.rows().filter(|row| row[0].is_finite());
        let time = Range::of(rows().map(|row| row[0]));
        let value = Range::of(rows().flat_map(|row| chosen.iter().map(|&i| row[i])));
        let x = |t: f64| LEFT + (WIDTH - LEFT - RIGHT) * time.part(t);
        let y = |v: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value.part(v);

        let mut out = String::new();
        let mut put = |text: String| out.push_str(&(text + "\n"));
        put(format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">"#
        ));
        put(r#"<rect width="100%" height="100%" fill="white"/>"#.to_owned());
        for tick in time.ticks() {
            let at = x(tick);
            put(format!(
                r##"<path d="M{at:.2} {TOP}V{:.2}" stroke="#ddd"/><text x="{at:.2}" y="{:.2}" text-anchor="middle">{}</text>"##,
                HEIGHT - BOTTOM,
                HEIGHT - BOTTOM + 16.0,
                short(tick)
            ));
        }
        for tick in value.ticks() {
            let at = y(tick);
            put(format!(
                r##"<path d="M{LEFT} {at:.2}H{:.2}" stroke="#ddd"/><text x="{:.2}" y="{:.2}" text-anchor="end">{}</text>"##,
                WIDTH - RIGHT,
                LEFT - 6.0,
                at + 4.0,
                short(tick)
            ));
        }
        put(format!(
            r#"<text x="{:.2}" y="{:.2}" text-anchor="end">time, s</text>"#,
            WIDTH - RIGHT,
            HEIGHT - 6.0
        ));
        for (k, &i) in chosen.iter().enumerate() {
            let color = COLORS[k % COLORS.len()];
            let mut line = String::new();
            let mut pen = 'M';
            for row in rows() {
                if row[i].is_finite() {
                    write!(line, "{pen}{:.2} {:.2}", x(row[0]), y(row[i]))
                        .expect("a string takes everything");
                    pen = 'L';
                } else {
                    pen = 'M';
                }
            }
            put(format!(
                r#"<path d="{line}" fill="none" stroke="{color}" stroke-width="1.5"/>"#
            ));
            let name = escaped(&self.columns()[i]);
            let at = TOP + 14.0 + 16.0 * k as f64;
            put(format!(
                r#"<text x="{:.2}" y="{at:.2}" fill="{color}">{name}</text>"#,
                WIDTH - RIGHT + 8.0
            ));
        }
        out.push_str("</svg>\n");
        Ok(out)
    }

    /// The positions of columns.
    fn chosen(&self, columns: &[&str]) -> Result<Vec<usize>> {
        if columns.is_empty() {
            return Ok((1..self.columns().len()).collect());
        }
        let find = |name: &&str| {
            let known = || self.columns().iter().map(String::as_str);
            self.column(name)
                .ok_or_else(|| Error::not_found("column", *name, known()))
        };
        columns.iter().map(find).collect()
    }
}

/// From the least to the greatest of some numbers, never empty.
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

    /// Where a number lies, 0 to 1.
    fn part(self, value: f64) -> f64 {
        (value - self.least) / self.span
    }

    /// Round numbers in it: steps of 1, 2 or 5 times a power of ten, about six.
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

/// A tick without the digits of rounding.
fn short(x: f64) -> String {
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

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// The drawing, and what is left around the lines.
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 450.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 180.0;
const TOP: f64 = 15.0;
const BOTTOM: f64 = 40.0;

/// Colours that most people can tell apart (Okabe and Ito).
const COLORS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000",
];
