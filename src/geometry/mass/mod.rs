//! Mass, centre of mass and moment of inertia of shapes, as shells or as solids.

mod primitive;

use nalgebra::Matrix3;

use super::bounds::Aabb;
use super::check::orthonormal;
use super::mesh::Mesh;
use super::{Geometry, Shape};
use crate::math::{Digits, Inertia, Point, Pose, Vector};
use crate::{Error, Result};
use primitive::of_primitive;

impl Geometry {
    /// Mass, centre of mass and moment of inertia of a body of this shape.
    ///
    /// A fraction `surface_fraction` of the mass is spread evenly over the surface, the rest evenly over the enclosed
    /// volume: 1 is a thin shell, 0 a solid. Primitives are exact; volumes of meshes are sums of signed tetrahedra.
    /// Members of a group share the mass by their volume or area. A shape without volume, such as an open mesh, has all
    /// its mass on the surface; one without surface has it on its segments or, evenly, on its points.
    ///
    /// Without mass the moment is zero; an empty shape has its centre at the origin and zero moment.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a mass that is negative or not finite, or a fraction outside 0 to 1.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::geometry::{Geometry, Primitive};
    /// use kinworld::{Pose, Vector};
    ///
    /// let cube = Geometry::from(Primitive::cuboid(Pose::identity(), Vector::new(1.0, 1.0, 1.0))?);
    /// let (solid, shell) = (cube.mass_properties(6.0, 0.0)?, cube.mass_properties(6.0, 1.0)?);
    /// assert!((solid.moment[(0, 0)] - 1.0).abs() < 1e-12); // m s² / 6
    /// assert!((shell.moment[(0, 0)] - 5.0 / 3.0).abs() < 1e-12); // 5 m s² / 18
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[doc(alias = "estimateMass")]
    #[doc(alias = "compute_inertia")]
    pub fn mass_properties(&self, mass: f64, surface_fraction: f64) -> Result<Inertia> {
        if !(mass.is_finite() && mass >= 0.0) {
            let problem = format!("must be a number from 0 up, got {}", Digits(mass));
            return Err(Error::invalid("mass", problem));
        }
        if !(0.0..=1.0).contains(&surface_fraction) {
            let problem = format!("must be from 0 to 1, got {}", Digits(surface_fraction));
            return Err(Error::invalid("surface fraction", problem));
        }
        let mut total = Moments::default();
        for (extent, part) in [
            (Extent::Area, surface_fraction),
            (Extent::Volume, 1.0 - surface_fraction),
        ] {
            if part > 0.0 {
                total.add(&self.moments_up_to(extent).scaled_to(part));
            }
        }
        let com = total.first;
        let spread = (total.second - com * com.transpose()) * mass;
        Ok(Inertia {
            mass,
            com: com.into(),
            moment: Matrix3::identity() * spread.trace() - spread,
        })
    }

    /// Volume, m³; 0 for what has none.
    pub(crate) fn volume(&self) -> f64 {
        self.moments(Extent::Volume).measure
    }

    /// Moments over this extent, or over the next lower one of which the shape has any.
    fn moments_up_to(&self, highest: Extent) -> Moments {
        [Extent::Volume, Extent::Area, Extent::Length, Extent::Count]
            .into_iter()
            .filter(|&extent| extent >= highest)
            .map(|extent| self.moments(extent))
            .find(|moments| moments.measure > 0.0)
            .unwrap_or_default()
    }

    fn moments(&self, extent: Extent) -> Moments {
        match (self.shape(), extent) {
            (Shape::Mesh(mesh), Extent::Area) => surface(mesh),
            (Shape::Mesh(mesh), Extent::Volume) => volume(mesh),
            (Shape::Hull(hull), Extent::Area) => surface(hull.surface()),
            (Shape::Hull(hull), Extent::Volume) => volume(hull.surface()),
            (Shape::Cloud(cloud), Extent::Count) => Moments::of_points(cloud.points()),
            (Shape::Primitive(primitive), _) => of_primitive(primitive, extent),
            (Shape::Group(members), _) => {
                let mut sum = Moments::default();
                for (pose, member) in members {
                    sum.add(&member.moments(extent).at(&orthonormal(pose)));
                }
                sum
            }
            _ => Moments::default(),
        }
    }
}

/// Extents over which mass is spread, highest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Extent {
    Volume,
    Area,
    Length,
    Count,
}

/// Integrals of 1, p and p pᵀ over an extent.
#[derive(Clone, Copy, Default)]
struct Moments {
    measure: f64,
    first: Vector,
    second: Matrix3<f64>,
}

impl Moments {
    /// Moments from the measure and the mean squares along the axes of a centred frame.
    fn centered(measure: f64, mean_squares: Vector) -> Self {
        Self {
            measure,
            first: Vector::zeros(),
            second: Matrix3::from_diagonal(&(mean_squares * measure)),
        }
    }

