//! Clustering of cells into few bounding spheres.

use super::Sphere;
use super::bounding::{Padded, around, around_two, distance, largest, radius_around};
use crate::math::{Point, Quad, QuadWork, Simd};

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
    let mut around = Rows::new(spheres);
    let mut partners: Vec<_> = (0..n).map(|i| around.best_after(i)).collect();
    for _ in max..n {
        let pairs = (0..n).filter(|&i| around.is_alive(i));
        let pairs = pairs.filter_map(|i| partners[i].map(|(cost, j)| (cost, i, j)));
        let Some((_, i, j)) = pairs.min_by(|a, b| a.0.total_cmp(&b.0)) else {
            break;
        };
        let gone = std::mem::take(&mut groups[j]);
        groups[i].extend(gone);
        let both = united(&around.get(i), &around.get(j));
        around.set(i, &both);
        around.remove(j);
        for k in 0..n {
            if !around.is_alive(k) {
                continue;
            }
            let is_stale = partners[k].is_some_and(|(_, p)| p == i || p == j);
            if k == i || is_stale {
                partners[k] = around.best_after(k);
            } else if k < i {
                let cost = around_two(&around.get(k), &both);
                if partners[k].is_none_or(|(best, _)| cost < best) {
                    partners[k] = Some((cost, i));
                }
            }
        }
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// Spheres in rows: coordinates of centres, and radii, which are infinite for those that are gone.
struct Rows([Vec<f64>; 4]);

impl Rows {
    fn new(spheres: &[Sphere]) -> Self {
        let row = |of: fn(&Sphere) -> f64| spheres.iter().map(of).collect();
        Self([
            row(|s| s.center.x),
            row(|s| s.center.y),
            row(|s| s.center.z),
            row(|s| s.radius),
        ])
    }

    fn get(&self, i: usize) -> Sphere {
        let [x, y, z, radius] = &self.0;
        Sphere {
            center: Point::new(x[i], y[i], z[i]),
            radius: radius[i],
        }
    }

    fn set(&mut self, i: usize, sphere: &Sphere) {
        let Sphere { center, radius } = sphere;
        for (row, x) in self
            .0
            .iter_mut()
            .zip([center.x, center.y, center.z, *radius])
        {
            row[i] = x;
        }
    }

    fn remove(&mut self, i: usize) {
        self.0[3][i] = f64::INFINITY;
    }

    fn is_alive(&self, i: usize) -> bool {
        self.0[3][i] < f64::INFINITY
    }

    /// The later sphere that takes the smallest one around both, and the radius of that.
    fn best_after(&self, i: usize) -> Option<(f64, usize)> {
        let mut best = None;
        Simd::chosen().run_quad(BestOf {
            rows: self.0.each_ref().map(|row| &row[i + 1..]),
            sphere: self.get(i),
            best: &mut best,
        });
        best.map(|(radius, at)| (radius, i + 1 + at))
    }
}

/// Which of some spheres takes the smallest one around it and another.
struct BestOf<'a> {
    rows: [&'a [f64]; 4],
    sphere: Sphere,
    best: &'a mut Option<(f64, usize)>,
}

impl QuadWork for BestOf<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        let Sphere { center, radius } = self.sphere;
        let (least, at) = largest(
            self.rows,
            #[inline(always)]
            |[x, y, z, other]| -radius_around(distance([x, y, z], &center), [radius, other]),
        );
        if least > f64::NEG_INFINITY {
            *self.best = Some((-least, at));
        }
    }
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
