//! Meshes and numbers that the tests share.

use glam::{DVec2, DVec3};

/// Numbers between −1 and 1 that are the same in every run.
pub(crate) fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// Every place moved by up to `size` in each coordinate.
pub(crate) fn shaken(rest: &[DVec3], size: f64, seed: u64) -> Vec<DVec3> {
    let mut next = numbers(seed);
    rest.iter().map(|place| *place + size * DVec3::new(next(), next(), next())).collect()
}

/// A flat sheet of n × n squares over the unit square in the x-z plane, split along alternating diagonals, u along x.
pub(crate) struct Sheet {
    pub(crate) rest: Vec<DVec3>,
    pub(crate) uvs: Vec<DVec2>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

pub(crate) fn sheet(n: u32) -> Sheet {
    let mut sheet = Sheet { rest: Vec::new(), uvs: Vec::new(), triangles: Vec::new() };
    for j in 0..=n {
        for i in 0..=n {
            let uv = DVec2::new(f64::from(i), f64::from(j)) / f64::from(n);
            sheet.uvs.push(uv);
            sheet.rest.push(DVec3::new(uv.x, 0.0, -uv.y));
        }
    }
    for j in 0..n {
        for i in 0..n {
            let a = j * (n + 1) + i;
            let [a, b, c, d] = [a, a + 1, a + n + 2, a + n + 1];
            let halves = if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
            sheet.triangles.extend(halves);
        }
    }
    sheet
}
