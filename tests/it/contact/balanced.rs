//! Loads with a known balance, and residuals of those without one.

use kinworld::contact::{ContactPoint, Equilibrium, Friction, equilibrium, net_wrench};
use kinworld::math::Wrench;
use kinworld::{Point, Vector};
use proptest::prelude::*;

use super::any_contact;
use random_robots::{any_vector, cases};

fn solved(contacts: &[ContactPoint], load: &Wrench) -> Equilibrium {
    equilibrium(contacts, load, &Point::origin(), Friction::Exact).unwrap()
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn balanced_loads_are_held_by_forces_no_larger_than_known_ones(
        contacts in prop::collection::vec((any_contact(), any_vector(5.0)), 1..7),
    ) {
        let (contacts, targets): (Vec<ContactPoint>, Vec<Vector>) = contacts.into_iter().unzip();
        let project = |(contact, target): (&ContactPoint, &Vector)| contact.cone.project(target);
        let known: Vec<Vector> = contacts.iter().zip(&targets).map(project).collect();
        let net = net_wrench(&contacts, &known, &Point::origin());
        let load = Wrench { moment: -net.moment, force: -net.force };
        let found = solved(&contacts, &load);
        prop_assert!(found.holds(), "{:e}", found.error);

        let size = |forces: &[Vector]| forces.iter().map(Vector::norm_squared).sum::<f64>().sqrt();
        let scale = size(&known).max(1e-3);
        prop_assert!(size(&found.forces) <= size(&known) + 1e-4 * scale);
        for (contact, force) in contacts.iter().zip(&found.forces) {
            prop_assert!(contact.cone.excess(force) <= 1e-6 * scale);
        }
    }

    #[test]
    fn residuals_are_separating_motions_at_every_contact(
        contacts in prop::collection::vec(any_contact(), 1..7),
        force in any_vector(5.0),
        moment in any_vector(5.0),
    ) {
        let load = Wrench { moment, force };
        let found = solved(&contacts, &load);
        prop_assume!(!found.holds());

        // the solver minimises the size to 1e-10, and so a direction to the square root of that;
        // as a motion, the residual lies in the dual cone of every contact, so no forces could leave less
        let radius = contacts.iter().map(|contact| contact.point.coords.norm()).fold(0.0, f64::max);
        let rotation = found.residual.moment / (radius * radius);
        let size = load.force.norm().max(load.moment.norm() / radius);
        for (contact, force) in contacts.iter().zip(&found.forces) {
            let v = found.residual.force + rotation.cross(&contact.point.coords);
            let along = contact.cone.normal().dot(&v);
            let across = (v - contact.cone.normal() * along).norm();
            prop_assert!(along - contact.cone.friction() * across >= -1e-4 * size);
            prop_assert!(contact.cone.excess(force) <= 1e-6 * size.max(force.norm()));
        }
    }
}
