//! Triangles in a tree of boxes, for rays.

use super::build::{Bounds, Build, greater, less};
use super::vector::{add, cross, dot, sub};

/// A triangle: a vertex and the two edges from it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Triangle {
    a: [f32; 3],
    ab: [f32; 3],
    ac: [f32; 3],
}

/// A ray; parameters count lengths of its direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ray {
    pub(super) origin: [f32; 3],
    pub(super) direction: [f32; 3],
}

/// The first triangle on a ray: its number, the parameter, and the weights of its second and third vertex.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub(super) triangle: usize,
    pub(super) t: f32,
    pub(super) uv: [f32; 2],
}

/// A box, and its two children or its triangles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) min: [f32; 3],
    /// Index of the second child, or of the first triangle.
    pub(super) next: u32,
    pub(super) max: [f32; 3],
    /// Number of triangles; 0 for a node with children, of which the first follows it.
    pub(super) count: u32,
}

/// A tree of triangles.
#[derive(Debug, Default)]
pub(super) struct Bvh {
    nodes: Vec<Node>,
    triangles: Vec<Triangle>,
    /// Number of each triangle as it was given.
    numbers: Vec<u32>,
}

/// Depth of the tree, at most.
pub(super) const DEEPEST: usize = 60;

impl Triangle {
    pub(super) fn new([a, b, c]: [[f32; 3]; 3]) -> Self {
        Self {
            a,
            ab: sub(b, a),
            ac: sub(c, a),
        }
    }

    fn bounds(&self) -> Bounds {
        let (a, b, c) = (self.a, add(self.a, self.ab), add(self.a, self.ac));
        let lanes = |[x, y, z]: [f32; 3]| [x, y, z, 0.0];
        let [a, b, c] = [lanes(a), lanes(b), lanes(c)];
        Bounds {
            min: less(less(a, b), c),
            max: greater(greater(a, b), c),
        }
    }

    /// The place where a ray meets it, from both sides (Möller and Trumbore 1997). The edges count a little more than they
    /// are, so that no light comes through between two triangles.
    fn hit(&self, ray: &Ray) -> Option<(f32, [f32; 2])> {
        const EDGE: f32 = 1e-5;
        let p = cross(ray.direction, self.ac);
        let det = dot(self.ab, p);
        if det == 0.0 {
            return None;
        }
        let inverse = 1.0 / det;
        let s = sub(ray.origin, self.a);
        let u = dot(s, p) * inverse;
        let q = cross(s, self.ab);
        let v = dot(ray.direction, q) * inverse;
        let t = dot(self.ac, q) * inverse;
        (u >= -EDGE && v >= -EDGE && u + v <= 1.0 + 2.0 * EDGE).then_some((t, [u, v]))
    }
}

impl Bvh {
    pub(super) fn new(triangles: &[Triangle]) -> Self {
        let boxes: Vec<_> = triangles.iter().map(Triangle::bounds).collect();
        let mut order: Vec<u32> = (0..triangles.len() as u32).collect();
        let mut nodes = Vec::with_capacity(triangles.len());
        if !triangles.is_empty() {
            Build::new(&boxes).add(&mut order, 0, 0, &mut nodes);
        }
        Self {
            nodes,
            triangles: order.iter().map(|&i| triangles[i as usize]).collect(),
            numbers: order,
        }
    }

    /// The first triangle with a parameter from `from` to `to`.
    pub(super) fn first(&self, ray: &Ray, from: f32, to: f32) -> Option<Hit> {
        self.search(ray, from, to, false)
    }

    /// Returns whether there is a triangle with a parameter from `from` to `to`.
    pub(super) fn any(&self, ray: &Ray, from: f32, to: f32) -> bool {
        self.search(ray, from, to, true).is_some()
    }

    fn search(&self, ray: &Ray, from: f32, mut to: f32, is_any: bool) -> Option<Hit> {
        // no infinity, which times 0 is no number
        let inverse = |d: f32| 1.0 / if d.abs() < 1e-30 { 1e-30 } else { d };
        let [x, y, z] = ray.direction;
        let slabs = Slabs {
            origin: ray.origin,
            inverse: [inverse(x), inverse(y), inverse(z)],
            from,
        };
        let mut best = None;
        let mut stack = [(0_u32, 0.0_f32); DEEPEST + 2];
        let mut depth = 0;
        let root = self.nodes.first()?;
        slabs.enter(root, to)?;
        let mut at = 0_usize;
        loop {
            let node = &self.nodes[at];
            let mut next = None;
            if node.count > 0 {
                let first = node.next as usize;
                for i in first..first + node.count as usize {
                    if let Some((t, uv)) = self.triangles[i].hit(ray)
                        && t >= from
                        && t < to
                    {
                        to = t;
                        best = Some((i, t, uv));
                    }
                }
                if is_any && best.is_some() {
                    break;
                }
            } else {
                let (a, b) = (at + 1, node.next as usize);
                let near = slabs.enter(&self.nodes[a], to);
                let far = slabs.enter(&self.nodes[b], to);
                next = match (near, far) {
                    (Some(t_a), Some(t_b)) => {
                        let (first, second) = if t_a <= t_b {
                            (a, (b, t_b))
                        } else {
                            (b, (a, t_a))
                        };
                        stack[depth] = (second.0 as u32, second.1);
                        depth += 1;
                        Some(first)
                    }
                    (Some(_), None) => Some(a),
                    (None, Some(_)) => Some(b),
                    (None, None) => None,
                };
            }
            // the nearest of those left
            while next.is_none() && depth > 0 {
                depth -= 1;
                let (index, t) = stack[depth];
                next = (t < to).then_some(index as usize);
            }
            match next {
                Some(index) => at = index,
                None => break,
            }
        }
        best.map(|(i, t, uv)| Hit {
            triangle: self.numbers[i] as usize,
            t,
            uv,
        })
    }
}

/// Where a ray meets boxes.
struct Slabs {
    origin: [f32; 3],
    /// Of its direction.
    inverse: [f32; 3],
    from: f32,
}

impl Slabs {
    /// The parameter where it enters a box before `to`.
    #[inline(always)]
    fn enter(&self, node: &Node, to: f32) -> Option<f32> {
        let (mut low, mut high) = (self.from, to);
        for k in 0..3 {
            let a = (node.min[k] - self.origin[k]) * self.inverse[k];
            let b = (node.max[k] - self.origin[k]) * self.inverse[k];
            let (first, last) = if a < b { (a, b) } else { (b, a) };
            low = if first > low { first } else { low };
            high = if last < high { last } else { high };
        }
        (low <= high * (1.0 + 1e-6)).then_some(low)
    }
}
