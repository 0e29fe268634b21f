//! Mass, centre and moment of inertia of shapes, as shells or as solids.

use std::f64::consts::PI;

use nalgebra::Matrix3;

use super::bounds::Aabb;
use super::check::orthonormal;
use super::mesh::Mesh;
use super::primitive::{Primitive, PrimitiveKind};
use super::{Geometry, Shape};
use crate::math::{Inertia, Point, Pose, Rotation, Vector};
use crate::{Error, Result};

impl Geometry {
    /// Mass, centre of mass and moment of inertia of a body of this shape.
    ///
    /// A part `surface_fraction` of the mass is spread evenly over the surface, the rest evenly over the volume inside: 1
    /// is a thin shell, 0 a solid. Primitives are exact; volumes of meshes are sums of signed tetrahedra. Members
    /// of a group share the mass by their volume or area. A shape without volume, such as an open mesh, has all its
    /// mass on the surface; one without surface has it on its segments or, evenly, on its points.
    ///
    /// Without mass the moment is zero; an empty shape has its centre at the origin and no moment.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a mass that is negative or not finite, or a fraction outside of 0 to 1.
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
    pub fn mass_properties(&self, mass: f64, surface_fraction: f64) -> Result<Inertia> {
        if !(mass.is_finite() && mass >= 0.0) {
            let problem = format!("must be a number from 0 up, got {mass}");
            return Err(Error::invalid("mass", problem));
        }
        if !(0.0..=1.0).contains(&surface_fraction) {
            let problem = format!("must be from 0 to 1, got {surface_fraction}");
            return Err(Error::invalid("surface fraction", problem));
        }
        let mut whole = Moments::default();
        for (extent, part) in [
            (Extent::Area, surface_fraction),
            (Extent::Volume, 1.0 - surface_fraction),
        ] {
            if part > 0.0 {
                whole.add(&self.moments_up_to(extent).scaled_to(part));
            }
        }
        let com = whole.first;
        let spread = (whole.second - com * com.transpose()) * mass;
        Ok(Inertia {
            mass,
            com: com.into(),
            moment: Matrix3::identity() * spread.trace() - spread,
        })
    }

    /// The moments over this extent, or over the next lower one of which the shape has any.
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

/// What mass may be spread over, highest first.
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
    /// From the measure and the mean squares along the axes of a frame in which the centre is the origin.
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

    /// The moments of the shape moved by a pose.
    fn at(&self, pose: &Pose) -> Self {
        let r = pose.rotation.matrix();
        let turned = Self {
            measure: self.measure,
            first: r * self.first,
            second: r * self.second * r.transpose(),
        };
        turned.shifted(&pose.translation.vector)
    }

