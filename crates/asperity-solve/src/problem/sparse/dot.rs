//! The inner product of two vectors, in a fixed order of sums.

/// a · b in eight partial sums: independent additions, of which the compiler makes vector instructions.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a8, a_rest) = a.as_chunks::<8>();
    let (b8, b_rest) = b.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for (a, b) in a8.iter().zip(b8) {
        for k in 0..8 {
            sums[k] += a[k] * b[k];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    let half = |k: usize| (sums[k] + sums[k + 1]) + (sums[k + 2] + sums[k + 3]);
    half(0) + half(4) + rest
}

#[cfg(test)]
mod tests {
    use super::dot;

    #[test]
    fn every_length_is_summed_to_its_end() {
        for n in 0..40 {
            let a: Vec<f64> = (0..n).map(f64::from).collect();
            let expected: f64 = (0..n).map(|k| f64::from(k * k)).sum();
            assert_eq!(dot(&a, &a), expected, "{n} values");
        }
    }
}
