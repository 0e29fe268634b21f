//! Placements, motions, limits and masses of the links of a `.rob`.

use nalgebra::Matrix3;

use super::build::Build;
use super::document::{List, Quantity};
use crate::Diagnostic;
use crate::io::position::Position;
use crate::io::rows::{pose, pose_from_rows};
use crate::math::{Inertia, Point, Pose, Vector};
use crate::robot::{Limits, LinkId, LinkMotion, LinkSpec};

/// Gravity of `autotorque`, m/s²: the number of Klampt, so that the limits are the same.
const GRAVITY: f64 = 9.8;

impl Build<'_, '_> {
    /// Adds every link, without shapes.
    pub(super) fn add_links(&mut self) -> Result<(), Diagnostic> {
        let doc = self.doc;
        if let Some(scale) = doc.scale
            && (scale.value - 1.0).abs() > 0.0
        {
            let error = self.error(scale.position, "scaling a whole robot is not supported");
            return Err(error.help("scale its numbers, and its meshes with `geomscale`"));
        }
        self.check_parents()?;
        self.check_quantities()?;
        let base = self.base();
        for i in 0..self.n {
            let parent = match doc.parents.get(i) {
                Some(parent) => usize::try_from(parent).ok(),
                None => i.checked_sub(1),
            };
            let is_prismatic = doc.joint_type.get(i).unwrap_or(false);
            // Denavit-Hartenberg rotations are about z, regardless of `axis`
            let axis = doc.axis.get(i).filter(|_| !doc.t_parent.is_empty());
            let axis = axis.map_or_else(Vector::z, Vector::from);
            let mut placement = self.placement(i)?;
            if let (None, Some(base)) = (parent, base) {
                placement = base * placement;
            }
            let name = match doc.links.get(i) {
                Some(name) => name.to_owned(),
                None => format!("Link_{i}"),
            };
            let motion = if is_prismatic {
                LinkMotion::Prismatic(axis)
            } else {
                LinkMotion::Revolute(axis)
            };
            let mut link = LinkSpec::new(name, parent.map(LinkId::new), motion);
            link.placement = placement;
            link.limits = self.limits(i);
            link.initial = doc.q.get(i).map_or(0.0, |q| q.value);
            link.inertia = Inertia {
                mass: doc.mass.get(i).unwrap_or(1.0),
                com: doc.com.get(i).map_or_else(Point::origin, Point::from),
                moment: match doc.inertia.get(i) {
                    Some(rows) => Matrix3::from_row_slice(&rows),
                    None => Matrix3::identity(),
                },
            };
            self.robot.links.push(link);
        }
        if let Some(item) = doc.mass.items.iter().find(|item| item.value < 0.0) {
            return Err(self.error(item.position, "a mass cannot be negative"));
        }
        self.name_links();
        if let Some(factor) = doc.auto_torque {
            self.limit_torques(factor.value.abs());
        }
        Ok(())
    }

    /// Refuses parents that do not exist, and cycles.
    fn check_parents(&self) -> Result<(), Diagnostic> {
        let parents = &self.doc.parents.items;
        for item in parents {
            let exists = usize::try_from(item.value).is_ok_and(|parent| parent < self.n);
            if !exists && item.value != -1 {
                let message = format!("there is no link {} to be a parent", item.value);
                let last = self.n.saturating_sub(1);
                let help = format!("the last link is {last}; -1 is the world");
                return Err(self.error(item.position, message).help(help));
            }
        }

        // walks from every link to its root, up to links already visited
        let parent = |i: usize| usize::try_from(parents.get(i)?.value).ok();
        let mut seen_by = vec![None; parents.len()];
        for start in 0..parents.len() {
            let mut next = Some(start);
            while let Some(i) = next
                && let Some(seen @ None) = seen_by.get_mut(i)
            {
                *seen = Some(start);
                next = parent(i);
            }
            if let Some(i) = next
                && seen_by.get(i) == Some(&Some(start))
            {
                let position = parents.get(i).map(|item| item.position).unwrap_or_default();
                let message = format!("link {i} is its own ancestor");
                return Err(self.error(position, message));
            }
        }
        Ok(())
    }

    /// `translation` and `rotation`, for every root; `None` if neither is given, since a product with the identity
    /// would lose the sign of a zero.
    fn base(&self) -> Option<Pose> {
        let rows = self.doc.rotation.map(|item| item.value);
        let translation = self.doc.translation.map(|item| item.value);
        if rows.is_none() && translation.is_none() {
            return None;
        }
        let rotation = rows.map_or_else(Matrix3::identity, |rows| Matrix3::from_row_slice(&rows));
        Some(pose(rotation, translation.unwrap_or_default()))
    }

