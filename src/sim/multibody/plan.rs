//! A system made ready to be computed with: its spanning tree, and the scratch for everything.

use nalgebra::{Matrix3, Vector6};

use super::MultibodySystem;
use super::body_state::{Kin, to_matrix};
use super::derivative::AngularDerivative;
use super::joint::{BodyFrame, JointKin, JointModel};
use super::parts::{Attachment, Body};
use super::solver::Solver;
use super::tangent::RankOne;
use crate::math::{Pose, Vector};
use crate::{Error, Result};

/// Which joints span the trees, and which close loops.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) joints: Vec<JointModel>,
    /// Per body: the joint that child_body it, and 1 where it is the joint's second body, −1 where it is the first.
    pub(super) parent_joint: Vec<Option<(usize, f64)>>,
    /// Per joint: the body that it child_body, if it closes no loop.
    pub(super) child_body: Vec<Option<usize>>,
    /// Per body: the root of its tree.
    pub(super) root: Vec<usize>,
    /// Joints that close loops.
    pub(super) loops: Vec<usize>,
    /// Coordinates of those that are driven.
    pub(super) driven: Vec<(usize, usize)>,
    /// Whether drives or couplings look at the coordinates of each joint.
    pub(super) needs_dofs: Vec<bool>,
    /// The ends of distances, and of the terms of couplings.
    pub(super) distances: Vec<[BodyFrame; 2]>,
    /// The row of the first distance.
    pub(super) first_distance: usize,
    n_springs: usize,
}

/// What depends on time and values.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    /// Bodies, then the ground.
    pub(super) kin: Vec<Kin>,
    pub(super) joints: Vec<JointKin>,
    /// Per joint: coordinates, rates, accelerations.
    pub(super) dofs: Vec<[[f64; 6]; 3]>,
    // angles when they were looked at last
    angles: Vec<[f64; 6]>,
    /// Per joint: what drives its coordinates, and what resists there.
    pub(super) drive_force: Vec<[f64; 6]>,
    pub(super) resistance: Vec<[f64; 6]>,
    /// What gives way: springs, and what rotations with constraints outside the tree.
    pub(super) rank_ones: Vec<RankOne>,
    /// Per joint: the force and moment that it child_body, on B at the origin of B.
    pub(super) transmitted: Vec<[Vector; 2]>,
    /// Whether Newton's matrix has forces turn with bodies.
    pub(super) has_geometric_stiffness: bool,
    /// Per row: what constraints outside the tree pushed with when they were solved for last.
    pub(super) lambda: Vec<f64>,
    /// Per body: all forces but those of the joint that child_body it, and then with those of the bodies beyond.
    pub(super) net: Vec<Vector6<f64>>,
    /// Per body: the point that its twist is told about.
    pub(super) origin: Vec<Vector>,
    /// Per body: what takes a turn of it to the unknown of a step.
    pub(super) tangent: Vec<Matrix3<f64>>,
    /// Bodies, then the ground: how they turn with the unknown of a step.
    pub(super) angular: Vec<AngularDerivative>,
    /// Accelerations that a step tries.
    pub(super) x: Vec<f64>,
    /// Where the last step of its own led.
    pub(super) end: Vec<f64>,
    pub(super) solver: Solver,
}

