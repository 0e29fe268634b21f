//! Conversion of a model to a world: robots, rigid objects and terrains.

use super::Loaded;
use super::fields::Fields;
use super::model::{Body, Geom, JointType, Model};
use super::notes::Notes;
use super::pairs::{Rule, Solid};
use super::robot;
use super::sensors::Sensors;
use super::{drivers, keys, loops, shapes};
use crate::geometry::Geometry;
use crate::io::context::Context;
use crate::io::urdf::warn_of_massless;
use crate::math::Pose;
use crate::robot::{LinkId, RobotBuilder};
use crate::world::{ContactParameters, EntityId, RigidObject, Terrain, WorldModel};
use crate::{Diagnostic, Error, LoadError, MissingGeometry};

/// The world of a model.
pub(super) fn build(
    loaded: &Loaded,
    context: &mut Context<'_>,
    notes: &mut Notes<'_>,
) -> Result<WorldModel, LoadError> {
    let model = &loaded.model;
    let roots = Roots::of(model);
    if roots.robots.len() != 1 {
        context.expect_several_robots();
    }
    let sensors = Sensors::of(loaded, |body| roots.is_of(&roots.robots, body), notes)?;
    let mut world = WorldModel::new();
    let rule = Rule::of(loaded, notes)?;
    let mut solids = Vec::new();
    let gravity = gravity(loaded, notes)?;
    if gravity != EARTH {
        let what = "`gravity` of <option> is kept as a property; pass it to dynamics";
        notes.leave_out(what, robot::place(model));
        let value = gravity.map(|x| x.to_string()).join(" ");
        world
            .properties_mut()
            .insert("mjcf.gravity".to_owned(), value);
    }
    let mut n_links = 0;
    for &root in &roots.robots {
        let name = robot_name(model, root, roots.robots.len());
        let (mut robot, bodies) = finished((loaded, &sensors), &rule, root, name, context, notes)?;
        context.complete(&mut robot)?;
        n_links += robot.links.len();
        let limit = context.options().limits.world_links;
        if n_links > limit {
            let problem = format!("the world has more than {limit} links");
            let error = notes.error(robot::place(model), "model", problem);
            return Err(error
                .help("raise `limits.world_links` of the load options")
                .into());
        }
        let built = robot.build_sorted();
        let (robot, new_ids) = built.map_err(|error| refused(model, root, notes, &error))?;
        let id = world.add_robot(robot);
        solids.extend(bodies.into_iter().filter_map(|(body, link)| {
            let link = *new_ids.get(link.index())?;
            Some(Solid {
                entity: EntityId::Link(id, link),
                body,
                geom: None,
            })
        }));
    }
    context.warn_of_unused_srdf();
    for &root in &roots.objects {
        let object = object(model, root, context, notes)?;
        let added = world.add_rigid_object(object);
        let id = added.map_err(|error| refused(model, root, notes, &error))?;
        solids.push(Solid {
            entity: id.into(),
            body: root,
            geom: None,
        });
    }
    for (index, body) in model.bodies.iter().enumerate() {
        if roots.is_static(index) {
            let added = terrains(model, index, body, &mut world, context, notes)?;
            solids.extend(added);
        }
    }
    for (a, b) in rule.ignored(&solids, context.options().limits.pairs, notes) {
        let ignored = world.ignore_pair(a, b);
        ignored.map_err(|error| notes.error(robot::place(model), "model", error.to_string()))?;
    }
    Ok(world)
}

/// MuJoCo's gravity where a model gives none, m/s².
const EARTH: [f64; 3] = [0.0, 0.0, -9.81];

/// The gravity of the main model.
fn gravity(loaded: &Loaded, notes: &Notes<'_>) -> Result<[f64; 3], Diagnostic> {
    let mut gravity = EARTH;
    if let Some(document) = loaded.documents.first() {
        for option in &document.options {
            let fields = Fields::plain(option, "option", document, notes);
            gravity = fields.numbers::<3>("gravity")?.unwrap_or(gravity);
        }
    }
    Ok(gravity)
}

