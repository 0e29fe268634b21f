//! Triangle meshes.

use std::collections::HashSet;
use std::sync::Arc;

use nalgebra::Matrix4;

use super::check::check_points;
use super::materials::MeshMaterials;
use super::transform::Affine;
use crate::math::{Point, Pose};
use crate::{Error, Result};

/// Triangle mesh with valid indices and finite coordinates; cheap to clone.
///
/// Two meshes are equal when their vertices, their triangles and their [`MeshMaterials`] are.
#[doc(alias = "TriMesh")]
#[doc(alias = "TriangleMesh")]
#[doc(alias = "BVHModel")]
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "RawMesh", into = "RawMesh"))]
pub struct Mesh {
    vertices: Arc<Vec<Point>>,
    triangles: Arc<Vec<[u32; 3]>>,
    materials: Option<Arc<MeshMaterials>>,
}

impl Mesh {
    /// Creates a mesh from vertices and the vertex indices of its triangles.
    ///
    /// Triangles without area are kept, and queries take them for the segments or points that they are; see
    /// [`degenerate_triangles`](Self::degenerate_triangles).
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where a coordinate is not finite or an index is out of range, naming which.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::{Point, geometry::Mesh};
    ///
    /// let corners = vec![Point::origin(), Point::new(1.0, 0.0, 0.0), Point::new(0.0, 1.0, 0.0)];
    /// assert_eq!(Mesh::new(corners.clone(), vec![[0, 1, 2]])?.triangles().len(), 1);
    ///
    /// let problem = Mesh::new(corners, vec![[0, 1, 2], [0, 1, 3]]).unwrap_err();
    /// assert_eq!(problem.to_string(), "triangle 1 of a mesh: names vertex 3 of 3");
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn new(vertices: Vec<Point>, triangles: Vec<[u32; 3]>) -> Result<Self> {
        check_points("a mesh", &vertices)?;
        for (i, triangle) in triangles.iter().enumerate() {
            if let Some(v) = triangle.iter().find(|&&v| v as usize >= vertices.len()) {
                let problem = format!("names vertex {v} of {}", vertices.len());
                return Err(Error::invalid(format!("triangle {i} of a mesh"), problem));
            }
        }
        Ok(Self {
            vertices: Arc::new(vertices),
            triangles: Arc::new(triangles),
            materials: None,
        })
    }

    /// The same mesh with materials and colours; empty materials remove them.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where the materials name triangles or materials that do not exist, or have colours for
    /// another number of vertices.
    pub fn with_materials(mut self, materials: MeshMaterials) -> Result<Self> {
        materials.check(self.vertices.len(), self.triangles.len())?;
        self.materials = (!materials.is_empty()).then(|| Arc::new(materials));
        Ok(self)
    }

    /// Materials and colours, `None` where the mesh has none.
    #[must_use]
    pub fn materials(&self) -> Option<&MeshMaterials> {
        self.materials.as_deref()
    }

    /// The vertices, in metres.
    #[must_use]
    pub fn vertices(&self) -> &[Point] {
        &self.vertices
    }

