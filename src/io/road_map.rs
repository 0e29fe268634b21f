//! Road maps as JSON.

use std::fmt::Write;
use std::path::Path;

use serde_json::Value;

use super::context::Context;
use super::json::{self, Node};
use super::loader::Loader;
use super::output::{SaveOptions, write_file};
use super::source::FilePath;
use super::text::number;
use crate::planning::{CSpace, EdgeState, RoadMap, RoadMapOwner, RoadMapParts};
use crate::{Diagnostic, LoadError, Loaded, Result};

/// The member that says what the file is, with the version of its form.
const MARK: &str = "kinworld_road_map";

/// The version of the form.
const VERSION: usize = 1;

impl RoadMap {
    /// The map in a file that [`save`](Self::save) wrote; see [`Loader::road_map`].
    ///
    /// # Errors
    ///
    /// As [`Loader::road_map`].
    pub fn load(space: &impl CSpace, path: impl AsRef<Path>) -> Result<Loaded<Self>> {
        Loader::new().road_map(space, path)
    }

    /// Writes the map as JSON: names of robots and joints, bounds, milestones, edges and what is known about them.
    ///
    /// The file reads back to the last bit. It does not hold the scene: see [`trust_states`](Self::trust_states).
    /// A failed save leaves the old file unchanged.
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load) for a file that cannot be written.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::WorldModel;
    /// use kinworld::planning::{Budget, RoadMap, RobotCSpace};
    ///
    /// let world = WorldModel::load("data/worlds/cell.xml")?.value;
    /// let space = RobotCSpace::new(&world, &[world.robot("arm")?.id()])?;
    /// let mut map = RoadMap::new(&space);
    /// map.grow(&space, 100)?;
    ///
    /// let path = std::env::temp_dir().join("kinworld_doc_road_map.json");
    /// map.save(&path)?;
    /// let mut read = RoadMap::load(&space, &path)?.value;
    /// let (start, goal) = (space.current(), [1.0, 0.2, 0.0, 0.0, 0.0, 0.0]);
    /// let [ours, theirs] = [&mut map, &mut read].map(|map| map.plan(&space, &start, &goal, &Budget::default()));
    /// assert_eq!(ours?.path, theirs?.path);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
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
        write_file(path, text(&self.parts()).as_bytes(), options)
    }
}

impl Loader {
    /// The road map in a file that [`RoadMap::save`] wrote, for a space of the same robots. What it says about edges is forgotten
    /// where the map is used first, unless it is [trusted](RoadMap::trust_states).
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load), with the place in the file, also for a map of other robots, joints or limits.
    pub fn road_map(
        &mut self,
        space: &impl CSpace,
        path: impl AsRef<Path>,
    ) -> Result<Loaded<RoadMap>> {
        let path = &FilePath::by_caller(path);
        self.call(path, |ctx| load(ctx, space, path))
    }
}

fn load(ctx: &Context<'_>, space: &impl CSpace, path: &FilePath) -> Result<RoadMap, LoadError> {
    let bytes = ctx.read_bytes(path)?;
    let value = json::parse(&bytes, path)?;
    let parts = parts(&Node::root(&value, path))?;
    let refused = |error: crate::Error| {
        let help = "grow a new one for this space";
        Diagnostic::error(error.to_string())
            .in_file(path)
            .help(help)
    };
    let map = RoadMap::try_from(parts).map_err(refused)?;
    map.check_owner(space).map_err(refused)?;
    Ok(map)
}

/// The character of a state.
fn letter(state: EdgeState) -> char {
    match state {
        EdgeState::Unknown => '?',
        EdgeState::Free => '+',
        EdgeState::Blocked => '-',
    }
}

fn text(parts: &RoadMapParts) -> String {
    let mut text = format!("{{\"{MARK}\": {VERSION},\n");
    let quoted = |name: &String| Value::from(name.as_str()).to_string();
    let robots = parts.owner.robots.iter().map(|(name, dofs)| {
        let dofs: Vec<String> = dofs.iter().map(quoted).collect();
        format!(
            "{{\"name\": {}, \"dofs\": [{}]}}",
            quoted(name),
            dofs.join(", ")
        )
    });
    let bound = |x: &Option<f64>| x.map_or("null".to_owned(), number);
    let bounds = parts.owner.bounds.iter();
    let bounds = bounds.map(|[low, high]| format!("[{}, {}]", bound(low), bound(high)));
    let milestones = parts.milestones.iter().map(|q| {
        let q: Vec<String> = q.iter().map(|x| number(*x)).collect();
        format!("[{}]", q.join(", "))
    });
    let edges = parts.edges.iter().map(|[a, b]| format!("[{a}, {b}]"));
    let mut list = |name: &str, items: Vec<String>| {
        let _ = writeln!(text, "\"{name}\": [\n{}],", items.join(",\n"));
    };
    list("robots", robots.collect());
    list("bounds", bounds.collect());
    list("milestones", milestones.collect());
    list("edges", edges.collect());
    let states: String = parts.states.iter().map(|state| letter(*state)).collect();
    let step = bound(&parts.step);
    let _ = writeln!(
        text,
        "\"states\": \"{states}\",\n\"step\": {step},\n\"seed\": {},\n\"drawn\": {}}}",
        parts.seed, parts.drawn
    );
    text
}

fn parts(root: &Node<'_>) -> Result<RoadMapParts, Diagnostic> {
    let Some(version) = root.member(MARK) else {
        return Err(root.error("is no road map: it does not say that it is one"));
    };
    if version.index()? != VERSION {
        return Err(version.error(&format!("is a form that is not known; {VERSION} is")));
    }
    let mut robots = Vec::new();
    for robot in needed_list(root, "robots")? {
        let dofs = needed_list(&robot, "dofs")?;
        let names = dofs.iter().map(|name| name.text().map(str::to_owned));
        let name = robot.needed("name")?.text()?.to_owned();
        robots.push((name, names.collect::<Result<_, _>>()?));
    }
    let mut bounds = Vec::new();
    for range in needed_list(root, "bounds")? {
        bounds.push(range.range()?);
    }
    let milestones = needed_list(root, "milestones")?;
    let milestones = milestones.iter().map(Node::all_numbers);
    let milestones = milestones.collect::<Result<_, _>>()?;
    let edges = needed_list(root, "edges")?;
    let edges = edges.iter().map(Node::indices);
    let states = root.needed("states")?;
    let state = |c| match c {
        '?' => Ok(EdgeState::Unknown),
        '+' => Ok(EdgeState::Free),
        '-' => Ok(EdgeState::Blocked),
        other => Err(states.error(&format!("`{other}` is none of `?`, `+` and `-`"))),
    };
    Ok(RoadMapParts {
        owner: RoadMapOwner { robots, bounds },
        seed: root.needed("seed")?.natural()?,
        drawn: root.needed("drawn")?.natural()?,
        step: root.member("step").map(|step| step.number()).transpose()?,
        milestones,
        edges: edges.collect::<Result<_, _>>()?,
        states: states
            .text()?
            .chars()
            .map(state)
            .collect::<Result<_, _>>()?,
    })
}

fn needed_list<'a>(node: &Node<'a>, name: &str) -> Result<Vec<Node<'a>>, Diagnostic> {
    node.needed(name)?;
    node.list(name)
}
