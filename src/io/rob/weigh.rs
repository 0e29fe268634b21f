//! `automass`: the masses of links from their shapes.

use super::build::Build;
use crate::io::weigh::weigh;
use crate::math::Point;

impl Build<'_, '_> {
    /// Gives links the centre and the moment of inertia of their shapes, where the file gives none.
    pub(super) fn weigh(&mut self) {
        let doc = self.doc;
        let Some(automass) = doc.auto_mass else {
            return;
        };
        let (com_is_given, inertia_is_given) = (!doc.com.is_empty(), !doc.inertia.is_empty());
        let has_shapes = doc.geometry.items.iter().any(|item| !item.value.is_empty());
        if !self.ctx.options().load_geometry && has_shapes && !(com_is_given && inertia_is_given) {
            let message = "`automass` has no geometry to look at, because none is loaded";
            self.warn(
                automass.place,
                message,
                "centres and inertias are taken to be zero",
            );
        }
        // files mean shells, unless they say otherwise
        let surface_fraction = automass.value.unwrap_or(1.0);
        for link in &mut self.robot.links {
            let shapes: Vec<_> = link
                .collision
                .iter()
                .map(|element| (element.placement, element.geometry.clone()))
                .collect();
            let inertia = &mut link.inertia;
            let com = com_is_given.then_some(inertia.com);
            let weighed = weigh(&shapes, inertia.mass, surface_fraction, com);
            if !com_is_given {
                inertia.com = weighed.map_or_else(Point::origin, |weighed| weighed.com);
            }
            if !inertia_is_given {
                inertia.moment = weighed.map_or_else(nalgebra::Matrix3::zeros, |w| w.moment);
            }
        }
    }
}