    fn of_points(points: &[Point]) -> Self {
        let mut sum = Self::default();
        for p in points {
            sum.add(&Self::centered(1.0, Vector::zeros()).shifted(&p.coords));
        }
        sum
    }

    fn add(&mut self, other: &Self) {
        self.measure += other.measure;
        self.first += other.first;
        self.second += other.second;
    }

    fn shifted(&self, by: &Vector) -> Self {
        let mixed = self.first * by.transpose();
        Self {
            measure: self.measure,
            first: self.first + by * self.measure,
            second: self.second + mixed + mixed.transpose() + by * by.transpose() * self.measure,
        }
    }

    /// Moments of the shape moved by a pose.
    fn at(&self, pose: &Pose) -> Self {
        let r = pose.rotation.matrix();
        let rotated = Self {
            measure: self.measure,
            first: r * self.first,
            second: r * self.second * r.transpose(),
        };
        rotated.shifted(&pose.translation.vector)
    }

    /// The same distribution scaled to another measure; zero stays zero.
    fn scaled_to(&self, measure: f64) -> Self {
        if self.measure == 0.0 {
            return *self;
        }
        let factor = measure / self.measure;
        Self {
            measure,
            first: self.first * factor,
            second: self.second * factor,
        }
    }
}

/// Moments of a cone over a triangle with its apex at the origin, or of the triangle itself.
///
/// `vertices` is the number of vertices of the simplex, apex included.
fn simplex(measure: f64, [a, b, c]: [Vector; 3], vertices: f64) -> Moments {
    let sum = a + b + c;
    let squares = a * a.transpose() + b * b.transpose() + c * c.transpose();
    Moments {
        measure,
        first: sum * (measure / vertices),
        second: (squares + sum * sum.transpose()) * (measure / (vertices * (vertices + 1.0))),
    }
}

fn surface(mesh: &Mesh) -> Moments {
    let Some(bounds) = Aabb::around(mesh.triangle_vertices().flatten()) else {
        return Moments::default();
    };
    // about the centre, where coordinates are small
    let middle = bounds.center();
    let flat =
        |[a, b, c]: [Vector; 3]| simplex((b - a).cross(&(c - a)).norm() * 0.5, [a, b, c], 3.0);
    sum_from(mesh, &middle, flat).shifted(&middle.coords)
}

/// Moments of the enclosed volume, as tetrahedra with a common apex; zero where an open mesh encloses no plausible
/// volume.
///
/// The choice of the apex matters for an open mesh only, and is as in Klampt: the mean of the distinct vertices to find
/// the centre, then the centre to find the moments about it.
fn volume(mesh: &Mesh) -> Moments {
    let Some(bounds) = Aabb::around(mesh.triangle_vertices().flatten()) else {
        return Moments::default();
    };
    let inside_from = |tip: &Point| {
        let cone = |[a, b, c]: [Vector; 3]| simplex(a.dot(&b.cross(&c)) / 6.0, [a, b, c], 4.0);
        let inside = sum_from(mesh, tip, cone);
        // an inverted mesh encloses the same volume
        inside.scaled_to(inside.measure.abs())
    };
    let size = bounds.half_size().norm();
    let makes_sense = |inside: &Moments, center: &Point| {
        inside.measure > 1e-9 * size.powi(3) && bounds.inflated(1e-9 * size).contains(center)
    };
    let tip = mean_vertex(mesh);
    let rough = inside_from(&tip);
    let center = tip + rough.first / rough.measure;
    if !makes_sense(&rough, &center) {
        return Moments::default();
    }
    let inside = inside_from(&center);
    let about_center = Moments {
        first: Vector::zeros(),
        ..inside
    };
    if makes_sense(&inside, &center) {
        about_center.shifted(&center.coords)
    } else {
        Moments::default()
    }
}

/// Mean of the distinct vertex positions of a mesh.
fn mean_vertex(mesh: &Mesh) -> Point {
    let distinct = (0_u32..)
        .zip(mesh.welded_vertices())
        .filter(|(i, first)| i == first);
    let (mut count, mut sum) = (0.0, Vector::zeros());
    for (i, _) in distinct {
        count += 1.0;
        sum += mesh.vertices()[i as usize].coords;
    }
    Point::from(sum / count)
}

/// Sums a function of the triangles relative to a point.
fn sum_from(mesh: &Mesh, tip: &Point, of: impl Fn([Vector; 3]) -> Moments) -> Moments {
    let mut sum = Moments::default();
    for vertices in mesh.triangle_vertices() {
        sum.add(&of(vertices.map(|p| p - tip)));
    }
    sum
}
