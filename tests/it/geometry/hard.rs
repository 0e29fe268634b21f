//! Checks of all pairs in ill-conditioned positions.

use kinworld::geometry::query::{self, At, Distance};

/// Number of pairs of each kind.
pub(super) fn cases_of_a_kind() -> usize {
    if std::env::var_os("KINWORLD_FULL").is_some() {
        100_000
    } else {
        200
    }
}

/// Distance of two shapes: the same to the bit in either order, and 0 exactly where they collide.
pub(super) fn distance_either_way(a: At<'_>, b: At<'_>, what: &str) -> Distance {
    let found = query::distance(a, b).unwrap();
    let d = found.distance;
    assert!(d >= 0.0, "{what}: {d:e}");
    let back = query::distance(b, a).unwrap();
    assert_eq!(
        (d.to_bits(), found.on_a, found.on_b),
        (back.distance.to_bits(), back.on_b, back.on_a),
        "{what}: {d:e}"
    );
    assert_eq!(query::collides(a, b).unwrap(), d == 0.0, "{what}: {d:e}");
    assert_eq!(query::collides(b, a).unwrap(), d == 0.0, "{what}: {d:e}");
    found
}
