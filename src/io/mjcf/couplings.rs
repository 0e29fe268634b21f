//! Joints that follow others: equalities of joints, and fixed tendons.

use std::collections::HashMap;

use super::Loaded;
use super::notes::Notes;
use super::robot::Assembly;
use crate::Diagnostic;

/// `q = scale · q_master + offset`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Follower {
    /// Index of the joint that it follows.
    pub(super) master: usize,
    pub(super) scale: f64,
    pub(super) offset: f64,
}

/// The joints of a robot that follow another one, by their indices.
pub(super) fn followers(
    assembly: &Assembly,
    scalars: &HashMap<String, usize>,
    loaded: &Loaded,
    notes: &mut Notes<'_>,
) -> Result<HashMap<usize, Follower>, Diagnostic> {
    let mut direct: HashMap<usize, Follower> = HashMap::new();
    for equality in loaded.references(|document| &document.equalities) {
        let kind = equality.node.name.as_str();
        let place = equality.node.place;
        if kind != "joint" {
            let what = format!("<equality><{kind}> is left out");
            notes.leave_out(what, place);
            continue;
        }
        let names = (equality.named("joint1"), equality.named("joint2"));
        let own = |name: &Option<String>| scalars.get(name.as_ref()?).copied();
        let (joint, master) = (own(&names.0), own(&names.1));
        let (Some(joint), Some(master)) = (joint, master) else {
            if joint.is_some() || master.is_some() {
                let what = "<equality><joint> with less than two joints of one robot is left out";
                notes.leave_out(what, place);
            }
            continue;
        };
        let fields = equality.fields("equality", &["equality"], notes)?;
        if fields.flag("active")? == Some(false) {
            continue;
        }
        let [a0, a1, a2, a3, a4] = fields.overlay("polycoef", [0.0, 1.0, 0.0, 0.0, 0.0])?.0;
        if [a2, a3, a4].iter().any(|x| *x != 0.0) {
            let what = "<equality><joint> with a polynomial that is not linear is left out";
            notes.leave_out(what, place);
            continue;
        }
        let reference = |k: usize| assembly.joints.get(k).map_or(0.0, |p| p.joint.reference);
        let follower = Follower {
            master,
            scale: a1,
            offset: reference(joint) + a0 - a1 * reference(master),
        };
        if joint == master || direct.insert(joint, follower).is_some() {
            let what = "a second <equality><joint> of the same joint is left out";
            notes.leave_out(what, place);
        }
    }
    // those of followers follow the last of the chain
    let mut all = HashMap::new();
    for (&joint, &first) in &direct {
        let mut follower = first;
        let mut steps = 0;
        while let Some(next) = direct.get(&follower.master) {
            follower = Follower {
                master: next.master,
                scale: follower.scale * next.scale,
                offset: follower.scale * next.offset + follower.offset,
            };
            steps += 1;
            if steps > direct.len() {
                break;
            }
        }
        if steps > direct.len() {
            let place = assembly.joints.get(joint).map(|placed| placed.joint.place);
            if let Some(place) = place {
                let what = "joints that follow one another in a circle are left free";
                notes.leave_out(what, place);
            }
            continue;
        }
        all.insert(joint, follower);
    }
    Ok(all)
}

/// The joints and coefficients of fixed tendons, by name.
pub(super) fn tendons(
    loaded: &Loaded,
    notes: &mut Notes<'_>,
) -> Result<HashMap<String, Vec<(String, f64)>>, Diagnostic> {
    let mut tendons = HashMap::new();
    for tendon in loaded.references(|document| &document.tendons) {
        if tendon.node.name != "fixed" {
            let what = format!("<{}> tendons are left out", tendon.node.name);
            notes.leave_out(what, tendon.node.place);
            continue;
        }
        let fields = tendon.fields("tendon", &["tendon"], notes)?;
        if fields.number("armature")?.unwrap_or(0.0) != 0.0 {
            notes.leave_out("`armature` of tendons is left out", tendon.node.place);
        }
        let mut joints = Vec::new();
        for part in tendon.node.all("joint") {
            let fields = super::fields::Fields::plain(part, "tendon", tendon.document, notes);
            let Some(joint) = part.word("joint") else {
                return Err(fields.error("<joint> of a tendon needs the attribute `joint`"));
            };
            let coefficient = fields.number("coef")?.unwrap_or(1.0);
            joints.push((tendon.scope.full_name(joint), coefficient));
        }
        if let Some(name) = tendon.name() {
            tendons.insert(name, joints);
        }
    }
    Ok(tendons)
}
