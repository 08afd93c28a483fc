//! A pair from flags: the laws with a few numbers. All others need a file.

use asperity_friction::FrictionError;
use asperity_friction::model::{Anisotropic, Axes, Coefficient, Coulomb, FrictionModel, Lagged, MODELS, Matchstick};
use clap::Args;

use super::pair::Pair;
use crate::error::CliError;
use asperity::nearest::did_you_mean;

/// The law by flags.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct LawFlags {
    /// Law: coulomb, anisotropic, lagged or matchstick (the others need a file).
    #[arg(long, value_name = "NAME", help_heading = "Law")]
    pub(crate) law: Option<String>,
    /// Isotropic coefficient (coulomb, matchstick).
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Law")]
    pub(crate) mu: Option<f64>,
    /// Coefficient along the grain (structure) of the surfaces (matchstick, anisotropic, lagged).
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Law")]
    pub(crate) mu_t: Option<f64>,
    /// Coefficient across the structure (matchstick, anisotropic, lagged).
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Law")]
    pub(crate) mu_b: Option<f64>,
    /// Structure direction of A: angle in the contact plane, from t towards b.
    #[arg(long, value_name = "ANGLE", allow_negative_numbers = true, help_heading = "Law")]
    pub(crate) structure_a_deg: Option<f64>,
    /// Structure direction of B.
    #[arg(long, value_name = "ANGLE", allow_negative_numbers = true, help_heading = "Law")]
    pub(crate) structure_b_deg: Option<f64>,
}

/// How A slides over B, and how hard it is pressed on it.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct SlipFlags {
    /// Draws the force while A slides in this direction.
    #[arg(long, value_name = "ANGLE", allow_negative_numbers = true, help_heading = "Slip")]
    pub(crate) slip_deg: Option<f64>,
    /// Slip speed in m/s, for laws that depend on it; 0 for the coefficients at rest [default: 1, or the file's].
    #[arg(long, value_name = "V", allow_negative_numbers = true, help_heading = "Slip")]
    pub(crate) speed: Option<f64>,
    /// Normal force in N, for laws that depend on it and for the force of a slip [default: 1, or the file's].
    #[arg(long, value_name = "N", allow_negative_numbers = true, help_heading = "Slip")]
    pub(crate) load: Option<f64>,
}

/// Names of the laws that flags can say.
const SIMPLE: [&str; 4] = ["coulomb", "anisotropic", "lagged", "matchstick"];

impl LawFlags {
    /// The coefficients that were given, with the names of their flags.
    fn given(&self) -> Vec<&'static str> {
        [
            ("--mu", self.mu),
            ("--mu-t", self.mu_t),
            ("--mu-b", self.mu_b),
            ("--structure-a-deg", self.structure_a_deg),
            ("--structure-b-deg", self.structure_b_deg),
        ]
        .into_iter()
        .filter_map(|(flag, value)| value.map(|_| flag))
        .collect()
    }

    /// Refuses the flags that are given and not in `used`.
    pub(crate) fn only(&self, what: &str, used: &[&str]) -> Result<(), CliError> {
        match self.given().into_iter().find(|flag| !used.contains(flag)) {
            Some(flag) => Err(CliError::Input(format!("{flag} has no meaning for {what}"))),
            None => Ok(()),
        }
    }

    /// Whether any of them is given.
    pub(crate) fn any(&self) -> bool {
        self.law.is_some() || !self.given().is_empty()
    }

    /// The pair that the flags describe.
    pub(crate) fn pair(&self) -> Result<Pair, CliError> {
        let Some(name) = self.law.as_deref() else {
            return Err(CliError::Input(format!("{} needs --law NAME", self.given().join(", "))));
        };
        let law = name.replace('-', "_");
        let structures = ["--structure-a-deg", "--structure-b-deg"];
        let what = format!("--law {name}");
        let model: Result<FrictionModel, FrictionError> = match law.as_str() {
            "coulomb" => {
                self.only(&what, &["--mu"])?;
                Coulomb::new(self.need("--mu", self.mu)?).map(Into::into)
            }
            "matchstick" => {
                self.only(&what, &[&["--mu", "--mu-t", "--mu-b"][..], &structures].concat())?;
                let [along, across] = self.along_and_across()?;
                Matchstick::new(self.need("--mu", self.mu)?, along, across).map(Into::into)
            }
            "anisotropic" | "lagged" => {
                self.only(&what, &[&["--mu-t", "--mu-b"][..], &structures].concat())?;
                let (mu, axes) = (self.along_and_across()?.map(Coefficient::Fixed), self.axes(&what)?);
                Ok(if law == "lagged" { Lagged { mu, axes }.into() } else { Anisotropic { mu, axes }.into() })
            }
            _ => return Err(refuse_law(name)),
        };
        let refused = |error: FrictionError| CliError::Input(format!("{what}: {error}"));
        let mut pair = Pair::new(law, model.map_err(refused)?);
        for (surface, angle) in [(&mut pair.a, self.structure_a_deg), (&mut pair.b, self.structure_b_deg)] {
            if let Some(angle) = angle {
                surface.set_structure(finite("structure", angle)?);
            }
        }
        pair.check().map_err(refused)?;
        Ok(pair)
    }

    fn along_and_across(&self) -> Result<[f64; 2], CliError> {
        Ok([self.need("--mu-t", self.mu_t)?, self.need("--mu-b", self.mu_b)?])
    }

    fn need(&self, flag: &str, value: Option<f64>) -> Result<f64, CliError> {
        value.ok_or_else(|| CliError::Input(format!("--law {} needs {flag}", self.law.as_deref().unwrap_or("NAME"))))
    }

    /// The grain that is given fixes the axes; without one they are those of B.
    fn axes(&self, what: &str) -> Result<Axes, CliError> {
        match (self.structure_a_deg, self.structure_b_deg) {
            (Some(_), Some(_)) => Err(CliError::Input(format!(
                "{what} has its axes on one surface: give --structure-a-deg or --structure-b-deg, not both"
            ))),
            (Some(_), None) => Ok(Axes::OnA),
            _ => Ok(Axes::OnB),
        }
    }
}

/// The value of an angle flag, when it is a finite number.
pub(crate) fn finite(name: &str, angle: f64) -> Result<f64, CliError> {
    if angle.is_finite() { Ok(angle) } else { Err(CliError::Input(format!("{name} angle {angle}: must be finite"))) }
}

fn refuse_law(name: &str) -> CliError {
    let known = MODELS.iter().map(|m| m.name);
    if MODELS.iter().any(|m| m.name == name.replace('-', "_")) {
        return CliError::Input(format!(
            "--law {name}: this law needs a file (`asperity cone PAIR.toml`, see `asperity list laws --examples`); \
             flags can say {}",
            SIMPLE.join(", ")
        ));
    }
    let hint = did_you_mean(name, known.clone());
    let known: Vec<&str> = known.collect();
    CliError::Input(format!(
        "--law {name}: unknown law{hint} (flags can say {}; a file any of {})",
        SIMPLE.join(", "),
        known.join(", ")
    ))
}
