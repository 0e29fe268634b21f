//! Sites, and the sensors at them.

use std::collections::HashMap;

use super::Writer;
use super::layout::Body;
use crate::io::mjcf::sensors::element;
use crate::io::save::Tag;
use crate::math::Pose;
use crate::robot::{FrameSensor, RobotBuilder};

/// What the sensors of a robot are at.
#[derive(Debug, Default)]
pub(super) struct Ends {
    /// The sensors of each link.
    of_links: HashMap<usize, Vec<usize>>,
    /// Kind and name of the object of each sensor.
    objects: HashMap<usize, (&'static str, String)>,
}

impl Ends {
    pub(super) fn new(spec: &RobotBuilder) -> Self {
        let mut ends = Self::default();
        for (k, sensor) in spec.sensors.iter().enumerate() {
            let of_link = ends.of_links.entry(sensor.link.index()).or_default();
            of_link.push(k);
        }
        ends
    }

    /// The indices of the sensors of a link.
    fn of(&self, link: usize) -> Vec<usize> {
        self.of_links.get(&link).cloned().unwrap_or_default()
    }
}

impl Writer<'_> {
    /// Writes the sites of a body: fixed links, and frames of sensors that are not those of a link.
    pub(super) fn sites(
        &mut self,
        (body, name): (&Body, &str),
        spec: &RobotBuilder,
        prefix: &str,
        margin: &str,
        ends: &mut Ends,
    ) {
        for k in ends.of(body.link) {
            let Some(sensor) = spec.sensors.get(k) else {
                continue;
            };
            let is_at_site = element(sensor.quantity).is_some_and(|(_, is_at_site)| is_at_site);
            let object = match sensor.frame == Pose::identity() && !is_at_site {
                true => ("xbody", name.to_owned()),
                false => (
                    "site",
                    self.sensor_site(sensor, &sensor.frame, prefix, margin),
                ),
            };
            ends.objects.insert(k, object);
        }
        for (index, link) in body
            .sites
            .iter()
            .filter_map(|i| Some((*i, spec.links.get(*i)?)))
        {
            let wish = format!("{prefix}{}", link.name);
            let name = self.names.sites.unique(&wish, "site");
            if name != link.name {
                self.losses
                    .add("links are renamed: names of sites are unique", &link.name);
            }
            self.site(&name, &link.placement, &link.name, margin);
            for k in ends.of(index) {
                let Some(sensor) = spec.sensors.get(k) else {
                    continue;
                };
                let site = match sensor.frame == Pose::identity() {
                    true => name.clone(),
                    false => {
                        let frame = link.placement * sensor.frame;
                        self.sensor_site(sensor, &frame, prefix, margin)
                    }
                };
                ends.objects.insert(k, ("site", site));
            }
        }
    }

    /// Writes a site for a sensor; returns its name.
    fn sensor_site(
        &mut self,
        sensor: &FrameSensor,
        frame: &Pose,
        prefix: &str,
        margin: &str,
    ) -> String {
        let wish = format!("{prefix}{}", sensor.name);
        let name = self.names.sites.unique(&wish, "site");
        self.site(&name, frame, &sensor.name, margin);
        name
    }

    fn site(&mut self, name: &str, pose: &Pose, owner: &str, margin: &str) {
        let tag = self.posed(Tag::new("site").word("name", name), pose, owner);
        self.bodies += &format!("{margin}{}", tag.closed());
    }

    /// Writes the sensors of a robot, once its sites are written.
    pub(super) fn sensors(&mut self, spec: &RobotBuilder, prefix: &str, ends: &Ends) {
        for (k, sensor) in spec.sensors.iter().enumerate() {
            let Some((element, is_at_site)) = element(sensor.quantity) else {
                let what = format!("sensors of {} are not kept", sensor.quantity.name());
                self.losses.add(what, &sensor.name);
                continue;
            };
            let Some((kind, object)) = ends.objects.get(&k) else {
                let what = "sensors on links that are no bodies are not kept";
                self.losses.add(what, &sensor.name);
                continue;
            };
            let wish = format!("{prefix}{}", sensor.name);
            let name = self.names.sensors.unique(&wish, "sensor");
            let tag = Tag::new(element).word("name", &name);
            let tag = match is_at_site {
                true => tag.word("site", object),
                false => tag.word("objtype", kind).word("objname", object),
            };
            self.sensors += &format!("    {}", tag.closed());
        }
    }
}
