//! Small scenes with known answers, and laws that solvers treat in a special way.

use asperity_friction::model::{FrictionModel, TensorRule};
use asperity_friction::tensor::SurfaceTensor;
use asperity_friction::{ContactFrame, ContactLaw, ContactState, SurfaceSample, Tangential};
use asperity_solve::problem::{BlockMatrix, ContactProblem, MatrixEntry, RowKind};
use asperity_solve::solver::LawSource;
use glam::{DMat3, DVec3};

use super::{Body, Rows};

/// Time step and gravity.
pub const DT: f64 = 0.01;
pub const G: f64 = 9.81;

/// Four corners of a face: redundant, loads and even velocities need not be unique.
pub const FOUR: &[(f64, f64)] = &[(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)];
/// Three points of a face: friction is still redundant, loads are not.
pub const THREE: &[(f64, f64)] = &[(-0.5, -0.4), (0.5, -0.5), (0.1, 0.5)];

/// A box on its four corners, after a free step under gravity tilted by `tilt` towards −x.
pub fn box_on_incline(tilt: f64) -> (Vec<Body>, Vec<Rows>) {
    let mut body = Body::cuboid(1333.0, DVec3::new(1.0, 0.667, 1.0), DVec3::Y * 0.3335);
    body.velocity = DVec3::new(-tilt.sin(), -tilt.cos(), 0.0) * (G * DT);
    let corner = |(x, z): &(f64, f64)| Rows::contact(0, None, DVec3::new(*x, 0.0, *z), DVec3::Y, DVec3::X, 3);
    (vec![body], FOUR.iter().map(corner).collect())
}

/// One contact under the centre of a unit cube that falls for a step with this velocity: it cannot turn.
pub fn puck(velocity: DVec3, rows: usize) -> (Vec<Body>, Vec<Rows>) {
    let mut body = Body::cuboid(1.0, DVec3::ONE, DVec3::ZERO);
    body.velocity = velocity - DVec3::Y * (G * DT);
    (vec![body], vec![Rows::contact(0, None, DVec3::ZERO, DVec3::Y, DVec3::X, rows)])
}

/// A pile of cubes, each on some points of the one below and moved sideways by `lean` against it, pushed and falling for one
/// step. Masses change by `ratio` from the bottom to the top.
pub fn pile(height: usize, ratio: f64, feet: &[(f64, f64)], rows_each: usize, lean: f64) -> (Vec<Body>, Vec<Rows>) {
    let (mut bodies, mut rows) = (Vec::new(), Vec::new());
    for k in 0..height {
        let mass = ratio.powf(k as f64 / (height - 1).max(1) as f64);
        let aside = lean * k as f64;
        let mut body = Body::cuboid(mass, DVec3::ONE, DVec3::new(aside, k as f64 + 0.5, 0.5 * aside));
        body.velocity = DVec3::new(0.02 * (k as f64 + 1.0), -0.0981, 0.01);
        bodies.push(body);
        for (x, z) in feet {
            let point = DVec3::new(aside + x * (1.0 - lean), k as f64, 0.5 * aside + z * (1.0 - lean));
            rows.push(Rows::contact(k, k.checked_sub(1), point, DVec3::Y, DVec3::X, rows_each));
        }
    }
    (bodies, rows)
}

/// The same, leaning by 0.03.
pub fn leaning_pile(height: usize, ratio: f64, feet: &[(f64, f64)], rows_each: usize) -> (Vec<Body>, Vec<Rows>) {
    pile(height, ratio, feet, rows_each, 0.03)
}

/// Painlevé's rod: uniform, of unit mass and length 2, that touches the ground with its lower end, its centre above and ahead,
/// `tilt` from the horizontal. `slip` and `sink` are the velocities of the end along x and down. W over (n, t) is
/// [1 + 3x², −3xy; −3xy, 1 + 3y²] for the arm (x, y) = −(cos, sin) from the centre to the end.
pub fn rod(tilt: f64, slip: f64, sink: f64) -> (Vec<Body>, Vec<Rows>) {
    let mut rod = Body::cuboid(1.0, DVec3::ONE, DVec3::new(tilt.cos(), tilt.sin(), 0.0));
    // Inertia m l²/3 about the axes across the rod, and some about itself: motion stays in the plane.
    rod.inverse_inertia = DMat3::from_diagonal(DVec3::splat(3.0));
    rod.velocity = DVec3::new(slip, -sink, 0.0);
    (vec![rod], vec![Rows::contact(0, None, DVec3::ZERO, DVec3::Y, DVec3::X, 3)])
}

/// Two contacts that press the same body from opposite sides, each told to open: impossible.
pub fn clamped() -> ContactProblem {
    let entries = [(0, 0, 1.0), (0, 3, -1.0), (3, 0, -1.0), (3, 3, 1.0)];
    let tangential = [1, 2, 4, 5].map(|i| (i, i, 1.0));
    let w = BlockMatrix::from_entries(&[0, 3, 6], entries.into_iter().chain(tangential));
    ContactProblem::new(w, vec![-1.0, 0.5, 0.0, -1.0, 0.0, 0.0], vec![RowKind::Contact; 2]).unwrap()
}

/// A contact that slides, of unit mass, and one between two fixed bodies: W is zero there. With `opening` > 0 it opens and is
/// solved by no impulse; closing, it has no solution.
pub fn beside_fixed(opening: f64) -> ContactProblem {
    let w = BlockMatrix::from_entries(&[0, 3, 6], (0..3).map(|i| (i, i, 1.0)));
    ContactProblem::new(w, vec![-1.0, 2.0, 0.0, opening, 0.3, 0.0], vec![RowKind::Contact; 2]).unwrap()
}

/// No rows at all.
pub fn empty() -> ContactProblem {
    ContactProblem::new(BlockMatrix::from_entries(&[0], std::iter::empty::<MatrixEntry>()), vec![], vec![]).unwrap()
}

/// A tensor's slip rule: no set.
pub fn slip_rule() -> ContactLaw {
    let tensor = SurfaceTensor::orthotropic(0.2, 0.6, 0.0).unwrap();
    let surface = SurfaceSample { tensor, tangent: DVec3::X, ..SurfaceSample::default() };
    let state = ContactState::new(ContactFrame::new(DVec3::Y, DVec3::X).unwrap(), surface, surface);
    FrictionModel::from(TensorRule::default()).law(&state).unwrap()
}

/// Laws of a coefficient that falls with the load, as [`softened`] says; made from it by the function.
pub struct Softening {
    make: fn(f64) -> ContactLaw,
    laws: Vec<ContactLaw>,
}

/// The coefficient at a load.
pub fn softened(load: f64) -> f64 {
    0.5 / (1.0 + 10.0 * load)
}

impl Softening {
    /// Of so many contacts, none loaded yet.
    pub fn new(contacts: usize, make: fn(f64) -> ContactLaw) -> Self {
        Self { make, laws: vec![make(softened(0.0)); contacts] }
    }
}

impl LawSource for Softening {
    fn laws(&self) -> &[ContactLaw] {
        &self.laws
    }

    fn refresh(&mut self, contact: usize, load: f64, _impulse: Tangential, _slip: Tangential) -> bool {
        let law = (self.make)(softened(load));
        let changed = self.laws[contact] != law;
        self.laws[contact] = law;
        changed
    }

    fn part(&self, contacts: &[usize]) -> Box<dyn LawSource + Send + '_> {
        Box::new(Self { make: self.make, laws: contacts.iter().map(|c| self.laws[*c].clone()).collect() })
    }
}
