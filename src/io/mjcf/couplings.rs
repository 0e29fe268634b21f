//! Joints that follow others: equalities of joints, and fixed tendons.

use std::collections::{BTreeMap, HashMap};

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

/// The couplings of a robot's joints, by the indices of these.
#[derive(Debug, Default)]
pub(super) struct Couplings {
    /// Joints that follow others, the last of each chain.
    pub(super) followers: HashMap<usize, Follower>,
    /// Joints that are held at a value.
    pub(super) held: BTreeMap<usize, f64>,
}

/// The couplings from equalities of joints and of fixed tendons.
pub(super) fn couplings(
    assembly: &Assembly,
    scalars: &HashMap<String, usize>,
    tendons: &HashMap<String, Vec<(String, f64)>>,
    loaded: &Loaded,
    notes: &mut Notes<'_>,
) -> Result<Couplings, Diagnostic> {
    let mut direct: HashMap<usize, Follower> = HashMap::new();
    let mut held = BTreeMap::new();
    for equality in loaded.references(|document| &document.equalities) {
        let kind = equality.node.name.as_str();
        let place = equality.node.place;
        match kind {
            "joint" | "tendon" => {}
            "connect" | "weld" => continue,
            _ => {
                notes.leave_out(format!("<equality><{kind}> is left out"), place);
                continue;
            }
        }
        let fields = equality.fields("equality", &["equality"], notes)?;
        if fields.flag("active")? == Some(false) {
            continue;
        }
        let [a0, a1, a2, a3, a4] = fields.overlay("polycoef", [0.0, 1.0, 0.0, 0.0, 0.0])?.0;
        // the polynomial of nothing is its constant
        let second = equality.named(&format!("{kind}2"));
        if second.is_some() && [a2, a3, a4].iter().any(|x| *x != 0.0) {
            let what =
                format!("<equality><{kind}> with a polynomial that is not linear is left out");
            notes.leave_out(what, place);
            continue;
        }
        // Σ coefficient (q − reference) = a0
        let first = equality.named(&format!("{kind}1")).unwrap_or_default();
        let mut terms: Vec<(String, f64)> = Vec::new();
        let sides = std::iter::once((first, 1.0)).chain(second.map(|name| (name, -a1)));
        let mut is_spatial = false;
        for (name, factor) in sides {
            match (kind, tendons.get(&name)) {
                ("joint", _) => terms.push((name, factor)),
                (_, Some(joints)) => {
                    terms.extend(joints.iter().map(|(joint, c)| (joint.clone(), c * factor)));
                }
                (_, None) => is_spatial = true,
            }
        }
        if is_spatial {
            let what = "<equality><tendon> of a spatial tendon is left out";
            notes.leave_out(what, place);
            continue;
        }
        let mut sum: Vec<(usize, f64)> = Vec::new();
        let mut n_others = 0;
        for (name, coefficient) in terms {
            match scalars.get(&name) {
                Some(&k) => match sum.iter_mut().find(|(other, _)| *other == k) {
                    Some((_, sum)) => *sum += coefficient,
                    None => sum.push((k, coefficient)),
                },
                None => n_others += 1,
            }
        }
        if sum.is_empty() {
            // of another robot
            continue;
        }
        sum.retain(|(_, coefficient)| *coefficient != 0.0);
        let reference = |k: usize| assembly.joints.get(k).map_or(0.0, |p| p.joint.reference);
        match sum.as_slice() {
            [] => {}
            _ if n_others > 0 => {
                let what = format!("<equality><{kind}> of joints of several robots is left out");
                notes.leave_out(what, place);
            }
            &[(joint, c)] => {
                held.insert(joint, reference(joint) + a0 / c);
            }
            &[(joint, c), (master, d)] => {
                let scale = -d / c;
                let follower = Follower {
                    master,
                    scale,
                    offset: reference(joint) + a0 / c - scale * reference(master),
                };
                if direct.insert(joint, follower).is_some() {
                    let what = format!("a second <equality><{kind}> of the same joint is left out");
                    notes.leave_out(what, place);
                }
            }
            _ => {
                let what = format!("<equality><{kind}> of more than two joints is left out");
                notes.leave_out(what, place);
            }
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
        // what follows a joint that is held is held as well
        if let Some(value) = held.get(&follower.master) {
            held.insert(joint, follower.scale * value + follower.offset);
            continue;
        }
        all.insert(joint, follower);
    }
    all.retain(|joint, _| !held.contains_key(joint));
    Ok(Couplings {
        followers: all,
        held,
    })
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
