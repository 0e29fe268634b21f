//! Comma-separated values: rows of cells with their positions.

use super::position::Position;

/// The lines of a file that are not blank.
#[derive(Debug)]
pub(super) struct Table<'a> {
    /// The first line, if it holds names.
    pub(super) head: Option<Vec<Cell<'a>>>,
    /// The others.
    pub(super) rows: Vec<Vec<Cell<'a>>>,
}

/// Text between two separators, without spaces and quotes around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell<'a> {
    pub(super) text: &'a str,
    pub(super) position: Position,
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
    /// The cell as a finite number.
    pub(super) fn number(&self) -> Option<f64> {
        self.text.parse().ok().filter(|x: &f64| x.is_finite())
    }
}

/// True if a line begins with a name, and has no other numbers than those that may count columns.
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
        let position = Position {
            line: number,
            column: column + to_u32(indent),
        };
        column += to_u32(part.chars().count() + 1);
        let text = inside.trim_end();
        let quoted = text
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'));
        let text = quoted.unwrap_or(text).trim();
        Cell { text, position }
    };
    let mut cells: Vec<Cell<'_>> = line.split(separator).map(cell).collect();
    // some programs end each line with a separator
    cells.pop_if(|cell| cell.text.is_empty());
    cells
}

fn to_u32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX / 2)
}
