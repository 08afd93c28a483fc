//! Flags that go before what a file says: coefficients of its law, structure of the surfaces, slip and load.

use asperity_friction::Side;
use asperity_friction::Tangential;
use asperity_friction::model::FrictionModel;

use super::advice::reads;
use super::flags::{self, LawFlags, SlipFlags};
use super::law_text::layers;
use super::pair::{Pair, direction};
use crate::error::CliError;

/// Changes the pair of a file.
pub(crate) fn apply_law(flags: &LawFlags, pair: &mut Pair) -> Result<(), CliError> {
    for (flag, value) in [("--mu", flags.mu), ("--mu-t", flags.mu_t), ("--mu-b", flags.mu_b)] {
        let Some(value) = value else { continue };
        if !set_coefficient(&mut pair.model, flag, value) {
            return Err(no_meaning(flag, pair));
        }
    }
    for (flag, side, angle) in
        [("--structure-a-deg", Side::A, flags.structure_a_deg), ("--structure-b-deg", Side::B, flags.structure_b_deg)]
    {
        let Some(angle) = angle else { continue };
        let layers = layers(&pair.model, [pair.a.material, pair.b.material]);
        if !layers.last().is_some_and(|law| reads(law, side).contains(&"structure_deg")) {
            return Err(no_meaning(flag, pair));
        }
        let surface = if side == Side::A { &mut pair.a } else { &mut pair.b };
        surface.set_structure(flags::finite(flag, angle)?);
    }
    pair.check().map_err(|error| CliError::Input(format!("{} with the flags: {error}", pair.name)))
}

fn no_meaning(flag: &str, pair: &Pair) -> CliError {
    CliError::Input(format!("{flag} has no meaning for law {} of the file", pair.model.name()))
}

/// Sets the coefficient of a law that a flag names; of a law that wraps another, that one's. False if the law has no such coefficient.
fn set_coefficient(model: &mut FrictionModel, flag: &str, value: f64) -> bool {
    let place = match (model, flag) {
        (FrictionModel::Coulomb(m), "--mu") => {
            m.mu = Some(value);
            return true;
        }
        (FrictionModel::Matchstick(m), "--mu") => &mut m.mu,
        (FrictionModel::Matchstick(m), "--mu-t") => &mut m.mu_t,
        (FrictionModel::Matchstick(m), "--mu-b") => &mut m.mu_b,
        (FrictionModel::Anisotropic(m), "--mu-t") => &mut m.mu[0],
        (FrictionModel::Anisotropic(m), "--mu-b") => &mut m.mu[1],
        (FrictionModel::Lagged(m), "--mu-t") => &mut m.mu[0],
        (FrictionModel::Lagged(m), "--mu-b") => &mut m.mu[1],
        (FrictionModel::StaticKinetic(m), _) => return set_coefficient(&mut m.law, flag, value),
        (FrictionModel::Stribeck(m), _) => return set_coefficient(&mut m.law, flag, value),
        (FrictionModel::LoadPower(m), _) => return set_coefficient(&mut m.law, flag, value),
        (FrictionModel::Scaled(m), _) => return set_coefficient(&mut m.law, flag, value),
        (FrictionModel::RollingResistance(m), _) => return set_coefficient(&mut m.law, flag, value),
        _ => return false,
    };
    *place = value.into();
    true
}

/// The slip and the load of the flags, which go before those of the file.
pub(crate) fn apply_slip(flags: &SlipFlags, pair: &mut Pair) -> Result<(), CliError> {
    let allowed = |flag: &str, x: f64| {
        let good = x.is_finite() && x >= 0.0;
        if good { Ok(x) } else { Err(CliError::Input(format!("{flag} {x}: must be finite and not negative"))) }
    };
    if let Some(load) = flags.load {
        pair.load = allowed("--load", load)?;
    }
    if let Some(speed) = flags.speed {
        pair.speed = allowed("--speed", speed)?;
        if let Some(slip) = &mut pair.slip {
            slip.plane = slip.plane.normalize_or_zero() * speed;
        }
        // At rest friction has no one force.
        pair.slip = pair.slip.filter(|slip| *slip != Tangential::ZERO);
    }
    if let Some(angle) = flags.slip_deg {
        if pair.speed == 0.0 {
            let message = "--slip-deg needs a speed above zero: at rest friction has no one force";
            return Err(CliError::Input(message.into()));
        }
        let d = direction(flags::finite("--slip-deg", angle)?);
        let spin = pair.slip.map_or(0.0, |s| s.spin);
        pair.slip = Some(Tangential { spin, ..Tangential::planar(d * pair.speed) });
    }
    Ok(())
}
