//! Batches of the library, for `batches.py` beside it: prints a line of nanoseconds per row for each round that is asked for.
//!
//! `batches DATA ROWS`, with the folder `data` of the repository; each line of standard input is a round.

#![expect(clippy::print_stdout, reason = "its output is what it is for")]

use std::error::Error;
use std::hint::black_box;
use std::io::BufRead as _;
use std::time::Instant;

use kinworld::batch::{self, Workspace};
use kinworld::kinematics::ik;
use kinworld::planning::{CSpace as _, RobotCSpace};
use kinworld::{Point, Robot, State, Vector, WorldModel};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().ok_or("batches DATA ROWS");
    let (data, rows) = (next()?, next()?.parse::<usize>()?);
    let robot = Robot::load(format!("{data}/robots/panda.urdf"))?.value;
    let link = robot.link_id("tool")?;
    let n = robot.n_dofs();
    let [q, dq, ddq] = [1, 2, 3].map(|seed| batch::sample(&robot, seed, 1.0, rows));
    let (point, gravity) = (Point::origin(), Vector::new(0.0, 0.0, -9.81));
    let mut ws = Workspace::new(&robot).with_row_major();
    let mut poses = vec![[0.0; 16]; rows];
    let mut out = vec![0.0; 3 * n * n * rows];

    let mut world = WorldModel::new();
    world.add_file(format!("{data}/robots/arm6.urdf"))?;
    world.add_file(format!("{data}/terrains/table.env"))?;
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
        clock(&mut || {
            ik::solve_batch(&robot, &problems, &options).map(|found| drop(black_box(found)))
        })?;
        black_box((&poses, &out, &free));
        let times: Vec<String> = times.iter().map(|time| format!("{time:.9}")).collect();
        println!("{}", times.join(" "));
    }
    Ok(())
}
