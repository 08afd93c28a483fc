//! Why a step could not be made, or a world is not one that a stepper can move.

use asperity_friction::FrictionError;
use asperity_solve::problem::ProblemError;
use asperity_solve::solver::Status;

use crate::contact::{Contact, LawFault};
use crate::geometry::potential::PotentialError;
use crate::world::Model;

/// Why a step could not be made. The state is as it was before.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StepError {
    /// A friction model has no answer for a contact.
    #[error("at t = {t} s, between '{a}' and '{b}': {error}")]
    Law {
        /// Time.
        t: f64,
        /// The first body.
        a: String,
        /// The second body.
        b: String,
        /// What the model says.
        error: Box<FrictionError>,
    },
    /// A field of a surface has no value that can be used at a contact.
    #[error("at t = {t} s, on the surface of '{body}': {error}")]
    Surface {
        /// Time.
        t: f64,
        /// The body.
        body: String,
        /// What is wrong, and where.
        error: Box<FrictionError>,
    },
    /// The contact problem makes no sense, or the solver does not take one of its laws.
    #[error("at t = {t} s: {error}")]
    Problem {
        /// Time.
        t: f64,
        /// What the solver says.
        error: Box<ProblemError>,
    },
    /// A body's position or velocity is not a number.
    #[error("at t = {t} s: the motion of '{body}' is no longer finite")]
    NotFinite {
        /// Time.
        t: f64,
        /// The body.
        body: String,
    },
    /// A joint asks for what has no value.
    #[error("at t = {t} s, joint '{joint}': {reason}")]
    Joint {
        /// Time.
        t: f64,
        /// The joint.
        joint: String,
        /// What is wrong.
        reason: String,
    },
    /// A joint does not close, however short the step: it contradicts others, or a motion that is given, or the solver does not get there.
    #[error(
        "at t = {t} s: joint '{joint}' cannot be closed, it is off by {drift:e} (m, or rad): it contradicts others or a scripted motion, \
         or the solver is not exact enough (residual {residual:e})"
    )]
    Open {
        /// Time.
        t: f64,
        /// The joint.
        joint: String,
        /// By how much.
        drift: f64,
        /// Residual of the last attempt.
        residual: f64,
    },
    /// Elastic surfaces pass through each other in a step, whatever contacts are added to it.
    #[error(
        "at t = {t} s: the surfaces of '{a}' and '{b}' still pass through each other after contacts were added {passes} times; a shorter step, or a \
         thicker cloth, may help"
    )]
    Crossing {
        /// Time.
        t: f64,
        /// The first body.
        a: String,
        /// The second body, or the same.
        b: String,
        /// How often contacts were added.
        passes: usize,
    },
    /// A body is too stiff for a step of this length: its elastic forces and the impulses of its contacts do not come to terms.
    #[error(
        "at t = {t} s: elastic forces of '{body}' would still change its velocities by {left:.2} of what its contacts change: it is too stiff for steps of \
         this length; take a shorter one (`time.dt`), or the stepper `implicit`, `barrier` or `smooth`"
    )]
    Stiff {
        /// Time.
        t: f64,
        /// The body.
        body: String,
        /// What is left, relative to what the contacts change.
        left: f64,
    },
    /// The matrix of an elastic step has no factors.
    #[error(
        "at t = {t} s: the matrix of the elastic step of '{body}' is not positive definite to rounding: the body is too stiff, or too far deformed, for \
         steps of this length; a shorter one (`time.dt`) may help"
    )]
    Indefinite {
        /// Time.
        t: f64,
        /// The body.
        body: String,
    },
    /// A contact problem took longer than allowed. Where the time is up depends on the machine, so what was found by then is not used.
    #[error(
        "at t = {t} s: the contact problem is not solved after {limit} s, the longest time that a problem may take (`solver.time_limit` in a \
         scene); a solver with fewer iterations or a shorter step may help"
    )]
    OutOfTime {
        /// Time.
        t: f64,
        /// Longest time for a problem, s.
        limit: f64,
    },
    /// Surfaces cannot be kept apart: vertices whose motion is given take them through each other.
    #[error("at t = {t} s: '{a}' and '{b}' cannot be kept apart: pinned vertices of them take them through each other")]
    Apart {
        /// Time.
        t: f64,
        /// The first body.
        a: String,
        /// The second body; the same one if it meets itself.
        b: String,
    },
    /// A cloth with a thickness touches itself, and the stepper has no contacts for that.
    #[error(
        "at t = {t} s: the cloth '{body}' touches itself, and this stepper has no contacts of cloth with itself: use the stepper `implicit` or `filter`, or let it pass through itself without a `thickness`"
    )]
    Folded {
        /// Time.
        t: f64,
        /// The cloth.
        body: String,
    },
    /// A surface has stretched so far that its potential has a hole, through which other bodies would fall in.
    #[error("at t = {t} s: '{body}' has stretched too far: {error}")]
    Torn {
        /// Time.
        t: f64,
        /// The body.
        body: String,
        /// Where the hole is.
        error: Box<PotentialError>,
    },
    /// The world starts in a state that the stepper cannot go on from.
    #[error("at t = {t} s: {refusal}")]
    Start {
        /// Time.
        t: f64,
        /// What is wrong with it.
        refusal: Box<Refusal>,
    },
    /// The solver is farther from a solution than allowed.
    #[error("at t = {t} s: the contact solver got to a residual of {residual:e} ({status}); {limit:e} is allowed")]
    Unconverged {
        /// Time.
        t: f64,
        /// What it reached.
        residual: f64,
        /// How it ended.
        status: Status,
        /// What is allowed.
        limit: f64,
    },
}

