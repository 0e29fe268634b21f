//! Sweep and prune: overlaps among moving boxes.

use crate::geometry::Aabb;

/// Calls `found` with the indices of every two boxes that overlap or touch, smaller index first.
///
/// `order` is scratch: the indices sorted along x, nearly sorted already after a previous call.
pub(super) fn sweep(boxes: &[Aabb], order: &mut Vec<u32>, mut found: impl FnMut(usize, usize)) {
    if order.len() != boxes.len() {
        order.clear();
        order.extend(0..boxes.len() as u32);
    }
    let left = |i: &u32| boxes[*i as usize].min.x;
    order.sort_unstable_by(|i, j| left(i).total_cmp(&left(j)));
    for (position, &i) in order.iter().enumerate() {
        let bounds = &boxes[i as usize];
        for &j in &order[position + 1..] {
            let other = &boxes[j as usize];
            if other.min.x > bounds.max.x {
                break;
            }
            if bounds.overlaps(other) {
                found(i.min(j) as usize, i.max(j) as usize);
            }
        }
    }
}
