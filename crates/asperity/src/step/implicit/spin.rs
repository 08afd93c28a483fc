//! Rotation of elastic bodies in free flight: angular momentum is kept, and energy does not grow.
//!
//! Backward Euler loses angular momentum: L⁺ = Σ x⁺ × m v⁺ = L + h Σ v⁺ × m v, since the elastic forces have no torque
//! where they are evaluated, at x⁺. And it contracts what turns: a rigid motion with the spin ω at the end of the step
//! has r = (1 − h [ω]) r⁺, r the arm from the centre of mass, so that |r⁺| = |r|/√(1 + h² ω²) across the axis. A body
//! that touches nothing and is not pinned gets both back:
//!
//! 1. r⁺ ← √(1 + h² ω²) r⁺ across ω = I⁻¹ L⁺, as [`super::mean_motion`] does it for the centre of mass;
//! 2. v⁺ ← v⁺ + δ × r⁺ with I δ = L − L⁺.
//!
//! Energy. Let a = (v⁺ − v)/h be the acceleration of the elastic forces, w = v⁺ − ω × r⁺ what is no rotation, K the
//! Hessian of the elastic energy. To the order h² the step changes the energy by h² (−½ Σ m a² − ½ v⁺ᵀ K v⁺), where
//! rotation gives K (ω × r) = −m ω × a; the second correction by h² (−ω² Σ m a·r_⊥ + Σ m a·(ω × w)); the first by
//! h² (−½ ω² Σ m a·r_⊥ − ½ ω⁴ Σ m r_⊥²), the second half of it since the spin is found after it. All together that is
//!
//!   ΔE = −½ h² Σ m |a + ω² r_⊥|² − ½ h² wᵀ K w,
//!
//! a loss, zero for a body that turns in the shape in which its elastic forces balance the centrifugal ones. Without
//! the first correction ½ ω² a·r_⊥ stands in place of the mixed term of the square and energy grows near that shape.
//!
//! 3. Where K is negative on w, as in a sheet that buckles, energy could still grow. Then w is shortened until the energy
//!    is that of the start: it has neither momentum nor angular momentum.
//! 4. A body that has come to turn without vibrating is wider by ½ h² ω² than the shape of least energy, since elastic
//!    forces act on the shape before it is widened: the energy of a narrower one creeps up to that, by terms of the order
//!    h⁴. Where w is not enough, the body is therefore widened by less, so that the energy stays what it is.

use glam::{DMat3, DVec3};

use super::guess::Guess;
use super::mean_motion::mean_velocity;
use super::rows::StepContact;
use crate::body::{BodyState, Elastic, MeshState};
use crate::step::rotation::point_inertia;
use crate::world::{Model, State};

/// Growth of the energy that is rounding, relative to it, and velocity that is rounding, relative to that of the body.
const ROUNDING: f64 = 1e-13;
const ROUNDED_SPEED: f64 = 1e-14;

/// Loss of energy, relative to it, at which the search of correction 4 ends, and the most shares that it tries.
const SPENT: f64 = 1e-12;
const TRIES: usize = 20;

/// Gives the bodies of a guess that are in free flight, the end of a step of length h, what backward Euler takes from
/// the rotation that they have in `state`.
pub(super) fn restore(model: &Model, state: &State, contacts: &[StepContact], h: f64, guess: &mut Guess) {
    for (i, body) in model.bodies.iter().enumerate() {
        let Some(elastic) = body.elastic() else { continue };
        let damped = model.damping > 0.0 || elastic.damping().mass > 0.0;
        let touching = || contacts.iter().filter(|own| own.contact.pair.contains(&(i as u32)));
        if damped || elastic.has_pins() || touching().any(|own| own.r[0] > 0.0) {
            continue;
        }
        let (BodyState::Mesh(before), BodyState::Mesh(after)) = (&state.bodies[i], &mut guess.bodies[i]) else {
            continue;
        };
        let (start, end) = (Turning::of(elastic, before), Turning::of(elastic, after));
        // Points on a line have no inverse; their spin about it has no momentum either.
        if start.momentum == end.momentum || end.inertia.determinant() <= 0.0 {
            continue;
        }
        // Widening lets no two points of the body come nearer; others must not be reached.
        let others = touching().filter(|own| own.contact.pair[0] != own.contact.pair[1]);
        let clearance = others.map(|own| own.contact.gap).fold(f64::INFINITY, f64::min);
        let Turning { positions, mut velocities, velocity, .. } = end.corrected(start, h, clearance);
        // What rounding adds to the momentum in every step would add up.
        let added = mean_velocity(elastic, &velocities) - velocity;
        velocities.iter_mut().for_each(|v| *v -= added);
        *after = MeshState { frame: after.frame, positions, velocities }.into();
    }
}

/// How a body turns about its centre of mass.
#[derive(Clone)]
struct Turning<'a> {
    elastic: &'a Elastic,
    positions: Vec<DVec3>,
    velocities: Vec<DVec3>,
    centre: DVec3,
    /// Velocity of the centre of mass.
    velocity: DVec3,
    /// Angular momentum, kg m²/s.
    momentum: DVec3,
    /// Inertia, kg m².
    inertia: DMat3,
}

