//! SRDF, the companion of a URDF for planning: pairs without a collision test, groups of links, named configurations.

mod apply;
mod groups;
mod parse;
mod write;

use std::path::Path;

use crate::io::context::Context;
use crate::io::loader::Loader;
use crate::io::options::LoadLimits;
use crate::io::position::Position;
use crate::io::report::Report;
use crate::io::source::FilePath;
use crate::{Diagnostic, Error, LoadError, Loaded, Result};

pub(in crate::io) use apply::apply;
pub(in crate::io) use write::groups_text;

/// An SRDF as it was written; its names need not exist in a robot.
///
/// [`LoadOptions::srdf`](super::LoadOptions::srdf) disables the pairs when a robot is loaded, and
/// keeps the text as the property `srdf`, which [`parse`](Self::parse) reads.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Srdf {
    /// The name of its robot.
    pub name: String,
    /// Sets of links and joints with a name.
    pub groups: Vec<SrdfGroup>,
    /// Configurations of groups with a name.
    pub states: Vec<GroupState>,
    /// Groups that grasp or touch objects.
    pub end_effectors: Vec<EndEffector>,
    /// Joints without a drive.
    pub passive_joints: Vec<String>,
    /// Joints between the world and the robot.
    pub virtual_joints: Vec<VirtualJoint>,
    /// Pairs of links that are not tested for collision.
    pub disabled: Vec<LinkPair>,
    /// Links that are tested for collision in [`enabled`](Self::enabled) pairs only.
    pub disabled_links: Vec<String>,
    /// Pairs that are tested although one of the links is in [`disabled_links`](Self::disabled_links).
    pub enabled: Vec<LinkPair>,
    /// Elements of other programs, verbatim.
    pub extras: Vec<String>,
}

/// `<disable_collisions>` or `<enable_collisions>`.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq)]
pub struct LinkPair {
    /// The names of the two links.
    pub links: [String; 2],
    /// The reason: `Adjacent`, `Never`, …
    pub reason: Option<String>,
    pub(super) position: Position,
}

/// `<group>`: the union of its lists.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SrdfGroup {
    /// The name.
    pub name: String,
    /// Links by name.
    pub links: Vec<String>,
    /// Joints by name.
    pub joints: Vec<String>,
    /// Base and tip of each chain of links.
    pub chains: Vec<[String; 2]>,
    /// Other groups by name.
    pub groups: Vec<String>,
    pub(super) position: Position,
}

/// `<group_state>`: values of joints, in rad or m.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GroupState {
    /// The name, such as `home`.
    pub name: String,
    /// The name of its group; some files name none.
    pub group: Option<String>,
    /// The values of each joint: one, or several for a planar or floating one.
    pub joints: Vec<(String, Vec<f64>)>,
    pub(super) position: Position,
}

/// `<end_effector>`.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EndEffector {
    /// The name.
    pub name: String,
    /// The group of its own links.
    pub group: String,
    /// The link that it is attached to.
    pub parent_link: String,
    /// The group of the arm that moves it.
    pub parent_group: Option<String>,
}

/// `<virtual_joint>`: joint between the world and the robot.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VirtualJoint {
    /// The name.
    pub name: String,
    /// `fixed`, `floating` or `planar`.
    pub kind: String,
    /// The frame of the world that it starts from.
    pub parent_frame: String,
    /// The link that it moves.
    pub child_link: String,
}

impl Srdf {
    /// The SRDF in a text.
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with its position in the text.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::io::Srdf;
    ///
    /// let text = r#"<robot name="arm">
    ///     <group name="hand"><link name="palm"/></group>
    ///     <disable_collisions link1="palm" link2="wrist" reason="Adjacent"/>
    /// </robot>"#;
    /// let srdf = Srdf::parse(text)?.value;
    /// assert_eq!(srdf.groups[0].links, ["palm"]);
    /// assert_eq!(srdf.disabled[0].links, ["palm", "wrist"]);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn parse(text: &str) -> Result<Loaded<Self>> {
        let report = Report::default();
        let parsed = from_text(text, Path::new("srdf"), &LoadLimits::default(), &report);
        let diagnostics = report.into_warnings().into_diagnostics();
        match parsed {
            Ok(value) => Ok(Loaded { value, diagnostics }),
            Err(error) => Err(Error::Load(LoadError {
                diagnostic: Box::new(error),
                warnings: diagnostics,
            })),
        }
    }

    /// The SRDF in a file, with the default options; see [`Loader::srdf`].
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with its position in the file.
    pub fn load(path: impl AsRef<Path>) -> Result<Loaded<Self>> {
        Loader::new().srdf(path)
    }
}

/// Adds the groups, states and end effectors of a text to a robot, whatever of them it has.
pub(in crate::io) fn add_groups(
    text: &str,
    robot: &mut crate::robot::RobotBuilder,
    limits: &LoadLimits,
) {
    let report = Report::default();
    let of_file = report.of_file(Path::new("srdf"));
    if let Ok(srdf) = parse::parse(text, limits, of_file) {
        groups::add(&srdf, robot, of_file);
    }
}

/// The SRDF in a file.
pub(in crate::io) fn load(ctx: &Context<'_>, file: &FilePath) -> Result<Srdf, LoadError> {
    let text = ctx.read_text(file)?;
    Ok(from_text(&text, file, &ctx.options().limits, ctx.report())?)
}

/// The SRDF that a text holds; its warnings come in the order of the text.
fn from_text(
    text: &str,
    path: &Path,
    limits: &LoadLimits,
    report: &Report,
) -> Result<Srdf, Diagnostic> {
    let inner = Report::default();
    let parsed = parse::parse(text, limits, inner.of_file(path));
    report.append(inner.into_warnings().sorted());
    parsed
}
