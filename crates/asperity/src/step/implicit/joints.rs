//! The rows of joints at a guess: those of the impulse stepper ([`crate::step::joint_rows`]) with the rule "end", x⁺
//! = x + h v⁺.

use super::dynamics::Start;
use super::guess::Guess;
use crate::body::Twist;
use crate::contact::PlacedBody;
use crate::step::StepError;
use crate::step::joint_rows::{JointRow, JointSite, Mobility, Speeds};

/// The rows of all joints; `placed` are the bodies at the start of the step.
pub(super) fn rows(start: &Start, placed: &[PlacedBody], guess: &Guess) -> Result<Vec<JointRow>, StepError> {
    let model = start.model;
    if model.joints.is_empty() {
        return Ok(Vec::new());
    }
    let speeds = |body: Option<u32>| {
        let Some(body) = body.map(|body| body as usize) else { return Speeds::default() };
        let at = &placed[body];
        let before = Twist { velocity: at.velocity, angular_velocity: at.angular_velocity };
        // Before the first solve nothing has moved but what is given.
        let now = match (model.bodies[body].inertia(), guess.at_start) {
            (None, _) => before,
            (Some(_), true) => Twist::default(),
            (Some(_), false) => {
                let end = guess.bodies[body].frame();
                Twist { velocity: end.velocity, angular_velocity: end.angular_velocity }
            }
        };
        Speeds { before, guess: now }
    };
    let mobility = |body: u32| {
        let inertia = model.bodies[body as usize].inertia()?;
        let inverse_inertia = inertia.inverse_in_world(guess.bodies[body as usize].frame().rotation);
        Some(Mobility { inverse_mass: 1.0 / inertia.mass(), inverse_inertia })
    };
    let site = JointSite { model, placed, time: start.state.time, h: start.h, speeds: &speeds, mobility: &mobility };
    // Where the bodies are at the guess: at the first one where they start, but for what is given.
    let bodies = guess.joint_bodies(start.setting());
    site.rows(&bodies, &vec![true; model.joints.len()])
}
