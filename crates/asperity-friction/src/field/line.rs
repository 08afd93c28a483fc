//! Means of lines in a plane.
//!
//! A line at the angle θ has no sign, so directions cannot be added: opposite ones, which mean the same, would cancel.
//! Its double angle can: q = (cos 2θ, sin 2θ), which is the traceless part of the outer product d dᵀ, is the same for d
//! and −d. The mean of lines d_i with weights w_i is the line at half the angle of Σ w_i q_i: the main axis of Σ w_i
//! d_i d_iᵀ. Lines at a right angle with equal weights have no mean; the sum is zero then.

use glam::DVec2;

/// q of a direction of any length; zero for zero and for NaN.
#[inline]
pub fn doubled(direction: DVec2) -> DVec2 {
    let DVec2 { x, y } = direction.normalize_or_zero();
    DVec2::new(x * x - y * y, 2.0 * x * y)
}

/// The unit direction whose doubled one is along q, with x ≥ 0; zero for zero.
#[inline]
pub fn halved(q: DVec2) -> DVec2 {
    let DVec2 { x: cosine, y: sine } = q.normalize_or_zero();
    if cosine == 0.0 && sine == 0.0 {
        return DVec2::ZERO;
    }
    // cos²θ = (1 + cos 2θ)/2; the larger of the two roots first, the other from sin 2θ = 2 sin θ cos θ: no digits are
    // lost.
    if cosine >= 0.0 {
        let x = (0.5 * (1.0 + cosine)).sqrt();
        DVec2::new(x, 0.5 * sine / x)
    } else {
        let y = (0.5 * (1.0 - cosine)).sqrt();
        let x = 0.5 * sine / y;
        if x < 0.0 { DVec2::new(-x, -y) } else { DVec2::new(x, y) }
    }
}
