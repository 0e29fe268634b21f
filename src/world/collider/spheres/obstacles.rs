//! Static parts as inflated points, segments, boxes, cylinders and clouds.

use super::core::{Cloud, Core};
use super::cores::{Convex, load, splat};
use super::model::Link;
use crate::geometry::{Geometry, Mesh, PrimitiveKind, Shape};
use crate::math::{Level, Point, Pose, Vector};

/// An inflated core that contains a static part.
#[derive(Debug, Clone)]
pub(super) struct Obstacle {
    pub(super) core: Core,
    /// Radius around the core, m.
    pub(super) radius: f32,
    /// Bound on the rounding error of its numbers, m.
    pub(super) slop: f32,
    /// The part that it contains.
    pub(super) part: usize,
    /// Whether it equals the part and is solid, so that overlapping it is colliding with the part.
    pub(super) exact: bool,
    /// A distance of two of its points, m: nearly the largest.
    span: f32,
    low: [f64; 3],
    high: [f64; 3],
}

impl Obstacle {
    /// What is added to the radius of a sphere where it may overlap the core, and where it certainly does.
    pub(super) fn edges(&self, rounding: f32) -> [f32; 2] {
        [
            self.radius + self.slop + rounding,
            self.radius - self.slop - rounding,
        ]
    }

    /// Returns whether overlapping a sphere inside a link is colliding with it: always where the link is solid, and with a surface
    /// where the obstacle is too large to be wholly inside.
    pub(super) fn hits_from_inside(&self, link: &Link) -> bool {
        self.exact && (link.solid || self.span > 2.0 * link.around.radius)
    }
}

/// All obstacles, and their boxes in packed form.
#[derive(Debug, Clone)]
pub(super) struct Obstacles {
    pub(super) list: Vec<Obstacle>,
    /// Boxes of sixteen obstacles each: on each axis the lower ends and the negated upper ends; padded with boxes that
    /// overlap nothing.
    boxes: Vec<[[f32; 16]; 6]>,
}

impl Obstacles {
    pub(super) fn new(list: Vec<Obstacle>) -> Self {
        let pack = |obstacles: &[Obstacle]| {
            let mut ends = [[f32::INFINITY; 16]; 6];
            for (i, o) in obstacles.iter().enumerate() {
                let radius = o.radius + 2.0 * o.slop;
                for k in 0..3 {
                    ends[2 * k][i] = o.low[k] as f32 - radius;
                    ends[2 * k + 1][i] = -(o.high[k] as f32) - radius;
                }
            }
            ends
        };
        let boxes = list.chunks(16).map(pack).collect();
        Self { list, boxes }
    }

    /// A bit for each of the `N` obstacles from `first` on whose box is within a distance of another along each axis. The
    /// other's [ends](Lanes::extents) have to be finite.
    #[inline(always)]
    pub(super) fn overlapping<const N: usize, L: Level>(
        &self,
        first: usize,
        ends: &[f32; 6],
        far: f32,
    ) -> u32 {
        let pack = &self.boxes[first / 16];
        let at = if N < 16 { first % 16 } else { 0 };
        // the largest separation along an axis
        let mut gap = splat::<N, L>(f32::NEG_INFINITY);
        for i in 0..6 {
            gap = gap.max(load::<N, L>(&pack[i], at) - splat(ends[i]));
        }
        gap.not_gt(splat(far))
    }
}

/// Appends obstacles that contain a shape at a pose, inflated by a margin.
pub(super) fn gather(
    part: usize,
    geometry: &Geometry,
    pose: &Pose,
    margin: f64,
    out: &mut Vec<Obstacle>,
) {
    let radius = margin + geometry.margin();
    match geometry.shape() {
        Shape::Group(members) => {
            for (x, member) in members {
                gather(part, member, &(pose * x), radius, out);
            }
        }
        Shape::Primitive(primitive) => match exact(primitive.kind(), pose) {
            Some((core, own)) => out.push(Obstacle::new(part, core, radius + own, true)),
            None => out.extend(around(part, geometry, pose, radius)),
        },
        Shape::Mesh(mesh) if !geometry.is_solid() => {
            for vertices in chunks(mesh) {
                let bounds = crate::geometry::Aabb::around(vertices);
                let boxed = bounds.map(|b| cuboid(pose, b.center(), b.half_size()));
                out.extend(boxed.map(|core| Obstacle::new(part, core, radius, false)));
            }
        }
        Shape::Cloud(_) => match geometry.point_index() {
            Some(index) => {
                let (cloud, center, half) = Cloud::new(index, pose);
                let core = Core::Cloud(cloud);
                out.push(Obstacle::around(part, core, &center, &half, radius, true));
            }
            None => out.extend(around(part, geometry, pose, radius)),
        },
        _ => out.extend(around(part, geometry, pose, radius)),
    }
}

/// A box around a shape, as an obstacle.
fn around(part: usize, geometry: &Geometry, pose: &Pose, radius: f64) -> Option<Obstacle> {
    let bounds = geometry.aabb(&Pose::identity())?;
    let core = cuboid(pose, bounds.center(), bounds.half_size());
    Some(Obstacle::new(part, core, radius, false))
}

