//! Points in the order of a space-filling curve.

use super::Centered;

/// Values of a coordinate; the bits of three make a code.
const CELLS: usize = 1 << 8;

/// Values of half a code.
const HALF: usize = 1 << 12;

/// Points of a group up to which they are compared with one another, and then up to which the last six, and the last three bits of
/// their codes are left out.
const FEW: usize = 24;
const SOME: usize = 1 << 7;
const MANY: usize = 1 << 11;

/// Adding this rounds to an integer, and leaves it in the lowest bits.
const ROUND: f32 = 8_388_608.0;

/// A point, and the bits of its code.
type Coded = [f32; 4];

fn code(point: &Coded) -> u32 {
    point[3].to_bits()
}

/// Points in a box, in Morton order: sorted by the upper halves of their codes, then those of each by the lower ones, which may leave
/// out the last bits. After the last one come zeros up to a multiple of `unit`.
pub(super) fn morton(set: &Centered<'_>, unit: usize) -> Vec<Coded> {
    let ends = &set.ends;
    let extent = (0..3).fold(0.0_f32, |m, k| m.max(ends[1][k] - ends[0][k]));
    let scale = if extent > 1e-30 {
        (CELLS - 1) as f32 / extent
    } else {
        0.0
    };
    let code_of = |p: [f32; 3]| {
        let [x, y, z] = [0, 1, 2].map(|k| {
            let cell = ((p[k] - ends[0][k]) * scale + ROUND).to_bits() as usize;
            SPACED[cell % CELLS]
        });
        x | y << 1 | z << 2
    };
    let upper = |code: u32| code as usize / HALF % HALF;
    let codes: Vec<u32> = set.iter().map(code_of).collect();
    let mut starts = [0_u32; HALF];
    for code in &codes {
        starts[upper(*code)] += 1;
    }
    let most = starts.iter().fold(0, |most, &n| n.max(most));
    from_counts(&mut starts);
    let mut sorted = vec![[0.0; 4]; codes.len().next_multiple_of(unit)];
    for (p, code) in set.iter().zip(codes) {
        let at = &mut starts[upper(code)];
        sorted[*at as usize] = [p[0], p[1], p[2], f32::from_bits(code)];
        *at += 1;
    }
    let mut copy = vec![[0.0; 4]; most as usize];
    let mut counts = [0_u32; HALF];
    let mut first = 0;
    for end in starts {
        let group = &mut sorted[first..end as usize];
        match group.len() {
            0 | 1 => {}
            ..FEW => group.sort_unstable_by_key(code),
            n => by_lower_half(group, &mut copy[..n], &mut counts),
        }
        first = end as usize;
    }
    sorted
}

/// Sorts points by the lower halves of their codes.
fn by_lower_half(points: &mut [Coded], copy: &mut [Coded], starts: &mut [u32; HALF]) {
    let unit = match points.len() {
        ..SOME => 64,
        SOME..MANY => 8,
        _ => 1,
    };
    let starts = &mut starts[..HALF / unit];
    starts.fill(0);
    let lower = |code: u32| code as usize % HALF / unit;
    copy.copy_from_slice(points);
    for point in &*copy {
        starts[lower(code(point))] += 1;
    }
    from_counts(starts);
    for point in copy {
        let at = &mut starts[lower(code(point))];
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
    use super::{CELLS, Centered, FEW, MANY, SOME, code, morton};
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
        for (n, inner, unit) in [
            (1, 0, 1),
            (FEW, 0, 1),
            (6000, 0, 1),
            (100, SOME / 2, 64),
            (100, MANY / 2, 8),
            (100, 2 * MANY, 1),
        ] {
            let mut points = cloud(n, 1.0);
            points.extend(cloud(inner, 0.01));
            let bounds = Aabb::around(points.iter().copied()).expect("there are points");
            let set = Centered::new(&points, &bounds);
            let found = morton(&set, 16);
            assert_eq!(found.len(), points.len().next_multiple_of(16));
            let (found, rest) = found.split_at(points.len());
            assert!(rest.iter().flatten().all(|x| x.to_bits() == 0));
            let mut expected: Vec<_> = set.iter().map(|p| p.map(f32::to_bits)).collect();
            let bits = |p: &[f32; 4]| [p[0], p[1], p[2]].map(f32::to_bits);
            let mut all: Vec<_> = found.iter().map(bits).collect();
            expected.sort_unstable();
            all.sort_unstable();
            assert_eq!(all, expected);
            assert!(found.is_sorted_by_key(|p| code(p) / unit), "{n} {inner}");
            // another road to a code: the bits of each axis, one after the other
            let side = (0..3).fold(0.0_f32, |m, k| m.max(set.ends[1][k] - set.ends[0][k]));
            for p in found {
                for k in 0..3 {
                    let bits = (0..8).map(|bit| (code(p) >> (3 * bit + k) & 1) << bit);
                    let cell: u32 = bits.sum();
                    let at = (p[k as usize] - set.ends[0][k as usize]) / side.max(1e-30);
                    let off = at * (CELLS - 1) as f32 - cell as f32;
                    assert!(off.abs() < 0.51, "{p:?}");
                }
            }
        }
    }
}
