//! Loop closures from the equalities `connect` and `weld`.

use std::collections::HashMap;

use super::Loaded;
use super::fields::Fields;
use super::model::Model;
use super::notes::Notes;
use super::references::{Names, Reference};
use super::robot::Assembly;
use crate::Diagnostic;
use crate::math::{Pose, Vector, so3};
use crate::robot::{LinkId, LoopClosure, LoopFrame, LoopKind};

/// Adds the loop closures of a robot.
pub(super) fn apply(
    assembly: &mut Assembly,
    loaded: &Loaded,
    notes: &mut Notes<'_>,
) -> Result<(), Diagnostic> {
    let mut ends = None;
    for equality in loaded.references(|document| &document.equalities) {
        let kind = match equality.node.name.as_str() {
            "connect" => LoopKind::Spherical,
            "weld" => LoopKind::Fixed,
            _ => continue,
        };
        let fields = equality.fields("equality", &["equality"], notes)?;
        if fields.flag("active")? == Some(false) {
            continue;
        }
        let ends = ends.get_or_insert_with(|| Ends::of(&loaded.model, assembly));
        let frames = match (equality.named("body1"), equality.named("site1")) {
            (Some(_), _) => ends.bodies(equality, kind, fields, notes)?,
            (None, Some(_)) => ends.sites(equality),
            (None, None) => {
                let what = format!(
                    "an <equality><{}> needs `body1` or `site1`",
                    equality.node.name
                );
                return Err(fields.error(what));
            }
        };
        let name = equality.name().unwrap_or_default();
        match frames {
            Ok((a, b)) if a.link == b.link => {
                let what = "equalities of bodies that do not move in each other are left out";
                notes.leave_out(what, equality.node.place);
            }
            Ok((a, b)) => {
                let closure = LoopClosure::new(name, kind, a, b);
                assembly.robot.loop_closures.push(closure);
            }
            Err(Lost::Elsewhere { is_half_own }) => {
                let what = format!(
                    "<equality><{}> of two robots, or of an object, is left out",
                    equality.node.name
                );
                if is_half_own {
                    notes.leave_out(what, equality.node.place);
                }
            }
            Err(Lost::Unknown(attribute, kind)) => equality.unknown(attribute, kind, notes)?,
        }
    }
    Ok(())
}

/// The two frames of an equality.
type Pair = Result<(LoopFrame, LoopFrame), Lost>;

/// What an equality has instead of two frames.
enum Lost {
    /// An end that is neither of this robot nor stands still, or no end of this robot.
    Elsewhere {
        /// The other end is of this robot.
        is_half_own: bool,
    },
    /// The attribute that names something unknown, and its kind.
    Unknown(&'static str, &'static str),
}

/// Bodies and sites with their links.
struct Ends<'m> {
    names: Names<'m>,
    sites: HashMap<&'m str, (usize, &'m Pose)>,
    /// Poses of bodies in the world, in the pose of the file.
    poses: Vec<Pose>,
    /// True for what cannot move.
    stands: Vec<bool>,
    links: HashMap<usize, LinkId>,
}

impl<'m> Ends<'m> {
    fn of(model: &'m Model, assembly: &Assembly) -> Self {
        let mut ends = Self {
            names: Names::of(model),
            sites: HashMap::new(),
            poses: Vec::with_capacity(model.bodies.len()),
            stands: Vec::with_capacity(model.bodies.len()),
            links: HashMap::new(),
        };
        let links = assembly.bodies.iter().zip(&assembly.links);
        ends.links = links.map(|(body, link)| (*body, *link)).collect();
        for (index, body) in model.bodies.iter().enumerate() {
            let above = ends.poses.get(body.parent).filter(|_| index > 0);
            let pose = above.map_or(body.pose, |above| above * body.pose);
            ends.poses.push(pose);
            let parent = index == 0 || ends.stands.get(body.parent) == Some(&true);
            ends.stands.push(parent && body.joints.is_empty());
            for frame in body.frames.iter().filter(|frame| frame.kind == "site") {
                ends.sites.insert(&frame.name, (index, &frame.pose));
            }
        }
        ends
    }

    /// The pose of a body in the world, in the pose of the file.
    fn pose(&self, body: usize) -> Pose {
        self.poses.get(body).copied().unwrap_or_default()
    }

    /// A frame of a body as one of a link or of the world; `None` where it is of another robot or an object.
    fn frame(&self, body: usize, pose: Pose) -> Option<LoopFrame> {
        match self.links.get(&body) {
            Some(link) => Some(LoopFrame::new(Some(*link), pose)),
            None if self.stands.get(body) == Some(&true) => {
                Some(LoopFrame::new(None, self.pose(body) * pose))
            }
            None => None,
        }
    }

    fn pair(&self, (a, in_a): (usize, Pose), (b, in_b): (usize, Pose)) -> Pair {
        let is_half_own = match (self.frame(a, in_a), self.frame(b, in_b)) {
            (Some(a), Some(b)) if a.link.is_some() || b.link.is_some() => return Ok((a, b)),
            (Some(end), None) | (None, Some(end)) => end.link.is_some(),
            (Some(_), Some(_)) | (None, None) => false,
        };
        Err(Lost::Elsewhere { is_half_own })
    }

    /// Frames of an equality of bodies, by its `anchor` and `relpose`.
    fn bodies(
        &self,
        equality: Reference<'_>,
        kind: LoopKind,
        fields: Fields<'_, '_>,
        notes: &Notes<'_>,
    ) -> Result<Pair, Diagnostic> {
        let body = |attribute: &'static str| match equality.named(attribute) {
            Some(name) => (self.names.body(&name)).ok_or(Lost::Unknown(attribute, "body")),
            None => Ok(0),
        };
        let (first, second) = match (body("body1"), body("body2")) {
            (Ok(first), Ok(second)) => (first, second),
            (Err(unknown), _) | (_, Err(unknown)) => return Ok(Err(unknown)),
        };
        let anchor = Vector::from(fields.numbers::<3>("anchor")?.unwrap_or_default());
        let anchor = Pose::from_parts(anchor.into(), crate::math::Rotation::identity());
        let relative = self.pose(first).inverse() * self.pose(second);
        let (in_first, in_second) = match kind {
            LoopKind::Spherical => (anchor, relative.inverse() * anchor),
            _ => {
                let given = fields.numbers::<7>("relpose")?.unwrap_or_default();
                let [x, y, z, quaternion @ ..] = given;
                let is_given = quaternion.iter().any(|x| *x != 0.0);
                let rotation = is_given.then(|| so3::from_wxyz(quaternion));
                // a position that is given is that of the anchor
                let in_first = match rotation {
                    None => relative * anchor,
                    Some(Ok(rotation)) => Pose::from_parts(Vector::new(x, y, z).into(), rotation),
                    Some(Err(_)) => {
                        let problem = "the quaternion of `relpose` has no direction";
                        return Err(notes.error(equality.node.place, "weld", problem));
                    }
                };
                (in_first, anchor)
            }
        };
        Ok(self.pair((first, in_first), (second, in_second)))
    }

    /// Frames of an equality of sites.
    fn sites(&self, equality: Reference<'_>) -> Pair {
        let site = |attribute: &'static str| {
            let name = equality.named(attribute).unwrap_or_default();
            let site = self.sites.get(name.as_str());
            site.copied().ok_or(Lost::Unknown(attribute, "site"))
        };
        match (site("site1"), site("site2")) {
            (Ok((a, in_a)), Ok((b, in_b))) => self.pair((a, *in_a), (b, *in_b)),
            (Err(unknown), _) | (_, Err(unknown)) => Err(unknown),
        }
    }
}
