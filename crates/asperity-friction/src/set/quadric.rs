//! Projections onto ellipsoids and onto the cones over them: one secular equation each, in any dimension.
//!
//! **Onto the ellipsoid** Σ (f_i/a_i)² ≤ 1. The nearest point to x outside has f_i = x_i a_i² / (a_i² + τ), τ > 0, with
//!
//!   S(τ) = Σ q_i²,  q_i = a_i x_i / (a_i² + τ),  S(τ) = 1.
//!
//! **Onto the cone** Σ (f_i/a_i)² ≤ s². Stationarity gives f_i = a_i² x_i s / ((1 + a_i²) s − n), and the same kind of
//! equation holds with q_i = a_i x_i / ((1 + a_i²) s − n). Its unknown is τ = s − max(n, 0), which keeps its digits
//! when s is close to n.
//!
//! Both are Σ (c_i / (w_i τ + e_i))² = 1, decreasing in τ. The function 1/√S is concave and increasing, so Newton's
//! method for 1/√S = 1 started left of the root climbs monotonically to it, quadratically and without safeguards
//! that could trip (Moré and Sorensen's argument for trust regions). Each term alone gives a lower bound for the
//! root, |c_i| = w_i τ + e_i; the largest of them is the start, and exact when the others vanish.
//! The loop also ends when round-off stops the climb: that is the safeguard.
//!
//! **Derivative of the first.** With g_i = 1/(a_i² + τ), the implicit function theorem on S(τ) = 1 gives
//!
//!   ∂f_i/∂x_j = a_i² g_i δ_ij − v_i v_j / σ,   ∂f_i/∂log λ = v_i / σ,   v_i = a_i q_i g_i,   σ = Σ q_i² g_i,
//!
//! λ the factor of all a_i. On the diagonal the difference is a_i² g_i Σ_{j≠i} q_j² g_j / σ: a sum of positive terms,
//! so that no digit is lost however thin the ellipsoid is.

/// Root τ ≥ 0 of Σ (c_i / (w_i τ + e_i))² = 1, where the sum is at least one at zero.
#[inline]
fn secular_root<const N: usize>(c: [f64; N], w: [f64; N], e: [f64; N]) -> f64 {
    let mut tau = 0.0f64;
    for i in 0..N {
        if c[i] != 0.0 {
            tau = tau.max((c[i].abs() - e[i]) / w[i]);
        }
    }
    for _ in 0..64 {
        let (mut sum, mut slope) = (0.0, 0.0);
        for i in 0..N {
            let inverse = 1.0 / (w[i] * tau + e[i]);
            let q = c[i] * inverse;
            // A term without weight may have a zero denominator; it does not count.
            let q2 = if c[i] == 0.0 { 0.0 } else { q * q };
            sum += q2;
            slope += if c[i] == 0.0 { 0.0 } else { q2 * w[i] * inverse };
        }
        let step = sum * (sum.sqrt() - 1.0) / slope;
        let next = tau + step;
        // Not climbing any more: at the root, to the last bit or two. A step below 1e-8 of tau is squared by the
        // next one, hence the early way out.
        if next.partial_cmp(&tau) != Some(std::cmp::Ordering::Greater) {
            break;
        }
        tau = next;
        if step <= 1e-9 * tau {
            break;
        }
    }
    tau
}

/// Where a point is, seen from the ellipsoid. Lengths are in units of the largest semi-axis, so that squares neither
/// overflow nor vanish.
enum Place<const N: usize> {
    /// The ellipsoid is a point.
    Point,
    /// Inside along the axes that have an extent; the components along the others are dropped.
    Inside { a: [f64; N] },
    /// Outside: semi-axes, and c, e, τ of the secular equation.
    Outside { a: [f64; N], c: [f64; N], e: [f64; N], tau: f64 },
}

/// Semi-axes and the c and e of the secular equation, in units of the largest semi-axis; and Σ (x_i/a_i)² over the axes
/// with extent.
struct Units<const N: usize> {
    a: [f64; N],
    c: [f64; N],
    e: [f64; N],
    sum: f64,
}

/// `None` if the ellipsoid is a point.
#[inline]
fn units<const N: usize>(a: [f64; N], load: f64, x: [f64; N]) -> Option<Units<N>> {
    let to_unit = 1.0 / (a.iter().fold(0.0f64, |m, v| m.max(*v)) * load);
    if !to_unit.is_finite() {
        return None;
    }
    let mut sum = 0.0;
    let (mut unit, mut c, mut e) = ([0.0; N], [0.0; N], [0.0; N]);
    for i in 0..N {
        let ai = a[i] * load * to_unit;
        let xi = x[i] * to_unit;
        unit[i] = ai;
        e[i] = ai * ai;
        c[i] = ai * xi;
        if e[i] > 0.0 {
            let ratio = c[i] / e[i];
            sum += ratio * ratio;
        }
    }
    Some(Units { a: unit, c, e, sum })
}

#[inline]
fn place<const N: usize>(a: [f64; N], load: f64, x: [f64; N]) -> Place<N> {
    match units(a, load, x) {
        None => Place::Point,
        Some(Units { a, sum, .. }) if sum <= 1.0 => Place::Inside { a },
        Some(Units { a, c, e, .. }) => Place::Outside { a, c, e, tau: secular_root(c, [1.0; N], e) },
    }
}

/// Whether a semi-axis, in units of the largest, is too short to count.
#[inline]
fn is_flat(a: f64) -> bool {
    a * a == 0.0
}

