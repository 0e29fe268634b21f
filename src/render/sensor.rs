//! Cameras that a link or an object carries, with the noise of a device.

use std::f64::consts::TAU;

use super::{Camera, Picture, RenderOptions, picture};
use crate::math::{Pose, SplitMix};
use crate::world::{EntityId, WorldModel};
use crate::{Error, Result};

/// A simulated colour and depth camera.
///
/// It is fixed in the world, or to a link or an object that carries it. Without noise, which is the default, it sees what
/// [`picture`] draws.
///
/// # Examples
///
/// A camera on the last link of an arm, looking along its x axis:
///
/// ```
/// use kinworld::render::{Camera, CameraSensor};
/// use kinworld::{Point, WorldModel};
///
/// # let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
/// let mut world = WorldModel::load(format!("{data}/robots/arm6.urdf"))?.value;
/// world.load_element(format!("{data}/terrains/table.env"))?;
/// let hand = world.robot("arm6")?.link("flange")?.entity();
/// let lens = Camera::looking_at(Point::origin(), Point::new(1.0, 0.0, 0.0), [64, 48], 1.0);
/// let mut sensor = CameraSensor::on(hand, lens.with_range(0.05, 8.0)).with_depth_noise(0.001, 0.002, 7)?;
///
/// world.robot_mut("arm6")?.set_config(&[0.0, 1.2, 0.4, 0.0, 0.0, 0.0])?;
/// let seen = sensor.observe(&world)?;
/// assert_eq!(seen.depth().len(), 64 * 48);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct CameraSensor {
    carrier: Option<EntityId>,
    /// In the frame of the carrier.
    camera: Camera,
    options: RenderOptions,
    /// Standard deviation of depths, m: the constant part, and that with the square of the depth, 1/m.
    noise: [f64; 2],
    random: SplitMix,
}

impl CameraSensor {
    /// A camera that is fixed in the world.
    pub fn new(camera: Camera) -> Self {
        Self {
            carrier: None,
            camera,
            options: RenderOptions::default(),
            noise: [0.0; 2],
            random: SplitMix::new(0),
        }
    }

    /// A camera that a link or an object carries; the pose of the camera is in the frame of the carrier.
    pub fn on(carrier: impl Into<EntityId>, camera: Camera) -> Self {
        Self {
            carrier: Some(carrier.into()),
            ..Self::new(camera)
        }
    }

    /// The same with other options of its pictures.
    pub fn with_options(mut self, options: RenderOptions) -> Self {
        self.options = options;
        self
    }

    /// The same with normally distributed errors of depths: the standard deviation at depth z, m, is
    /// `constant + quadratic z²`, with `quadratic` in 1/m.
    ///
    /// Stereo and structured light have a quadratic part (Nguyen, Izadi and Lovell 2012), time of flight hardly any. Equal
    /// seeds give equal errors on every machine; each picture has its own.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are negative or not finite.
    pub fn with_depth_noise(mut self, constant: f64, quadratic: f64, seed: u64) -> Result<Self> {
        if ![constant, quadratic]
            .iter()
            .all(|x| x.is_finite() && *x >= 0.0)
        {
            let problem =
                format!("are {constant} m and {quadratic} 1/m: they must not be negative");
            return Err(Error::invalid("deviations of depths", problem));
        }
        self.noise = [constant, quadratic];
        self.random = SplitMix::new(seed);
        Ok(self)
    }

    /// The camera in the world, where its carrier is now.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a carrier without a pose: a robot as a whole, or an element that is not in the world.
    pub fn camera(&self, world: &WorldModel) -> Result<Camera> {
        let pose = match self.carrier {
            None => Pose::identity(),
            Some(carrier) => world.pose(carrier).ok_or_else(|| {
                let problem = format!(
                    "{carrier} has no pose in this world: a link or an object carries a camera"
                );
                Error::invalid("carrier of a camera", problem)
            })?,
        };
        Ok(Camera {
            pose: pose * self.camera.pose,
            ..self.camera
        })
    }

    /// What the camera sees now.
    ///
    /// # Errors
    ///
    /// As [`camera`](Self::camera) and [`picture`].
    pub fn observe(&mut self, world: &WorldModel) -> Result<Picture> {
        let camera = self.camera(world)?;
        let mut seen = picture(world, &camera, &self.options)?;
        let [constant, quadratic] = self.noise;
        if constant > 0.0 || quadratic > 0.0 {
            for depth in seen.depth.iter_mut().filter(|depth| depth.is_finite()) {
                let z = f64::from(*depth);
                let noisy = z + (constant + quadratic * z * z) * normal(&mut self.random);
                *depth = noisy.max(0.0) as f32;
            }
        }
        Ok(seen)
    }
}

/// A number of the standard normal distribution: Box and Muller (1958).
fn normal(random: &mut SplitMix) -> f64 {
    // 1 − u is never zero
    let radius = (-2.0 * (1.0 - random.uniform()).ln()).sqrt();
    radius * (TAU * random.uniform()).cos()
}
