//! Loop closures as the equalities `connect` and `weld` of bodies.

use std::collections::HashMap;

use super::Writer;
use super::layout::Layout;
use crate::io::save::{Children, Tag, loop_name, world_link, wxyz};
use crate::math::{Point, Pose};
use crate::robot::{LoopClosure, LoopFrame, LoopKind, RobotBuilder};

/// Largest distance of the two points of a `connect` in the initial pose, m: MuJoCo takes the second from there.
const MOST_APART: f64 = 1e-9;

/// Bodies with their names and their poses, in the initial pose.
struct Bodies<'a> {
    names: &'a [String],
    poses: Vec<Pose>,
    /// The body of each link that is one, or is fixed in one, and the pose of the link in it.
    of_links: HashMap<usize, End>,
}

/// A frame of a closure: the body, `None` for the world, and the frame in it.
type End = (Option<usize>, Pose);

impl<'a> Bodies<'a> {
    fn new(spec: &RobotBuilder, layout: &Layout, names: &'a [String]) -> Self {
        let mut poses: Vec<Pose> = Vec::with_capacity(layout.bodies.len());
        let mut of_links = HashMap::new();
        let children = Children::new(&spec.links).of;
        of_links.extend(
            world_link(&spec.links, &children).map(|world| (world, (None, Pose::identity()))),
        );
        for (k, body) in layout.bodies.iter().enumerate() {
            let parent = body.parent.and_then(|parent| poses.get(parent));
            poses.push(parent.map_or(body.pose, |parent| parent * body.pose));
            of_links.insert(body.link, (Some(k), Pose::identity()));
            for &site in &body.sites {
                let placement = spec.links.get(site).map(|link| link.placement);
                of_links.insert(site, (Some(k), placement.unwrap_or_default()));
            }
        }
        Self {
            names,
            poses,
            of_links,
        }
    }

    /// `None` for a frame on a link that is no body.
    fn end(&self, frame: &LoopFrame) -> Option<End> {
        let Some(link) = frame.link else {
            return Some((None, frame.pose));
        };
        let (body, in_body) = self.of_links.get(&link.index())?;
        Some((*body, in_body * frame.pose))
    }

    /// Adds the names of two bodies; that of the world is left out, and is never the first.
    fn named(&self, tag: Tag, [a, b]: [Option<usize>; 2]) -> Tag {
        let name = |body: Option<usize>| body.and_then(|k| self.names.get(k));
        let tag = match name(a) {
            Some(name) => tag.word("body1", name),
            None => tag,
        };
        match name(b) {
            Some(name) => tag.word("body2", name),
            None => tag,
        }
    }

    /// Where a point of a body is in the initial pose.
    fn placed(&self, (body, frame): End) -> Point {
        let origin = Point::from(frame.translation.vector);
        let pose = body.and_then(|k| self.poses.get(k));
        pose.map_or(origin, |pose| pose * origin)
    }
}

impl Writer<'_> {
    /// Writes the loop closures of a robot; `names` are those of the bodies.
    pub(super) fn loops(&mut self, spec: &RobotBuilder, layout: &Layout, names: &[String]) {
        if spec.loop_closures.is_empty() {
            return;
        }
        let bodies = Bodies::new(spec, layout, names);
        for closure in &spec.loop_closures {
            match equality(closure, &bodies) {
                Ok(tag) => {
                    let tag = match closure.name.as_str() {
                        "" => tag,
                        name => tag.word("name", &self.names.equalities.unique(name, "loop")),
                    };
                    self.equalities += &format!("    {}", tag.closed());
                }
                Err(why) => self.losses.add(why, loop_name(closure, spec)),
            }
        }
    }
}

/// The element of a closure, or what is lost.
fn equality(closure: &LoopClosure, bodies: &Bodies<'_>) -> Result<Tag, &'static str> {
    let ends = (bodies.end(&closure.a), bodies.end(&closure.b));
    let (Some(a), Some(b)) = ends else {
        return Err("loop closures on links that are no bodies are not kept");
    };
    if a.0 == b.0 {
        return Err("loop closures within one body are not kept");
    }
    let (a, b) = if a.0.is_none() { (b, a) } else { (a, b) };
    match closure.kind {
        LoopKind::Spherical => {
            if (bodies.placed(a) - bodies.placed(b)).norm() > MOST_APART {
                return Err("loop closures that are open in the initial pose are not kept");
            }
            let anchor: [f64; 3] = a.1.translation.vector.into();
            let tag = bodies.named(Tag::new("connect"), [a.0, b.0]);
            Ok(tag.numbers("anchor", &anchor))
        }
        LoopKind::Fixed => {
            // the point of the second body, and where it is held in the first
            let anchor: [f64; 3] = b.1.translation.vector.into();
            let [x, y, z]: [f64; 3] = a.1.translation.vector.into();
            let [qw, qx, qy, qz] = wxyz(&(a.1.rotation * b.1.rotation.inverse())).0;
            let tag = bodies.named(Tag::new("weld"), [a.0, b.0]);
            let tag = tag.numbers("relpose", &[x, y, z, qw, qx, qy, qz]);
            Ok(tag.numbers("anchor", &anchor))
        }
        LoopKind::Revolute => Err("loop closures that leave a rotation are not kept"),
    }
}
