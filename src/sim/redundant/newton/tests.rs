//! Newton's matrix beside central differences of what it is the matrix of.

use nalgebra::{Matrix3, Vector6};

use crate::math::{Inertia, Motion, Pose, Vector, so3};
use crate::robot::LinkId;
use crate::sim::integrator::{ImplicitEnd, ImplicitStep, Ode};
use crate::sim::redundant::forces::Gains;
use crate::sim::redundant::joint::spatial;
use crate::sim::redundant::rows::Level;
use crate::sim::redundant::{
    Axes, Coupling, Distance, Drive, GenericJoint, JointId, Load, Marker, Spring, System,
};
use crate::{Point, Result};

/// Numbers in (−1, 1) that are always the same.
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

    fn body(&mut self, system: &mut System, pose: &Pose) -> LinkId {
        let off = Matrix3::from_fn(|_, _| 0.1 * self.next());
        let inertia = Inertia {
            mass: 1.5 + self.next(),
            com: Point::from(self.vector() * 0.3),
            moment: Matrix3::from_diagonal_element(0.3) + off * off.transpose(),
        };
        let link = system.add_body("body", &inertia, pose).unwrap();
        let motion = Motion::new(self.vector() * 2.0, self.vector());
        system.set_velocity(link, &motion).unwrap();
        link
    }

    /// A joint, where its bodies are.
    fn join(
        &mut self,
        system: &mut System,
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

/// Three bodies, the last of them carried by joints of a kind, with everything that can be between them.
fn tangle(axes: Axes, is_turned_round: bool, numbers: &mut Numbers) -> System {
    let mut system = System::new();
    system.gravity = numbers.vector() * 9.81;
    let poses = [0; 4].map(|_| numbers.pose());
    let bodies = poses.map(|pose| (numbers.body(&mut system, &pose), pose));
    let [one, two, three, four] = bodies;
    let first = numbers.join(&mut system, Axes::SPHERICAL, [None, Some(one)]);
    let ends = if is_turned_round {
        [two, one]
    } else {
        [one, two]
    };
    let joint = numbers.join(&mut system, axes, ends.map(Some));
    let next = numbers.join(&mut system, axes, [two, three].map(Some));

    // a loop of the same kind would leave nothing free: one that leaves much
    let closing = Axes::new([true, true, false], [true; 3]);
    let loops = numbers.join(&mut system, closing, [three, one].map(Some));
    let distance = |a: (LinkId, Pose), b: (LinkId, Pose), numbers: &mut Numbers| {
        let [p, q] = [Point::from(numbers.vector()), Point::from(numbers.vector())];
        Distance {
            name: "rod".into(),
            length: (a.1 * p - b.1 * q).norm(),
            a: Marker::on(a.0).at(p),
            b: Marker::on(b.0).at(q),
        }
    };
    system.add_distance(distance(two, four, numbers)).unwrap();
    system.add_distance(distance(four, one, numbers)).unwrap();
    for joint in [first, joint, next, loops] {
        let n = system.joints()[joint.index()].axes.n_free();
        for coordinate in 0..n {
            system.drives.push(Drive {
                p: 30.0 * (1.0 + numbers.next()),
                d: 3.0 * (1.0 + numbers.next()),
                inertia: 0.2 * (1.0 + numbers.next()),
                position: numbers.next(),
                force: numbers.next(),
                ..Drive::new(joint, coordinate)
            });
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
        system.springs.push(Spring {
            a: marker(a, numbers.vector()),
            b: marker(b, numbers.vector()),
            stiffness: 40.0,
            damping: 3.0,
            length: 0.4,
        });
    }
    system.loads.push(Load {
        link: three.0,
        point: Point::from(numbers.vector()),
        force: numbers.vector() * 10.0,
        moment: numbers.vector(),
    });
    let mut terms = vec![(first, 1, 1.0), (loops, 1, -0.7)];
    if axes.n_free() > 0 {
        terms.push((joint, axes.n_free() - 1, 0.4));
    }
    let coupling = Coupling {
        name: "gear".into(),
        terms,
        value: 0.0,
    };
    system.add_coupling(coupling).unwrap();
    system
}

/// Forces on bodies that are not balanced at `x`, told about where bodies were at first, while constraints push as there.
struct Pushes {
    // per joint, row for row, and per distance and coupling
    rows: Vec<[f64; 6]>,
    distances: Vec<f64>,
    couplings: Vec<f64>,
    origins: Vec<Vector>,
}

impl Pushes {
    /// What constraints push with where a step has ended.
    fn of(system: &System) -> Self {
        let plan = system.plan.as_ref().unwrap();
        let room = &system.room;
        let mut couplings = Vec::new();
        let before = plan.first_distance + system.distances.len();
        couplings.extend_from_slice(&room.lambda[before..]);
        let mut rows = Vec::new();
        for (j, held) in plan.held.iter().enumerate() {
            let at = &room.joints[j];
            let [force, moment] = room.carried[j];
            let mut of = [0.0; 6];
            for k in 0..held.n_rows() {
                of[k] = match k.checked_sub(held.locked.n) {
                    None => force.dot(&at.u[held.locked.axes[k]]),
                    Some(k) => moment.dot(&at.m[k]),
                };
            }
            rows.push(of);
        }
        Self {
            rows,
            distances: room.lambda[plan.first_distance..before].to_vec(),
            couplings,
            origins: room.origin.clone(),
        }
    }

    /// What is left of forces, where everything was placed and written.
    fn left(&self, system: &System) -> Vec<Vector6<f64>> {
        let (plan, room) = (system.plan.as_ref().unwrap(), &system.room);
        let n = system.bodies.len();
        let mut out = Vec::new();
        for i in 0..n {
            let f = room.solver.force[i];
            let [moment, force] = [0, 3].map(|k| f.fixed_rows::<3>(k).into_owned());
            let shift = room.origin[i] - self.origins[i];
            out.push(spatial(&(moment + shift.cross(&force)), &force));
        }
        let mut act = |body: usize, p: &Vector, force: &Vector, moment: &Vector| {
            if body < n {
                let arm = p - self.origins[body];
                out[body] += spatial(&(moment + arm.cross(force)), force);
            }
        };
        for (j, held) in plan.held.iter().enumerate() {
            let at = &room.joints[j];
            let mut sum = [Vector::zeros(); 2];
            let mut add = |[force, moment]: [Vector; 2], by: f64| {
                sum[0] += force * by;
                sum[1] += moment * by;
            };
            for k in 0..held.n_rows() {
                add(held.row(at, k), self.rows[j][k]);
            }
            for i in 0..held.n_free() {
                // across loops drives are among the forces already
                if plan.carries[j].is_some() {
                    add(held.push(at, i), room.push[j][i]);
                }
                for (coupling, push) in system.couplings.iter().zip(&self.couplings) {
                    for (joint, k, factor) in &coupling.terms {
                        if (joint.index(), *k) == (j, i) {
                            add(held.push(at, i), -push * factor);
                        }
                    }
                }
            }
            act(held.b.body, &at.p, &sum[0], &sum[1]);
            act(held.a.body, &at.p, &-sum[0], &-sum[1]);
        }
        for ([a, b], push) in plan.distances.iter().zip(&self.distances) {
            let [p_a, p_b] = [room.kin[a.body].point(&a.p), room.kin[b.body].point(&b.p)];
            let force = (p_b - p_a).normalize() * -push;
            act(b.body, &p_b, &force, &Vector::zeros());
            act(a.body, &p_a, &-force, &Vector::zeros());
        }
        out
    }
}

/// Writes all there is at the accelerations `x`, and what constraints are off by there.
fn at(system: &mut System, step: &ImplicitStep<'_>, x: &[f64], level: Level) -> Result<Vec<f64>> {
    let n = system.bodies.len();
    let (mut y, mut a) = (vec![0.0; 13 * n], vec![0.0; 6 * n]);
    system.room.x.copy_from_slice(x);
    system.room.is_whole = true;
    system.move_to(step, &mut y, &mut a);
    system.place(step.t + step.h, &y)?;
    let [q, v] = step.gains();
    let gain = if level == Level::Place { q } else { v };
    system.write_dynamics(Gains { q, v }, true)?;
    system.write_rows(level, gain);
    if level == Level::Motion {
        system.write_rates(Gains { q, v })?;
    }
    let solver = &system.room.solver;
    let off = solver.rows.iter().filter_map(|row| row.target);
    let given = solver.given.iter().flat_map(|given| given.iter().copied());
    Ok(off.chain(given).collect())
}

/// A motion that constraints leave, and the forces that it takes: twists, and how the unknown changes.
struct Way {
    forces: Vec<Vector6<f64>>,
    twist: Vec<Vector6<f64>>,
    change: Vec<f64>,
}

impl Way {
    /// That of any forces, where all was written.
    fn with(system: &mut System, numbers: &mut Numbers) -> Self {
        let (n, room) = (system.bodies.len(), &mut system.room);
        room.solver.factor(0.0).unwrap();
        let forces: Vec<_> = (0..n)
            .map(|_| spatial(&numbers.vector(), &numbers.vector()))
            .collect();
        room.solver.force.copy_from_slice(&forces);
        room.solver.push.fill([0.0; 6]);
        room.solver.given.fill(Vector6::zeros());
        for row in &mut room.solver.rows {
            row.target = row.target.map(|_| 0.0);
        }
        room.solver.solve();
        let mut change = Vec::new();
        for i in 0..n {
            let [v, w] = room.twist_at_com(i);
            change.extend_from_slice(v.as_slice());
            change.extend_from_slice((room.tangent[i] * room.kin[i].r.tr_mul(&w)).as_slice());
        }
        Self {
            forces,
            twist: room.solver.twist.clone(),
            change,
        }
    }
}

/// What the equations of a step of such bodies begin with.
struct Start {
    y: Vec<f64>,
    f: Vec<f64>,
    // am, af, gamma, beta
    method: [f64; 4],
}

impl Start {
    fn new(axes: Axes, is_turned_round: bool, method: [f64; 4]) -> (System, Numbers, Self) {
        let mut numbers = Numbers(11);
        let mut system = tangle(axes, is_turned_round, &mut numbers);
        let phase = system.phase(0.0).unwrap();
        let mut f = vec![0.0; phase.y.len()];
        system.rates(0.0, &phase.y, &mut f).unwrap();
        let y = phase.y;
        (system, numbers, Self { y, f, method })
    }

    /// The step, and what constraints are asked in it.
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
            true => Level::Motion,
            false => Level::Place,
        };
        (step, level)
    }

    /// How far corrections go, one after the other.
    fn corrections(&self, system: &mut System) -> Vec<f64> {
        let (step, level) = self.step();
        let mut x = step.a.to_vec();
        let mut sizes = Vec::new();
        for _ in 0..7 {
            at(system, &step, &x, level).unwrap();
            system.room.solver.factor(0.0).unwrap();
            system.room.solver.solve();
            system.room.keep_lambda();
            sizes.push(system.improve(&step, step.gains()[1]));
            x.copy_from_slice(&system.room.x);
        }
        sizes
    }

    /// Compares where the step ends: how far constraints leave what the matrix takes to be free of them, and how far forces
    /// are from those of the matrix, relative both.
    fn differences(&self, system: &mut System, numbers: &mut Numbers) -> [f64; 2] {
        let (step, level) = self.step();
        let n = system.bodies.len();
        let (mut y, mut f, mut a) = (self.y.clone(), self.f.clone(), step.a.to_vec());
        let mut end = ImplicitEnd {
            y: &mut y,
            f: &mut f,
            a: &mut a,
        };
        system.step(&step, &mut end).unwrap();
        let x = system.room.x.clone();
        at(system, &step, &x, level).unwrap();
        let pushes = Pushes::of(system);
        let size = |f: &[Vector6<f64>]| f.iter().map(Vector6::norm).fold(0.0, f64::max);
        assert!(size(&pushes.left(system)) < 1e-7, "unbalanced");

        // motions that constraints leave, of places and as they are asked for
        let mut ways = |level: Level| {
            [0; 4].map(|_| {
                at(system, &step, &x, level).unwrap();
                Way::with(system, numbers)
            })
        };
        let (virtuals, ways) = (ways(Level::Place), ways(level));
        let mut worst = [0.0_f64; 2];
        for way in &ways {
            let reach = way.change.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let part = 1e-3 / reach;
            let [(plus, off), (minus, other)] = [part, -part].map(|part| {
                let moved = x.iter().zip(&way.change).map(|(x, c)| x + part * c);
                let off = at(system, &step, &moved.collect::<Vec<_>>(), level).unwrap();
                (pushes.left(system), off)
            });
            for (p, m) in off.iter().zip(other) {
                let slope = (p - m) / (2.0 * part);
                worst[0] = worst[0].max(slope.abs() / size(&way.twist));
            }
            for other in &virtuals {
                let (mut felt, mut expected) = (0.0, 0.0);
                for i in 0..n {
                    felt -= other.twist[i].dot(&(plus[i] - minus[i])) / (2.0 * part);
                    expected += other.twist[i].dot(&way.forces[i]);
                }
                let whole = size(&way.forces) * size(&other.twist);
                worst[1] = worst[1].max((felt - expected).abs() / whole);
            }
        }
        worst
    }
}

/// Generalized-α, and the trapezoidal rule.
fn methods() -> [[f64; 4]; 2] {
    let rho: f64 = 0.7;
    let (am, af) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
    let alpha = [am, af, 0.5 - am + af, (1.0 - am + af).powi(2) / 4.0];
    [alpha, [0.0, 0.0, 0.5, 0.25]]
}

#[test]
fn the_matrix_is_that_of_differences_for_every_kind_of_joint() {
    // velocities leave places off by the order of the method, where angles are not yet what turns add up to
    for (method, enough) in methods().into_iter().zip([1e-8, 2e-5]) {
        for (axes, is_turned_round) in ALL
            .into_iter()
            .flat_map(|axes| [(axes, false), (axes, true)])
        {
            let (mut system, mut numbers, start) = Start::new(axes, is_turned_round, method);
            let [rates, forces] = start.differences(&mut system, &mut numbers);
            let what = format!("{axes:?}, {is_turned_round}, {method:?}");
            assert!(
                rates < 1e-7 && forces < enough,
                "{what}: {rates:e} {forces:e}"
            );
        }
    }
}

#[test]
fn corrections_are_squared_by_each_iteration() {
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
