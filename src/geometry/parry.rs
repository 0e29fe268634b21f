//! Interface to parry3d, with every guard that it needs.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use nalgebra::{Isometry3, Matrix3, UnitQuaternion};
use parry3d_f64::math::{Pose as ParryPose, Vector as Glam};
use parry3d_f64::query::details::contact_support_map_support_map;
use parry3d_f64::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d_f64::shape::{self, SharedShape, SupportMap};
use parry3d_f64::transformation::try_convex_hull;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use parry3d_f64::transformation::voxelization::VoxelSet;

use super::bounds::Aabb;
use super::mesh::Mesh;
use super::narrow::{Convex, Core, HullVertices, Piece, Support};
use super::parts::PartOptions;
use crate::math::{Point, Pose, Rotation, Vector};
use crate::{Error, Result};

/// The convex hull of finite points as a closed mesh, counter-clockwise seen from outside.
///
/// parry treats thin bodies as flat, and may panic on nearly flat ones. Points are normalized to prevent the first, and
/// the second are rejected.
pub(super) fn convex_hull(points: &[Point]) -> Result<Mesh> {
    let what = "convex hull";
    if points.is_empty() {
        return Err(Error::invalid(what, "needs points, got none"));
    }
    let Some(normalized) = normalized(points) else {
        let problem = format!(
            "has no inside: its {} points lie in one plane",
            points.len()
        );
        return Err(Error::invalid(what, problem));
    };
    let input: Vec<Glam> = normalized.iter().map(to_glam).collect();
    let hull = catch_unwind(AssertUnwindSafe(|| try_convex_hull(&input)));
    let Ok(Ok((vertices, faces))) = hull else {
        return Err(Error::invalid(what, "cannot be built from these points"));
    };
    let vertices: Vec<Vector> = vertices.iter().map(|v| from_glam(*v)).collect();
    if !encloses(&vertices, &faces, &normalized) {
        return Err(Error::invalid(what, "cannot be built from these points"));
    }
    // the vertices are input points: return those exactly
    let given: HashMap<_, _> = normalized.iter().map(bits).zip(points).collect();
    let given = |v: &Vector| given.get(&bits(v)).map(|&&p| p);
    let Some(vertices) = vertices.iter().map(given).collect() else {
        return Err(Error::invalid(what, "cannot be built from these points"));
    };
    Mesh::new(vertices, faces)
}

/// Points scaled to the range -1 to 1 along each of their principal axes, `None` where they lie in one plane. The map
/// is linear: the vertices and faces of the hull are the same.
pub(super) fn normalized(points: &[Point]) -> Option<Vec<Vector>> {
    /// Relative thickness below which points count as flat.
    const FLAT: f64 = 1e-9;
    let bounds = Aabb::around(points.iter().copied())?;
    let (center, size) = (bounds.center(), bounds.half_size().amax());
    if size == 0.0 {
        return None;
    }
    let unit: Vec<Vector> = points.iter().map(|p| (p - center) / size).collect();
    let mean = unit.iter().sum::<Vector>() / unit.len() as f64;
    let scatter: Matrix3<f64> = unit
        .iter()
        .map(|p| (p - mean) * (p - mean).transpose())
        .sum();
    let mut axes = scatter.symmetric_eigen().eigenvectors;
    if axes.determinant() < 0.0 {
        axes = -axes;
    }
    let mut rotated: Vec<Vector> = unit.iter().map(|p| axes.tr_mul(p)).collect();
    for axis in 0..3 {
        let ends = |(low, high): (f64, f64), p: &Vector| (low.min(p[axis]), high.max(p[axis]));
        let (low, high) = rotated
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), ends);
        if high - low < FLAT {
            return None;
        }
        for p in &mut rotated {
            p[axis] = (2.0 * p[axis] - (low + high)) / (high - low);
        }
    }
    Some(rotated)
}

/// Key of a point; both zeros are one.
fn bits(v: &Vector) -> [u64; 3] {
    [v.x, v.y, v.z].map(|x| (x + 0.0).to_bits())
}

/// Returns whether faces make a closed surface with no point outside.
fn encloses(vertices: &[Vector], faces: &[[u32; 3]], points: &[Vector]) -> bool {
    // testing every point against every face would take longer than the hull
    let points = HullVertices::new(points.iter().map(|&p| p.into()).collect());
    faces.len() >= 4
        && faces.iter().all(|f| {
            let [a, b, c] = f.map(|i| vertices[i as usize]);
            let normal = (b - a).cross(&(c - a));
            let slack = 1e-9 * normal.norm().max(1e-9);
            let farthest = points.points()[points.farthest(&normal) as usize];
            normal.dot(&(farthest.coords - a)) <= slack
        })
}

