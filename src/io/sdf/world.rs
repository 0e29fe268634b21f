//! Conversion of a graph to a world: robots, rigid objects and terrains.

use super::additions;
use super::document::Kind;
use super::fields::Notes;
use super::include::START;
use super::placed::{Graph, PlacedLink, TopModel};
use super::robot;
use super::tree::{Component, components};
use crate::geometry::Geometry;
use crate::io::context::Context;
use crate::io::urdf;
use crate::math::Pose;
use crate::robot::RobotBuilder;
use crate::world::{ContactParameters, RigidObject, Terrain, WorldModel};
use crate::{Diagnostic, Error, LoadError, MissingGeometry};

/// The world of a graph.
pub(super) fn build(
    graph: &Graph,
    context: &mut Context<'_>,
    notes: &Notes<'_>,
) -> Result<WorldModel, LoadError> {
    let parts = Parts::of(graph, notes);
    if parts.robots.len() != 1 {
        context.expect_several_robots();
    }
    let mut world = WorldModel::new();
    if let Some((gravity, place)) = graph.gravity
        && !USUAL.contains(&gravity)
    {
        let what = "<gravity> is kept as a property; pass it to dynamics";
        notes.leave_out(what, place);
        let text = gravity.map(|x| x.to_string()).join(" ");
        let properties = world.properties_mut();
        properties.insert("sdf.gravity".to_owned(), text);
    }
    let mut n_links = 0;
    for component in &parts.robots {
        let name = parts.name(graph, component);
        let robot = finished(graph, component, name, context, notes)?;
        let (first, model) = first(graph, component);
        n_links += robot.links.len();
        let limit = context.options().limits.world_links;
        if n_links > limit {
            let problem = format!("with this one the world has more than {limit} links");
            let error = notes.error(model.place, &subject(model), problem);
            return Err(error
                .help("raise `limits.world_links` of the load options")
                .into());
        }
        let built = robot.build_sorted();
        let (robot, _) = built.map_err(|error| refused(first, notes, &error))?;
        world.add_robot(robot);
    }
    context.warn_of_unused_srdf();
    for component in &parts.objects {
        let (link, _) = first(graph, component);
        let object = object(link, parts.name(graph, component), context, notes)?;
        let added = world.add_rigid_object(object);
        added.map_err(|error| refused(link, notes, &error))?;
    }
    for component in &parts.terrains {
        let (link, _) = first(graph, component);
        let terrain = terrain(
            graph,
            component,
            parts.name(graph, component),
            context,
            notes,
        );
        let added = world.add_terrain(terrain);
        added.map_err(|error| refused(link, notes, &error))?;
    }
    Ok(world)
}

/// What stands for the gravity of the earth in files.
const USUAL: [[f64; 3]; 3] = [[0.0, 0.0, -9.81], [0.0, 0.0, -9.8], [0.0, 0.0, -9.8066]];

/// The one robot of a graph: the one with joints, else the one thing that there is.
pub(super) fn only_robot(
    graph: &Graph,
    context: &mut Context<'_>,
    notes: &Notes<'_>,
) -> Result<RobotBuilder, LoadError> {
    let parts = Parts::of(graph, notes);
    let candidates = [&parts.robots, &parts.objects, &parts.terrains];
    let some = candidates.into_iter().find(|some| !some.is_empty());
    match some.map(Vec::as_slice) {
        Some([one]) => {
            let name = first(graph, one).1.name.clone();
            Ok(finished(graph, one, name, context, notes)?)
        }
        Some(several) => {
            let problem = format!("there are {} robots, where one was expected", several.len());
            let place = graph.models.first().map_or(START, |model| model.place);
            let error = notes.error(place, "sdf", problem);
            Err(error.help("load it as a world").into())
        }
        None => Err(notes.error(START, "sdf", "it has no <link>").into()),
    }
}

/// Components by what they become.
struct Parts {
    robots: Vec<Component>,
    objects: Vec<Component>,
    terrains: Vec<Component>,
    /// Number of components of each model.
    counts: Vec<usize>,
}

impl Parts {
    fn of(graph: &Graph, notes: &Notes<'_>) -> Self {
        let mut parts = Self {
            robots: Vec::new(),
            objects: Vec::new(),
            terrains: Vec::new(),
            counts: vec![0; graph.models.len()],
        };
        for component in components(graph, notes) {
            let (link, model) = first(graph, &component);
            if let Some(count) = parts.counts.get_mut(link.model) {
                *count += 1;
            }
            let joints = component
                .steps
                .iter()
                .filter_map(|step| graph.joints.get(step.joint?.joint));
            let mut kinds = joints.map(|joint| joint.kind);
            let moves = kinds.any(|kind| !matches!(kind, Kind::Fixed | Kind::Other));
            if model.is_static || (component.is_held && !moves) {
                parts.terrains.push(component);
            } else if component.steps.len() == 1 && !moves {
                parts.objects.push(component);
            } else {
                parts.robots.push(component);
            }
        }
        parts
    }

