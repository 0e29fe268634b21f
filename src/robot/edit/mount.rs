//! Mounting of one robot on another.

use super::{LinkImage, LinkMap};
use crate::math::Pose;
use crate::robot::self_collision::SelfCollisionPairs;
use crate::robot::{LinkId, RobotBuilder, SelfCollision};
use crate::{Error, Result};

impl RobotBuilder {
    /// Appends another robot whose roots become children of `link` (`None`: the world), their placements
    /// premultiplied by `placement`.
    ///
    /// With a `prefix`, links, joints, drivers, groups, named states and properties of the other robot are named `prefix:name`.
    /// Self-collision is checked between every link of the other robot and every link of this one, except
    /// between its roots and `link`.
    ///
    /// The map has one image per link of the other robot.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where `link` or a link of a self-collision pair does not exist; nothing changes then.
    pub fn mount(
        &mut self,
        link: Option<LinkId>,
        other: &Self,
        placement: &Pose,
        prefix: Option<&str>,
    ) -> Result<LinkMap> {
        let shift = self.links.len();
        if let Some(link) = link
            && link.index() >= shift
        {
            let problem = format!("there is no link {}; there are {shift}", link.index());
            return Err(Error::invalid("mount", problem));
        }
        let self_collision = self.joined_pairs(link, other)?;

        let mut other = other.clone();
        self.spell_out();
        other.spell_out();
        other.renumber(&|id| moved(id, shift));
        self.self_collision = self_collision;
        let named = |name: &str| {
            prefix.map_or_else(|| name.to_owned(), |prefix| format!("{prefix}:{name}"))
        };
        for mut spec in other.links {
            if spec.parent.is_none() {
                spec.parent = link;
                spec.placement = placement * spec.placement;
            }
            spec.name = named(&spec.name);
            if !spec.joint.is_empty() {
                spec.joint = named(&spec.joint);
            }
            self.links.push(spec);
        }
        for mut joint in other.joints.into_iter().flatten() {
            joint.base = joint.base.or(link);
            self.joints.get_or_insert_default().push(joint);
        }
        for mut driver in other.drivers.into_iter().flatten() {
            driver.name = named(&driver.name);
            self.drivers.get_or_insert_default().push(driver);
        }
        for mut closure in other.loop_closures {
            for frame in [&mut closure.a, &mut closure.b] {
                // the world of the other robot is at its placement on the link
                if frame.link.is_none() {
                    (frame.link, frame.pose) = (link, placement * frame.pose);
                }
            }
            closure.name = named(&closure.name);
            self.loop_closures.push(closure);
        }
        for mut sensor in other.sensors {
            sensor.name = named(&sensor.name);
            self.sensors.push(sensor);
        }
        self.adopt_groups(
            (other.groups, other.named_states, other.end_effectors),
            &named,
        );
        for (key, value) in other.properties {
            self.properties.entry(named(&key)).or_insert(value);
        }
        let images = (shift..self.links.len()).map(|i| LinkImage::Link(LinkId::new(i)));
        Ok(LinkMap {
            images: images.collect(),
        })
    }

    /// Merges several robots into one, each with its prefix if it has one.
    ///
    /// There is one map per part.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where a self-collision pair of a part names a link that does not exist.
    pub fn merge(
        name: impl Into<String>,
        parts: &[(Option<&str>, &Self)],
    ) -> Result<(Self, Vec<LinkMap>)> {
        let mut merged = Self::new(name);
        let mut mount = |(prefix, part): &(Option<&str>, &Self)| {
            merged.mount(None, part, &Pose::identity(), *prefix)
        };
        let maps = parts.iter().map(&mut mount).collect::<Result<_>>()?;
        Ok((merged, maps))
    }

    /// The pairs of both robots and those between them, in the numbering after [`mount`](Self::mount).
    fn joined_pairs(&self, link: Option<LinkId>, other: &Self) -> Result<SelfCollision> {
        let shift = self.links.len();
        let shifted = |(a, b): (LinkId, LinkId)| (moved(a, shift), moved(b, shift));
        let (ours, theirs) = (
            SelfCollisionPairs::new(self)?,
            SelfCollisionPairs::new(other)?,
        );
        if self.self_collision.only.is_none() && other.self_collision.only.is_none() {
            // the default rule covers the pairs between the two as well
            let mut joined = self.self_collision.clone();
            joined
                .except
                .extend(other.self_collision.except.iter().copied().map(shifted));
            return Ok(joined);
        }
        let mut only: Vec<_> = ours.wanted().chain(theirs.wanted().map(shifted)).collect();
        for &a in ours.bodied() {
            for &b in theirs.bodied() {
                let is_adjacent = other.links[b.index()].parent.is_none() && Some(a) == link;
                if !is_adjacent {
                    only.push((a, moved(b, shift)));
                }
            }
        }
        Ok(SelfCollision {
            only: Some(only),
            except: Vec::new(),
        })
    }
}

/// The new id of a mounted link.
fn moved(id: LinkId, shift: usize) -> LinkId {
    LinkId::new(id.index() + shift)
}
