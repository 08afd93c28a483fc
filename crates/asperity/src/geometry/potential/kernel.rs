//! Kernels: how much a sample counts at the distance r, as a function of t = r/R; zero from t = 1 on.
//!
//! *Interpolating* (Most and Bucher 2005; equation 10 of Larionov et al. 2021), with ε far below 1:
//!
//!   w̃(t) = ((t² + ε)⁻² − (1 + ε)⁻²) / (ε⁻² − (1 + ε)⁻²).
//!
//! At a sample it is 1 and about ε⁻² times what it is at a distance comparable to R, so that the surface goes through
//! the samples up to an error that vanishes with ε. At t = 1 it is continuous; its slope is not, but of the order ε².
//!
//! *Cubic*: w̃(t) = 1 − 3 t² + 2 t³. Smoother (value and slope are continuous at t = 1) and cheaper, but the surface
//! need not go through the samples: it bulges where the surface is curved.

/// How much a sample counts at a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kernel {
    /// The surface goes through the samples up to an error that vanishes with ε.
    Interpolating {
        /// ε, far below 1.
        epsilon: f64,
    },
    /// The smoother surface.
    Cubic,
}

impl Kernel {
    /// w̃ at t = r/R, not negative.
    #[inline]
    pub fn value(self, t: f64) -> f64 {
        if t >= 1.0 {
            return 0.0;
        }
        match self {
            Self::Interpolating { epsilon } => {
                // Multiplied by ε² above and below, so that nothing overflows.
                let [near, edge] = [t * t, 1.0].map(|square| (epsilon / (square + epsilon)).powi(2));
                (near - edge) / (1.0 - edge)
            }
            // 1 + t² (2 t − 3), which this way never rounds below zero.
            Self::Cubic => (1.0 - t) * (1.0 - t) * (1.0 + 2.0 * t),
        }
    }

    /// (dw̃/dt)/t: finite where t is zero, so that gradients need no division by a distance.
    #[inline]
    pub fn slope_over_t(self, t: f64) -> f64 {
        if t >= 1.0 {
            return 0.0;
        }
        match self {
            Self::Interpolating { epsilon } => {
                let edge = (epsilon / (1.0 + epsilon)).powi(2);
                let near = epsilon / (t * t + epsilon);
                -4.0 * near * near * near / (epsilon * (1.0 - edge))
            }
            Self::Cubic => 6.0 * (t - 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Kernel; 4] = [
        Kernel::Cubic,
        Kernel::Interpolating { epsilon: 1e-5 },
        Kernel::Interpolating { epsilon: 1e-3 },
        Kernel::Interpolating { epsilon: 0.1 },
    ];

    #[test]
    fn kernels_are_one_at_a_sample_and_zero_at_the_edge() {
        for kernel in ALL {
            assert_eq!(kernel.value(0.0), 1.0, "{kernel:?}");
            assert!(kernel.value(1.0 - 1e-12).abs() < 1e-10, "{kernel:?}");
            assert_eq!(kernel.value(1.0), 0.0);
            for i in 0..100 {
                let [t, next] = [i, i + 1].map(|i| f64::from(i) / 100.0);
                assert!(kernel.value(t) > kernel.value(next), "{kernel:?} falls with the distance, at {t}");
            }
        }
    }

    #[test]
    fn slopes_are_those_of_finite_differences() {
        for kernel in ALL {
            for i in 1..100 {
                let (t, step) = (f64::from(i) / 100.0, 1e-6);
                let difference = (kernel.value(t + step) - kernel.value(t - step)) / (2.0 * step);
                let slope = kernel.slope_over_t(t) * t;
                assert!((slope - difference).abs() < 1e-6 * (1.0 + slope.abs()), "{kernel:?} at {t}");
            }
        }
    }

    /// At the edge: the cubic kernel and its slope are continuous, its second derivative jumps by 6. The slope of the
    /// interpolating one jumps by 4 ε²/(1 + ε)³ (1 − ε²/(1 + ε)²)⁻¹.
    #[test]
    fn at_the_edge_kernels_are_as_smooth_as_stated() {
        let inside = 1.0 - 1e-9;
        assert!(Kernel::Cubic.slope_over_t(inside).abs() < 1e-8);
        let bend = (Kernel::Cubic.slope_over_t(inside) * inside - Kernel::Cubic.slope_over_t(0.999) * 0.999)
            / (inside - 0.999);
        assert!((bend - 6.0).abs() < 0.02, "{bend}");
        for epsilon in [1e-3, 1e-2, 0.1] {
            let jump = Kernel::Interpolating { epsilon }.slope_over_t(inside);
            let stated =
                -4.0 * epsilon * epsilon / (1.0 + epsilon).powi(3) / (1.0 - (epsilon / (1.0 + epsilon)).powi(2));
            assert!((jump / stated - 1.0).abs() < 1e-6, "{jump} {stated}");
        }
    }
}
