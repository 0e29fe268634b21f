//! A four-bar linkage as a multibody system: the loop is closed from an approximate initial state, then the linkage falls.
//!
//! ```sh
//! cargo run --example four_bar
//! ```

#![expect(clippy::print_stdout, reason = "an example shows numbers")]

use kinworld::math::Inertia;
use kinworld::sim::{
    Axes, Evaluation, GenericJoint, Integrator, Marker, Mechanism, Method, MultibodySystem, Probe,
    Recorder, Sensor, Steps,
};
use kinworld::{Point, Pose, Vector};
use nalgebra::Matrix3;

/// A thin rod along x, of 2 kg per metre.
fn rod(length: f64) -> Inertia {
    let mass = 2.0 * length;
    let across = mass * length * length / 12.0;
    Inertia {
        mass,
        com: Point::new(0.5 * length, 0.0, 0.0),
        moment: Matrix3::from_diagonal(&Vector::new(1e-4, across, across)),
    }
}

fn main() -> kinworld::Result<()> {
    let at = |x: f64, y: f64, angle: f64| {
        Pose::translation(x, y, 0.0) * Pose::rotation(Vector::z() * angle)
    };
    let end = |length: f64| Point::new(length, 0.0, 0.0);
    let mut system = MultibodySystem::new();
    system.gravity = Vector::new(0.0, -9.81, 0.0);

    // approximate poses: the loop is not closed yet
    let crank = system.add_body("crank", &rod(0.3), &at(0.0, 0.0, 1.5))?;
    let coupler = system.add_body("coupler", &rod(0.8), &at(0.02, 0.3, 0.4))?;
    let rocker = system.add_body("rocker", &rod(0.6), &at(0.9, 0.0, 1.8))?;
    let pins = [
        ("A", Marker::GROUND, Marker::on(crank)),
        ("B", Marker::on(crank).at(end(0.3)), Marker::on(coupler)),
        (
            "C",
            Marker::on(coupler).at(end(0.8)),
            Marker::on(rocker).at(end(0.6)),
        ),
        ("D", Marker::GROUND.at(end(0.9)), Marker::on(rocker)),
    ];
    for (name, a, b) in pins {
        system.add_joint(GenericJoint::new(name, Axes::REVOLUTE, a, b))?;
    }
    let mut state = system.initial_state(0.0)?;
    for found in system.redundancies(&state)? {
        println!(
            "{} has {} redundant constraints",
            found.constraint, found.rows
        );
    }

    let sensors = vec![
        Sensor::new("pin", Probe::Positions),
        Sensor::new("energy", Probe::Energy),
    ];
    let mut recorder = Recorder::start(sensors, 0.1, &mut system, &state)?;
    let method = Method::GeneralizedAlpha { rho: 0.9 };
    Integrator::new(method, Steps::Length(1e-3))?.run(
        &mut system,
        &mut state,
        2.0,
        &mut recorder,
    )?;
    let table = recorder.into_table();
    let (a, d) = (
        table.column("pin_A").unwrap_or(0),
        table.column("pin_D").unwrap_or(0),
    );
    println!("   t, s   crank, rad  rocker, rad");
    for row in table.rows() {
        println!("{:7.2} {:12.6} {:12.6}", row[0], row[a], row[d]);
    }
    let error = system.residual(state.t, &state.y)?;
    println!(
        "position error of the constraints: {:.1e} m",
        error.position
    );
    let now = system.at(state.t, &state.y)?;
    println!("energy {:.6} J", now.energy().total());
    Ok(())
}
