//! Batches of the library, for `batches.py` beside it, and single calls, for the table of `peers.py`.
//!
//! `batches DATA ROWS` with the folder `data` of the repository prints a line of seconds for each line of standard input;
//! with `calls` in place of a number of rows it prints what single calls cost, each from a configuration, ns.

#![expect(clippy::print_stdout, reason = "its output is what it is for")]

use std::error::Error;
use std::hint::black_box;
use std::io::BufRead as _;
use std::time::Instant;

use kinworld::batch::{self, Workspace};
use kinworld::kinematics::{self, ik};
use kinworld::nalgebra::{DMatrix, Matrix6xX};
use kinworld::planning::{CSpace as _, RobotCSpace};
use kinworld::{LinkId, Point, Robot, State, Vector, WorldModel, dynamics};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().ok_or("batches DATA ROWS");
    let (data, rows) = (next()?, next()?);
    let robot = Robot::load(format!("{data}/robots/panda.urdf"))?.value;
    let link = robot.link_id("tool")?;
    if rows == "calls" {
        return single_calls(&robot, link);
    }
    let rows: usize = rows.parse()?;
    let n = robot.n_dofs();
    let [q, dq, ddq] = [1, 2, 3].map(|seed| batch::sample(&robot, seed, 1.0, rows));
    let (point, gravity) = (Point::origin(), Vector::new(0.0, 0.0, -9.81));
    let mut ws = Workspace::new(&robot).with_row_major();
    let mut poses = vec![[0.0; 16]; rows];
    let mut out = vec![0.0; 3 * n * n * rows];

    let mut world = WorldModel::new();
    let _ = world.add_file(format!("{data}/robots/arm6.urdf"))?;
    let _ = world.add_file(format!("{data}/terrains/table.env"))?;
    let arm = world.robots().next().ok_or("no robot")?;
    let space = RobotCSpace::new(&world, &[arm.id()])?;
    let few = rows / 10;
    let ends = batch::sample(arm.model(), 5, 1.0, few + 1);
    let starts: Vec<&[f64]> = ends.chunks_exact(6).collect();
    let edges: Vec<(&[f64], &[f64])> = (0..few).map(|k| (starts[k], starts[k + 1])).collect();
    let problems: Vec<ik::Problem> = (0..few)
        .map(|k| {
            let mut state = State::new(&robot);
            let goal = state
                .set_config(&robot, &q[k * n..][..n])
                .map(|()| ik::Objective::pose(link, &state.pose(&robot, link)));
            goal.map(|goal| ik::Problem::new([goal], &dq[k * n..][..n]))
        })
        .collect::<Result<_, _>>()?;
    let options = ik::Options::default();
    for line in std::io::stdin().lock().lines() {
        line?;
        let mut times = Vec::new();
        let mut clock = |work: &mut dyn FnMut() -> kinworld::Result<()>| {
            let began = Instant::now();
            let done = work();
            times.push(began.elapsed().as_secs_f64());
            done
        };
        clock(&mut || batch::pose_matrices_into(&robot, &q, &[link], &mut ws, &mut poses))?;
        clock(&mut || {
            batch::jacobians_into(&robot, &q, link, &point, &mut ws, &mut out[..6 * n * rows])
        })?;
        clock(&mut || batch::mass_matrices_into(&robot, &q, &mut ws, &mut out[..n * n * rows]))?;
        let vectors = n * rows;
        clock(&mut || {
            batch::bias_forces_into(&robot, &q, &dq, &gravity, &mut ws, &mut out[..vectors])
        })?;
        clock(&mut || {
            let out = &mut out[..vectors];
            batch::inverse_dynamics_into(&robot, &q, &dq, &ddq, &gravity, &mut ws, out)
        })?;
        clock(&mut || {
            let out = &mut out[..vectors];
            batch::forward_dynamics_into(&robot, &q, &dq, &ddq, &gravity, &mut ws, out)
        })?;
        clock(&mut || {
            batch::inverse_dynamics_derivatives_into(
                &robot, &q, &dq, &ddq, &gravity, &mut ws, &mut out,
            )
        })?;
        clock(&mut || {
            batch::forward_dynamics_derivatives_into(
                &robot, &q, &dq, &ddq, &gravity, &mut ws, &mut out,
            )
        })?;
        let mut free = vec![false; few];
        clock(&mut || space.are_free(&ends[..6 * few], &mut free))?;
        clock(&mut || {
            space
                .are_edges_free(&edges)
                .map(|free| drop(black_box(free)))
        })?;
        // lists of objects, and arrays
        for _ in 0..2 {
            clock(&mut || {
                ik::solve_batch(&robot, &problems, &options).map(|found| drop(black_box(found)))
            })?;
        }
        black_box((&poses, &out, &free));
        let times: Vec<String> = times.iter().map(|time| format!("{time:.9}")).collect();
        println!("{}", times.join(" "));
    }
    Ok(())
}

/// Prints what a call costs that starts from a configuration, least of many rounds, ns.
fn single_calls(robot: &Robot, link: LinkId) -> Result<(), Box<dyn Error>> {
    let [q, dq, ddq] = [1, 2, 3].map(|seed| batch::sample(robot, seed, 1.0, 1));
    let n = robot.n_dofs();
    let (point, gravity) = (Point::origin(), Vector::new(0.0, 0.0, -9.81));
    let (mut state, mut ws) = (State::new(robot), dynamics::Workspace::new(robot));
    let (mut columns, mut square) = (Matrix6xX::zeros(n), DMatrix::zeros(n, n));
    let mut vector = vec![0.0; n];
    let loads = || dynamics::Loads::new(gravity);
    let least = |call: &mut dyn FnMut() -> kinworld::Result<()>| {
        let mut least = f64::INFINITY;
        for _ in 0..200 {
            let began = Instant::now();
            for _ in 0..2000 {
                call()?;
            }
            least = least.min(began.elapsed().as_secs_f64() * 1e9 / 2000.0);
        }
        Ok::<f64, kinworld::Error>(least)
    };
    let pose = least(&mut || {
        state.set_config(robot, black_box(&q))?;
        black_box(state.pose(robot, link));
        Ok(())
    })?;
    let jacobian = least(&mut || {
        state.set_config(robot, black_box(&q))?;
        kinematics::jacobian_into(robot, &state, link, &point, &mut columns);
        Ok(())
    })?;
    let inverse = least(&mut || {
        state.set_config(robot, black_box(&q))?;
        state.set_velocity(robot, black_box(&dq))?;
        dynamics::inverse_dynamics_into(robot, &state, loads(), &ddq, &mut ws, &mut vector)
    })?;
    let mass = least(&mut || {
        state.set_config(robot, black_box(&q))?;
        dynamics::mass_matrix_into(robot, &state, &mut ws, &mut square);
        Ok(())
    })?;
    let forward = least(&mut || {
        state.set_config(robot, black_box(&q))?;
        state.set_velocity(robot, black_box(&dq))?;
        dynamics::forward_dynamics_into(robot, &state, loads(), &ddq, &mut ws, &mut vector)
    })?;
    black_box((&columns, &square, &vector));
    println!(
        "pose {pose:.0}, Jacobian {jacobian:.0}, inverse dynamics {inverse:.0}, mass matrix {mass:.0}, forward dynamics {forward:.0}"
    );
    Ok(())
}