    /// The name of the model, with that of the first link where the model has other parts.
    fn name(&self, graph: &Graph, component: &Component) -> String {
        let (link, model) = first(graph, component);
        match self.counts.get(link.model) {
            Some(1) => model.name.clone(),
            _ => link.name.clone(),
        }
    }
}

/// The first link of a component and its model.
fn first<'g>(graph: &'g Graph, component: &Component) -> (&'g PlacedLink, &'g TopModel) {
    let links = component.steps.iter().map(|step| step.link);
    let link = links.min().and_then(|link| graph.links.get(link));
    let link = link.expect("a component has a link");
    let model = graph.models.get(link.model);
    (link, model.expect("a link has a model"))
}

fn subject(model: &TopModel) -> String {
    format!("model `{}`", model.name)
}

fn refused(link: &PlacedLink, notes: &Notes<'_>, error: &Error) -> Diagnostic {
    let subject = format!("link `{}`", link.name);
    notes.error(link.link.name.place, &subject, error.to_string())
}

fn finished(
    graph: &Graph,
    component: &Component,
    name: String,
    context: &mut Context<'_>,
    notes: &Notes<'_>,
) -> Result<RobotBuilder, LoadError> {
    let (_, model) = first(graph, component);
    let document = robot::document(graph, component, name, notes)?;
    let path = notes.path(model.place.file);
    let file = notes.report.of_file(&path);
    let mut robot = urdf::from_document(&document, &path, context, file)?;
    additions::apply(graph, component, &mut robot, notes);
    Ok(robot)
}

/// Poses in the world and shapes of links; `None` where they are not loaded.
fn solid<'g>(
    links: impl Iterator<Item = (&'g PlacedLink, Pose)>,
    context: &Context<'_>,
    notes: &Notes<'_>,
) -> (Option<Geometry>, Option<MissingGeometry>) {
    let mut members = Vec::new();
    let mut missing = None;
    for (link, pose) in links {
        let drawn = link.link.visual.iter().find(|shape| !shape.is_empty);
        if let Some(shape) = drawn {
            let what = "<visual> of what is no robot is left out: its <collision> is drawn";
            notes.leave_out(what, shape.name.place);
        }
        for (shape, placement) in link.link.collision.iter().zip(&link.collision) {
            match &shape.geometry {
                _ if shape.is_empty => {}
                _ if !context.options().load_geometry => missing = Some(MissingGeometry::NotLoaded),
                Some(geometry) => members.push((pose * placement, geometry.clone())),
                None => missing = Some(MissingGeometry::LeftOut),
            }
        }
        let has_visual = link.link.visual.iter().any(|shape| !shape.is_empty);
        if link.link.collision.is_empty() && has_visual && missing.is_none() {
            missing = Some(MissingGeometry::VisualOnly);
        }
    }
    (Geometry::joined(members), missing)
}

fn friction(link: &PlacedLink) -> Option<f64> {
    link.link.collision.iter().find_map(|shape| shape.friction)
}

fn object(
    link: &PlacedLink,
    name: String,
    context: &Context<'_>,
    notes: &Notes<'_>,
) -> Result<RigidObject, Diagnostic> {
    let (geometry, missing_geometry) =
        solid(std::iter::once((link, Pose::identity())), context, notes);
    Ok(RigidObject {
        geometry,
        missing_geometry,
        pose: link.pose,
        inertia: super::link::inertia(link, notes)?,
        contact: ContactParameters {
            friction: friction(link).unwrap_or(1.0),
            ..ContactParameters::default()
        },
        ..RigidObject::new(name)
    })
}

fn terrain(
    graph: &Graph,
    component: &Component,
    name: String,
    context: &Context<'_>,
    notes: &Notes<'_>,
) -> Terrain {
    let links = component
        .steps
        .iter()
        .filter_map(|step| graph.links.get(step.link));
    let links: Vec<&PlacedLink> = links.collect();
    let (geometry, missing) = solid(links.iter().map(|link| (*link, link.pose)), context, notes);
    let mut terrain = Terrain::new(name, geometry);
    terrain.missing_geometry = missing;
    let friction = links.iter().find_map(|link| friction(link));
    terrain.friction = vec![friction.unwrap_or(1.0)];
    terrain
}
