//! Points in the order of a space-filling curve.

/// Indices of points in a box, in Morton order.
pub(super) fn morton(points: &[[f32; 3]], ends: &[[f32; 3]; 2]) -> Vec<u32> {
    let extent = (0..3).fold(0.0_f32, |m, k| m.max(ends[1][k] - ends[0][k]));
    let scale = if extent > 1e-30 { 1023.0 / extent } else { 0.0 };
    let key = |p: &[f32; 3]| {
        let [x, y, z] = [0, 1, 2].map(|k| spaced(((p[k] - ends[0][k]) * scale) as u32));
        x | y << 1 | z << 2
    };
    let mut keyed: Vec<(u32, u32)> = (0..).zip(points).map(|(i, p)| (key(p), i)).collect();
    let mut sorted = vec![(0, 0); keyed.len()];
    for shift in [0, 10, 20] {
        let mut starts = [0_usize; 1024];
        let digit = |key: u32| (key >> shift & 1023) as usize;
        for &(key, _) in &keyed {
            starts[digit(key)] += 1;
        }
        let mut start = 0;
        for count in &mut starts {
            (*count, start) = (start, start + *count);
        }
        for &(key, i) in &keyed {
            let at = &mut starts[digit(key)];
            sorted[*at] = (key, i);
            *at += 1;
        }
        std::mem::swap(&mut keyed, &mut sorted);
    }
    keyed.into_iter().map(|(_, i)| i).collect()
}

/// The ten lowest bits, two zeros between each and the next.
fn spaced(x: u32) -> u32 {
    let x = x.min(1023);
    let x = (x | x << 16) & 0x0300_00ff;
    let x = (x | x << 8) & 0x0300_f00f;
    let x = (x | x << 4) & 0x030c_30c3;
    (x | x << 2) & 0x0924_9249
}
