//! Kernels of one configuration against the readable ones, with every set of instructions.

use super::{aba, crba, forward, inverse, rnea};
use crate::kernel::{self, Body, Frames, Kind, Tree};
use crate::math::{Quad, QuadWork, Simd};

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    /// Evenly in [−1, 1).
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn three(&mut self) -> [f64; 3] {
        [self.next(), self.next(), self.next()]
    }

    fn index(&mut self, below: usize) -> usize {
        ((0.5 + 0.5 * self.next()) * below as f64) as usize
    }

    /// A rotation by an angle about one axis after the other.
    fn rotation(&mut self) -> [f64; 9] {
        let [(a, b), (c, d)] = [self.next(), self.next()].map(|x| (3.0 * x).sin_cos());
        [b, a, 0.0, -a * d, b * d, c, a * c, -b * c, d]
    }

    /// A body with a mass, attached to `parent` at a random pose.
    fn body(&mut self, parent: Option<usize>) -> Body {
        let [x, y, z] = self.three();
        Body {
            parent,
            rotation: self.rotation(),
            translation: self.three(),
            kind: if self.index(3) == 0 {
                Kind::Prismatic
            } else {
                Kind::Revolute
            },
            axis: match self.index(4) {
                0 => [0.0, 0.0, 1.0],
                1 => [0.0, -1.0, 0.0],
                2 => [0.0, 0.0, 3.0],
                _ => self.three(),
            },
            mass: 1.5 + self.next(),
            com: self.three().map(|x| 0.3 * x),
            moment: [
                0.4,
                0.1 * x,
                0.1 * y,
                0.1 * x,
                0.5,
                0.1 * z,
                0.1 * y,
                0.1 * z,
                0.6,
            ],
            armature: if self.index(4) == 0 { 0.2 } else { 0.0 },
        }
    }

    /// The six links of a floating base.
    fn base(&mut self, bodies: &mut Vec<Body>) {
        let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
        let first = bodies.len();
        for (k, axis) in [x, y, z, z, y, x].into_iter().enumerate() {
            let mut link = self.body((k > 0).then(|| first + k - 1));
            link.kind = if k < 3 {
                Kind::Prismatic
            } else {
                Kind::Revolute
            };
            link.axis = axis;
            if k > 0 {
                link.rotation = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
                link.translation = [0.0; 3];
            }
            if k < 5 {
                (link.mass, link.moment, link.armature) = (0.0, [0.0; 9], 0.0);
            }
            bodies.push(link);
        }
    }

    /// Chains, stars and what is between them, some on a floating base, some after other roots.
    fn tree(&mut self, n: usize) -> Tree {
        let mut bodies = vec![];
        if self.index(3) == 0 {
            bodies.push(self.body(None));
        }
        if self.index(2) == 0 {
            self.base(&mut bodies);
        }
        let first = bodies.len();
        let shape = self.index(4);
        for k in 0..n {
            // the only child of a virtual link is the next
            let parent = match shape {
                _ if k == 0 => first.checked_sub(1),
                0 => Some(first + k - 1),
                1 => Some(first),
                2 => Some(first + self.index(k)),
                _ if self.index(6) == 0 => None,
                _ => Some(first + k - 1 - self.index(k.min(3))),
            };
            let mut body = self.body(parent);

            // its descendants have mass
            if shape == 0 && k % 2 == 0 && k + 1 < n && self.index(4) == 0 {
                (body.mass, body.moment) = (0.0, [0.0; 9]);
            }
            bodies.push(body);
        }
        Tree::new(bodies)
    }
}

/// A robot and its motion.
#[derive(Clone, Copy)]
struct Case<'a> {
    tree: &'a Tree,
    q: &'a [f64],
    dq: &'a [f64],
    ddq: &'a [f64],
    tau: &'a [f64],
}

const GRAVITY: [f64; 3] = [0.4, -0.3, -9.81];