/// The one robot of a model.
pub(super) fn only_robot(
    loaded: &Loaded,
    context: &mut Context<'_>,
    notes: &mut Notes<'_>,
) -> Result<RobotBuilder, LoadError> {
    let model = &loaded.model;
    let roots = Roots::of(model);
    let moving = match roots.robots.as_slice() {
        [] => &roots.objects,
        robots => robots,
    };
    let &[root] = moving else {
        let count = moving.len();
        let problem = match count {
            0 => "it has no body with a joint, so there is no robot".to_owned(),
            count => format!("it has {count} robots, where one was expected"),
        };
        let error = notes.error(robot::place(model), "model", problem);
        return Err(error.help("load it as a world").into());
    };
    let sensors = Sensors::of(loaded, |body| roots.is_of(moving, body), notes)?;
    let rule = Rule::of(loaded, notes)?;
    let (robot, _) = finished(
        (loaded, &sensors),
        &rule,
        root,
        model.name.clone(),
        context,
        notes,
    )?;
    Ok(robot)
}

/// A robot with all that the model says of it, and the links of its bodies.
fn finished(
    (loaded, sensors): (&Loaded, &Sensors),
    rule: &Rule<'_>,
    root: usize,
    name: String,
    context: &Context<'_>,
    notes: &mut Notes<'_>,
) -> Result<(RobotBuilder, Vec<(usize, LinkId)>), LoadError> {
    let model = &loaded.model;
    let mut assembly = robot::assemble(model, root, name, context, notes)?;
    drivers::apply(&mut assembly, loaded, notes)?;
    rule.apply(&mut assembly, context.options().limits.pairs, notes)?;
    keys::apply(&mut assembly, loaded, notes)?;
    loops::apply(&mut assembly, loaded, notes)?;
    sensors.apply(&mut assembly);
    let bodies = assembly.bodies.iter().copied();
    let links = bodies.zip(assembly.links.iter().copied()).collect();
    let robot = assembly.robot;
    let body = model.bodies.get(root).expect("roots are bodies");
    let report = notes.of_file(body.place.file);
    warn_of_massless(&robot, report, body.place.position);
    Ok((robot, links))
}

/// A robot is called like the model if it is the only one, else like its root body.
fn robot_name(model: &Model, root: usize, count: usize) -> String {
    match (count, model.bodies.get(root)) {
        (2.., Some(body)) => body.label(root),
        _ => model.name.clone(),
    }
}

/// The children of the world by what they become.
#[derive(Debug, Default)]
struct Roots {
    robots: Vec<usize>,
    objects: Vec<usize>,
    /// The child of the world above each body.
    above: Vec<usize>,
    moves: Vec<bool>,
}

impl Roots {
    fn of(model: &Model) -> Self {
        let n = model.bodies.len();
        let mut roots = Self {
            moves: vec![false; n],
            ..Self::default()
        };
        let mut is_parent = vec![false; n];
        for (index, body) in model.bodies.iter().enumerate() {
            let above = match (index, body.parent) {
                (_, 0) => index,
                (_, parent) => roots.above.get(parent).copied().unwrap_or(index),
            };
            roots.above.push(above);
            if let Some(is_parent) = is_parent.get_mut(body.parent).filter(|_| index > 0) {
                *is_parent = true;
            }
            if !body.joints.is_empty()
                && let Some(moves) = roots.moves.get_mut(above)
            {
                *moves = true;
            }
        }
        for (index, body) in model.bodies.iter().enumerate().skip(1) {
            if body.parent != 0 || !roots.moves.get(index).is_some_and(|moves| *moves) {
                continue;
            }
            let is_free = body
                .joints
                .iter()
                .any(|joint| joint.kind == JointType::Free);
            let is_alone = !is_parent.get(index).is_some_and(|is_parent| *is_parent);
            if is_free && is_alone {
                roots.objects.push(index);
            } else {
                roots.robots.push(index);
            }
        }
        // a body that is all there is may be a robot that flies
        roots
    }

    /// Whether a body is below or one of some children of the world, in ascending order.
    fn is_of(&self, children: &[usize], body: usize) -> bool {
        let above = self.above.get(body);
        body > 0 && above.is_some_and(|above| children.binary_search(above).is_ok())
    }

