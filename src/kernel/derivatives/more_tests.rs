//! Composites, the Coriolis matrix and points of bodies against dual numbers.

use super::tests::{Case, close, close_at};
use super::*;
use crate::kernel::dual::Dual;
use crate::kernel::{
    Crba, bias, crba, first_moment, first_moment_curvature, first_moment_jacobian,
    momentum_columns, velocity,
};
use crate::math::Simd;

/// Derivative of the mass matrix along coordinate `k`.
fn mass_along(case: &Case, k: usize) -> Vec<f64> {
    let (frames, ..) = case.along(0, k);
    let n = case.tree.len();
    let mut mass = vec![Dual(0.0, 0.0); n * n];
    crba(
        &case.tree,
        frames.bodies(),
        &mut Crba::new(&case.tree),
        &mut mass,
    );
    mass.iter().map(|x| x.1).collect()
}

#[test]
fn partials_of_the_mass_matrix_give_the_coriolis_matrix() {
    for seed in 0..48 {
        let case = Case::new(seed);
        let (n, frames) = (case.tree.len(), case.frames(&case.q));
        let mut composites = Composites::new(&case.tree);
        composites.gather(&case.tree, frames.bodies(), &case.dq, [0.3, -0.2, 0.1]);
        let partials: Vec<Vec<f64>> = (0..n).map(|k| mass_along(&case, k)).collect();
        let largest = partials
            .iter()
            .flatten()
            .fold(1e-3_f64, |m, x| m.max(x.abs()));
        for (k, expected) in partials.iter().enumerate() {
            let mut ours = vec![f64::NAN; n * n];
            composites.mass_derivative(&case.tree, k, &mut ours);
            close_at(
                &format!("tree {seed}, coordinate {k}"),
                &ours,
                expected,
                1e-11,
                largest,
            );
        }

        // Christoffel's symbols
        let mut expected = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                let symbol = |k: usize| {
                    partials[k][j * n + i] + partials[j][k * n + i] - partials[i][k * n + j]
                };
                expected[j * n + i] = (0..n).map(|k| 0.5 * symbol(k) * case.dq[k]).sum();
            }
        }
        for simd in Simd::available() {
            let mut ours = vec![f64::NAN; n * n];
            simd.run(Coriolis {
                tree: &case.tree,
                bodies: frames.bodies(),
                dq: &case.dq,
                scratch: &mut PackedDerivatives::new(&case.tree),
                out: &mut ours,
            });
            close(&format!("Coriolis of tree {seed}"), &ours, &expected, 1e-10);
        }
    }
}

#[test]
fn the_rate_of_the_momentum_matrix_is_its_derivative() {
    for seed in 0..48 {
        let case = Case::new(seed);
        let (n, tree) = (case.tree.len(), &case.tree);
        let q: Vec<Dual> = (0..n).map(|i| Dual(case.q[i], case.dq[i])).collect();
        let frames = case.frames(&q);

        // about a point that moves
        let p = [Dual(0.3, 1.5), Dual(-0.2, 0.7), Dual(0.1, -2.0)];
        let mut columns = vec![[Dual(0.0, 0.0); 6]; n];
        momentum_columns(tree, frames.bodies(), p, &mut Crba::new(tree), &mut columns);
        let expected: Vec<f64> = columns.as_flattened().iter().map(|x| x.1).collect();

        let frames = case.frames(&case.q);
        let mut composites = Composites::new(tree);
        composites.gather(tree, frames.bodies(), &case.dq, p.map(|x| x.0));
        let mut ours = vec![[f64::NAN; 6]; n];
        composites.momentum_columns_dot(p.map(|x| x.1), &mut ours);
        close(
            &format!("tree {seed}"),
            ours.as_flattened(),
            &expected,
            1e-11,
        );
    }
}

#[test]
fn the_curvature_of_the_first_moment_is_the_derivative_of_its_jacobian() {
    for seed in 0..48 {
        let case = Case::new(seed);
        let (n, tree) = (case.tree.len(), &case.tree);
        let along = [0.4, -1.3, 0.8];
        let mut expected = vec![];
        for k in 0..n {
            let (frames, ..) = case.along(0, k);
            let mut columns = vec![[Dual(0.0, 0.0); 3]; n];
            first_moment_jacobian(tree, frames.bodies(), &mut columns);
            let partial = |c: &[Dual; 3]| (0..3).map(|i| along[i] * c[i].1).sum::<f64>();
            expected.extend(columns.iter().map(partial));
        }
        let frames = case.frames(&case.q);
        let mut columns = vec![[0.0; 3]; n];
        first_moment_jacobian(tree, frames.bodies(), &mut columns);
        let mut ours = vec![f64::NAN; n * n];
        first_moment_curvature(tree, frames.bodies(), &columns, along, &mut ours);
        close(&format!("tree {seed}"), &ours, &expected, 1e-11);
        assert!(
            first_moment(tree, frames.bodies())
                .iter()
                .all(|x| x.is_finite())
        );
    }
}

#[test]
fn point_derivatives_are_those_of_dual_numbers() {
    for seed in 0..48 {
        let case = Case::new(seed);
        let (n, tree) = (case.tree.len(), &case.tree);
        let (body, point) = (Some(n - 1), [0.3, -0.5, 0.2]);
        let moving = |by: usize, k: usize| {
            let (frames, dq, ddq) = case.along(by, k);
            let p = frames.bodies()[n - 1].apply(point.map(|x| Dual(x, 0.0)));
            let v = velocity(tree, frames.bodies(), body, p, &dq);
            let a = velocity(tree, frames.bodies(), body, p, &ddq);
            let bias = bias(tree, frames.bodies(), body, p, &dq);
            let partial =
                |x: [[Dual; 3]; 2]| x.as_flattened().iter().map(|x| x.1).collect::<Vec<_>>();
            let a: Vec<f64> = partial(a)
                .iter()
                .zip(partial(bias))
                .map(|(a, b)| a + b)
                .collect();
            (partial(v), a)
        };
        let frames = case.frames(&case.q);
        let p = frames.bodies()[n - 1].apply(point);
        let mut columns = [0; 4].map(|_| vec![[0.0; 6]; n]);
        let [a, b, c, d] = &mut columns;
        point_derivatives(
            tree,
            frames.bodies(),
            body,
            p,
            &case.dq,
            &case.ddq,
            &mut PointPartials {
                dv_dq: a,
                da_dq: b,
                da_dv: c,
                da_da: d,
            },
        );
        for (ours, by, of_velocity) in [
            (&columns[0], 0, true),
            (&columns[1], 0, false),
            (&columns[2], 1, false),
            (&columns[3], 2, false),
            (&columns[3], 1, true),
        ] {
            let expected: Vec<f64> = (0..n)
                .flat_map(|k| {
                    let (v, a) = moving(by, k);
                    if of_velocity { v } else { a }
                })
                .collect();
            close(
                &format!("tree {seed} by {by}"),
                ours.as_flattened(),
                &expected,
                1e-11,
            );
        }
    }
}