/// Results for a case, by name.
type Results = Vec<(&'static str, Vec<f64>)>;

fn poses(frames: &Frames<f64>) -> Vec<f64> {
    let pose = |frame: &kernel::Frame<f64>| frame.0.concat();
    frames.bodies().iter().flat_map(pose).collect()
}

/// Results of the readable kernels.
fn readable(case: Case<'_>) -> Results {
    let Case {
        tree,
        q,
        dq,
        ddq,
        tau,
    } = case;
    let n = tree.len();
    let mut frames = Frames::new(tree);
    kernel::forward(tree, q, &mut frames);
    let bodies = frames.bodies();

    let mut rnea = kernel::Rnea::new(tree);
    let (mut forces, rest) = (vec![0.0; n], vec![0.0; n]);
    kernel::forward_pass(tree, bodies, dq, ddq, GRAVITY, &mut rnea);
    apply_external(n, |body, moment, force| {
        for k in 0..3 {
            rnea.forces_mut()[body].moment[k] -= moment[k];
            rnea.forces_mut()[body].force[k] -= force[k];
        }
    });
    kernel::backward_pass(tree, bodies, ddq, &mut rnea, &mut forces);
    let passed = rnea.forces().iter();
    let passed = passed.flat_map(|passed| [passed.moment, passed.force].concat());
    let passed = passed.collect();

    let (mut aba, mut accelerations) = (kernel::Aba::new(tree), vec![0.0; n]);
    kernel::forward_pass(tree, bodies, dq, &rest, GRAVITY, &mut rnea);
    kernel::aba(
        tree,
        bodies,
        rnea.forces_mut(),
        tau,
        &mut aba,
        &mut accelerations,
    );
    let effective_inertias = aba.effective_inertias().iter();
    let effective_inertias = effective_inertias
        .flat_map(|moved| [moved.d, moved.locked])
        .collect();

    let (mut crba, mut mass) = (kernel::Crba::new(tree), vec![0.0; n * n]);
    kernel::crba(tree, bodies, &mut crba, &mut mass);
    let mut rows = mass.clone();
    kernel::factorize(tree, &mut rows);
    let mut inverse = vec![0.0; n * n];
    inverse.iter_mut().step_by(n + 1).for_each(|x| *x = 1.0);
    kernel::solve(tree, &rows, n, &mut inverse);
    vec![
        ("poses", poses(&frames)),
        ("generalised forces", forces),
        ("transmitted wrenches", passed),
        ("accelerations", accelerations),
        ("effective inertias", effective_inertias),
        ("mass matrix", mass),
        ("its inverse", inverse),
    ]
}

/// Results of the kernels of one configuration.
struct Single<'a> {
    case: Case<'a>,
    results: &'a mut Results,
}

impl QuadWork for Single<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        let Case {
            tree,
            q,
            dq,
            ddq,
            tau,
        } = self.case;
        let n = tree.len();
        let mut frames = Frames::new(tree);
        forward::kinematics::<Q>(tree, q, &mut frames);
        let bodies = frames.bodies();

        let mut scratch = rnea::Rnea::new(tree);
        let (mut forces, rest) = (vec![f64::NAN; n], vec![0.0; n]);
        rnea::forward_pass::<Q>(tree, bodies, dq, ddq, GRAVITY, &mut scratch);
        apply_external(n, |body, moment, force| {
            scratch.subtract_external(body, moment, force)
        });
        rnea::backward_pass::<Q>(tree, ddq, &mut scratch, &mut forces);
        let passed = scratch.transmitted().flatten().flatten().collect();

        let (mut moved, mut accelerations) = (aba::Aba::new(tree), vec![f64::NAN; n]);
        rnea::forward_pass::<Q>(tree, bodies, dq, &rest, GRAVITY, &mut scratch);
        aba::accelerate::<Q>(
            tree,
            bodies,
            &mut scratch,
            tau,
            &mut moved,
            &mut accelerations,
        );
        let effective_inertias = moved
            .effective_inertias(tree)
            .flat_map(|(d, locked)| [d, locked]);
        let effective_inertias = effective_inertias.collect();

        let (mut crba, mut mass) = (crba::Crba::new(tree), vec![f64::NAN; n * n]);
        crba::mass_matrix::<Q>(tree, bodies, &mut crba, &mut mass);
        let (mut inverse, mut inverted) = (inverse::Inverse::new(tree), vec![f64::NAN; n * n]);
        inverse::factorize::<Q>(tree, bodies, &mut crba, &mut inverse);
        inverse::write::<Q>(tree, &mut inverse, &mut inverted);
        *self.results = vec![
            ("poses", poses(&frames)),
            ("generalised forces", forces),
            ("transmitted wrenches", passed),
            ("accelerations", accelerations),
            ("effective inertias", effective_inertias),
            ("mass matrix", mass),
            ("its inverse", inverted),
        ];
    }
}

