//! Parts of a model that stay out, each kind reported once with its line.

use super::Loaded;
use super::model::JointType;
use super::notes::Notes;

/// Sections without a meaning for kinematics and dynamics.
const SILENT: [&str; 4] = ["size", "statistic", "visual", "custom"];

/// Reports what is left out.
pub(super) fn report(loaded: &Loaded, notes: &mut Notes<'_>) {
    let Some(main) = loaded.documents.first() else {
        return;
    };
    for section in &main.others {
        if !SILENT.contains(&section.name.as_str()) {
            let what = format!("<{}> is left out", section.name);
            notes.leave_out(what, section.place);
        }
    }
    for asset in main.assets.iter().filter(|asset| asset.name == "skin") {
        notes.leave_out("<skin> is left out", asset.place);
    }
    for body in &loaded.model.bodies {
        if body.gravcomp != 0.0 {
            notes.leave_out("`gravcomp` of <body> is left out", body.place);
        }
        for joint in &body.joints {
            let is_scalar = matches!(joint.kind, JointType::Hinge | JointType::Slide);
            if joint.stiffness > 0.0 && !is_scalar {
                let what = "`stiffness` of ball and free joints is left out";
                notes.leave_out(what, joint.place);
            }
            if joint.align == Some(true) {
                let what = "`align` of <freejoint> is left out; the frame stays that of the file";
                notes.leave_out(what, joint.place);
            }
            let is_cone = joint.kind == JointType::Ball && joint.range.is_some();
            if is_cone {
                let what = "`range` of a ball joint, an angle about any axis, is left out";
                notes.leave_out(what, joint.place);
            }
        }
    }
}