/// The triangle vertices of a mesh in clusters of neighbours, whose boxes leave out the empty space between them.
fn chunks(mesh: &Mesh) -> Vec<Vec<Point>> {
    let mut clusters = vec![mesh.triangle_vertices().collect::<Vec<_>>()];
    while clusters.len() < CLUSTERS {
        let spread = |cluster: &Vec<[Point; 3]>| {
            let all = crate::geometry::Aabb::around(cluster.iter().flatten().copied());
            all.map_or(0.0, |all| (all.max - all.min).norm())
        };
        let largest = (0..clusters.len())
            .filter(|&i| clusters[i].len() > 1)
            .max_by(|&i, &j| spread(&clusters[i]).total_cmp(&spread(&clusters[j])));
        let Some(i) = largest else { break };
        let mut cluster = clusters.swap_remove(i);
        let centers = cluster.iter().map(middle);
        let axis = crate::geometry::Aabb::around(centers).map_or(0, |c| (c.max - c.min).imax());
        let half = cluster.len() / 2;
        cluster.select_nth_unstable_by(half, |a, b| middle(a)[axis].total_cmp(&middle(b)[axis]));
        let rest = cluster.split_off(half);
        clusters.extend([cluster, rest]);
    }
    clusters
        .into_iter()
        .map(|cluster| cluster.concat())
        .collect()
}

fn middle(vertices: &[Point; 3]) -> Point {
    (vertices.iter().map(|p| p.coords).sum::<Vector>() / 3.0).into()
}

/// Boxes per mesh.
const CLUSTERS: usize = 64;

/// A core in double precision.
#[derive(Debug, Clone, Copy)]
enum Core64 {
    Point(Point),
    Segment(Point, Point),
    Box(Pose, Vector),
    Cylinder(Point, Vector, f64, f64),
}

fn cuboid(pose: &Pose, center: Point, half: Vector) -> Core64 {
    Core64::Box(pose * Pose::translation(center.x, center.y, center.z), half)
}

/// Core and radius of a primitive that equals an inflated core; `None` for others.
fn exact(kind: &PrimitiveKind, pose: &Pose) -> Option<(Core64, f64)> {
    Some(match kind {
        PrimitiveKind::Point(p) => (Core64::Point(pose * p), 0.0),
        PrimitiveKind::Sphere { center, radius } => (Core64::Point(pose * center), *radius),
        PrimitiveKind::Segment { a, b } => (Core64::Segment(pose * a, pose * b), 0.0),
        PrimitiveKind::Capsule { a, b, radius } => (Core64::Segment(pose * a, pose * b), *radius),
        PrimitiveKind::Aabb(b) => (cuboid(pose, b.center(), b.half_size()), 0.0),
        PrimitiveKind::Box { pose: x, size } => (Core64::Box(pose * x, size * 0.5), 0.0),
        PrimitiveKind::Cylinder {
            center,
            axis,
            radius,
            height,
        } => (
            Core64::Cylinder(pose * center, pose * axis, *radius, 0.5 * height),
            0.0,
        ),
        _ => return None,
    })
}

impl Obstacle {
    fn new(part: usize, core: Core64, radius: f64, exact: bool) -> Self {
        let three = |v: &Vector| [0, 1, 2].map(|k| v[k] as f32);
        let (center, half_extent, core, span) = match core {
            Core64::Point(p) => (p, Vector::zeros(), Convex::Point(three(&p.coords)), 0.0),
            Core64::Segment(a, b) => {
                let along = b - a;
                let square = along.norm_squared();
                let inverse = if square > 0.0 { 1.0 / square } else { 0.0 };
                let core = Convex::Segment(three(&a.coords), three(&along), inverse as f32);
                (
                    nalgebra::center(&a, &b),
                    along.abs() * 0.5,
                    core,
                    along.norm(),
                )
            }
            Core64::Box(pose, half) => {
                let center = Point::from(pose.translation.vector);
                let r = pose.rotation.matrix();
                let half_extent = r.abs() * half;
                let is_axis = |x: &f64| x.abs() < 1e-12 || (x.abs() - 1.0).abs() < 1e-12;
                let core = if r.iter().all(is_axis) {
                    Convex::Aligned(
                        three(&(center.coords - half_extent)),
                        three(&(center.coords + half_extent)),
                    )
                } else {
                    let axes = [0, 1, 2].map(|k| three(&r.column(k).into_owned()));
                    Convex::Box(three(&r.tr_mul(&center.coords)), axes, three(&half))
                };
                (center, half_extent, core, 2.0 * half.norm())
            }
            Core64::Cylinder(center, axis, radius, half) => {
                let half_extent = Vector::repeat(radius) + axis.abs() * half;
                let core = Convex::Cylinder(
                    three(&center.coords),
                    three(&axis),
                    radius as f32,
                    half as f32,
                );
                (center, half_extent, core, 2.0 * radius.hypot(half))
            }
        };
        let core = Core::Convex(core);
        let mut new = Self::around(part, core, &center.coords, &half_extent, radius, exact);
        // less what rounding may have added
        new.span = ((span + 2.0 * radius) * (1.0 - 1e-5)) as f32;
        new
    }

    /// A core in a box in the world, given by its centre and half-lengths, inflated by a radius.
    fn around(
        part: usize,
        core: Core,
        center: &Vector,
        half: &Vector,
        radius: f64,
        exact: bool,
    ) -> Self {
        let magnitude = center.norm() + half.norm() + radius;
        Self {
            core,
            radius: radius as f32,
            slop: (2e-6 * magnitude) as f32,
            part,
            exact,
            span: 0.0,
            low: [0, 1, 2].map(|k| center[k] - half[k]),
            high: [0, 1, 2].map(|k| center[k] + half[k]),
        }
    }
}