/// Boxes of grid cells into which V-HACD cuts the inside of a mesh.
pub(super) struct Blocks {
    /// The lower and upper corner of each box.
    pub(super) boxes: Vec<[Vector; 2]>,
    /// Edge length of a cell.
    pub(super) edge: f64,
    /// Centre of the first cell.
    origin: Vector,
    /// Number of cells along x, y and z.
    n: [usize; 3],
    filled: Vec<bool>,
}

impl Blocks {
    /// Returns whether the cell of a point is not wholly outside.
    pub(super) fn is_filled(&self, p: &Vector) -> bool {
        // the conversion saturates, whatever the point
        let cell = ((p - self.origin) / self.edge).map(|x| (x + 0.5).floor());
        let is_in = (0..3).all(|k| cell[k] >= 0.0 && cell[k] < self.n[k] as f64);
        is_in && self.filled[self.index(cell.map(|x| x as usize).into())]
    }

    fn index(&self, [i, j, k]: [usize; 3]) -> usize {
        (i * self.n[1] + j) * self.n[2] + k
    }
}

/// Cuts a mesh scaled to a size near 1; `None` where parry fails.
pub(super) fn blocks(triangles: &[[Vector; 3]], options: &PartOptions) -> Option<Blocks> {
    let points: Vec<Glam> = triangles.iter().flatten().map(to_glam).collect();
    let vertices = u32::try_from(points.len()).ok()?;
    let indices: Vec<[u32; 3]> = (0..vertices / 3)
        .map(|i| [3 * i, 3 * i + 1, 3 * i + 2])
        .collect();
    // parry may panic where the hull of some cells fails; another grid has other cells
    (0..3).find_map(|attempt| {
        let parameters = VHACDParameters {
            concavity: options.concavity,
            resolution: options.resolution - attempt,
            max_convex_hulls: options.max_parts as u32,
            ..VHACDParameters::default()
        };
        let cut = || VHACD::decompose(&parameters, &points, &indices, false);
        let cut = catch_unwind(AssertUnwindSafe(cut)).ok()?;
        gather(&cut)
    })
}

fn gather(cut: &VHACD) -> Option<Blocks> {
    let parts = || cut.voxel_parts().iter().filter(|part| !part.is_empty());
    let cells = |part: &VoxelSet| -> Vec<[usize; 3]> {
        let cells = part.voxels().iter().map(|cell| cell.coords);
        cells.map(|c| [c.x, c.y, c.z].map(|x| x as usize)).collect()
    };
    let first = parts().next()?;
    let mut blocks = Blocks {
        boxes: Vec::new(),
        edge: first.scale,
        origin: from_glam(first.origin),
        n: [0; 3],
        filled: Vec::new(),
    };
    for [i, j, k] in parts().flat_map(cells) {
        blocks.n = [
            blocks.n[0].max(i + 1),
            blocks.n[1].max(j + 1),
            blocks.n[2].max(k + 1),
        ];
    }
    blocks.filled = vec![false; blocks.n.iter().product()];
    for part in parts() {
        let cells = cells(part);
        let (mut low, mut high) = ([usize::MAX; 3], [0; 3]);
        for cell in cells {
            let index = blocks.index(cell);
            blocks.filled[index] = true;
            for k in 0..3 {
                low[k] = low[k].min(cell[k]);
                high[k] = high[k].max(cell[k]);
            }
        }
        let corner = |cell: [usize; 3], half: f64| {
            blocks.origin + Vector::from(cell.map(|x| x as f64 + half)) * blocks.edge
        };
        let ends = [corner(low, -0.5), corner(high, 0.5)];
        blocks.boxes.push(ends);
    }
    let is_sound = blocks.edge > 0.0 && blocks.boxes.iter().flatten().all(super::check::is_finite);
    is_sound.then_some(blocks)
}

/// A pair of contact points of two pieces, in the frame of the first.
#[derive(Debug, Clone, Copy)]
pub(super) struct PressurePoint {
    pub(super) on_a: Point,
    pub(super) on_b: Point,
    /// The unit vector from the first into the second.
    pub(super) normal: Vector,
    /// Negative where they overlap.
    pub(super) distance: f64,
}

