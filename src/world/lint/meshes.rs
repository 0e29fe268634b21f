//! Suitability of meshes for collision tests.

use super::{Warnings, size};
use crate::geometry::{Geometry, Shape};

/// Largest number of triangles for a collision shape.
const MAX_TRIANGLES: usize = 200_000;
/// Largest plausible size of a link or an object, m.
const LARGE: f64 = 50.0;
/// Smallest plausible size, m.
const SMALL: f64 = 1e-4;

/// Checks a shape; `is_part` for links and objects, which should be solid and of plausible size.
pub(super) fn shape(label: &str, shape: Option<&Geometry>, is_part: bool, found: &mut Warnings) {
    let Some(shape) = shape else { return };
    let n = shape.n_triangles();
    if n > MAX_TRIANGLES {
        let problem = format!("its shape has {n} triangles");
        found.add(
            label,
            problem,
            "use a simpler mesh for collision, and keep this one as visual geometry",
        );
    }
    if !is_part {
        return;
    }
    let longest = size(shape).map(|edges| edges.into_iter().fold(0.0, f64::max));
    if let Some(longest) = longest {
        if longest > LARGE {
            let problem = format!("its shape is {longest:.1} m long");
            found.add(
                label,
                problem,
                "is the mesh in millimetres? scale it by 0.001",
            );
        } else if longest < SMALL {
            let problem = format!("its shape is {longest:.1e} m long");
            found.add(label, problem, "was the mesh scaled twice?");
        }
    }
    let (open, all) = open_meshes(shape);
    if open > 0 {
        let problem = match all {
            1 => "its mesh has holes".to_owned(),
            all => format!("{open} of its {all} meshes have holes"),
        };
        found.add(
            label,
            problem,
            "shapes wholly inside are not found to collide, and masses from the volume are wrong",
        );
    }
}

/// Number of meshes of a shape that are not closed, and number of all its meshes.
fn open_meshes(shape: &Geometry) -> (usize, usize) {
    match shape.shape() {
        Shape::Mesh(mesh) if mesh.triangles().len() <= MAX_TRIANGLES => {
            (usize::from(!mesh.is_closed()), 1)
        }
        Shape::Mesh(_) => (0, 1),
        Shape::Group(members) => members.iter().fold((0, 0), |(open, all), (_, member)| {
            let (more, of) = open_meshes(member);
            (open + more, all + of)
        }),
        _ => (0, 0),
    }
}
