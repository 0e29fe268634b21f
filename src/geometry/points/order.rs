//! Points in the order of a space-filling curve.

use super::Centered;

/// Values of a coordinate; the bits of three make a code.
const CELLS: usize = 1 << 8;

/// Values of half a code.
const HALF: usize = 1 << 12;

/// Adding this rounds to an integer, and leaves it in the lowest bits.
const ROUND: f32 = 8_388_608.0;

/// Indices of points in a box, in Morton order: sorted by the lower halves of their codes, then by the upper ones.
pub(super) fn morton(set: &Centered<'_>) -> Vec<u32> {
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
    let half = |code: u32, pass: usize| (code as usize / [1, HALF][pass]) % HALF;
    let mut coded: Vec<(u32, u32)> = (0..).zip(set.iter()).map(|(i, p)| (code(p), i)).collect();
    let mut starts = [[0_u32; HALF]; 2];
    for &(code, _) in &coded {
        for (pass, counts) in starts.iter_mut().enumerate() {
            counts[half(code, pass)] += 1;
        }
    }
    let mut sorted = vec![(0, 0); coded.len()];
    for (pass, starts) in starts.iter_mut().enumerate() {
        let mut start = 0;
        for count in starts.iter_mut() {
            (*count, start) = (start, start + *count);
        }
        for &(code, i) in &coded {
            let at = &mut starts[half(code, pass)];
            sorted[*at as usize] = (code, i);
            *at += 1;
        }
        std::mem::swap(&mut coded, &mut sorted);
    }
    coded.into_iter().map(|(_, i)| i).collect()
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
