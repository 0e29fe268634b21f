//! The arguments of `export`, and `--html` of other commands.

use std::path::PathBuf;

use clap::Args;

use super::{Load, Missing, Posture};

/// Files of a world, and the page to write.
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Files to load into one world, in this order, then the page to write: its name ends with `.html`
    ///
    /// As for `info`: worlds, robots, rigid objects, terrains and meshes, each with a pose after an @ where it has one.
    #[arg(value_name = "FILE… PAGE.html", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) posture: Posture,
    /// Motion to play: a table of `simulate` or of `wrench` (.csv), or a path of `plan` (.json, .path)
    ///
    /// Other columns of a table are plotted beside the joints. A path of `plan` is played at no more than 1 rad/s and
    /// 0.5 m/s, and within the speed limits of the joints.
    #[arg(long, value_name = "FILE")]
    pub(crate) motion: Option<PathBuf>,
    /// Find the collisions at every instant, and show them in red
    #[arg(long)]
    pub(crate) collisions: bool,
    /// Title of the page [default: the name of the first element]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// Leave out the collision shapes of links, for a smaller page
    #[arg(long)]
    pub(crate) only_visual: bool,
    /// Put the library into the page, 1.2 MB more: sliders and gizmos answer collisions, distances and inverse kinematics
    ///
    /// The page does what that of `view` does, without a server; it cannot load files.
    #[arg(long, conflicts_with = "motion")]
    pub(crate) live: bool,
    #[command(flatten)]
    pub(crate) missing: Missing,
    #[command(flatten)]
    pub(crate) load: Load,
}

impl Export {
    /// The page to write.
    pub(crate) fn page(&self) -> Option<&PathBuf> {
        self.paths.last()
    }
}

/// A page that shows the answer.
#[derive(Debug, Clone, Args)]
pub(crate) struct Html {
    /// Page to write, which shows the answer in a browser: its name ends with `.html`
    #[arg(long, value_name = "PAGE.html")]
    pub(crate) html: Option<PathBuf>,
}
