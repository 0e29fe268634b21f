//! Kinematics and dynamics of chains and combs.

use std::hint::black_box;
use std::path::Path;

use kinworld::dynamics::{self, ForwardDynamicsDerivatives, InverseDynamicsDerivatives, Workspace};
use kinworld::math::Inertia;
use kinworld::robot::{LinkMotion, LinkSpec, RobotBuilder};
use kinworld::{Pose, Robot, State, Vector, kinematics};
use nalgebra::{DMatrix, Matrix3, Vector3};

use super::{print_head, print_row, time};

const SIZES: [usize; 3] = [10, 100, 1000];
const GRAVITY: Vector = Vector::new(0.0, 0.0, -9.81);
const KERNELS: [&str; 8] = [
    "fk",
    "rnea",
    "crba",
    "crba_lower",
    "aba",
    "rnea_derivatives",
    "aba_derivatives",
    "minverse",
];

/// Prints the tables of chains and combs, or the times of one robot.
pub(super) fn print(file: Option<&str>) {
    if let Some(file) = file {
        let robot = Robot::load(file).expect("a robot").value;
        let mut subject = Subject::new(&robot);
        for kernel in KERNELS {
            println!("{file},{kernel},{:.1}", time(|| subject.call(kernel)));
        }
        return;
    }
    for (name, make) in SHAPES {
        print_head(name, &SIZES);
        let robots = SIZES.map(make);
        for kernel in KERNELS {
            let times = robots.each_ref().map(|robot| {
                let mut subject = Subject::new(robot);
                time(|| subject.call(kernel))
            });
            print_row(kernel, &SIZES, &times);
        }
    }
}

type Make = fn(usize) -> Robot;
const SHAPES: [(&str, Make); 2] = [("chain", chain), ("comb", comb)];

/// Links one after the other.
fn chain(n: usize) -> Robot {
    robot("chain", n, |i| i.checked_sub(1))
}

/// A spine with a tooth at each of its links.
fn comb(n: usize) -> Robot {
    robot("comb", n, |i| match i {
        0 => None,
        _ if i % 2 == 1 => Some(i - 1),
        _ => Some(i - 2),
    })
}

fn robot(name: &str, n: usize, parent: impl Fn(usize) -> Option<usize>) -> Robot {
    let mut robot = RobotBuilder::new(format!("{name}{n}"));
    let mut ids = vec![];
    for i in 0..n {
        let parent = parent(i).map(|parent| ids[parent]);
        let axis = [Vector::x(), Vector::y(), Vector::z()][i % 3];
        let motion = LinkMotion::Revolute(axis);
        let mut link = LinkSpec::new(format!("link{i}"), parent, motion);
        link.placement = Pose::translation(0.1, 0.02, 0.0);
        link.inertia = Inertia {
            mass: 1.0,
            com: [0.05, 0.01, 0.0].into(),
            moment: Matrix3::from_diagonal(&Vector3::new(0.002, 0.003, 0.004)),
        };
        ids.push(robot.add_link(link));
    }
    robot.build().expect("a valid robot")
}

/// Writes the robots as `tests/peers/rbd/pinbench.cpp` reads them.
pub(super) fn write_models(folder: &Path) {
    for (name, make) in SHAPES {
        for n in SIZES {
            let robot = make(n);
            let mut text = format!("model {name}{n}\n");
            for (i, link) in robot.links().iter().enumerate() {
                let parent = link.parent().map_or(0, |parent| parent.index() + 1);
                let kind = ["RX", "RY", "RZ"][i % 3];
                text += &format!(
                    "joint link{i} {parent} {kind} 0 0 0 1 0 0 0 1 0 0 0 1 0.1 0.02 0 1 0.05 0.01 0 0.002 0 0.003 0 0 0.004\n"
                );
            }
            std::fs::write(folder.join(format!("{name}{n}.txt")), text).expect("a folder");
        }
    }
}

/// A robot in one motion, and memory for the results.
struct Subject<'a> {
    robot: &'a Robot,
    configs: Vec<Vec<f64>>,
    next: usize,
    state: State,
    ws: Workspace,
    list: Vec<f64>,
    matrix: DMatrix<f64>,
    by_inverse: InverseDynamicsDerivatives,
    by_forward: ForwardDynamicsDerivatives,
}

impl<'a> Subject<'a> {
    fn new(robot: &'a Robot) -> Self {
        let n = robot.n_dofs();
        Self {
            robot,
            configs: (0..16)
                .map(|seed| kinematics::sample(robot, seed, 1.0))
                .collect(),
            next: 0,
            state: State::new(robot),
            ws: Workspace::new(robot),
            list: vec![0.0; n],
            matrix: DMatrix::zeros(n, n),
            by_inverse: InverseDynamicsDerivatives::zeros(robot),
            by_forward: ForwardDynamicsDerivatives::zeros(robot),
        }
    }

    fn call(&mut self, kernel: &str) {
        self.next = (self.next + 1) % self.configs.len();
        let (robot, q) = (self.robot, &self.configs[self.next]);
        self.state.set_config(robot, q).expect("a configuration");
        self.state.set_velocity(robot, q).expect("a velocity");
        let (state, ws) = (&self.state, &mut self.ws);
        let done = match kernel {
            "rnea" => {
                dynamics::inverse_dynamics_into(robot, state, &GRAVITY, q, ws, &mut self.list)
            }
            "aba" => dynamics::forward_dynamics_into(robot, state, &GRAVITY, q, ws, &mut self.list),
            "crba" => {
                dynamics::mass_matrix_into(robot, state, ws, &mut self.matrix);
                Ok(())
            }
            "crba_lower" => {
                dynamics::mass_matrix_lower_into(robot, state, ws, &mut self.matrix);
                Ok(())
            }
            "minverse" => dynamics::mass_matrix_inverse_into(robot, state, ws, &mut self.matrix),
            "rnea_derivatives" => dynamics::inverse_dynamics_derivatives_into(
                robot,
                state,
                &GRAVITY,
                q,
                ws,
                &mut self.by_inverse,
            ),
            "aba_derivatives" => dynamics::forward_dynamics_derivatives_into(
                robot,
                state,
                &GRAVITY,
                q,
                ws,
                &mut self.by_forward,
            ),
            _ => Ok(()),
        };
        // a dof may be singular by chance
        let _ = black_box(done);
        black_box((
            &self.state,
            &self.list,
            &self.matrix,
            &self.by_inverse,
            &self.by_forward,
        ));
    }
}
