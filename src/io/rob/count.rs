//! Number of links of a `.rob` file: the most common length of its per-link lists.

use std::collections::BTreeMap;
use std::path::Path;

use super::build::Build;
use super::document::{Document, Item, List};
use crate::Diagnostic;
use crate::io::words::counted;

/// Infers the number of links: the most common length of a list, the smaller one of two equally common ones.
pub(super) fn links(doc: &Document<'_>, path: &Path) -> Result<usize, Diagnostic> {
    let mut counts = BTreeMap::new();
    for (_, length) in per_link(doc) {
        *counts.entry(length).or_insert(0) += 1;
    }
    let mut n = (0, 0);
    for (length, count) in counts {
        if count > n.1 {
            n = (length, count);
        }
    }
    if n.0 == 0 && doc.mounts.is_empty() {
        let help = "a robot needs at least `parents` or `tparent`, or a `mount`";
        return Err(Diagnostic::error("the file describes no link")
            .in_file(path)
            .help(help));
    }
    Ok(n.0)
}

/// Refuses lists of another length.
pub(super) fn check(build: &mut Build<'_, '_>) -> Result<(), Diagnostic> {
    let (doc, n) = (build.doc, build.n);
    let free = [entry(&doc.geometry), entry(&doc.acc_max)];
    for (keyword, length) in per_link(doc).into_iter().chain(free.into_iter().flatten()) {
        if length == n {
            continue;
        }
        let message = format!(
            "`{}` needs {}, got {length}",
            keyword.value,
            counted(n, "entry", "entries")
        );
        if keyword.value.to_ascii_lowercase().starts_with("accmax") && length > n {
            build.warn(keyword.position, message, "the excess is ignored");
            continue;
        }
        let help = format!(
            "most lists have {}, so that the robot has {}",
            counted(n, "entry", "entries"),
            counted(n, "link", "links")
        );
        return Err(build.error(keyword.position, message).help(help));
    }
    for (keyword, length) in [entry(&doc.geom_scale), entry(&doc.geom_margin)]
        .into_iter()
        .flatten()
    {
        if length != n && length != 1 {
            let wanted = match n {
                1 => "1 entry".to_owned(),
                n => format!("1 or {n} entries"),
            };
            let message = format!("`{}` needs {wanted}, got {length}", keyword.value);
            return Err(build.error(keyword.position, message));
        }
    }
    Ok(())
}

/// The keywords and lengths of the lists that have an entry per link.
fn per_link<'d>(doc: &'d Document<'_>) -> Vec<(&'d Item<String>, usize)> {
    let lists = [
        entry(&doc.parents),
        entry(&doc.joint_type),
        entry(&doc.links),
        entry(&doc.mass),
        entry(&doc.com),
        entry(&doc.inertia),
        entry(&doc.a),
        entry(&doc.d),
        entry(&doc.alpha),
        entry(&doc.theta),
        entry(&doc.t_parent),
        entry(&doc.axis),
        entry(&doc.q),
        entry(&doc.q_min),
        entry(&doc.q_max),
        entry(&doc.vel_min),
        entry(&doc.vel_max),
        entry(&doc.torque_max),
        entry(&doc.power_max),
    ];
    lists.into_iter().flatten().collect()
}

fn entry<T>(list: &List<T>) -> Option<(&Item<String>, usize)> {
    let keyword = list.keyword.as_ref()?;
    (!list.is_empty()).then_some((keyword, list.len()))
}
