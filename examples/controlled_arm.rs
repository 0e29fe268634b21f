//! A PD controller moves a six-axis arm to a configuration; sensor readings are written as CSV.
//!
//! ```sh
//! cargo run --example controlled_arm > arm.csv
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use kinworld::sim::{
    Integrator, KinematicTree, Method, Pd, Probe, Quantity, Recorder, Sensor, Steps, Tolerance,
};
use kinworld::{LinkId, Point, Robot, Vector};

fn main() -> kinworld::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/robots/arm6.urdf");
    let mut tree = KinematicTree::new(Robot::load(path)?.value);
    let n = tree.robot().n_dofs();
    let tool = LinkId::new(tree.robot().links().len() - 1);
    let target = [0.5, -0.4, 0.8, 0.2, 0.6, -0.3];

    tree.forces.gravity = Vector::new(0.0, 0.0, -9.81);
    tree.forces.pd = Pd::default()
        .with_p(vec![4000.0, 4000.0, 4000.0, 200.0, 200.0, 200.0])
        .with_d(vec![400.0, 400.0, 400.0, 10.0, 10.0, 10.0])
        .with_position(target.to_vec())
        .with_velocity(vec![0.0; n]);
    let mut state = tree.initial_state(0.0, &vec![0.0; n], &vec![0.0; n])?;
    let sensors = vec![
        Sensor::at("tool", tool, Point::origin(), Quantity::Position),
        Sensor::new("q", Probe::Positions),
    ];
    let mut recorder = Recorder::start(sensors, 0.02, &mut tree, &state)?;

    let steps = Steps::Adaptive(Tolerance::default());
    let mut integrator = Integrator::new(Method::Dopri5, steps)?;
    integrator.run(&mut tree, &mut state, 2.0, &mut recorder)?;
    print!("{}", recorder.table().to_csv());

    // gravity leaves a small error: the controller has no feed-forward
    let reached = tree.config(&state.y);
    assert!(
        reached
            .iter()
            .zip(target)
            .all(|(q, target)| (q - target).abs() < 0.1)
    );
    Ok(())
}
