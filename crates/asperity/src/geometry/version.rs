//! Versions of content: how what was computed from a surface knows that the surface is still the same.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Names one state of some content. Two equal versions mean the same content; whatever changes its content takes a new version.
///
/// Versions are compared and never written anywhere, so that their numbers, which depend on the order in which threads ask for them, shape
/// no result.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Version(u64);

impl Version {
    /// One that nothing else has.
    pub fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Without the number, which differs from run to run.
impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Version")
    }
}