    /// The same shape with another measure; nothing stays nothing.
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

/// The moments of a cone over a triangle with its tip at the origin, or of the triangle itself.
///
/// `corners` is how many corners the simplex has, tip included.
fn simplex(measure: f64, [a, b, c]: [Vector; 3], corners: f64) -> Moments {
    let sum = a + b + c;
    let squares = a * a.transpose() + b * b.transpose() + c * c.transpose();
    Moments {
        measure,
        first: sum * (measure / corners),
        second: (squares + sum * sum.transpose()) * (measure / (corners * (corners + 1.0))),
    }
}

fn surface(mesh: &Mesh) -> Moments {
    let Some(bounds) = Aabb::around(mesh.corners().flatten()) else {
        return Moments::default();
    };
    // from the middle, where numbers are small
    let middle = bounds.center();
    let flat =
        |[a, b, c]: [Vector; 3]| simplex((b - a).cross(&(c - a)).norm() * 0.5, [a, b, c], 3.0);
    sum_from(mesh, &middle, flat).shifted(&middle.coords)
}

/// The inside of a mesh, as tetrahedra with a common tip; nothing where an open one encloses none that makes sense.
///
/// Where the tip is matters for an open mesh only, and is as in Klampt: the mean of the distinct corners to find the
/// centre, then the centre to find the moments about it.
fn volume(mesh: &Mesh) -> Moments {
    let Some(bounds) = Aabb::around(mesh.corners().flatten()) else {
        return Moments::default();
    };
    let inside_from = |tip: &Point| {
        let cone = |[a, b, c]: [Vector; 3]| simplex(a.dot(&b.cross(&c)) / 6.0, [a, b, c], 4.0);
        let inside = sum_from(mesh, tip, cone);
        // a mesh that is inside out has the same inside
        inside.scaled_to(inside.measure.abs())
    };
    let size = bounds.half_size().norm();
    let makes_sense = |inside: &Moments, center: &Point| {
        inside.measure > 1e-9 * size.powi(3) && bounds.grown(1e-9 * size).contains(center)
    };
    let tip = mean_corner(mesh);
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

/// The mean of the places where a mesh has vertices.
fn mean_corner(mesh: &Mesh) -> Point {
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

/// A sum over triangles, seen from a point.
fn sum_from(mesh: &Mesh, tip: &Point, of: impl Fn([Vector; 3]) -> Moments) -> Moments {
    let mut sum = Moments::default();
    for corners in mesh.corners() {
        sum.add(&of(corners.map(|p| p - tip)));
    }
    sum
}

fn of_primitive(primitive: &Primitive, extent: Extent) -> Moments {
    let place = |center: &Point, axes: &Rotation| Pose::from_parts(center.coords.into(), *axes);
    match (primitive.kind(), extent) {
        (PrimitiveKind::Point(p), Extent::Count) => Moments::of_points(&[*p]),
        (PrimitiveKind::Segment { a, b }, Extent::Length) => {
            let along = (b - a) * (b - a).transpose() / 12.0;
            let length = (b - a).norm();
            let centered = Moments {
                measure: length,
                first: Vector::zeros(),
                second: along * length,
            };
            centered.shifted(&nalgebra::center(a, b).coords)
        }
        // a segment or triangle that has shrunk to a point still is one
        (PrimitiveKind::Segment { a, .. } | PrimitiveKind::Triangle { a, .. }, Extent::Count) => {
            Moments::of_points(&[*a])
        }
        (PrimitiveKind::Triangle { .. } | PrimitiveKind::Polygon { .. }, Extent::Area) => primitive
            .to_mesh()
            .map_or_else(|_| Moments::default(), |mesh| surface(&mesh)),
        (PrimitiveKind::Sphere { center, radius: r }, _) => {
            capsule(extent, *r, 0.0).shifted(&center.coords)
        }
        (PrimitiveKind::Aabb(aabb), _) => {
            cuboid(extent, &(aabb.max - aabb.min)).shifted(&aabb.center().coords)
        }
        (PrimitiveKind::Box { pose, size }, _) => cuboid(extent, size).at(&orthonormal(pose)),
        (PrimitiveKind::Ellipsoid { pose, radii }, _) => {
            ellipsoid(extent, radii).at(&orthonormal(pose))
        }
        (
            PrimitiveKind::Cylinder {
                center,
                axis,
                radius,
                height,
            },
            _,
        ) => cylinder(extent, *radius, *height).at(&place(center, &along(axis))),
        (PrimitiveKind::Capsule { a, b, radius }, _) => {
            let middle = nalgebra::center(a, b);
            capsule(extent, *radius, (b - a).norm()).at(&place(&middle, &along(&(b - a))))
        }
        _ => Moments::default(),
    }
}

/// A rotation that takes z to a direction.
fn along(axis: &Vector) -> Rotation {
    let length = axis.norm();
    if length == 0.0 {
        return Rotation::identity();
    }
    let (u, v) = super::transform::orthogonal_to(&(axis / length));
    Rotation::from_basis_unchecked(&[u, v, axis / length])
}

fn cuboid(extent: Extent, size: &Vector) -> Moments {
    let (squares, volume) = (size.component_mul(size), size.product());
    match extent {
        Extent::Volume => Moments::centered(volume, squares / 12.0),
        Extent::Area => {
            // the two faces across each axis
            let faces = size.map(|s| 2.0 * volume / s);
            let area = faces.sum();
            let sums =
                Vector::from_fn(|k, _| squares[k] * (faces[k] / 4.0 + (area - faces[k]) / 12.0));
            Moments::centered(area, sums / area)
        }
        _ => Moments::default(),
    }
}

fn cylinder(extent: Extent, r: f64, h: f64) -> Moments {
    match extent {
        Extent::Volume => Moments::centered(
            PI * r * r * h,
            Vector::new(r * r / 4.0, r * r / 4.0, h * h / 12.0),
        ),
        Extent::Area => {
            let mut sum = Moments::centered(
                2.0 * PI * r * h,
                Vector::new(r * r / 2.0, r * r / 2.0, h * h / 12.0),
            );
            let ends = Vector::new(r * r / 4.0, r * r / 4.0, h * h / 4.0);
            sum.add(&Moments::centered(2.0 * PI * r * r, ends));
            sum
        }
        _ => Moments::default(),
    }
}

/// A capsule around a segment of length `l` along z; a ball where that is 0.
fn capsule(extent: Extent, r: f64, l: f64) -> Moments {
    // the two half balls, apart by l: their mean |z| from the cut is 3/8 r inside and 1/2 r on the surface
    let ends = |measure: f64, mean_square: f64, mean: f64| {
        let z = mean_square + mean * l + l * l / 4.0;
        Moments::centered(measure, Vector::new(mean_square, mean_square, z))
    };
    let (mut ends, side) = match extent {
        Extent::Volume => (
            ends(4.0 / 3.0 * PI * r.powi(3), r * r / 5.0, 0.375 * r),
            Moments::centered(
                PI * r * r * l,
                Vector::new(r * r / 4.0, r * r / 4.0, l * l / 12.0),
            ),
        ),
        Extent::Area => (
            ends(4.0 * PI * r * r, r * r / 3.0, 0.5 * r),
            Moments::centered(
                2.0 * PI * r * l,
                Vector::new(r * r / 2.0, r * r / 2.0, l * l / 12.0),
            ),
        ),
        _ => return Moments::default(),
    };
    ends.add(&side);
    ends
}

fn ellipsoid(extent: Extent, radii: &Vector) -> Moments {
    let squares = radii.component_mul(radii);
    match extent {
        Extent::Volume => Moments::centered(4.0 / 3.0 * PI * radii.product(), squares / 5.0),
        Extent::Area => {
            // no closed form: simpson's rule along the axis, equal steps around it
            const ALONG: i32 = 512;
            const AROUND: i32 = 64;
            let (mut area, mut sums) = (0.0, Vector::zeros());
            for i in 0..=ALONG {
                let z = 2.0 * f64::from(i) / f64::from(ALONG) - 1.0;
                let weight = if i == 0 || i == ALONG {
                    1.0
                } else {
                    f64::from(2 + 2 * (i % 2))
                };
                for k in 0..AROUND {
                    let (sin, cos) = (2.0 * PI * f64::from(k) / f64::from(AROUND)).sin_cos();
                    let across = (1.0 - z * z).max(0.0).sqrt();
                    let on_ball = Vector::new(across * cos, across * sin, z);
                    let stretch = on_ball.component_div(radii).norm() * weight;
                    area += stretch;
                    sums += on_ball.component_mul(&on_ball).component_mul(&squares) * stretch;
                }
            }
            let step = radii.product() * 4.0 * PI / (3.0 * f64::from(ALONG * AROUND));
            Moments::centered(area * step, sums / area)
        }
        _ => Moments::default(),
    }
}
