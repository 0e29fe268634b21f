//! Plausibility of masses and inertias.

use super::{Warnings, has_mass, size};
use crate::geometry::Geometry;
use crate::math::{Inertia, Pose};

/// Osmium has 22 590 kg/m³; the box around a shape is no smaller than the shape.
const DENSEST: f64 = 23_000.0;
/// A body that is spread over a box has a radius of gyration of at most half of its diagonal, and hardly less than
/// a hundredth of it.
const WIDEST: f64 = 1.0;
const NARROWEST: f64 = 0.005;
/// Bodies below this size, m, or mass, kg, are not checked.
const SMALL: f64 = 1e-6;

/// Checks the inertia of a body with a shape.
pub(super) fn body(label: &str, inertia: &Inertia, shape: Option<&Geometry>, found: &mut Warnings) {
    let Some((shape, edges)) = shape.and_then(|shape| Some((shape, size(shape)?))) else {
        return;
    };
    if !has_mass(inertia) || inertia.mass < SMALL {
        return;
    }
    let diagonal = edges.iter().map(|edge| edge * edge).sum::<f64>().sqrt();
    if diagonal < SMALL {
        return;
    }

    // a flat shape stands for a body of unknown thickness
    let volume: f64 = edges.iter().product();
    let density = inertia.mass / volume;
    if volume > 0.0 && density > DENSEST && edges.iter().all(|edge| *edge > diagonal / 1000.0) {
        let problem = format!(
            "{} kg in a box of {}: that is heavier than any material ({density:.0} kg/m³)",
            inertia.mass,
            metres(&edges)
        );
        found.add(
            label,
            problem,
            "is the mass in grams, or the shape in the wrong unit?",
        );
    }

    let largest = inertia.moment.symmetric_eigenvalues().max();
    let gyration = (largest.max(0.0) / inertia.mass).sqrt();
    if gyration > WIDEST * diagonal {
        let problem = format!(
            "its inertia is that of a body {gyration:.3} m around its centre of mass, but its shape is {} large",
            metres(&edges)
        );
        found.add(
            label,
            problem,
            "check the unit (kg m²), and that it is about the centre of mass",
        );
    } else if largest > 0.0 && gyration < NARROWEST * diagonal {
        let problem = format!(
            "its inertia is that of a body {gyration:.1e} m around its centre of mass, but its shape is {} large",
            metres(&edges)
        );
        found.add(
            label,
            problem,
            "check the unit (kg m²): tiny inertias make a simulation explode",
        );
    }
    if let Some(around) = shape.aabb(&Pose::identity())
        && !around.inflated(diagonal).contains(&inertia.com)
    {
        let com = inertia.com;
        let problem = format!(
            "its centre of mass ({:.3}, {:.3}, {:.3}) lies far outside of its shape",
            com.x, com.y, com.z
        );
        found.add(
            label,
            problem,
            "it is given in the frame of the link, in metres",
        );
    }
}

fn metres(edges: &[f64; 3]) -> String {
    let [x, y, z] = edges;
    format!("{x:.3} × {y:.3} × {z:.3} m")
}
