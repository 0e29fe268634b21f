//! Sensors at frames: position, orientation, velocities and angular acceleration.

use std::collections::HashMap;

use super::Loaded;
use super::model::{GeomShape, Model};
use super::notes::Notes;
use super::references::{Names, Reference};
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

/// Whether sensors of this kind are read.
fn read(kind: &str) -> Option<(Quantity, bool)> {
    let found = READ.iter().find(|(name, ..)| *name == kind);
    found.map(|(_, quantity, is_at_site)| (*quantity, *is_at_site))
}

/// Adds the sensors of a robot.
pub(super) fn apply(
    assembly: &mut Assembly,
    loaded: &Loaded,
    notes: &mut Notes<'_>,
) -> Result<(), Diagnostic> {
    each(loaded, notes, |sensor, _| {
        if let Some(sensor) = sensor.of_robot(assembly) {
            assembly.robot.sensors.push(sensor);
        }
    })
}

/// Reports the sensors that no robot has: of other kinds, and of what is no robot.
pub(super) fn report(
    loaded: &Loaded,
    is_of_robot: impl Fn(usize) -> bool,
    notes: &mut Notes<'_>,
) -> Result<(), Diagnostic> {
    for sensor in loaded.references(|document| &document.sensors) {
        let kind = &sensor.node.name;
        if read(kind).is_none() {
            notes.leave_out(
                format!("<{kind}> of <sensor> is left out"),
                sensor.node.place,
            );
        } else if sensor.node.word("reftype").is_some() {
            let what = "a <sensor> relative to another frame is left out";
            notes.leave_out(what, sensor.node.place);
        } else if let Some(attribute) = ["cutoff", "noise"].into_iter().find(|name| {
            sensor
                .node
                .word(name)
                .is_some_and(|word| word.trim() != "0")
        }) {
            let what = format!("`{attribute}` of <sensor> is left out");
            notes.leave_out(what, sensor.node.place);
        }
    }
    let mut others = Vec::new();
    each(loaded, notes, |sensor, reference| {
        if !is_of_robot(sensor.body) {
            others.push(reference.node.place);
        }
    })?;
    for place in others {
        notes.leave_out("a <sensor> of what is no robot is left out", place);
    }
    Ok(())
}

/// A sensor of a body.
struct Found {
    name: String,
    body: usize,
    /// Its index among the sites and cameras of the body.
    frame: Option<usize>,
    /// The frame in that of the body.
    pose: Pose,
    quantity: Quantity,
}

impl Found {
    /// The sensor on a link of a robot, `None` if it is of no body there.
    fn of_robot(self, assembly: &Assembly) -> Option<FrameSensor> {
        let mut frames = assembly.frames.iter();
        let own = |(body, k, _): &&(usize, usize, _)| *body == self.body && Some(*k) == self.frame;
        let (link, pose) = match frames.find(own) {
            Some((.., link)) => (*link, Pose::identity()),
            None => (assembly.link_of(self.body)?, self.pose),
        };
        Some(FrameSensor::new(self.name, link, pose, self.quantity))
    }
}

/// Calls a function with each sensor that is read.
fn each<'l>(
    loaded: &'l Loaded,
    notes: &mut Notes<'_>,
    mut take: impl FnMut(Found, Reference<'l>),
) -> Result<(), Diagnostic> {
    let mut frames = None;
    for (k, sensor) in loaded.references(|document| &document.sensors).enumerate() {
        let Some((quantity, is_at_site)) = read(&sensor.node.name) else {
            continue;
        };
        if sensor.node.word("reftype").is_some() {
            continue;
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
            let element = &sensor.node.name;
            return refuse(format!("<{element}> needs `{attribute}`"), notes);
        };
        if !["body", "camera", "geom", "site", "xbody"].contains(&kind) {
            let problem = format!(
                "`objtype` is {kind:?}; expected \"body\", \"xbody\", \"geom\", \"site\" or \"camera\""
            );
            return refuse(problem, notes);
        }
        let Some((body, frame, pose)) = frames.find(kind, &object) else {
            let kind = if kind == "xbody" { "body" } else { kind };
            sensor.unknown(attribute, kind, notes)?;
            continue;
        };
        let Some(pose) = pose.filter(|_| kind != "body" || quantity != Quantity::Quaternion) else {
            let what = "a <sensor> of the axes of a mesh or of a body's inertia is left out";
            notes.leave_out(what, sensor.node.place);
            continue;
        };
        let found = Found {
            name,
            body,
            frame,
            pose,
            quantity,
        };
        take(found, sensor);
    }
    Ok(())
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
