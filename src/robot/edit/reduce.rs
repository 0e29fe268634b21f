//! Removal of links that never move.

use super::{LinkImage, LinkMap};
use crate::math::Pose;
use crate::robot::self_collision::SelfCollisionPairs;
use crate::robot::{JointKind, LinkId, LinkMotion, LinkSpec, RobotBuilder, SelfCollision};
use crate::{Error, Result};

impl RobotBuilder {
    /// The same robot with every welded and fixed link merged into its parent.
    ///
    /// Mass, inertia and shapes are merged too; a welded degree of freedom is frozen at its initial value. A
    /// fixed child of the world stays, because it has no parent. Two links of the result are checked for
    /// collision where all parts of one were checked against all parts of the other.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where a parent, a joint's link or a link of a self-collision pair does not exist, or the
    /// parents form a cycle.
    #[doc(alias = "buildReducedModel")]
    pub fn reduce(&self) -> Result<(Self, LinkMap)> {
        let mut source = self.clone();
        let sorted = source.sort_links()?;
        source.spell_out();
        let pairs = SelfCollisionPairs::new(&source)?;
        source.freeze_welds()?;

        // images[i]: image of link i of the sorted robot; parts[k]: links that new link k is made of
        let mut reduced = Self {
            links: Vec::new(),
            ..source.clone()
        };
        let mut images: Vec<LinkImage> = Vec::with_capacity(source.links.len());
        let mut parts: Vec<Vec<LinkId>> = Vec::new();
        for (i, link) in source.links.iter().enumerate() {
            let (carrier, x_cp) = match link.parent.map(|parent| images[parent.index()]) {
                Some(LinkImage::Link(id)) => (Some(id), Pose::identity()),
                Some(LinkImage::Part(id, pose)) => (Some(id), pose),
                _ => (None, Pose::identity()),
            };
            let x_cl = x_cp * link.placement;
            if let (LinkMotion::Fixed, Some(carrier)) = (link.motion, carrier) {
                absorb(&mut reduced.links[carrier.index()], link, &x_cl);
                parts[carrier.index()].push(LinkId::new(i));
                images.push(LinkImage::Part(carrier, x_cl));
            } else {
                let mut kept = link.clone();
                kept.parent = carrier;
                kept.placement = x_cl;
                images.push(LinkImage::Link(reduced.add_link(kept)));
                parts.push(vec![LinkId::new(i)]);
            }
        }
        let holder = |place: &LinkImage| match place {
            LinkImage::Link(id) | LinkImage::Part(id, _) => Some(*id),
            LinkImage::Removed => None,
        };
        let holders: Vec<Option<LinkId>> = images.iter().map(holder).collect();
        reduced.keep_joints_and_drivers(&images, &holders);
        reduced.self_collision = common_pairs(&reduced, &parts, &pairs);
        let images = sorted.iter().map(|id| images[id.index()]).collect();
        Ok((reduced, LinkMap { images }))
    }

    /// Replaces welded links by fixed ones at their initial values, and drops the weld joints.
    fn freeze_welds(&mut self) -> Result<()> {
        let links = &mut self.links;
        for joint in self
            .joints
            .iter()
            .flatten()
            .filter(|joint| joint.kind == JointKind::Weld)
        {
            let Some(link) = links.get_mut(joint.link.index()) else {
                return Err(Error::invalid(
                    "weld joint",
                    format!("there is no link {}", joint.link.index()),
                ));
            };
            link.placement *= link.motion.pose(link.initial);
            link.motion = LinkMotion::Fixed;
        }
        if let Some(joints) = &mut self.joints {
            joints.retain(|joint| joint.kind != JointKind::Weld);
        }
        Ok(())
    }
}

/// Adds the mass and the shapes of a link at pose `x` to its carrier.
fn absorb(carrier: &mut LinkSpec, link: &LinkSpec, x: &Pose) {
    carrier.missing_geometry = carrier.lack().or_else(|| link.lack());
    carrier.inertia = carrier.inertia.merged(&link.inertia.transformed(x));
    let placed = |element: &crate::robot::Element| {
        let mut element = element.clone();
        element.placement = x * element.placement;
        element
    };
    carrier.collision.extend(link.collision.iter().map(placed));
    carrier.visual.extend(link.visual.iter().map(placed));
}

/// Pairs of new links all of whose parts were checked against each other: those that have or should have a shape.
fn common_pairs(
    reduced: &RobotBuilder,
    parts: &[Vec<LinkId>],
    old: &SelfCollisionPairs,
) -> SelfCollision {
    if old.bodied().is_empty() {
        return SelfCollision::default();
    }
    let is_bodied = |id: &&LinkId| old.bodied().binary_search(id).is_ok();
    let bodied = |k: &usize| parts[*k].iter().any(|part| is_bodied(&part));
    let all_enabled = |a: usize, b: usize| {
        let mut of_a = parts[a].iter().filter(is_bodied);
        of_a.all(|&x| parts[b].iter().filter(is_bodied).all(|&y| old.wants(x, y)))
    };
    let n = reduced.links.len();
    let mut only = Vec::new();
    for a in (0..n).filter(&bodied) {
        for b in (a + 1..n).filter(&bodied) {
            if all_enabled(a, b) {
                only.push((LinkId::new(a), LinkId::new(b)));
            }
        }
    }
    SelfCollision {
        only: Some(only),
        except: Vec::new(),
    }
}
