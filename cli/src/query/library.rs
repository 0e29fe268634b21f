//! Files that a session may load: `load`.

use std::path::{Path, PathBuf};

use kinworld::{EntityId, WorldModel};
use serde_json::{Value, json};

use crate::args::{Files, Load};
use crate::load;
use crate::request::Refusal;
use crate::session::Session;

/// Options of loading, and the folders whose files a request may name.
#[derive(Debug)]
pub(crate) struct Library {
    load: Load,
    roots: Vec<PathBuf>,
}

impl Library {
    /// The current folder, those of the files of the command line, of packages and of `--root`.
    pub(crate) fn new(files: &Files, load: Load) -> Self {
        let folders = files.paths.iter().filter_map(|path| path.parent());
        let packages = load.package.iter().map(|(_, folder)| folder.as_path());
        let roots = load.root.iter().map(PathBuf::as_path);
        let here = [Path::new(".")];
        let all = folders.chain(packages).chain(roots).chain(here);
        let named = |folder: &Path| {
            let is_here = folder.as_os_str().is_empty();
            let folder = if is_here { Path::new(".") } else { folder };
            folder.canonicalize().ok()
        };
        Self {
            roots: all.filter_map(named).collect(),
            load,
        }
    }

    /// The session with all elements of a file, and the answer.
    pub(super) fn load(
        &self,
        session: &Session,
        file: &str,
        name: Option<String>,
    ) -> Result<(Session, Value), Refusal> {
        let path = self.inside(file)?;
        let mut world = session.world.clone();
        let mut loader = load::further(&path, self.load.clone())?;
        let loaded = loader.add_file(&mut world, &path)?;
        if world.klampt_ids().len() > MOST_ELEMENTS {
            let problem = format!("the world would have more than {MOST_ELEMENTS} elements");
            return Err(Refusal(problem));
        }
        if let Some(name) = name {
            let [element] = loaded.value[..] else {
                let n = loaded.value.len();
                let problem = format!("`name` is for a file of one element: this one has {n}");
                return Err(Refusal(problem));
            };
            if world.entity(&name).is_ok() {
                return Err(Refusal(format!(
                    "there is already an element named `{name}`"
                )));
            }
            world.rename(element, name)?;
        }
        let warnings = loaded.diagnostics.iter().map(ToString::to_string);
        let warnings: Vec<String> = warnings.collect();
        let session = session.with_world(world);
        let added = names(&session.world, &loaded.value)?;
        Ok((session, json!({ "added": added, "warnings": warnings })))
    }

    /// Path of a file in one of the folders.
    fn inside(&self, file: &str) -> Result<PathBuf, Refusal> {
        let path = Path::new(file);
        let real = path
            .canonicalize()
            .map_err(|error| Refusal(format!("cannot open `{file}`: {error}")));
        let is_inside = |real: &PathBuf| self.roots.iter().any(|root| real.starts_with(root));
        match real {
            Ok(real) if is_inside(&real) => Ok(path.to_path_buf()),
            Err(refusal) if !path.is_absolute() && !file.contains("..") => Err(refusal),
            // whether there is such a file is not said
            _ => Err(Refusal(format!(
                "`{file}` is outside of the folders that requests may load from: start `query` in its folder or \
                 with a file of it"
            ))),
        }
    }
}

fn names(world: &WorldModel, elements: &[EntityId]) -> Result<Vec<String>, Refusal> {
    let name = |&element: &EntityId| Ok(world.name(element)?);
    elements.iter().map(name).collect()
}

/// Maximum number of elements of a world, links included.
const MOST_ELEMENTS: usize = 100_000;
