//! Octrees in OctoMap's binary format `.bt`: a header as text, then sixteen bits for each divided cube.

use std::path::Path;

use super::context::Context;
use super::loader::Loader;
use super::options::LoadLimits;
use super::output::{SaveOptions, write_file};
use super::source::FilePath;
use crate::geometry::{BadBits, Geometry, Octree, OctreeLeaf};
use crate::{Diagnostic, LoadError, Loaded, Result};

/// First line of a file.
const FIRST: &str = "# Octomap OcTree binary file";

impl Octree {
    /// The map in a `.bt` file of OctoMap; see [`Loader::octree`].
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load), with what is wrong in the file.
    pub fn load(path: impl AsRef<Path>) -> Result<Loaded<Self>> {
        Loader::new().octree(path)
    }

    /// Writes the map as a `.bt` file of OctoMap, which holds whether cubes are occupied or free, and not how surely.
    ///
    /// A failed save leaves the old file unchanged.
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load) for a file that cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        self.save_with(path, &SaveOptions::default())
    }

    /// [`save`](Self::save) with options.
    ///
    /// # Errors
    ///
    /// Those of [`save`](Self::save), and [`Error::Load`](crate::Error::Load) for one of the
    /// [`inputs`](SaveOptions::inputs).
    pub fn save_with(&self, path: impl AsRef<Path>, options: &SaveOptions) -> Result<()> {
        let (size, resolution) = (self.n_nodes(), self.resolution());
        let note = "# (feel free to add / change comments, but leave the first line as it is!)";
        let header =
            format!("{FIRST}\n{note}\n#\nid OcTree\nsize {size}\nres {resolution}\ndata\n");
        let mut bytes = header.into_bytes();
        bytes.extend(self.to_bits().into_iter().flat_map(u16::to_le_bytes));
        write_file(path, &bytes, options)
    }
}

impl Loader {
    /// The map in a `.bt` file of OctoMap: what is occupied or free is as sure as a map can be.
    ///
    /// As a shape, [`geometry`](Self::geometry) and terrains have its occupied cubes as boxes.
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load), with what is wrong in the file.
    pub fn octree(&mut self, path: impl AsRef<Path>) -> Result<Loaded<Octree>> {
        let path = &FilePath::by_caller(path);
        self.call(path, |ctx| load(ctx, path))
    }
}

fn load(ctx: &Context<'_>, path: &FilePath) -> Result<Octree, LoadError> {
    let bytes = ctx.read_bytes(path)?;
    Ok(parse(&bytes, path, &ctx.options().limits)?)
}

/// The occupied cubes of the map in the bytes of a file, as boxes of eight vertices each.
pub(super) fn shape(
    bytes: &[u8],
    path: &Path,
    limits: &LoadLimits,
) -> Result<Geometry, Diagnostic> {
    let map = parse(bytes, path, limits)?;
    let occupied = map.leaves().filter(OctreeLeaf::is_occupied).count();
    if occupied > limits.vertices / 8 {
        let limit = limits.vertices;
        let message = format!(
            "has {occupied} occupied cubes with eight vertices each, the limit is {limit} vertices"
        );
        return Err(Diagnostic::error(message)
            .in_file(path)
            .help("raise `limits.vertices` of the load options"));
    }
    Ok(map.boxes())
}

/// The map in the bytes of a file.
fn parse(bytes: &[u8], path: &Path, limits: &LoadLimits) -> Result<Octree, Diagnostic> {
    let refuse = |message: String| Diagnostic::error(message).in_file(path);
    let mut rest = bytes;
    let (mut number, mut unknown) = (0_u32, None);
    loop {
        number = number.saturating_add(1);
        let end = rest
            .iter()
            .take(LONGEST_LINE)
            .position(|byte| *byte == b'\n');
        let Some((line, behind)) = end.and_then(|end| rest.split_at_checked(end + 1)) else {
            return Err(refuse("its header has no line `data`".to_owned()));
        };
        rest = behind;
        let line = String::from_utf8_lossy(line);
        let at = |message: String| Diagnostic::error(message).named_at(path, number, 1);
        let mut words = line.split_ascii_whitespace();
        match (words.next(), words.next()) {
            _ if number == 1 && line.trim_end() != FIRST => {
                return Err(at(format!("its first line is not `{FIRST}`")));
            }
            (Some("data"), _) => break,
            (Some("res"), Some(word)) => {
                let size = word.parse();
                let size = size.map_err(|_| at(format!("`res {word}` is not a number")))?;
                let map = Octree::new(size).map_err(|error| at(format!("`res {word}`: {error}")));
                unknown = Some(map?);
            }
            (Some("id"), kind) if kind != Some("OcTree") => {
                let kind = kind.unwrap_or_default();
                let help = "write it again as an OcTree";
                return Err(
                    at(format!("holds a `{kind}`, where an OcTree was expected")).help(help),
                );
            }
            _ => {}
        }
    }
    let mut map = unknown.ok_or_else(|| refuse("its header has no line `res SIZE`".to_owned()))?;
    let pairs = rest.as_chunks::<2>();
    let mut bits = pairs.0.iter().map(|pair| u16::from_le_bytes(*pair));
    if rest.is_empty() {
        return Ok(map);
    }
    map.fill(&mut bits, limits.vertices)
        .map_err(|bad| match bad {
            BadBits::Short => refuse("ends before its cubes do".to_owned()),
            BadBits::Deep => refuse("divides cubes of the finest size".to_owned()),
            BadBits::Many => refuse(format!(
                "has more cubes than the limit of {}",
                limits.vertices
            ))
            .help("raise `limits.vertices` of the load options"),
        })?;
    if bits.next().is_some() || !pairs.1.is_empty() {
        return Err(refuse("has bytes behind its last cube".to_owned()));
    }
    Ok(map)
}

/// Longest line of a header, in bytes.
const LONGEST_LINE: usize = 4096;
