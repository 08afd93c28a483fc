//! The local potential Ψ of samples with normals, its gradient, and its derivatives by the samples.
//!
//! With ψ_s = n_s·(x − s), w̃_s = w̃(|x − s|/R_s) and W = Σ w̃_s over the samples nearer than their radius R_s
//! (those of triangles that have lost their area have no tangent plane, and are left out),
//!
//!   Ψ = Σ w̃_s ψ_s / W,
//!   ∂Ψ/∂s = −(w̃_s n_s + (ψ_s − Ψ) ∇w̃_s)/W,     ∂Ψ/∂n_s = w̃_s (x − s)/W,     ∇Ψ = −Σ ∂Ψ/∂s,
//!
//! ∇w̃_s = (w̃'(t)/t) (x − s)/R_s² with t = |x − s|/R_s. The last equation is that Ψ does not change when all is moved.

use glam::DVec3;

use super::grid::PointGrid;
use super::{Influence, Kernel, Potential, Samples};

/// The potential of samples where they are now.
#[derive(Clone, Debug)]
pub struct LocalPotential {
    kernel: Kernel,
    samples: Samples,
    /// The largest radius of influence.
    reach: f64,
    grid: PointGrid,
}

impl LocalPotential {
    /// Of samples with these radii of influence, one for each, finite and positive.
    pub fn new(kernel: Kernel, samples: Samples) -> Self {
        let reach = samples.radii.iter().copied().fold(0.0, f64::max);
        let grid = PointGrid::new(&samples.points, reach);
        Self { kernel, samples, reach, grid }
    }

    /// Moves the samples, by a function that writes points and normals over the old ones.
    pub fn update(&mut self, write: impl FnOnce(&mut Samples)) {
        write(&mut self.samples);
        self.reach = self.samples.radii.iter().copied().fold(0.0, f64::max);
        self.grid.update(&self.samples.points);
    }

    /// Its samples.
    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    /// The largest radius of influence, m.
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// Its kernel.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Visits all samples whose balls may come within a distance of a place, and some that do not.
    pub(super) fn visit_near(&self, at: DVec3, distance: f64, visit: impl FnMut(u32)) {
        self.grid.near(at, distance + self.reach, visit);
    }

    /// Ψ and ∇Ψ at a place; `None` where no sample counts. `out` gets the samples that count, with their normalised
    /// weights and the derivatives of Ψ by them.
    pub fn blend(&self, at: DVec3, out: &mut Vec<Influence>) -> Option<Potential> {
        self.blend_where(at, |_| true, out)
    }

    /// The same with those samples that are wanted.
    pub fn blend_where(&self, at: DVec3, wanted: impl Fn(u32) -> bool, out: &mut Vec<Influence>) -> Option<Potential> {
        out.clear();
        let Samples { points, normals, radii } = &self.samples;
        let (mut total, mut sum) = (0.0, 0.0);
        self.grid.near(at, self.reach, |sample| {
            let i = sample as usize;
            let (way, radius) = (at - points[i], radii[i]);
            let square = way.length_squared();
            if square < radius * radius && normals[i] != DVec3::ZERO && wanted(sample) {
                let t = square.sqrt() / radius;
                let weight = self.kernel.value(t);
                let slope = way * (self.kernel.slope_over_t(t) / (radius * radius));
                total += weight;
                sum += weight * normals[i].dot(way);
                out.push(Influence { sample, weight, by_point: slope, by_normal: way });
            }
        });
        // Just inside the radius a weight may be zero to rounding.
        if total <= 0.0 {
            out.clear();
            return None;
        }
        let (value, scale) = (sum / total, 1.0 / total);
        let mut gradient = DVec3::ZERO;
        for own in out.iter_mut() {
            let normal = normals[own.sample as usize];
            let (way, slope) = (own.by_normal, own.by_point);
            own.weight *= scale;
            own.by_point = -(normal * own.weight + slope * ((normal.dot(way) - value) * scale));
            own.by_normal = way * own.weight;
            gradient -= own.by_point;
        }
        Some(Potential { value, gradient })
    }

    /// Ψ and ∇Ψ at a place; `None` where no sample counts.
    pub fn at(&self, at: DVec3) -> Option<Potential> {
        self.blend(at, &mut Vec::new())
    }

    /// The point of the surface Ψ = 0 that Newton's method along the gradient comes to; `None` if it leaves the samples.
    pub fn project(&self, from: DVec3) -> Option<DVec3> {
        /// Steps of Newton's method; from within a radius of influence a few are enough.
        const STEPS: usize = 30;
        /// Value, relative to the radius, at which a point is on the surface.
        const ON_SURFACE: f64 = 1e-13;
        let (mut x, mut room) = (from, Vec::new());
        for _ in 0..STEPS {
            let Potential { value, gradient } = self.blend(x, &mut room)?;
            if value.abs() <= ON_SURFACE * self.reach {
                return Some(x);
            }
            let square = gradient.length_squared();
            if square == 0.0 {
                return None;
            }
            let step = gradient * (value / square);
            // No farther than half of a radius at once.
            x -= step * (0.5 * self.reach / step.length()).min(1.0);
        }
        let Potential { value, .. } = self.blend(x, &mut room)?;
        (value.abs() <= 1e-6 * self.reach).then_some(x)
    }
}
