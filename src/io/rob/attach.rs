//! Mounted robots, self-collision pairs and properties of a `.rob`.

use super::JOINT_NAME;
use super::build::Build;
use super::document::{Item, PropertyLine};
use crate::io::is_robot;
use crate::io::position::Position;
use crate::io::resolve::Referrer;
use crate::io::rows::pose_from_rows;
use crate::io::srdf;
use crate::io::words::{Word, unescaped};
use crate::math::Pose;
use crate::robot::LinkId;
use crate::{Diagnostic, LoadError};

/// Pairs with links of robots that are not mounted yet.
#[derive(Debug, Default)]
pub(super) struct LaterPairs<'d> {
    only: Vec<Item<[Word<'d>; 2]>>,
    except: Vec<Item<[Word<'d>; 2]>>,
}

impl<'b> Build<'b, '_> {
    /// Adds the tested pairs of links that are known before robots are mounted.
    pub(super) fn add_pairs(&mut self) -> Result<LaterPairs<'b>, Diagnostic> {
        let doc = self.doc;
        let mut later = LaterPairs::default();
        if !doc.self_collision.is_empty() {
            let mut pairs = Vec::new();
            for item in &doc.self_collision.items {
                match self.pair(item)? {
                    Some(pair) => pairs.push(pair),
                    None => later.only.push(*item),
                }
            }
            self.robot.self_collision.only = Some(pairs);
        }
        for item in &doc.no_self_collision.items {
            match self.pair(item)? {
                Some(pair) => self.robot.self_collision.except.push(pair),
                None => later.except.push(*item),
            }
        }
        Ok(later)
    }

    /// Adds the pairs with links of mounted robots.
    pub(super) fn add_later_pairs(&mut self, later: LaterPairs<'_>) -> Result<(), Diagnostic> {
        let missing = |item: &Item<[Word<'_>; 2]>| {
            // an unknown link has its own error
            let [a, b] = &item.value;
            self.link(a).err().or_else(|| self.link(b).err())
        };
        let waiting = later.only.iter().chain(&later.except);
        if let Some(error) = waiting.filter_map(missing).next() {
            return Err(error);
        }
        for item in later.only {
            let pair = self.pair(&item)?;
            let pairs = self.robot.self_collision.only.get_or_insert_default();
            pairs.extend(pair);
        }
        for item in later.except {
            let pair = self.pair(&item)?;
            self.robot.self_collision.except.extend(pair);
        }
        Ok(())
    }

    /// Two different links; `None` if one is unknown.
    fn pair(&self, item: &Item<[Word<'_>; 2]>) -> Result<Option<(LinkId, LinkId)>, Diagnostic> {
        let [a, b] = &item.value;
        let (Some(link_a), Some(link_b)) = (self.known_link(a), self.known_link(b)) else {
            return Ok(None);
        };
        if link_a == link_b {
            let message = format!("the pair `{} {}` names one link twice", a.text, b.text);
            return Err(self.error(item.position, message));
        }
        Ok(Some((link_a, link_b)))
    }

    /// Appends the robots that the file mounts.
    pub(super) fn mount_robots(&mut self) -> Result<(), LoadError> {
        let from = Referrer::new(self.path);
        for line in &self.doc.mounts {
            if !is_robot(line.file.text) {
                continue;
            }
            let link = self.link_or_world(&line.link)?;
            let placement = match line.transform {
                Some(rows) => pose_from_rows(&rows.value),
                None => Pose::identity(),
            };
            let other = self.ctx.mounted_robot(from, line.file.text);
            let Position { line: row, column } = line.file.position;
            let other = other.map_err(|error| error.named_at(self.path, row, column))?;
            let limit = self.ctx.options().limits.links;
            if self.robot.links.len() + other.links.len() > limit {
                let message = format!("with this one the robot has more than {limit} links");
                let error = self.error(line.file.position, message);
                return Err(error
                    .help("raise `limits.links` of the load options")
                    .into());
            }
            let mounted = self.robot.mount(link, &other, &placement, line.prefix);
            mounted.map_err(|error| self.refused(line.file.position, error))?;
            self.name_links();
        }
        Ok(())
    }

    /// Keeps the properties; those of sensors and controllers may be files, and `name` is the robot's name.
    pub(super) fn add_properties(&mut self) -> Result<(), Diagnostic> {
        for line in &self.doc.properties {
            let value = self.property(line)?;
            if line.key.text == "name" {
                self.robot.name = value;
                continue;
            }
            if let Some(link) = line.key.text.strip_prefix(JOINT_NAME)
                && let Some(link) = self.robot.find_link(link)
            {
                let link = self.robot.links.get_mut(link.index());
                link.expect("it was found").joint = value;
                continue;
            }
            let key = line.key.text.to_owned();
            self.robot.properties.insert(key, value);
        }
        if let Some(text) = self.robot.properties.get("srdf").cloned() {
            srdf::add_groups(&text, &mut self.robot, &self.ctx.options().limits);
        }
        Ok(())
    }

    fn property(&mut self, line: &PropertyLine<'_>) -> Result<String, Diagnostic> {
        let lines: Vec<&str> = line.value.iter().map(|word| word.text).collect();
        let value = unescaped(&lines.join("\n"));
        let is_file = matches!(line.key.text, "sensors" | "controller") && value.ends_with(".xml");
        if !is_file || value.contains('<') {
            return Ok(value);
        }
        let text = self.ctx.read_xml(Referrer::new(self.path), &value);
        let Position { line, column } = line.key.position;
        text.map_err(|error| error.named_at(self.path, line, column))
    }
}
