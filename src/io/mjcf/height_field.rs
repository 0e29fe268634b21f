//! Height fields: a grid of elevations as a closed solid.

use super::asset::Shelf;
use super::document::Node;
use super::fields::Fields;
use crate::Diagnostic;
use crate::geometry::{Geometry, Mesh};
use crate::io::context::Context;
use crate::io::resolve::Referrer;
use crate::math::Point;

/// Most elevations of one field.
const MOST: usize = 1 << 24;

/// Elevations, row by row from -y.
struct Grid {
    rows: usize,
    columns: usize,
    heights: Vec<f64>,
}

/// The solid of an `<hfield>`, `None` where it is not loaded.
pub(super) fn read(
    context: &mut Context<'_>,
    shelf: Shelf<'_, '_>,
    node: &Node,
    name: &str,
) -> Result<Option<Geometry>, Diagnostic> {
    let subject = format!("hfield `{name}`");
    let fields = Fields::plain(node, &subject, shelf.document, shelf.notes);
    let Some(size) = fields.numbers::<4>("size")? else {
        return Err(fields.error("<hfield> needs the attribute `size`"));
    };
    if size.iter().any(|x| *x <= 0.0) {
        return Err(fields.error_at("size", "all four numbers of `size` must be positive"));
    }
    if !context.options().load_geometry {
        return Ok(None);
    }
    let grid = match fields.word("file") {
        Some(file) => of_file(context, shelf, fields, file)?,
        None => Some(of_attributes(fields)?),
    };
    let Some(grid) = grid else {
        return Ok(None);
    };
    let mesh = solid(&normalized(grid), size);
    let mesh = mesh.map_err(|error| fields.error(error.to_string()))?;
    Ok(Some(Geometry::from(mesh).with_solid(true)))
}

/// The elevations of the element itself; without any they are 0.
fn of_attributes(fields: Fields<'_, '_>) -> Result<Grid, Diagnostic> {
    let count = |name: &str| -> Result<usize, Diagnostic> {
        let n = fields.number(name)?.unwrap_or(0.0);
        let is_count = (2.0..=MOST as f64).contains(&n) && n.fract() == 0.0;
        let problem = || format!("`{name}` must be a whole number from 2 to {MOST}, got {n}");
        is_count
            .then_some(n as usize)
            .ok_or_else(|| fields.error_at(name, problem()))
    };
    let (rows, columns) = (count("nrow")?, count("ncol")?);
    if rows.saturating_mul(columns) > MOST {
        let problem = format!("it has more than {MOST} elevations");
        return Err(fields.error(problem));
    }
    let heights = match fields.list("elevation")? {
        // the first row of the text is the one at +y
        Some(list) if list.len() == rows * columns => {
            list.chunks(columns).rev().flatten().copied().collect()
        }
        Some(list) => {
            let problem = format!(
                "`elevation` needs {rows} times {columns} numbers, got {}",
                list.len()
            );
            return Err(fields.error_at("elevation", problem));
        }
        None => vec![0.0; rows * columns],
    };
    Ok(Grid {
        rows,
        columns,
        heights,
    })
}

