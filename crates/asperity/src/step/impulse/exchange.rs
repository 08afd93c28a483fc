//! Energy that contacts exchange in an impact ([`super::bounce`] has the law).

/// What a contact did in an impact, with its pair.
#[derive(Clone, Debug)]
pub(super) struct ContactExchange {
    pub(super) pair: [u32; 2],
    pub(super) exchange: Exchange,
}

/// What an impact did, at a contact or in an island.
#[derive(Clone, Debug, Default)]
pub(super) struct Exchange {
    /// Change of the kinetic energy, J.
    pub(super) change: f64,
    /// Σ e² ½ r_n |u_n⁻|, J: what may come back if this was the compression.
    pub(super) returnable: f64,
    /// The largest e².
    pub(super) share: f64,
    /// Σ |r| |u|, J: the size of what was moved about.
    pub(super) size: f64,
}

impl Exchange {
    /// The most that the kinetic energy may change by if this was the compression, J.
    pub(super) fn bound(&self) -> f64 {
        self.change + self.returnable.min(self.share * -self.change)
    }
}
