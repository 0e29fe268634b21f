//! Triangles in a tree of boxes, for rays.

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
struct Node {
    min: [f32; 3],
    /// Index of the second child, or of the first triangle.
    next: u32,
    max: [f32; 3],
    /// Number of triangles; 0 for a node with children, of which the first follows it.
    count: u32,
}

/// A tree of triangles.
#[derive(Debug, Default)]
pub(super) struct Bvh {
    nodes: Vec<Node>,
    triangles: Vec<Triangle>,
    /// Number of each triangle as it was given.
    numbers: Vec<u32>,
}

/// Triangles of a leaf, and depth of the tree, at most.
const LEAF: usize = 4;
const DEEPEST: usize = 60;
/// Intervals in which a cut is sought.
const BINS: usize = 12;

impl Triangle {
    pub(super) fn new([a, b, c]: [[f32; 3]; 3]) -> Self {
        Self {
            a,
            ab: sub(b, a),
            ac: sub(c, a),
        }
    }

    fn bounds(&self) -> ([f32; 3], [f32; 3]) {
        let (b, c) = (add(self.a, self.ab), add(self.a, self.ac));
        let fold = |f: fn(f32, f32) -> f32| [0, 1, 2].map(|k| f(f(self.a[k], b[k]), c[k]));
        (fold(f32::min), fold(f32::max))
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
            build(&boxes, &mut order, 0, 0, &mut nodes);
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
        let inverse = ray
            .direction
            .map(|d| 1.0 / if d.abs() < 1e-30 { 1e-30 } else { d });
        let enter = |node: &Node, to: f32| {
            let (mut low, mut high) = (from, to);
            for k in 0..3 {
                let a = (node.min[k] - ray.origin[k]) * inverse[k];
                let b = (node.max[k] - ray.origin[k]) * inverse[k];
                low = low.max(a.min(b));
                high = high.min(a.max(b));
            }
            (low <= high * (1.0 + 1e-6)).then_some(low)
        };
        let mut best = None;
        let mut stack = [(0_u32, 0.0_f32); DEEPEST + 2];
        let mut depth = 0;
        let root = self.nodes.first()?;
        let mut at = enter(root, to).map(|_| 0_usize)?;
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
                let [near, far] =
                    [at + 1, node.next as usize].map(|i| (i, enter(&self.nodes[i], to)));
                next = match (near, far) {
                    ((a, Some(t_a)), (b, Some(t_b))) => {
                        let (first, second) = if t_a <= t_b {
                            (a, (b, t_b))
                        } else {
                            (b, (a, t_a))
                        };
                        stack[depth] = (second.0 as u32, second.1);
                        depth += 1;
                        Some(first)
                    }
                    ((a, Some(_)), (_, None)) | ((_, None), (a, Some(_))) => Some(a),
                    _ => None,
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

type Bounds = ([f32; 3], [f32; 3]);

/// Adds the tree of the triangles of `order`, the first of which is number `first` of all.
fn build(boxes: &[Bounds], order: &mut [u32], first: usize, depth: usize, nodes: &mut Vec<Node>) {
    let around = order
        .iter()
        .fold(EMPTY, |all, &i| union(&all, &boxes[i as usize]));
    let at = nodes.len();
    nodes.push(Node {
        min: around.0,
        next: first as u32,
        max: around.1,
        count: order.len() as u32,
    });
    if order.len() <= LEAF || depth >= DEEPEST {
        return;
    }
    let cut = cut(boxes, order).unwrap_or(order.len() / 2);
    let (left, right) = order.split_at_mut(cut);
    build(boxes, left, first, depth + 1, nodes);
    let second = nodes.len();
    build(boxes, right, first + cut, depth + 1, nodes);
    nodes[at].next = second as u32;
    nodes[at].count = 0;
}

/// Sorts triangles to both sides of the cut with the least expected work, and returns how many come first; `None` if all have
/// their centre at one place.
fn cut(boxes: &[Bounds], order: &mut [u32]) -> Option<usize> {
    let center = |i: u32, k: usize| {
        let (min, max) = &boxes[i as usize];
        0.5 * (min[k] + max[k])
    };
    let mut best: Option<(f32, usize, usize, f32, f32)> = None;
    for axis in 0..3 {
        let (low, high) = order
            .iter()
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), &i| {
                let c = center(i, axis);
                (a.min(c), b.max(c))
            });
        let scale = BINS as f32 / (high - low);
        if !scale.is_finite() {
            continue;
        }
        let mut bins = [(EMPTY, 0_usize); BINS];
        for &i in order.iter() {
            let bin = &mut bins[bin(center(i, axis), low, scale)];
            *bin = (union(&bin.0, &boxes[i as usize]), bin.1 + 1);
        }
        // what lies behind each cut
        let mut behind = [(EMPTY, 0_usize); BINS + 1];
        for k in (0..BINS).rev() {
            behind[k] = (
                union(&behind[k + 1].0, &bins[k].0),
                behind[k + 1].1 + bins[k].1,
            );
        }
        let mut before = (EMPTY, 0);
        for k in 1..BINS {
            before = (union(&before.0, &bins[k - 1].0), before.1 + bins[k - 1].1);
            if before.1 == 0 || behind[k].1 == 0 {
                continue;
            }
            let work = area(&before.0) * before.1 as f32 + area(&behind[k].0) * behind[k].1 as f32;
            if best.is_none_or(|(least, ..)| work < least) {
                best = Some((work, axis, k, low, scale));
            }
        }
    }
    let (_, axis, k, low, scale) = best?;
    let mut n = 0;
    for j in 0..order.len() {
        if bin(center(order[j], axis), low, scale) < k {
            order.swap(j, n);
            n += 1;
        }
    }
    Some(n)
}

fn bin(center: f32, low: f32, scale: f32) -> usize {
    (((center - low) * scale) as usize).min(BINS - 1)
}

const EMPTY: Bounds = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);

fn union(a: &Bounds, b: &Bounds) -> Bounds {
    (
        [0, 1, 2].map(|k| a.0[k].min(b.0[k])),
        [0, 1, 2].map(|k| a.1[k].max(b.1[k])),
    )
}

fn area((min, max): &Bounds) -> f32 {
    let [x, y, z] = sub(*max, *min);
    x * y + y * z + z * x
}

pub(super) fn add(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn scaled(a: [f32; 3], s: f32) -> [f32; 3] {
    [a[0] * s, a[1] * s, a[2] * s]
}

pub(super) fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub(super) fn unit(a: [f32; 3]) -> [f32; 3] {
    let length = dot(a, a).sqrt();
    if length > 0.0 {
        scaled(a, 1.0 / length)
    } else {
        a
    }
}
