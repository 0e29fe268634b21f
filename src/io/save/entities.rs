//! Writers of rigid objects as Klampt's `.obj`, and of terrains as `.env`.

use std::path::Path;

use super::{Output, save};
use crate::geometry::Geometry;
use crate::io::SaveOptions;
use crate::io::text::{number, numbers, pose};
use crate::math::Vector;
use crate::world::{RigidObject, Terrain};
use crate::{Diagnostic, LoadError, Result};

impl RigidObject {
    /// Writes Klampt's `.obj`, its shape in a folder beside it, and returns warnings about what the format cannot hold.
    ///
    /// All values read back to the last bit. A failed save leaves the old files unchanged.
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load) for another suffix, or a file that cannot be written.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::world::RigidObject;
    ///
    /// # let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    /// let can = RigidObject::load(format!("{data}/objects/can.obj"))?.value;
    /// let path = std::env::temp_dir().join("kinworld_doc_can").with_extension("obj");
    /// assert!(can.save(&path)?[0].message.contains("named after its file"));
    /// assert_eq!(RigidObject::load(&path)?.value.inertia, can.inertia);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[doc(alias = "saveFile")]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<Vec<Diagnostic>> {
        self.save_with(path, &SaveOptions::default())
    }

    /// [`save`](Self::save) with options.
    ///
    /// # Errors
    ///
    /// Those of [`save`](Self::save), and [`Error::Load`](crate::Error::Load) for one of the
    /// [`inputs`](SaveOptions::inputs).
    pub fn save_with(
        &self,
        path: impl AsRef<Path>,
        options: &SaveOptions,
    ) -> Result<Vec<Diagnostic>> {
        let path = path.as_ref();
        expect_suffix(path, "obj", "rigid objects")?;
        save(path, options, |output| {
            warn_of_loss(output, path, &self.name, self.properties.len());
            let mesh = shape_file(output, path, self.geometry.as_ref());
            Ok(object(self, mesh.as_deref()))
        })
    }
}

impl Terrain {
    /// Writes Klampt's `.env`, its shape in a folder beside it, and returns warnings about what the format cannot hold.
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load) for another suffix, or a file that cannot be written.
    #[doc(alias = "saveFile")]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<Vec<Diagnostic>> {
        self.save_with(path, &SaveOptions::default())
    }

    /// [`save`](Self::save) with options.
    ///
    /// # Errors
    ///
    /// Those of [`save`](Self::save), and [`Error::Load`](crate::Error::Load) for one of the
    /// [`inputs`](SaveOptions::inputs).
    pub fn save_with(
        &self,
        path: impl AsRef<Path>,
        options: &SaveOptions,
    ) -> Result<Vec<Diagnostic>> {
        let path = path.as_ref();
        expect_suffix(path, "env", "terrains")?;
        save(path, options, |output| {
            warn_of_loss(output, path, &self.name, self.properties.len());
            let mesh = shape_file(output, path, self.geometry.as_ref());
            Ok(terrain(self, mesh.as_deref()))
        })
    }
}

/// Writes the shape of a body, without its margin, and returns its file, relative to the main one.
fn shape_file(output: &mut Output, path: &Path, shape: Option<&Geometry>) -> Option<String> {
    let shape = shape?;
    if shape.margin() > 0.0 {
        output.warn(format!("the margin of {} m is not kept", shape.margin()));
    }
    let name = output.shape(shape, &crate::io::name(path))?;
    Some(output.beside(&name))
}

/// The text of a rigid object whose shape is in a file.
pub(super) fn object(object: &RigidObject, mesh: Option<&str>) -> String {
    let mut text = format!(
        "mesh \"{}\"\nT {}\n",
        mesh.unwrap_or_default(),
        pose(&object.pose)
    );
    let velocities = [
        ("velocity", &object.velocity),
        ("angularVelocity", &object.angular_velocity),
    ];
    for (key, velocity) in velocities {
        if *velocity != Vector::zeros() {
            text += &format!("{key} {}\n", numbers(velocity));
        }
    }
    let inertia = &object.inertia;
    text += &format!("mass {}\n", number(inertia.mass));
    text += &format!("com {}\n", numbers(&inertia.com.coords));
    text += &format!("inertia {}\n", numbers(&inertia.moment.transpose()));
    let contact = &object.contact;
    text += &format!("kFriction {}\n", number(contact.friction));
    text += &format!("kRestitution {}\n", number(contact.restitution));
    text += &format!("kStiffness {}\n", number(contact.stiffness));
    text + &format!("kDamping {}\n", number(contact.damping))
}

/// The text of a terrain whose shape is in a file.
pub(super) fn terrain(terrain: &Terrain, mesh: Option<&str>) -> String {
    let mesh = mesh.unwrap_or_default();
    format!(
        "mesh \"{mesh}\"\nkFriction {}\n",
        numbers(&terrain.friction)
    )
}

/// Errors if a file has another suffix.
fn expect_suffix(path: &Path, suffix: &str, what: &str) -> Result<()> {
    if crate::io::suffix(path) == suffix {
        return Ok(());
    }
    let error = Diagnostic::error(format!("{what} are not written to such a file")).in_file(path);
    let error = error.help(format!("name a file that ends with .{suffix}"));
    Err(LoadError::from(error).into())
}

/// Warns of what neither of the two formats can hold.
fn warn_of_loss(output: &mut Output, path: &Path, name: &str, n_properties: usize) {
    if name != crate::io::name(path) {
        let lost = format!("the name `{name}` is not kept: it is named after its file");
        output.warn(lost);
    }
    if n_properties > 0 {
        output.warn("properties are not kept: a world .xml can hold them");
    }
}
