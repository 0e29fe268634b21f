//! The loader, and the short ways to it.

use std::path::Path;

use super::context::Context;
use super::mesh::MeshStore;
use super::options::LoadOptions;
use crate::geometry::Geometry;
use crate::robot::Robot;
use crate::{Diagnostic, Error, LoadError, Loaded, Result};

/// Reads files; a mesh that several of them name is read once and shared.
///
/// ```no_run
/// use kinworld::io::{LoadOptions, Loader};
///
/// let mut loader = Loader::with_options(LoadOptions {
///     packages: vec![("my_arm".into(), "/data/my_arm".into())],
///     ..LoadOptions::default()
/// });
/// let left = loader.robot("left.urdf")?.value;
/// let right = loader.robot("right.urdf")?.value;
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Loader {
    options: LoadOptions,
    meshes: MeshStore,
}

impl Loader {
    /// A loader with the default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A loader with these options.
    #[must_use]
    pub fn with_options(options: LoadOptions) -> Self {
        Self {
            options,
            meshes: MeshStore::default(),
        }
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &LoadOptions {
        &self.options
    }

    /// The robot in a `.rob` or `.urdf` file.
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with the place in the file, and the warnings that came before.
    pub fn robot(&mut self, path: impl AsRef<Path>) -> Result<Loaded<Robot>> {
        let path = path.as_ref();
        self.call(|ctx| {
            let builder = ctx.robot(path)?;
            builder.build().map_err(|error| refused(error, path))
        })
    }

    /// The shape in a mesh file.
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with the place in the file.
    pub fn geometry(&mut self, path: impl AsRef<Path>) -> Result<Loaded<Geometry>> {
        self.call(|ctx| Ok(ctx.geometry_file(path.as_ref())?))
    }

    /// One call: its remarks go with the value, or with the error.
    fn call<T>(
        &mut self,
        load: impl FnOnce(&mut Context<'_>) -> Result<T, LoadError>,
    ) -> Result<Loaded<T>> {
        let mut ctx = Context::new(&self.options, &mut self.meshes);
        let result = load(&mut ctx);
        let diagnostics = ctx.take_diagnostics();
        match result {
            Ok(value) => Ok(Loaded { value, diagnostics }),
            Err(mut error) => {
                let later = std::mem::replace(&mut error.warnings, diagnostics);
                error.warnings.extend(later);
                Err(Error::Load(error))
            }
        }
    }
}

/// An error of the library about what a file holds.
fn refused(error: Error, path: &Path) -> LoadError {
    match error {
        Error::Load(error) => error,
        error => Diagnostic::error(error.to_string()).in_file(path).into(),
    }
}

impl Robot {
    /// The robot in a `.rob` or `.urdf` file, with the default options; see [`Loader::robot`].
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with the place in the file.
    pub fn load(path: impl AsRef<Path>) -> Result<Loaded<Self>> {
        Loader::new().robot(path)
    }
}

impl Geometry {
    /// The shape in a mesh file; see [`Loader::geometry`].
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with the place in the file.
    pub fn load(path: impl AsRef<Path>) -> Result<Loaded<Self>> {
        Loader::new().geometry(path)
    }
}