impl MultibodySystem {
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
        let loop_dofs: usize = plan.loops.iter().map(|j| plan.joints[*j].n_free()).sum();
        let rank_ones =
            loop_dofs + 2 * self.distances.len() + plan.driven.len() + 3 * self.springs.len();
        let constraints: usize = plan.loops.iter().map(|j| plan.joints[*j].n_rows()).sum();
        let constraints = constraints + self.distances.len() + self.couplings.len();
        let rows = constraints + rank_ones;
        let (order, parent) = self.tree_of(&plan);
        let scratch = &mut self.scratch;
        scratch.kin.resize(n + 1, Kin::resting());
        scratch.joints.resize(joints, JointKin::zero());
        scratch.dofs.resize(joints, [[0.0; 6]; 3]);
        scratch.angles.resize(joints, [f64::NAN; 6]);
        scratch.drive_force.resize(joints, [0.0; 6]);
        scratch.resistance.resize(joints, [0.0; 6]);
        scratch.rank_ones.clear();
        scratch.rank_ones.reserve(rank_ones);
        scratch.transmitted.resize(joints, [Vector::zeros(); 2]);
        scratch.lambda.clear();
        scratch.lambda.resize(constraints, 0.0);
        scratch.origin.resize(n, Vector::zeros());
        scratch.net.resize(n, Vector6::zeros());
        scratch.tangent.resize(n, Matrix3::identity());
        scratch.angular.clear();
        scratch.angular.resize(n + 1, AngularDerivative::none());
        scratch.x.resize(6 * n, 0.0);
        scratch.solver.resize(&order, &parent, rows);
        self.plan = Some(plan);
        Ok(())
    }

    /// Whether drives and springs are those that the plan was made for.
    fn fits(&self, plan: &Plan) -> bool {
        plan.n_springs == self.springs.len()
            && self.drives.iter().all(|drive| {
                let (joint, i) = (drive.joint.index(), drive.dof);
                plan.needs_dofs.get(joint) == Some(&true)
                    && i < plan.joints[joint].n_free()
                    && (!plan.loops.contains(&joint) || plan.driven.contains(&(joint, i)))
            })
    }

    fn compile(&self) -> Result<Plan> {
        let n = self.bodies.len();
        let mut needs_dofs = vec![false; self.joints.len()];
        for drive in &self.drives {
            self.check_dof("drive", drive.joint, drive.dof)?;
            needs_dofs[drive.joint.index()] = true;
        }
        for (joint, _, _) in self.couplings.iter().flat_map(|coupling| &coupling.terms) {
            needs_dofs[joint.index()] = true;
        }
        let mut joints = Vec::with_capacity(self.joints.len());
        for (joint, needs_dofs) in self.joints.iter().zip(&needs_dofs) {
            let [a, b] = [
                self.body_frame(&self.attachment(&joint.a)?),
                self.body_frame(&self.attachment(&joint.b)?),
            ];
            let mut joint = JointModel::new(a, b, joint.axes);
            joint.has_angles |= *needs_dofs;
            joints.push(joint);
        }
        let mut distances = Vec::with_capacity(self.distances.len());
        for distance in &self.distances {
            let [a, b] = [self.attachment(&distance.a)?, self.attachment(&distance.b)?];
            distances.push([self.body_frame(&a), self.body_frame(&b)]);
        }

        // joints that lock most span the trees, so that loops need few equations
        let mut candidates: Vec<usize> = (0..joints.len()).collect();
        candidates.sort_by_key(|j| joints[*j].n_free());
        let mut group: Vec<usize> = (0..=n).collect();
        let (mut loops, mut spanning) = (Vec::new(), Vec::new());
        for j in candidates {
            let [a, b] =
                [joints[j].a.body, joints[j].b.body].map(|body| group_root(&mut group, body));
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
            let (a, b) = (joints[j].a.body, joints[j].b.body);
            neighbours[a].push((b, j, 1.0));
            neighbours[b].push((a, j, -1.0));
        }
        let mut parent_joint = vec![None; n];
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
                        parent_joint[next] = Some((joint, sign));
                        stack.push(next);
                    }
                }
            }
        }
        let mut child_body = vec![None; joints.len()];
        for (body, parent_joint) in parent_joint.iter().enumerate() {
            if let Some((joint, _)) = *parent_joint {
                child_body[joint] = Some(body);
            }
        }
        let is_driven = |j: usize, i: usize| {
            let mut drives = self.drives.iter();
            drives.any(|drive| drive.joint.index() == j && drive.dof == i)
        };
        let dofs = loops
            .iter()
            .flat_map(|&j| (0..joints[j].n_free()).map(move |i| (j, i)));
        let first_distance = loops.iter().map(|j| joints[*j].n_rows()).sum();
        Ok(Plan {
            first_distance,
            driven: dofs.filter(|&(j, i)| is_driven(j, i)).collect(),
            joints,
            parent_joint,
            child_body,
            root,
            loops,
            needs_dofs,
            distances,
            n_springs: self.springs.len(),
        })
    }

    /// Bodies, those that carry first, and what child_body each.
    fn tree_of(&self, plan: &Plan) -> (Vec<usize>, Vec<Option<usize>>) {
        let n = self.bodies.len();
        let parent: Vec<Option<usize>> = plan
            .parent_joint
            .iter()
            .map(|parent_joint| {
                let (joint, sign) = (*parent_joint)?;
                let model = &plan.joints[joint];
                let parent = if sign > 0.0 {
                    model.a.body
                } else {
                    model.b.body
                };
                (parent < n).then_some(parent)
            })
            .collect();
        let depth =
            |body: usize| std::iter::successors(parent[body], |ancestor| parent[*ancestor]).count();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_cached_key(|body| depth(*body));
        (order, parent)
    }

    fn body_frame(&self, attachment: &Attachment) -> BodyFrame {
        match attachment {
            Attachment::Body { body, pose } => {
                BodyFrame::new(*body, &orthonormalized(pose), &self.bodies[*body].com)
            }
            Attachment::Ground(pose) => {
                BodyFrame::new(self.bodies.len(), &orthonormalized(pose), &Vector::zeros())
            }
            Attachment::Virtual => unreachable!("markers are checked when they are added"),
        }
    }

    /// Looks where everything is and how it moves, with no accelerations but those of the ground.
    pub(super) fn update_kinematics(&mut self, t: f64, y: &[f64]) -> Result<()> {
        self.prepare()?;
        let Some(plan) = &self.plan else {
            return Ok(());
        };
        let (n, scratch) = (self.bodies.len(), &mut self.scratch);
        for body in 0..n {
            scratch.kin[body] = kin(y, body, n);
        }
        let base = self.base.at(t)?;
        scratch.kin[n] = Kin {
            c: base.pose.translation.vector,
            r: *base.pose.rotation.matrix(),
            v: base.velocity.linear,
            w: base.velocity.angular,
            a: base.acceleration.linear,
            alpha: base.acceleration.angular,
        };
        for body in 0..n {
            scratch.origin[body] = scratch.kin[plan.root[body]].c;
        }
        for (j, model) in plan.joints.iter().enumerate() {
            let ends = [&scratch.kin[model.a.body], &scratch.kin[model.b.body]];
            let Some(at) = model.at(ends) else {
                let what = format!("joint `{}`", self.joints[j].name);
                let problem = "its turn about y is ±90°, where those about z and x, which a drive or a \
                               coupling needs, cannot be told apart";
                return Err(Error::invalid(what, problem));
            };
            scratch.joints[j] = at;
            if plan.needs_dofs[j] {
                scratch.dofs[j][0] = unwrapped(model, &at, &scratch.angles[j]);
                scratch.dofs[j][1] = model.rates(&at, ends);
            }
        }
        Ok(())
    }

    /// Remembers how far joints have turned round.
    pub(super) fn store_angles(&mut self) {
        let (Some(plan), scratch) = (&self.plan, &mut self.scratch) else {
            return;
        };
        for (j, model) in plan.joints.iter().enumerate() {
            if model.has_angles && model.n_rotations() > 0 {
                scratch.angles[j] = unwrapped(model, &scratch.joints[j], &scratch.angles[j]);
            }
        }
    }
}

