//! The transformation elements of a node.

use nalgebra::{Matrix3, Matrix4, Rotation3, Unit};

use super::document::Document;
use crate::Diagnostic;
use crate::io::xml::Element;
use crate::math::Vector;

/// Product of the transformation elements of a node, in order.
pub(super) fn of_node(document: &Document<'_>, node: &Element) -> Result<Matrix4<f64>, Diagnostic> {
    let mut map = Matrix4::identity();
    for element in &node.children {
        if let Some(next) = of_element(document, element)? {
            map *= next;
        }
    }
    Ok(map)
}

/// The matrix of an element; `None` if it is not a transformation.
fn of_element(
    document: &Document<'_>,
    element: &Element,
) -> Result<Option<Matrix4<f64>>, Diagnostic> {
    let map = match element.name.as_str() {
        "matrix" => {
            let map = Matrix4::from_row_slice(&numbers::<16>(document, element)?);
            if map.row(3) != Matrix4::<f64>::identity().row(3) {
                let message = "the last row of <matrix> must be 0 0 0 1";
                return Err(document.error(element, message));
            }
            map
        }
        "translate" => Matrix4::new_translation(&numbers(document, element)?.into()),
        "scale" => Matrix4::new_nonuniform_scaling(&numbers(document, element)?.into()),
        "rotate" => {
            let [x, y, z, degrees] = numbers(document, element)?;
            // a rotation about a zero axis is the identity
            let axis = Unit::try_new(Vector::new(x, y, z), 0.0);
            axis.map_or_else(Matrix4::identity, |axis| {
                Rotation3::from_axis_angle(&axis, degrees.to_radians()).to_homogeneous()
            })
        }
        "lookat" => {
            let rows = Matrix3::from_row_slice(&numbers::<9>(document, element)?);
            let [eye, target, up] = [0, 1, 2].map(|i| rows.row(i).transpose());
            let map = look_at(eye, target, up);
            map.ok_or_else(|| document.error(element, "<lookat> has no direction"))?
        }
        "skew" => {
            let [degrees, a, b, c, x, y, z] = numbers(document, element)?;
            skew(degrees, Vector::new(a, b, c), Vector::new(x, y, z))
        }
        _ => return Ok(None),
    };
    Ok(Some(map))
}

/// Exactly `N` numbers of an element.
fn numbers<const N: usize>(
    document: &Document<'_>,
    element: &Element,
) -> Result<[f64; N], Diagnostic> {
    let numbers = document.numbers(element)?;
    numbers.try_into().map_err(|numbers: Vec<f64>| {
        let n = numbers.len();
        let message = format!("<{}> needs {N} numbers, got {n}", element.name);
        document.error(element, message)
    })
}

/// Frame of a camera: it looks along its own −z, with y up.
fn look_at(eye: Vector, target: Vector, up: Vector) -> Option<Matrix4<f64>> {
    let z = (eye - target).try_normalize(0.0)?;
    let x = up.cross(&z).try_normalize(0.0)?;
    let mut map = Matrix4::identity();
    for (k, column) in [x, z.cross(&x), z, eye].iter().enumerate() {
        map.fixed_view_mut::<3, 1>(0, k).copy_from(column);
    }
    Some(map)
}

/// Shear along `to` by the tangent of the angle per metre along `from`.
fn skew(degrees: f64, from: Vector, to: Vector) -> Matrix4<f64> {
    let along = |v: Vector| v.try_normalize(0.0).unwrap_or_default();
    let shear = along(to) * along(from).transpose() * degrees.to_radians().tan();
    let mut map = Matrix4::identity();
    let mut linear = map.fixed_view_mut::<3, 3>(0, 0);
    linear += shear;
    map
}
