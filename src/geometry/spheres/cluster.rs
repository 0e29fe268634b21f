//! Clustering of cells into few bounding spheres.

use super::Sphere;
use super::bounding::{Padded, around, around_two};
use crate::math::{Quad, QuadWork, Simd};

/// Spheres around all cells, at most `max`.
pub(super) fn cover(cells: &[Padded], max: usize) -> Vec<Sphere> {
    let spheres: Vec<Sphere> = cells.iter().filter_map(around).collect();
    let mut spheres = enclosing(cells, &joined(&spheres, max));
    let mut best = spheres.clone();

    // each cell to the sphere that has to grow least for it
    for _ in 0..ROUNDS {
        let mut groups = vec![Vec::new(); spheres.len()];
        Simd::chosen().run_quad(Assign {
            cells,
            spheres: &spheres,
            groups: &mut groups,
        });
        groups.retain(|group| !group.is_empty());
        spheres = enclosing(cells, &groups);
        if size(&spheres) < size(&best) {
            best.clone_from(&spheres);
        }
    }
    best
}

/// Puts each cell into the group of the sphere that has to grow least for it, of those that need not the smallest around it.
struct Assign<'a> {
    cells: &'a [Padded],
    spheres: &'a [Sphere],
    groups: &'a mut [Vec<usize>],
}

impl QuadWork for Assign<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        for (i, cell) in self.cells.iter().enumerate() {
            let mut least = (f64::INFINITY, f64::INFINITY, 0);
            for (k, sphere) in self.spheres.iter().enumerate() {
                let (radius, _) = cell.farthest(&sphere.center);
                let grows = (radius - sphere.radius).max(0.0);
                if grows < least.0 || (grows <= least.0 && radius < least.1) {
                    least = (grows, radius, k);
                }
            }
            if let Some(group) = self.groups.get_mut(least.2) {
                group.push(i);
            }
        }
    }
}

/// Sum of cubed radii, in proportion to the volume.
fn size(spheres: &[Sphere]) -> f64 {
    spheres.iter().map(|s| s.radius.powi(3)).sum()
}

fn enclosing(cells: &[Padded], groups: &[Vec<usize>]) -> Vec<Sphere> {
    let spheres = groups.iter().filter_map(|group| {
        let mut points = Padded::default();
        for &i in group {
            points.extend(&cells[i]);
        }
        around(&points)
    });
    spheres.collect()
}

/// Merges the two groups with the smallest common sphere, until `max` are left.
fn joined(spheres: &[Sphere], max: usize) -> Vec<Vec<usize>> {
    let n = spheres.len();
    let mut groups: Vec<Vec<usize>> = (0..n).map(|i| vec![i]).collect();
    let mut around: Vec<Sphere> = spheres.to_vec();
    let mut alive = vec![true; n];

    // of each group the best later partner
    let best_of = |i: usize, around: &[Sphere], alive: &[bool]| {
        let others = (i + 1..n).filter(|&j| alive[j]);
        let costs = others.map(|j| (around_two(&around[i], &around[j]), j));
        costs.min_by(|a, b| a.0.total_cmp(&b.0))
    };
    let mut partners: Vec<_> = (0..n).map(|i| best_of(i, &around, &alive)).collect();
    for _ in max..n {
        let pairs = (0..n).filter(|&i| alive[i]);
        let pairs = pairs.filter_map(|i| partners[i].map(|(cost, j)| (cost, i, j)));
        let Some((_, i, j)) = pairs.min_by(|a, b| a.0.total_cmp(&b.0)) else {
            break;
        };
        let gone = std::mem::take(&mut groups[j]);
        groups[i].extend(gone);
        alive[j] = false;
        around[i] = united(&around[i], &around[j]);
        for k in 0..n {
            let is_stale = partners[k].is_some_and(|(_, p)| p == i || p == j);
            if alive[k] && (k == i || is_stale) {
                partners[k] = best_of(k, &around, &alive);
            } else if alive[k] && k < i {
                let cost = around_two(&around[k], &around[i]);
                if partners[k].is_none_or(|(best, _)| cost < best) {
                    partners[k] = Some((cost, i));
                }
            }
        }
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// The smallest sphere around two.
fn united(a: &Sphere, b: &Sphere) -> Sphere {
    let radius = around_two(a, b);
    let difference = b.center - a.center;
    let length = difference.norm();
    if length + b.radius <= a.radius {
        return *a;
    }
    if length + a.radius <= b.radius {
        return *b;
    }
    Sphere {
        center: a.center + difference * ((radius - a.radius) / length),
        radius,
    }
}

const ROUNDS: usize = 4;
