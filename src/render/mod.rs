//! Pictures of a world without a display: colours, depths and elements, by rays on all cores. Layer 5.
//!
//! ```
//! use kinworld::WorldModel;
//! use kinworld::render::{Camera, RenderOptions, picture};
//!
//! # let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
//! let world = WorldModel::load(format!("{data}/robots/arm6.urdf"))?.value;
//! let camera = Camera::of_world(&world, [60, 40]);
//! let picture = picture(&world, &camera, &RenderOptions::default())?;
//!
//! assert_eq!(picture.rgb().len(), 3 * 60 * 40);
//! let seen = (0..40).find_map(|y| picture.entity(30, y));
//! assert!(world.name(seen.expect("the arm is in the middle"))?.starts_with("arm6["));
//! # Ok::<(), kinworld::Error>(())
//! ```

mod build;
mod bvh;
mod camera;
mod normals;
mod options;
#[cfg(feature = "render")]
mod png;
mod sensor;
mod shade;
mod stage;
mod vector;

pub use camera::Camera;
pub use options::RenderOptions;
#[cfg(feature = "render")]
pub use png::animation;
pub use sensor::CameraSensor;

use crate::world::{EntityId, WorldModel};
use crate::{Result, threads};
use shade::Sample;
use stage::Stage;

/// A picture: colour, depth and element of each pixel, row by row from the upper left corner.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    size: [usize; 2],
    rgb: Vec<u8>,
    depth: Vec<f32>,
    ids: Vec<u32>,
    elements: Vec<EntityId>,
}

impl Picture {
    /// Width and height, pixels.
    #[must_use]
    pub fn size(&self) -> [usize; 2] {
        self.size
    }

    /// Red, green and blue of each pixel, 0 to 255.
    #[must_use]
    pub fn rgb(&self) -> &[u8] {
        &self.rgb
    }

    /// Depth of each pixel: distance of its centre along the optical axis, m; infinite where there is nothing.
    #[must_use]
    pub fn depth(&self) -> &[f32] {
        &self.depth
    }

    /// Element of each pixel: 1 more than its [Klampt id](WorldModel::klampt_ids), 0 where there is nothing.
    #[must_use]
    pub fn segmentation(&self) -> &[u32] {
        &self.ids
    }

    /// The element at the centre of a pixel; `None` for nothing and outside of the picture.
    #[must_use]
    pub fn entity(&self, x: usize, y: usize) -> Option<EntityId> {
        if x >= self.size[0] {
            return None;
        }
        let id = *self.ids.get(y * self.size[0] + x)?;
        self.elements.get((id as usize).checked_sub(1)?).copied()
    }
}

/// A picture of the visual shapes of a world, with shadows on a ground below it.
///
/// Depth and elements are those at the centres of pixels. Colours of pixels at edges are means of four rays.
///
/// # Errors
///
/// [`Error::Invalid`](crate::Error::Invalid) for a camera without pixels, or with numbers that are not finite.
pub fn picture(world: &WorldModel, camera: &Camera, options: &RenderOptions) -> Result<Picture> {
    camera.check()?;
    let stage = Stage::new(world, camera, options);
    let [width, height] = camera.size;
    let mut samples = vec![Sample::default(); width * height];
    threads::each_part(&mut samples, width, &|y, row| {
        for (x, sample) in row.iter_mut().enumerate() {
            *sample = stage.sample(x as f64 + 0.5, y as f64 + 0.5);
        }
    });
    let mut colors: Vec<[f32; 3]> = samples.iter().map(|sample| sample.color).collect();
    if options.smooth_edges {
        threads::each_part(&mut colors, width, &|y, row| {
            for (x, color) in row.iter_mut().enumerate() {
                if is_edge(&samples, [width, height], [x, y]) {
                    *color = mean(&stage, x as f64, y as f64);
                }
            }
        });
    }
    Ok(Picture {
        size: camera.size,
        rgb: colors.into_iter().flat_map(shade::screen).collect(),
        depth: samples.iter().map(|sample| sample.depth).collect(),
        ids: samples.iter().map(|sample| sample.id).collect(),
        elements: world.klampt_ids().iter().collect(),
    })
}

/// The mean of four rays through a pixel.
fn mean(stage: &Stage, x: f64, y: f64) -> [f32; 3] {
    let mut sum = [0.0; 3];
    for (dx, dy) in [
        (0.375, 0.125),
        (0.875, 0.375),
        (0.125, 0.625),
        (0.625, 0.875),
    ] {
        sum = vector::add(sum, stage.sample(x + dx, y + dy).color);
    }
    vector::scaled(sum, 0.25)
}

/// Returns whether a pixel differs from one beside it so much that an edge runs between them.
fn is_edge(samples: &[Sample], [width, height]: [usize; 2], [x, y]: [usize; 2]) -> bool {
    let here = &samples[y * width + x];
    let beside = [
        (x > 0).then(|| y * width + x - 1),
        (x + 1 < width).then_some(y * width + x + 1),
        (y > 0).then(|| (y - 1) * width + x),
        (y + 1 < height).then_some((y + 1) * width + x),
    ];
    let mut beside = beside.into_iter().flatten();
    beside.any(|i| here.differs(&samples[i]))
}