impl Scratch {
    /// Angles are told from −π to π again.
    pub(super) fn reset_angles(&mut self) {
        self.angles.fill([f64::NAN; 6]);
        self.end.clear();
    }

    /// The coordinates of a joint, angles counted on.
    pub(super) fn unwrapped_dofs(&self, joint: usize, model: &JointModel) -> [f64; 6] {
        unwrapped(model, &self.joints[joint], &self.angles[joint])
    }

    /// Angles of a joint are near these from now on.
    pub(super) fn set_angles(&mut self, joint: usize, near: [f64; 6]) {
        if self.angles.len() <= joint {
            self.angles.resize(joint + 1, [f64::NAN; 6]);
        }
        self.angles[joint] = near;
    }

    /// The body, or the ground, and where in the world a attachment on it is.
    pub(super) fn position_of(&self, bodies: &[Body], attachment: &Attachment) -> (usize, Vector) {
        match attachment {
            Attachment::Body { body, pose } => {
                let local = pose.translation.vector - bodies[*body].com;
                (*body, self.kin[*body].point(&local))
            }
            Attachment::Ground(pose) => {
                let ground = bodies.len();
                (ground, self.kin[ground].point(&pose.translation.vector))
            }
            Attachment::Virtual => (bodies.len(), Vector::zeros()),
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
fn unwrapped(model: &JointModel, at: &JointKin, before: &[f64; 6]) -> [f64; 6] {
    let mut q = model.dofs(at);
    for i in 0..model.n_free() {
        if model.is_angle(i) && before[i].is_finite() {
            let round = ((before[i] - q[i]) / std::f64::consts::TAU).round();
            q[i] += std::f64::consts::TAU * round;
        }
    }
    q
}

/// The same frame with a rotation that is one to rounding.
fn orthonormalized(x: &Pose) -> Pose {
    let rotation = crate::math::so3::orthonormalized(&x.rotation);
    Pose::from_parts(x.translation, rotation)
}

/// The body that stands for a group of joined ones.
fn group_root(group: &mut [usize], mut body: usize) -> usize {
    while group[body] != body {
        group[body] = group[group[body]];
        body = group[body];
    }
    body
}