/// Vertices of the common area of two faces, nothing where one piece has no faces or edges.
pub(super) fn face_contacts(
    a: &Piece,
    b: &Piece,
    x_ab: &Pose,
    prediction: f64,
) -> Vec<PressurePoint> {
    let (Some((x_a, shape_a)), Some((x_b, shape_b))) = (faceted(a), faceted(b)) else {
        return Vec::new();
    };
    let (to_a, to_b) = (&x_a, &(x_ab * x_b));
    let relative = to_parry(&to_a.inv_mul(to_b));
    let mut manifold = ContactManifold::<(), ()>::new();
    let computed = catch_unwind(AssertUnwindSafe(|| {
        let (a, b) = (&*shape_a, &*shape_b);
        DefaultQueryDispatcher
            .contact_manifold_convex_convex(&relative, a, b, None, None, prediction, &mut manifold)
            .is_ok()
    }));
    if !matches!(computed, Ok(true)) {
        return Vec::new();
    }
    let normal = to_a * from_glam(manifold.local_n1);
    let point = |point: &parry3d_f64::query::TrackedContact<()>| PressurePoint {
        on_a: to_a * Point::from(from_glam(point.local_p1)),
        on_b: to_b * Point::from(from_glam(point.local_p2)),
        normal,
        distance: point.dist,
    };
    manifold
        .points
        .iter()
        .map(point)
        .filter(PressurePoint::is_sound)
        .collect()
}

/// Deepest penetration of the cores of two pieces: the shortest translation that separates them, `None` where none is
/// found.
pub(super) fn deepest(a: &Piece, b: &Piece, x_ab: &Pose) -> Option<PressurePoint> {
    let relative = to_parry(x_ab);
    let found = catch_unwind(AssertUnwindSafe(|| {
        contact_support_map_support_map(&relative, &Farthest(&a.core), &Farthest(&b.core), 0.0)
    }));
    let contact = found.ok().flatten()?;
    let normal = from_glam(contact.normal1);
    let point = PressurePoint {
        on_a: Point::from(from_glam(contact.point1)) + normal * a.radius,
        on_b: x_ab * Point::from(from_glam(contact.point2)) - normal * b.radius,
        normal,
        distance: contact.dist - a.radius - b.radius,
    };
    point.is_sound().then_some(point)
}

impl PressurePoint {
    /// Returns whether parry's answer is finite, with a unit normal.
    fn is_sound(&self) -> bool {
        let all = [self.on_a.coords, self.on_b.coords, self.normal];
        all.iter().all(super::check::is_finite)
            && self.distance.is_finite()
            && (self.normal.norm() - 1.0).abs() < 1e-6
    }
}

/// A core as parry's support mapping.
struct Farthest<'a>(&'a Core);

impl SupportMap for Farthest<'_> {
    fn local_support_point(&self, direction: Glam) -> Glam {
        let direction = from_glam(direction);
        let length = direction.norm();
        let unit = if length > 0.0 {
            direction / length
        } else {
            Vector::x()
        };
        to_glam(&self.0.support(&unit).coords)
    }
}

/// A piece with faces or edges as parry's shape, and its pose in the body; `None` for round pieces.
fn faceted(piece: &Piece) -> Option<(Pose, SharedShape)> {
    let g = |p: &Point| to_glam(&p.coords);
    let pose_of = |center: &Point, axes: &Rotation| Pose::from_parts(center.coords.into(), *axes);
    let found = match &piece.core {
        Core::Point(_) => return None,
        Core::Segment([a, b]) if piece.radius > 0.0 => (
            Pose::identity(),
            SharedShape::capsule(g(a), g(b), piece.radius),
        ),
        Core::Segment([a, b]) => (Pose::identity(), SharedShape::segment(g(a), g(b))),
        Core::Triangle([a, b, c]) => (Pose::identity(), SharedShape::triangle(g(a), g(b), g(c))),
        Core::Convex(convex) => match &**convex {
            Convex::Ellipsoid { .. } => return None,
            Convex::Cuboid { center, axes, half } => (
                pose_of(center, axes),
                SharedShape::cuboid(half.x, half.y, half.z),
            ),
            Convex::Cylinder {
                center,
                axis,
                radius,
                half,
            } => (
                pose_of(center, &standing_along(axis)),
                SharedShape::cylinder(*half, *radius),
            ),
            Convex::Hull { vertices, .. } => {
                let points: Vec<Glam> = vertices.points().iter().map(g).collect();
                let hull = catch_unwind(|| shape::ConvexPolyhedron::from_convex_hull(&points));
                (Pose::identity(), SharedShape::new(hull.ok().flatten()?))
            }
        },
    };
    Some(found)
}

/// A rotation that takes y, along which parry's cylinders stand, to an axis.
pub(super) fn standing_along(axis: &Vector) -> Rotation {
    let (u, v) = super::transform::orthogonal_to(axis);
    Rotation::from_basis_unchecked(&[v, *axis, u])
}

pub(super) fn to_parry(pose: &Pose) -> ParryPose {
    let rotation = UnitQuaternion::from_rotation_matrix(&pose.rotation);
    Isometry3::from_parts(pose.translation, rotation).into()
}

pub(super) fn to_glam(v: &Vector) -> Glam {
    Glam::new(v.x, v.y, v.z)
}

pub(super) fn from_glam(v: Glam) -> Vector {
    Vector::new(v.x, v.y, v.z)
}
