//! A controller that runs at 1 kHz, as on a real robot: it reads encoders that are coarse and noisy, and its torques stay
//! as they are until the next sample.
//!
//! ```sh
//! cargo run --example sampled_controller
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use kinworld::sim::{
    Action, Integrator, KinematicTree, Method, Observer, Probe, Recorder, Sensor, Steps,
};
use kinworld::{Robot, State, Vector, dynamics};

/// Encoders: they count steps, and are uncertain by some of them.
struct Encoders {
    step: f64,
    noise: f64,
    seed: u64,
}

impl Encoders {
    fn read(&mut self, q: f64) -> f64 {
        ((q + self.noise * self.uniform()) / self.step).round() * self.step
    }

    /// Random number in [-1, 1], by xorshift.
    fn uniform(&mut self) -> f64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// PD controller with gravity compensation, which knows what its encoders read and nothing else.
struct Controller {
    target: Vec<f64>,
    // inertia of each joint, and the frequency of its motion, rad/s
    inertia: Vec<f64>,
    frequency: f64,
    period: f64,
    // number of samples so far
    sample: u32,
    encoders: Encoders,
    measured: Vec<f64>,
    velocity: Vec<f64>,
    // the controller's own model of the robot
    robot: Robot,
    state: State,
    gravity: Vec<f64>,
    ws: dynamics::Workspace,
    // the true motion
    q: Vec<f64>,
    dq: Vec<f64>,
}

impl Observer<KinematicTree> for Controller {
    fn before_step(
        &mut self,
        tree: &mut KinematicTree,
        t: f64,
        y: &mut [f64],
    ) -> kinworld::Result<Action> {
        // between two samples the torques stay as they are
        if t < f64::from(self.sample) * self.period - 1e-9 {
            return Ok(Action::Continue);
        }
        tree.config_into(y, &mut self.q, &mut self.dq);
        for i in 0..self.q.len() {
            let reading = self.encoders.read(self.q[i]);

            // no encoder reads a velocity: differences, smoothed over some samples
            if self.sample > 0 {
                let rate = (reading - self.measured[i]) / self.period;
                self.velocity[i] += 0.1 * (rate - self.velocity[i]);
            }
            self.measured[i] = reading;
        }
        self.state.set_config(&self.robot, &self.measured)?;
        let down = Vector::new(0.0, 0.0, -9.81);
        dynamics::gravity_forces_into(
            &self.robot,
            &self.state,
            &down,
            &mut self.ws,
            &mut self.gravity,
        );
        for (i, torque) in tree.forces.joint.iter_mut().enumerate() {
            let (error, w) = (self.target[i] - self.measured[i], self.frequency);
            let ddq = w * w * error - 2.0 * w * self.velocity[i];
            *torque = self.gravity[i] + self.inertia[i] * ddq;
        }
        self.sample += 1;
        Ok(Action::Modified)
    }
}

fn main() -> kinworld::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/robots/arm6.urdf");
    let robot = Robot::load(path)?.value;
    let n = robot.n_dofs();
    let target = vec![0.5, -0.4, 0.8, 0.2, 0.6, -0.3];
    let mut tree = KinematicTree::new(robot.clone());
    tree.forces.joint = vec![0.0; n];
    let mut controller = Controller {
        target: target.clone(),
        // gains from the inertia: 1 N m/rad is stiff for a wrist and soft for a shoulder
        inertia: dynamics::mass_matrix(&robot, &State::new(&robot))
            .diagonal()
            .as_slice()
            .to_vec(),
        frequency: 12.0,
        period: 1e-3,
        sample: 0,
        // 16 bits in a turn, uncertain by two of them
        encoders: Encoders {
            step: std::f64::consts::TAU / 65536.0,
            noise: 2e-4,
            seed: 1,
        },
        measured: vec![0.0; n],
        velocity: vec![0.0; n],
        state: State::new(&robot),
        gravity: vec![0.0; n],
        ws: dynamics::Workspace::new(&robot),
        q: vec![0.0; n],
        dq: vec![0.0; n],
        robot,
    };

    // the robot moves in steps of 0.25 ms: four of them in each period of the controller
    let mut state = tree.initial_state(0.0, &vec![0.0; n], &vec![0.0; n])?;
    let sensors = vec![Sensor::new("q", Probe::Positions)];
    let mut recorder = Recorder::start(sensors, 0.25, &mut tree, &state)?;
    let mut integrator = Integrator::new(Method::Rk44, Steps::Length(0.25e-3))?;
    integrator.run(
        &mut tree,
        &mut state,
        3.0,
        &mut (&mut controller, &mut recorder),
    )?;

    println!("   t, s   error of each joint, mrad");
    for row in recorder.table().rows() {
        let errors = row[1..].iter().zip(&target).map(|(q, to)| 1e3 * (q - to));
        let errors: Vec<String> = errors.map(|error| format!("{error:8.2}")).collect();
        println!("{:7.2}  {}", row[0], errors.join(" "));
    }
    assert_eq!(controller.sample, 3000);
    let reached = tree.config(&state.y);
    assert!(
        reached
            .iter()
            .zip(&target)
            .all(|(q, to)| (q - to).abs() < 3e-3)
    );
    Ok(())
}
