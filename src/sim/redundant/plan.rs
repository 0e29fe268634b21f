//! A system made ready to be computed with: its spanning tree, and the room for everything.

use nalgebra::{Matrix3, Vector6};

use super::System;
use super::joint::{Held, JointKin, Mark};
use super::kin::{Kin, to_matrix};
use super::newton::Soft;
use super::parts::{Body, Seat};
use super::slope::Way;
use super::solver::Solver;
use crate::math::{Pose, Vector};
use crate::{Error, Result};

/// Which joints span the trees, and which close loops.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) held: Vec<Held>,
    /// Per body: the joint that carries it, and 1 where it is the joint's second body, −1 where it is the first.
    pub(super) carrier: Vec<Option<(usize, f64)>>,
    /// Per joint: the body that it carries, if it closes no loop.
    pub(super) carries: Vec<Option<usize>>,
    /// Per body: the root of its tree.
    pub(super) root: Vec<usize>,
    /// Joints that close loops.
    pub(super) loops: Vec<usize>,
    /// Coordinates of those that are driven.
    pub(super) driven: Vec<(usize, usize)>,
    /// Whether drives or couplings look at the coordinates of each joint.
    pub(super) is_looked_at: Vec<bool>,
    /// The ends of distances, and of the terms of couplings.
    pub(super) distances: Vec<[Mark; 2]>,
    /// The row of the first distance.
    pub(super) first_distance: usize,
    n_springs: usize,
}

/// What depends on time and values.
#[derive(Debug, Clone, Default)]
pub(super) struct Room {
    /// Bodies, then the ground.
    pub(super) kin: Vec<Kin>,
    pub(super) joints: Vec<JointKin>,
    /// Per joint: coordinates, rates, accelerations.
    pub(super) coordinates: Vec<[[f64; 6]; 3]>,
    // angles when they were looked at last
    turns: Vec<[f64; 6]>,
    /// Per joint: what drives its coordinates, and what resists there.
    pub(super) push: Vec<[f64; 6]>,
    pub(super) resistance: Vec<[f64; 6]>,
    /// What gives way: springs, and what turns with constraints outside the tree.
    pub(super) softs: Vec<Soft>,
    /// Per joint: the force and moment that it carries, on B at the origin of B.
    pub(super) carried: Vec<[Vector; 2]>,
    /// Whether Newton's matrix has forces turn with bodies.
    pub(super) is_whole: bool,
    /// Per row: what constraints outside the tree pushed with when they were solved for last.
    pub(super) lambda: Vec<f64>,
    /// Per body: all forces but those of the joint that carries it, and then with those of the bodies beyond.
    pub(super) net: Vec<Vector6<f64>>,
    /// Per body: the point that its twist is told about.
    pub(super) origin: Vec<Vector>,
    /// Per body: what takes a turn of it to the unknown of a step.
    pub(super) tangent: Vec<Matrix3<f64>>,
    /// Bodies, then the ground: how they turn with the unknown of a step.
    pub(super) way: Vec<Way>,
    /// Accelerations that a step tries.
    pub(super) x: Vec<f64>,
    /// Where the last step of its own led.
    pub(super) end: Vec<f64>,
    pub(super) solver: Solver,
}

impl System {
    /// Makes ready what has changed.
    pub(super) fn prepare(&mut self) -> Result<()> {
        if let Some(plan) = &self.plan
            && self.fits(plan)
        {
            return Ok(());
        }
        self.plan = None;
        let plan = self.compile()?;
        let (n, joints) = (self.bodies.len(), self.joints.len());
        let bent: usize = plan.loops.iter().map(|j| plan.held[*j].n_free()).sum();
        let softs = bent + 2 * self.distances.len() + plan.driven.len() + 3 * self.springs.len();
        let constraints: usize = plan.loops.iter().map(|j| plan.held[*j].n_rows()).sum();
        let constraints = constraints + self.distances.len() + self.couplings.len();
        let rows = constraints + softs;
        let (order, parent) = self.tree_of(&plan);
        let room = &mut self.room;
        room.kin.resize(n + 1, Kin::resting());
        room.joints.resize(joints, JointKin::nowhere());
        room.coordinates.resize(joints, [[0.0; 6]; 3]);
        room.turns.resize(joints, [f64::NAN; 6]);
        room.push.resize(joints, [0.0; 6]);
        room.resistance.resize(joints, [0.0; 6]);
        room.softs.clear();
        room.softs.reserve(softs);
        room.carried.resize(joints, [Vector::zeros(); 2]);
        room.lambda.clear();
        room.lambda.resize(constraints, 0.0);
        room.origin.resize(n, Vector::zeros());
        room.net.resize(n, Vector6::zeros());
        room.tangent.resize(n, Matrix3::identity());
        room.way.clear();
        room.way.resize(n + 1, Way::none());
        room.x.resize(6 * n, 0.0);
        room.solver.resize(&order, &parent, rows);
        self.plan = Some(plan);
        Ok(())
    }

