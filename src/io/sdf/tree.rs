//! What joints hold together: components of the graph, each as a tree.

use std::collections::VecDeque;

use super::additions::loop_kind;
use super::fields::Notes;
use super::placed::Graph;

/// Links that joints hold together, from the root outwards.
#[derive(Debug)]
pub(super) struct Component {
    /// A joint holds it to the world.
    pub(super) is_held: bool,
    pub(super) steps: Vec<Step>,
    /// Joints that close loops.
    pub(super) closed: Vec<usize>,
}

/// A link and the joint that holds it to a link before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) link: usize,
    /// `None` for a root that no joint holds.
    pub(super) joint: Option<Edge>,
}

/// A joint as a way from one link to another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) joint: usize,
    /// `None` for the world.
    pub(super) from: Option<usize>,
    /// It is followed from its child to its parent.
    pub(super) is_reversed: bool,
}

/// The components in the order of their first links, and the joints that close loops in each.
///
/// Of the joints with the same child the first holds it, and the others close loops, unless nothing else leads to a link.
pub(super) fn components(graph: &Graph, notes: &Notes<'_>) -> Vec<Component> {
    let n = graph.links.len();
    let mut around: Vec<Vec<Edge>> = vec![Vec::new(); n];
    // those of the world come last
    let mut held: Vec<(usize, Edge)> = Vec::new();
    let mut is_child = vec![false; n];
    let mut is_further = vec![false; graph.joints.len()];
    for (joint, placed) in graph.joints.iter().enumerate() {
        for (from, to, is_reversed) in [
            (placed.parent, placed.child, false),
            (placed.child, placed.parent, true),
        ] {
            let edge = Edge {
                joint,
                from,
                is_reversed,
            };
            match (from, to) {
                (None, Some(to)) => held.push((to, edge)),
                (Some(from), Some(_)) => around.get_mut(from).expect("a link").push(edge),
                (_, None) => {}
            }
        }
        if let Some(child) = placed.child {
            let is_child = is_child.get_mut(child).expect("a link");
            *is_further.get_mut(joint).expect("a joint") = *is_child;
            *is_child = true;
        }
    }
    held.sort_by_key(|(_, edge)| is_further.get(edge.joint).copied());
    let mut walk = Walk {
        graph,
        notes,
        around,
        is_reached: vec![false; n],
        is_used: vec![false; graph.joints.len()],
        is_further,
        closed: Vec::new(),
    };
    let mut components = Vec::new();
    for (link, edge) in held {
        if walk.is_reached(link) {
            walk.close(edge.joint);
            continue;
        }
        components.push(walk.component(link, Some(edge)));
    }
    let roots = (0..n).filter(|link| !is_child.get(*link).copied().unwrap_or(false));
    for link in roots.chain(0..n) {
        if !walk.is_reached(link) {
            components.push(walk.component(link, None));
        }
    }
    let closed = std::mem::take(&mut walk.closed);
    let mut owner = vec![0; n];
    for (k, component) in components.iter().enumerate() {
        for step in &component.steps {
            *owner.get_mut(step.link).expect("a link") = k;
        }
    }
    for joint in closed {
        let placed = graph.joints.get(joint).expect("a joint");
        let end = placed.child.or(placed.parent).expect("an end is a link");
        let owner = owner.get(end).copied().expect("a link");
        components
            .get_mut(owner)
            .expect("an owner")
            .closed
            .push(joint);
    }
    components.sort_by_key(|component| component.steps.iter().map(|step| step.link).min());
    components
}

struct Walk<'a, 'r> {
    graph: &'a Graph,
    notes: &'a Notes<'r>,
    around: Vec<Vec<Edge>>,
    is_reached: Vec<bool>,
    is_used: Vec<bool>,
    /// A joint before it has the same child.
    is_further: Vec<bool>,
    closed: Vec<usize>,
}

impl Walk<'_, '_> {
    fn is_reached(&self, link: usize) -> bool {
        self.is_reached.get(link).copied().unwrap_or(false)
    }

    fn component(&mut self, root: usize, held: Option<Edge>) -> Component {
        let mut steps = Vec::new();
        let mut queue = VecDeque::from([(root, held)]);
        *self.is_reached.get_mut(root).expect("a link") = true;
        if let Some(edge) = held {
            *self.is_used.get_mut(edge.joint).expect("a joint") = true;
        }
        let mut later = VecDeque::new();
        loop {
            while let Some((link, joint)) = queue.pop_front() {
                steps.push(Step { link, joint });
                for edge in std::mem::take(self.around.get_mut(link).expect("a link")) {
                    match self.is_further.get(edge.joint) {
                        Some(true) => later.push_back(edge),
                        _ => queue.extend(self.follow(edge)),
                    }
                }
            }
            let Some(edge) = later.pop_front() else {
                break;
            };
            queue.extend(self.follow(edge));
        }
        Component {
            is_held: held.is_some(),
            steps,
            closed: Vec::new(),
        }
    }

    /// The link that an edge leads to, if it was not reached before; else the joint closes a loop.
    fn follow(&mut self, edge: Edge) -> Option<(usize, Option<Edge>)> {
        let is_used = self.is_used.get_mut(edge.joint).expect("a joint");
        if std::mem::replace(is_used, true) {
            return None;
        }
        let placed = self.graph.joints.get(edge.joint).expect("a joint");
        let to = if edge.is_reversed {
            placed.parent
        } else {
            placed.child
        };
        let is_reached = to.and_then(|to| self.is_reached.get_mut(to));
        if std::mem::replace(is_reached.expect("edges lead to links"), true) {
            self.close(edge.joint);
            return None;
        }
        to.map(|to| (to, Some(edge)))
    }

    /// Keeps a joint that closes a loop apart, or leaves it out with a warning.
    fn close(&mut self, joint: usize) {
        *self.is_used.get_mut(joint).expect("a joint") = true;
        let placed = self.graph.joints.get(joint).expect("a joint");
        if loop_kind(placed).is_some() {
            self.closed.push(joint);
            return;
        }
        let subject = format!("joint `{}`", placed.name);
        let problem = "it closes a loop, and is left out: loops are closed by fixed, ball and revolute joints";
        self.notes.warn(placed.place, &subject, problem);
    }
}
