//! Writer of shapes as `<visual>` and `<collision>`.

use std::fmt::Write as _;

use super::Writer;
use crate::geometry::{Appearance, Geometry, PrimitiveKind, Shape};
use crate::io::text::{number, numbers, xml_attribute};
use crate::math::{Pose, Vector, so3};
use crate::robot::{Element, LinkSpec};

impl Writer<'_> {
    pub(super) fn shapes(&mut self, link: &LinkSpec) {
        for (tag, elements) in [("visual", &link.visual), ("collision", &link.collision)] {
            for element in elements {
                self.shape(tag, element, &link.name);
            }
        }
    }

    fn shape(&mut self, tag: &str, element: &Element, link: &str) {
        if element.geometry.margin() > 0.0 {
            self.output
                .warn(format!("link `{link}`: the margin of a shape is not kept"));
        }
        let (form, inner) = match primitive(&element.geometry) {
            Some(known) => known,
            None => {
                let Some(file) = self.output.shape(&element.geometry, link) else {
                    return;
                };
                let file = xml_attribute(&self.output.beside(&file));
                (format!("<mesh filename={file}/>"), None)
            }
        };
        let name = match element.name.as_str() {
            "" => String::new(),
            name => format!(" name={}", xml_attribute(name)),
        };
        let _ = writeln!(self.text, "    <{tag}{name}>");
        let placement = inner.map_or(element.placement, |inner: Pose| element.placement * inner);
        self.origin(&placement, "      ", link);
        let _ = writeln!(self.text, "      <geometry>{form}</geometry>");
        if let Some(appearance) = &element.appearance {
            if tag == "visual" {
                self.material(appearance);
            } else {
                self.output.warn("colours of collision shapes are not kept");
            }
        }
        let _ = writeln!(self.text, "    </{tag}>");
    }

    fn material(&mut self, appearance: &Appearance) {
        let mut inside = String::new();
        if let Some(color) = &appearance.color {
            inside += &format!("<color rgba=\"{}\"/>", numbers(color));
        }
        if let Some(texture) = &appearance.texture {
            inside += &format!("<texture filename={}/>", xml_attribute(texture));
        }
        let name = xml_attribute(&appearance.name);
        let _ = writeln!(self.text, "      <material name={name}>{inside}</material>");
    }
}

/// The element of a primitive that URDF has, with its pose in the frame of the geometry.
fn primitive(geometry: &Geometry) -> Option<(String, Option<Pose>)> {
    let Shape::Primitive(primitive) = geometry.shape() else {
        return None;
    };
    let shifted = |center: &Vector| {
        (*center != Vector::zeros()).then(|| Pose::translation(center.x, center.y, center.z))
    };
    let rotated = |center: Vector, axis: &Vector| {
        let rotation = so3::align(&Vector::z(), axis);
        let pose = Pose::from_parts(center.into(), rotation);
        (pose != Pose::identity()).then_some(pose)
    };
    Some(match primitive.kind() {
        PrimitiveKind::Box { pose, size } => {
            let inner = (*pose != Pose::identity()).then_some(*pose);
            (format!("<box size=\"{}\"/>", numbers(size)), inner)
        }
        PrimitiveKind::Aabb(aabb) if aabb.max > aabb.min => {
            let size = aabb.max - aabb.min;
            (
                format!("<box size=\"{}\"/>", numbers(&size)),
                shifted(&aabb.center().coords),
            )
        }
        PrimitiveKind::Sphere { center, radius } => (
            format!("<sphere radius=\"{}\"/>", number(*radius)),
            shifted(&center.coords),
        ),
        PrimitiveKind::Cylinder {
            center,
            axis,
            radius,
            height,
        } => {
            let (radius, length) = (number(*radius), number(*height));
            let form = format!("<cylinder radius=\"{radius}\" length=\"{length}\"/>");
            (form, rotated(center.coords, axis))
        }
        PrimitiveKind::Capsule { a, b, radius } if (b - a).norm() > 0.0 => {
            let (radius, length) = (number(*radius), number((b - a).norm()));
            let form = format!("<capsule radius=\"{radius}\" length=\"{length}\"/>");
            (form, rotated((a.coords + b.coords) / 2.0, &(b - a)))
        }
        _ => return None,
    })
}
