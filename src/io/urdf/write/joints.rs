//! Writer of links and joints as elements.

use std::fmt::Write as _;

use super::Writer;
use super::drivers::{Drives, Mimic};
use super::plan::{Role, Root};
use crate::io::save::rpy;
use crate::io::text::{number, numbers, xml_attribute};
use crate::math::{Inertia, Pose, Vector};
use crate::robot::{JointKind, Limits, LinkId, LinkMotion, LinkSpec};

impl Writer<'_> {
    pub(super) fn link(&mut self, i: usize, link: &LinkSpec) {
        let _ = writeln!(self.text, "  <link name={}>", self.name(i));
        if link.inertia != Inertia::zero() {
            let Inertia { mass, com, moment } = &link.inertia;
            let [xx, xy, xz] = [0, 1, 2].map(|k| number(moment[(0, k)]));
            let [yy, yz, zz] = [(1, 1), (1, 2), (2, 2)].map(|at| number(moment[at]));
            let _ = write!(
                self.text,
                "    <inertial>\n      <origin xyz=\"{}\"/>\n      <mass value=\"{}\"/>\n      \
                 <inertia ixx=\"{xx}\" ixy=\"{xy}\" ixz=\"{xz}\" iyy=\"{yy}\" iyz=\"{yz}\" izz=\"{zz}\"/>\n    </inertial>\n",
                numbers(&com.coords),
                number(*mass),
            );
            if (moment - moment.transpose()).amax() > 1e-9 * moment.amax() {
                let name = &link.name;
                self.output.warn(format!(
                    "link `{name}`: its inertia is not symmetric; only the upper triangle is kept"
                ));
            }
        }
        self.shapes(link);
        self.verbatim(&format!("urdf.link_extra.{}", link.name), "    ");
        self.text += "  </link>\n";
    }

    /// The joint whose child is a link.
    pub(super) fn joint(&mut self, i: usize, link: &LinkSpec, drives: &Drives) {
        let role = self.plan.role(i);
        if role == Role::Root {
            return;
        }
        let owner = self.robot.joint_of(LinkId::new(i));
        let kind = owner.map_or(JointKind::Normal, |joint| joint.kind);
        // a chain is attached where its first link is
        let first = match role {
            Role::Chain(_, first) => self.robot.link(first),
            _ => self.robot.link(LinkId::new(i)),
        };
        let is_weld = kind == JointKind::Weld && self.plan.has_klampt;
        let element = match (role, link.motion) {
            (Role::Chain(JointKind::Floating, _), _) => "floating",
            (Role::Chain(..), _) => "planar",
            (_, LinkMotion::Fixed) => "fixed",
            _ if is_weld => "fixed",
            (_, LinkMotion::Prismatic(_)) => "prismatic",
            (_, LinkMotion::Revolute(_)) if kind == JointKind::Spin => "continuous",
            (_, LinkMotion::Revolute(_)) => "revolute",
        };
        let parent = match first.parent() {
            Some(parent) => self.name(parent.index()),
            None => match &self.plan.root {
                Root::Extra(name) => xml_attribute(name),
                _ => String::new(),
            },
        };
        let _ = write!(
            self.text,
            "  <joint name={} type=\"{element}\">\n    <parent link={parent}/>\n    <child link={}/>\n",
            xml_attribute(self.plan.joint_name(i)),
            self.name(i)
        );
        self.origin(first.placement(), "    ", &link.name);
        match element {
            "floating" => self.free_limit(&link.limits),
            "planar" => {
                self.axis(link);
                self.free_limit(&link.limits);
            }
            "fixed" if is_weld => self.weld(link),
            "fixed" => {}
            element => {
                self.axis(link);
                self.limit(element, link);
                if kind == JointKind::Weld {
                    let name = &link.name;
                    self.output
                        .warn(format!("the weld of link `{name}` is written as a joint"));
                }
            }
        }
        if let Some([dry, viscous]) = drives.friction(i) {
            let (damping, friction) = (number(viscous), number(dry));
            let _ = writeln!(
                self.text,
                "    <dynamics damping=\"{damping}\" friction=\"{friction}\"/>"
            );
        }
        if let Some(Mimic {
            master,
            scale,
            offset,
        }) = drives.mimic(i)
        {
            let joint = xml_attribute(self.plan.joint_name(master));
            let (scale, offset) = (number(scale), number(offset));
            let _ = writeln!(
                self.text,
                "    <mimic joint={joint} multiplier=\"{scale}\" offset=\"{offset}\"/>"
            );
        }
        self.verbatim(&format!("urdf.joint_extra.{}", link.name), "    ");
        self.text += "  </joint>\n";
    }

    /// A pose; nothing for the identity.
    pub(super) fn origin(&mut self, pose: &Pose, indent: &str, link: &str) {
        if *pose == Pose::identity() {
            return;
        }
        let (angles, off) = rpy(&pose.rotation);
        if off > 1e-9 {
            self.output.warn(format!("link `{link}`: its matrix is not a rotation to the last digit; it changes by {off:.0e} rad"));
        }
        let xyz = numbers(&pose.translation.vector);
        let rotation = if angles.iter().all(|angle| *angle == 0.0) {
            String::new()
        } else {
            format!(" rpy=\"{}\"", numbers(&angles))
        };
        let _ = writeln!(self.text, "{indent}<origin xyz=\"{xyz}\"{rotation}/>");
    }

    fn axis(&mut self, link: &LinkSpec) {
        let axis = link.motion.axis().unwrap_or_else(Vector::x);
        let _ = writeln!(self.text, "    <axis xyz=\"{}\"/>", numbers(&axis));
        if !self.plan.has_klampt && (axis.norm() - 1.0).abs() > 1e-9 {
            let name = &link.name;
            self.output
                .warn(format!("link `{name}`: the length of its axis is not kept"));
        }
    }

    fn limit(&mut self, element: &str, link: &LinkSpec) {
        let Limits {
            q_min,
            q_max,
            v_min,
            v_max,
            a_max,
            tau_max,
            ..
        } = link.limits;
        let mut text = String::new();
        if element == "continuous" {
            if q_min.is_finite() || q_max.is_finite() {
                let name = &link.name;
                self.output.warn(format!(
                    "link `{name}`: a spin joint has no limits in a URDF"
                ));
            }
        } else {
            text = format!(" lower=\"{}\" upper=\"{}\"", bound(q_min), bound(q_max));
        }
        if v_min + v_max != 0.0 && !(v_min.is_infinite() && v_max.is_infinite()) {
            let name = &link.name;
            self.output.warn(format!(
                "link `{name}`: its smallest velocity is minus the largest in a URDF"
            ));
        }
        text += &format!(
            " effort=\"{}\" velocity=\"{}\"",
            bound(tau_max),
            bound(v_max)
        );
        if a_max.is_finite() {
            text += &format!(" acceleration=\"{}\"", number(a_max));
        }
        let _ = writeln!(self.text, "    <limit{text}/>");
    }

    /// A limit of a joint that has no range.
    fn free_limit(&mut self, limits: &Limits) {
        if limits.v_max.is_finite() || limits.tau_max.is_finite() {
            let (velocity, effort) = (bound(limits.v_max), bound(limits.tau_max));
            let _ = writeln!(
                self.text,
                "    <limit effort=\"{effort}\" velocity=\"{velocity}\"/>"
            );
        }
    }

    /// Reports what is lost of a degree of freedom that is fixed at zero.
    fn weld(&mut self, link: &LinkSpec) {
        let weld = Limits {
            q_min: 0.0,
            q_max: 0.0,
            v_min: 0.0,
            v_max: 0.0,
            a_max: 0.0,
            ..link.limits
        };
        if link.motion != LinkMotion::Revolute(Vector::z()) || link.limits != weld {
            let name = &link.name;
            self.output.warn(format!(
                "link `{name}`: axis and limits of its weld are not kept"
            ));
        }
        if link.limits.tau_max.is_finite() {
            let effort = number(link.limits.tau_max);
            let _ = writeln!(self.text, "    <limit effort=\"{effort}\" velocity=\"0\"/>");
        }
    }
}

/// A limit; the largest number if there is none, since other readers refuse `inf`.
fn bound(x: f64) -> String {
    number(x.clamp(f64::MIN, f64::MAX))
}
