//! Partials against dual numbers, on random trees.

use super::*;
use crate::kernel::dual::Dual;
use crate::kernel::{
    Body, Frame, Frames, Kind, Rnea, Tree, Wrench, backward_pass, factorize, forward, forward_pass,
    solve,
};
use crate::math::{Scalar, Simd, SplitMix};

/// Pseudorandom numbers.
struct Chance(SplitMix);

impl Chance {
    /// Between −1 and 1.
    fn number(&mut self) -> f64 {
        2.0 * self.0.uniform() - 1.0
    }

    fn vector(&mut self) -> [f64; 3] {
        [self.number(), self.number(), self.number()]
    }

    fn numbers(&mut self, n: usize, size: f64) -> Vec<f64> {
        (0..n).map(|_| size * self.number()).collect()
    }

    /// One of the first `n` numbers.
    fn below(&mut self, n: usize) -> usize {
        ((0.5 * (self.number() + 1.0) * n as f64) as usize).min(n - 1)
    }

    fn rotation(&mut self) -> [f64; 9] {
        let w = nalgebra::Vector3::from(self.vector()) * 3.0;
        let r = nalgebra::Rotation3::from_scaled_axis(w);
        std::array::from_fn(|k| r.matrix().as_slice()[k])
    }
}

/// A chain, a star, anything between, or a floating base with something on it; up to 60 bodies, axes of any length.
fn tree(chance: &mut Chance, case: usize) -> Tree {
    let least = if case % 4 == 3 { 6 } else { 1 };
    let n = least + chance.below(61 - least);
    let mut bodies = Vec::new();
    for i in 0..n {
        let parent = match case % 4 {
            0 => i.checked_sub(1),
            1 => (i > 0).then_some(0),
            2 => chance.below(i + 1).checked_sub(1),
            // a floating base, and limbs
            _ if i < 6 => i.checked_sub(1),
            _ => Some(5 + chance.below(i - 5)),
        };
        let kind = if chance.below(3) == 0 {
            Kind::Prismatic
        } else {
            Kind::Revolute
        };
        let extent = chance.vector().map(|x| 0.1 + 0.2 * x.abs());
        let [x, y, z] = extent.map(|x| x * x);
        let mut body = Body {
            parent,
            rotation: chance.rotation(),
            translation: chance.vector().map(|x| 0.4 * x),
            kind,
            axis: chance.vector().map(|x| 1.3 * x + 0.2 * x.signum()),
            mass: 1.6 + chance.number(),
            com: chance.vector().map(|x| 0.3 * x),
            moment: [y + z, 0.0, 0.0, 0.0, z + x, 0.0, 0.0, 0.0, x + y],
            armature: 0.1 * (chance.number() + 1.0),
        };
        if case % 4 == 3 && i < 6 {
            let axis = [0, 1, 2, 2, 1, 0][i];
            body.kind = if i < 3 {
                Kind::Prismatic
            } else {
                Kind::Revolute
            };
            body.axis = std::array::from_fn(|k| f64::from(k == axis));
            body.rotation = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
            body.translation = [0.0; 3];
            if i < 5 {
                (body.mass, body.moment, body.armature) = (0.0, [0.0; 9], 0.0);
            }
        }
        bodies.push(body);
    }
    Tree::new(bodies)
}

/// A tree in motion, with external wrenches on some bodies.
pub(super) struct Case {
    pub(super) tree: Tree,
    pub(super) q: Vec<f64>,
    pub(super) dq: Vec<f64>,
    pub(super) ddq: Vec<f64>,
    gravity: [f64; 3],
    // body, point in its frame, wrench about it in world axes
    external: Vec<(usize, [f64; 3], Wrench<f64>)>,
}

impl Case {
    pub(super) fn new(seed: usize) -> Self {
        let mut chance = Chance(SplitMix::new(seed as u64));
        let tree = tree(&mut chance, seed);
        let n = tree.len();
        let applied = |chance: &mut Chance| {
            let wrench = Wrench {
                moment: chance.vector().map(|x| 20.0 * x),
                force: chance.vector().map(|x| 20.0 * x),
            };
            (chance.below(n), chance.vector(), wrench)
        };
        Self {
            q: chance.numbers(n, 2.0),
            dq: chance.numbers(n, 2.0),
            ddq: chance.numbers(n, 2.0),
            gravity: chance.vector().map(|x| 9.0 * x),
            external: (0..seed % 3).map(|_| applied(&mut chance)).collect(),
            tree,
        }
    }