/// Applies external wrenches to some bodies.
fn apply_external(n: usize, mut apply: impl FnMut(usize, [f64; 3], [f64; 3])) {
    for body in (0..n).step_by(3) {
        apply(
            body,
            [1.0, body as f64, -2.0],
            [0.5, 3.0, 0.1 * body as f64],
        );
    }
}

#[test]
fn kernels_of_one_configuration_agree_with_the_readable_ones() {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    let sizes = (0..22).chain([30, 38, 61, 110]).cycle().take(104);
    for (k, n) in sizes.enumerate() {
        let tree = numbers.tree(n);
        let mut vector = || -> Vec<f64> { (0..tree.len()).map(|_| 2.0 * numbers.next()).collect() };
        let (q, dq, ddq, tau) = (vector(), vector(), vector(), vector());
        let (tree, q, dq, ddq, tau) = (&tree, &q[..], &dq[..], &ddq[..], &tau[..]);
        let case = Case {
            tree,
            q,
            dq,
            ddq,
            tau,
        };
        let expected = readable(case);
        for simd in Simd::available() {
            let mut results = vec![];
            simd.run_quad(Single {
                case,
                results: &mut results,
            });
            results.push(("inverse by columns", by_columns(case, simd)));
            let inverse = expected.last().expect("its inverse").1.clone();
            let expected = expected.iter().map(|(_, numbers)| numbers);
            for ((what, ours), expected) in results.iter().zip(expected.chain([&inverse])) {
                assert_eq!(ours.len(), expected.len(), "{what}");
                let largest = expected.iter().fold(1e-300, |m: f64, x| m.max(x.abs()));
                let far = ours
                    .iter()
                    .zip(expected)
                    .map(|(x, y)| (x - y).abs() / largest);
                let far = far.fold(0.0, |m: f64, x| if x.is_nan() { x } else { m.max(x) });

                // the accuracy of an inverse is for another test
                let solved = ["accelerations", "its inverse", "inverse by columns"].contains(what);
                let most = if solved { 1e-8 } else { 1e-12 };
                assert!(far < most, "tree {k} of {n}, {simd:?}, {what}: {far:e}");
            }
        }
    }
}

/// The inverse of the mass matrix, column by column.
fn by_columns(case: Case<'_>, simd: Simd) -> Vec<f64> {
    let (tree, n) = (case.tree, case.tree.len());
    let mut frames = Frames::new(tree);
    kernel::forward(tree, case.q, &mut frames);
    let mut inverse = kernel::MassInverse::new(tree);
    inverse.factorize(simd, tree, frames.bodies());
    let mut out = vec![f64::NAN; n * n];
    inverse.write(simd, tree, &mut out);

    // M x = −b for columns that are zero on other branches, and M x = b for one column of any numbers
    let (mut crba, mut mass) = (kernel::Crba::new(tree), vec![0.0; n * n]);
    kernel::crba(tree, frames.bodies(), &mut crba, &mut mass);
    let is_related = |i: usize, k: usize| {
        let mut chain = tree.chain(Some(i.max(k)));
        chain.any(|j| j == i.min(k))
    };
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15 ^ n as u64);
    let mut right = [vec![0.0; n * n], vec![0.0; n * n]];
    for matrix in &mut right {
        for k in 0..n * n {
            matrix[k] = if is_related(k / n.max(1), k % n.max(1)) {
                numbers.next()
            } else {
                0.0
            };
        }
    }
    let [mut a, mut b] = right.clone();
    inverse.divide(simd, tree, [&mut a, &mut b]);
    let times_mass = |x: &[f64], i: usize| -> f64 { (0..n).map(|j| mass[i * n + j] * x[j]).sum() };
    let largest = mass.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
    for (ours, right) in [a, b].iter().zip(&right) {
        for k in 0..n {
            let x = &ours[k * n..][..n];
            let size = x.iter().fold(1.0, |m: f64, x| m.max(x.abs())) * largest;
            for i in 0..n {
                let error = (times_mass(x, i) + right[k * n + i]).abs() / size;
                assert!(error < 1e-9, "{simd:?}, column {k} of {n}: {error:e}");
            }
        }
    }
    let mut x = case.tau.to_vec();
    inverse.solve(tree, &mut x);
    let size = x.iter().fold(1.0, |m: f64, x| m.max(x.abs())) * largest;
    for i in 0..n {
        let error = (times_mass(&x, i) - case.tau[i]).abs() / size;
        assert!(error < 1e-9, "{simd:?}, one column of {n}: {error:e}");
    }
    out
}
