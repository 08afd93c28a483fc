//! Curves with many points, made as small as a picture needs them.
//!
//! The range of x is cut into columns. Of the points in a column the lowest and the highest stay, in the order of x: peaks are kept, whatever
//! the number of points.

/// Columns: about one for each unit of a panel's width.
const COLUMNS: usize = 400;

/// The points of a curve with rising x, at most two for each of 400 columns. A point that is not finite stays: it breaks the line there.
pub fn thinned(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    if points.len() <= 2 * COLUMNS {
        return points.to_vec();
    }
    let finite = |p: &[f64; 2]| p[0].is_finite() && p[1].is_finite();
    let xs = || points.iter().filter(|p| finite(p)).map(|p| p[0]);
    let (low, high) = (xs().fold(f64::INFINITY, f64::min), xs().fold(f64::NEG_INFINITY, f64::max));
    let column = |p: &[f64; 2]| ((p[0] - low) / (high - low) * COLUMNS as f64) as usize;
    let mut kept = Vec::with_capacity(2 * COLUMNS);
    for part in points.chunk_by(|a, b| finite(a) && finite(b) && column(a) == column(b)) {
        let by_height = |a: &&[f64; 2], b: &&[f64; 2]| a[1].total_cmp(&b[1]);
        let ends = (part.iter().min_by(by_height), part.iter().max_by(by_height));
        let (Some(&lowest), Some(&highest)) = ends else { continue };
        let (first, second) = if lowest[0] <= highest[0] { (lowest, highest) } else { (highest, lowest) };
        kept.push(first);
        if part.len() > 1 && second != first {
            kept.push(second);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_curves_are_thinned_but_keep_their_peaks() {
        let value = |i: i32| if i == 54_321 { 7.0 } else { f64::from(i % 2) };
        let points: Vec<[f64; 2]> = (0..100_000).map(|i| [f64::from(i), value(i)]).collect();
        let kept = thinned(&points);
        assert!(kept.len() <= 2 * (COLUMNS + 1), "{}", kept.len());
        assert!(kept.contains(&[54_321.0, 7.0]) && kept.is_sorted_by(|a, b| a[0] <= b[0]));
        assert_eq!(thinned(&points[..800]), &points[..800]);
    }

    #[test]
    fn gaps_stay_and_nothing_panics() {
        let mut points: Vec<[f64; 2]> = (0..5_000).map(|i| [f64::from(i), 1.0]).collect();
        points[2_500][1] = f64::NAN;
        assert_eq!(thinned(&points).iter().filter(|p| p[1].is_nan()).count(), 1);
        assert_eq!(thinned(&vec![[1.0, 2.0]; 5_000]), [[1.0, 2.0]], "no extent along x");
        assert!(thinned(&vec![[f64::NAN; 2]; 5_000]).iter().all(|p| p[0].is_nan()));
    }
}
