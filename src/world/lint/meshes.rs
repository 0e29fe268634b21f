//! Whether meshes are fit for collision tests.

use super::{Findings, size};
use crate::geometry::{Geometry, Shape};

/// More triangles than a collision test should have to look at.
const MANY: usize = 200_000;
/// A part of a robot, or a thing that it handles, is not larger than this many metres.
const LARGE: f64 = 50.0;
/// Nor smaller than this.
const SMALL: f64 = 1e-4;

/// Remarks on a shape; `is_part` for those that should be solid and of a size to be moved.
pub(super) fn shape(label: &str, shape: Option<&Geometry>, is_part: bool, found: &mut Findings) {
    let Some(shape) = shape else { return };
    let n = shape.n_triangles();
    if n > MANY {
        let problem = format!("its shape has {n} triangles");
        found.add(
            label,
            problem,
            "collide with a simpler mesh, and keep this one to look at",
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
            "what is wholly inside is not found to collide, and masses from the volume are wrong",
        );
    }
}

/// How many of the meshes of a shape are not closed, and how many there are.
fn open_meshes(shape: &Geometry) -> (usize, usize) {
    match shape.shape() {
        Shape::Mesh(mesh) if mesh.triangles().len() <= MANY => (usize::from(!mesh.is_closed()), 1),
        Shape::Mesh(_) => (0, 1),
        Shape::Group(members) => members.iter().fold((0, 0), |(open, all), (_, member)| {
            let (more, of) = open_meshes(member);
            (open + more, all + of)
        }),
        _ => (0, 0),
    }
}