    /// Three vertex indices per triangle, counter-clockwise seen from outside.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The three vertices of every triangle, in order.
    #[doc(alias = "triangle_soup")]
    pub fn triangle_vertices(&self) -> impl ExactSizeIterator<Item = [Point; 3]> + '_ {
        let v = &self.vertices;
        self.triangles.iter().map(move |t| t.map(|i| v[i as usize]))
    }

    /// Number of triangles without area. Queries take them for segments or points; rays, masses and insides ignore them.
    #[must_use]
    pub fn degenerate_triangles(&self) -> usize {
        self.triangle_vertices().filter(is_degenerate).count()
    }

    /// Returns whether every edge is shared by exactly two triangles of opposite orientation.
    ///
    /// Only such a mesh encloses a volume without holes. Vertices at the same position count as one.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        let welded = self.welded_vertices();
        let mut balance = std::collections::HashMap::new();
        for t in self.triangles.iter() {
            let t = t.map(|i| welded[i as usize]);
            for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                if a != b {
                    *balance.entry((a.min(b), a.max(b))).or_insert(0_i64) +=
                        if a < b { 1 } else { -1 };
                }
            }
        }
        !self.triangles.is_empty() && balance.values().all(|&sum| sum == 0)
    }

    /// For each vertex the index of the first vertex at the same position.
    pub(super) fn welded_vertices(&self) -> Vec<u32> {
        let mut first = std::collections::HashMap::new();
        (0_u32..)
            .zip(self.vertices.iter())
            // adding zero makes -0 and 0 the same key
            .map(|(i, p)| {
                *first
                    .entry([p.x, p.y, p.z].map(|c| (c + 0.0).to_bits()))
                    .or_insert(i)
            })
            .collect()
    }

    /// The mesh after an affine map, baked into the vertices; a reflection flips the triangles. Materials are kept.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where the matrix is not affine or not invertible, or where a result is not finite.
    pub fn transformed(&self, map: &Matrix4<f64>) -> Result<Self> {
        let map = Affine::new(map)?;
        let vertices: Vec<_> = self.vertices.iter().map(|p| map.point(p)).collect();
        check_points("a mesh", &vertices)?;
        let triangles = if map.is_reflection() {
            let flipped = self.triangles.iter().map(|&[a, b, c]| [a, c, b]);
            Arc::new(flipped.collect())
        } else {
            Arc::clone(&self.triangles)
        };
        Ok(Self {
            vertices: Arc::new(vertices),
            triangles,
            materials: self.materials.clone(),
        })
    }

    /// The mesh scaled about the origin of its frame by one factor per axis.
    ///
    /// # Errors
    ///
    /// As [`transformed`](Self::transformed): zero and non-finite factors are rejected.
    pub fn scaled(&self, factors: [f64; 3]) -> Result<Self> {
        self.transformed(&Matrix4::new_nonuniform_scaling(&factors.into()))
    }

    /// One mesh of all triangles of several meshes, each at its pose.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where a pose is not finite or there are more vertices than a `u32` counts.
    pub fn merged<'a>(members: impl IntoIterator<Item = (&'a Pose, &'a Self)>) -> Result<Self> {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        let mut materials = MeshMaterials::default();
        for (pose, mesh) in members {
            let before = [vertices.len(), triangles.len()];
            materials.append(mesh.materials(), before, mesh.vertices.len());
            let base = u32::try_from(vertices.len() + mesh.vertices.len())
                .map_err(|_| Error::invalid("a merged mesh", "has more than 2^32 vertices"))?
                - u32::try_from(mesh.vertices.len()).expect("a part of what was just counted");
            vertices.extend(mesh.vertices.iter().map(|p| pose * p));
            triangles.extend(mesh.triangles.iter().map(|t| t.map(|i| base + i)));
        }
        Self::new(vertices, triangles)?.with_materials(materials)
    }
}

/// The segments and points that triangles without area are, other than edges and vertices of other triangles: ends, equal for a
/// point, and the number of the triangle.
pub(super) fn strays(mesh: &Mesh) -> Vec<([Point; 2], u32)> {
    let numbered = || (0_u32..).zip(mesh.triangle_vertices());
    if !numbered().any(|(_, t)| is_degenerate(&t)) {
        return Vec::new();
    }
    // adding zero makes -0 and 0 the same key
    let key = |p: &Point| [p.x, p.y, p.z].map(|c| (c + 0.0).to_bits());
    let edge = |[a, b]: [Point; 2]| {
        let (a, b) = (key(&a), key(&b));
        (a.min(b), a.max(b))
    };
    let mut covered = HashSet::new();
    for (_, [a, b, c]) in numbered().filter(|(_, t)| !is_degenerate(t)) {
        covered.extend([[a, b], [b, c], [c, a], [a, a], [b, b], [c, c]].map(edge));
    }
    let longest = |[a, b, c]: [Point; 3]| {
        let edges = [[a, b], [b, c], [c, a]];
        let length = |[p, q]: &[Point; 2]| (q - p).norm_squared();
        let longest = edges
            .into_iter()
            .max_by(|p, q| length(p).total_cmp(&length(q)));
        longest.expect("three edges")
    };
    let mut strays = Vec::new();
    for (i, t) in numbered().filter(|(_, t)| is_degenerate(t)) {
        let ends = longest(t);
        if covered.insert(edge(ends)) {
            covered.extend(ends.map(|p| edge([p, p])));
            strays.push((ends, i));
        }
    }
    strays
}

/// Returns whether a triangle is a segment or a point to rounding.
pub(super) fn is_degenerate([a, b, c]: &[Point; 3]) -> bool {
    let (ab, ac, bc) = (b - a, c - a, c - b);
    let longest = ab
        .norm_squared()
        .max(ac.norm_squared())
        .max(bc.norm_squared());
    let has_area = ab.cross(&ac).norm() > 4.0 * f64::EPSILON * longest;
    !has_area
}

/// Serialized form, validated when it is read.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct RawMesh {
    vertices: Vec<Point>,
    triangles: Vec<[u32; 3]>,
    #[serde(default)]
    materials: Option<MeshMaterials>,
}

#[cfg(feature = "serde")]
impl TryFrom<RawMesh> for Mesh {
    type Error = Error;

    fn try_from(raw: RawMesh) -> Result<Self> {
        let mesh = Self::new(raw.vertices, raw.triangles)?;
        match raw.materials {
            Some(materials) => mesh.with_materials(materials),
            None => Ok(mesh),
        }
    }
}

#[cfg(feature = "serde")]
impl From<Mesh> for RawMesh {
    fn from(mesh: Mesh) -> Self {
        Self {
            vertices: mesh.vertices.to_vec(),
            triangles: mesh.triangles.to_vec(),
            materials: mesh.materials().cloned(),
        }
    }
}
