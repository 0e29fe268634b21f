//! Replicas of parts of the tree.

use nalgebra::Translation3;

use super::bodies::{Bodies, Scope};
use super::document::Node;
use super::fields::Fields;
use super::frame;
use crate::Diagnostic;
use crate::math::Pose;

/// Adds the contents of a `<replicate>` as often as it says.
pub(super) fn replicate<'a>(
    bodies: &mut Bodies<'a, '_, '_>,
    node: &'a Node,
    body: usize,
    scope: &Scope,
) -> Result<(), Diagnostic> {
    let document = bodies.documents.get(scope.document);
    let settings = bodies.settings.get(scope.document);
    let (Some(document), Some(settings)) = (document, settings) else {
        return Ok(());
    };
    let fields = Fields::plain(node, "replicate", document, bodies.notes);
    let count = fields.number("count")?.unwrap_or(0.0);
    if !(1.0..=1e6).contains(&count) || count.fract() != 0.0 {
        let problem = format!("`count` must be a whole number from 1 to a million, got {count}");
        return Err(fields.error_at("count", problem));
    }
    let count = count as usize;
    let offset = Translation3::from(fields.numbers::<3>("offset")?.unwrap_or_default());
    let angles = fields.numbers::<3>("euler")?.unwrap_or_default();
    let separator = fields.word("sep").unwrap_or_default().to_owned();
    let digits = count.to_string().len();
    let mut pose = Pose::identity();
    for i in 0..count {
        let angles = angles.map(|angle| angle * settings.angle * i as f64);
        pose.rotation = frame::euler(angles, settings.eulerseq);
        let inner = Scope {
            // the innermost suffix comes first
            suffix: format!("{separator}{i:0digits$}{}", scope.suffix),
            pose: scope.pose * pose,
            depth: scope.depth + 1,
            ..scope.clone()
        };
        bodies.children(node, body, &inner)?;
        pose.translation.vector += pose.rotation * offset.vector;
    }
    Ok(())
}
