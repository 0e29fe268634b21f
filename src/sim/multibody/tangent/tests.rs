//! Newton matrices against central differences of the equations.

use nalgebra::{Matrix3, Vector6};

use crate::math::{Inertia, Motion, Pose, Vector, so3};
use crate::robot::LinkId;
use crate::sim::integrator::{ImplicitEnd, ImplicitStep, Ode};
use crate::sim::multibody::forces::Gains;
use crate::sim::multibody::joint::spatial;
use crate::sim::multibody::rows::Level;
use crate::sim::multibody::{
    Axes, Coupling, DistanceConstraint, Drive, GenericJoint, JointId, Load, Marker,
    MultibodySystem, Spring,
};
use crate::{Point, Result};

/// Reproducible numbers in (−1, 1).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vector {
        Vector::new(self.next(), self.next(), self.next())
    }

    fn pose(&mut self) -> Pose {
        let turn = so3::from_rotation_vector(&(self.vector() * 0.6));
        Pose::from_parts((self.vector() * 0.5).into(), turn)
    }

    fn body(&mut self, system: &mut MultibodySystem, pose: &Pose) -> LinkId {
        let violation = Matrix3::from_fn(|_, _| 0.1 * self.next());
        let inertia = Inertia {
            mass: 1.5 + self.next(),
            com: Point::from(self.vector() * 0.3),
            moment: Matrix3::from_diagonal_element(0.3) + violation * violation.transpose(),
        };
        let link = system.add_body("body", &inertia, pose).unwrap();
        let motion = Motion {
            angular: self.vector() * 2.0,
            linear: self.vector(),
        };
        system.set_velocity(link, &motion).unwrap();
        link
    }

    /// Adds a joint at the current poses of its bodies.
    fn join(
        &mut self,
        system: &mut MultibodySystem,
        axes: Axes,
        [a, b]: [Option<(LinkId, Pose)>; 2],
    ) -> JointId {
        let x = self.pose();
        let marker = |end: Option<(LinkId, Pose)>| match end {
            None => Marker::GROUND.with_pose(x),
            Some((link, pose)) => Marker::on(link).with_pose(pose.inverse() * x),
        };
        let joint = GenericJoint::new("joint", axes, marker(a), marker(b));
        system.add_joint(joint).unwrap()
    }
}

const ALL: [Axes; 12] = [
    Axes::FIXED,
    Axes::REVOLUTE,
    Axes::PRISMATIC,
    Axes::CYLINDRICAL,
    Axes::UNIVERSAL,
    Axes::SPHERICAL,
    Axes::PLANAR,
    Axes::FREE,
    Axes::new([true, false, true], [true, true, false]),
    Axes::new([false, true, false], [true; 3]),
    Axes::new([true; 3], [false; 3]),
    Axes::new([true; 3], [false, true, false]),
];

/// Four bodies with joints of one kind and every kind of force and constraint between them.
fn test_system(axes: Axes, is_reversed: bool, numbers: &mut Numbers) -> MultibodySystem {
    let mut system = MultibodySystem::new();
    system.gravity = numbers.vector() * 9.81;
    let poses = [0; 4].map(|_| numbers.pose());
    let bodies = poses.map(|pose| (numbers.body(&mut system, &pose), pose));
    let [one, two, three, four] = bodies;
    let first = numbers.join(&mut system, Axes::SPHERICAL, [None, Some(one)]);
    let ends = if is_reversed { [two, one] } else { [one, two] };
    let joint = numbers.join(&mut system, axes, ends.map(Some));
    let next = numbers.join(&mut system, axes, [two, three].map(Some));

    // a loop of the same kind could leave no motion: this one leaves many
    let closing = Axes::new([true, true, false], [true; 3]);
    let loops = numbers.join(&mut system, closing, [three, one].map(Some));
    let distance = |a: (LinkId, Pose), b: (LinkId, Pose), numbers: &mut Numbers| {
        let [p, q] = [Point::from(numbers.vector()), Point::from(numbers.vector())];
        DistanceConstraint::new(
            "rod",
            Marker::on(a.0).at(p),
            Marker::on(b.0).at(q),
            (a.1 * p - b.1 * q).norm(),
        )
    };
    system.add_distance(distance(two, four, numbers)).unwrap();
    system.add_distance(distance(four, one, numbers)).unwrap();
    for joint in [first, joint, next, loops] {
        let n = system.joints()[joint.index()].axes.n_free();
        for dof in 0..n {
            system.drives.push(
                Drive::new(joint, dof)
                    .with_p(30.0 * (1.0 + numbers.next()))
                    .with_d(3.0 * (1.0 + numbers.next()))
                    .with_inertia(0.2 * (1.0 + numbers.next()))
                    .with_position(numbers.next())
                    .with_force(numbers.next()),
            );
        }
    }
    for (a, b) in [
        (Some(two), Some(four)),
        (None, Some(three)),
        (Some(four), None),
    ] {
        let marker = |end: Option<(LinkId, Pose)>, p: Vector| match end {
            None => Marker::GROUND.at(Point::from(p)),
            Some((link, _)) => Marker::on(link).at(Point::from(p)),
        };
        system.springs.push(
            Spring::new(
                marker(a, numbers.vector()),
                marker(b, numbers.vector()),
                0.4,
            )
            .with_stiffness(40.0)
            .with_damping(3.0),
        );
    }
    system.loads.push(
        Load::new(three.0)
            .with_point(Point::from(numbers.vector()))
            .with_force(numbers.vector() * 10.0)
            .with_moment(numbers.vector()),
    );
    let mut terms = vec![(first, 1, 1.0), (loops, 1, -0.7)];
    if axes.n_free() > 0 {
        terms.push((joint, axes.n_free() - 1, 0.4));
    }
    let coupling = Coupling::new("gear", terms, 0.0);
    system.add_coupling(coupling).unwrap();
    system
}

