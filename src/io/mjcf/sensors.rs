//! Sensors at frames: position, orientation, velocities and angular acceleration.

use std::collections::HashMap;

use super::Loaded;
use super::model::{GeomShape, Model};
use super::notes::Notes;
use super::references::Names;
use super::robot::Assembly;
use crate::Diagnostic;
use crate::math::{Pose, Rotation};
use crate::robot::{FrameSensor, Quantity};

/// Sensors that are read, each with what it measures; those of *sites* name one by `site`.
const READ: [(&str, Quantity, bool); 7] = [
    ("framepos", Quantity::Position, false),
    ("framequat", Quantity::Quaternion, false),
    ("framelinvel", Quantity::Velocity, false),
    ("frameangvel", Quantity::AngularVelocity, false),
    ("frameangacc", Quantity::AngularAcceleration, false),
    ("velocimeter", Quantity::VelocityLocal, true),
    ("gyro", Quantity::AngularVelocityLocal, true),
];

/// The element of a quantity, and whether it is at a site.
pub(super) fn element(quantity: Quantity) -> Option<(&'static str, bool)> {
    let found = READ.iter().find(|(_, of_it, _)| *of_it == quantity);
    found.map(|(name, _, is_at_site)| (*name, *is_at_site))
}

/// What sensors of a kind that is read measure, and whether they are at a site.
fn read(kind: &str) -> Option<(Quantity, bool)> {
    let found = READ.iter().find(|(name, ..)| *name == kind);
    found.map(|(_, quantity, is_at_site)| (*quantity, *is_at_site))
}

/// The sensors of a model by their bodies.
#[derive(Debug, Default)]
pub(super) struct Sensors {
    of_bodies: HashMap<usize, Vec<Found>>,
}

impl Sensors {
    /// Reads the sensors; what no robot has is reported: other kinds, sensors of what is no robot, and mistakes.
    pub(super) fn of(
        loaded: &Loaded,
        is_of_robot: impl Fn(usize) -> bool,
        notes: &mut Notes<'_>,
    ) -> Result<Self, Diagnostic> {
        let mut all = Self::default();
        let mut frames = None;
        for (k, sensor) in loaded.references(|document| &document.sensors).enumerate() {
            let element = &sensor.node.name;
            let Some((quantity, is_at_site)) = read(element) else {
                let what = format!("<{element}> of <sensor> is left out");
                notes.leave_out(what, sensor.node.place);
                continue;
            };
            if sensor.node.word("reftype").is_some() {
                let what = "a <sensor> relative to another frame is left out";
                notes.leave_out(what, sensor.node.place);
                continue;
            }
            for attribute in ["cutoff", "noise"] {
                let given = sensor.node.word(attribute);
                // zero, however it is written, is none
                if given.is_some_and(|word| word.trim().parse::<f64>() != Ok(0.0)) {
                    let what = format!("`{attribute}` of <sensor> is left out");
                    notes.leave_out(what, sensor.node.place);
                }
            }
            let frames = frames.get_or_insert_with(|| Frames::of(&loaded.model));
            let name = sensor.name().unwrap_or_else(|| format!("sensor{k}"));
            let (attribute, kind) = match is_at_site {
                true => ("site", "site"),
                false => ("objname", sensor.node.word("objtype").unwrap_or_default()),
            };
            let refuse = |problem: String, notes: &Notes<'_>| {
                let subject = format!("sensor `{name}`");
                Err(notes.error(sensor.node.place, &subject, problem))
            };
            let Some(object) = sensor.named(attribute) else {
                return refuse(format!("<{element}> needs `{attribute}`"), notes);
            };
            if !["body", "camera", "geom", "site", "xbody"].contains(&kind) {
                let expected = "\"body\", \"xbody\", \"geom\", \"site\" or \"camera\"";
                return refuse(format!("`objtype` is {kind:?}; expected {expected}"), notes);
            }
            let Some((body, frame, pose)) = frames.find(kind, &object) else {
                let kind = if kind == "xbody" { "body" } else { kind };
                sensor.unknown(attribute, kind, notes)?;
                continue;
            };
            let has_axes = kind != "body" || quantity != Quantity::Quaternion;
            let Some(pose) = pose.filter(|_| has_axes) else {
                let what = "a <sensor> of the axes of a mesh or of a body's inertia is left out";
                notes.leave_out(what, sensor.node.place);
                continue;
            };
            if !is_of_robot(body) {
                let what = "a <sensor> of what is no robot is left out";
                notes.leave_out(what, sensor.node.place);
                continue;
            }
            all.of_bodies.entry(body).or_default().push(Found {
                index: k,
                name,
                frame,
                pose,
                quantity,
            });
        }
        Ok(all)
    }

    /// Adds the sensors of a robot, in the order of the file.
    pub(super) fn apply(&self, assembly: &mut Assembly) {
        let mut found: Vec<(usize, FrameSensor)> = Vec::new();
        for (&body, &link) in assembly.bodies.iter().zip(&assembly.links) {
            for sensor in self.of_bodies.get(&body).into_iter().flatten() {
                let own = sensor.frame.and_then(|k| assembly.frames.get(&(body, k)));
                // a site is a link of its own
                let (link, pose) = match own {
                    Some(link) => (*link, Pose::identity()),
                    None => (link, sensor.pose),
                };
                let made = FrameSensor::new(&sensor.name, link, pose, sensor.quantity);
                found.push((sensor.index, made));
            }
        }
        found.sort_by_key(|(index, _)| *index);
        let sensors = found.into_iter().map(|(_, sensor)| sensor);
        assembly.robot.sensors.extend(sensors);
    }
}

