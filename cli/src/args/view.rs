//! The arguments of `view`.

use clap::Args;

use super::{Files, Load, Missing};

/// Files of a world, and where to show it.
#[derive(Debug, Args)]
pub(crate) struct View {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Port of the page [default: a free one]
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        hide_default_value = true
    )]
    pub(crate) port: u16,
    /// Print the address, and open no browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Do not watch the files
    #[arg(long)]
    pub(crate) no_watch: bool,
    #[command(flatten)]
    pub(crate) missing: Missing,
    #[command(flatten)]
    pub(crate) load: Load,
}