impl<'a> Turning<'a> {
    fn of(elastic: &'a Elastic, at: &MeshState) -> Self {
        let (positions, velocities) = (at.positions.clone(), at.velocities.clone());
        let velocity = mean_velocity(elastic, &velocities);
        let (centre, momentum, inertia) = (elastic.centre_of_mass(at), DVec3::ZERO, DMat3::ZERO);
        let mut own = Self { elastic, positions, velocities, centre, velocity, momentum, inertia };
        own.measure();
        own
    }

    /// Momentum and inertia of the positions and velocities that there are.
    fn measure(&mut self) {
        (self.momentum, self.inertia) = (DVec3::ZERO, DMat3::ZERO);
        for (mass, (x, v)) in self.elastic.masses().iter().zip(self.positions.iter().zip(&self.velocities)) {
            let arm = *x - self.centre;
            // Relative to the centre: far from the origin its place is known to a few digits less.
            self.momentum += arm.cross(*v - self.velocity) * *mass;
            self.inertia += point_inertia(*mass, arm);
        }
    }

    /// The spin with its angular momentum.
    fn rate(&self) -> DVec3 {
        self.inertia.inverse() * self.momentum
    }

    /// Energy of strain and of the motion relative to the centre of mass, J.
    fn energy(&self) -> f64 {
        let own = |(mass, v): (&f64, &DVec3)| 0.5 * mass * (*v - self.velocity).length_squared();
        let kinetic: f64 = self.elastic.masses().iter().zip(&self.velocities).map(own).sum();
        kinetic + self.elastic.elasticity().energy(&self.positions)
    }

    /// With all corrections; it was `start` before a step of length h.
    fn corrected(self, start: Self, h: f64, clearance: f64) -> Self {
        let spin = self.rate();
        let wide = (h * spin.length()).hypot(1.0) - 1.0;
        let axis = spin.normalize_or_zero();
        let farthest = self.positions.iter().map(|x| (*x - self.centre).length()).fold(0.0, f64::max);
        // A body beside it may widen as well.
        let wide = if farthest * wide < 0.5 * clearance { wide } else { 0.0 };
        let most = start.energy();
        let most = most + ROUNDING * most + self.elastic.mass() * (ROUNDED_SPEED * self.velocity.length()).powi(2);
        let whole = self.widened(axis, wide, start.momentum);
        let excess = whole.energy() - most;
        if excess <= 0.0 {
            return whole;
        }
        let vibration = whole.vibration();
        if excess < vibration {
            return whole.calmed((1.0 - excess / vibration).sqrt());
        }
        let narrower = |share: f64| self.widened(axis, share * wide, start.momentum).calmed(0.0);
        narrowed(whole.calmed(0.0), narrower, most)
    }

    /// Corrections 1 and 2: wider by this fraction across the axis, and with a spin that gives it this angular momentum.
    fn widened(&self, axis: DVec3, fraction: f64, momentum: DVec3) -> Self {
        let mut own = self.clone();
        own.positions.iter_mut().for_each(|x| *x += (*x - self.centre).reject_from_normalized(axis) * fraction);
        own.measure();
        let spin = own.inertia.inverse() * (momentum - own.momentum);
        for (x, v) in own.positions.iter().zip(&mut own.velocities) {
            *v += spin.cross(*x - own.centre);
        }
        own.measure();
        own
    }

    /// Velocity of a point that moves with the body as if it were rigid.
    fn rigid(&self) -> impl Fn(DVec3) -> DVec3 + use<'a> {
        let (spin, centre, velocity) = (self.rate(), self.centre, self.velocity);
        move |x| velocity + spin.cross(x - centre)
    }

    /// Kinetic energy of what is neither translation nor rotation, J.
    fn vibration(&self) -> f64 {
        let rigid = self.rigid();
        let moving = self.positions.iter().zip(&self.velocities);
        let own = |(mass, (x, v)): (&f64, (&DVec3, &DVec3))| 0.5 * mass * (*v - rigid(*x)).length_squared();
        self.elastic.masses().iter().zip(moving).map(own).sum()
    }

    /// Correction 3: with this fraction of what is neither translation nor rotation.
    fn calmed(mut self, fraction: f64) -> Self {
        let rigid = self.rigid();
        for (x, v) in self.positions.iter().zip(&mut self.velocities) {
            *v = rigid(*x) + (*v - rigid(*x)) * fraction;
        }
        self
    }
}

/// Correction 4: the body widened by the share, from zero to one, at which its energy is `most`, found by false positions,
/// with the end that stays halved. `whole` has too much. If the least has too much as well, that one.
fn narrowed<'a>(whole: Turning<'a>, at: impl Fn(f64) -> Turning<'a>, most: f64) -> Turning<'a> {
    let excess = |own: &Turning| own.energy() - most;
    let mut best = at(0.0);
    let (mut low, mut high) = ((0.0, excess(&best)), (1.0, excess(&whole)));
    // Nothing to choose between where both ends have too much energy, or rounding leaves none at the whole.
    if low.1 > 0.0 || high.1 <= 0.0 {
        return best;
    }
    for _ in 0..TRIES {
        let share = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
        let own = at(share);
        let found = excess(&own);
        if found > 0.0 {
            high = (share, found);
            low.1 *= 0.5;
        } else {
            best = own;
            if found > -SPENT * most {
                break;
            }
            low = (share, found);
            high.1 *= 0.5;
        }
    }
    best
}
