//! Aligned columns of text.

use std::fmt;

/// A table with a header; words are left-aligned, numbers right-aligned.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

/// Header of a column.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    head: String,
    right: bool,
}

/// A column of words.
pub(crate) fn words(head: impl Into<String>) -> Column {
    Column {
        head: printable(&head.into()),
        right: false,
    }
}

/// A column of numbers.
pub(crate) fn numbers(head: impl Into<String>) -> Column {
    Column {
        head: printable(&head.into()),
        right: true,
    }
}

impl Table {
    /// A table without rows.
    pub(crate) fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self {
            columns: columns.into_iter().collect(),
            rows: Vec::new(),
        }
    }

    /// Appends a row, one cell per column.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows
            .push(cells.into_iter().map(|cell| printable(&cell)).collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads: Vec<&str> = self.columns.iter().map(|c| c.head.as_str()).collect();
        let lines = || {
            let rows = self.rows.iter();
            let rows = rows.map(|row| row.iter().map(String::as_str).collect::<Vec<_>>());
            std::iter::once(heads.clone()).chain(rows)
        };
        let mut widths = vec![0; self.columns.len()];
        for line in lines() {
            for (width, cell) in widths.iter_mut().zip(line) {
                *width = (*width).max(cell.chars().count());
            }
        }
        for line in lines() {
            let mut text = String::new();
            for ((cell, &width), column) in line.into_iter().zip(&widths).zip(&self.columns) {
                text.push_str(&if column.right {
                    format!("  {cell:>width$}")
                } else {
                    format!("  {cell:<width$}")
                });
            }
            writeln!(f, "{}", text.trim_end())?;
        }
        Ok(())
    }
}

/// A number as text: six decimals, or an exponent for large values.
pub(crate) fn real(x: f64) -> String {
    if !x.is_finite() {
        return x.to_string();
    }
    if x.abs() >= 1e9 {
        return format!("{x:.6e}");
    }
    let text = format!("{x:.6}");
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|b| b"0.".contains(&b)) => rest.to_owned(),
        _ => text,
    }
}

/// A count with its noun: `1 link`, `2 links`.
pub(crate) fn count(n: usize, noun: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {noun}{s}")
}

/// Replaces control characters, so that texts of files cannot control the terminal.
pub(crate) fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}