impl<const N: usize> Place<N> {
    /// The nearest point to `x`.
    #[inline]
    fn nearest(&self, x: [f64; N]) -> [f64; N] {
        let mut f = [0.0; N];
        match self {
            Self::Point => {}
            Self::Inside { a } => {
                for i in 0..N {
                    f[i] = if is_flat(a[i]) { 0.0 } else { x[i] };
                }
            }
            Self::Outside { e, tau, .. } => {
                for i in 0..N {
                    if e[i] > 0.0 {
                        f[i] = x[i] * (e[i] / (e[i] + tau));
                    }
                }
            }
        }
        f
    }
}

/// The point of { Σ (f_i/a_i)² ≤ 1 } · load nearest to `x`; `a_i` = 0 forces f_i = 0.
#[inline]
pub(super) fn project<const N: usize>(a: [f64; N], load: f64, x: [f64; N]) -> [f64; N] {
    place(a, load, x).nearest(x)
}

/// Whether `x` is in { Σ (f_i/a_i)² ≤ 1 } · load.
#[inline]
pub(super) fn contains<const N: usize>(a: [f64; N], load: f64, x: [f64; N]) -> bool {
    match units(a, load, x) {
        None => x == [0.0; N],
        Some(Units { a, sum, .. }) => sum <= 1.0 && (0..N).all(|i| !is_flat(a[i]) || x[i] == 0.0),
    }
}

/// Derivatives of a projection, along the axes of the ellipsoid.
#[derive(Clone, Copy)]
pub(super) struct Derivatives<const N: usize> {
    /// ∂f_i/∂x_j.
    pub(super) by_force: [[f64; N]; N],
    /// ∂f_i/∂load.
    pub(super) by_load: [f64; N],
}

/// A projection and its derivatives.
pub(super) struct Projection<const N: usize> {
    pub(super) point: [f64; N],
    /// `None` where load·F is a point.
    pub(super) derivatives: Option<Derivatives<N>>,
}

/// A point (s, f) of a cone.
pub(super) struct LoadAndForce<const N: usize> {
    pub(super) load: f64,
    pub(super) force: [f64; N],
}

/// [`project`] and its derivatives, for a positive load.
#[inline]
pub(super) fn projection<const N: usize>(a: [f64; N], load: f64, x: [f64; N]) -> Projection<N> {
    let place = place(a, load, x);
    Projection { point: place.nearest(x), derivatives: derivative_at(a, place) }
}

/// Derivatives of [`project`], for a positive load; `None` where load·F is a point.
#[inline]
pub(super) fn derivative<const N: usize>(a: [f64; N], load: f64, x: [f64; N]) -> Option<Derivatives<N>> {
    derivative_at(a, place(a, load, x))
}

#[inline]
fn derivative_at<const N: usize>(a: [f64; N], place: Place<N>) -> Option<Derivatives<N>> {
    let (mut by_force, mut by_load) = ([[0.0; N]; N], [0.0; N]);
    match place {
        Place::Point => return None,
        Place::Inside { a } => {
            for i in 0..N {
                by_force[i][i] = if is_flat(a[i]) { 0.0 } else { 1.0 };
            }
        }
        Place::Outside { a: unit, c, e, tau } => {
            let largest = a.iter().fold(0.0f64, |m, v| m.max(*v));
            let (mut keep, mut v, mut weight) = ([0.0; N], [0.0; N], [0.0; N]);
            let mut sigma = 0.0;
            for i in 0..N {
                if e[i] > 0.0 {
                    let g = 1.0 / (e[i] + tau);
                    let q = c[i] * g;
                    keep[i] = e[i] * g;
                    v[i] = unit[i] * q * g;
                    weight[i] = q * q * g;
                    sigma += weight[i];
                }
            }
            for i in 0..N {
                let mut others = 0.0;
                for j in 0..N {
                    if j != i {
                        by_force[i][j] = -v[i] * v[j] / sigma;
                        others += weight[j];
                    }
                }
                by_force[i][i] = keep[i] * (others / sigma);
                by_load[i] = largest * v[i] / sigma;
            }
        }
    }
    Some(Derivatives { by_force, by_load })
}

/// The point of the cone { (s, f) : Σ (f_i/a_i)² ≤ s², s ≥ 0 } nearest to (n, x); `a_i` = 0 forces f_i = 0.
pub(super) fn project_cone<const N: usize>(a: [f64; N], n: f64, x: [f64; N]) -> LoadAndForce<N> {
    let (mut inside, mut polar) = (0.0, 0.0);
    let (mut c, mut w) = ([0.0; N], [0.0; N]);
    let mut free = x;
    for i in 0..N {
        c[i] = a[i] * x[i];
        w[i] = 1.0 + a[i] * a[i];
        polar += c[i] * c[i];
        if a[i] > 0.0 {
            inside += (x[i] / a[i]) * (x[i] / a[i]);
        } else {
            free[i] = 0.0;
        }
    }
    if n >= 0.0 && inside <= n * n {
        return LoadAndForce { load: n, force: free };
    }
    if n <= 0.0 && polar <= n * n {
        return LoadAndForce { load: 0.0, force: [0.0; N] };
    }
    let base = n.max(0.0);
    let e = a.map(|ai| if n > 0.0 { ai * ai * n } else { -n });
    let tau = secular_root(c, w, e);
    let s = base + tau;
    let mut f = [0.0; N];
    for i in 0..N {
        if a[i] > 0.0 {
            f[i] = x[i] * (a[i] * a[i] * s / (w[i] * tau + e[i]));
        }
    }
    LoadAndForce { load: s, force: f }
}
