//! Kinds of files: by suffix, and by content where a suffix is ambiguous.

use std::path::Path;

use super::foreign::{Foreign, READ};
use super::hidden::is_shown;
use super::mesh;
use super::source::{FilePath, Source};
use crate::{Diagnostic, Result};

/// Kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// `.rob`, or `.urdf`, whatever its suffix.
    Robot,
    /// Klampt's `.obj`.
    RigidObject,
    /// `.env`.
    Terrain,
    /// Klampt's world `.xml`.
    World,
    /// A model of MuJoCo (MJCF): a world, and the one robot in it.
    Mjcf,
    /// A world or model of Gazebo and Drake (SDF): a world, and the one robot in it.
    Sdf,
    /// `.config` or `.configs`.
    Configurations,
    /// A mesh or another shape, Wavefront's `.obj` among them.
    Geometry,
}

impl FileKind {
    /// The kind of a file: by suffix, and by its first words where the suffix does not tell.
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load) where the file cannot be read, or is of unknown format.
    pub fn of(path: impl AsRef<Path>) -> Result<Self> {
        let limit = super::LoadLimits::default().file_size;
        Ok(kind_of(&Source::disk(), &FilePath::by_caller(path), limit)
            .map_err(crate::LoadError::from)?)
    }

    /// Its name in messages, with an article.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Robot => "a robot",
            Self::RigidObject => "a rigid object",
            Self::Terrain => "a terrain",
            Self::World => "a world",
            Self::Mjcf => "a model of MuJoCo",
            Self::Sdf => "an SDF",
            Self::Configurations => "a list of configurations",
            Self::Geometry => "a mesh",
        }
    }
}

/// See [`FileKind::of`].
pub(crate) fn kind_of(
    source: &Source,
    path: &FilePath,
    limit: u64,
) -> Result<FileKind, Diagnostic> {
    let suffix = super::suffix(path);
    match suffix.as_str() {
        "rob" | "urdf" => return Ok(FileKind::Robot),
        "env" => return Ok(FileKind::Terrain),
        "config" | "configs" => return Ok(FileKind::Configurations),
        "mjcf" => return Ok(FileKind::Mjcf),
        "sdf" => return Ok(FileKind::Sdf),
        "obj" => {}
        "xacro" if cfg!(feature = "xacro") => return Ok(FileKind::Robot),
        "xacro" => {
            let error = Diagnostic::error("is a xacro file, which only the feature `xacro` reads");
            return Err(error
                .in_file(path)
                .help("build kinworld with it, or run `xacro FILE > robot.urdf` first"));
        }
        suffix => {
            let foreign = Foreign::of_suffix(suffix).filter(|_| source.exists(path));
            if let Some(foreign) = foreign {
                return Err(foreign.refusal().in_file(path));
            }
            if mesh::is_geometry_suffix(suffix) {
                return Ok(FileKind::Geometry);
            }
        }
    }

    // by content; the first words of an `.obj` are nearly always enough
    if suffix == "obj" {
        let start = source.read_start(path, limit, START)?;
        let goes_on = start.len() as u64 == START;
        // the last line may be incomplete
        let is_end = |&b: &u8| b == b'\n';
        let whole = start.rsplitn(2, is_end).last().filter(|_| goes_on);
        let kind = match obj_kind(whole.unwrap_or(&start)) {
            None if goes_on => obj_kind(&source.read(path, limit)?),
            kind => kind,
        };
        return match kind {
            Some(kind) => Ok(kind),
            None => Err(Diagnostic::error("is neither a rigid object nor a Wavefront mesh")
                .in_file(path)
                .help("a rigid object begins with a line such as `mesh \"cube.off\"`, a mesh with `v 0 0 0`")),
        };
    }
    let bytes = source.read(path, limit)?;
    match xml_root(&bytes).as_deref() {
        Some("robot") => Ok(FileKind::Robot),
        Some("world") => Ok(FileKind::World),
        Some("mujoco") => Ok(FileKind::Mjcf),
        Some("sdf") => Ok(FileKind::Sdf),
        Some("COLLADA") => Ok(FileKind::Geometry),
        Some(root) => {
            let unknown = || {
                let message = if is_shown(path) {
                    format!("its root element is <{root}>, not <robot>, <world>, <mujoco> or <sdf>")
                } else {
                    "its root element is not <robot>, <world>, <mujoco> or <sdf>".to_owned()
                };
                Diagnostic::error(message)
            };
            // a format that is known shows none of the file's own words
            let error = Foreign::of_root(root).map_or_else(unknown, Foreign::refusal);
            Err(error.in_file(path))
        }
        None if mesh::is_mesh(&bytes) => Ok(FileKind::Geometry),
        None => match Foreign::of_bytes(&bytes) {
            Some(foreign) => Err(foreign.refusal().in_file(path)),
            None => Err(Diagnostic::error("is of unknown format")
                .in_file(path)
                .help(READ)),
        },
    }
}

/// Bytes of an `.obj` that are searched first; a long comment may precede the first known word.
const START: u64 = 1 << 12;

/// Kind of an `.obj`, Klampt's rigid object or Wavefront's mesh: by the first word that belongs to only one of them.
pub(crate) fn obj_kind(bytes: &[u8]) -> Option<FileKind> {
    const WAVEFRONT: [&[u8]; 14] = [
        b"v", b"vt", b"vn", b"vp", b"f", b"l", b"p", b"o", b"g", b"s", b"mtllib", b"usemtl",
        b"cstype", b"deg",
    ];
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    for line in bytes.split(|&b| b == b'\n') {
        let mut words = line.trim_ascii().split(u8::is_ascii_whitespace);
        let word = words.next().unwrap_or_default();
        if WAVEFRONT.contains(&word) {
            return Some(FileKind::Geometry);
        }
        let known = |key: &&str| word.eq_ignore_ascii_case(key.as_bytes());
        if super::rigid_object::KEYS.iter().any(known) {
            return Some(FileKind::RigidObject);
        }
    }
    None
}

/// The name of the first element of an XML text, past declarations and comments.
fn xml_root(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while let Some(tag) = rest.strip_prefix('<') {
        let end = match tag {
            _ if tag.starts_with("!--") => "-->",
            _ if tag.starts_with(['?', '!']) => ">",
            _ => {
                let name = |c: char| c.is_alphanumeric() || "_-.:".contains(c);
                let word = tag.split(|c| !name(c)).next();
                return word.filter(|word| !word.is_empty()).map(str::to_owned);
            }
        };
        rest = tag.split_once(end)?.1.trim_start();
    }
    None
}
