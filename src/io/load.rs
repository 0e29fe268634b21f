//! `load` of each type: a [`Loader`] with the default options.

use std::path::Path;

use super::loader::Loader;
use crate::geometry::Geometry;
use crate::robot::Robot;
use crate::world::{EntityId, RigidObject, Terrain, WorldModel};
use crate::{Loaded, Result};

impl Robot {
    /// Converts the robot to the types of the crate `urdf-rs`, with warnings about what is lost: meshes, lengths of axes.
    ///
    /// Links that repeat a name are numbered; a robot with a floating base is the child of a link `world`.
    #[cfg(feature = "urdf-rs")]
    pub fn to_urdf_rs(&self) -> Loaded<urdf_rs::Robot> {
        super::urdf::to_urdf_rs(self)
    }

    /// The robot in a `.rob` or `.urdf` file, with the default options; see [`Loader::robot`].
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load), with its position in the file.
    #[doc(alias = "loadFile")]
    #[doc(alias = "LoadRobot")]
    #[doc(alias = "load_urdf")]
    #[doc(alias = "buildModelFromUrdf")]
    #[doc(alias = "from_urdf")]
    pub fn load(path: impl AsRef<Path>) -> Result<Loaded<Self>> {
        Loader::new().robot(path)
    }
}

impl RigidObject {
    /// The rigid object in a file, with the default options; see [`Loader::rigid_object`].
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load), with its position in the file.
    #[doc(alias = "loadFile")]
    pub fn load(path: impl AsRef<Path>) -> Result<Loaded<Self>> {
        Loader::new().rigid_object(path)
    }
}

impl Terrain {
    /// The terrain in a file, with the default options; see [`Loader::terrain`].
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load), with its position in the file.
    #[doc(alias = "loadFile")]
    pub fn load(path: impl AsRef<Path>) -> Result<Loaded<Self>> {
        Loader::new().terrain(path)
    }
}

impl WorldModel {
    /// The world in a file of any kind: a world `.xml`, or one robot, rigid object, terrain or mesh; see
    /// [`Loader::world`].
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load), with its position in the file.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::WorldModel;
    ///
    /// # let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    /// let mut world = WorldModel::load(format!("{data}/robots/arm6.rob"))?.value;
    /// world.load_element(format!("{data}/objects/crate.obj"))?;
    /// assert_eq!(world.robot("arm6")?.config().len(), 6);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[doc(alias = "loadFile")]
    #[doc(alias = "readFile")]
    #[doc(alias = "mj_loadXML")]
    pub fn load(path: impl AsRef<Path>) -> Result<Loaded<Self>> {
        Loader::new().world(path)
    }

    /// Adds everything in a file, with the default options; see [`Loader::add_file`].
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load), with its position in the file; the world has not changed then.
    #[doc(alias = "readFile")]
    pub fn add_file(&mut self, path: impl AsRef<Path>) -> Result<Loaded<Vec<EntityId>>> {
        Loader::new().add_file(self, path)
    }

    /// Adds the one body in a file, with the default options; see [`Loader::element`].
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load), with its position in the file; the world has not changed then.
    #[doc(alias = "loadElement")]
    #[doc(alias = "loadRobot")]
    #[doc(alias = "loadRigidObject")]
    #[doc(alias = "loadTerrain")]
    pub fn load_element(&mut self, path: impl AsRef<Path>) -> Result<Loaded<EntityId>> {
        Loader::new().element(self, path)
    }
}

impl Geometry {
    /// The shape in a mesh file; see [`Loader::geometry`].
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load), with its position in the file.
    #[doc(alias = "loadFile")]
    #[doc(alias = "load_mesh")]
    pub fn load(path: impl AsRef<Path>) -> Result<Loaded<Self>> {
        Loader::new().geometry(path)
    }
}
