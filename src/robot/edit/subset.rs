//! Robots of chosen links.

use super::{LinkImage, LinkMap};
use crate::math::Pose;
use crate::robot::self_collision::SelfCollisionPairs;
use crate::robot::{Driver, DriverKind, JointKind, JointSpec, LinkId, RobotBuilder, SelfCollision};
use crate::{Error, Result};

impl RobotBuilder {
    /// A robot of the chosen links only, in their order.
    ///
    /// Links in between are frozen at their initial values; their mass and shapes are left out. A joint of
    /// several degrees of freedom that loses one is split into normal joints. Drivers keep the remaining links.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where a link does not exist or the parents form a cycle.
    pub fn subset(&self, keep: &[LinkId]) -> Result<(Self, LinkMap)> {
        let n = self.links.len();
        if let Some(id) = keep.iter().find(|id| id.index() >= n) {
            return Err(Error::invalid(
                "subset",
                format!("there is no link {}; there are {n}", id.index()),
            ));
        }
        let mut source = self.clone();
        let sorted = source.sort_links()?;
        source.spell_out();
        let pairs = SelfCollisionPairs::new(&source)?;
        let mut is_kept = vec![false; n];
        keep.iter()
            .for_each(|id| is_kept[sorted[id.index()].index()] = true);

        let mut chosen = Self {
            links: Vec::new(),
            ..source.clone()
        };
        let mut images = vec![LinkImage::Removed; n];

        // per link: the nearest kept link among itself and its ancestors, and the pose in it
        let mut hold: Vec<(Option<LinkId>, Pose)> = Vec::with_capacity(n);
        for (i, link) in source.links.iter().enumerate() {
            let (holder, x_hp) = link
                .parent
                .map_or((None, Pose::identity()), |parent| hold[parent.index()]);
            if is_kept[i] {
                let mut kept = link.clone();
                kept.parent = holder;
                kept.placement = x_hp * link.placement;
                let id = chosen.add_link(kept);
                images[i] = LinkImage::Link(id);
                hold.push((Some(id), Pose::identity()));
            } else {
                hold.push((
                    holder,
                    x_hp * link.placement * link.motion.pose(link.initial),
                ));
            }
        }
        chosen.break_joints(&source, &is_kept);
        let holders: Vec<Option<LinkId>> = hold.iter().map(|(holder, _)| *holder).collect();
        chosen.keep_joints_and_drivers(&images, &holders);
        let new = |id: LinkId| match images[id.index()] {
            LinkImage::Link(id) => Some(id),
            _ => None,
        };
        let kept_pairs = pairs.wanted().filter_map(|(a, b)| Some((new(a)?, new(b)?)));
        if !pairs.bodied().is_empty() || pairs.has_list() {
            chosen.self_collision = SelfCollision {
                only: Some(kept_pairs.collect()),
                except: Vec::new(),
            };
        }
        let images = sorted.iter().map(|id| images[id.index()]).collect();
        Ok((chosen, LinkMap { images }))
    }

    /// Replaces joints that lose a link by normal joints on the remaining links.
    fn break_joints(&mut self, source: &Self, is_kept: &[bool]) {
        let mut joints = Vec::new();
        for joint in source.joints.iter().flatten() {
            // `build` refuses invalid chains
            let links = source
                .check_joint(joint)
                .map_or_else(|_| vec![joint.link], |joint| joint.links);
            if joint.kind == JointKind::Closed || links.iter().all(|id| is_kept[id.index()]) {
                joints.push(joint.clone());
                continue;
            }
            let left = links.into_iter().filter(|id| is_kept[id.index()]);
            joints.extend(left.map(|link| JointSpec {
                kind: JointKind::Normal,
                link,
                base: None,
            }));
        }
        self.joints = Some(joints);
    }

    /// Renumbers joints and drivers, and drops those of removed links.
    ///
    /// `holders` has for each old link the new link that it became, is a part of, or was attached to.
    pub(super) fn keep_joints_and_drivers(
        &mut self,
        images: &[LinkImage],
        holders: &[Option<LinkId>],
    ) {
        let link_of = |id: LinkId| match images.get(id.index()) {
            Some(LinkImage::Link(id)) => Some(*id),
            _ => None,
        };
        let holder_of = |id: LinkId| holders.get(id.index()).copied().flatten();
        if let Some(joints) = &mut self.joints {
            joints.retain(|joint| link_of(joint.link).is_some());
            for joint in joints {
                joint.link = link_of(joint.link).unwrap_or(joint.link);
                joint.base = joint.base.and_then(holder_of);
            }
        }
        let image = |id: LinkId| images.get(id.index()).copied();
        self.sensors = (self.sensors.iter())
            .filter_map(|sensor| sensor.after(&image))
            .collect();
        let closures = std::mem::take(&mut self.loop_closures);
        let kept = closures.iter().filter_map(|closure| closure.after(&image));
        // what was reduced to one link has no loop left
        self.loop_closures = kept.filter(|c| c.a.link != c.b.link).collect();
        let kind_of = |kind: &DriverKind| -> Option<DriverKind> {
            Some(match kind {
                DriverKind::Normal { link } => DriverKind::Normal {
                    link: link_of(*link)?,
                },
                DriverKind::Translation { link, base } => DriverKind::Translation {
                    link: link_of(*link)?,
                    base: base.and_then(holder_of),
                },
                DriverKind::Rotation { link, base } => DriverKind::Rotation {
                    link: link_of(*link)?,
                    base: base.and_then(holder_of),
                },
                DriverKind::Affine {
                    links,
                    scale,
                    offset,
                } => {
                    let kept = || (0..links.len()).filter(|&i| link_of(links[i]).is_some());
                    let pick =
                        |values: &[f64]| kept().filter_map(|i| values.get(i).copied()).collect();
                    kept().next()?;
                    DriverKind::Affine {
                        links: links.iter().copied().filter_map(link_of).collect(),
                        scale: pick(scale),
                        offset: pick(offset),
                    }
                }
            })
        };
        let kept = |driver: Driver| {
            let kind = kind_of(&driver.kind)?;
            Some(Driver { kind, ..driver })
        };
        let drivers = self.drivers.take().unwrap_or_default();
        self.drivers = Some(drivers.into_iter().filter_map(kept).collect());
        self.keep_groups(&link_of, &holder_of);
    }
}
