//! What rays meet: the triangles of a world around its centre, their normals and colours.

use super::bvh::{Bvh, Triangle};
use super::camera::{Camera, bounds};
use super::normals;
use super::options::RenderOptions;
use super::vector::single;
use crate::math::{Point, Pose, Vector};
use crate::scene::light::to_light;
use crate::scene::{Detail, Drawn, Scene, SceneMesh};
use crate::world::{EntityId, WorldModel};

/// The triangles of a world, and the camera. Coordinates count from the centre of the world, so that single precision is enough.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) bvh: Bvh,
    pub(super) surfaces: Vec<Surface>,
    /// Element of each body, as in [`Picture::segmentation`](super::Picture::segmentation).
    pub(super) ids: Vec<u32>,
    pub(super) eye: [f32; 3],
    /// Axes of the camera, columns.
    axes: [Vector; 3],
    focal: [f64; 2],
    center: [f64; 2],
    /// Depths that are seen.
    pub(super) range: [f32; 2],
    /// Half the diagonal of the world.
    pub(super) radius: f32,
    /// Height of the ground.
    pub(super) ground: f32,
    pub(super) background: [f32; 3],
    pub(super) shadows: bool,
}

/// What a triangle looks like.
#[derive(Debug)]
pub(super) struct Surface {
    /// Index of its body.
    pub(super) body: u32,
    /// Of its corners.
    pub(super) normals: [[f32; 3]; 3],
    /// Light and opacity of its corners.
    pub(super) colors: [[f32; 4]; 3],
}

/// Elements that collide.
const RED: [f64; 4] = [0.90, 0.22, 0.17, 1.0];

impl Stage {
    pub(super) fn new(world: &WorldModel, camera: &Camera, options: &RenderOptions) -> Self {
        let around = bounds(world);
        let center = around.center();
        let scene = Scene::new(world, Detail::Fine, false);
        let numbers = world.klampt_ids();
        let id = |entity| numbers.number(entity).map_or(0, |number| number as u32 + 1);
        let mut builder = Builder {
            scene: &scene,
            center,
            normals: normals::of_all(&scene.meshes),
            triangles: Vec::new(),
            surfaces: Vec::new(),
        };
        for (i, body) in scene.bodies.iter().enumerate() {
            let robot = body.entity.robot().map(EntityId::Robot);
            let is_red = options.red.contains(&body.entity)
                || robot.is_some_and(|robot| options.red.contains(&robot));
            for drawn in &body.visual {
                builder.add(i as u32, &(body.pose * drawn.placement), drawn, is_red);
            }
        }
        let columns = |k: usize| camera.pose.rotation.matrix().column(k).into_owned();
        let radius = around.half_size().norm().max(1e-6);
        let background = options.background.map(|c| to_light(c) as f32);
        Self {
            bvh: Bvh::new(&builder.triangles),
            surfaces: builder.surfaces,
            ids: scene.bodies.iter().map(|body| id(body.entity)).collect(),
            eye: single(&(camera.pose.translation.vector - center.coords)),
            axes: [columns(0), columns(1), columns(2)],
            focal: camera.focal,
            center: camera.center,
            range: camera.range.map(|depth| depth as f32),
            radius: radius as f32,
            ground: (around.min.z - center.z - 1e-3 * radius) as f32,
            background,
            shadows: options.shadows,
        }
    }

    /// The direction of a pixel, of length 1 along the optical axis.
    pub(super) fn direction(&self, x: f64, y: f64) -> [f32; 3] {
        let [right, down, ahead] = &self.axes;
        let u = (x - self.center[0]) / self.focal[0];
        let v = (y - self.center[1]) / self.focal[1];
        single(&(ahead + right * u + down * v))
    }
}

/// Collects the triangles.
struct Builder<'a> {
    scene: &'a Scene,
    center: Point,
    /// Of the corners of each mesh, in its frame.
    normals: Vec<Vec<[[f32; 3]; 3]>>,
    triangles: Vec<Triangle>,
    surfaces: Vec<Surface>,
}

impl Builder<'_> {
    fn add(&mut self, body: u32, pose: &Pose, drawn: &Drawn, is_red: bool) {
        let SceneMesh { mesh, runs, .. } = &self.scene.meshes[drawn.mesh];
        let of_mesh = &self.normals[drawn.mesh];
        let points = mesh.vertices().iter();
        let points: Vec<[f32; 3]> = points.map(|p| single(&(pose * p - self.center))).collect();
        let own = mesh.materials().map_or(&[][..], |m| &m.vertex_colors);
        let lit = |color: [f64; 4]| {
            let [r, g, b, a] = color;
            [
                to_light(r) as f32,
                to_light(g) as f32,
                to_light(b) as f32,
                a as f32,
            ]
        };
        let turn = pose.rotation.matrix().map(|x| x as f32);
        let turned = |n: [f32; 3]| -> [f32; 3] { (turn * nalgebra::Vector3::from(n)).into() };
        for (run, material) in runs {
            let material = material.filter(|_| !drawn.covers).unwrap_or(drawn.material);
            let color = match is_red {
                true => lit(RED),
                false => lit(self.scene.materials[material].color),
            };
            for i in run.clone() {
                let [a, b, c] = mesh.triangles()[i];
                let triangle = [a as usize, b as usize, c as usize];
                let colors = match own.is_empty() || drawn.covers || is_red {
                    true => [color; 3],
                    false => triangle.map(|k| lit(own[k].map(f64::from))),
                };
                let ([a, b, c], [n_a, n_b, n_c]) = (triangle, of_mesh[i]);
                self.triangles
                    .push(Triangle::new([points[a], points[b], points[c]]));
                self.surfaces.push(Surface {
                    body,
                    normals: [turned(n_a), turned(n_b), turned(n_c)],
                    colors,
                });
            }
        }
    }
}
