//! Loading, which a page cannot do.

use std::path::Path;

use kinworld::{EntityId, Loaded, WorldModel};

use crate::args::Load;
use crate::request::Refusal;

/// A loader, of which there is none.
#[derive(Debug)]
pub(crate) enum NoLoader {}

pub(crate) fn further(path: &Path, _: Load) -> Result<NoLoader, Refusal> {
    Err(Refusal(format!(
        "{}: a page without a server loads no files: `kinworld view` does",
        path.display()
    )))
}

impl NoLoader {
    pub(crate) fn add_file(
        &mut self,
        _: &mut WorldModel,
        _: &Path,
    ) -> Result<Loaded<Vec<EntityId>>, Refusal> {
        match *self {}
    }
}
