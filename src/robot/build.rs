//! Build step from [`RobotBuilder`] to [`Robot`]: validation and the compiled tree.

use super::check::check_link;
use super::self_collision::SelfCollisionPairs;
use super::{
    Attachment, DofId, Driver, Joint, JointKind, JointSpec, Link, LinkId, LinkMotion, LinkSpec,
    Robot, RobotBuilder,
};
use crate::geometry::Geometry;
use crate::kernel;
use crate::math::{Inertia, Pose, Rotation};
use crate::{Error, Result};

impl RobotBuilder {
    /// Checks everything and compiles the robot.
    ///
    /// Links keep their ids: each comes after its parent. Where some do not, [`build_sorted`](Self::build_sorted) reorders
    /// them and returns the new ids.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`], naming the link, joint or driver: parents that do not exist, come later or form a cycle, numbers
    /// that are not finite, negative masses, two joints or drivers on one link, chains of the wrong length.
    pub fn build(self) -> Result<Robot> {
        self.check_order()?;
        self.compiled()
    }

    /// [`build`](Self::build) for links in any order, and the new id of each.
    ///
    /// The order is stable; a valid order does not change.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build), but for parents that come later.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::Vector;
    /// use kinworld::robot::{LinkMotion, LinkSpec, RobotBuilder};
    ///
    /// let mut builder = RobotBuilder::new("arm");
    /// let hand = builder.add_link(LinkSpec::new("hand", None, LinkMotion::Fixed));
    /// let arm = builder.add_link(LinkSpec::new("arm", None, LinkMotion::Revolute(Vector::z())));
    /// builder.links[hand.index()].parent = Some(arm);
    ///
    /// let problem = builder.clone().build().unwrap_err().to_string();
    /// assert!(problem.contains("comes before its parent `arm`"));
    /// let (robot, new_ids) = builder.build_sorted()?;
    /// assert_eq!(robot.link(new_ids[hand.index()]).name(), "hand");
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn build_sorted(mut self) -> Result<(Robot, Vec<LinkId>)> {
        let new_ids = self.sort_links()?;
        Ok((self.compiled()?, new_ids))
    }

    /// Builds a robot whose links come after their parents.
    fn compiled(mut self) -> Result<Robot> {
        self.links.iter().try_for_each(check_link)?;
        let joints = self.check_joints()?;
        let mut joint_of_link = vec![None; self.links.len()];
        for (j, joint) in joints.iter().enumerate() {
            for &link in &joint.links {
                if joint_of_link[link.index()].replace(j).is_some() {
                    return Err(Error::invalid(
                        self.label(link),
                        "two joints own its degree of freedom",
                    ));
                }
            }
        }
        let drivers = match self.drivers.take() {
            Some(drivers) => drivers,
            None => self.default_drivers(),
        };
        self.check_drivers(&drivers)?;
        self.check_groups()?;
        self.check_loop_closures()?;
        self.check_sensors()?;

        let (tree, attachments) = compile(&self.links, &joints, &drivers);
        let self_collision = SelfCollisionPairs::new(&self)?;
        let movable = || self.links.iter().filter(|link| !link.motion.is_fixed());
        Ok(Robot {
            limits: movable().map(|link| link.limits).collect(),
            initial: movable().map(|link| link.initial).collect(),
            own_armature: movable().map(|link| link.armature).collect(),
            dofs: (0..self.links.len())
                .filter(|&i| !self.links[i].motion.is_fixed())
                .map(LinkId::new)
                .collect(),
            identity: self.name.as_str().into(),
            name: self.name,
            links: links(self.links),
            joints,
            joint_of_link,
            drivers,
            self_collision,
            groups: self.groups,
            named_states: self.named_states,
            end_effectors: self.end_effectors,
            loop_closures: self.loop_closures,
            sensors: self.sensors,
            properties: self.properties,
            tree,
            attachments,
        })
    }

    /// Name of a link in messages: `link `name``.
    pub(super) fn label(&self, link: LinkId) -> String {
        match self.links.get(link.index()) {
            Some(spec) => format!("link `{}`", spec.name),
            None => format!("link {}", link.index()),
        }
    }

    fn check_joints(&self) -> Result<Vec<Joint>> {
        let specs = self.joints.clone().unwrap_or_else(|| self.default_joints());
        specs.iter().map(|spec| self.check_joint(spec)).collect()
    }

    /// One normal joint per link with a degree of freedom.
    pub(super) fn default_joints(&self) -> Vec<JointSpec> {
        let movable = (0..self.links.len()).filter(|&i| !self.links[i].motion.is_fixed());
        let normal = |i| JointSpec {
            kind: JointKind::Normal,
            link: LinkId::new(i),
            base: None,
        };
        movable.map(normal).collect()
    }

