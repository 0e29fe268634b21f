//! Preparation of a system: its spanning tree, and scratch memory.

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

/// Spanning tree of the joints, and the joints that close loops.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) joints: Vec<JointModel>,
    /// Per body: its joint to the parent, and 1 where the body is the joint's second, −1 where it is the first.
    pub(super) parent_joint: Vec<Option<(usize, f64)>>,
    /// Per joint: its child body, `None` for one that closes a loop.
    pub(super) child_body: Vec<Option<usize>>,
    /// Per body: the root of its tree.
    pub(super) root: Vec<usize>,
    /// Joints that close loops.
    pub(super) loops: Vec<usize>,
    /// Driven degrees of freedom of joints that close loops.
    pub(super) driven: Vec<(usize, usize)>,
    /// Whether drives or couplings need the positions of each joint.
    pub(super) needs_dofs: Vec<bool>,
    /// Ends of distances.
    pub(super) distances: Vec<[BodyFrame; 2]>,
    /// Row of the first distance.
    pub(super) first_distance: usize,
    n_springs: usize,
}

/// Scratch memory, which depends on time and values.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    /// Bodies, then the ground.
    pub(super) kin: Vec<Kin>,
    pub(super) joints: Vec<JointKin>,
    /// Per joint: positions, velocities, accelerations.
    pub(super) dofs: Vec<[[f64; 6]; 3]>,
    // unwrapped angles at the last accepted step
    angles: Vec<[f64; 6]>,
    /// Per joint: generalized forces of drives, and their diagonal terms.
    pub(super) drive_force: Vec<[f64; 6]>,
    pub(super) resistance: Vec<[f64; 6]>,
    /// Rank-one stiffness terms: springs, and constraints outside the tree.
    pub(super) rank_ones: Vec<RankOne>,
    /// Per joint: the transmitted force and moment, on B at the origin of B.
    pub(super) transmitted: Vec<[Vector; 2]>,
    /// Whether the Newton matrix has the geometric stiffness.
    pub(super) has_geometric_stiffness: bool,
    /// Per row: the last multipliers of constraints outside the tree.
    pub(super) lambda: Vec<f64>,
    /// Per body: all forces except those of its joint to the parent; then the sums over subtrees.
    pub(super) net: Vec<Vector6<f64>>,
    /// Per body: the reference point of its twist.
    pub(super) origin: Vec<Vector>,
    /// Per body: derivative of the unknown of a step with respect to its rotation.
    pub(super) tangent: Vec<Matrix3<f64>>,
    /// Bodies, then the ground: derivatives of the angular velocity and acceleration.
    pub(super) angular: Vec<AngularDerivative>,
    /// Trial accelerations of a step.
    pub(super) x: Vec<f64>,
    /// Values at the end of the last implicit step.
    pub(super) end: Vec<f64>,
    pub(super) solver: Solver,
}

impl MultibodySystem {
    /// Compiles the plan again after a change.
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

    /// Returns whether the plan was made for the present drives and springs.
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

        // joints that lock the most motions span the tree, so that loops need few equations
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

        // from the ground outwards, then from floating bodies
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

    /// Bodies, parents first, and the parent of each.
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

    /// Updates positions and velocities of bodies and joints; only the ground has accelerations.
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
                let problem = "its rotation about y is ±90°, where those about z and x, which a drive or a \
                                               coupling needs, are not distinguished";
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

    /// Stores the unwrapped angles of joints.
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
    /// Resets stored angles: angles are in (−π, π] again.
    pub(super) fn reset_angles(&mut self) {
        self.angles.fill([f64::NAN; 6]);
        self.end.clear();
    }

    /// Positions of a joint, angles unwrapped.
    pub(super) fn unwrapped_dofs(&self, joint: usize, model: &JointModel) -> [f64; 6] {
        unwrapped(model, &self.joints[joint], &self.angles[joint])
    }

    /// Sets the stored angles of a joint: its next angles are near these.
    pub(super) fn set_angles(&mut self, joint: usize, near: [f64; 6]) {
        if self.angles.len() <= joint {
            self.angles.resize(joint + 1, [f64::NAN; 6]);
        }
        self.angles[joint] = near;
    }

    /// Body, or ground, of an attachment, and its position in the world.
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

/// Motion of a body at these values, without acceleration.
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

/// Positions of a joint, with angles unwrapped near those before.
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

/// Frame with its rotation orthonormalized.
fn orthonormalized(x: &Pose) -> Pose {
    let rotation = crate::math::so3::orthonormalized(&x.rotation);
    Pose::from_parts(x.translation, rotation)
}

/// Representative of a body's group (union-find).
fn group_root(group: &mut [usize], mut body: usize) -> usize {
    while group[body] != body {
        group[body] = group[group[body]];
        body = group[body];
    }
    body
}
