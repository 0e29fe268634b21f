//! `automass`: the masses of links from their shapes.

use nalgebra::Matrix3;

use super::build::Build;
use crate::LoadError;
use crate::geometry::Geometry;
use crate::io::weigh::weigh;
use crate::math::{Inertia, Point};
use crate::robot::LinkSpec;

impl Build<'_, '_> {
    /// Gives links the centre and the moment of inertia of their shapes, where the file gives none.
    pub(super) fn weigh(&mut self) -> Result<(), LoadError> {
        let doc = self.doc;
        let Some(automass) = doc.auto_mass else {
            return Ok(());
        };
        let (com_is_given, moment_is_given) = (!doc.com.is_empty(), !doc.inertia.is_empty());
        if com_is_given && moment_is_given {
            return Ok(());
        }
        let has_shapes = doc.geometry.items.iter().any(|item| !item.value.is_empty());
        if !self.ctx.options().load_geometry && has_shapes {
            let message = "`automass` has no geometry to weigh, because none is loaded";
            let help = "centres and inertias are taken to be zero";
            self.warn(automass.position, message, help);
        }

        // shells are the default of the format
        let surface_fraction = automass.value.unwrap_or(1.0);
        let weighed = |link: &LinkSpec| {
            let Inertia { mass, com, .. } = link.inertia;
            let shapes = link.collision.iter();
            let shapes: Vec<_> = shapes.map(|e| (e.placement, e.geometry.clone())).collect();
            if shapes.is_empty() {
                let com = if com_is_given { com } else { Point::origin() };
                let moment = Matrix3::zeros();
                return Ok(Inertia { mass, com, moment });
            }
            let shape = Geometry::group(shapes);
            weigh(&shape, mass, surface_fraction, com_is_given.then_some(com))
                .map_err(|error| self.refused(automass.position, error))
        };
        let links = self.robot.links.iter();
        let weighed: Vec<Inertia> = links.map(weighed).collect::<Result<_, _>>()?;
        for (link, weighed) in self.robot.links.iter_mut().zip(weighed) {
            link.inertia.com = weighed.com;
            if !moment_is_given {
                link.inertia.moment = weighed.moment;
            }
        }
        Ok(())
    }
}
