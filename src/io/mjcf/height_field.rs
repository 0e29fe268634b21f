//! Height fields: a grid of elevations as a closed solid.

use super::asset::Shelf;
use super::document::Node;
use super::fields::Fields;
use crate::Diagnostic;
use crate::geometry::Geometry;
use crate::io::context::Context;
use crate::io::heights::Heights;
use crate::io::resolve::Referrer;

/// Most elevations of one field.
const MOST: usize = 1 << 24;

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
    let [x, y, top, depth] = size;
    let mesh = scaled(grid, top).solid([x, y], -depth);
    let mesh = mesh.map_err(|error| fields.error(error.to_string()))?;
    Ok(Some(Geometry::from(mesh).with_solid(true)))
}

/// The elevations of the element itself; without any they are 0.
fn of_attributes(fields: Fields<'_, '_>) -> Result<Heights, Diagnostic> {
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
    Ok(Heights {
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
) -> Result<Option<Heights>, Diagnostic> {
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
        let Some(image) = gray else {
            fields.warn("images of heights are read only by builds with the feature `heightmap`; it is left out");
            return Ok(None);
        };
        return Ok(Some(Heights::of_image(image)));
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
    Ok(Some(Heights {
        rows,
        columns,
        heights,
    }))
}

/// The elevations from 0 to `top`.
fn scaled(mut grid: Heights, top: f64) -> Heights {
    let low = grid.heights.iter().copied().fold(f64::INFINITY, f64::min);
    let high = grid
        .heights
        .iter()
        .copied()
        .fold(f64::NEG_INFINITY, f64::max);
    for height in &mut grid.heights {
        *height = if high > low {
            top * ((*height - low) / (high - low))
        } else {
            0.0
        };
    }
    grid
}