    /// True for the world, and for bodies that cannot move.
    fn is_static(&self, index: usize) -> bool {
        let above = self.above.get(index).copied().unwrap_or(0);
        !self.moves.get(above).is_some_and(|moves| *moves)
    }
}

fn refused(model: &Model, root: usize, notes: &Notes<'_>, error: &Error) -> Diagnostic {
    match model.bodies.get(root) {
        Some(body) => notes.error(body.place, &body.subject(), error.to_string()),
        None => Diagnostic::error(error.to_string()),
    }
}

/// The rigid object of a body with a free joint alone.
fn object(
    model: &Model,
    root: usize,
    context: &Context<'_>,
    notes: &mut Notes<'_>,
) -> Result<RigidObject, Diagnostic> {
    let body = model.bodies.get(root).expect("roots are bodies");
    let solid: Vec<&Geom> = body.geoms.iter().filter(|g| !g.is_visual()).collect();
    let (geometry, missing_geometry) = collision(&solid, &Pose::identity(), context, notes)?;
    Ok(RigidObject {
        geometry,
        missing_geometry,
        pose: body.pose,
        inertia: body.inertia,
        contact: ContactParameters {
            friction: solid.first().map_or(1.0, |geom| geom.friction),
            ..ContactParameters::default()
        },
        ..RigidObject::new(body.label(root))
    })
}

/// Shapes as one at a pose.
fn collision(
    geoms: &[&Geom],
    pose: &Pose,
    context: &Context<'_>,
    notes: &mut Notes<'_>,
) -> Result<(Option<Geometry>, Option<MissingGeometry>), Diagnostic> {
    if !context.options().load_geometry {
        let missing = (!geoms.is_empty()).then_some(MissingGeometry::NotLoaded);
        return Ok((None, missing));
    }
    let mut members = Vec::new();
    for geom in geoms {
        if let Some((geometry, placement)) = shapes::geometry(geom, notes)? {
            members.push((pose * placement, geometry));
        }
    }
    Ok((Geometry::joined(members), None))
}

/// Adds the terrains of a body that cannot move: one for each geom of the world, one for each other body.
fn terrains(
    model: &Model,
    index: usize,
    body: &Body,
    world: &mut WorldModel,
    context: &Context<'_>,
    notes: &mut Notes<'_>,
) -> Result<Vec<Solid>, Diagnostic> {
    for geom in body.geoms.iter().filter(|geom| geom.is_visual()) {
        notes.leave_out("static geoms that never collide are left out", geom.place);
    }
    let mut x_wb = body.pose;
    let mut parent = body.parent;
    while parent != 0 {
        let above = model.bodies.get(parent).expect("parents are bodies");
        x_wb = above.pose * x_wb;
        parent = above.parent;
    }
    let geoms = body.geoms.iter().enumerate();
    let solid = geoms.filter(|(_, geom)| !geom.is_visual());
    let groups: Vec<(String, Option<usize>, Vec<&Geom>)> = match index {
        0 => solid
            .enumerate()
            .map(|(k, (g, geom))| (geom_name(geom, k), Some(g), vec![geom]))
            .collect(),
        _ => {
            let geoms = solid.map(|(_, geom)| geom).collect();
            vec![(body.label(index), None, geoms)]
        }
    };
    let mut solids = Vec::new();
    for (name, geom, geoms) in groups {
        let Some(first) = geoms.first() else {
            continue;
        };
        let friction = first.friction;
        let (geometry, missing) = collision(&geoms, &x_wb, context, notes)?;
        let mut terrain = Terrain::new(name, geometry);
        terrain.missing_geometry = missing;
        terrain.friction = vec![friction];
        let added = world.add_terrain(terrain);
        let id = added.map_err(|error| refused(model, index, notes, &error))?;
        solids.push(Solid {
            entity: id.into(),
            body: index,
            geom,
        });
    }
    Ok(solids)
}

/// The name of a geom, or one by its number.
fn geom_name(geom: &Geom, index: usize) -> String {
    match geom.name.as_str() {
        "" => format!("geom{index}"),
        name => name.to_owned(),
    }
}
