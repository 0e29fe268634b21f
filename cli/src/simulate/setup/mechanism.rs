//! Mechanisms of a setup: a kinematic tree, or bodies in redundant coordinates.

use kinworld::Diagnostic;
use kinworld::sim::{Forces, IntegratorState, KinematicTree, Load, MultibodySystem, Pd};
use kinworld::world::RobotRef;

use super::Setup;
use crate::request::Refusal;
use crate::session;

impl Setup {
    /// Tree of a robot, and its state at a configuration and velocity.
    pub(in crate::simulate) fn tree(
        &self,
        robot: RobotRef<'_>,
        forces: Forces,
        [q, dq]: [&[f64]; 2],
    ) -> Result<(KinematicTree, IntegratorState), Refusal> {
        let mut tree = KinematicTree::new(robot.model().clone()).with_base(self.base());
        tree.forces = forces;
        if let Some(values) = &self.reference {
            tree = tree.with_reference(&session::configuration(robot, values)?)?;
        }
        let over_time = self.forces.iter().flatten();
        let forces: Result<Vec<_>, Refusal> = over_time
            .map(|force| Ok((force.dof(robot)?.index(), force.clone())))
            .collect();
        let forces = forces?;
        if !forces.is_empty() {
            tree = tree.with_user_force(move |t, _, _, tau| {
                for (dof, force) in &forces {
                    tau[*dof] += force.at(t);
                }
            });
        }
        let state = tree.initial_state(0.0, q, dq)?;
        Ok((tree, state))
    }

    /// Bodies and joints of a robot, its state at a configuration and velocity, and what they leave out.
    pub(in crate::simulate) fn bodies(
        &self,
        robot: RobotRef<'_>,
        forces: &Forces,
        [q, dq]: [&[f64]; 2],
    ) -> Result<(MultibodySystem, IntegratorState, Option<Diagnostic>), Refusal> {
        for (name, is_given) in [
            ("forces", self.forces.is_some()),
            ("reference", self.reference.is_some()),
        ] {
            if is_given {
                let problem = format!("`{name}` needs `redundant` to be false");
                return Err(Refusal(problem));
            }
        }
        let model = robot.model();
        let (mut system, mut bodies) = MultibodySystem::from_robot(model)?;
        system.gravity = forces.gravity;
        system.set_base(&self.base())?;
        bodies.set_pd(&mut system, &with_damping(robot, forces), &forces.joint)?;
        for (link, wrench) in &forces.wrenches {
            let load = Load::new(*link).with_force(wrench.force);
            system.loads.push(load.with_moment(wrench.moment));
        }
        let state = bodies.initial_state(&mut system, 0.0, q, dq)?;
        let has_dry = |servo: &kinworld::robot::Servo| servo.dry_friction > 0.0;
        let is_limited = |x: f64, y: f64| x.is_finite() || y.is_finite();
        let mut limits = model.limits().iter();
        let has_limits =
            forces.stops.is_some() && limits.any(|limits| is_limited(limits.q_min, limits.q_max));
        let has_dry = forces.friction.is_some()
            && model.drivers().iter().any(|driver| has_dry(&driver.servo));
        let has_springs =
            forces.springs && model.links().iter().any(|link| link.spring().is_some());
        let parts = [
            (has_limits, "joint limits"),
            (has_dry, "dry friction"),
            (has_springs, "springs"),
        ];
        let parts = parts.into_iter().filter(|(is_left_out, _)| *is_left_out);
        let parts: Vec<&str> = parts.map(|(_, what)| what).collect();
        let left_out = (!parts.is_empty()).then(|| {
            let what = parts.join(" and ");
            Diagnostic::warning(format!("redundant coordinates leave out {what}"))
        });
        Ok((system, state, left_out))
    }
}

/// The controller, and the viscous friction of the drivers as damping towards rest.
fn with_damping(robot: RobotRef<'_>, forces: &Forces) -> Pd {
    let (model, mut pd) = (robot.model(), forces.pd.clone());
    if forces.friction.is_none() {
        return pd;
    }
    let n = model.n_dofs();
    let has_d = !pd.d.is_empty() && !pd.velocity.is_empty();
    let mut d = if has_d { pd.d } else { vec![0.0; n] };
    let mut target = if has_d { pd.velocity } else { vec![0.0; n] };
    for driver in model.drivers() {
        let damping = driver.servo.viscous_friction;
        let dof = driver
            .kind
            .links()
            .first()
            .and_then(|&link| model.link(link).dof());
        if let (Some(dof), true) = (dof, damping > 0.0) {
            let i = dof.index();

            // d (v − q̇) − c q̇ = (d + c) (d v / (d + c) − q̇)
            target[i] *= d[i] / (d[i] + damping);
            d[i] += damping;
        }
    }
    (pd.d, pd.velocity) = (d, target);
    pd
}