/// Constraint forces that are constant in the bodies' axes; wrenches are about the initial reference points.
struct ConstraintForces {
    // per joint, by rows; then per distance and coupling
    rows: Vec<[f64; 6]>,
    distances: Vec<f64>,
    couplings: Vec<f64>,
    origins: Vec<Vector>,
}

impl ConstraintForces {
    /// Constraint forces at the end of a step.
    fn of(system: &MultibodySystem) -> Self {
        let plan = system.plan.as_ref().unwrap();
        let scratch = &system.scratch;
        let mut couplings = Vec::new();
        let before = plan.first_distance + system.distances.len();
        couplings.extend_from_slice(&scratch.lambda[before..]);
        let mut rows = Vec::new();
        for (j, model) in plan.joints.iter().enumerate() {
            let at = &scratch.joints[j];
            let [force, moment] = scratch.transmitted[j];
            let mut of = [0.0; 6];
            for k in 0..model.n_rows() {
                of[k] = match k.checked_sub(model.locked.n) {
                    None => force.dot(&at.u[model.locked.axes[k]]),
                    Some(k) => moment.dot(&at.m[k]),
                };
            }
            rows.push(of);
        }
        Self {
            rows,
            distances: scratch.lambda[plan.first_distance..before].to_vec(),
            couplings,
            origins: scratch.origin.clone(),
        }
    }

    /// Unbalanced wrenches after positions and forces were updated.
    fn left(&self, system: &MultibodySystem) -> Vec<Vector6<f64>> {
        let (plan, scratch) = (system.plan.as_ref().unwrap(), &system.scratch);
        let n = system.bodies.len();
        let mut out = Vec::new();
        for i in 0..n {
            let f = scratch.solver.force[i];
            let [moment, force] = [0, 3].map(|k| f.fixed_rows::<3>(k).into_owned());
            let shift = scratch.origin[i] - self.origins[i];
            out.push(spatial(&(moment + shift.cross(&force)), &force));
        }
        let mut apply = |body: usize, p: &Vector, force: &Vector, moment: &Vector| {
            if body < n {
                let arm = p - self.origins[body];
                out[body] += spatial(&(moment + arm.cross(force)), force);
            }
        };
        for (j, model) in plan.joints.iter().enumerate() {
            let at = &scratch.joints[j];
            let mut sum = [Vector::zeros(); 2];
            let mut add = |[force, moment]: [Vector; 2], by: f64| {
                sum[0] += force * by;
                sum[1] += moment * by;
            };
            for k in 0..model.n_rows() {
                add(model.constraint_wrench(at, k), self.rows[j][k]);
            }
            for i in 0..model.n_free() {
                // across loops drives are among the forces already
                if plan.child_body[j].is_some() {
                    add(model.dof_wrench(at, i), scratch.drive_force[j][i]);
                }
                for (coupling, multiplier) in system.couplings.iter().zip(&self.couplings) {
                    for (joint, k, factor) in &coupling.terms {
                        if (joint.index(), *k) == (j, i) {
                            add(model.dof_wrench(at, i), -multiplier * factor);
                        }
                    }
                }
            }
            apply(model.b.body, &at.p, &sum[0], &sum[1]);
            apply(model.a.body, &at.p, &-sum[0], &-sum[1]);
        }
        for ([a, b], multiplier) in plan.distances.iter().zip(&self.distances) {
            let [p_a, p_b] = [
                scratch.kin[a.body].point(&a.p),
                scratch.kin[b.body].point(&b.p),
            ];
            let force = (p_b - p_a).normalize() * -multiplier;
            apply(b.body, &p_b, &force, &Vector::zeros());
            apply(a.body, &p_a, &-force, &Vector::zeros());
        }
        out
    }
}