    /// Checks a joint and collects the links of its chain.
    pub(super) fn check_joint(&self, spec: &JointSpec) -> Result<Joint> {
        let JointSpec { kind, link, base } = *spec;
        let what = || format!("{} joint of {}", kind.name(), self.label(link));
        let n = self.links.len();
        if link.index() >= n || base.is_some_and(|base| base.index() >= n) {
            return Err(Error::invalid(what(), format!("there are only {n} links")));
        }
        let name = self.links[link.index()].joint.as_str();
        let name = match name {
            "" => self.links[link.index()].name.clone(),
            name => name.to_owned(),
        };
        let movable = |link: &LinkId| !self.links[link.index()].motion.is_fixed();
        if kind == JointKind::Closed {
            return Ok(Joint {
                name,
                kind,
                link,
                base,
                links: Vec::new(),
            });
        }
        if kind.dofs() == Some(1) {
            if !movable(&link) {
                return Err(Error::invalid(
                    what(),
                    "the link is fixed and has no degree of freedom",
                ));
            }
            let parent = self.links[link.index()].parent;
            return Ok(Joint {
                name,
                kind,
                link,
                base: parent,
                links: vec![link],
            });
        }

        // the chain from the link up to the base
        let mut links = Vec::new();
        let mut next = Some(link);
        while next != base {
            let Some(current) = next else {
                let problem = format!(
                    "its base, {}, is not an ancestor",
                    base.map_or_else(String::new, |b| self.label(b))
                );
                return Err(Error::invalid(what(), problem));
            };
            links.push(current);
            next = self.links[current.index()].parent;
        }
        links.retain(movable);
        links.reverse();
        let wanted = kind.dofs().unwrap_or(0);
        if links.len() != wanted {
            let problem = format!(
                "it groups {wanted} degrees of freedom, but {} lie between its base and the link",
                links.len()
            );
            return Err(Error::invalid(what(), problem));
        }
        Ok(Joint {
            name,
            kind,
            link,
            base,
            links,
        })
    }
}

fn links(specs: Vec<LinkSpec>) -> Vec<Link> {
    let mut n_dofs = 0;
    let mut link = |spec: LinkSpec| {
        let dof = (!spec.motion.is_fixed()).then(|| {
            n_dofs += 1;
            DofId::new(n_dofs - 1)
        });
        let placed = |element: &super::Element| (element.placement, element.geometry.clone());
        let shape = (!spec.collision.is_empty())
            .then(|| Geometry::group(spec.collision.iter().map(placed).collect()));
        Link {
            name: spec.name,
            joint: spec.joint,
            parent: spec.parent,
            placement: spec.placement,
            motion: spec.motion,
            dof,
            inertia: spec.inertia,
            spring: spec.spring.filter(|_| dof.is_some()),
            collision: spec.collision,
            visual: spec.visual,
            missing_geometry: spec.missing_geometry,
            shape,
        }
    };
    specs.into_iter().map(&mut link).collect()
}

/// Compiles the links into the tree of moving bodies; fixed links become part of the body that carries them.
fn compile(
    links: &[LinkSpec],
    joints: &[Joint],
    drivers: &[Driver],
) -> (kernel::Tree, Vec<Attachment>) {
    // first in the user's frames: the body that carries each link, and its pose there
    let mut bodies: Vec<kernel::Body> = Vec::new();
    let mut inertias: Vec<Inertia> = Vec::new();
    let mut attachments: Vec<Attachment> = Vec::with_capacity(links.len());
    for link in links {
        let parent = link.parent.map(|parent| &attachments[parent.index()]);
        let body = parent.and_then(|parent| parent.body);
        let x_bl = parent.map_or(link.placement, |parent| parent.x_bl * link.placement);
        let (kind, axis) = match link.motion {
            LinkMotion::Fixed => {
                if let Some(body) = body {
                    inertias[body] = inertias[body].merged(&link.inertia.transformed(&x_bl));
                }
                attachments.push(Attachment::new(body, x_bl));
                continue;
            }
            LinkMotion::Revolute(axis) => (kernel::Kind::Revolute, axis),
            LinkMotion::Prismatic(axis) => (kernel::Kind::Prismatic, axis),
        };
        attachments.push(Attachment::new(Some(bodies.len()), Pose::identity()));
        inertias.push(link.inertia);
        bodies.push(kernel::Body {
            parent: body,
            rotation: array(x_bl.rotation.matrix().as_slice()),
            translation: x_bl.translation.vector.into(),
            kind,
            axis: axis.into(),
            mass: 0.0,
            com: [0.0; 3],
            moment: [0.0; 9],
            armature: link.armature,
        });
    }
    for (body, inertia) in bodies.iter_mut().zip(&inertias) {
        body.mass = inertia.mass;
        body.com = inertia.com.coords.into();
        body.moment = array(inertia.moment.as_slice());
    }
    for (link, armature) in drivers.iter().filter_map(Driver::armature) {
        if let Some(body) = attachments[link.index()].body {
            bodies[body].armature += armature;
        }
    }

    // a ball joint has its armature at its last link, in each direction
    let mut ball_joints = Vec::new();
    for joint in joints.iter().filter(|j| j.kind == JointKind::BallAndSocket) {
        let inertia = links[joint.link.index()].armature;
        let moved = joint.links.iter().map(|id| attachments[id.index()].body);
        let Some(Ok(moved)) = moved
            .collect::<Option<Vec<_>>>()
            .map(<[usize; 3]>::try_from)
        else {
            continue;
        };
        if inertia == 0.0
            || moved
                .iter()
                .any(|&body| bodies[body].kind != kernel::Kind::Revolute)
        {
            continue;
        }
        // that of the last link is among the bodies' as one of an axis of length 1
        for (body, own) in moved.into_iter().zip([0.0, 0.0, inertia]) {
            let [x, y, z] = bodies[body].axis;
            bodies[body].armature += inertia * (x * x + y * y + z * z) - own;
        }
        ball_joints.push(kernel::BallArmature {
            bodies: moved,
            inertia,
        });
    }

    // then rotate into the frames of the compiled tree
    let tree = kernel::Tree::new(bodies).with_ball_joints(ball_joints);
    for attachment in &mut attachments {
        if let Some(body) = attachment.body {
            let reframe = nalgebra::Matrix3::from_column_slice(&tree.reframe(body));
            let reframing = Pose::from_parts(
                nalgebra::Translation3::identity(),
                Rotation::from_matrix_unchecked(reframe),
            );
            *attachment = Attachment::new(Some(body), reframing * attachment.x_bl);
        }
    }
    (tree, attachments)
}

fn array(column_major: &[f64]) -> [f64; 9] {
    std::array::from_fn(|i| column_major[i])
}
