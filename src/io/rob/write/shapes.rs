//! Writer of the shapes of links: one by `geometry`, the others by `mount`.

use super::Writer;
use crate::geometry::Geometry;
use crate::io::text::{numbers, pose};
use crate::math::Pose;
use crate::robot::{Element, LinkSpec};

impl Writer<'_> {
    pub(super) fn shapes(&mut self) {
        let spec = self.spec;
        let (mut names, mut margins, mut mounts) = (Vec::new(), Vec::new(), Vec::new());
        for (i, link) in spec.links.iter().enumerate() {
            let mut name = String::new();
            let mut margin = 0.0;
            for (k, element) in link.collision.iter().enumerate() {
                let Some(file) = self.output.shape(&element.geometry, &link.name) else {
                    continue;
                };
                let file = format!("\"{}{file}\"", self.prefix);
                if k == 0 && element.placement == Pose::identity() {
                    margin = element.geometry.margin();
                    name = file;
                    continue;
                }
                mounts.push(format!("{i} {file}  {}", pose(&element.placement)));
                if element.geometry.margin() > 0.0 {
                    let link = &link.name;
                    self.output.warn(format!(
                        "link `{link}`: the margin of a mounted shape is not kept"
                    ));
                }
            }
            names.push(if name.is_empty() {
                "\"\"".to_owned()
            } else {
                name
            });
            margins.push(margin);
        }
        if names.iter().any(|name| name != "\"\"") {
            self.line("geometry", &names.join(" \\\n  "));
        }
        if margins.iter().any(|margin| *margin > 0.0) {
            self.line("geommargin", &numbers(&margins));
        }
        for mount in mounts {
            self.line("mount", &mount);
        }
        self.warn_of_visuals();
    }

    /// Warns of visual shapes: they cannot differ from the collision shapes.
    fn warn_of_visuals(&mut self) {
        let links = &self.spec.links;
        let differs = |link: &&LinkSpec| !same_shapes(&link.visual, &link.collision);
        let n = links.iter().filter(differs).count();
        if n > 0 {
            self.output.warn(format!(
                "{n} of {} links have visual shapes that differ from the collision shapes; only the collision shapes are kept",
                links.len()
            ));
        }
        let is_named = |element: &Element| !element.name.is_empty() || element.appearance.is_some();
        if links.iter().flat_map(|link| &link.collision).any(is_named) {
            self.output.warn("names and colours of shapes are not kept");
        }
    }
}

/// True if two lists hold the same shapes at the same poses.
fn same_shapes(a: &[Element], b: &[Element]) -> bool {
    let same = |(a, b): (&Element, &Element)| {
        let is_shared = Geometry::identity(&a.geometry) == Geometry::identity(&b.geometry);
        (is_shared || a.geometry == b.geometry) && a.placement == b.placement
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}