/// Writes all equations at the accelerations `x`; returns the constraint violations.
fn at(
    system: &mut MultibodySystem,
    step: &ImplicitStep<'_>,
    x: &[f64],
    level: Level,
) -> Result<Vec<f64>> {
    let n = system.bodies.len();
    let (mut y, mut a) = (vec![0.0; 13 * n], vec![0.0; 6 * n]);
    system.scratch.x.copy_from_slice(x);
    system.scratch.has_geometric_stiffness = true;
    system.move_to(step, &mut y, &mut a);
    system.update_kinematics(step.t + step.h, &y)?;
    let [q, v] = step.gains();
    let gain = if level == Level::Position { q } else { v };
    system.write_dynamics(Gains { q, v }, true)?;
    system.write_rows(level, gain);
    if level == Level::Velocity {
        system.write_rates(Gains { q, v })?;
    }
    let solver = &system.scratch.solver;
    let violation = solver.rows.iter().filter_map(|row| row.target);
    let prescribed = solver
        .prescribed
        .iter()
        .flat_map(|prescribed| prescribed.iter().copied());
    Ok(violation.chain(prescribed).collect())
}

/// Motion that satisfies the constraints, and the wrenches that cause it: twists, and changes of the unknown.
struct Direction {
    forces: Vec<Vector6<f64>>,
    twist: Vec<Vector6<f64>>,
    change: Vec<f64>,
}

impl Direction {
    /// Motion due to random wrenches.
    fn with(system: &mut MultibodySystem, numbers: &mut Numbers) -> Self {
        let (n, scratch) = (system.bodies.len(), &mut system.scratch);
        scratch.solver.factor(0.0).unwrap();
        let forces: Vec<_> = (0..n)
            .map(|_| spatial(&numbers.vector(), &numbers.vector()))
            .collect();
        scratch.solver.force.copy_from_slice(&forces);
        scratch.solver.dof_force.fill([0.0; 6]);
        scratch.solver.prescribed.fill(Vector6::zeros());
        for row in &mut scratch.solver.rows {
            row.target = row.target.map(|_| 0.0);
        }
        scratch.solver.solve();
        let mut change = Vec::new();
        for i in 0..n {
            let [v, w] = scratch.twist_at_com(i);
            change.extend_from_slice(v.as_slice());
            change.extend_from_slice((scratch.tangent[i] * scratch.kin[i].r.tr_mul(&w)).as_slice());
        }
        Self {
            forces,
            twist: scratch.solver.twist.clone(),
            change,
        }
    }
}

/// Start of a step of such a system.
struct Start {
    y: Vec<f64>,
    f: Vec<f64>,
    // am, af, gamma, beta
    method: [f64; 4],
}

impl Start {
    fn new(axes: Axes, is_reversed: bool, method: [f64; 4]) -> (MultibodySystem, Numbers, Self) {
        let mut numbers = Numbers(11);
        let mut system = test_system(axes, is_reversed, &mut numbers);
        let state = system.initial_state(0.0).unwrap();
        let mut f = vec![0.0; state.y.len()];
        system.rates(0.0, &state.y, &mut f).unwrap();
        let y = state.y;
        (system, numbers, Self { y, f, method })
    }

    /// The step, and the level of its constraints.
    fn step(&self) -> (ImplicitStep<'_>, Level) {
        let [am, af, gamma, beta] = self.method;
        let step = ImplicitStep {
            t: 0.0,
            h: 0.04,
            y: &self.y,
            f: &self.f,
            a: &self.f[self.f.len() / 13 * 7..],
            am,
            af,
            beta,
            gamma,
        };
        let level = match step.is_trapezoidal() {
            true => Level::Velocity,
            false => Level::Position,
        };
        (step, level)
    }

