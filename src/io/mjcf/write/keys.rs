//! Named configurations as keyframes.

use super::Writer;
use super::layout::{Layout, Part, PartKind};
use crate::io::save::{Losses, Names, Tag, wxyz};
use crate::math::{Pose, so3};
use crate::robot::RobotBuilder;

/// The keyframes of a model, whose numbers are those of all its bodies.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// `qpos` of the model as it stands.
    initial: Vec<f64>,
    keys: Vec<Key>,
}

#[derive(Debug)]
struct Key {
    name: String,
    /// Index of its first number.
    start: usize,
    values: Vec<f64>,
}

impl Keys {
    /// Adds a free body at a pose.
    pub(super) fn add_free(&mut self, pose: &Pose) {
        self.initial.extend(free(pose));
    }

    /// The keyframes as elements.
    pub(super) fn text(&self, losses: &mut Losses) -> String {
        let mut names = Names::default();
        let mut text = String::new();
        for key in &self.keys {
            let name = names.unique(&key.name, "key");
            if name != key.name {
                losses.add("named states of the same name are numbered", &key.name);
            }
            let mut qpos = self.initial.clone();
            for (slot, value) in qpos.iter_mut().skip(key.start).zip(&key.values) {
                *slot = *value;
            }
            let tag = Tag::new("key").word("name", &name).numbers("qpos", &qpos);
            text += &format!("    {}", tag.closed());
        }
        text
    }
}

impl Writer<'_> {
    /// Adds the named states of a robot.
    pub(super) fn keys(&mut self, spec: &RobotBuilder, layout: &Layout) {
        let initial: Vec<f64> = spec.links.iter().map(|link| link.initial).collect();
        let start = self.keys.initial.len();
        self.keys.initial.extend(qpos(layout, &initial, true));
        for state in &spec.named_states {
            if state.group.is_some() {
                let what = "named states of groups become those of the whole robot";
                self.losses.add(what, &state.name);
            }
            let mut values = initial.clone();
            for (link, value) in &state.values {
                if let Some(slot) = values.get_mut(link.index()) {
                    *slot = *value;
                }
            }
            self.keys.keys.push(Key {
                name: state.name.clone(),
                start,
                values: qpos(layout, &values, false),
            });
        }
        let groups = spec.groups.iter().map(|group| &group.name);
        for name in groups {
            self.losses
                .add("groups are not kept: they belong into an SRDF", name);
        }
    }
}

/// MuJoCo's numbers of the values of all links; ball joints are at rest in the model as it stands.
fn qpos(layout: &Layout, values: &[f64], is_initial: bool) -> Vec<f64> {
    let mut qpos = Vec::new();
    for part in layout.bodies.iter().flat_map(|body| &body.parts) {
        let of: Vec<f64> = part
            .links
            .iter()
            .map(|i| values.get(*i).copied().unwrap_or(0.0))
            .collect();
        match (part, of.as_slice()) {
            (
                Part {
                    kind: PartKind::Free,
                    ..
                },
                &[x, y, z, yaw, pitch, roll],
            ) => {
                let rotation = so3::from_rpy([roll, pitch, yaw]);
                qpos.extend(free(&Pose::from_parts([x, y, z].into(), rotation)));
            }
            (
                Part {
                    kind: PartKind::Ball,
                    ..
                },
                &[yaw, pitch, roll],
            ) => match is_initial {
                true => qpos.extend([1.0, 0.0, 0.0, 0.0]),
                false => qpos.extend(wxyz(&so3::from_rpy([roll, pitch, yaw])).0),
            },
            _ => qpos.extend(of),
        }
    }
    qpos
}

/// Position and quaternion.
fn free(pose: &Pose) -> [f64; 7] {
    let [x, y, z]: [f64; 3] = pose.translation.vector.into();
    let [qw, qx, qy, qz] = wxyz(&pose.rotation).0;
    [x, y, z, qw, qx, qy, qz]
}