    /// Whether drives and springs are those that the plan was made for.
    fn fits(&self, plan: &Plan) -> bool {
        plan.n_springs == self.springs.len()
            && self.drives.iter().all(|drive| {
                let (joint, i) = (drive.joint.index(), drive.coordinate);
                plan.is_looked_at.get(joint) == Some(&true)
                    && i < plan.held[joint].n_free()
                    && (!plan.loops.contains(&joint) || plan.driven.contains(&(joint, i)))
            })
    }

    fn compile(&self) -> Result<Plan> {
        let n = self.bodies.len();
        let mut is_looked_at = vec![false; self.joints.len()];
        for drive in &self.drives {
            self.check_coordinate("drive", drive.joint, drive.coordinate)?;
            is_looked_at[drive.joint.index()] = true;
        }
        for (joint, _, _) in self.couplings.iter().flat_map(|coupling| &coupling.terms) {
            is_looked_at[joint.index()] = true;
        }
        let mut held = Vec::with_capacity(self.joints.len());
        for (joint, is_looked_at) in self.joints.iter().zip(&is_looked_at) {
            let [a, b] = [
                self.mark(&self.seat(&joint.a)?),
                self.mark(&self.seat(&joint.b)?),
            ];
            let mut joint = Held::new(a, b, joint.axes);
            joint.has_angles |= *is_looked_at;
            held.push(joint);
        }
        let mut distances = Vec::with_capacity(self.distances.len());
        for distance in &self.distances {
            let [a, b] = [self.seat(&distance.a)?, self.seat(&distance.b)?];
            distances.push([self.mark(&a), self.mark(&b)]);
        }

        // joints that lock most span the trees, so that loops need few equations
        let mut candidates: Vec<usize> = (0..held.len()).collect();
        candidates.sort_by_key(|j| held[*j].n_free());
        let mut group: Vec<usize> = (0..=n).collect();
        let (mut loops, mut spanning) = (Vec::new(), Vec::new());
        for j in candidates {
            let [a, b] = [held[j].a.body, held[j].b.body].map(|body| leader(&mut group, body));
            if a == b {
                loops.push(j);
            } else {
                group[a] = b;
                spanning.push(j);
            }
        }
        loops.sort_unstable();

        // from the ground outwards, then from whatever floats
        let mut neighbours = vec![Vec::new(); n + 1];
        for j in spanning {
            let (a, b) = (held[j].a.body, held[j].b.body);
            neighbours[a].push((b, j, 1.0));
            neighbours[b].push((a, j, -1.0));
        }
        let mut carrier = vec![None; n];
        let mut root = vec![usize::MAX; n];
        for start in std::iter::once(n).chain(0..n) {
            if start < n && root[start] != usize::MAX {
                continue;
            }
            if start < n {
                root[start] = start;
            }
            let mut stack = vec![start];
            while let Some(body) = stack.pop() {
                for &(next, joint, sign) in &neighbours[body] {
                    if next < n && root[next] == usize::MAX {
                        root[next] = if body == n { next } else { root[body] };
                        carrier[next] = Some((joint, sign));
                        stack.push(next);
                    }
                }
            }
        }
        let mut carries = vec![None; held.len()];
        for (body, carrier) in carrier.iter().enumerate() {
            if let Some((joint, _)) = *carrier {
                carries[joint] = Some(body);
            }
        }
        let is_driven = |j: usize, i: usize| {
            let mut drives = self.drives.iter();
            drives.any(|drive| drive.joint.index() == j && drive.coordinate == i)
        };
        let coordinates = loops
            .iter()
            .flat_map(|&j| (0..held[j].n_free()).map(move |i| (j, i)));
        let first_distance = loops.iter().map(|j| held[*j].n_rows()).sum();
        Ok(Plan {
            first_distance,
            driven: coordinates.filter(|&(j, i)| is_driven(j, i)).collect(),
            held,
            carrier,
            carries,
            root,
            loops,
            is_looked_at,
            distances,
            n_springs: self.springs.len(),
        })
    }

    /// Bodies, those that carry first, and what carries each.
    fn tree_of(&self, plan: &Plan) -> (Vec<usize>, Vec<Option<usize>>) {
        let n = self.bodies.len();
        let parent: Vec<Option<usize>> = plan
            .carrier
            .iter()
            .map(|carrier| {
                let (joint, sign) = (*carrier)?;
                let held = &plan.held[joint];
                let parent = if sign > 0.0 { held.a.body } else { held.b.body };
                (parent < n).then_some(parent)
            })
            .collect();
        let depth =
            |body: usize| std::iter::successors(parent[body], |carrier| parent[*carrier]).count();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_cached_key(|body| depth(*body));
        (order, parent)
    }

