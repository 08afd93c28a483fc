//! What rows of contacts have besides velocities: bounds, compliance, shear.

/// c and β of a normal row: u_n + c r_n ≥ β.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NormalBound {
    pub(super) beta: f64,
    pub(super) compliance: f64,
}

/// The shear of a contact: u_T + c (r_T − r').
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Shear {
    /// c; zero for contacts that are not sheared.
    pub(super) compliance: f64,
    /// r' along both tangents, N s.
    pub(super) last: [f64; 2],
}

impl Shear {
    /// c (r − r') of row k, from 1 on; zero for spin and rolling.
    pub(super) fn rate(&self, k: usize, r: f64) -> f64 {
        self.last.get(k - 1).map_or(0.0, |last| self.compliance * (r - last))
    }
}

/// What is added to the velocities of a contact in its rows: u_n + c r_n − β, and the shear of the tangential ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ContactBound {
    pub(super) normal: NormalBound,
    pub(super) shear: Shear,
}
