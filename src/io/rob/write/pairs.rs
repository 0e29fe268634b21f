//! Writer of the pairs of links that are tested for self-collision.

use super::Writer;
use crate::robot::LinkId;

/// Largest number of pairs that is written.
const MOST: usize = 1_000_000;

impl Writer<'_> {
    pub(super) fn pairs(&mut self) {
        let rule = &self.spec.self_collision;
        let mut except = rule.except.clone();
        match &rule.only {
            Some(only) if !only.is_empty() => self.pair_lines("selfcollision", only),
            // no pairs: an empty list would mean all pairs
            Some(_) => except = self.default_pairs(|_, _| true),
            None => except.extend(self.default_pairs(|a, b| self.are_rigid(a, b))),
        }
        if except.len() > MOST {
            self.output
                .warn("the exclusion of rigidly connected links is not kept: there are too many");
            return;
        }
        except.sort_unstable();
        except.dedup();
        self.pair_lines("noselfcollision", &except);
    }

    fn pair_lines(&mut self, keyword: &str, pairs: &[(LinkId, LinkId)]) {
        for (a, b) in pairs {
            self.line(keyword, &format!("{} {}", a.index(), b.index()));
        }
    }

    /// The default pairs of a `.rob` that satisfy a predicate; at most one more than the limit.
    fn default_pairs(&self, is_wanted: impl Fn(LinkId, LinkId) -> bool) -> Vec<(LinkId, LinkId)> {
        let links = self.robot.links();
        let ids = (0..links.len()).map(LinkId::new);
        let shaped: Vec<LinkId> = ids
            .filter(|&id| self.robot.link(id).shape().is_some())
            .collect();
        let parent = |id: LinkId| self.robot.link(id).parent();
        let firsts = shaped.iter().enumerate();
        let pairs = firsts.flat_map(|(i, &a)| shaped.iter().skip(i + 1).map(move |&b| (a, b)));
        let pairs = pairs.filter(|&(a, b)| parent(b) != Some(a) && parent(a) != Some(b));
        pairs
            .filter(|&(a, b)| is_wanted(a, b))
            .take(MOST + 1)
            .collect()
    }

    /// True if no degree of freedom lies between both, which a `.rob` cannot express since each link has its own.
    fn are_rigid(&self, a: LinkId, b: LinkId) -> bool {
        self.robot.attachment(a).body == self.robot.attachment(b).body
    }
}
