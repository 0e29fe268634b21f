//! Comma-separated values: lines of cells that know where they stand.

use super::place::Place;

/// The lines of a file that hold something.
#[derive(Debug)]
pub(super) struct Table<'a> {
    /// The first line, if it holds names.
    pub(super) head: Option<Vec<Cell<'a>>>,
    /// The others.
    pub(super) rows: Vec<Vec<Cell<'a>>>,
}

/// What stands between two separators, without blanks and quotes around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell<'a> {
    pub(super) text: &'a str,
    pub(super) place: Place,
}

impl<'a> Table<'a> {
    /// Splits a text at commas, or at semicolons or tabs where its first line has no comma. Blank lines and those that begin
    /// with `#` are skipped.
    pub(super) fn parse(text: &'a str) -> Self {
        let lines = (1..).zip(text.lines());
        let mut lines = lines
            .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
            .peekable();
        let first = lines.peek().map_or("", |(_, line)| line);
        let separator = [',', ';', '\t'].into_iter().find(|c| first.contains(*c));
        let cells = |(number, line)| cells(line, number, separator.unwrap_or(','));
        let mut rows = lines.map(cells).peekable();
        let head = rows.next_if(|row| is_head(row));
        Self {
            head,
            rows: rows.collect(),
        }
    }
}

impl Cell<'_> {
    /// The number that it is, unless it is none or not finite.
    pub(super) fn number(&self) -> Option<f64> {
        self.text.parse().ok().filter(|x: &f64| x.is_finite())
    }
}

/// Whether a line begins with a name, and no other cell is a number but those that may count columns.
fn is_head(row: &[Cell<'_>]) -> bool {
    let is_name = |cell: &Cell<'_>| cell.text.parse::<f64>().is_err();
    row.first().is_some_and(is_name)
        && row
            .iter()
            .all(|cell| is_name(cell) || cell.text.parse::<usize>().is_ok())
}

fn cells(line: &str, number: u32, separator: char) -> Vec<Cell<'_>> {
    let mut column = 1;
    let cell = |part| {
        let inside = str::trim_start(part);
        let indent = part.chars().count() - inside.chars().count();
        let place = Place {
            line: number,
            column: column + to_u32(indent),
        };
        column += to_u32(part.chars().count() + 1);
        let text = inside.trim_end();
        let quoted = text
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'));
        let text = quoted.unwrap_or(text).trim();
        Cell { text, place }
    };
    let mut cells: Vec<Cell<'_>> = line.split(separator).map(cell).collect();
    // some programs end each line with a separator
    cells.pop_if(|cell| cell.text.is_empty());
    cells
}

fn to_u32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX / 2)
}