/// The elevations of a file: two counts and single precision numbers, or an image.
fn of_file(
    context: &mut Context<'_>,
    shelf: Shelf<'_, '_>,
    fields: Fields<'_, '_>,
    file: &str,
) -> Result<Option<Grid>, Diagnostic> {
    let file = shelf.settings.mesh_file(file);
    let place = fields.place("file");
    let named = |error: Diagnostic| {
        let path = shelf.notes.path(place.file);
        error.named_at(path, place.position.line, place.position.column)
    };
    let from = Referrer::new(shelf.notes.path(shelf.document.file));
    let path = context.find(from, &file).map_err(named)?;
    if path
        .extension()
        .is_some_and(|suffix| suffix.eq_ignore_ascii_case("png"))
    {
        let gray = context.gray_image(&path).map_err(named)?;
        let Some((columns, rows, pixels)) = gray else {
            fields.warn("images of heights are read only by builds with the feature `heightmap`; it is left out");
            return Ok(None);
        };
        let heights = pixels.chunks(columns.max(1)).rev().flatten();
        let heights = heights.copied().collect();
        return Ok(Some(Grid {
            rows,
            columns,
            heights,
        }));
    }
    let bytes = context.read_bytes(&path).map_err(named)?;
    let refuse = |problem: String| fields.error_at("file", format!("`{file}` {problem}"));
    let words = bytes.as_chunks::<4>().0;
    let count = |i: usize| {
        let n = words.get(i).map_or(0, |word| i32::from_le_bytes(*word));
        usize::try_from(n).unwrap_or(0)
    };
    let (rows, columns) = (count(0), count(1));
    let expected = rows.checked_mul(columns).filter(|n| *n <= MOST);
    if rows < 2 || columns < 2 || expected.map(|n| 4 * (2 + n)) != Some(bytes.len()) {
        let problem = "is no height field: two counts, then as many numbers of single precision";
        return Err(refuse(problem.to_owned()));
    }
    let heights = words
        .iter()
        .skip(2)
        .map(|word| f64::from(f32::from_le_bytes(*word)));
    let heights: Vec<f64> = heights.collect();
    if heights.iter().any(|x| !x.is_finite()) {
        return Err(refuse("has an elevation that is not finite".to_owned()));
    }
    Ok(Some(Grid {
        rows,
        columns,
        heights,
    }))
}

/// The elevations from 0 to 1.
fn normalized(mut grid: Grid) -> Grid {
    let low = grid.heights.iter().copied().fold(f64::INFINITY, f64::min);
    let high = grid
        .heights
        .iter()
        .copied()
        .fold(f64::NEG_INFINITY, f64::max);
    for height in &mut grid.heights {
        *height = if high > low {
            (*height - low) / (high - low)
        } else {
            0.0
        };
    }
    grid
}

/// The solid under the elevations, down to `-depth`.
fn solid(grid: &Grid, [x, y, top, depth]: [f64; 4]) -> crate::Result<Mesh> {
    let Grid { rows, columns, .. } = *grid;
    let along = |i: usize, n: usize, half: f64| half * (2.0 * i as f64 / (n - 1) as f64 - 1.0);
    let plane = |z: &dyn Fn(usize) -> f64| -> Vec<Point> {
        (0..rows * columns)
            .map(|k| {
                let (row, column) = (k / columns, k % columns);
                Point::new(along(column, columns, x), along(row, rows, y), z(k))
            })
            .collect()
    };
    let mut vertices = plane(&|k| top * grid.heights.get(k).copied().unwrap_or(0.0));
    vertices.extend(plane(&|_| -depth));
    let below = rows * columns;
    let mut triangles = Vec::with_capacity(4 * below);
    let mut quad = |a: usize, b: usize, c: usize, d: usize| {
        let [a, b, c, d] = [a, b, c, d].map(|i| i as u32);
        triangles.extend([[a, b, c], [a, c, d]]);
    };
    for row in 0..rows - 1 {
        for column in 0..columns - 1 {
            let a = row * columns + column;
            quad(a, a + 1, a + 1 + columns, a + columns);
            let b = below + a;
            quad(b, b + columns, b + 1 + columns, b + 1);
        }
    }
    for column in 0..columns - 1 {
        let (a, b) = (column, (rows - 1) * columns + column);
        quad(below + a, below + a + 1, a + 1, a);
        quad(below + b + 1, below + b, b, b + 1);
    }
    for row in 0..rows - 1 {
        let (a, b) = (row * columns, row * columns + columns - 1);
        quad(below + a + columns, below + a, a, a + columns);
        quad(below + b, below + b + columns, b + columns, b);
    }
    Mesh::new(vertices, triangles)
}
