//! The transformation elements of a node.

use nalgebra::{Matrix4, Rotation3, Unit};

use super::document::Document;
use crate::Diagnostic;
use crate::io::xml::Element;
use crate::math::Vector;

/// What the transformation elements of a node do, one after the other.
pub(super) fn of_node(document: &Document<'_>, node: &Element) -> Result<Matrix4<f64>, Diagnostic> {
    let mut map = Matrix4::identity();
    for element in &node.children {
        if let Some(next) = of_element(document, element)? {
            map *= next;
        }
    }
    Ok(map)
}

/// What an element does, `None` where it is no transformation.
fn of_element(
    document: &Document<'_>,
    element: &Element,
) -> Result<Option<Matrix4<f64>>, Diagnostic> {
    let needed = match element.name.as_str() {
        "matrix" => 16,
        "translate" | "scale" => 3,
        "rotate" => 4,
        "lookat" => 9,
        "skew" => 7,
        _ => return Ok(None),
    };
    let n = document.numbers(element)?;
    if n.len() != needed {
        let message = format!("<{}> needs {needed} numbers, got {}", element.name, n.len());
        return Err(document.error(element, message));
    }
    let vector = |i: usize| Vector::new(n[i], n[i + 1], n[i + 2]);
    let map = match element.name.as_str() {
        "matrix" => {
            let map = Matrix4::from_row_slice(&n);
            if map.row(3) != Matrix4::<f64>::identity().row(3) {
                let message = "the last row of <matrix> must be 0 0 0 1";
                return Err(document.error(element, message));
            }
            map
        }
        "translate" => Matrix4::new_translation(&vector(0)),
        "scale" => Matrix4::new_nonuniform_scaling(&vector(0)),
        // an axis without a direction turns nothing
        "rotate" => Unit::try_new(vector(0), 0.0).map_or_else(Matrix4::identity, |axis| {
            Rotation3::from_axis_angle(&axis, n[3].to_radians()).to_homogeneous()
        }),
        "lookat" => {
            let map = look_at(vector(0), vector(3), vector(6));
            map.ok_or_else(|| document.error(element, "<lookat> looks in no direction"))?
        }
        _ => skew(n[0], vector(1), vector(4)),
    };
    Ok(Some(map))
}

/// The frame of an eye: it looks along its own −z, with y up.
fn look_at(eye: Vector, target: Vector, up: Vector) -> Option<Matrix4<f64>> {
    let z = (eye - target).try_normalize(0.0)?;
    let x = up.cross(&z).try_normalize(0.0)?;
    let mut map = Matrix4::identity();
    for (k, column) in [x, z.cross(&x), z, eye].iter().enumerate() {
        map.fixed_view_mut::<3, 1>(0, k).copy_from(column);
    }
    Some(map)
}

/// Shifts points along `to`, by the tangent of the angle for each metre along `from`.
fn skew(degrees: f64, from: Vector, to: Vector) -> Matrix4<f64> {
    let along = |v: Vector| v.try_normalize(0.0).unwrap_or_default();
    let shear = along(to) * along(from).transpose() * degrees.to_radians().tan();
    let mut map = Matrix4::identity();
    let mut linear = map.fixed_view_mut::<3, 3>(0, 0);
    linear += shear;
    map
}