    /// Sizes of successive corrections.
    fn corrections(&self, system: &mut MultibodySystem) -> Vec<f64> {
        let (step, level) = self.step();
        let mut x = step.a.to_vec();
        let mut sizes = Vec::new();
        for _ in 0..7 {
            at(system, &step, &x, level).unwrap();
            system.scratch.solver.factor(0.0).unwrap();
            system.scratch.solver.solve();
            system.scratch.store_lambda();
            sizes.push(system.apply_correction(&step, step.gains()[1]));
            x.copy_from_slice(&system.scratch.x);
        }
        sizes
    }

    /// Relative differences at the end of a step: of the constraints along motions that satisfy them in the matrix, and
    /// of the forces from those of the matrix.
    fn differences(&self, system: &mut MultibodySystem, numbers: &mut Numbers) -> [f64; 2] {
        let (step, level) = self.step();
        let n = system.bodies.len();
        let (mut y, mut f, mut a) = (self.y.clone(), self.f.clone(), step.a.to_vec());
        let mut end = ImplicitEnd {
            y: &mut y,
            f: &mut f,
            a: &mut a,
        };
        system.step(&step, &mut end).unwrap();
        let x = system.scratch.x.clone();
        at(system, &step, &x, level).unwrap();
        let constraint_forces = ConstraintForces::of(system);
        let size = |f: &[Vector6<f64>]| f.iter().map(Vector6::norm).fold(0.0, f64::max);
        assert!(size(&constraint_forces.left(system)) < 1e-7, "unbalanced");

        // motions that satisfy the constraints on positions, and those of the step
        let mut directions = |level: Level| {
            [0; 4].map(|_| {
                at(system, &step, &x, level).unwrap();
                Direction::with(system, numbers)
            })
        };
        let (virtuals, directions) = (directions(Level::Position), directions(level));
        let mut worst = [0.0_f64; 2];
        for direction in &directions {
            let size_of_change = direction.change.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let part = 1e-3 / size_of_change;
            let [(plus, violation), (minus, other)] = [part, -part].map(|part| {
                let moved = x.iter().zip(&direction.change).map(|(x, c)| x + part * c);
                let violation = at(system, &step, &moved.collect::<Vec<_>>(), level).unwrap();
                (constraint_forces.left(system), violation)
            });
            for (p, m) in violation.iter().zip(other) {
                let derivative = (p - m) / (2.0 * part);
                worst[0] = worst[0].max(derivative.abs() / size(&direction.twist));
            }
            for other in &virtuals {
                let (mut gradient, mut expected) = (0.0, 0.0);
                for i in 0..n {
                    gradient -= other.twist[i].dot(&(plus[i] - minus[i])) / (2.0 * part);
                    expected += other.twist[i].dot(&direction.forces[i]);
                }
                let scale = size(&direction.forces) * size(&other.twist);
                worst[1] = worst[1].max((gradient - expected).abs() / scale);
            }
        }
        worst
    }
}

/// Coefficients of generalized-α and of the trapezoidal rule.
fn methods() -> [[f64; 4]; 2] {
    let rho: f64 = 0.7;
    let (am, af) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
    let alpha = [am, af, 0.5 - am + af, (1.0 - am + af).powi(2) / 4.0];
    [alpha, [0.0, 0.0, 0.5, 0.25]]
}

#[test]
fn the_newton_matrix_equals_differences_for_every_kind_of_joint() {
    // velocity constraints leave position errors of the order of the method, where angles differ from integrated
    // rotations
    for (method, enough) in methods().into_iter().zip([1e-8, 2e-5]) {
        for (axes, is_reversed) in ALL
            .into_iter()
            .flat_map(|axes| [(axes, false), (axes, true)])
        {
            let (mut system, mut numbers, start) = Start::new(axes, is_reversed, method);
            let [rates, forces] = start.differences(&mut system, &mut numbers);
            let what = format!("{axes:?}, {is_reversed}, {method:?}");
            assert!(
                rates < 1e-7 && forces < enough,
                "{what}: {rates:e} {forces:e}"
            );
        }
    }
}

#[test]
fn newton_iterations_converge_quadratically() {
    for method in methods() {
        for axes in ALL {
            let (mut system, _, start) = Start::new(axes, false, method);
            let sizes = start.corrections(&mut system);
            let what = format!("{axes:?}, {method:?}: {sizes:?}");
            assert!(sizes[6] < 1e-12, "{what}");
            for pair in sizes.windows(2).filter(|pair| pair[0] < 1e-2) {
                assert!(pair[1] < 1e-13 + 100.0 * pair[0] * pair[0], "{what}");
            }
        }
    }
}