    fn placement(&self, i: usize) -> Result<Pose, Diagnostic> {
        let doc = self.doc;
        if let Some(numbers) = doc.t_parent.get(i) {
            return Ok(pose_from_rows(&numbers));
        }
        let (Some(alpha), Some(a), Some(d), Some(theta)) = (
            doc.alpha.get(i),
            doc.a.get(i),
            doc.d.get(i),
            doc.theta.get(i),
        ) else {
            let message = "the file gives no link poses";
            let help = "give `tparent`, or all of `alpha`, `a`, `d` and `theta`";
            return Err(Diagnostic::error(message).in_file(self.path).help(help));
        };
        // Craig (2005), eq. 3.6: modified Denavit-Hartenberg
        let (s, c) = theta.sin_cos();
        let (sa, ca) = alpha.sin_cos();
        #[rustfmt::skip]
        let rotation = Matrix3::new(
            c,      -s,     0.0,
            s * ca, c * ca, -sa,
            s * sa, c * sa, ca,
        );
        Ok(pose(rotation, [a, -sa * d, ca * d]))
    }

    fn limits(&self, i: usize) -> Limits {
        let doc = self.doc;
        let value = |list: &List<Quantity>, default: f64| list.get(i).map_or(default, |q| q.value);
        let v_max = value(&doc.vel_max, f64::INFINITY);
        Limits {
            q_min: value(&doc.q_min, f64::NEG_INFINITY),
            q_max: value(&doc.q_max, f64::INFINITY),
            v_min: value(&doc.vel_min, -v_max),
            v_max,
            a_max: value(&doc.acc_max, f64::INFINITY),
            tau_max: value(&doc.torque_max, f64::INFINITY),
            power_max: value(&doc.power_max, f64::INFINITY),
        }
    }

    /// Refuses NaN, and warns of degrees for prismatic links.
    fn check_quantities(&mut self) -> Result<(), Diagnostic> {
        let doc = self.doc;
        let lists = [
            &doc.q,
            &doc.q_min,
            &doc.q_max,
            &doc.vel_min,
            &doc.vel_max,
            &doc.acc_max,
            &doc.torque_max,
            &doc.power_max,
        ];
        for list in lists {
            if let Some(item) = list.items.iter().find(|item| item.value.value.is_nan()) {
                let error = self.error(item.position, "a limit or joint position cannot be `nan`");
                return Err(error.help("write `inf` or `-inf` for no limit"));
            }
            let is_prismatic = |i: usize| doc.joint_type.get(i).unwrap_or(false);
            let matters = |value: f64| value != 0.0 && value.is_finite();
            let wrong = list.items.iter().enumerate().find(|(i, item)| {
                let Quantity { value, is_degrees } = item.value;
                is_degrees && is_prismatic(*i) && matters(value)
            });
            if let Some((i, item)) = wrong {
                let keyword = list.keyword.as_ref().map_or("", |k| k.value.as_str());
                let message = format!(
                    "link {i} is prismatic, but `{keyword}` takes its value for degrees: read as {}",
                    item.value.value
                );
                let help = "use the keyword without `Deg`, or write `jointtype` before it";
                self.warn(item.position, message, help);
            }
        }
        let infinite = |item: &&super::document::Item<Quantity>| item.value.value.is_infinite();
        if let Some(item) = doc.q.items.iter().find(infinite) {
            return Err(self.error(item.position, "a joint position must be finite"));
        }
        Ok(())
    }

    /// `autotorque`: the torque of each link to hold all later links, as if the robot were one chain.
    fn limit_torques(&mut self, factor: f64) {
        let (mut mass, mut reach) = (0.0, 0.0);
        for link in self.robot.links.iter_mut().rev() {
            let (outer_mass, outer_reach) = (mass, reach);
            mass += link.inertia.mass;
            let arm = outer_reach + link.placement.translation.vector.norm();
            let moment = link.inertia.com.coords.norm() * link.inertia.mass + arm * outer_mass;
            reach = if mass > 0.0 { moment / mass } else { 0.0 };
            link.limits.tau_max = reach * mass * factor * GRAVITY;
        }
    }

    /// Warns of a chain whose motions do not fit the kind of its joint.
    pub(super) fn warn_of_chain(
        &mut self,
        position: Position,
        kind: &str,
        chain: &[usize],
        wanted: &str,
    ) {
        let letter = |&i: &usize| {
            let motion = self.robot.links.get(i).map(|link| link.motion);
            let (letters, axis) = match motion {
                Some(LinkMotion::Prismatic(axis)) => ("XYZ", axis),
                Some(LinkMotion::Revolute(axis)) => ("xyz", axis),
                Some(LinkMotion::Fixed) | None => return '-',
            };
            letters.chars().nth(axis.iamax()).unwrap_or('-')
        };
        let found: String = chain.iter().map(letter).collect();
        if found != wanted {
            let spelt = |letters: &str| {
                let word = |c: char| {
                    let kind = if c.is_uppercase() { 't' } else { 'r' };
                    format!("{kind}{}", c.to_ascii_lowercase())
                };
                letters.chars().map(word).collect::<Vec<_>>().join(" ")
            };
            let message = format!(
                "the links of a {kind} joint should move as {}, these move as {}",
                spelt(wanted),
                spelt(&found)
            );
            let help = "interpolation and distance assume the expected motions";
            self.warn(position, message, help);
        }
    }
}