    fn mark(&self, seat: &Seat) -> Mark {
        match seat {
            Seat::Body { body, pose } => Mark::new(*body, &upright(pose), &self.bodies[*body].com),
            Seat::Ground(pose) => Mark::new(self.bodies.len(), &upright(pose), &Vector::zeros()),
            Seat::Nowhere => unreachable!("markers are checked when they are added"),
        }
    }

    /// Looks where everything is and how it moves, with no accelerations but those of the ground.
    pub(super) fn place(&mut self, t: f64, y: &[f64]) -> Result<()> {
        self.prepare()?;
        let Some(plan) = &self.plan else {
            return Ok(());
        };
        let (n, room) = (self.bodies.len(), &mut self.room);
        for body in 0..n {
            room.kin[body] = kin(y, body, n);
        }
        let base = self.base.at(t)?;
        room.kin[n] = Kin {
            c: base.pose.translation.vector,
            r: *base.pose.rotation.matrix(),
            v: base.velocity.linear,
            w: base.velocity.angular,
            a: base.acceleration.linear,
            alpha: base.acceleration.angular,
        };
        for body in 0..n {
            room.origin[body] = room.kin[plan.root[body]].c;
        }
        for (j, held) in plan.held.iter().enumerate() {
            let ends = [&room.kin[held.a.body], &room.kin[held.b.body]];
            let Some(at) = held.at(ends) else {
                let what = format!("joint `{}`", self.joints[j].name);
                let problem = "its turn about y is ±90°, where those about z and x, which a drive or a \
                               coupling needs, cannot be told apart";
                return Err(Error::invalid(what, problem));
            };
            room.joints[j] = at;
            if plan.is_looked_at[j] {
                room.coordinates[j][0] = told_on(held, &at, &room.turns[j]);
                room.coordinates[j][1] = held.rates(&at, ends);
            }
        }
        Ok(())
    }

    /// Remembers how far joints have turned round.
    pub(super) fn keep_turns(&mut self) {
        let (Some(plan), room) = (&self.plan, &mut self.room) else {
            return;
        };
        for (j, held) in plan.held.iter().enumerate() {
            if held.has_angles && held.n_turns() > 0 {
                room.turns[j] = told_on(held, &room.joints[j], &room.turns[j]);
            }
        }
    }
}

impl Room {
    /// Angles are told from −π to π again.
    pub(super) fn forget_turns(&mut self) {
        self.turns.fill([f64::NAN; 6]);
        self.end.clear();
    }

    /// The coordinates of a joint, angles counted on.
    pub(super) fn coordinates_of(&self, joint: usize, held: &Held) -> [f64; 6] {
        told_on(held, &self.joints[joint], &self.turns[joint])
    }

    /// Angles of a joint are near these from now on.
    pub(super) fn set_turns(&mut self, joint: usize, near: [f64; 6]) {
        if self.turns.len() <= joint {
            self.turns.resize(joint + 1, [f64::NAN; 6]);
        }
        self.turns[joint] = near;
    }

    /// The body, or the ground, and where in the world a seat on it is.
    pub(super) fn place_of(&self, bodies: &[Body], seat: &Seat) -> (usize, Vector) {
        match seat {
            Seat::Body { body, pose } => {
                let local = pose.translation.vector - bodies[*body].com;
                (*body, self.kin[*body].point(&local))
            }
            Seat::Ground(pose) => {
                let ground = bodies.len();
                (ground, self.kin[ground].point(&pose.translation.vector))
            }
            Seat::Nowhere => (bodies.len(), Vector::zeros()),
        }
    }
}

/// A body of these values, without acceleration.
pub(super) fn kin(y: &[f64], body: usize, n: usize) -> Kin {
    let vector = |i: usize| Vector::new(y[i], y[i + 1], y[i + 2]);
    let r = to_matrix(&y[7 * body + 3..][..4]);
    let zero = Vector::zeros();
    Kin {
        c: vector(7 * body),
        r,
        v: vector(7 * n + 6 * body),
        w: r * vector(7 * n + 6 * body + 3),
        a: zero,
        alpha: zero,
    }
}

/// Coordinates, with angles that are near those before.
fn told_on(held: &Held, at: &JointKin, before: &[f64; 6]) -> [f64; 6] {
    let mut q = held.coordinates(at);
    for i in 0..held.n_free() {
        if held.is_turn(i) && before[i].is_finite() {
            let round = ((before[i] - q[i]) / std::f64::consts::TAU).round();
            q[i] += std::f64::consts::TAU * round;
        }
    }
    q
}

/// The same frame with a rotation that is one to rounding.
fn upright(x: &Pose) -> Pose {
    let rotation = crate::math::so3::orthonormalized(&x.rotation);
    Pose::from_parts(x.translation, rotation)
}

/// The body that stands for a group of joined ones.
fn leader(group: &mut [usize], mut body: usize) -> usize {
    while group[body] != body {
        group[body] = group[group[body]];
        body = group[body];
    }
    body
}
