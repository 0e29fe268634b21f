//! Options of a save.

use std::path::{Path, PathBuf};

use super::target::Target;
use crate::{LoadError, Result};

/// Format of a saved robot or world.
///
/// A suffix tells it, but for `.xml`: that is Klampt's world unless [`Mjcf`](Self::Mjcf) is asked for.
///
/// # Examples
///
/// ```
/// use kinworld::Robot;
/// use kinworld::io::{SaveFormat, SaveOptions};
///
/// # let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
/// let arm = Robot::load(format!("{data}/robots/arm6.urdf"))?.value;
/// let path = std::env::temp_dir().join("kinworld_doc_mjcf").with_extension("xml");
/// arm.save_with(&path, &SaveOptions::default().with_format(Some(SaveFormat::Mjcf)))?;
/// let again = Robot::load(&path)?.value;
/// assert_eq!(again.n_dofs(), arm.n_dofs());
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SaveFormat {
    /// Klampt's `.rob`.
    Rob,
    /// URDF.
    Urdf,
    /// MJCF, of MuJoCo.
    Mjcf,
    /// SDF, of Gazebo and Drake.
    Sdf,
    /// Klampt's world.
    World,
    /// Binary glTF: a picture.
    Glb,
}

impl SaveFormat {
    /// The format of a suffix, in lower case and without its dot.
    pub(crate) fn of_suffix(suffix: &str) -> Option<Self> {
        Some(match suffix {
            "rob" => Self::Rob,
            "urdf" => Self::Urdf,
            "mjcf" => Self::Mjcf,
            "sdf" | "world" => Self::Sdf,
            "xml" => Self::World,
            "glb" => Self::Glb,
            _ => return None,
        })
    }
}

/// Options of a save; the defaults replace the file that the caller names, and no other.
///
/// The shapes of `arm.xml` go to a folder beside it, `arm_files/`, with a list of what was written. A folder of that name that
/// this document did not write is left as it is: another one is taken, and a warning says so.
///
/// # Examples
///
/// A robot that is saved must not replace any file that it was made of:
///
/// ```
/// use kinworld::io::{Loader, SaveOptions};
///
/// let mut loader = Loader::new();
/// let arm = loader.robot("data/robots/arm6.rob")?.value;
/// let options = SaveOptions::default().with_inputs(loader.files_read());
/// assert!(arm.save_with("data/robots/arm6.rob", &options).is_err());
/// # Ok::<(), kinworld::Error>(())
/// ```
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SaveOptions {
    /// Replaces files that were read as input, and those in the folder of shapes that another document wrote. Only single
    /// files are whole then, not the document with its shapes. False by default.
    pub force: bool,
    /// Files that must stay as they are, such as [`Loader::files_read`](super::super::Loader::files_read). None by default.
    pub inputs: Vec<PathBuf>,
    /// Format of a robot or a world, whatever the suffix. `None` by default: the suffix tells it.
    pub format: Option<SaveFormat>,
}

impl SaveOptions {
    /// Errors if a file could not be written now, before the work is done that would fill it.
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load) for one of the [`inputs`](Self::inputs), a folder that does not exist, and a file
    /// that may not be written.
    pub fn check(&self, path: impl AsRef<Path>) -> Result<()> {
        let target = Target::of(path.as_ref(), self);
        Ok(target.map(|_| ()).map_err(LoadError::from)?)
    }

    /// The format of a robot or a world in a file.
    pub(crate) fn format_of(&self, path: &Path) -> Option<SaveFormat> {
        self.format
            .or_else(|| SaveFormat::of_suffix(&crate::io::suffix(path)))
    }

    /// The same options with another [`format`](Self::format).
    #[must_use]
    pub fn with_format(mut self, format: Option<SaveFormat>) -> Self {
        self.format = format;
        self
    }

    /// The same options with another [`force`](Self::force).
    #[must_use]
    pub fn with_force(mut self, force: bool) -> Self {
        self.force = force;
        self
    }

    /// The same options with other [`inputs`](Self::inputs).
    #[must_use]
    pub fn with_inputs(mut self, inputs: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        self.inputs = inputs.into_iter().map(Into::into).collect();
        self
    }
}
