//! Searches on manifolds that a reader sees: rings in the plane.

use kinworld::Result;
use kinworld::planning::{Budget, CSpace, ConstrainedSpace, Constraint, RrtConnect, Termination};

/// Rings around the origin with these radii, and a wall on the positive half of the y axis.
#[derive(Debug)]
struct Rings(&'static [f64]);

impl Constraint for Rings {
    fn rows(&self) -> usize {
        1
    }

    fn residual_into(&self, q: &[f64], out: &mut [f64]) {
        let r = q[0].hypot(q[1]);
        out[0] = self.0.iter().map(|ring| r - ring).product();
    }

    fn jacobian_into(&self, q: &[f64], out: &mut [f64]) {
        let r = q[0].hypot(q[1]);
        let derivative: f64 = (0..self.0.len())
            .map(|k| {
                let others = self.0.iter().enumerate().filter(|(i, _)| *i != k);
                others.map(|(_, ring)| r - ring).product::<f64>()
            })
            .sum();
        out.copy_from_slice(&[derivative * q[0] / r, derivative * q[1] / r]);
    }
}

struct Plane;

impl CSpace for Plane {
    type Workspace = ();

    fn workspace(&self) {}

    fn n_dofs(&self) -> usize {
        2
    }

    fn bounds(&self) -> Vec<[f64; 2]> {
        vec![[-3.0, 3.0]; 2]
    }

    fn is_free_with(&self, q: &[f64], _: &mut ()) -> Result<bool> {
        Ok(!(q[0].abs() < 0.05 && q[1] > 0.0))
    }
}

#[test]
fn a_path_on_a_ring_takes_the_side_without_a_wall() {
    let ring = ConstrainedSpace::new(Plane, Rings(&[1.0]));
    let at = |angle: f64| vec![angle.cos(), angle.sin()];
    let (a, b) = (at(1.2), at(2.0));
    assert!(!ring.is_edge_free(&a, &b).unwrap(), "the wall");
    assert!(ring.is_edge_free(&at(-0.4), &at(1.2)).unwrap());
    assert!(!ring.is_edge_free(&at(0.0), &at(-3.1)).unwrap(), "opposite");
    let found = RrtConnect::new(&Budget::default()).solve(&ring, &a, &b);
    let all = ring.discretized(&found.unwrap().path.unwrap()).unwrap();
    assert!(all.iter().any(|q| q[1] < -0.9), "below");
    for q in &all {
        assert!((q[0].hypot(q[1]) - 1.0).abs() <= 1e-6 && Plane.is_free(q).unwrap());
    }
    // the search for shorter paths stays on the ring and on its side, too
    let budget = Budget::default().range(0.3).improve(2_000);
    let found = RrtConnect::new(&budget).solve(&ring, &a, &b);
    let all = ring.discretized(&found.unwrap().path.unwrap()).unwrap();
    assert_eq!((&all[0], all.last().unwrap()), (&a, &b));
    for q in &all {
        assert!((q[0].hypot(q[1]) - 1.0).abs() <= 1e-6 && Plane.is_free(q).unwrap());
    }
    let length: f64 = all
        .windows(2)
        .map(|edge| ring.distance(&edge[0], &edge[1]))
        .sum();
    let around = std::f64::consts::TAU - 0.8;
    assert!((length - around).abs() < 0.05, "{length} {around}");
}

#[test]
fn unconnected_manifolds_end_a_search_with_its_budget() {
    let rings = ConstrainedSpace::new(Plane, Rings(&[1.0, 2.0]));
    let (inner, outer) = ([-1.0, 0.0], [-2.0, 0.0]);
    assert!(rings.is_free(&inner).unwrap() && rings.is_free(&outer).unwrap());
    assert!(
        !rings.is_edge_free(&inner, &outer).unwrap(),
        "an edge that jumps"
    );
    let budget = Budget::default().max_iterations(400);
    let found = RrtConnect::new(&budget).solve(&rings, &inner, &outer);
    let found = found.unwrap();
    assert_eq!(
        (found.path, found.termination, found.iterations),
        (None, Termination::Iterations, 400)
    );
    let error = rings.discretized(&[inner.to_vec(), outer.to_vec()]);
    assert!(error.unwrap_err().to_string().contains("edge 0"));
}