/// A sensor of a body.
#[derive(Debug)]
struct Found {
    /// Its number in the file.
    index: usize,
    name: String,
    /// Its index among the sites and cameras of the body.
    frame: Option<usize>,
    /// The frame in that of the body.
    pose: Pose,
    quantity: Quantity,
}

/// What sensors may be at, by name.
struct Frames<'m> {
    model: &'m Model,
    names: Names<'m>,
    /// Sites and cameras by kind and name: body, and index there.
    frames: HashMap<(&'static str, &'m str), (usize, usize)>,
}

impl<'m> Frames<'m> {
    fn of(model: &'m Model) -> Self {
        let mut frames = HashMap::new();
        for (b, body) in model.bodies.iter().enumerate() {
            for (k, frame) in body.frames.iter().enumerate() {
                let key = (frame.kind, frame.name.as_str());
                frames.entry(key).or_insert((b, k));
            }
        }
        Self {
            model,
            names: Names::of(model),
            frames,
        }
    }

    /// The body of an object, its index among the sites and cameras there, and its pose in the body where that is known.
    fn find(&self, kind: &str, name: &str) -> Option<(usize, Option<usize>, Option<Pose>)> {
        let body = |b: usize| self.model.bodies.get(b);
        match kind {
            "xbody" => Some((self.names.body(name)?, None, Some(Pose::identity()))),
            "body" => {
                let b = self.names.body(name)?;
                let com = body(b)?.inertia.com;
                let pose = Pose::from_parts(com.coords.into(), Rotation::identity());
                Some((b, None, Some(pose)))
            }
            "geom" => {
                let (b, g) = self.names.geom(name)?;
                let geom = body(b)?.geoms.get(g)?;
                let is_mesh = matches!(geom.shape, GeomShape::Mesh(_) | GeomShape::HeightField(_));
                Some((b, None, (!is_mesh).then_some(geom.pose)))
            }
            _ => {
                let kind = if kind == "site" { "site" } else { "camera" };
                let (b, k) = *self.frames.get(&(kind, name))?;
                Some((b, Some(k), Some(body(b)?.frames.get(k)?.pose)))
            }
        }
    }
}
