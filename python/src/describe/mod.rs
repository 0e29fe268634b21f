//! Texts of `repr`, and tables of `_repr_html_` in `html` and `tables`.

pub(crate) mod html;
mod tables;

use kinworld::geometry::{Aabb, Geometry, Primitive, PrimitiveKind, Shape};
use kinworld::{Pose, Vector};

/// Numbers and names that a `repr` shows of a list before it leaves out the rest.
const SHOWN: usize = 8;

/// A number with at most four decimals, and without zeros at the end; what rounding leaves of zero is zero.
pub(crate) fn number(x: f64) -> String {
    let size = x.abs();
    if !x.is_finite() {
        return x.to_string();
    }
    if size < 1e-12 {
        return "0".to_owned();
    }
    if size >= 1e6 || size < 1e-3 {
        return format!("{x:.3e}");
    }
    let text = format!("{x:.4}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0" } else { short }.to_owned()
}

/// The first of some items, separated by commas.
pub(crate) fn first<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    let mut shown: Vec<String> = items.iter().take(SHOWN).map(text).collect();
    if items.len() > SHOWN {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}

/// The first numbers of a vector, in brackets.
pub(crate) fn numbers(x: &[f64]) -> String {
    format!("[{}]", first(x, |&x| number(x)))
}

/// A point or a vector, in parentheses.
pub(crate) fn triple(x: impl Into<[f64; 3]>) -> String {
    let [x, y, z] = x.into();
    format!("({}, {}, {})", number(x), number(y), number(z))
}

/// "1 robot", "2 robots".
pub(crate) fn count(n: usize, noun: &str) -> String {
    if n == 1 {
        return format!("1 {noun}");
    }
    match noun.strip_suffix("ex") {
        Some(stem) => format!("{n} {stem}ices"),
        None => format!("{n} {noun}s"),
    }
}

/// A string as Python writes it.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// The first names of a list, quoted.
pub(crate) fn names<T: AsRef<str>>(names: &[T]) -> String {
    first(names, |name| quoted(name.as_ref()))
}

/// A shape with its size.
pub(crate) fn shape(geometry: &Geometry) -> String {
    let text = match geometry.shape() {
        Shape::Primitive(shape) => primitive(shape),
        Shape::Mesh(mesh) => format!(
            "mesh of {}, {}",
            count(mesh.triangles().len(), "triangle"),
            bounds(geometry)
        ),
        Shape::Hull(hull) => format!(
            "convex hull of {}, {}",
            count(hull.vertices().len(), "vertex"),
            bounds(geometry)
        ),
        Shape::Cloud(cloud) => format!(
            "cloud of {}, {}",
            count(cloud.points().len(), "point"),
            bounds(geometry)
        ),
        Shape::Group(members) => format!("group of {}, {}", members.len(), bounds(geometry)),
        _ => bounds(geometry),
    };
    let margin = geometry.margin();
    if margin > 0.0 {
        return format!("{text}, margin {} m", number(margin));
    }
    text
}

/// The shape of an element that may have none.
pub(crate) fn shape_or_none(geometry: Option<&Geometry>) -> String {
    geometry.map_or_else(|| "no geometry".to_owned(), shape)
}

fn primitive(primitive: &Primitive) -> String {
    let name = primitive.name();
    match primitive.kind() {
        PrimitiveKind::Aabb(Aabb { min, max }) => format!("{name} {}", size(&(max - min))),
        PrimitiveKind::Box { size: edges, .. } => format!("{name} {}", size(edges)),
        PrimitiveKind::Capsule { a, b, radius } => format!(
            "{name} of radius {} m, {} m between its centres",
            number(*radius),
            number((b - a).norm())
        ),
        PrimitiveKind::Cylinder { radius, height, .. } => format!(
            "{name} of radius {} m, height {} m",
            number(*radius),
            number(*height)
        ),
        PrimitiveKind::Ellipsoid { radii, .. } => format!("{name} of half-axes {}", size(radii)),
        PrimitiveKind::Point(p) => format!("{name} {}", triple(p.coords)),
        PrimitiveKind::Polygon { vertices } => {
            format!("{name} of {} vertices", vertices.len())
        }
        PrimitiveKind::Segment { a, b } => {
            format!("{name} {} to {}", triple(a.coords), triple(b.coords))
        }
        PrimitiveKind::Sphere { radius, .. } => format!("{name} of radius {} m", number(*radius)),
        _ => name.to_owned(),
    }
}

fn size(edges: &Vector) -> String {
    let [x, y, z] = (*edges).into();
    format!("{} x {} x {} m", number(x), number(y), number(z))
}

fn bounds(geometry: &Geometry) -> String {
    match geometry.aabb(&Pose::identity()) {
        Some(Aabb { min, max }) => size(&(max - min)),
        None => "empty".to_owned(),
    }
}
