//! Calls one kernel a given number of times, for `.ci/instructions` to count the instructions.
//!
//! ```sh
//! instructions ROBOT.urdf KERNEL CALLS
//! ```

use std::hint::black_box;

use kinworld::dynamics::{self, ForwardDynamicsDerivatives, InverseDynamicsDerivatives, Workspace};
use kinworld::{LinkId, Point, Pose, Result, Robot, State, Vector, batch, kinematics};
use nalgebra::{DMatrix, Matrix6xX};

const GRAVITY: Vector = Vector::new(0.0, 0.0, -9.81);

/// Configurations of a batch.
const BATCH: usize = 64;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().collect();
    // `cargo bench` and `cargo test` start every bench, with flags of their own
    let [_, file, kernel, calls] = &args[..] else {
        return Ok(());
    };
    let calls: usize = calls.parse().expect("a number of calls");
    let robot = Robot::load(file)?.value;
    let mut subject = Subject::new(&robot);
    for _ in 0..calls {
        subject.call(kernel)?;
    }
    Ok(())
}

/// A robot in one motion, and memory for all results.
struct Subject<'a> {
    robot: &'a Robot,
    q: Vec<f64>,
    state: State,
    ws: Workspace,
    list: Vec<f64>,
    matrix: DMatrix<f64>,
    jacobian: Matrix6xX<f64>,
    by_inverse: InverseDynamicsDerivatives,
    by_forward: ForwardDynamicsDerivatives,
    batch_ws: batch::Workspace,
    configs: Vec<f64>,
    links: Vec<LinkId>,
    poses: Vec<Pose>,
    numbers: Vec<f64>,
}

impl<'a> Subject<'a> {
    fn new(robot: &'a Robot) -> Self {
        let n = robot.n_dofs();
        let links: Vec<LinkId> = robot.dofs().to_vec();
        let seeds = 0..BATCH as u64;
        Self {
            robot,
            q: kinematics::sample(robot, 1, 1.0),
            state: State::new(robot),
            ws: Workspace::new(robot),
            list: vec![0.0; n],
            matrix: DMatrix::zeros(n, n),
            jacobian: Matrix6xX::zeros(n),
            by_inverse: InverseDynamicsDerivatives::zeros(robot),
            by_forward: ForwardDynamicsDerivatives::zeros(robot),
            batch_ws: batch::Workspace::new(robot),
            configs: seeds
                .flat_map(|seed| kinematics::sample(robot, seed, 1.0))
                .collect(),
            poses: vec![Pose::identity(); BATCH * links.len()],
            numbers: vec![0.0; BATCH * n * n],
            links,
        }
    }

    /// The part that is counted: a function of its own, to separate it from loading.
    #[inline(never)]
    fn call(&mut self, kernel: &str) -> Result<()> {
        let robot = self.robot;
        if let Some(kernel) = kernel.strip_suffix("_batch") {
            return self.call_batch(kernel);
        }
        self.state.set_config(robot, black_box(&self.q))?;
        self.state.set_velocity(robot, black_box(&self.q))?;
        let (state, ws) = (&self.state, &mut self.ws);
        match kernel {
            "fk" => {}
            "jacobian" => {
                let last = LinkId::new(robot.links().len() - 1);
                let out = &mut self.jacobian;
                kinematics::jacobian_into(robot, state, last, &Point::origin(), out);
            }
            "rnea" => {
                let out = &mut self.list;
                dynamics::inverse_dynamics_into(robot, state, &GRAVITY, &self.q, ws, out)?;
            }
            "crba" => dynamics::mass_matrix_into(robot, state, ws, &mut self.matrix),
            "aba" => {
                let out = &mut self.list;
                dynamics::forward_dynamics_into(robot, state, &GRAVITY, &self.q, ws, out)?;
            }
            "rnea_derivatives" => {
                let out = &mut self.by_inverse;
                dynamics::inverse_dynamics_derivatives_into(
                    robot, state, &GRAVITY, &self.q, ws, out,
                )?;
            }
            "aba_derivatives" => {
                let out = &mut self.by_forward;
                dynamics::forward_dynamics_derivatives_into(
                    robot, state, &GRAVITY, &self.q, ws, out,
                )?;
            }
            "minverse" => {
                dynamics::mass_matrix_inverse_into(robot, state, ws, &mut self.matrix)?;
            }
            other => panic!("no kernel `{other}`"),
        }
        black_box((&self.state, &self.list, &self.matrix, &self.jacobian));
        black_box((&self.by_inverse, &self.by_forward));
        Ok(())
    }

    fn call_batch(&mut self, kernel: &str) -> Result<()> {
        let (robot, ws, out) = (self.robot, &mut self.batch_ws, &mut self.numbers);
        let q = black_box(&self.configs);
        match kernel {
            "fk" => batch::poses_into(robot, q, &self.links, ws, &mut self.poses)?,
            "rnea" => {
                batch::inverse_dynamics_into(robot, q, q, q, &GRAVITY, ws, &mut out[..q.len()])?
            }
            "crba" => batch::mass_matrices_into(robot, q, ws, out)?,
            "aba" => {
                batch::forward_dynamics_into(robot, q, q, q, &GRAVITY, ws, &mut out[..q.len()])?
            }
            other => panic!("no kernel `{other}` for batches"),
        }
        black_box((&self.poses, &self.numbers));
        Ok(())
    }
}
