//! Conversion of files: load, then save, with the diagnostics of both.

use std::path::Path;

use super::kind::FileKind;
use super::loader::Loader;
use super::{SaveFormat, SaveOptions, config, mesh};
use crate::geometry::Geometry;
use crate::world::WorldModel;
use crate::{Diagnostic, Error, LoadError, Loaded, Result};

impl Loader {
    /// Writes the contents of one file to another, in the format of its suffix. Returns warnings of the reader, and of what
    /// the new format cannot hold.
    ///
    /// | to | from |
    /// |---|---|
    /// | `.rob`, `.urdf` | anything with one robot |
    /// | `.mjcf`, `.sdf`, `.world` | anything: a model of MuJoCo, or one of Gazebo and Drake |
    /// | `.env` | anything with one terrain, meshes among them |
    /// | `.xml` | anything: a world of Klampt, or MJCF where [`SaveOptions::format`] says so |
    /// | `.glb` | anything: a picture of it, as binary glTF |
    /// | `.obj` | a rigid object as Klampt's, anything else as Wavefront's mesh |
    /// | `.off`, `.stl`, `.ply` | anything: the shape of all of it, where it is |
    /// | `.config`, `.configs` | configurations |
    ///
    /// # Errors
    ///
    /// [`Error::Load`] for a file that cannot be read or written, for one that does not hold what the new one
    /// wants, and where both are the same file.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::{Robot, io::Loader};
    ///
    /// # let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    /// let to = std::env::temp_dir().join("kinworld_doc_arm.rob");
    /// let warnings = Loader::new().convert(format!("{data}/robots/arm6.urdf"), &to)?;
    /// assert!(warnings[0].message.starts_with("1 of 7 links have no degree of freedom"));
    /// assert_eq!(Robot::load(&to)?.value.n_dofs(), 7);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn convert(
        &mut self,
        from: impl AsRef<Path>,
        to: impl AsRef<Path>,
    ) -> Result<Vec<Diagnostic>> {
        self.convert_with(from, to, &SaveOptions::default())
    }

    /// [`convert`](Self::convert) with options. Every file that is read is one of the [`inputs`](SaveOptions::inputs).
    ///
    /// # Errors
    ///
    /// Those of [`convert`](Self::convert).
    pub fn convert_with(
        &mut self,
        from: impl AsRef<Path>,
        to: impl AsRef<Path>,
        options: &SaveOptions,
    ) -> Result<Vec<Diagnostic>> {
        // a loader of its own, with the list of just the files of this call
        let source = self.source().with_own_list();
        let mut loader = Self::with_options(self.options().clone()).with_source(source);
        loader.converted(from.as_ref(), to.as_ref(), options)
    }

    fn converted(
        &mut self,
        from: &Path,
        to: &Path,
        options: &SaveOptions,
    ) -> Result<Vec<Diagnostic>> {
        let kind = self.kind(from)?;
        let protected = |loader: &Self| {
            let mut options = options.clone();
            options.inputs.extend(loader.source().files_read());
            options
        };
        let suffix = super::suffix(to);
        let (mut warnings, lost) = match (suffix.as_str(), kind, options.format_of(to)) {
            ("config" | "configs", _, _) | (_, FileKind::Configurations, _) => {
                if !matches!(suffix.as_str(), "config" | "configs") {
                    return Err(refused(from, to, kind));
                }
                let Loaded { value, diagnostics } = self.configurations(from)?;
                config::save_configurations_with(to, &value, &protected(self))?;
                (diagnostics, Vec::new())
            }
            (_, _, Some(format)) => {
                let is_robot = matches!(kind, FileKind::Robot);
                let has_world = matches!(format, SaveFormat::World | SaveFormat::Glb);
                if is_robot && !has_world {
                    let Loaded { value, diagnostics } = self.robot(from)?;
                    (diagnostics, value.save_with(to, &protected(self))?)
                } else {
                    let Loaded { value, diagnostics } = self.world(from)?;
                    if matches!(format, SaveFormat::Rob | SaveFormat::Urdf) && value.n_robots() != 1
                    {
                        return Err(not_one(from, "robot", value.n_robots()));
                    }
                    (diagnostics, value.save_with(to, &protected(self))?)
                }
            }
            ("env", _, _) => {
                let Loaded { value, diagnostics } = self.world(from)?;
                let (1, Some((_, terrain))) = (value.n_terrains(), value.terrains().next()) else {
                    return Err(not_one(from, "terrain", value.n_terrains()));
                };
                let mut lost = terrain.save_with(to, &protected(self))?;
                lost.extend(others(&value, to, 1));
                (diagnostics, lost)
            }
            ("obj", FileKind::RigidObject, _) => {
                let Loaded { value, diagnostics } = self.rigid_object(from)?;
                (diagnostics, value.save_with(to, &protected(self))?)
            }
            (suffix, FileKind::Geometry, _) if mesh::is_geometry_suffix(suffix) => {
                let Loaded { value, diagnostics } = self.geometry(from)?;
                (diagnostics, value.save_with(to, &protected(self))?)
            }
            (suffix, _, _) if mesh::is_geometry_suffix(suffix) => {
                let Loaded { value, diagnostics } = self.world(from)?;
                let shape = shape_of(&value).ok_or_else(|| not_one(from, "shape", 0))?;
                let mut lost = vec![only_shapes(from, to)];
                lost.extend(shape.save_with(to, &protected(self))?);
                (diagnostics, lost)
            }
            _ => return Err(refused(from, to, kind)),
        };
        warnings.extend(lost);
        Ok(warnings)
    }
}

/// All collision shapes at their poses; a single one at the origin as it is.
fn shape_of(world: &WorldModel) -> Option<Geometry> {
    let ids = world.klampt_ids();
    let placed = ids.iter().filter_map(|entity| world.geometry(entity));
    Geometry::joined(
        placed
            .map(|placed| (placed.pose, placed.geometry))
            .collect(),
    )
}

/// Warning about the loss of all but shapes.
fn only_shapes(from: &Path, to: &Path) -> Diagnostic {
    let lost = format!(
        "only the shapes of {} are kept, where they are",
        from.display()
    );
    Diagnostic::warning(lost).in_file(to)
}

/// Warning about bodies of a world that are not written.
fn others(world: &WorldModel, to: &Path, n_written: usize) -> Option<Diagnostic> {
    let n = world.n_robots() + world.n_rigid_objects() + world.n_terrains() - n_written;
    let lost = format!("{n} other bodies of the world are not kept");
    (n > 0).then(|| Diagnostic::warning(lost).in_file(to))
}

fn not_one(from: &Path, what: &str, n: usize) -> Error {
    let message = format!("holds {n} {what}s, where one is to be written");
    LoadError::from(Diagnostic::error(message).in_file(from)).into()
}

fn refused(from: &Path, to: &Path, kind: FileKind) -> Error {
    let message = format!(
        "cannot be made of {}: {} is {}",
        from.display(),
        from.display(),
        kind.name()
    );
    let error = Diagnostic::error(message).in_file(to);
    let help = "known are .rob, .urdf, .mjcf, .sdf, .world, .obj, .env, .xml, .config, .configs, .glb, .off, .stl and .ply";
    LoadError::from(error.help(help)).into()
}
