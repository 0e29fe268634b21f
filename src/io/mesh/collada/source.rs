//! Points in `<source>` elements.

use std::rc::Rc;

use super::document::{Document, child, children, descend};
use crate::Diagnostic;
use crate::io::fields::shortened;
use crate::io::xml::Element;
use crate::math::Point;

/// The points of a `<source>`, as its accessor describes them.
pub(super) fn points(document: &Document<'_>, source: &Element) -> Result<Rc<[Point]>, Diagnostic> {
    let accessor = descend(source, &["technique_common", "accessor"]);
    let wanted = accessor.and_then(|accessor| accessor.attribute("source"));
    let by_id =
        wanted.and_then(|array| document.by_id("float_array", array.value.strip_prefix('#')?));
    let Some(array) = by_id.or_else(|| child(source, "float_array")) else {
        return Err(document.error(source, "positions need a <float_array>"));
    };
    if let (Some(accessor), Some(wanted), None) = (accessor, wanted, by_id) {
        let wanted = shortened(&wanted.value);
        let warning = format!(
            "there is no <float_array> `{wanted}`; the one of its <source> is read instead"
        );
        document.warn(accessor, warning);
    }
    let numbers = document.numbers(array)?;
    let number = |name: &str| match accessor {
        Some(accessor) => document.count(accessor, name),
        None => Ok(None),
    };
    let (stride, offset) = (number("stride")?, number("offset")?.unwrap_or(0));
    let axes = accessor.map_or([0, 1, 2], axes);
    // the format's default stride is 1, but files that omit it mean 3
    let stride = stride.unwrap_or(3);
    if axes.iter().any(|&axis| axis >= stride) {
        let at = accessor.unwrap_or(source);
        let message = format!("positions need 3 numbers each, the stride is {stride}");
        return Err(document.error(at, message));
    }
    let body = numbers.get(offset..).unwrap_or(&[]);
    let fit = body.chunks_exact(stride);
    let n = number("count")?.unwrap_or(fit.len());
    if n > fit.len() {
        let n_present = fit.len();
        let message = format!("the numbers of <float_array> end after {n_present} of {n} points");
        return Err(document.error(array, message));
    }
    Ok(fit
        .take(n)
        .map(|row| Point::from(axes.map(|axis| row.get(axis).copied().unwrap_or_default())))
        .collect())
}

/// Indices of x, y and z among the numbers of a point.
fn axes(accessor: &Element) -> [usize; 3] {
    let params: Vec<Option<&str>> = children(accessor, "param")
        .map(|param| param.attribute("name").map(|name| name.value.as_str()))
        .collect();
    let by_name = ["X", "Y", "Z"].map(|axis| {
        let is_axis = |name: &Option<&str>| name.is_some_and(|n| n.eq_ignore_ascii_case(axis));
        params.iter().position(is_axis)
    });
    match by_name {
        [Some(x), Some(y), Some(z)] => [x, y, z],
        _ => [0, 1, 2],
    }
}
