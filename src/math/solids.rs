//! Inertia of homogeneous solids.

use nalgebra::Matrix3;

use super::{Inertia, Point, Vector};
use crate::{Error, Result};

/// Homogeneous solids, with the centre of mass at the origin of the frame and the axis along z, as in URDF; see
/// [`transformed`](Self::transformed) for another pose. Shells, hulls and meshes: see
/// [`Geometry::mass_properties`](crate::Geometry::mass_properties).
///
/// # Examples
///
/// ```
/// use kinworld::math::Inertia;
/// use kinworld::{Pose, Vector};
///
/// let rod = Inertia::rod(3.0, 2.0)?;
/// assert_eq!(rod.moment[(0, 0)], 1.0); // m l² / 12
///
/// // about one end: m l² / 3
/// let end = rod.transformed(&Pose::translation(0.0, 0.0, 1.0));
/// assert_eq!(end.moment_about(&kinworld::Point::origin())[(0, 0)], 4.0);
/// # Ok::<(), kinworld::Error>(())
/// ```
impl Inertia {
    /// A box from its mass, kg, and its edge lengths, m.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a mass that is negative or not finite, or sizes that are not positive and finite.
    #[doc(alias = "box")]
    pub fn cuboid(mass: f64, size: Vector) -> Result<Self> {
        let what = "inertia of a box";
        check(
            what,
            mass,
            &[
                ("edge length", size.x),
                ("edge length", size.y),
                ("edge length", size.z),
            ],
        )?;
        Ok(Self::from_mean_squares(
            mass,
            size.component_mul(&size) / 12.0,
        ))
    }

    /// A sphere from its mass, kg, and its radius, m.
    ///
    /// # Errors
    ///
    /// As [`cuboid`](Self::cuboid).
    pub fn sphere(mass: f64, radius: f64) -> Result<Self> {
        check("inertia of a sphere", mass, &[("radius", radius)])?;
        Ok(Self::from_mean_squares(
            mass,
            Vector::repeat(radius * radius / 5.0),
        ))
    }

    /// A cylinder along z from its mass, kg, its radius and its height, m.
    ///
    /// # Errors
    ///
    /// As [`cuboid`](Self::cuboid).
    pub fn cylinder(mass: f64, radius: f64, height: f64) -> Result<Self> {
        check(
            "inertia of a cylinder",
            mass,
            &[("radius", radius), ("height", height)],
        )?;
        let across = radius * radius / 4.0;
        Ok(Self::from_mean_squares(
            mass,
            Vector::new(across, across, height * height / 12.0),
        ))
    }

    /// A capsule along z from its mass, kg, its radius, and the length of its cylinder without the ends, m.
    ///
    /// # Errors
    ///
    /// As [`cuboid`](Self::cuboid).
    pub fn capsule(mass: f64, radius: f64, length: f64) -> Result<Self> {
        check(
            "inertia of a capsule",
            mass,
            &[("radius", radius), ("length", length)],
        )?;
        let square = radius * radius;

        // of the mass, this part is in the two hemispheres; the mean of |z| from their cuts is 3/8 r
        let ends = 4.0 / 3.0 * radius / (4.0 / 3.0 * radius + length);
        let side = 1.0 - ends;
        let across = side * square / 4.0 + ends * square / 5.0;
        let along = side * length * length / 12.0
            + ends * (square / 5.0 + 0.375 * radius * length + length * length / 4.0);
        Ok(Self::from_mean_squares(
            mass,
            Vector::new(across, across, along),
        ))
    }

    /// A thin rod along z from its mass, kg, and its length, m; it has no moment about its axis.
    ///
    /// # Errors
    ///
    /// As [`cuboid`](Self::cuboid).
    pub fn rod(mass: f64, length: f64) -> Result<Self> {
        check("inertia of a rod", mass, &[("length", length)])?;
        Ok(Self::from_mean_squares(
            mass,
            Vector::new(0.0, 0.0, length * length / 12.0),
        ))
    }

    /// A body from the means of x², y² and z² over its mass.
    fn from_mean_squares(mass: f64, squares: Vector) -> Self {
        let moments = Vector::new(
            squares.y + squares.z,
            squares.x + squares.z,
            squares.x + squares.y,
        );
        Self {
            mass,
            com: Point::origin(),
            moment: Matrix3::from_diagonal(&(moments * mass)),
        }
    }
}

/// Refuses a mass that is negative or not finite, and sizes that are not positive and finite.
fn check(what: &str, mass: f64, sizes: &[(&str, f64)]) -> Result<()> {
    if !(mass.is_finite() && mass >= 0.0) {
        return Err(Error::invalid(
            what,
            format!("its mass must be a number from 0 up, got {mass}"),
        ));
    }
    for (name, size) in sizes {
        if !(size.is_finite() && *size > 0.0) {
            return Err(Error::invalid(
                what,
                format!("its {name} must be a positive number, got {size}"),
            ));
        }
    }
    Ok(())
}