    /// Frames and rates with derivatives along coordinate `k` of input `by`: 0 for configurations, 1 velocities,
    /// 2 accelerations.
    pub(super) fn along(&self, by: usize, k: usize) -> (Frames<Dual>, Vec<Dual>, Vec<Dual>) {
        let inputs = [&self.q, &self.dq, &self.ddq];
        let [q, dq, ddq] = [0, 1, 2].map(|input| -> Vec<Dual> {
            let moved = |j| f64::from(u8::from(input == by && j == k));
            let numbers = inputs[input].iter().enumerate();
            numbers.map(|(j, &x)| Dual(x, moved(j))).collect()
        });
        (self.frames(&q), dq, ddq)
    }

    pub(super) fn frames<T: Scalar>(&self, q: &[T]) -> Frames<T> {
        let mut frames = Frames::new(&self.tree);
        forward(&self.tree, q, &mut frames);
        frames
    }

    /// The forces of a motion, by the other kernel.
    fn tau<T: Scalar>(&self, q: &[T], dq: &[T], ddq: &[T]) -> Vec<T> {
        let frames = self.frames(q);
        let bodies = frames.bodies();
        let mut rnea = Rnea::new(&self.tree);
        let gravity = self.gravity.map(T::constant);
        forward_pass(&self.tree, bodies, dq, ddq, gravity, &mut rnea);
        for (body, point, wrench) in &self.external {
            let frame = &bodies[*body];
            let at = frame.apply(point.map(T::constant));
            let wrench = Wrench {
                moment: wrench.moment.map(T::constant),
                force: wrench.force.map(T::constant),
            };
            let o = frame.origin();
            let arm = [at[0] - o[0], at[1] - o[1], at[2] - o[2]];
            let wrench = wrench.shifted(arm);
            let net_wrench = &mut rnea.forces_mut()[*body];
            for k in 0..3 {
                net_wrench.moment[k] = net_wrench.moment[k] - wrench.moment[k];
                net_wrench.force[k] = net_wrench.force[k] - wrench.force[k];
            }
        }
        let mut tau = vec![T::constant(0.0); self.tree.len()];
        backward_pass(&self.tree, bodies, ddq, &mut rnea, &mut tau);
        tau
    }

    /// Partials by configuration, velocity and acceleration, from dual numbers.
    fn expected(&self) -> [Vec<f64>; 3] {
        let n = self.tree.len();
        let inputs = [&self.q, &self.dq, &self.ddq];
        [0, 1, 2].map(|by| {
            let mut partial = vec![];
            for i in 0..n {
                let [q, dq, ddq] = [0, 1, 2].map(|k| -> Vec<Dual> {
                    let moved = |j| f64::from(u8::from(k == by && i == j));
                    (0..n).map(|j| Dual(inputs[k][j], moved(j))).collect()
                });
                partial.extend(self.tau(&q, &dq, &ddq).iter().map(|tau| tau.1));
            }
            partial
        })
    }

    fn external(&self, bodies: &[Frame<f64>]) -> Vec<ExternalWrench> {
        let applied = |&(body, point, wrench): &(usize, [f64; 3], Wrench<f64>)| ExternalWrench {
            body,
            at: bodies[body].apply(point),
            wrench,
        };
        self.external.iter().map(applied).collect()
    }

    /// Partials of inverse dynamics by the packed kernel.
    fn inverse(&self, simd: Simd) -> [Vec<f64>; 3] {
        let frames = self.frames(&self.q);
        let n = self.tree.len();
        let [mut a, mut b, mut c] = [0; 3].map(|_| vec![f64::NAN; n * n]);
        simd.run(InverseDerivatives(DerivativeQuery {
            tree: &self.tree,
            bodies: frames.bodies(),
            dq: &self.dq,
            input: &self.ddq,
            gravity: self.gravity,
            external: &self.external(frames.bodies()),
            scratch: &mut PackedDerivatives::new(&self.tree),
            out: Partials {
                wrt_q: &mut a,
                wrt_v: &mut b,
                wrt_input: &mut c,
            },
        }));
        [a, b, c]
    }
}