impl StepError {
    /// Whether a shorter step may go well. Not where time has run out: that must not shape a result.
    pub(super) fn may_vanish(&self) -> bool {
        let singular =
            |error: &ProblemError| matches!(error, ProblemError::SingularMass | ProblemError::NotPositive { .. });
        match self {
            Self::Unconverged { .. } | Self::Crossing { .. } | Self::NotFinite { .. } => true,
            Self::Problem { error, .. } => singular(error),
            _ => false,
        }
    }

    /// Contacts without a law at time t.
    pub(super) fn of_law(fault: LawFault, model: &Model, contacts: &[Contact], t: f64) -> Self {
        match fault {
            LawFault::Surface { body, error } => {
                Self::Surface { t, body: model.bodies[body].name.clone(), error: Box::new(error) }
            }
            LawFault::Model { contact, error } => {
                let [a, b] = contacts[contact].pair.map(|i| model.bodies[i as usize].name.clone());
                Self::Law { t, a, b, error: Box::new(error) }
            }
            LawFault::Problem(error) => Self::Problem { t, error: Box::new(error) },
        }
    }
}

/// Why a stepper does not take a world.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// A mesh moves, and there is another one: meshes do not stop each other.
    #[error(
        "'{a}' moves and is a mesh, and so is '{b}', and two meshes do not stop each other: split '{a}' into convex parts"
    )]
    Meshes {
        /// The body that moves.
        a: String,
        /// The other body.
        b: String,
    },
    /// The stepper moves rigid bodies alone.
    #[error(
        "'{body}' is elastic, and this stepper moves rigid bodies alone: write stepper = {{ kind = \"implicit\" }}"
    )]
    Elastic {
        /// The body.
        body: String,
    },
    /// A sheet without a thickness beside another elastic body: which side of it they are on would be lost when they touch.
    #[error(
        "'{a}' is cloth without a thickness and could not be kept apart from '{b}', which is elastic too: give it a `thickness`"
    )]
    ElasticPair {
        /// The first body.
        a: String,
        /// The second body.
        b: String,
    },
    /// The stepper has no joints.
    #[error("joint '{joint}': this stepper moves no joints")]
    Joint {
        /// The joint.
        joint: String,
    },
    /// Two surfaces pass through each other where they start.
    #[error("the edge between vertices {} and {} of '{a}' crosses triangle {triangle} of '{b}' where they start", edge[0], edge[1])]
    Crossing {
        /// The body of the edge.
        a: String,
        /// The ends of the edge.
        edge: [u32; 2],
        /// The body of the triangle; the same one if it crosses itself.
        b: String,
        /// Number of the triangle.
        triangle: u32,
    },
    /// A contact with a spring.
    #[error("'{a}' and '{b}' have a stiffness, and only the stepper `impulse` takes contacts that give way")]
    Spring {
        /// The first body.
        a: String,
        /// The second body.
        b: String,
    },
    /// A contact that would have to bounce.
    #[error("'{a}' and '{b}' have a restitution above 0, and this stepper resolves no bounces")]
    Bounce {
        /// The first body.
        a: String,
        /// The second body.
        b: String,
    },
    /// The surface of a body has no potential.
    #[error("'{body}': {error}")]
    Potential {
        /// The body.
        body: String,
        /// Why.
        error: PotentialError,
    },
    /// A body starts inside of another one.
    #[error("{point} of '{body}' starts {depth:.6} m inside of the potential of '{other}': move it out")]
    Inside {
        /// The body whose point is inside.
        body: String,
        /// The vertex or corner.
        point: String,
        /// The other body.
        other: String,
        /// How deep, m.
        depth: f64,
    },
    /// Two sheets, and neither has an inside.
    #[error(
        "'{a}' and '{b}' are both cloth, and this stepper keeps bodies apart by potentials of what has an inside: use the stepper `implicit` or `filter`"
    )]
    Sheets {
        /// The first one.
        a: String,
        /// The second one.
        b: String,
    },
    /// Two bodies start no farther apart than they may be.
    #[error(
        "'{a}' and '{b}' start {distance:e} m apart, and a barrier needs more than {least:e} m between them: move them apart by a fraction of `dhat`"
    )]
    Touching {
        /// The first body.
        a: String,
        /// The second body.
        b: String,
        /// Their distance, m.
        distance: f64,
        /// What they need more than, m.
        least: f64,
    },
    /// Elements of a body that are no neighbours are nearer at rest than the barrier reaches.
    #[error(
        "elements of '{body}' that share no vertex are {distance:e} m apart at rest, and its thickness of {thickness:e} m with `dhat` = {dhat:e} m reaches farther:          use a coarser mesh, or less of both"
    )]
    Thick {
        /// The body.
        body: String,
        /// Distance of the elements, m.
        distance: f64,
        /// Its thickness, m.
        thickness: f64,
        /// Range of the barrier, m.
        dhat: f64,
    },
    /// A law that is no set of the contact plane.
    #[error(
        "the law `{law}` between '{a}' and '{b}' has no potential of the slip, since it is no set or resists drilling (`spin`): use the stepper `implicit` or `filter`"
    )]
    NoPotential {
        /// The first body.
        a: String,
        /// The second body.
        b: String,
        /// Name of the law.
        law: &'static str,
    },
    /// A law that the friction of the IPC Toolkit does not have.
    #[error(
        "the law `{law}` between '{a}' and '{b}' is not one of the IPC Toolkit, which `stepper.friction = \"toolkit\"` asks for: it has `coulomb`, `lagged`, and `static_kinetic` of these"
    )]
    NotToolkit {
        /// The first body.
        a: String,
        /// The second body.
        b: String,
        /// Name of the law.
        law: &'static str,
    },
    /// A law looks at facets around contacts, and one of the bodies deforms.
    #[error(
        "'{a}' deforms, and the law between it and '{b}' looks at the facets around a contact, which are sampled on rigid bodies only"
    )]
    Facets {
        /// The body that deforms.
        a: String,
        /// The other body.
        b: String,
    },
}
