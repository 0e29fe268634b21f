//! The light that a ray brings.

use super::bvh::{Hit, Ray};
use super::stage::Stage;
use super::vector::{add, dot, scaled, unit};
use crate::scene::light::of_light;

/// What is seen along a ray.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    /// Light.
    pub(super) color: [f32; 3],
    pub(super) depth: f32,
    /// Element: see [`Picture::segmentation`](super::Picture::segmentation).
    pub(super) id: u32,
    normal: [f32; 3],
}

impl Default for Sample {
    fn default() -> Self {
        Self {
            color: [0.0; 3],
            depth: f32::INFINITY,
            id: 0,
            normal: [0.0; 3],
        }
    }
}

impl Sample {
    /// Returns whether an edge runs between two samples: of an element, a surface or a shadow.
    pub(super) fn differs(&self, other: &Self) -> bool {
        let difference = |k: usize| (self.color[k] - other.color[k]).abs();
        self.id != other.id
            || (self.id != 0 && dot(self.normal, other.normal) < 0.9)
            || (0..3).any(|k| difference(k) > 0.04)
    }
}

/// The main light, with shadows; and one from the other side, without.
const SUN: [f32; 3] = [0.273_73, -0.430_14, 0.860_29];
const FILL: [f32; 3] = [-0.768_22, 0.512_15, 0.384_11];
const SUNLIGHT: f32 = 0.78;
const FILLLIGHT: f32 = 0.12;
/// Light from above and from below.
const SKY: f32 = 0.36;
const FLOOR: f32 = 0.13;
/// Part of the light that a shadow on the ground takes.
const SHADOW: f32 = 0.42;
/// Most surfaces that are seen through.
const LAYERS: usize = 8;

impl Stage {
    /// What is seen at a place of the picture, pixels.
    pub(super) fn sample(&self, x: f64, y: f64) -> Sample {
        let ray = Ray {
            origin: self.eye,
            direction: self.direction(x, y),
        };
        let mut sample = Sample::default();
        // light that still comes through
        let mut through = 1.0;
        let [mut from, to] = self.range;
        for _ in 0..LAYERS {
            let Some(hit) = self.bvh.first(&ray, from, to) else {
                break;
            };
            let (color, normal, opacity) = self.surface(&ray, &hit);
            if sample.id == 0 {
                sample.id = self.ids[self.surfaces[hit.triangle].body as usize];
                sample.depth = hit.t;
                sample.normal = normal;
            }
            sample.color = add(sample.color, scaled(color, through * opacity));
            through *= 1.0 - opacity;
            from = hit.t * (1.0 + 1e-5) + 1e-5 * self.radius;
            if through < 0.004 {
                return sample;
            }
        }
        let behind = self.ground_light(&ray, from);
        sample.color = add(sample.color, scaled(self.background, through * behind));
        sample
    }

    /// Light, normal and opacity of a surface where a ray meets it.
    fn surface(&self, ray: &Ray, hit: &Hit) -> ([f32; 3], [f32; 3], f32) {
        let surface = &self.surfaces[hit.triangle];
        let [u, v] = hit.uv;
        let weights = [1.0 - u - v, u, v];
        let mut normal = [0.0; 3];
        let mut color = [0.0; 4];
        for (k, weight) in weights.into_iter().enumerate() {
            normal = add(normal, scaled(surface.normals[k], weight));
            for (sum, c) in color.iter_mut().zip(surface.colors[k]) {
                *sum += weight * c;
            }
        }
        normal = unit(normal);
        let ahead = unit(ray.direction);
        // both sides look alike
        if dot(normal, ahead) > 0.0 {
            normal = scaled(normal, -1.0);
        }
        let [r, g, b, opacity] = color;
        let mut light = FLOOR + (SKY - FLOOR) * 0.5 * (1.0 + normal[2]);
        light += FILLLIGHT * dot(normal, FILL).max(0.0);
        let mut shine = 0.0;
        let facing = dot(normal, SUN);
        if facing > 0.0 {
            let point = add(ray.origin, scaled(ray.direction, hit.t));
            let above = add(point, scaled(normal, 2e-3 * self.radius));
            if !self.is_shadowed(above) {
                light += SUNLIGHT * facing;
                let half = unit(add(SUN, scaled(ahead, -1.0)));
                shine = 0.12 * dot(normal, half).max(0.0).powi(28);
            }
        }
        let color = [r, g, b].map(|c| shoulder(c * light + shine));
        (color, normal, opacity.clamp(0.0, 1.0))
    }

    /// Part of the background's light along a ray that meets no element: less in the shadow on the ground.
    fn ground_light(&self, ray: &Ray, from: f32) -> f32 {
        let (height, slope) = (ray.origin[2] - self.ground, ray.direction[2]);
        if !self.shadows || height <= 0.0 || slope >= 0.0 {
            return 1.0;
        }
        let t = height / -slope;
        let mut point = add(ray.origin, scaled(ray.direction, t));
        point[2] = self.ground;
        // no shadow falls so far
        let far = 6.0 * self.radius;
        if t < from || dot(point, point) > far * far || !self.is_shadowed(point) {
            return 1.0;
        }
        1.0 - SHADOW
    }

    fn is_shadowed(&self, point: [f32; 3]) -> bool {
        let ray = Ray {
            origin: point,
            direction: SUN,
        };
        self.shadows && self.bvh.any(&ray, 1e-4 * self.radius, f32::INFINITY)
    }
}

/// Light that comes close to white instead of beyond.
fn shoulder(c: f32) -> f32 {
    const FROM: f32 = 0.7;
    match c > FROM {
        true => FROM + (1.0 - FROM) * (1.0 - (-(c - FROM) / (1.0 - FROM)).exp()),
        false => c,
    }
}

/// Light as bytes of a screen; what is brighter than white is white.
pub(super) fn screen(color: [f32; 3]) -> [u8; 3] {
    color.map(|c| (of_light(f64::from(c.clamp(0.0, 1.0))) * 255.0).round() as u8)
}
