//! Loop closures as further joints: a reader takes the first joint of a link, and closes loops by the others.

use super::Writer;
use super::layout::{Layout, Role};
use crate::io::save::{Tag, loop_name};
use crate::math::{Pose, Vector};
use crate::robot::{LoopClosure, LoopFrame, LoopKind, RobotBuilder};

/// Largest distance, m, and angle of the two frames of a closure where all coordinates are zero: a joint has one frame.
const MOST_APART: f64 = 1e-9;

/// A frame of a closure: the name of a link, or of what holds the model, with its pose there, and the frame in it.
struct End<'a> {
    link: &'a str,
    is_world: bool,
    placed: Pose,
    frame: Pose,
}

/// The links of a model where all coordinates are zero.
struct Links<'a> {
    spec: &'a RobotBuilder,
    layout: &'a Layout,
    poses: Vec<Pose>,
}

impl<'a> Links<'a> {
    fn new(spec: &'a RobotBuilder, layout: &'a Layout) -> Self {
        let mut poses: Vec<Pose> = Vec::with_capacity(spec.links.len());
        let free = layout.free.as_deref().unwrap_or_default();
        for (i, link) in spec.links.iter().enumerate() {
            let is_held = layout.welds.contains(&i) || free.contains(&i);
            let value = if is_held { link.initial } else { 0.0 };
            let own = link.placement * link.motion.pose(value);
            let parent = link.parent.and_then(|parent| poses.get(parent.index()));
            poses.push(parent.map_or(own, |parent| parent * own));
        }
        Self {
            spec,
            layout,
            poses,
        }
    }

    /// The end of a closure, or what is lost.
    fn end(&self, frame: &LoopFrame) -> Result<End<'a>, &'static str> {
        let (mut link, mut pose) = (frame.link, frame.pose);
        while let Some(id) = link
            && self.layout.role(id.index()) == Role::Frame
            && let Some(spec) = self.spec.links.get(id.index())
        {
            (link, pose) = (spec.parent, spec.placement * pose);
        }
        let role = link.map(|id| self.layout.role(id.index()));
        if role == Some(Role::Virtual) {
            return Err("loop closures on virtual links are not kept");
        }
        let is_world = matches!(role, None | Some(Role::World));
        if is_world && self.layout.free.is_some() {
            return Err("loop closures of a free model with the world are not kept");
        }
        let placed = link.and_then(|id| self.poses.get(id.index()).copied());
        Ok(End {
            link: self.layout.link(link),
            is_world,
            placed: placed.unwrap_or_default(),
            frame: pose,
        })
    }

    /// The child and the parent of the joint of a closure, or what is lost.
    fn ends(&self, closure: &LoopClosure) -> Result<[End<'a>; 2], &'static str> {
        let (a, b) = (self.end(&closure.a)?, self.end(&closure.b)?);
        if a.link == b.link {
            return Err("loop closures within one link are not kept");
        }
        let apart = (a.placed * a.frame).inverse() * (b.placed * b.frame);
        let turned = match closure.kind {
            LoopKind::Spherical => 0.0,
            LoopKind::Fixed => apart.rotation.angle(),
            LoopKind::Revolute => (apart.rotation * Vector::z() - Vector::z()).norm(),
        };
        if apart.translation.vector.norm() > MOST_APART || turned > MOST_APART {
            return Err("loop closures that are open where all coordinates are 0 are not kept");
        }
        // the world is no child
        Ok(if a.is_world { [b, a] } else { [a, b] })
    }
}

impl Writer<'_> {
    /// Writes the loop closures of a robot.
    pub(super) fn loops(&mut self, spec: &RobotBuilder, layout: &Layout) {
        let links = Links::new(spec, layout);
        for (closure, name) in spec.loop_closures.iter().zip(&layout.loops) {
            let [child, parent] = match links.ends(closure) {
                Ok(ends) => ends,
                Err(why) => {
                    self.losses.add(why, loop_name(closure, spec));
                    continue;
                }
            };
            let kind = match closure.kind {
                LoopKind::Spherical => "ball",
                LoopKind::Fixed => "fixed",
                LoopKind::Revolute => "continuous",
            };
            let tag = Tag::new("joint").word("name", name).word("type", kind);
            self.line(1, &tag.open());
            self.pose(2, &child.frame, Some(child.link), name);
            self.element(2, "parent", parent.link);
            self.element(2, "child", child.link);
            if closure.kind == LoopKind::Revolute {
                self.line(2, "<axis>\n");
                self.element(3, "xyz", "0 0 1");
                self.line(2, "</axis>\n");
            }
            self.line(1, "</joint>\n");
        }
    }
}