/// Asserts equality to `tolerance` times the largest number.
#[track_caller]
pub(super) fn close(what: &str, ours: &[f64], expected: &[f64], tolerance: f64) {
    let largest = expected.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
    close_at(what, ours, expected, tolerance, largest);
}

/// Asserts equality to `tolerance` times `size`.
#[track_caller]
pub(super) fn close_at(what: &str, ours: &[f64], expected: &[f64], tolerance: f64, size: f64) {
    assert_eq!(ours.len(), expected.len());
    for (k, (a, b)) in ours.iter().zip(expected).enumerate() {
        let error = (a - b).abs();
        assert!(
            error <= tolerance * size,
            "{what}, number {k}: {a} {b}, off by {error:e} at {size}"
        );
    }
}

const BY: [&str; 3] = ["configuration", "velocity", "input"];

#[test]
fn partials_of_inverse_dynamics_are_those_of_dual_numbers() {
    for seed in 0..96 {
        let case = Case::new(seed);
        let expected = case.expected();
        for simd in Simd::available() {
            for (k, ours) in case.inverse(simd).iter().enumerate() {
                close(
                    &format!("tree {seed} by {}", BY[k]),
                    ours,
                    &expected[k],
                    1e-11,
                );
            }
        }
    }
}

#[test]
fn generic_and_packed_kernels_agree() {
    for seed in (0..96).filter(|seed| seed % 3 == 0) {
        let case = Case::new(seed);
        let frames = case.frames(&case.q);
        let n = case.tree.len();
        let [mut a, mut b, mut c] = [0; 3].map(|_| vec![f64::NAN; n * n]);
        rnea_derivatives(
            &case.tree,
            frames.bodies(),
            &case.dq,
            &case.ddq,
            case.gravity,
            &mut Derivatives::new(&case.tree),
            &mut Partials {
                wrt_q: &mut a,
                wrt_v: &mut b,
                wrt_input: &mut c,
            },
        );
        for simd in Simd::available() {
            for (k, packed) in case.inverse(simd).iter().enumerate() {
                close(
                    &format!("tree {seed} by {}", BY[k]),
                    packed,
                    [&a, &b, &c][k],
                    1e-12,
                );
            }
        }
    }
}

#[test]
fn partials_of_forward_dynamics_are_those_of_inverse_dynamics_solved() {
    for seed in 0..crate::draws(48, 96) {
        let case = Case::new(seed);
        let (n, tree) = (case.tree.len(), &case.tree);
        let tau = case.tau(&case.q, &case.dq, &case.ddq);
        let frames = case.frames(&case.q);
        let [mut a, mut b, mut c] = [0; 3].map(|_| vec![f64::NAN; n * n]);
        let [wrt_q, wrt_v, mass] = case.expected();
        let mut rows = mass.clone();
        factorize(tree, &mut rows);
        let mut inverse: Vec<f64> = (0..n * n)
            .map(|k| f64::from(u8::from(k % n == k / n)))
            .collect();
        solve(tree, &rows, n, &mut inverse);
        for simd in Simd::available() {
            let mut scratch = PackedDerivatives::new(tree);
            forward_dynamics_derivatives(
                simd,
                DerivativeQuery {
                    tree,
                    bodies: frames.bodies(),
                    dq: &case.dq,
                    input: &tau,
                    gravity: case.gravity,
                    external: &case.external(frames.bodies()),
                    scratch: &mut scratch,
                    out: Partials {
                        wrt_q: &mut a,
                        wrt_v: &mut b,
                        wrt_input: &mut c,
                    },
                },
            );
            close(&format!("inverse of tree {seed}"), &c, &inverse, 1e-10);

            // M ∂q̈/∂q = −∂τ/∂q, to the size of what cancels
            for (partial, expected) in [(&a, &wrt_q), (&b, &wrt_v)] {
                let largest = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
                for k in 0..n {
                    let column = &partial[k * n..][..n];
                    for i in 0..n {
                        let terms = (0..n).map(|j| mass[j * n + i] * column[j]);
                        let (sum, largest) = terms.fold((0.0_f64, largest), |(sum, size), x| {
                            (sum + x, size.max(x.abs()))
                        });
                        let error = (sum + expected[k * n + i]).abs();
                        assert!(
                            error < 1e-10 * largest,
                            "tree {seed}: {error:e} at {largest}"
                        );
                    }
                }
            }
        }
    }
}
