//! Points in the order of a space-filling curve.

use super::Centered;

/// Values of a coordinate; the bits of three make a code.
const CELLS: usize = 1 << 8;

/// Values of half a code.
const HALF: usize = 1 << 12;

/// Points up to which they are compared with one another, and from which on all bits of their codes are looked at.
const FEW: usize = 24;
const MANY: usize = 1 << 11;

/// Adding this rounds to an integer, and leaves it in the lowest bits.
const ROUND: f32 = 8_388_608.0;

/// A point and its code.
pub(super) type Coded = ([f32; 3], u32);

/// Points in a box, in Morton order: sorted by the upper halves of their codes, then those of each by the lower ones, which may leave
/// out the last three bits.
pub(super) fn morton(set: &Centered<'_>) -> Vec<Coded> {
    let ends = &set.ends;
    let extent = (0..3).fold(0.0_f32, |m, k| m.max(ends[1][k] - ends[0][k]));
    let scale = if extent > 1e-30 {
        (CELLS - 1) as f32 / extent
    } else {
        0.0
    };
    let code = |p: [f32; 3]| {
        let [x, y, z] = [0, 1, 2].map(|k| {
            let cell = ((p[k] - ends[0][k]) * scale + ROUND).to_bits() as usize;
            SPACED[cell % CELLS]
        });
        x | y << 1 | z << 2
    };
    let upper = |code: u32| code as usize / HALF % HALF;
    let codes: Vec<u32> = set.iter().map(code).collect();
    let mut starts = [0_u32; HALF];
    for code in &codes {
        starts[upper(*code)] += 1;
    }
    let most = starts.iter().fold(0, |most, &n| n.max(most));
    from_counts(&mut starts);
    let mut sorted: Vec<Coded> = vec![([0.0; 3], 0); codes.len()];
    for (p, code) in set.iter().zip(codes) {
        let at = &mut starts[upper(code)];
        sorted[*at as usize] = (p, code);
        *at += 1;
    }
    let mut copy = vec![([0.0; 3], 0); most as usize];
    let mut counts = [0_u32; HALF];
    let mut first = 0;
    for end in starts {
        let group = &mut sorted[first..end as usize];
        match group.len() {
            0 | 1 => {}
            ..FEW => group.sort_unstable_by_key(|(_, code)| *code),
            n => by_lower_half(group, &mut copy[..n], &mut counts),
        }
        first = end as usize;
    }
    sorted
}

/// Sorts points by the lower halves of their codes.
fn by_lower_half(points: &mut [Coded], copy: &mut [Coded], starts: &mut [u32; HALF]) {
    let unit = if points.len() < MANY { 8 } else { 1 };
    let starts = &mut starts[..HALF / unit];
    starts.fill(0);
    let lower = |code: u32| code as usize % HALF / unit;
    copy.copy_from_slice(points);
    for (_, code) in &*copy {
        starts[lower(*code)] += 1;
    }
    from_counts(starts);
    for point in copy {
        let at = &mut starts[lower(point.1)];
        points[*at as usize] = *point;
        *at += 1;
    }
}

/// The first place of each of some groups, of which there are numbers of members.
fn from_counts(counts: &mut [u32]) {
    let mut start = 0;
    for count in counts {
        (*count, start) = (start, start + *count);
    }
}

/// Numbers with two zeros between each bit and the next.
static SPACED: [u32; CELLS] = {
    let mut table = [0; CELLS];
    let mut i = 0;
    while i < CELLS {
        let x = i as u32;
        let x = (x | x << 8) & 0x0000_f00f;
        let x = (x | x << 4) & 0x030c_30c3;
        table[i] = (x | x << 2) & 0x0924_9249;
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::{CELLS, Centered, FEW, MANY, morton};
    use crate::geometry::Aabb;
    use crate::math::{Point, SplitMix};

    #[test]
    fn all_points_come_once_and_in_order() {
        let mut random = SplitMix::new(3);
        let mut cloud = |n: usize, size: f64| -> Vec<Point> {
            let mut number = |_: usize| size * random.uniform();
            (0..n)
                .map(|_| Point::from([0, 1, 2].map(&mut number)))
                .collect()
        };
        // groups of one, of few, of some and of many points
        for (n, inner) in [
            (1, 0),
            (FEW, 0),
            (6000, 0),
            (100, MANY / 2),
            (100, 2 * MANY),
        ] {
            let mut points = cloud(n, 1.0);
            points.extend(cloud(inner, 0.01));
            let bounds = Aabb::around(points.iter().copied()).expect("there are points");
            let set = Centered::new(&points, &bounds);
            let found = morton(&set);
            let mut expected: Vec<_> = set.iter().map(|p| p.map(f32::to_bits)).collect();
            let mut all: Vec<_> = found.iter().map(|(p, _)| p.map(f32::to_bits)).collect();
            expected.sort_unstable();
            all.sort_unstable();
            assert_eq!(all, expected);
            assert!(found.is_sorted_by_key(|(_, code)| code / 8), "{n} {inner}");
            // another road to a code: the bits of each axis, one after the other
            let side = (0..3).fold(0.0_f32, |m, k| m.max(set.ends[1][k] - set.ends[0][k]));
            for (p, code) in &found {
                for k in 0..3 {
                    let bits = (0..8).map(|bit| (code >> (3 * bit + k) & 1) << bit);
                    let cell: u32 = bits.sum();
                    let at = (p[k as usize] - set.ends[0][k as usize]) / side.max(1e-30);
                    let off = at * (CELLS - 1) as f32 - cell as f32;
                    assert!(off.abs() < 0.51, "{p:?} {code}");
                }
            }
        }
    }
}
